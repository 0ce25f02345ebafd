//! Reading and laying out topics, for `bench` and `tune`.

use std::path::Path;

use crate::corpus::read_topics;
use crate::layout::{self, Layout};

/// The topics of some files that can be laid out, by their names, and how many cannot: those are
/// reported to standard error.
pub(super) fn read_laid_out<P: AsRef<Path>>(
    paths: &[P],
) -> anyhow::Result<(Vec<(String, Layout)>, usize)> {
    let mut topics = Vec::new();
    let mut lost = 0;
    for path in paths {
        for topic in read_topics(path.as_ref())? {
            match layout::read_query(&topic.latex) {
                Ok(read) => topics.push((topic.number, read.layout)),
                Err(error) => {
                    eprintln!("topic {} is left out: {error}", topic.number);
                    lost += 1;
                }
            }
        }
    }
    Ok((topics, lost))
}
