//! What to type after an error of an index.

use std::io;

use crate::index::IndexError;
use crate::search::SearchError;

/// What to type to get out of an error, if that is known.
pub(super) fn hint(error: &anyhow::Error) -> Option<&'static str> {
    let found = error.chain().find_map(|cause| match cause.downcast_ref() {
        Some(SearchError::Index(error)) => Some(error),
        _ => cause.downcast_ref::<IndexError>(),
    });
    match found? {
        IndexError::NotAnIndex { .. } => {
            Some("make an index with `phocus index INPUT -o FILE.phoc`")
        }
        IndexError::Version { .. } | IndexError::Length { .. } | IndexError::Damaged { .. } => {
            Some("build it again with `phocus index INPUT -o FILE.phoc`")
        }
        IndexError::Io { reason, .. } if reason.kind() == io::ErrorKind::NotFound => {
            Some("name an index file first; `phocus index INPUT -o FILE.phoc` makes one")
        }
        IndexError::NoLayout { .. } => Some("search with --rerank 0"),
        IndexError::NoVisualIds => Some("leave --dedup out, or use --dedup layout"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn what_to_type_is_found_under_its_context() {
        let error = anyhow::Error::from(IndexError::NoVisualIds).context("cannot index");
        assert!(hint(&error).is_some_and(|hint| hint.contains("--dedup")));
        let version = IndexError::Version {
            path: "old.phoc".into(),
            found: 1,
        };
        let searched = SearchError::from(version);
        let error = Err::<(), _>(searched).context("cannot search").unwrap_err();
        assert!(hint(&error).is_some_and(|hint| hint.contains("phocus index")));
        assert_eq!(hint(&anyhow::anyhow!("another error")), None);
        let full = IndexError::Io {
            path: "new.phoc".into(),
            reason: io::ErrorKind::StorageFull.into(),
        };
        assert_eq!(hint(&full.into()), None, "no index was looked for");
    }
}
