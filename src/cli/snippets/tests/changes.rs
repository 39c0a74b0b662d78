//! What changed since a run was begun.

use super::*;
use crate::league::file::{Source, compare};

/// What is shown when a run was begun with one file and another one is given.
#[track_caller]
pub(super) fn shown_change(stored: &str, given: &str) -> String {
    let stored = (Source { name: "runs/league/tournament.toml".to_owned(), text: stored.to_owned() }, stored);
    let given = (Source { name: "league.toml".to_owned(), text: given.to_owned() }, given);
    let old = parse(stored.1, &context()).unwrap();
    let new = parse(given.1, &context()).unwrap();
    let refused = compare((&stored.0, &old), (&given.0, &new)).expect_err("the change is refused");
    render(&refused, Colours::Off)
}

#[test]
fn teams_keep_their_bots_and_may_be_joined_by_others() {
    let team = |name: &str, bots: &str| format!("[[teams]]\nname = \"{name}\"\nbots = [{bots}]\n");
    let file =
        |teams: &str| format!("version = 1\ngame = \"quixo-teams\"\nmovetime = \"1s\"\n{BOTS}\n{teams}");
    let pair = team("pair", "\"greedy\", \"random\"");
    let stored = file(&(pair.clone() + &team("solo", "\"greedy\"")));
    let given = file(&(team("pair", "\"greedy\"") + &team("duo", "\"random\"")));
    insta::assert_snapshot!(shown_change(&stored, &given), @r#"
    error: team `pair` is `greedy`, but the run was begun with `greedy` and `random`
      --> league.toml:15:8
       |
    15 | bots = ["greedy"]
       |        ^^^^^^^^^^ now
       |
      ::: runs/league/tournament.toml:15:8
       |
    15 | bots = ["greedy", "random"]
       |        -------------------- when the run was begun

    error: team `solo` is gone
      --> runs/league/tournament.toml:16:1
       |
    16 | [[teams]]
       | ^^^^^^^^^ when the run was begun
    "#);
    let old = parse(&stored, &context()).unwrap();
    let turned = team("pair", "\"random\", \"greedy\"");
    let new = file(&(team("more", "\"random\"") + &turned + &team("solo", "\"greedy\", \"greedy\"")));
    let new = parse(&new, &context()).unwrap();
    let source = Source { name: String::new(), text: String::new() };
    let added = compare((&source, &old), (&source, &new)).expect("a team was added").added_teams;
    assert_eq!(added, ["more"]);
}

#[test]
fn changes_are_shown_in_both_files() {
    let stored = format!("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\nrounds = 3\n{BOTS}");
    let given = stored
        .replace("\"1s\"", "\"2s\"\nmargin = \"80ms\"")
        .replace("rounds = 3", "rounds = 2\noptions = { size = 4 }")
        .replace("bot random", "bot random --seed 1");
    insta::assert_snapshot!(shown_change(&stored, &given), @r#"
    error: the time control is `movetime=2s`, but the run was begun with `movetime=1s`
     --> league.toml:3:12
      |
    3 | movetime = "2s"
      |            ^^^^ now
      |
     ::: runs/league/tournament.toml:3:12
      |
    3 | movetime = "1s"
      |            ---- when the run was begun

    error: `margin` is `80ms`, but the run was begun with `50ms`
     --> league.toml:4:10
      |
    4 | margin = "80ms"
      |          ^^^^^^ now

    error: `rounds` is smaller: the run was begun with `3`
     --> league.toml:5:10
      |
    5 | rounds = 2
      |          ^ now
      |
     ::: runs/league/tournament.toml:4:10
      |
    4 | rounds = 3
      |          - when the run was begun

    error: `options.size` is `4`, but the run was begun with `5`
     --> league.toml:6:20
      |
    6 | options = { size = 4 }
      |                    ^ now

    error: `bots.random.command` is `linesman bot random --seed 1`, but the run was begun with `linesman bot random`
      --> league.toml:14:11
       |
    14 | command = "linesman bot random --seed 1"
       |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ now
       |
      ::: runs/league/tournament.toml:12:11
       |
    12 | command = "linesman bot random"
       |           --------------------- when the run was begun
    "#);
    let given =
        stored.replace("name = \"random\"", "name = \"randy\"").replace("movetime = \"1s\"", "tc = \"1min\"");
    insta::assert_snapshot!(shown_change(&stored, &given), @r#"
    error: the time control is `tc=60s+0ms`, but the run was begun with `movetime=1s`
     --> league.toml:3:6
      |
    3 | tc = "1min"
      |      ^^^^^^ now
      |
     ::: runs/league/tournament.toml:3:12
      |
    3 | movetime = "1s"
      |            ---- when the run was begun

    error: bot `random` is gone
      --> runs/league/tournament.toml:11:8
       |
    11 | name = "random"
       |        ^^^^^^^^ when the run was begun
    "#);
}
