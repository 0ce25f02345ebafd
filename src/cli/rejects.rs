//! Formulas that `phocus index` rejects.

use anyhow::Context;
use std::io::{self, Write};

use super::destination::Destination;
use super::kind::REJECTS_HEADER;
use super::output::Output;
use crate::corpus::{FormulaId, quoted};
use crate::index::Reject;

/// Where rejects go: to a file, or the first malformed lines to standard error.
pub(super) struct Rejects {
    out: Option<Output>,
    shown: usize,
    failed: io::Result<()>,
}

/// The largest number of malformed lines that are printed if there is no file for them.
const MAX_SHOWN: usize = 10;

impl Rejects {
    pub(super) fn new(destination: Option<&Destination>) -> anyhow::Result<Self> {
        let mut out = destination.map(Destination::begin).transpose()?;
        if let Some(file) = &mut out {
            file.write_all(REJECTS_HEADER.as_bytes())?;
        }
        Ok(Rejects {
            out,
            shown: 0,
            failed: Ok(()),
        })
    }

    pub(super) fn write(&mut self, reject: &Reject) {
        let Reject {
            id,
            reason,
            detail,
            place,
            latex,
            ..
        } = reject;
        let id = id.as_ref().map_or("", FormulaId::as_str);
        let place = place.as_ref().map(ToString::to_string).unwrap_or_default();
        match &mut self.out {
            Some(file) if self.failed.is_ok() => {
                let fields = [id, detail, latex].map(quoted);
                let [id, detail, latex] = fields;
                self.failed = writeln!(file, "{id}\t{reason}\t{detail}\t{place}\t{latex}");
            }
            Some(_) => {}
            None if self.shown < MAX_SHOWN && *reason == "malformed" => {
                eprintln!("{place}: {detail}");
                self.shown += 1;
            }
            None => {}
        }
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        let finish = || self.out.map_or(Ok(()), Output::finish);
        self.failed
            .and_then(|()| finish())
            .context("cannot write the rejects")
    }
}
