//! Foreign crates that only one crate of ours may depend on. Cargo holds the layers of our own crates, but not this.

use std::fs;

use crate::support::project;

/// The foreign crates, and the folder of the only crate that may depend on them.
const HOMES: [(&str, &str); 9] = [
    ("async-nats", "crates/remote"),
    ("clap", "."),
    ("landlock", "crates/sandbox"),
    ("petgraph", "crates/rating"),
    ("ratatui", "."),
    ("rustyline", "."),
    ("seccompiler", "crates/sandbox"),
    ("skillratings", "crates/rating"),
    ("statrs", "crates/rating"),
];

/// The crates that neither wait nor do I/O, so they may not depend on tokio.
const WITHOUT_TOKIO: [&str; 7] = [
    "crates/games",
    "crates/protocol",
    "crates/rating",
    "crates/record",
    "crates/referee",
    "crates/report",
    "crates/types",
];

/// True if a manifest has a dependency.
fn depends(manifest: &str, dependency: &str) -> bool {
    manifest.lines().any(|line| {
        line.strip_prefix(dependency)
            .is_some_and(|rest| rest.starts_with(".workspace") || rest.starts_with(" ="))
    })
}

#[test]
fn foreign_crates_stay_in_their_crates() {
    let mut folders = vec![".".to_owned()];
    for entry in fs::read_dir(project().join("crates")).expect("the folder can be read") {
        let name = entry.expect("the folder can be read").file_name();
        folders.push(format!("crates/{}", name.display()));
    }
    for folder in folders {
        let manifest = fs::read_to_string(project().join(&folder).join("Cargo.toml")).expect("it is there");
        // The root's own dependencies; the table of the workspace lists all.
        let own = manifest.split("[workspace.dependencies]").next().unwrap_or_default();
        for (name, home) in HOMES {
            assert_eq!(depends(own, name), folder == home, "`{name}` in {folder}/Cargo.toml");
        }
        if WITHOUT_TOKIO.contains(&folder.as_str()) {
            assert!(!depends(own, "tokio"), "`tokio` in {folder}/Cargo.toml");
        }
    }
}
