//! Tests of every hostile bot, in every layer that this machine has.

use std::fmt::Write;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

use crate::support::running::Running;
use crate::support::{LINESMAN, Run, command, project};

/// The timeout of all bots, more than twice their time on a busy machine.
const LONG: Duration = Duration::from_secs(600);

const PAGE: &str = "docs/appendix/hostile-bots.md";

/// Held by the running suite, since concurrent suites would see each other's effects on the host.
static HOST: Mutex<()> = Mutex::new(());

/// A user that exists on no system.
const USER: u32 = 60_598;

/// Runs a check as a user without privileges. If this test is not run by root, prints so and
/// returns `None`; the other tests then already run as such a user.
#[expect(clippy::print_stdout, reason = "skipped tests are reported")]
fn check_as_user(arguments: &[&str]) -> Option<Run> {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: this is no root, who alone can become another user");
        return None;
    }
    let _host = HOST.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a folder can be made");
    // Other users may have no access to the build folder.
    let binary = folder.path().join("linesman");
    std::fs::copy(LINESMAN, &binary).expect("there is room for it");
    std::os::unix::fs::chown(folder.path(), Some(USER), Some(USER)).expect("root may");
    let id = USER.to_string();
    let mut command = Command::new("setpriv");
    command.args(["--reuid", &id, "--regid", &id, "--clear-groups"]).arg(&binary);
    command.args(["check", "--hostile"]).args(arguments).current_dir(folder.path());
    for name in ["TMPDIR", "HOME"] {
        command.env(name, folder.path());
    }
    if !command_is_there("setpriv") {
        println!("skipped: there is no `setpriv` (package `util-linux`)");
        return None;
    }
    Some(Running::start(&mut command).end_within(LONG))
}

fn command_is_there(name: &str) -> bool {
    Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn check(arguments: &[&str]) -> Run {
    let _host = HOST.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut command = command(folder.path());
    command.args(["check", "--hostile"]).args(arguments).env("TMPDIR", folder.path());
    Running::start(&mut command).end_within(LONG)
}

#[test]
fn every_hostile_bot_gets_its_verdict_and_leaves_nothing() {
    let run = check(&["--json", "--every-layer"]);
    let rows: Vec<Value> = serde_json::from_str(&run.stdout).expect("it prints a list");
    let bad: Vec<String> = rows
        .iter()
        .filter(|row| !row["problems"].is_null())
        .map(|row| format!("{} in {}: {}", row["bot"], row["sandbox"], row["problems"]))
        .collect();
    assert!(bad.is_empty() && run.status == Some(0), "{}\n{}", bad.join("\n"), run.stderr);
    let path = project().join(PAGE);
    if crate::kept::is_update() {
        std::fs::write(&path, page(&rows)).expect("the page can be written");
    }
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    for row in &rows {
        let bot = row["bot"].as_str().expect("it is a text");
        let does = row["does"].as_str().expect("it is a text");
        let start = format!("| `{bot}` | {does} |");
        assert!(page.contains(&start), "{PAGE} lacks {start:?}: run UPDATE=1 cargo test");
    }
}

#[test]
fn hostile_bots_of_a_user_without_privileges_are_contained_as_well() {
    let Some(run) = check_as_user(&["--json"]) else { return };
    let rows: Vec<Value> = serde_json::from_str(&run.stdout).expect("it prints a list");
    assert!(rows.iter().any(|row| row["sandbox"] == "auto"), "{rows:?}");
    let bad: Vec<&Value> = rows.iter().filter(|row| !row["problems"].is_null()).collect();
    assert!(bad.is_empty() && run.status == Some(0), "{bad:#?}\n{}", run.stderr);
}

/// Returns the page with the results, one table per layer.
fn page(rows: &[Value]) -> String {
    let mut page = "# Hostile bots\n\n\
        Every bot below plays in a league of four games: one between two good bots, one with the hostile bot in each seat, and\n\
        another between two good bots. `linesman check --hostile` does the same on your machine; `linesman bot hostile NAME` is\n\
        the bot. The test that plays them writes this page (`UPDATE=1 cargo test --test integration hostile::suite`).\n\n\
        After each league, the test checks that:\n\n\
        - no process of the bot is left (found by a token in its environment, or by a reaper above the referee), nor a cgroup;\n\
        - the referee has no more descriptors open than with good bots alone, and took no more than 8 MiB, pages of files not\n  counted;\n\
        - no file is new or changed, and no nameless shared memory is left;\n\
        - every game has exactly one complete record, with the evidence for its verdict;\n\
        - the next game between good bots is normal.\n\n\
        `clean` means that all checks passed. The verdict `plays on` means that the bot did not lose by a fault. The time is the\n\
        longest from the start of a game to its verdict, the start of the bots included. Up to ten leagues are played at once; a\n\
        bot on its own takes less time.\n\n\
        For bots that only try things, *not held* lists what succeeded: this sandbox mode does not prevent it, and is not meant\n\
        to. Items in parentheses succeeded only in the bot's own private place, where they harm nobody and leave nothing behind.\n\
        Anything that could harm others is attempted only where it is refused; a bot exits with 99 where it is not.\n"
        .to_owned();
    let mut layers: Vec<&Value> = rows.iter().map(|row| &row["sandbox"]).collect();
    layers.dedup();
    layers.sort_by_key(|layer| layer.as_str());
    layers.dedup();
    for layer in layers {
        let word = layer.as_str().expect("it is a text");
        write!(
            page,
            "\n## Sandbox `{word}`\n\n| bot | what it does | verdict | ms | not held | afterwards |\n"
        )
        .expect("memory");
        page.push_str("| --- | --- | --- | ---: | --- | --- |\n");
        for row in rows.iter().filter(|row| row["sandbox"] == *layer) {
            let text = |key: &str| row[key].as_str().expect("it is a text").to_owned();
            let not_held = row["not_held"].as_str().unwrap_or_default();
            let time_ms = row["time_ms"].as_f64().expect("it is a number");
            writeln!(
                page,
                "| `{}` | {} | {} | {time_ms:.0} | {not_held} | {} |",
                text("bot"),
                text("does"),
                text("verdict"),
                text("afterwards"),
            )
            .expect("memory");
        }
    }
    page
}

#[test]
fn records_of_games_among_hostile_bots_explain_every_game() {
    let run = check(&["--soak", "60", "--seed", "7", "--json"]);
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
    let soaked: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!((&soaked["games"], &soaked["problems"]), (&60.into(), &Value::Array(Vec::new())));
    let verdicts = soaked["verdicts"].as_array().expect("it is an array");
    assert!(verdicts.iter().all(|row| row["verdict"].is_string() && row["times"].is_u64()), "{soaked}");
}

/// Takes minutes: run it with `--ignored`.
#[test]
#[ignore = "takes minutes"]
fn a_thousand_games_among_hostile_bots_are_explained() {
    let run = check(&["--soak", "1000", "--seed", "1"]);
    assert_eq!(run.status, Some(0), "{}\n{}", run.stdout, run.stderr);
}
