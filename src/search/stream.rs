//! Reading the postings of a query and nothing more: how fast memory is.

use std::marker::PhantomData;

use rayon::prelude::*;

use super::Query;
use super::kernel::{Level, Match, Simd, Work};
use super::term::{Open, Present, Term};
use crate::index::{DocSet, Index, IndexError};

/// Reads every posting of the query's tokens once, on so many threads, and
/// sums what it reads: a measure for the engines, which have to do better.
///
/// # Errors
/// When the index is damaged where the query looks.
pub fn stream(index: &Index, query: &Query, threads: usize) -> Result<u64, IndexError> {
    match index.meta().payload_bytes {
        4 => stream_payload::<u32>(index, query, threads),
        8 => stream_payload::<u64>(index, query, threads),
        _ => stream_payload::<u128>(index, query, threads),
    }
}

fn stream_payload<P: Match>(
    index: &Index,
    query: &Query,
    threads: usize,
) -> Result<u64, IndexError> {
    let level = Level::best();
    let terms = level.run(Open::<P> {
        index,
        query,
        payload: PhantomData,
    })?;
    let windows: Vec<usize> = (0..index.windows()).collect();
    let shares = windows.par_chunks(windows.len().div_ceil(threads.max(1)).max(1));
    let sums = shares.map(|windows| {
        level.run(Reading {
            terms: &terms,
            windows,
        })
    });
    Ok(sums.reduce(|| 0, u64::wrapping_add))
}

/// What one thread reads.
struct Reading<'a, P: Match> {
    terms: &'a [Term<'a, P>],
    windows: &'a [usize],
}

impl<P: Match> Work for Reading<'_, P> {
    type Output = u64;

    #[inline(always)]
    fn with<S: Simd>(self, _: S) -> u64 {
        let mut sum = 0u64;
        for window in self.windows {
            for Present { held, .. } in Present::all(self.terms, *window) {
                let members: &[u8] = match held.members {
                    DocSet::List(ids) => bytemuck::cast_slice(ids),
                    DocSet::Bitmap(presence) => bytemuck::cast_slice(presence.bits),
                };
                let payloads = bytemuck::cast_slice(held.payloads.unwrap_or_default());
                for bytes in [members, payloads] {
                    for four in bytes.as_chunks::<4>().0 {
                        sum = sum.wrapping_add(u64::from(u32::from_le_bytes(*four)));
                    }
                }
            }
        }
        sum
    }
}
