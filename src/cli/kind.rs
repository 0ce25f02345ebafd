//! What an output is, and how a file is recognised that phocus wrote as such.
//!
//! An index and a list of rejects begin as no other file does. A run has no room for a mark, but
//! each of its lines names the run. Pages, pictures, settings and manual pages have a comment at
//! their end that names the verb. A list of formulas is like any other list.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use crate::eval::RunId;
use crate::index::MAGIC;

/// The first line of a list of rejects.
pub(super) const REJECTS_HEADER: &str = "id\treason\tdetail\tplace\tlatex\n";

/// How much of the beginning and the end of a file is looked at.
const SEEN_BYTES: u64 = 4096;

/// How the run ids begin that runs get by themselves.
pub(super) const RUN_ID_PREFIX: &str = "phocus-";

/// What an output is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// An index.
    Index,
    /// What was read for an index.
    Seen,
    /// The list that `index --rejects` writes.
    Rejects,
    /// A run with this run id.
    Run(RunId),
    /// A list of formulas.
    List,
    /// A page of `compare`.
    Page,
    /// A picture as SVG, by this verb.
    Svg(&'static str),
    /// A picture as PNG, by `show`.
    Png,
    /// Settings of `tune`.
    Settings,
    /// A manual page.
    ManPage,
}

impl Kind {
    /// What it is, in words.
    pub(super) fn named(&self) -> String {
        match self {
            Kind::Index => "an index".to_owned(),
            Kind::Seen => "what phocus keeps beside an index".to_owned(),
            Kind::Rejects => "a list of rejects".to_owned(),
            Kind::Run(id) => format!("a run with the run id {id} or {RUN_ID_PREFIX}..."),
            Kind::List => "known to be a list that phocus wrote".to_owned(),
            Kind::Page => "a page that `phocus compare` wrote".to_owned(),
            Kind::Svg(verb) => format!("a picture that `phocus {verb}` drew"),
            Kind::Png => "a picture that `phocus show` drew".to_owned(),
            Kind::Settings => "a file that `phocus tune` wrote".to_owned(),
            Kind::ManPage => "a page that `phocus man` wrote".to_owned(),
        }
    }

    /// The bytes with the mark at their end by which phocus knows them again.
    pub(super) fn marked(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        match self {
            Kind::Png => mark_png(&mut bytes),
            _ => bytes.extend(self.mark().unwrap_or_default().bytes()),
        }
        bytes
    }

    /// Whether phocus wrote this file, as the same kind of output.
    pub(super) fn is_of(&self, file: &mut File) -> io::Result<bool> {
        let mut start = Vec::new();
        file.take(SEEN_BYTES).read_to_end(&mut start)?;
        Ok(match self {
            Kind::Index => start.starts_with(&MAGIC),
            Kind::Seen => start.starts_with(crate::seen::MAGIC),
            Kind::Rejects => start.starts_with(REJECTS_HEADER.as_bytes()),
            Kind::Run(id) => is_run(&start, id),
            Kind::List => false,
            Kind::Png => start.windows(PNG_TEXT.len()).any(|part| part == PNG_TEXT),
            _ => {
                let length = file.seek(SeekFrom::End(0))?;
                file.seek(SeekFrom::Start(length.saturating_sub(SEEN_BYTES)))?;
                let mut end = Vec::new();
                file.read_to_end(&mut end)?;
                let mark = self.mark().unwrap_or_default();
                !mark.is_empty() && end.ends_with(mark.as_bytes())
            }
        })
    }

    /// The mark at the end of a text.
    fn mark(&self) -> Option<String> {
        Some(match self {
            Kind::Page => "<!-- Written by phocus compare. -->\n".to_owned(),
            Kind::Svg(verb) => format!("<!-- Written by phocus {verb}. -->\n"),
            Kind::Settings => "# Written by phocus tune.\n".to_owned(),
            Kind::ManPage => ".\\\" Written by phocus man.\n".to_owned(),
            _ => return None,
        })
    }
}

/// Whether a file that begins so is a run with this run id, or with one that phocus gives.
fn is_run(start: &[u8], id: &RunId) -> bool {
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or(start);
    let line = String::from_utf8_lossy(line);
    let fields: Vec<&str> = line.split_whitespace().collect();
    let &[_, _, _, rank, score, found] = &fields[..] else {
        return false;
    };
    rank == "1"
        && score.parse::<f64>().is_ok()
        && (found == id.to_string() || found.starts_with(RUN_ID_PREFIX))
}

/// What a text chunk of our PNGs holds: its kind, a keyword, and who wrote it.
const PNG_TEXT: &[u8] = b"tEXtSoftware\0phocus show";
/// Where the first chunk after the header of a PNG begins.
const PNG_HEADER_END: usize = 33;

/// Puts a text chunk behind the header of a PNG.
fn mark_png(bytes: &mut Vec<u8>) {
    let mut crc = flate2::Crc::new();
    crc.update(PNG_TEXT);
    let mut chunk = (PNG_TEXT.len() as u32 - 4).to_be_bytes().to_vec();
    chunk.extend(PNG_TEXT);
    chunk.extend(crc.sum().to_be_bytes());
    let at = PNG_HEADER_END.min(bytes.len());
    bytes.splice(at..at, chunk);
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn is_of(kind: &Kind, bytes: &[u8]) -> bool {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        kind.is_of(&mut file).unwrap()
    }

    #[test]
    fn what_phocus_marked_is_known_again_and_as_nothing_else() {
        let kinds = [
            Kind::Page,
            Kind::Svg("show"),
            Kind::Svg("bench"),
            Kind::Settings,
            Kind::ManPage,
        ];
        for (at, kind) in kinds.iter().enumerate() {
            let text = vec![b'x'; 10_000];
            assert!(!is_of(kind, &text), "{kind:?}");
            let marked = kind.marked(text);
            for (other, known) in kinds.iter().enumerate() {
                assert_eq!(is_of(known, &marked), at == other, "{kind:?} {known:?}");
            }
            let more = [&marked[..], b"written by hand"].concat();
            assert!(!is_of(kind, &more), "{kind:?}");
        }
    }

    #[test]
    fn a_run_is_known_by_its_run_id() {
        let mine = Kind::Run("mine".parse().unwrap());
        for (text, known) in [
            ("B.1\t5\t-\t1\t2.5\tmine\n", true),
            ("B.1 Q0 v5 1 2.5 mine\nB.1 Q0 v6 2 2.4 mine\n", true),
            ("B.1\t5\t-\t1\t2.5\tphocus-best\n", true),
            ("B.1\t5\t-\t1\t2.5\ttangent\n", false),
            ("six words end in phocus-best\n", false),
            ("\\documentclass{article}\n", false),
            ("", false),
        ] {
            assert_eq!(is_of(&mine, text.as_bytes()), known, "{text}");
        }
    }

    #[test]
    fn indexes_and_rejects_are_known_by_their_beginning_and_lists_are_not() {
        assert!(is_of(&Kind::Index, b"phocus\r\n\x05 of an old version"));
        assert!(!is_of(&Kind::Index, b"phocus\n"));
        assert!(is_of(&Kind::Rejects, REJECTS_HEADER.as_bytes()));
        assert!(!is_of(&Kind::Rejects, b"id\tlatex\n"));
        assert!(!is_of(&Kind::List, b"id\tlatex\n"));
    }

    #[test]
    fn a_marked_png_can_be_read() {
        let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"></svg>"#;
        let png = crate::picture::png(svg).unwrap();
        assert!(!is_of(&Kind::Png, &png));
        let marked = Kind::Png.marked(png);
        assert!(is_of(&Kind::Png, &marked));
        let read = resvg::tiny_skia::Pixmap::decode_png(&marked).unwrap();
        assert_eq!((read.width(), read.height()), (6, 4));
    }
}
