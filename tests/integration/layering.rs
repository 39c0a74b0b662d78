//! Who may use whom: the modules' dependencies point one way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::support::project;

/// What each part of the crate may use of the crate. A part that is missing
/// here fails the test, and so does a line that nobody needs any more.
const MAY_USE: &[(&str, &[&str])] = &[
    ("seat", &[]),
    ("time_control", &["seat"]),
    ("process", &[]),
    ("games", &["seat"]),
    ("verdict", &["seat", "games"]),
    ("protocol", &["seat", "time_control"]),
    ("referee", &[]),
    ("referee::core", &["seat", "time_control", "games", "verdict", "protocol"]),
    (
        "referee::driver",
        &["seat", "time_control", "games", "verdict", "protocol", "referee::core", "process"],
    ),
    ("record", &["seat", "time_control", "games", "verdict"]),
    ("rating", &["seat", "record"]),
    (
        "league",
        &[
            "seat",
            "time_control",
            "games",
            "verdict",
            "protocol",
            "process",
            "referee",
            "referee::core",
            "referee::driver",
            "record",
            "rating",
        ],
    ),
    ("report", &["seat", "time_control", "games", "verdict", "record", "rating"]),
    ("engines", &["seat", "time_control", "games", "protocol"]),
    ("check", &["protocol", "process", "record"]),
];

/// Parts that may use everything.
const EVERYTHING: &[&str] = &["cli", "lib", "main"];

/// Parts that count for themselves within another.
const INNER: &[&str] = &["referee::core", "referee::driver"];

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the source folder can be read") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The part that a path of modules belongs to: its first word, or its first
/// two where the inner part counts for itself.
fn part(path: &str) -> String {
    let mut words = path.split("::");
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    let inner = format!("{first}::{second}");
    if INNER.contains(&inner.as_str()) { inner } else { first.to_owned() }
}

/// Every path that follows `crate::`, groups in braces opened one level deep.
fn used_paths(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (start, _) in text.match_indices("crate::") {
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        if text[line_start..start].trim_start().starts_with("//") {
            continue;
        }
        let rest = &text[start + "crate::".len()..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
        let (path, after) = rest.split_at(end);
        match after.strip_prefix('{') {
            Some(group) => {
                let group = group.split(['}', ';']).next().unwrap_or_default();
                paths.extend(group.split(',').map(|word| format!("{path}{}", word.trim())));
            }
            None => paths.push(path.to_owned()),
        }
    }
    paths
}

#[test]
fn each_part_uses_only_what_its_line_allows() {
    let root = project().join("src");
    let table: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut seen = BTreeSet::new();
    let mut breaches = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&root).expect("the file lies below the root").with_extension("");
        let modules = relative.to_string_lossy().replace('/', "::");
        let own = part(&modules);
        if EVERYTHING.contains(&own.as_str()) {
            continue;
        }
        let Some(allowed) = table.get(own.as_str()) else {
            breaches.push(format!("`{own}` is missing in the table"));
            continue;
        };
        seen.insert(own.clone());
        let text = std::fs::read_to_string(&file).expect("the source can be read");
        for path in used_paths(&text) {
            let used = part(&path);
            // A part's own face may name its inner parts.
            if used != own && !used.starts_with(&format!("{own}::")) && !allowed.contains(&used.as_str()) {
                breaches.push(format!("{}: `{own}` uses `{used}` ({path})", relative.display()));
            }
        }
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
    let listed: BTreeSet<String> = table.keys().map(|key| (*key).to_owned()).collect();
    let unseen: Vec<_> = listed.difference(&seen).collect();
    assert!(unseen.is_empty(), "in the table, but not in the crate: {unseen:?}");
}

#[test]
fn paths_are_found_in_uses_groups_and_expressions() {
    let text = "use crate::seat::Seat;\nuse crate::{games::Rules, verdict};\nlet x = crate::cli::main();\n// crate::web\n";
    assert_eq!(used_paths(text), ["seat::Seat", "games::Rules", "verdict", "cli::main"]);
    assert_eq!(part("referee::core::Core"), "referee::core");
    assert_eq!(part("games::quixo"), "games");
}
