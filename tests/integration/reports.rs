//! Tests of `linesman league report`: everything in a league's records, in every form.

use serde_json::{Value, json};
use std::process::Command;

use crate::support::LINESMAN;
use crate::support::bots::tournament;
use crate::support::scratch::Scratch;
use crate::support::terminal::Terminal;

/// Writes a run of three bots with these games to `runs/cup`.
fn cup(games: &[Value]) -> Scratch {
    let scratch = Scratch::new();
    let bots = ["ada", "bob", "cleo"].map(|name| (name, "linesman bot random"));
    scratch.write("runs/cup/tournament.toml", tournament("rounds = 2\n", &bots));
    let lines: String = games.iter().map(|game| format!("{game}\n")).collect();
    scratch.write("runs/cup/games.jsonl", lines);
    scratch
}

fn game(first: &str, second: &str, number: u32, places: [u8; 2]) -> Value {
    json!({
        "v": 1, "id": format!("{first}~{second}~{number}"), "game": "quixo", "options": {"size": 3},
        "seats": [{"name": first}, {"name": second}],
        "moves": ["c1c3", "a2a3", format!("m{first}{second}{number}")], "times_us": [1_000, 3_000, 5_000],
        "places": places, "reason": "line",
    })
}

fn played() -> Vec<Value> {
    let mut late = game("cleo", "ada", 1, [2, 1]);
    late["reason"] = json!("failure");
    late["faults"] = json!([{"seat": 1, "fault": "time"}]);
    vec![
        game("ada", "bob", 1, [1, 2]),
        game("bob", "ada", 1, [1, 1]),
        game("bob", "cleo", 1, [2, 1]),
        late,
        // A duplicate record, and one of another league's game, which do not count.
        game("ada", "bob", 1, [2, 1]),
        game("dan", "bob", 1, [1, 2]),
    ]
}

#[test]
fn a_report_has_all_parts_with_explanations() {
    let report = cup(&played()).run(["league", "report", "runs/cup"]);
    let text = report.done();
    for title in [
        "Standings",
        "Notes",
        "Score by seat",
        "Faults",
        "Crosstable",
        "How games ended",
        "Game lengths",
        "Openings",
        "Ratings over time",
    ] {
        assert!(text.contains(&format!("\n{title}\n")), "{title} is missing in\n{text}");
    }
    assert!(text.contains("- 4 of 12 games have been played\n"), "{text}");
    assert!(text.contains("- `cleo` failed in the only game that it lost\n"), "{text}");
    assert!(text.contains("All games began from the usual start."), "{text}");
    assert!(report.stderr.contains("already has a record"), "{}", report.stderr);
    assert!(report.stderr.contains("is not a game of this league"), "{}", report.stderr);
}

#[test]
fn a_part_that_only_other_schedules_have_is_rejected() {
    let run = cup(&played()).run(["league", "report", "runs/cup", "--part", "ranking"]);
    run.said(
        2,
        "error: this league has no ranking: only a Swiss or a knockout has one\nhint: use `--part standings`\
         \n",
    );
}

#[test]
fn programs_get_csv_and_json() {
    let scratch = cup(&played());
    let run = |arguments: &[&str]| {
        scratch.run(["league", "report", "runs/cup", "-q"].iter().chain(arguments)).done().to_owned()
    };
    let json: Value = serde_json::from_str(&run(&["--json"])).expect("it is JSON");
    assert_eq!(
        (&json["games"], &json["games_left"], &json["games_with_result"]),
        (&12.into(), &8.into(), &4.into())
    );
    assert_eq!(json["length"], json!({"shortest": 3, "median": 3, "mean": 3.0, "longest": 3}));
    let standings = json["standings"].as_array().expect("it is a list");
    let ada = standings.iter().find(|row| row["bot"] == "ada").expect("ada takes part");
    // Two moves of 1 and 5 ms, one of 3 ms, and another one of 3 ms.
    assert_eq!(
        (&ada["points"], &ada["mean_ms"], &ada["points_from_faults"]),
        (&2.5.into(), &3.0.into(), &1.0.into())
    );
    assert_eq!(run(&["--format", "json"]), run(&["--json"]));

    assert_eq!(
        run(&["--format", "csv", "--part", "endings"]),
        "reason,games,share,first_score,draws,shortest,mean,longest\n\
         line,3,0.750000,0.500000,1,3,3.000000,3\n\
         failure,1,0.250000,0.000000,0,3,3.000000,3\n"
    );
    let csv = run(&["--format", "csv"]);
    assert!(csv.starts_with("rank,bot,games,points,"), "{csv}");
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn files_are_written_once_and_overwritten_with_force() {
    let scratch = cup(&played());
    let run =
        |arguments: &[&str]| scratch.run(["league", "report", "runs/cup", "-q"].iter().chain(arguments));
    let page = ["--format", "html", "--out", "cup.html"];
    assert_eq!(run(&page).done(), "");
    let first = scratch.read("cup.html");
    assert!(first.starts_with("<!doctype html>") && first.contains("<h1 id=\"title\">cup</h1>"), "{first}");
    run(&page).said(2, "`cup.html` already exists");
    run(&[&page[..], &["--force"]].concat()).done();
    assert_eq!(scratch.read("cup.html"), first, "the same records, the same bytes");

    assert_eq!(run(&["--plots", "plots"]).done(), "", "who asks for plots alone gets nothing else");
    assert_eq!(scratch.list("plots"), ["course.svg", "intervals.svg", "lengths.svg"]);
    for plot in scratch.list("plots") {
        assert!(scratch.read(&format!("plots/{plot}")).starts_with("<svg "), "{plot}");
    }
    run(&["--plots", "plots"]).said(2, "already exists");
    let markdown = run(&["--format", "markdown", "--plots", "plots", "--force", "--part", "crosstable"]);
    assert!(
        markdown.done().contains("| # | bot | 1 | 2 | 3 |\n| ---: | --- | ---: | ---: | ---: |\n"),
        "{markdown:?}"
    );
    run(&["--format", "html", "--out", "nowhere/cup.html"]).said(74, "can't write `nowhere/cup.html`");
}

#[test]
fn an_unwritable_file_is_reported_before_anything_is_read() {
    let scratch = cup(&played());
    scratch.write("runs/cup/games.jsonl", "no record\n");
    scratch.write("cup.html", "mine");
    scratch.write("plots/course.svg", "mine");
    let run = |arguments: &[&str]| scratch.run(["league", "report", "runs/cup"].iter().chain(arguments));
    run(&["--out", "cup.html"]).said(2, "`cup.html` already exists");
    run(&["--out", "nowhere/cup.html"]).said(74, "can't write `nowhere/cup.html`");
    run(&["--plots", "plots"]).said(2, "already exists");
    run(&["--out", "cup.html", "--force"]).said(2, "the line is not JSON");
    assert_eq!(scratch.read("cup.html"), "mine", "nothing is overwritten by a report that there is not");
}

#[test]
fn impossible_reports_are_rejected() {
    let scratch = cup(&played());
    let run = |arguments: &[&str]| scratch.run(["league", "report"].iter().chain(arguments));
    run(&["runs/cup", "--format", "csv", "--part", "seats", "--part", "faults"])
        .said(2, "CSV can hold only one part");
    run(&["runs/cup", "--json", "--part", "seats"]).said(2, "JSON and HTML always have all parts");
    run(&["runs/cup", "--part", "feelings"])
        .said(2, "expected one of ranking, bracket, standings, seats, faults, crosstable");
    run(&["runs/other"]).said(2, "runs/other");
}

#[test]
fn a_run_without_games_has_a_report() {
    let scratch = cup(&[]);
    let text = scratch.run(["league", "report", "runs/cup"]);
    assert!(text.done().contains("- 0 of 12 games have been played\n"), "{}", text.stdout);
    for format in ["csv", "json", "markdown", "html"] {
        scratch.run(["league", "report", "runs/cup", "--format", format]).done();
    }
    let plots = scratch.run(["league", "report", "runs/cup", "--plots", "plots"]);
    plots.said(0, "not enough data yet: plots/intervals.svg was not written");
}

#[test]
fn on_a_terminal_nothing_is_wider_than_the_window() {
    let scratch = cup(&played());
    for columns in [60, 80, 200] {
        let mut command = Command::new(LINESMAN);
        command.args(["league", "report", "runs/cup", "-q"]);
        command.current_dir(scratch.path(""));
        command.env("NO_COLOR", "1");
        let (_, _, printed) = Terminal::start_with(command, 24, columns).end_with_screen();
        assert!(printed.contains("Ratings over time"), "{printed}");
        // Warnings name files, which can't be wrapped well.
        for line in printed.lines().filter(|line| !line.starts_with("warning: ")) {
            assert!(line.trim_end().chars().count() <= usize::from(columns), "{columns}: {line:?}");
        }
        let all_fits = !printed.contains("Left out for lack of space");
        // In 80 columns this depends on the width of the intervals.
        assert!(columns == 80 || all_fits == (columns > 80), "{columns}: {printed}");
    }
}

/// Writes a run of many bots with notes on most of them.
fn crowd() -> Scratch {
    let scratch = Scratch::new();
    let names: Vec<String> = (10..30).map(|number| format!("bot{number}")).collect();
    let bots: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "linesman bot random")).collect();
    scratch.write("runs/crowd/tournament.toml", tournament("rounds = 1\n", &bots));
    let mut lines = String::new();
    for pair in names.chunks(2) {
        let mut void = game(&pair[0], &pair[1], 1, [1, 2]);
        void["places"] = Value::Null;
        void["reason"] = Value::Null;
        void["void"] = json!({"kind": "host", "why": "the machine was overloaded", "seat": 2});
        let mut late = game(&pair[0], &pair[1], 1, [1, 2]);
        late["reason"] = json!("failure");
        late["faults"] = json!([{
            "seat": 2, "fault": "time", "limit_us": 1_000, "used_us": 2_000, "excuse_us": 1_500, "overload": true,
        }]);
        lines.push_str(&format!("{void}\n{late}\n"));
    }
    scratch.write("runs/crowd/games.jsonl", lines);
    scratch
}

#[test]
fn standings_of_many_bots_are_followed_by_few_lines() {
    let scratch = crowd();
    let shown = scratch.run(["league", "standings", "runs/crowd"]);
    assert_eq!(shown.done().lines().count(), 21, "{}", shown.stdout);
    assert!(shown.stderr.lines().count() <= 11, "ten lines of notes, and how far it is:\n{}", shown.stderr);
    assert!(
        shown.stderr.contains(
            "bots waited for a CPU: 10 tries of games were annulled, 10 late moves counted (`linesman \
             league show runs/crowd BOT` lists those of one bot)\n"
        ),
        "{}",
        shown.stderr
    );
    assert_eq!(shown.stderr.matches("lost every game; its Elo").count(), 0, "{}", shown.stderr);
    let of_bot = scratch.run(["league", "show", "runs/crowd", "bot11"]);
    assert!(
        of_bot.done().contains(
            "\nannulled  1 game because a bot waited for a CPU; this bot was the late one in 1 game\n"
        ),
        "{}",
        of_bot.stdout
    );
    assert!(of_bot.stdout.contains("\nlast annulled games:\n  bot10~bot11~1: "), "{}", of_bot.stdout);
}

#[test]
fn a_crosstable_that_does_not_fit_is_replaced_by_the_command_that_prints_it() {
    let scratch = crowd();
    let mut command = Command::new(LINESMAN);
    command.args(["league", "report", "runs/crowd", "-q", "--part", "crosstable"]);
    command.current_dir(scratch.path(""));
    let (_, _, printed) = Terminal::start_with(command, 24, 60).end_with_screen();
    assert!(printed.contains("The crosstable of the first 20 needs "), "{printed}");
    assert!(printed.contains("--format csv --part crosstable"), "{printed}");
    let file = scratch.run(["league", "report", "runs/crowd", "-q", "--part", "crosstable"]);
    assert!(file.done().contains(" ×  "), "{}", file.stdout);
}

#[test]
fn after_a_resume_all_counts_are_of_the_league_and_the_new_part_is_shown_separately() {
    let scratch = Scratch::new();
    let bots = ["ada", "bob", "cleo"].map(|name| (name, "linesman bot random"));
    let plan = |rounds: u32| tournament(&format!("rounds = {rounds}\n"), &bots);
    scratch.write("cup.toml", plan(1));
    let first = scratch.run(["league", "run", "cup.toml"]);
    first.done();
    assert!(!first.stderr.contains("this command played"), "{}", first.stderr);
    assert!(!first.stderr.contains(" new)"), "{}", first.stderr);
    scratch.write("cup.toml", plan(3));
    let second = scratch.run(["league", "run", "cup.toml"]);
    second.said(0, "this command played ");
    let all = scratch.read("runs/cup/games.jsonl").lines().count();
    let new = all - all / 3;
    second.said(0, &format!("this command played {new} games; the run now has {all} games\n"));
    second.said(0, &format!(" of {all} games ("));
}
