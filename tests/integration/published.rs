//! The data in `protocol/` for authors who implement a game's rules themselves: known numbers of move sequences,
//! and positions with their legal moves. `UPDATE=1` writes both files.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use linesman::games::options::split_options;
use linesman::games::{self, GAMES, Setup, Table, legal_moves};
use linesman::random::SplitMix64;
use linesman::record::GameRecord;
use serde_json::{Value, json};

use crate::kept::check_file;
use crate::support::scratch::Scratch;

/// Options for more positions besides those with default options, with the number of games they are taken from.
const MORE: &[(&str, &str, u64)] = &[
    ("quixo", "size=3", 12),
    ("quixo", "size=4", 10),
    ("quixo", "size=7", 4),
    ("quixo-teams", "consultation=true", 4),
    ("trexo", "size=8", 2),
    ("trexo", "size=6,line=3", 8),
    ("trexo", "size=6,tiles=2", 4),
    ("tandem", "players=3", 8),
    ("tandem", "players=4", 8),
    ("tandem", "layout=quick5", 6),
    ("tandem", "layout=aab/abb|bab/aab,line=3,tiles=4,players=3,points=1", 8),
];

/// The number of games with default options that positions are taken from.
const GAMES_PLAYED: u64 = 24;

/// The number of positions taken from the course of a game, besides its last ones.
const FROM_THE_COURSE: u64 = 5;

/// Positions with more legal moves are rarely taken: they would make the file large and show little more.
const MANY_MOVES: usize = 400;

/// One in this number of positions with many moves is taken.
const RARELY: u64 = 60;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn published(name: &str) -> PathBuf {
    root().join("protocol").join(name)
}

fn set_up(game: &str, options: &str) -> std::sync::Arc<dyn Setup> {
    let game = games::find(game).expect("the game exists");
    game.configure(&split_options(options).expect("names and values")).expect("the options are right")
}

fn options_of(setup: &dyn Setup) -> Value {
    let mut record = GameRecord::default();
    record.set_options(setup.options());
    serde_json::to_value(record.options).expect("options are JSON")
}

/// Returns the rows of a game's table of known numbers: options, token (`None` = default start), numbers.
fn known_numbers(game: &str) -> Vec<(String, Option<String>, Vec<u64>)> {
    let path = root().join(format!("crates/games/src/{}/perft.txt", game.replace('-', "_")));
    let text = std::fs::read_to_string(path).expect("every game has its table");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let [options, position, numbers] = fields(line);
            let token = Some(position.to_owned()).filter(|position| position != "startpos");
            let numbers = numbers.split_whitespace().map(|number| number.parse().expect("a number"));
            (options.to_owned(), token, numbers.collect())
        })
        .collect()
}

/// Splits a line into its three fields. A token can contain bars, but without spaces around them.
fn fields(line: &str) -> [&str; 3] {
    let mut fields = line.trim_start_matches(' ').splitn(3, "| ").map(str::trim);
    std::array::from_fn(|_| fields.next().expect("options, a position and numbers"))
}

/// Returns a position as in `positions.jsonl`.
fn described(game: &str, setup: &dyn Setup, token: &str) -> Option<Value> {
    let table = setup.from_token(token).ok()?;
    let legal = legal_moves(&*table);
    let ending = table.ending();
    let outcome = ending.as_ref().map(|ending| {
        let places: Vec<usize> = ending.places.values().map(|place| place.number()).collect();
        json!({"places": places, "reason": ending.reason.word()})
    });
    Some(json!({
        "game": game,
        "options": options_of(setup),
        "token": token,
        "to_move": table.to_move().number(),
        "kind": kind(&*table, &legal),
        "legal": legal,
        "outcome": outcome,
    }))
}

/// Returns the kind of a position.
fn kind(table: &dyn Table, legal: &[String]) -> &'static str {
    let ends = |mv: &String| {
        let mut next = table.fork();
        next.play(mv).is_ok() && next.is_over()
    };
    match legal.len() {
        _ if table.is_over() => "over",
        1 => "only move",
        // Trying each of thousands of moves would take too long.
        number if number <= MANY_MOVES && legal.iter().any(ends) => "last move",
        _ if table.ply() == 0 => "start",
        _ => "course",
    }
}

/// Returns tokens of positions from random games: a few from the course of each, and its end.
fn tokens(setup: &dyn Setup, games: u64, chance: &mut SplitMix64) -> BTreeSet<String> {
    let mut tokens = BTreeSet::from([setup.start().token()]);
    for _ in 0..games {
        let mut table = setup.start();
        let mut course = Vec::new();
        while !table.is_over() {
            let legal = legal_moves(&*table);
            if legal.len() <= MANY_MOVES || chance.below(RARELY) == 0 {
                course.push(table.token());
            }
            let index = usize::try_from(chance.below(legal.len() as u64)).expect("it is small");
            table.play(&legal[index]).expect("it is legal");
        }
        tokens.insert(table.token());
        tokens.extend(course.last().cloned());
        for _ in 0..FROM_THE_COURSE.min(course.len() as u64) {
            let index = usize::try_from(chance.below(course.len() as u64)).expect("it is small");
            tokens.insert(course[index].clone());
        }
    }
    tokens
}

/// Returns a game's lines of `positions.jsonl`.
fn positions(game: &str) -> Vec<Value> {
    let mut chance = SplitMix64(7);
    let more = MORE.iter().filter(|(own, ..)| *own == game).map(|(_, options, games)| (*options, *games));
    let mut lines = Vec::new();
    for (options, games) in std::iter::once(("", GAMES_PLAYED)).chain(more) {
        let setup = set_up(game, options);
        let tokens = tokens(&*setup, games, &mut chance);
        lines.extend(tokens.iter().filter_map(|token| described(game, &*setup, token)));
    }
    // The positions in the tables of known numbers are special in other ways.
    for (options, token, _) in known_numbers(game) {
        let described = token.and_then(|token| described(game, &*set_up(game, &options), &token));
        lines.extend(
            described
                .filter(|found| found["legal"].as_array().is_some_and(|legal| legal.len() <= MANY_MOVES)),
        );
    }
    lines.dedup();
    lines
}

#[test]
fn the_known_numbers_are_published() {
    let mut text = "[\n".to_owned();
    let mut separator = "";
    for game in GAMES {
        for (options, token, numbers) in known_numbers(game.id) {
            let setup = set_up(game.id, &options);
            let line = json!({
                "game": game.id,
                "options": options_of(&*setup),
                "token": token.unwrap_or_else(|| setup.start().token()),
                "sequences": numbers,
            });
            write!(text, "{separator}  {line}").expect("a string takes all text");
            separator = ",\n";
        }
    }
    text.push_str("\n]\n");
    check_file(&published("perft.json"), &text);
}

#[test]
fn the_published_positions_match_the_rules() {
    let mut text = String::new();
    for game in GAMES {
        let lines = positions(game.id);
        assert!(lines.len() >= 120, "{}: {} positions", game.id, lines.len());
        for kind in ["start", "course", "last move", "over"] {
            assert!(lines.iter().any(|line| line["kind"] == kind), "{}: no position is `{kind}`", game.id);
        }
        lines.iter().for_each(|line| writeln!(text, "{line}").expect("a string takes all text"));
    }
    assert!(text.contains(r#""kind":"only move""#), "somebody has to pass");
    check_file(&published("positions.jsonl"), &text);
}

/// The page's program accepts these rules, and finds a missing move.
#[test]
fn the_program_of_the_page_finds_a_missing_move() {
    let page = std::fs::read_to_string(root().join("docs/how-to/check-your-rules.md")).expect("it is there");
    let program = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    let scratch = Scratch::new();
    scratch.write("check.py", program.expect("the page shows it"));
    let all = std::fs::read_to_string(published("positions.jsonl")).expect("it is published");
    let few: Vec<&str> = all.lines().filter(|line| line.contains(r#""game":"quixo","#)).step_by(40).collect();
    scratch.write("positions.jsonl", few.join("\n"));
    // Rules that look up the file, with a mistake if `change` has one.
    let rules = |change: &str| {
        format!(
            "import json\nknown = {{}}\nfor line in open('positions.jsonl'):\n    own = json.loads(line)\n    \
             known[own['token']] = own['legal']\n\
             def legal_moves(game, options, token):\n    moves = list(known[token])\n    {change}\n    return moves\n"
        )
    };
    let run = || {
        let run =
            std::process::Command::new("python3").arg("check.py").current_dir(scratch.path("")).output();
        String::from_utf8(run.expect("python3 is installed").stdout).expect("it prints text")
    };
    scratch.write("my_rules.py", rules("pass"));
    assert_eq!(run(), format!("{} positions, 0 wrong\n", few.len()));
    scratch.write("my_rules.py", rules("del moves[:1]"));
    let output = run();
    assert!(output.contains("missing ['") && !output.contains(" 0 wrong"), "{output}");
}
