//! A damaged index is refused, or searches without a panic, or is found out
//! by `verify`. Input: places and values to change in a sound index, then
//! where to cut it.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use phocus::index::Index;
use phocus::layout;
use phocus::search::{MinMatch, Query, search};

static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let stored = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/index/v3.phoc");
    std::fs::read(stored).expect("the stored index is there")
});

fuzz_target!(|data: (Vec<(u16, u8)>, u16, bool)| {
    let (changes, length, mend) = data;
    let mut bytes = SOUND.clone();
    for (at, value) in changes {
        let at = at as usize % bytes.len();
        bytes[at] ^= value;
    }
    if length % 4 == 0 {
        bytes.truncate(length as usize);
    }
    if mend {
        mend_header(&mut bytes);
    }
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), &bytes).expect("it can be written");
    let Ok(index) = Index::open(file.path()) else {
        return;
    };
    let layout = layout::latex("a^2+b^2=c^2").expect("it can be laid out");
    let query = Query::new(&layout, &index, MinMatch::ANY, true);
    if let Ok(hits) = search(&index, &query, 20) {
        for hit in hits {
            let _ = index.entry(hit.formula);
            let _ = index.instances(hit.formula);
        }
    }
    if index.verify().is_ok() {
        let sections = |bytes: &[u8]| bytes[32 + 17 * 32..].to_vec();
        assert_eq!(sections(&bytes), sections(&SOUND));
    }
});

/// Makes the header's checksum right, so that what it guards is reached.
fn mend_header(bytes: &mut [u8]) {
    const HEADER_END: usize = 32 + 17 * 32;
    if bytes.len() >= HEADER_END {
        bytes[24..32].fill(0);
        let sum = xxhash_rust::xxh3::xxh3_64(&bytes[..HEADER_END]);
        bytes[24..32].copy_from_slice(&sum.to_le_bytes());
    }
}
