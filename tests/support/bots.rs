//! Bots and tournament files for tests, and readers of the resulting records.

use std::path::Path;

use serde_json::Value;

/// Returns a bot in POSIX shell that plays the first legal move. `cases` are lines
/// `VERB) commands;;` that replace its reactions.
pub fn shell_bot(cases: &str) -> String {
    format!(
        "#!/bin/sh
while read -r verb rest; do
    case $verb in
        {cases}
        ugi) printf 'feature legal\\nugiok\\n';;
        isready) echo readyok;;
        legal) move=${{rest%% *}};;
        go) echo \"bestmove $move\";;
        quit) exit;;
    esac
done
"
    )
}

/// A line of a tournament file that lets bots write files, by which tests follow them.
pub const LETS_BOTS_WRITE: &str = "sandbox = \"off\"\n";

/// Returns a bot that creates a file `waiting` in its first move and waits there
/// until a file `open` exists.
pub fn waiting_bot() -> String {
    shell_bot("go) : > waiting; while [ ! -e open ]; do sleep 0.02; done; echo \"bestmove $move\";;")
}

/// Returns a tournament file of Quixo on the smallest board, where games are short.
/// `head` contains further lines above the bots.
pub fn tournament(head: &str, bots: &[(&str, &str)]) -> String {
    let mut text =
        format!("version = 1\ngame = \"quixo\"\noptions = {{ size = 3 }}\nmovetime = \"30s\"\n{head}");
    for (name, command) in bots {
        text.push_str(&format!("\n[[bots]]\nname = \"{name}\"\ncommand = \"{command}\"\n"));
    }
    text
}

/// Reads all records of a file.
#[track_caller]
pub fn records(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

/// Removes the checksums from lines of a file of records, as if they were written by hand.
pub fn without_checks(lines: &str) -> String {
    let without = |line: &str| match line.rfind(",\"check\":\"") {
        Some(at) => format!("{}}}\n", &line[..at]),
        None => format!("{line}\n"),
    };
    let text: String = lines.lines().map(without).collect();
    if lines.ends_with('\n') { text } else { text.trim_end_matches('\n').to_owned() }
}

/// Returns the records' ids in order.
pub fn ids(records: &[Value]) -> Vec<&str> {
    records.iter().map(|record| record["id"].as_str().expect("a record has an id")).collect()
}

/// Returns the names of a record's bots in seat order.
pub fn seats(record: &Value) -> Vec<&str> {
    let seats = record["seats"].as_array().expect("a record has seats");
    seats.iter().map(|seat| seat["name"].as_str().expect("a seat has a name")).collect()
}

/// Returns the values sorted.
pub fn sorted<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    values.sort();
    values
}

/// Returns the cells of printed standings, without the header. The ranking of a Swiss or a
/// knockout, printed above them, is skipped.
#[track_caller]
pub fn rows(printed: &str) -> Vec<Vec<&str>> {
    let after_ranking =
        printed.split_once("\nResults and ratings from ").and_then(|(_, rest)| rest.split_once('\n'));
    let (of_swiss, printed) = after_ranking.map_or((false, printed), |(_, table)| (true, table));
    let cells = |line| -> Vec<&str> {
        str::split(line, "  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
    };
    let mut lines = printed.lines().map(cells);
    let names = lines.next().expect("a table has a line of names");
    let points = if of_swiss && names[3] == "in games" { "in games" } else { "points" };
    assert_eq!(names[..7], ["#", "bot", "games", points, "score", "wins", "draws"], "{printed}");
    lines.collect()
}
