//! Tokens of an index: their numbers, document frequencies and postings.

use std::ops::Range;

use super::column::Column;
use super::open::Index;
use super::postings::Postings;
use crate::index::WINDOW;
use crate::index::format::{IndexError, Section, WindowRun, decode_key, encode_key, kind_of};
use crate::index::payload::{Payload, with_payload};
use crate::phoc::{TokenKey, TokenKind, WHOLE};

impl Index {
    /// The number of a token, if any formula holds it.
    pub fn token(&self, key: &TokenKey) -> Option<u32> {
        let wanted = encode_key(key);
        let (mut low, mut high) = (0, self.meta().tokens as usize);
        while low < high {
            let middle = low.midpoint(high);
            match self.key(middle).cmp(&wanted[..]) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle as u32),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The bytes of a token's key.
    pub(super) fn key(&self, token: usize) -> &[u8] {
        let offsets: &[u32] = self.sections.small(Section::KeyOffsets);
        let keys = self.sections.bytes(Section::Keys);
        // Both were checked on opening; only a file that changed since then has no key here.
        let key = |[start, end]: [u32; 2]| keys.get(start as usize..end as usize);
        pair(offsets, token).and_then(key).unwrap_or_default()
    }

    /// Where the postings of a token are among those of all tokens.
    fn posting_range(&self, token: usize) -> Range<u64> {
        let starts: &[u64] = self.sections.small(Section::PostingStarts);
        let [start, end] = pair(starts, token).unwrap_or_default();
        start..end.max(start)
    }

    /// The kind of a token, if it is one.
    pub(super) fn kind(&self, token: u32) -> Option<TokenKind> {
        kind_of(self.key(token as usize))
    }

    /// The document frequency of a token: how many formulas hold it.
    pub fn frequency(&self, token: u32) -> u64 {
        let range = self.posting_range(token as usize);
        (range.end - range.start).min(self.formulas() as u64)
    }

    /// The document frequency of a token in each region, where the index counts regions.
    ///
    /// # Errors
    /// When the index is damaged there.
    pub fn region_frequencies(&self, token: u32) -> Result<Option<&[u32]>, IndexError> {
        let regions = self.meta().counted_regions();
        if regions == 0 {
            return Ok(None);
        }
        let first = token as usize * regions;
        let counts = self.sections.column(Section::RegionCounts);
        match counts.get(first..first + regions) {
            Some(counts) => Ok(Some(counts)),
            None => Err(self.damaged(format!("the regions of token {token} are not counted"))),
        }
    }

    /// The most frequent tokens, with their document frequencies.
    pub fn most_frequent(&self, count: usize) -> Vec<(TokenKey, u64)> {
        let mut tokens: Vec<u32> = (0..self.meta().tokens as u32).collect();
        tokens.sort_by_key(|token| std::cmp::Reverse(self.frequency(*token)));
        let keys = tokens.into_iter().filter_map(|token| {
            let key = decode_key(self.key(token as usize))?;
            Some((key, self.frequency(token)))
        });
        keys.take(count).collect()
    }

    /// The postings of a token, with payloads of the type that the index stores. Their chunks are
    /// checked window by window, as they are read.
    ///
    /// # Errors
    /// When they contradict each other.
    pub(crate) fn postings<P: Payload>(&self, token: u32) -> Result<Postings<'_, P>, IndexError> {
        let place = token as usize;
        let range = self.posting_range(place);
        let run_starts: &[u32] = self.sections.small(Section::RunStarts);
        let runs = self.sections.column::<WindowRun>(Section::Runs);
        let of_token = |[start, end]: [u32; 2]| runs.get(start as usize..end as usize);
        let postings = Postings {
            runs: pair(run_starts, place)
                .and_then(of_token)
                .unwrap_or_default(),
            ids: self.sections.column(Section::Ids),
            bits: self.sections.column(Section::Bits),
            ranks: self.sections.column(Section::Ranks),
            length: (range.end - range.start) as usize,
            payloads: self.payloads(token, range)?,
        };
        if postings.is_sound(self.windows()) {
            Ok(postings)
        } else {
            Err(self.damaged(format!(
                "the postings of token {token} do not follow each other"
            )))
        }
    }

    /// The payloads of a token's postings, if its kind is positional.
    fn payloads<P: Payload>(
        &self,
        token: u32,
        postings: Range<u64>,
    ) -> Result<Option<Column<'_, P>>, IndexError> {
        let Some(kind) = self.kind(token) else {
            return Err(self.damaged(format!("token {token} is of no kind")));
        };
        if !self.meta().config.tokens.is_positional(kind) {
            return Ok(None);
        }
        let before = self.skipped_payloads[kind as usize];
        let start = postings.start.saturating_sub(before) as usize;
        let end = start.saturating_add((postings.end - postings.start) as usize);
        match self.sections.column(Section::Payloads).part(start..end) {
            Some(payloads) => Ok(Some(payloads)),
            None => Err(self.damaged(format!("the words of token {token} are not there"))),
        }
    }

    /// Calls `each` with every formula that holds a token, ascending, and the
    /// word of the regions in which it stands there.
    ///
    /// # Errors
    /// When the postings are damaged.
    pub fn each_posting(
        &self,
        token: u32,
        each: &mut dyn FnMut(usize, u128),
    ) -> Result<(), IndexError> {
        with_payload!(self.meta().payload_bytes, P => self.each_payload::<P>(token, each))
    }

    fn each_payload<P: Payload>(
        &self,
        token: u32,
        each: &mut dyn FnMut(usize, u128),
    ) -> Result<(), IndexError> {
        let postings = self.postings::<P>(token)?;
        for window in postings.windows() {
            if let Some(found) = postings.window(window) {
                for (id, word) in found.words(self.codebook()) {
                    each(window * WINDOW + usize::from(id), word);
                }
            }
        }
        self.sections.undamaged()
    }

    /// The word of a token in a formula, if the formula holds it.
    ///
    /// # Errors
    /// When the postings are damaged.
    pub fn word(&self, token: u32, formula: usize) -> Result<Option<u128>, IndexError> {
        with_payload!(self.meta().payload_bytes, P => self.word_of::<P>(token, formula))
    }

    fn word_of<P: Payload>(&self, token: u32, formula: usize) -> Result<Option<u128>, IndexError> {
        let postings = self.postings::<P>(token)?;
        let found = postings.window(formula / WINDOW);
        self.sections.undamaged()?;
        Ok(found.and_then(|found| {
            let rank = found.docs.rank((formula % WINDOW) as u16, &mut 0)?;
            match found.payloads {
                Some(payloads) => Some(payloads.get(rank)?.word(self.codebook())),
                None => Some(WHOLE),
            }
        }))
    }

    /// Which of some formulas hold a token.
    ///
    /// # Errors
    /// When the postings are damaged.
    pub(crate) fn hold(&self, token: u32, formulas: &[usize]) -> Result<Vec<bool>, IndexError> {
        with_payload!(self.meta().payload_bytes, P => self.hold_payload::<P>(token, formulas))
    }

    fn hold_payload<P: Payload>(
        &self,
        token: u32,
        formulas: &[usize],
    ) -> Result<Vec<bool>, IndexError> {
        let postings = self.postings::<P>(token)?;
        let holds = |formula: &usize| {
            let found = postings.window(formula / WINDOW);
            found.is_some_and(|found| {
                let id = (formula % WINDOW) as u16;
                found.docs.rank(id, &mut 0).is_some()
            })
        };
        let held = formulas.iter().map(holds).collect();
        self.sections.undamaged()?;
        Ok(held)
    }
}

/// Where a row begins and where it ends, in a column of offsets.
fn pair<T: Copy>(offsets: &[T], place: usize) -> Option<[T; 2]> {
    offsets.get(place..)?.first_chunk().copied()
}
