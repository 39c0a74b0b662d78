//! Golden files, rewritten if `UPDATE` is set.

use std::path::Path;

/// True if golden files are to be rewritten.
#[expect(clippy::disallowed_methods, reason = "the only switch of all tests with golden files")]
pub fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some()
}

/// Compares a file with its expected content, or writes that into it.
#[track_caller]
pub fn check_file(path: &Path, expected: &str) {
    let found = std::fs::read_to_string(path).unwrap_or_default();
    if found == expected {
        return;
    }
    if is_update() {
        std::fs::write(path, expected).expect("the file can be written");
        return;
    }
    let differing = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
    let (found, expected) = differing.unwrap_or(("(ends earlier or later)", ""));
    panic!("{} is out of date (UPDATE=1 rewrites it)\n  there: {found}\n  now:   {expected}", path.display());
}
