//! Tables of the documentation that long tests produce.

use std::fs;
use std::path::Path;

/// Prints a table with its header row. If `UPDATE` is set, it replaces the table with the same
/// header in a document.
#[expect(clippy::disallowed_methods, reason = "the variable tells the test to rewrite the document")]
pub fn publish(document: &str, rows: &[String]) {
    rows.iter().for_each(|row| println!("{row}"));
    println!();
    if std::env::var_os("UPDATE").is_none() {
        return;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(document);
    let text = fs::read_to_string(&path).expect("the document can be read");
    fs::write(&path, replaced(&text, rows)).expect("the document can be written");
}

/// Returns the text with the table of the same header replaced by `rows`.
fn replaced(text: &str, rows: &[String]) -> String {
    let mut lines = text.lines();
    let mut replaced = String::with_capacity(text.len());
    let mut add = |line: &str| {
        replaced.push_str(line);
        replaced.push('\n');
    };
    lines.by_ref().take_while(|line| *line != rows[0]).for_each(&mut add);
    rows.iter().for_each(|row| add(row));
    lines.skip_while(|line| line.starts_with('|')).for_each(&mut add);
    replaced
}

#[test]
fn a_table_replaces_the_one_with_its_header() {
    let rows = ["| a |", "| --- |", "| 3 |"].map(str::to_owned);
    assert_eq!(
        replaced("x\n| b |\n| 1 |\n\n| a |\n| --- |\n| 1 |\n| 2 |\n\ny\n", &rows),
        "x\n| b |\n| 1 |\n\n| a |\n| --- |\n| 3 |\n\ny\n"
    );
}
