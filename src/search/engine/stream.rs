//! Reading the postings of a query without scoring: a measure of memory speed.

use rayon::prelude::*;

use super::term::{Term, TermInWindow};
use crate::index::{DocSet, Index, IndexError, with_payload};
use crate::search::kernel::{Level, Match, Simd, Work};
use crate::search::query::Query;

/// Reads every posting of the query's tokens once, on this many threads, and
/// sums their bytes. Benchmarks compare the engines with it.
///
/// # Errors
/// When the index is damaged where the query looks.
pub fn stream(index: &Index, query: &Query, threads: usize) -> Result<u64, IndexError> {
    with_payload!(index.meta().payload_bytes, P => stream_payload::<P>(index, query, threads))
}

fn stream_payload<P: Match>(
    index: &Index,
    query: &Query,
    threads: usize,
) -> Result<u64, IndexError> {
    let level = Level::best();
    let terms = Term::<P>::open_all(index, query, level)?;
    let windows: Vec<usize> = (0..index.windows()).collect();
    let shares = windows.par_chunks(windows.len().div_ceil(threads.max(1)).max(1));
    let sums = shares.map(|windows| {
        let mut sum = 0u64;
        for TermInWindow { postings, .. } in
            (windows.iter()).flat_map(|window| TermInWindow::all(&terms, *window))
        {
            let docs: &[u8] = match postings.docs {
                DocSet::List(ids) => bytemuck::cast_slice(ids),
                DocSet::Bitmap(bitmap) => bytemuck::cast_slice(bitmap.bits),
            };
            let payloads = bytemuck::cast_slice(postings.payloads.unwrap_or_default());
            sum = sum.wrapping_add(level.run(Sum([docs, payloads])));
        }
        sum
    });
    Ok(sums.reduce(|| 0, u64::wrapping_add))
}

/// The sum of all bytes, four at a time.
struct Sum<'a>([&'a [u8]; 2]);

impl Work for Sum<'_> {
    type Output = u64;

    #[inline(always)]
    fn with<S: Simd>(self, _: S) -> u64 {
        let mut sum = 0u64;
        for bytes in self.0 {
            for four in bytes.as_chunks::<4>().0 {
                sum = sum.wrapping_add(u64::from(u32::from_le_bytes(*four)));
            }
        }
        sum
    }
}
