//! How an index is built.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use super::layouts::Layouts;
use crate::corpus::LinkTemplate;
use crate::phoc::PhocConfig;

/// Which records are one formula.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Dedup {
    /// The visual id where a record has one, else the layout.
    #[default]
    Auto,
    /// The collection's visual id; records without one by their layout.
    VisualId,
    /// Records with the same symbols at the same places.
    Layout,
    /// No merging: every record is a formula of its own.
    None,
}

impl Dedup {
    /// All of them.
    pub const ALL: [Dedup; 4] = [Dedup::Auto, Dedup::VisualId, Dedup::Layout, Dedup::None];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Dedup::Auto => "auto",
            Dedup::VisualId => "visual-id",
            Dedup::Layout => "layout",
            Dedup::None => "none",
        }
    }

    /// Whether a visual id, where there is one, decides.
    pub(super) fn uses_visual_ids(self) -> bool {
        matches!(self, Dedup::Auto | Dedup::VisualId)
    }

    /// How duplicates are merged in a collection with or without visual ids.
    pub(super) fn applied(self, has_visual_ids: bool) -> &'static str {
        match self {
            Dedup::None => "none",
            _ if self.uses_visual_ids() && has_visual_ids => "visual-id",
            _ => "layout",
        }
    }
}

impl fmt::Display for Dedup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no way to merge duplicates.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected auto, visual-id, layout or none, found `{found}`")]
pub struct DedupError {
    /// The text.
    pub found: String,
}

impl FromStr for Dedup {
    type Err = DedupError;

    fn from_str(text: &str) -> Result<Self, DedupError> {
        let named = Dedup::ALL.into_iter().find(|dedup| dedup.name() == text);
        named.ok_or_else(|| DedupError {
            found: text.to_owned(),
        })
    }
}

/// The smallest amount of memory that a build may have, in bytes.
const MIN_MEMORY: usize = 32 << 20;

/// How to build.
#[derive(Debug, Clone)]
pub(super) struct BuildOptions {
    /// The configuration.
    pub(super) config: PhocConfig,
    /// Which records are one formula.
    pub(super) dedup: Dedup,
    /// About how many bytes of memory to use.
    memory: usize,
    /// How many threads lay formulas out; 0 is one a core.
    pub(super) threads: usize,
    /// The folder of temporary files.
    pub(super) scratch: PathBuf,
    /// How the addresses of occurrences are made.
    pub(super) link: Option<LinkTemplate>,
    /// The layouts of earlier builds, where they are kept.
    pub(super) layouts: Option<Arc<Layouts>>,
}

impl BuildOptions {
    pub(super) fn new(config: PhocConfig) -> Self {
        BuildOptions {
            config,
            dedup: Dedup::default(),
            memory: 1 << 30,
            threads: 0,
            scratch: std::env::temp_dir(),
            link: None,
            layouts: None,
        }
    }

    pub(super) fn set_memory(&mut self, bytes: usize) {
        self.memory = bytes.max(MIN_MEMORY);
    }

    /// About how many bytes of memory to use.
    pub(super) fn memory(&self) -> usize {
        self.memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed() {
        for dedup in Dedup::ALL {
            assert_eq!(dedup.to_string().parse(), Ok(dedup));
        }
        let error = "visual".parse::<Dedup>().unwrap_err();
        assert!(error.to_string().contains("`visual`"), "{error}");
    }
}
