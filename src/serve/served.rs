//! An index as it is served: the file that is answered from, which is exchanged for a new one
//! while requests are answered.
//!
//! Twice a second each served file is looked at ([`Served::refresh`]). One that was replaced is
//! opened beside the old one, read whole, compared with its checksums and searched once; then
//! it takes the old one's place. Requests that have begun finish with the old one. A file that
//! was written to or cut in place gives no answers until there is a sound one.

use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use serde_json::{Value, json};

use super::notice::{Event, Notice};
use crate::index::{FileState, Index, IndexError, Stamp};
use crate::search::{Request, SearchError, Searcher};

/// An index and the name by which requests ask for it.
#[derive(Debug)]
pub struct NamedIndex {
    /// Its name.
    pub name: String,
    /// Its searcher.
    pub searcher: Searcher,
    /// How many files were served under the name, with this one.
    pub(super) generation: u64,
}

impl NamedIndex {
    /// An index under a name.
    pub fn new(name: String, searcher: Searcher) -> Self {
        NamedIndex {
            name,
            searcher,
            generation: 1,
        }
    }

    pub(super) fn index(&self) -> &Index {
        self.searcher.index()
    }

    /// Searches once, and reads what filters need: so the next request does not wait for fonts
    /// and pages to be read, and it is known that the index can be searched.
    pub(super) fn warm_up(&self) -> Result<(), SearchError> {
        let request = Request::latex("x").threads(1);
        self.searcher.search(&request)?;
        self.searcher.facets().map(|_| ())
    }
}

/// A name, the index that is served under it now, and what is known of its file.
#[derive(Debug)]
pub(super) struct Served {
    pub(super) name: String,
    now: RwLock<Arc<NamedIndex>>,
    condition: Mutex<Condition>,
    /// Held while the file is looked at.
    looking: Mutex<Looked>,
    /// How many files were not taken up.
    pub(super) refused: AtomicU64,
}

/// What is wrong with the file, as it is told.
#[derive(Debug, Default)]
struct Condition {
    /// Why no answers are given.
    trouble: Option<String>,
    /// What is to be known of the file at the path, though the index itself is sound.
    note: Option<String>,
}

/// What was at the path when it was looked at.
#[derive(Debug, Default)]
struct Looked {
    seen: Option<Stamp>,
    refused: Option<Stamp>,
}

impl Served {
    pub(super) fn new(index: NamedIndex) -> Self {
        Served {
            name: index.name.clone(),
            now: RwLock::new(Arc::new(index)),
            condition: Mutex::default(),
            looking: Mutex::default(),
            refused: AtomicU64::new(0),
        }
    }

    /// The index as it is served at this moment.
    pub(super) fn now(&self) -> Arc<NamedIndex> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Why it gives no answers now, if so.
    pub(super) fn trouble(&self) -> Option<String> {
        match is_sound(&self.now()) {
            Ok(()) => self.condition().trouble.clone(),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Searches once: so the first request does not wait for fonts and pages to be read, and an
    /// index that cannot be searched is known.
    pub(super) fn warm_up(&self, tell: &dyn Fn(&Notice)) {
        if let Err(error) = self.now().warm_up() {
            self.fail(&error, tell);
        }
    }

    /// What `/healthz` tells of it.
    pub(super) fn health(&self) -> Value {
        let now = self.now();
        let trouble = self.trouble();
        let status = if trouble.is_some() { "unsound" } else { "ok" };
        let mut health = json!({
            "name": self.name,
            "status": status,
            "formulas": now.index().formulas(),
            "generation": now.generation,
        });
        let note = self.condition().note.clone();
        for (key, text) in [("reason", trouble), ("note", note)] {
            if let Some(text) = text {
                health[key] = json!(text);
            }
        }
        health
    }

    /// Looks at the file, and takes up what is there if it is another one than is served, or
    /// if the served one is not sound. A file is taken up when it was the same at two looks one
    /// after the other, since it may still be being copied; `at_once` does not wait for that,
    /// and tries again a file that was refused.
    pub(super) fn refresh(&self, at_once: bool, tell: &dyn Fn(&Notice)) {
        let mut looked = self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.now();
        let state = now.index().file_state();
        self.tell_state(state, tell);
        if let Err(error) = is_sound(&now) {
            self.fail(&error, tell);
        }
        let is_other = matches!(state, FileState::Replaced | FileState::Changed);
        let is_retried = at_once && self.condition().trouble.is_some();
        if !is_other && !is_retried {
            return;
        }
        let Ok(stamp) = Stamp::at(now.index().path()) else {
            return;
        };
        let is_quiet = looked.seen.replace(stamp) == Some(stamp);
        let was_refused = looked.refused == Some(stamp);
        if at_once || (is_quiet && !was_refused) {
            looked.refused = self.take_up(&now, tell).is_err().then_some(stamp);
        }
    }

    /// Opens what is at the path of the index that is served, and serves it if it is sound.
    fn take_up(&self, now: &NamedIndex, tell: &dyn Fn(&Notice)) -> Result<(), ()> {
        match self.opened(now) {
            Ok(new) => {
                let (formulas, generation) = (new.index().formulas(), new.generation);
                *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(new);
                *self.condition() = Condition::default();
                let message =
                    format!("the new file is served: {formulas} formulas, generation {generation}");
                tell(&self.notice(Event::TakenUp, message));
                Ok(())
            }
            Err(error) => {
                let note = format!("the file at its path is not taken up: {error}");
                self.refused.fetch_add(1, Ordering::Relaxed);
                if self.note(Some(note.clone())) {
                    let message = match self.condition().trouble {
                        Some(_) => format!("{note}; requests are answered 503"),
                        None => format!("{note}; the one before is served on"),
                    };
                    tell(&self.notice(Event::NotTakenUp, message));
                }
                Err(())
            }
        }
    }

    /// The index at the path, checked whole and searched once.
    fn opened(&self, now: &NamedIndex) -> Result<NamedIndex, SearchError> {
        let index = now.index().reopen()?;
        index.check_sums()?;
        let new = NamedIndex {
            name: self.name.clone(),
            searcher: Searcher::new(index),
            generation: now.generation + 1,
        };
        new.warm_up()?;
        Ok(new)
    }

    /// Tells once that the file is gone, or is there again.
    fn tell_state(&self, state: FileState, tell: &dyn Fn(&Notice)) {
        match state {
            FileState::Missing => {
                let message = "its file is gone; what was opened is served on";
                if self.note(Some(message.to_owned())) {
                    tell(&self.notice(Event::Missing, message.to_owned()));
                }
            }
            FileState::Same => {
                if self.note(None) {
                    let message = "the file that is served is at its path again";
                    tell(&self.notice(Event::FoundAgain, message.to_owned()));
                }
            }
            FileState::Replaced | FileState::Changed => {}
        }
    }

    /// No answers are given from now on: tells why, once.
    fn fail(&self, error: &dyn Error, tell: &dyn Fn(&Notice)) {
        let message = error.to_string();
        let is_new = self.condition().trouble.replace(message.clone()).is_none();
        if is_new {
            let message = format!("{message}; requests are answered 503 until it is sound");
            tell(&self.notice(Event::Unsound, message));
        }
    }

    /// Keeps a note; whether it is another than before.
    fn note(&self, note: Option<String>) -> bool {
        let mut condition = self.condition();
        let is_other = condition.note != note;
        condition.note = note;
        is_other
    }

    fn condition(&self) -> MutexGuard<'_, Condition> {
        self.condition
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn notice(&self, event: Event, message: String) -> Notice<'_> {
        Notice {
            index: &self.name,
            event,
            message,
        }
    }
}

/// Whether the file is as it was opened, and nothing that was read of it is damaged.
fn is_sound(now: &NamedIndex) -> Result<(), IndexError> {
    now.index().sound(Ok(()))
}
