//! Any bytes are a table, an array or lines of JSON, or text, whose every line is a record or is reported.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phocus::corpus::{Format, Inputs};

fuzz_target!(|data: (u8, &[u8])| {
    let (format, bytes) = data;
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("it can be written");
    let format = [
        None,
        Some(Format::Tsv),
        Some(Format::Csv),
        Some(Format::Json),
        Some(Format::Jsonl),
        Some(Format::Text),
    ][format as usize % 6];
    // Binary files are refused.
    let Ok(inputs) = Inputs::new(&[file.path().to_path_buf()], format) else {
        return;
    };
    for read in inputs {
        if let Ok(Ok(record)) = read {
            assert!(!record.instance.id.as_str().is_empty());
        }
    }
});
