//! Tables of the documents that are made by long tests.

use std::fs;
use std::path::Path;

/// Prints a table, its first row being its head, and puts it into a document in the place of the
/// one with the same head if `UPDATE` is set.
#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the tests says by it that the document is to be rewritten"
)]
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

/// The text with these rows in the place of the table that has the same head.
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
fn a_table_takes_the_place_of_the_one_with_its_head() {
    let rows = ["| a |", "| --- |", "| 3 |"].map(str::to_owned);
    assert_eq!(
        replaced("x\n| b |\n| 1 |\n\n| a |\n| --- |\n| 1 |\n| 2 |\n\ny\n", &rows),
        "x\n| b |\n| 1 |\n\n| a |\n| --- |\n| 3 |\n\ny\n"
    );
}
