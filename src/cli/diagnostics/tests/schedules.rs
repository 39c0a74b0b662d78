//! Diagnostics of schedules.

use super::changes::shown_change;
use super::*;

/// A file for Quixo with these lines and this number of bots.
fn file(lines: &str, bots: usize) -> String {
    let bots: String =
        (0..bots).map(|bot| format!("[[bots]]\nname = \"bot{bot}\"\ncommand = \"./bot\"\n")).collect();
    format!("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\n{lines}\n{bots}")
}

#[test]
fn keys_of_other_schedules_are_refused() {
    insta::assert_snapshot!(
        shown(&file("schedule = \"knockout\"\nrounds = 3\ngames = 10\nsingle_games = true\nchallengers = [\"bot1\"]", 4)),
        @r#"
    error: `rounds` does not apply to a `knockout`
     --> league.toml:5:10
      |
    5 | rounds = 3
      |          ^ only for `round-robin`, `gauntlet` or `swiss`
      |
      = hint: remove it: a knockout has as many rounds as it needs; `best_of` sets the encounters of a match

    error: `games` does not apply to a `knockout`
     --> league.toml:6:9
      |
    6 | games = 10
      |         ^^ only for `round-robin`, `gauntlet` or `ladder`
      |
      = hint: remove it, or choose another `schedule`

    error: `single_games` does not apply to a `knockout`
     --> league.toml:7:16
      |
    7 | single_games = true
      |                ^^^^ only for `swiss`
      |
      = hint: remove it, or choose another `schedule`

    error: `challengers` does not apply to a `knockout`
     --> league.toml:8:15
      |
    8 | challengers = ["bot1"]
      |               ^^^^^^^^ only for `gauntlet`
      |
      = hint: remove it, or choose another `schedule`
    "#
    );
    insta::assert_snapshot!(shown(&file("best_of = 3\nschedule = \"ladder\"\nrounds = 2\ngames = 7", 4)), @r#"
    error: `best_of` does not apply to a `ladder`
     --> league.toml:4:11
      |
    4 | best_of = 3
      |           ^ only for `knockout`
      |
      = hint: remove it, or choose another `schedule`

    error: `rounds` does not apply to a `ladder`
     --> league.toml:6:10
      |
    6 | rounds = 2
      |          ^ only for `round-robin`, `gauntlet` or `swiss`
      |
      = hint: remove it, or use `games` to end the ladder

    error: a ladder can't have 7 games
     --> league.toml:7:9
      |
    7 | games = 7
      |         ^ must be a multiple of 2: an encounter has one game from each seat
      |
      = hint: write 6 or 8
    "#);
}

#[test]
fn a_gauntlet_needs_challengers_and_others() {
    insta::assert_snapshot!(shown(&file("schedule = \"gauntlet\"", 3)), @r#"
    error: a gauntlet needs `challengers`
    --> league.toml
     = hint: name the bots that meet all others: `challengers = ["bot0"]`
    "#);
    insta::assert_snapshot!(
        shown(&file("schedule = \"gauntlet\"\nchallengers = [\"bot1\", \"bto2\", \"bot1\", 3]", 3)),
        @r#"
    error: there is no bot `bto2`
     --> league.toml:5:24
      |
    5 | challengers = ["bot1", "bto2", "bot1", 3]
      |                        ^^^^^^ a challenger must be one of the `[[bots]]`
      |
      = hint: did you mean `bot2`?

    error: challenger `bot1` is named twice
     --> league.toml:5:32
      |
    5 | challengers = ["bot1", "bto2", "bot1", 3]
      |                                ^^^^^^ remove this one

    error: `challengers` must be an array of bot names
     --> league.toml:5:40
      |
    5 | challengers = ["bot1", "bto2", "bot1", 3]
      |                                        ^ this is a whole number
    "#
    );
    insta::assert_snapshot!(shown(&file("schedule = \"gauntlet\"\nchallengers = [\"bot0\", \"bot1\"]", 2)), @r#"
    error: a gauntlet needs opponents for its challengers: at least 1, not 0
     --> league.toml:5:15
      |
    5 | challengers = ["bot0", "bot1"]
      |               ^^^^^^^^^^^^^^^^ with 2 bots
      |
      = hint: name fewer challengers, or add opponents: challengers don't meet each other
    "#);
    insta::assert_snapshot!(shown(&file("schedule = \"gauntlet\"\nchallengers = []", 2)), @r#"
    error: a gauntlet needs at least one challenger
     --> league.toml:5:15
      |
    5 | challengers = []
      |               ^^ empty
    "#);
}

#[test]
fn a_swiss_has_no_more_rounds_than_opponents_and_a_knockout_two_sides() {
    insta::assert_snapshot!(shown(&file("schedule = \"swiss\"\nrounds = 9", 8)), @r#"
    error: `rounds` can't be 9: 8 bots can play at most 7 without a rematch
     --> league.toml:5:10
      |
    5 | rounds = 9
      |          ^ with 8 bots
      |
      = hint: lower `rounds`, or use `schedule = "round-robin"`, which takes any number
    "#);
    insta::assert_snapshot!(shown(&file("schedule = \"swiss\"\nrounds = 9", 501)), @r#"
    error: a `swiss` takes at most 500 entrants, not 501
     --> league.toml:5:10
      |
    5 | rounds = 9
      |          ^ with 501 bots
    "#);
    let four = "version = 1\ngame = \"tandem\"\noptions = { players = 4 }\nmovetime = \"1s\"";
    let seated =
        file("schedule = \"knockout\"", 5).replace("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"", four);
    insta::assert_snapshot!(shown(&seated), @r#"
    error: a `knockout` needs a game of two sides, but this game has 4
     --> league.toml:5:12
      |
    5 | schedule = "knockout"
      |            ^^^^^^^^^^ here
      |
      = hint: use `round-robin`, `gauntlet`, `swiss` or `ladder`, which take any number of sides
    "#);
    let seated = seated.replace("schedule = \"knockout\"", "schedule = \"swiss\"\nrounds = 6");
    insta::assert_snapshot!(shown(&seated), @r#"
    error: a `swiss` of 5 entrants has at most 5 rounds, not 6
     --> league.toml:6:10
      |
    6 | rounds = 6
      |          ^ with 5 bots
      |
      = hint: lower `rounds`, or use `schedule = "round-robin"`, which takes any number
    "#);
    insta::assert_snapshot!(shown(&file("schedule = \"knockout\"", 1)), @r#"
    error: `quixo` needs at least 2 bots, but there is only one
     --> league.toml:5:1
      |
    5 | [[bots]]
      | ^^^^^^^^ the only bot
    "#);
}

#[test]
fn all_bots_have_a_rating_for_seeding_or_none_has() {
    let some = file("schedule = \"knockout\"", 2) + "elo = 1500\n";
    insta::assert_snapshot!(shown(&some), @r#"
    error: `bot0` has no `elo`, but others have one
      --> league.toml:5:1
       |
     5 | [[bots]]
       | ^^^^^^^^ this one
    ...
    11 | elo = 1500
       |       ---- this one has
       |
       = hint: give an `elo` to all bots, or to none to seed by the order of the file
    "#);
    insta::assert_snapshot!(shown(&(file("", 2) + "elo = \"strong\"\n")), @r#"
    error: `elo` must be a whole number
      --> league.toml:11:7
       |
    11 | elo = "strong"
       |       ^^^^^^^^ this is a string
    "#);
}

#[test]
fn bots_of_a_swiss_and_challengers_cannot_change() {
    let swiss = file("schedule = \"swiss\"\nrounds = 2", 4);
    insta::assert_snapshot!(shown_change(&swiss, &file("schedule = \"swiss\"\nrounds = 3", 5)), @r#"
    error: bot `bot4` can't join a `swiss` that has started
      --> league.toml:19:8
       |
    19 | name = "bot4"
       |        ^^^^^^ not in the file that the run started with
       |
       = hint: remove it: the pairings depend on everyone who takes part
    "#);
    let turned = swiss.replace("bot0", "?").replace("bot1", "bot0").replace('?', "bot1");
    insta::assert_snapshot!(shown_change(&swiss, &turned), @r#"
    error: the seeds of the `swiss` have changed: they follow from `elo`, or from the order of the file
     --> league.toml:6:1
      |
    6 | [[bots]]
      | ^^^^^^^^ now
      |
     ::: runs/league/tournament.toml:6:1
      |
    6 | [[bots]]
      | -------- when the run started
    "#);
    let gauntlet =
        |names: &str, bots| file(&format!("schedule = \"gauntlet\"\nchallengers = [{names}]"), bots);
    let begun = gauntlet("\"bot0\"", 4);
    insta::assert_snapshot!(shown_change(&begun, &gauntlet("\"bot1\"", 4)), @r#"
    error: `bot0` is no longer a challenger
     --> league.toml:5:15
      |
    5 | challengers = ["bot1"]
      |               ^^^^^^^^ now
      |
     ::: runs/league/tournament.toml:5:15
      |
    5 | challengers = ["bot0"]
      |               -------- when the run started

    error: `bot1` is an opponent of the challengers and can't become one
     --> league.toml:5:15
      |
    5 | challengers = ["bot1"]
      |               ^^^^^^^^ now
      |
     ::: runs/league/tournament.toml:5:15
      |
    5 | challengers = ["bot0"]
      |               -------- when the run started
    "#);
    let parsed = |text: &str| parse(text, &context()).unwrap();
    let source = crate::league::file::Source { name: String::new(), text: String::new() };
    let more = gauntlet("\"bot0\", \"bot4\"", 5);
    let added = crate::league::file::compare((&source, &parsed(&begun)), (&source, &parsed(&more)));
    assert_eq!(added.expect("a new bot may challenge").added_bots, ["bot4"]);
}
