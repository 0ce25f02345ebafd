//! A query's tokens, opened in an index.

use std::marker::PhantomData;

use super::Query;
use super::kernel::{Adder, Match, Simd, Work};
use crate::index::{BitmapBuffer, DocSet, GROUPS, Index, IndexError, Postings, WindowPostings};

/// A token that is looked for, with its postings.
#[derive(Debug)]
pub(super) struct Term<'a, P: Match> {
    postings: Postings<'a, P>,
    /// Of the query's word, where it counts where the token stands.
    matcher: Option<P::Matcher>,
    weight: u32,
    /// The most that it can add to a sum.
    pub(super) most: u32,
    /// Whether it counts towards how many must be held.
    pub(super) counts: bool,
    /// Whether it adds something wherever it is held.
    pub(super) always_adds: bool,
}

/// Opening the terms of a query, those that can add most first.
pub(super) struct Open<'a, P> {
    pub(super) index: &'a Index,
    pub(super) query: &'a Query,
    pub(super) payload: PhantomData<P>,
}

impl<'a, P: Match> Work for Open<'a, P> {
    type Output = Result<Vec<Term<'a, P>>, IndexError>;

    #[inline(always)]
    fn with<S: Simd>(self, _: S) -> Self::Output {
        let Open { index, query, .. } = self;
        let mut terms = Vec::new();
        for (number, token) in query.known() {
            let postings: Postings<P> = index.postings(number)?;
            let matcher = if postings.has_words() {
                Some(P::matcher(&token.planes, index.codebook()))
            } else {
                None
            };
            terms.push(Term {
                postings,
                matcher,
                weight: token.weight,
                most: token.most(),
                counts: token.counts,
                always_adds: token.always_adds(),
            });
        }
        terms.sort_by_key(|term| std::cmp::Reverse(term.most));
        Ok(terms)
    }
}

impl<P: Match> Term<'_, P> {
    /// How many formulas hold it.
    pub(super) fn frequency(&self) -> usize {
        self.postings.len()
    }
}

/// A term's postings in one window.
#[derive(Debug)]
pub(super) struct Present<'a, P: Match> {
    pub(super) term: &'a Term<'a, P>,
    pub(super) held: WindowPostings<'a, P>,
}

impl<'a, P: Match> Present<'a, P> {
    /// The payloads, and what each adds to a sum: nothing where all add the most.
    #[inline(always)]
    pub(super) fn words(&self) -> Option<(&'a [P], Adder<'a, P>)> {
        let adder = Adder {
            view: P::view(self.term.matcher.as_ref()?),
            weight: self.term.weight,
            most: self.term.most,
        };
        Some((self.held.payloads?, adder))
    }

    /// The terms that occur in a window.
    pub(super) fn all(terms: &'a [Term<'a, P>], window: usize) -> Vec<Self> {
        let present = terms.iter().filter_map(|term| {
            let held = term.postings.window(window)?;
            Some(Present { term, held })
        });
        present.collect()
    }

    /// All terms, if all occur in a window.
    pub(super) fn every(terms: &'a [Term<'a, P>], window: usize) -> Option<Vec<Self>> {
        let present = terms.iter().map(|term| {
            let held = term.postings.window(window)?;
            Some(Present { term, held })
        });
        present.collect()
    }

    /// Where the term occurs, as bits; a list of formulas is made a set in `buffer`.
    #[inline(always)]
    pub(super) fn as_set(&mut self, buffer: &'a mut BitmapBuffer) -> &'a [u64; GROUPS] {
        let presence = match self.held.members {
            DocSet::List(ids) => buffer.fill(ids),
            DocSet::Bitmap(presence) => presence,
        };
        self.held.members = DocSet::Bitmap(presence);
        presence.bits
    }
}
