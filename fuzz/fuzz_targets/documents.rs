//! Any bytes are a document of the format that the target is named after: it is read or refused,
//! its formulas have places in it, and reading it again gives the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phocus::corpus::{InputOptions, Inputs, ReadResult};

fuzz_target!(|bytes: &[u8]| {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("it can be written");
    let read = || -> Option<Vec<ReadResult>> {
        let options = InputOptions {
            format: Some(env!("CARGO_BIN_NAME").parse().expect("a format")),
            rows: true,
            texts: true,
            ..InputOptions::default()
        };
        // Binary files are refused.
        let inputs = Inputs::new(&[file.path().to_path_buf()], options).ok()?;
        inputs.collect::<Result<_, _>>().ok()
    };
    let records = read();
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    for record in records.iter().flatten().flatten() {
        let place = record.instance.place().expect("a place");
        assert!(place.line <= lines && place.column > 0, "{place:?}");
        assert!(!record.content.latex().trim().is_empty());
    }
    assert_eq!(read(), records);
});
