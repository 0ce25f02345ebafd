//! Any text is a drawing or is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phocus::layout;

fuzz_target!(|text: &str| {
    if let Ok(layout) = layout::svg::parse(text) {
        assert!(layout.rect().is_finite());
    }
});
