//! What becomes of served files, for the log.

use std::fmt;

use serde::Serialize;

/// What became of the file of a served index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Event {
    /// A new file is served.
    TakenUp,
    /// There is a new file that cannot be served.
    NotTakenUp,
    /// The served file was changed in place, or is damaged.
    Unsound,
    /// The file is no longer at its path. What was opened is still served.
    Missing,
    /// The served file is at its path again.
    FoundAgain,
}

/// Something to log of a served index; each is told once.
#[derive(Debug, Serialize)]
pub struct Notice<'a> {
    /// The name of the index.
    pub index: &'a str,
    /// What happened.
    pub event: Event,
    /// The same in a sentence, with the reason.
    pub message: String,
}

/// The function that is called with each notice.
pub(super) struct Notices(pub(super) Box<dyn Fn(&Notice) + Send + Sync>);

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notices")
    }
}
