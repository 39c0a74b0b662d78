//! Tests that texts from bots and names in foreign files are inert wherever they are shown.

use std::fs;

use crate::support::bots::tournament;
use crate::support::linesman;
use crate::support::scratch::Scratch;

const GOOD: &str = "linesman bot random";

/// Plays a league of bots that inject texts, in `runs/cup`.
fn cup() -> Scratch {
    let scratch = Scratch::new();
    let hostile = |name: &str| format!("linesman bot hostile {name}");
    let (names, mv, stderr) =
        (hostile("injects-names"), hostile("injects-a-move"), hostile("injects-stderr"));
    let bots = [("+names", names.as_str()), ("_move", &mv), ("_stderr", &stderr), ("good", GOOD)];
    scratch.write("cup.toml", tournament("", &bots));
    scratch
}

/// Asserts that nothing in a text moves a cursor, clears a screen or changes the direction of writing.
#[track_caller]
fn is_plain(what: &str, text: &str) {
    let bad = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    if let Some(at) = text.find(bad) {
        let around: String = text[at..].chars().take(40).collect();
        panic!("{what} holds {around:?}");
    }
}

/// Asserts that JSON has the texts unchanged, with control characters escaped.
#[track_caller]
fn is_json(what: &str, text: &str) {
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{what} holds a control character");
    serde_json::from_str::<serde_json::Value>(text).unwrap_or_else(|error| panic!("{what}: {error}"));
}

/// Asserts that no cell starts like a formula, except numbers.
#[track_caller]
fn is_inert_csv(what: &str, text: &str) {
    is_plain(what, text);
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    for row in rows.records() {
        let row = row.unwrap_or_else(|error| panic!("{what}: {error}\n{text}"));
        for cell in &row {
            let formula = cell.trim_start().starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
            assert!(!formula, "{what}: a cell holds {cell:?}");
        }
    }
}

/// Asserts that no markup from a bot is markup of the page.
#[track_caller]
fn is_inert_page(what: &str, text: &str) {
    is_plain(what, text);
    for markup in ["<script>alert", "</script><b>", "<img src=x", "<b>\u{202e}"] {
        assert!(!text.contains(markup), "{what} holds {markup:?}");
    }
}

#[test]
fn texts_of_bots_are_inert_in_every_output_of_a_league() {
    let scratch = cup();
    let mut command = scratch.command(["league", "run", "cup.toml", "--verbose"]);
    let run = crate::support::running::Running::start(&mut command).end();
    assert_eq!(run.status, Some(0), "{run:#?}");
    is_plain("stderr with details", &run.stderr);
    is_plain("the final table", &run.stdout);
    for name in scratch.list("runs/cup") {
        let Ok(text) = fs::read_to_string(scratch.path(format!("runs/cup/{name}"))) else { continue };
        match name.rsplit('.').next() {
            Some("csv") => is_inert_csv(&name, &text),
            Some("html") => is_inert_page(&name, &text),
            _ => is_plain(&name, &text),
        }
    }
    for arguments in [
        &["league", "standings", "runs/cup"][..],
        &["league", "standings", "runs/cup", "--json"],
        &["league", "export", "runs/cup", "--format", "json"],
        &["league", "export", "runs/cup", "--games", "--format", "json"],
        &["ratings", "runs/cup/games.jsonl"],
        &["ratings", "runs/cup/games.jsonl", "--json"],
        &["verify", "runs/cup/games.jsonl"],
    ] {
        let run = scratch.run(arguments);
        is_plain(&arguments.join(" "), run.done());
        is_plain(&arguments.join(" "), &run.stderr);
    }
    for arguments in [
        &["league", "standings", "runs/cup", "--format", "csv"][..],
        &["league", "export", "runs/cup", "--format", "csv"],
        &["league", "export", "runs/cup", "--games", "--format", "csv"],
        &["ratings", "runs/cup/games.jsonl", "--format", "csv"],
        &["verify", "runs/cup/games.jsonl", "--format", "csv"],
    ] {
        is_inert_csv(&arguments.join(" "), scratch.run(arguments).done());
    }
    for game in ["good~+names~1", "+names~good~1", "good~_move~1", "_stderr~good~1", "+names~_stderr~1"] {
        let replay = |more: &[&str]| {
            let game = format!("--game={game}");
            let arguments = ["replay", "runs/cup/games.jsonl", &game];
            scratch.run(arguments.iter().chain(more)).done().to_owned()
        };
        is_plain(game, &replay(&[]));
        is_plain(game, &replay(&["--json"]));
        is_inert_csv(game, &replay(&["--format", "csv"]));
        is_inert_page(game, &replay(&["--html", "-"]));
    }
}

#[test]
fn names_in_foreign_files_are_inert() {
    let scratch = Scratch::new();
    let names = [
        "=cmd|' /C calc'!A0",
        "\u{1b}[2J<script>alert(1)</script>",
        "\u{202e}@SUM(1)",
        "\t=1+1",
        "</script><b>+1",
        "\u{ff1d}1+1",
    ];
    let mut text = String::new();
    for (index, one) in names.iter().enumerate() {
        for (shift, other) in names.iter().enumerate().filter(|(other, _)| *other != index) {
            let record = serde_json::json!({
                "v": 1, "id": format!("{one}~{other}~1"), "game": "quixo", "league": "=1",
                "seats": [{"name": one}, {"name": other}], "places": [1 + (index + shift) % 2, 2 - (index + shift) % 2],
                "reason": "line", "moves": ["a1a5", "=1"], "options": {},
            });
            text.push_str(&format!("{record}\n"));
        }
    }
    scratch.write("games.jsonl", text);
    let said = |arguments: &[&str]| {
        let run = scratch.run(arguments);
        is_plain(&arguments.join(" "), &run.stderr);
        run.stdout
    };
    is_plain("ratings", &said(&["ratings", "games.jsonl"]));
    is_json("ratings", &said(&["ratings", "games.jsonl", "--json"]));
    is_inert_csv("ratings", &said(&["ratings", "games.jsonl", "--format", "csv"]));
    is_plain("verify", &said(&["verify", "games.jsonl"]));
    is_json("replay", &said(&["replay", "games.jsonl", "--json"]));
    is_plain("replay", &said(&["replay", "games.jsonl"]));
    is_inert_csv("replay", &said(&["replay", "games.jsonl", "--format", "csv"]));
    for number in ["1", "6", "11", "16", "21"] {
        let page = ["replay", "games.jsonl", "--game", number, "--html", "-"];
        is_inert_page("replay", &said(&page));
    }
}

#[test]
fn the_list_of_hostile_bots_is_plain() {
    is_plain("list", linesman(["bot", "hostile", "--list"]).done());
}
