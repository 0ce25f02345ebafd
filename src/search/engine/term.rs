//! A query's tokens, opened in an index.

use crate::index::{BitmapBuffer, DocSet, GROUPS, Index, IndexError, Postings, WindowPostings};
use crate::search::kernel::{Adder, Level, Match, Simd, Work};
use crate::search::query::{Query, QueryToken};

/// A token of a query, with its postings.
#[derive(Debug)]
pub(in crate::search) struct Term<'a, P: Match> {
    postings: Postings<'a, P>,
    /// The query's word, prepared for comparison with payloads; none unless the token is
    /// positional.
    matcher: Option<P::Matcher>,
    weight: u32,
    /// Its largest gain: an upper bound of what it adds to a sum.
    pub(super) max_gain: u32,
    /// Whether it counts towards the minimum match.
    pub(super) counts_toward_min_match: bool,
    /// Whether it adds something to every formula that holds it.
    pub(super) always_adds: bool,
}

impl<'a, P: Match> Term<'a, P> {
    /// The terms of a query that the index knows, those first that can add most.
    pub(in crate::search) fn open_all(
        index: &'a Index,
        query: &Query,
        level: Level,
    ) -> Result<Vec<Self>, IndexError> {
        let mut terms = Vec::new();
        for (number, token) in query.known() {
            let postings: Postings<P> = index.postings(number)?;
            let matcher = postings.is_positional().then(|| {
                level.run(MakeMatcher::<P> {
                    token,
                    index,
                    payload: std::marker::PhantomData,
                })
            });
            terms.push(Term {
                postings,
                matcher,
                weight: token.weight,
                max_gain: token.max_gain(),
                counts_toward_min_match: token.counts_toward_min_match,
                always_adds: token.always_adds(),
            });
        }
        terms.sort_by_key(|term| std::cmp::Reverse(term.max_gain));
        Ok(terms)
    }

    /// The document frequency: how many formulas hold it.
    pub(super) fn frequency(&self) -> usize {
        self.postings.len()
    }
}

/// Preparing a query's word to be compared with payloads.
struct MakeMatcher<'a, P> {
    token: &'a QueryToken,
    index: &'a Index,
    payload: std::marker::PhantomData<P>,
}

impl<P: Match> Work for MakeMatcher<'_, P> {
    type Output = P::Matcher;

    #[inline(always)]
    fn with<S: Simd>(self, _: S) -> P::Matcher {
        P::matcher(&self.token.planes, self.index.codebook())
    }
}

/// A term's postings in one window.
#[derive(Debug)]
pub(super) struct TermInWindow<'a, P: Match> {
    pub(super) term: &'a Term<'a, P>,
    pub(super) postings: WindowPostings<'a, P>,
}

impl<'a, P: Match> TermInWindow<'a, P> {
    /// The payloads, and how to compute their gains; `None` where the token is not
    /// positional, and so adds the same to every formula that holds it.
    #[inline(always)]
    pub(super) fn payloads(&self) -> Option<(&'a [P], Adder<'a, P>)> {
        let adder = Adder {
            view: P::view(self.term.matcher.as_ref()?),
            weight: self.term.weight,
            max_gain: self.term.max_gain,
        };
        Some((self.postings.payloads?, adder))
    }

    /// The terms that occur in a window.
    pub(super) fn all(terms: &'a [Term<'a, P>], window: usize) -> Vec<Self> {
        let present = terms.iter().filter_map(|term| {
            let postings = term.postings.window(window)?;
            Some(TermInWindow { term, postings })
        });
        present.collect()
    }

    /// All terms, if all occur in a window.
    pub(super) fn every(terms: &'a [Term<'a, P>], window: usize) -> Option<Vec<Self>> {
        let present = terms.iter().map(|term| {
            let postings = term.postings.window(window)?;
            Some(TermInWindow { term, postings })
        });
        present.collect()
    }

    /// The formulas as a bitmap; a list is converted in `buffer`.
    #[inline(always)]
    pub(super) fn as_bitmap(&mut self, buffer: &'a mut BitmapBuffer) -> &'a [u64; GROUPS] {
        let bitmap = match self.postings.docs {
            DocSet::List(ids) => buffer.fill(ids),
            DocSet::Bitmap(bitmap) => bitmap,
        };
        self.postings.docs = DocSet::Bitmap(bitmap);
        bitmap.bits
    }
}
