//! Test that no type name is used for more than two things.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Names that mean the type of the module at hand.
const OF_THEIR_MODULE: [&str; 3] = ["Args", "Position", "Move"];

/// Names used for three or more things. Do not add names.
const ALLOWED: [&str; 0] = [];

/// Collects the product's sources below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("names of sources are text");
        if path.is_dir() {
            if !matches!(name, "tests" | "target" | "examples") {
                sources(&path, found);
            }
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") && name != "testing.rs" {
            found.push(path);
        }
    }
}

/// Returns the type that a line defines, at the top level or, with a visibility, in a macro. Types inside functions are
/// left out.
fn defined(line: &str) -> Option<&str> {
    let line = match line.trim_start() {
        public if public.starts_with("pub(") => public.split_once(") ")?.1,
        public if public.starts_with("pub ") => &public[4..],
        _ => line,
    };
    let name = ["struct ", "enum ", "trait ", "type "].iter().find_map(|kind| line.strip_prefix(kind))?;
    name.split(|symbol: char| !symbol.is_alphanumeric() && symbol != '_').next()
}

#[test]
fn no_name_stands_for_three_things() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    sources(&root.join("src"), &mut found);
    sources(&root.join("crates"), &mut found);
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        // Only tests follow the start of a file's tests.
        let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for name in product.lines().filter_map(defined) {
            places.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    places.retain(|name, places| places.len() > 2 && !OF_THEIR_MODULE.contains(&name.as_str()));
    let new: Vec<_> = places.iter().filter(|(name, _)| !ALLOWED.contains(&name.as_str())).collect();
    assert!(new.is_empty(), "these names stand for three or more things: {new:#?}");
    let gone: Vec<_> = ALLOWED.iter().filter(|name| !places.contains_key(**name)).collect();
    assert!(gone.is_empty(), "take these names off the list: {gone:?}");
}
