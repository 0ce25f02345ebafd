//! Indexes of the sample, for tests.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};

use phocus::corpus::Inputs;
use phocus::index::{BuildOptions, Dedup, Index, Progress, build};
use phocus::phoc::PhocConfig;

/// The folder of the sample.
pub(crate) fn sample_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data-sample")
}

/// The LaTeX of every formula of the sample.
pub(crate) fn sample_formulas() -> Vec<String> {
    let inputs = Inputs::new(&[sample_folder().join("formulas")], None).unwrap();
    inputs
        .map(|read| read.unwrap().unwrap().content.latex().to_owned())
        .collect()
}

/// An index of the sample.
pub(crate) fn build_sample(folder: &Path, config: &str) -> Index {
    let config: PhocConfig = config.parse().unwrap();
    let path = folder.join(format!("{}.phoc", config.name));
    let inputs = Inputs::new(&[sample_folder().join("formulas")], None).unwrap();
    let options = BuildOptions {
        config,
        ..BuildOptions::default()
    };
    build(inputs, &path, &options, &Progress::default(), &mut |_| {}).unwrap();
    Index::open(&path).unwrap()
}

/// An index of formulas, one a line.
pub(crate) fn build_text(
    folder: &Path,
    formulas: &[String],
    config: &PhocConfig,
    keep_all: bool,
) -> Index {
    let text = folder.join("formulas.txt");
    fs::write(&text, formulas.join("\n")).unwrap();
    build_files(folder, text, config, keep_all)
}

/// An index of what a file, or the files of a folder, hold.
pub(crate) fn build_files(
    folder: &Path,
    input: PathBuf,
    config: &PhocConfig,
    keep_all: bool,
) -> Index {
    let path = folder.join("text.phoc");
    let options = BuildOptions {
        config: config.clone(),
        dedup: if keep_all { Dedup::None } else { Dedup::Layout },
        ..BuildOptions::default()
    };
    let inputs = Inputs::new(&[input], None).unwrap();
    build(inputs, &path, &options, &Progress::default(), &mut |_| {}).unwrap();
    Index::open(&path).unwrap()
}
