//! The programs of `examples/` are run, and what they assert holds.

#[path = "../../examples/explain.rs"]
mod explain;
#[path = "../../examples/in_memory.rs"]
mod in_memory;
#[path = "../../examples/index_and_search.rs"]
mod index_and_search;

#[test]
fn every_example_runs() {
    index_and_search::main().unwrap();
    in_memory::main().unwrap();
    explain::main().unwrap();
}

/// A new example has to be run here.
#[test]
fn no_example_is_missing() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["explain.rs", "in_memory.rs", "index_and_search.rs"]);
}
