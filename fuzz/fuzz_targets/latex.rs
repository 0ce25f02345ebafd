//! Any text is laid out or refused, and what is laid out encodes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phocus::layout;
use phocus::phoc::{PhocConfig, encode};

fuzz_target!(|text: &str| {
    if let Ok(layout) = layout::latex(text) {
        let encoded = encode(&layout, &PhocConfig::default());
        assert!(encoded.iter().all(|token| token.word & 1 == 1));
    }
});
