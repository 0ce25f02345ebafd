//! Any text is a topic file or is refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phocus::corpus::parse_topics;

fuzz_target!(|text: &str| {
    if let Ok(topics) = parse_topics(text) {
        assert!(!topics.is_empty());
    }
});
