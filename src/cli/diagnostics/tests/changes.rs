//! Diagnostics of changes since a run started.

use super::*;
use crate::league::file::{Source, compare};

/// The rendered diagnostics if a run started with one file and continues with another.
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
    error: team `pair` has `greedy`, but had `greedy` and `random` when the run started
      --> league.toml:15:8
       |
    15 | bots = ["greedy"]
       |        ^^^^^^^^^^ now
       |
      ::: runs/league/tournament.toml:15:8
       |
    15 | bots = ["greedy", "random"]
       |        -------------------- when the run started
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
    error: the time control is `movetime=2s`, but was `movetime=1s` when the run started
     --> league.toml:3:12
      |
    3 | movetime = "2s"
      |            ^^^^ now
      |
     ::: runs/league/tournament.toml:3:12
      |
    3 | movetime = "1s"
      |            ---- when the run started

    error: `margin` is `80ms`, but was `50ms` when the run started
     --> league.toml:4:10
      |
    4 | margin = "80ms"
      |          ^^^^^^ now

    error: `rounds` can't be reduced: the run started with `3`
     --> league.toml:5:10
      |
    5 | rounds = 2
      |          ^ now
      |
     ::: runs/league/tournament.toml:4:10
      |
    4 | rounds = 3
      |          - when the run started

    error: `options.size` is `4`, but was `5` when the run started
     --> league.toml:6:20
      |
    6 | options = { size = 4 }
      |                    ^ now
    "#);
    let given =
        stored.replace("name = \"random\"", "name = \"randy\"").replace("movetime = \"1s\"", "tc = \"1min\"");
    insta::assert_snapshot!(shown_change(&stored, &given), @r#"
    error: the time control is `tc=60s+0ms`, but was `movetime=1s` when the run started
     --> league.toml:3:6
      |
    3 | tc = "1min"
      |      ^^^^^^ now
      |
     ::: runs/league/tournament.toml:3:12
      |
    3 | movetime = "1s"
      |            ---- when the run started
    "#);
}

#[test]
fn bots_cannot_change_if_the_schedule_depends_on_them() {
    let file =
        |head: &str, bots: &str| format!("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\n{head}\n{bots}");
    let third = "[[bots]]\nname = \"third\"\ncommand = \"linesman bot greedy\"\n";
    let whole = format!("{BOTS}\n{third}");
    let other = whole.replace("bot random", "bot random --seed 1");
    let refused = "error: `bots.random.command` is `linesman bot random --seed 1`, but was `linesman bot random` when the run started\n";
    for (head, gone) in
        [("schedule = \"swiss\"", true), ("schedule = \"knockout\"", true), ("games = 5", false)]
    {
        let said = shown_change(&file(head, &whole), &file(head, BOTS));
        assert!(said.starts_with("error: bot `third` was removed\n"), "{head}: {said}");
        if gone {
            let said = shown_change(&file(head, &whole), &file(head, &other));
            assert!(said.starts_with(refused), "{head}: {said}");
        }
    }
    // In other schedules, bots may change.
    let source = Source { name: String::new(), text: String::new() };
    let parsed = |text: &str| parse(&file("", text), &context()).unwrap();
    let taken_out = compare((&source, &parsed(&whole)), (&source, &parsed(BOTS))).expect("it may go");
    assert_eq!(taken_out.withdrawn_bots, ["third"]);
    let replaced =
        compare((&source, &parsed(&whole)), (&source, &parsed(&other))).expect("it may be replaced");
    assert_eq!(
        replaced.harmless,
        ["`bots.random.command` is now `linesman bot random --seed 1`, was `linesman bot random`"]
    );
}
