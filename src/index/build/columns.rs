//! The columns that say which formulas hold each token.

use std::io::{self, Write};
use std::path::Path;

use super::error::StageError;
use super::temporary::{TempWriter, rewound, temp_file};
use super::writer::IndexWriter;
use crate::index::WINDOW;
use crate::index::docset::{BitmapBuffer, MAX_LIST_LEN};
use crate::index::format::{IndexError, Section, WindowRun};

/// The columns of postings, except the payloads.
pub(super) struct PostingColumns {
    ids: TempSection,
    bits: TempSection,
    ranks: TempSection,
    runs: Vec<WindowRun>,
    /// Postings of this token so far.
    length: u32,
    /// The window whose postings are being written, and where they begin.
    open: Option<(u32, u32)>,
    /// Its formulas.
    members: Vec<u16>,
    bitmap: Box<BitmapBuffer>,
}

impl PostingColumns {
    pub(super) fn new(scratch: &Path) -> Self {
        PostingColumns {
            ids: TempSection::new(scratch),
            bits: TempSection::new(scratch),
            ranks: TempSection::new(scratch),
            runs: Vec::new(),
            length: 0,
            open: None,
            members: Vec::with_capacity(WINDOW),
            bitmap: Box::default(),
        }
    }

    /// Ends a token: how many postings it has, and how many runs all tokens have so far.
    pub(super) fn end_token(&mut self) -> Result<(u32, u32), StageError> {
        self.end_run()?;
        let runs = u32::try_from(self.runs.len());
        let runs = runs.map_err(|_| IndexError::TooMany("runs of postings"))?;
        Ok((std::mem::take(&mut self.length), runs))
    }

    /// Adds the next formulas that hold a token.
    pub(super) fn push(&mut self, formulas: &[u32]) -> Result<(), StageError> {
        for formula in formulas {
            let window = formula / WINDOW as u32;
            if self.open.is_none_or(|(open, _)| open != window) {
                self.end_run()?;
                self.open = Some((window, self.length));
            }
            self.members.push((formula % WINDOW as u32) as u16);
            self.length += 1;
        }
        Ok(())
    }

    /// Adds which formulas of the open window hold the token.
    fn end_run(&mut self) -> Result<(), StageError> {
        let Some((window, start)) = self.open.take() else {
            return Ok(());
        };
        let place = if self.members.len() <= MAX_LIST_LEN {
            self.ids.push(bytemuck::cast_slice(&self.members))? / size_of::<u16>() as u64
        } else {
            let bitmap = self.bitmap.fill(&self.members);
            self.ranks.push(bytemuck::cast_slice(bitmap.ranks))?;
            self.bits.push(bytemuck::cast_slice(bitmap.bits))? / size_of_val(bitmap.bits) as u64
        };
        let place = u32::try_from(place).map_err(|_| IndexError::TooMany("ids of rare tokens"))?;
        self.runs.push(WindowRun {
            window,
            first_posting: start,
            place,
        });
        self.members.clear();
        Ok(())
    }

    pub(super) fn write(self, out: &mut IndexWriter) -> io::Result<()> {
        self.ids.write(out, Section::Ids)?;
        self.bits.write(out, Section::Bits)?;
        self.ranks.write(out, Section::Ranks)?;
        out.whole(Section::Runs, bytemuck::cast_slice(&self.runs))
    }
}

/// A section that is written while another one is open: in a file of its own, until its turn.
struct TempSection {
    out: TempWriter,
    length: u64,
}

impl TempSection {
    fn new(scratch: &Path) -> Self {
        TempSection {
            out: temp_file(scratch),
            length: 0,
        }
    }

    /// Adds bytes, and says where they begin.
    fn push(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let start = self.length;
        self.out.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(start)
    }

    fn write(self, out: &mut IndexWriter, section: Section) -> io::Result<()> {
        out.copy(section, rewound(self.out)?)
    }
}
