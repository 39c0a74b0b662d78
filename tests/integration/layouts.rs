//! Tests of layouts: a custom board is read from a file, and games on it can be
//! viewed without that file.

use serde_json::Value;

use crate::support::bots::{records, rows};
use crate::support::scratch::Scratch;

const RANDOM: &str = "linesman bot random";
const GREEDY: &str = "linesman bot greedy";
/// Three by three cells in four colours, not all equally frequent.
const OWN: &str = "rgb\nbrg\nwbr\n\nwgr\nrrb\nbgr\n";
const WRITTEN_OUT: &str = "rgb/brg/wbr|wgr/rrb/bgr";

fn tournament(layout: &str) -> String {
    let mut text = format!(
        "version = 1\ngame = \"tandem\"\nmovetime = \"30s\"\nrounds = 2\n\
         options = {{ layout = \"{layout}\", line = 3, tiles = 4, max_plies = 24 }}\n"
    );
    for (name, command) in [("a", RANDOM), ("b", GREEDY)] {
        text.push_str(&format!("\n[[bots]]\nname = \"{name}\"\ncommand = \"{command}\"\n"));
    }
    text
}

#[test]
fn a_match_on_the_usual_boards_verifies_and_replays() {
    let scratch = Scratch::new();
    let options = "players=2,max_plies=40";
    let play = ["match", "--game", "tandem", "--options", options, "--movetime", "30s", "--games", "4"];
    let bots = ["--bot", GREEDY, "--bot", RANDOM, "--concurrency", "1", "--out", "ab"];
    let run = scratch.run(play.into_iter().chain(bots));
    let rows = rows(run.done());
    let points: f64 = rows.iter().map(|row| row[3].parse::<f64>().expect("points are a number")).sum();
    assert_eq!(points, 4.0);
    scratch.run(["verify", "ab/games.jsonl"]).done();
    let records = records(&scratch.path("ab/games.jsonl"));
    assert_eq!(records.len(), 4);
    for record in &records {
        assert_eq!(record["options"]["layout"], "latin6");
        let id = record["id"].as_str().expect("a record has an id");
        let picture = scratch.run(["replay", "ab", "--game", id]);
        assert!(picture.done().contains("seat 1: 0 of 3 points, 12 in stock"), "{}", picture.stdout);
        let moves: Vec<&str> =
            record["moves"].as_array().expect("a list").iter().flat_map(Value::as_str).collect();
        let shown = scratch.run(["inspect", "tandem", "--options", options, "--moves", &moves.join(" ")]);
        assert!(shown.done().contains("\noutcome  "), "{}", shown.stdout);
    }
}

#[test]
fn a_custom_layout_is_read_relative_to_the_tournament_file() {
    let scratch = Scratch::new();
    scratch.write("cups/boards.txt", OWN);
    scratch.write("cups/cup.toml", tournament("@boards.txt"));
    scratch.run(["league", "run", "cups/cup.toml", "--out", "run"]).done();
    for record in records(&scratch.path("run/games.jsonl")) {
        assert_eq!(record["options"]["layout"], WRITTEN_OUT);
    }
    // The stored plan does not need the file.
    assert!(scratch.read("run/tournament.toml").contains(WRITTEN_OUT));
    std::fs::remove_file(scratch.path("cups/boards.txt")).expect("it is ours");
    scratch.run(["verify", "run/games.jsonl"]).done();
    scratch.run(["league", "standings", "run"]).done();
    let gone = scratch.run(["league", "run", "cups/cup.toml", "--out", "run"]);
    gone.said(2, "error: option `layout`: can't read `cups/boards.txt`\n --> cups/cup.toml:5:");
    // A changed file makes another tournament.
    scratch.write("cups/boards.txt", OWN.replace("wgr", "grw"));
    let changed = scratch.run(["league", "run", "cups/cup.toml", "--out", "run"]);
    changed.said(2, "`options.layout` is `rgb/brg/wbr|grw/rrb/bgr`, but was `");
    scratch.write("cups/boards.txt", OWN);
    scratch.run(["league", "run", "cups/cup.toml", "--out", "run"]).done();
}

#[test]
fn a_mistake_in_a_layouts_file_is_shown_with_its_place() {
    let scratch = Scratch::new();
    scratch.write("boards.txt", OWN.replace("rrb", "rr9"));
    scratch.write("cup.toml", tournament("@boards.txt"));
    let run = scratch.run(["league", "run", "cup.toml", "--dry-run"]);
    run.said(
        2,
        "error: option `layout`: a color must be a letter from `a` to `z`, not '9'\n --> boards.txt:6:3\n",
    );
    run.said(2, " ::: cup.toml:5:22\n");
    scratch.run(["inspect", "tandem", "--options", "layout=@boards.txt"]).refused(
        2,
        "error: option `layout`: a color must be a letter from `a` to `z`, not '9'\n  --> boards.txt:6:3\n",
    );
}

#[test]
fn the_command_line_takes_a_file_too() {
    let scratch = Scratch::new();
    scratch.write("boards.txt", OWN);
    let by_file = scratch.run(["inspect", "tandem", "--options", "layout=@boards.txt,line=3", "--json"]);
    let by_text =
        scratch.run(["inspect", "tandem", "--options", &format!("layout={WRITTEN_OUT},line=3"), "--json"]);
    assert_eq!(by_file.done(), by_text.done());
    let run = scratch.run(["inspect", "tandem", "--options", "layout=latin8"]);
    run.said(2, "hint: did you mean `latin6`?");
    scratch
        .run(["inspect", "tandem", "--options", "layout=@nowhere.txt"])
        .said(2, "can't read `nowhere.txt`");
}

#[test]
fn named_layouts_are_shown_with_the_game() {
    let scratch = Scratch::new();
    let run = scratch.run(["games", "tandem"]);
    assert!(run.done().starts_with("Tandem: "), "{}", run.stdout);
    assert!(run.stdout.contains("\nseats  2 to 4\n"), "{}", run.stdout);
    let run = scratch.run(["games", "tandem", "--json"]);
    let game: Value = serde_json::from_str(run.done()).expect("stdout is JSON");
    assert_eq!((&game["least_seats"], &game["most_seats"]), (&2.into(), &4.into()));
    let options = game["options"].as_array().expect("a list");
    let layout = options.iter().find(|option| option["name"] == "layout").expect("there is one");
    let named = layout["named"].as_array().expect("a list");
    assert!(named.len() >= 4);
    let page = scratch.run(["games", "tandem"]);
    for layout in named {
        let name = layout["name"].as_str().expect("a name");
        assert!(page.stdout.contains(&format!("\nlayout {name}: ")), "{}", page.stdout);
        scratch.run(["perft", "tandem", "1", "--options", &format!("layout={name}")]).done();
    }
}
