//! Tests of the CPU clock: bots that sleep, hang or let a child work are charged the CPU time
//! they used, however busy the machine is.

use serde_json::Value;

use crate::support::Run;
use crate::support::bots::{records, shell_bot, tournament};
use crate::support::scratch::Scratch;

/// More wall time for a move than any machine needs, in multiples of the limit and the margin.
const PLENTY: u64 = 1_000;

/// Plays a game of a bot against one that answers at once, with 100 ms of CPU time for each move and
/// `wall_bound` times as much wall time. Returns `None` if no cgroup counts CPU time.
#[expect(clippy::print_stdout, reason = "skipped tests are reported")]
fn play(case: &str, wall_bound: u64) -> Option<(Run, Value)> {
    let scratch = Scratch::new();
    scratch.write("bot.sh", shell_bot(case));
    let head = format!("clock = \"cpu\"\nwall_bound = {wall_bound}\ngames = 1\n");
    let bots = [("bot", "sh bot.sh"), ("random", "linesman bot random")];
    scratch.write("cup.toml", tournament(&head, &bots).replace("30s", "100ms"));
    let run = scratch.run(["league", "run", "cup.toml"]);
    if run.stderr.contains("`clock = \"cpu\"` is not possible on this machine") {
        println!("skipped: no control group counts CPU time here");
        return None;
    }
    let mut played = records(&scratch.path("runs/cup/games.jsonl"));
    assert_eq!(played.len(), 1);
    scratch.run(["verify", "runs/cup/games.jsonl"]).done();
    Some((run, played.remove(0)))
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Returns the fault of a bot that lost on time in its first move.
#[track_caller]
fn lost_on_time((run, record): &(Run, Value), words: &str) -> Value {
    run.said(0, words);
    assert_eq!(record["clock"], "cpu");
    let fault = record["faults"][0].clone();
    assert_eq!(fault["fault"], "time", "{record}");
    assert!(fault["overload"].is_null(), "{fault}");
    fault
}

/// The limit and the margin, in microseconds.
const ALLOWED: u64 = 150_000;

#[test]
fn a_bot_that_hangs_has_used_up_its_cpu_time() {
    let Some(played) = play("go) while :; do :; done;;", PLENTY) else { return };
    let fault = lost_on_time(&played, "of CPU time (limit 100 ms + 50 ms)");
    assert!(number(&fault["used_us"]) > ALLOWED, "{fault}");
}

#[test]
fn cpu_time_of_children_is_charged_too() {
    let Some(played) = play("go) (while :; do :; done) & wait;;", PLENTY) else { return };
    let fault = lost_on_time(&played, "of CPU time (limit 100 ms + 50 ms)");
    assert!(number(&fault["used_us"]) > ALLOWED, "{fault}");
}

#[test]
fn a_bot_that_sleeps_too_long_exceeds_the_wall_bound() {
    let Some(played) = play("go) sleep 1000;;", 10) else { return };
    let fault = lost_on_time(&played, " ms of wall time (limit ");
    assert!(number(&fault["used_us"]) <= ALLOWED, "{fault}");
    assert_eq!(number(&fault["wall_bound_us"]), 10 * ALLOWED);
    assert!(number(&fault["wall_us"]) >= 10 * ALLOWED, "{fault}");
}

#[test]
fn a_bot_that_is_late_without_using_cpu_does_not_lose() {
    let Some((run, record)) = play("go) sleep 0.2; echo \"bestmove $move\";;", PLENTY) else { return };
    run.said(0, "the clock counts the CPU time of each bot");
    assert_eq!(record["faults"], Value::Null, "{record}");
    let column = |name: &str| record[name].as_array().expect("there is a column").clone();
    let own = usize::from(record["seats"][0]["name"] != "bot");
    for (used, wall) in column("times_us").iter().zip(column("walls_us")).skip(own).step_by(2) {
        assert!(number(used) <= ALLOWED && number(&wall) > ALLOWED, "{used} {wall}");
    }
    assert!(column("evidence").iter().all(Value::is_object), "every move is measured");
}

#[test]
fn nothing_is_played_where_cpu_time_is_not_counted_exactly() {
    let scratch = Scratch::new();
    let bots = [("a", "linesman bot random"), ("b", "linesman bot random")];
    scratch.write("cup.toml", tournament("clock = \"cpu\"\nsandbox = \"off\"\n", &bots));
    let run = scratch.run(["league", "run", "cup.toml"]);
    run.said(2, "`clock = \"cpu\"` is not possible on this machine");
    assert!(run.stderr.contains("hint: "), "{}", run.stderr);
    assert_eq!(scratch.list(""), ["cup.toml"]);
}
