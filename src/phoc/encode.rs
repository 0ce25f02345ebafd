//! From a layout to one word a token.

use super::geometry::{RegionSet, normalized};
use super::token::{Token, significant_symbols, tokens};
use super::{FormulaMass, PhocConfig, TokenKey, Weights};
use crate::layout::{Layout, Rect, Symbol};

/// The word of a token that is not positional: only the region of the whole formula.
pub const WHOLE: u128 = 1;

/// A token of a formula, and the regions that its occurrences touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Encoded {
    /// Its key.
    pub key: TokenKey,
    /// The regions that any occurrence touches; the first region is the lowest bit.
    pub word: u128,
}

/// Encodes a layout: every distinct token once, in the order of keys.
pub fn encode(layout: &Layout, config: &PhocConfig) -> Vec<Encoded> {
    let mut encoded = Vec::new();
    each_token(layout, config, |token, _| encoded.push(token));
    encoded
}

/// Encodes a layout as [`encode`] does, each token with the boxes of its occurrences, in em.
pub fn encode_with_boxes(layout: &Layout, config: &PhocConfig) -> Vec<(Encoded, Vec<Rect>)> {
    let mut encoded = Vec::new();
    each_token(layout, config, |token, occurrences| {
        let boxes = occurrences.iter().map(|occurrence| occurrence.rect);
        encoded.push((token, boxes.collect()));
    });
    encoded
}

/// Calls `each` with every distinct token and its occurrences.
fn each_token(layout: &Layout, config: &PhocConfig, mut each: impl FnMut(Encoded, &[Token])) {
    let symbols = significant_symbols(layout, config);
    let regions = RegionEncoder::new(&symbols, config);
    let mut tokens = tokens(symbols, config);
    tokens.sort_by_key(|token| token.key);
    for occurrences in tokens.chunk_by(|a, b| a.key == b.key) {
        let key = occurrences[0].key;
        let word = if config.tokens.is_positional(key.kind) {
            regions.of(occurrences.iter().map(|occurrence| occurrence.rect))
        } else {
            WHOLE
        };
        let repeats = usize::from(config.tokens.repeats(key.kind));
        // The first occurrence counts, and each further one up to the repeats.
        for nth in 1..=occurrences.len().min(repeats).max(1) {
            let key = TokenKey {
                nth: nth as u8,
                ..key
            };
            each(Encoded { key, word }, occurrences);
        }
    }
}

/// The mass of a formula: the weighted sum of all its bits.
pub fn formula_mass(encoded: &[Encoded], config: &PhocConfig) -> FormulaMass {
    let weights = Weights::new(config);
    let mut own = FormulaMass::default();
    for token in encoded {
        weights.add(token.key.kind, token.word, &mut own);
    }
    own
}

/// Turns boxes within a formula into words.
#[derive(Debug)]
pub(crate) struct RegionEncoder<'a> {
    whole: Rect,
    config: &'a PhocConfig,
}

impl<'a> RegionEncoder<'a> {
    /// An encoder for boxes within the box around these symbols.
    pub(crate) fn new(symbols: &[Symbol], config: &'a PhocConfig) -> Self {
        let rects = symbols.iter().map(|symbol| symbol.rect);
        RegionEncoder {
            whole: rects
                .reduce(|a, b| a.union(&b))
                .unwrap_or(Rect::new(0.0, 0.0, 0.0, 0.0)),
            config,
        }
    }

    /// The regions that any of these boxes touches.
    pub(crate) fn of(&self, rects: impl Iterator<Item = Rect>) -> u128 {
        let met = rects
            .map(|rect| normalized(&self.config.anchor.of(&rect), &self.whole))
            .map(|rect| self.config.regions.grid.met(&rect))
            .fold(RegionSet::ZERO, |all, met| all | met);
        let [low, high] = met.into_inner();
        u128::from(low) | u128::from(high) << 64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::layout::{self, SymbolId};

    #[test]
    fn occurrences_share_one_word() {
        let config: PhocConfig = "xy2".parse().unwrap();
        let encoded = encode_with_boxes(&layout::latex("x+x").unwrap(), &config);
        let keys = encoded.iter().map(|(token, _)| token.key.to_string());
        let keys: Vec<String> = keys.collect();
        assert_eq!(keys, ["+", "𝑥"]);
        assert_eq!(encoded[1].1.len(), 2);
        assert_eq!(encoded[1].0.word & 0b111, 0b111, "left, right and whole");
    }

    fn symbols() -> impl Strategy<Value = Vec<Symbol>> {
        let symbol =
            (0u8..6, 0.0..9.0, 0.0..9.0, 0.0..3.0, 0.0..3.0).prop_map(|(c, x, y, w, h)| Symbol {
                id: SymbolId::Char((b'a' + c) as char),
                rect: Rect::new(x, y, x + w, y + h),
            });
        proptest::collection::vec(symbol, 1..12)
    }

    proptest! {
        /// Moving and stretching a formula leaves its words as they are.
        #[test]
        fn words_do_not_depend_on_place_or_size(symbols in symbols(), dx in -50.0..50.0, scale in 0.5..4.0) {
            let config: PhocConfig = "xy7o4".parse().unwrap();
            let moved: Vec<Symbol> = symbols.iter().map(|s| Symbol {
                rect: Rect::new(s.rect.x0 * scale + dx, s.rect.y0 * 2.0, s.rect.x1 * scale + dx, s.rect.y1 * 2.0),
                ..*s
            }).collect();
            let words = |symbols: Vec<Symbol>| -> Vec<u128> {
                encode(&Layout::new(symbols).unwrap(), &config).iter().map(|t| t.word).collect()
            };
            prop_assert_eq!(words(symbols), words(moved));
        }

        /// A region that the point of a box touches is touched by its line and by the box.
        #[test]
        fn a_line_is_within_its_box(symbols in symbols()) {
            use crate::phoc::Anchor::{Box, Centroid, Line};
            let layout = Layout::new(symbols).unwrap();
            let words = |anchor| {
                let config = PhocConfig { anchor, ..PhocConfig::papers() };
                encode(&layout, &config)
            };
            for ((point, line), whole) in words(Centroid).iter().zip(&words(Line)).zip(&words(Box)) {
                prop_assert_eq!(point.word & line.word, point.word);
                prop_assert_eq!(line.word & whole.word, line.word);
            }
        }
    }
}
