//! Sixty-four games at once, hostile bots among them: the good ones notice nothing.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use serde_json::Value;

use crate::support::bots::{records, seats};
use crate::support::scratch::Scratch;

const LONG: Duration = Duration::from_secs(600);
const AT_ONCE: u64 = 64;

/// What is resident in a referee at most: 32 MiB and 128 KiB for each game that is played.
const MOST_KIB: u64 = (32 << 10) + AT_ONCE * 128;

/// Their moves follow from the game's id and seed alone.
const GOOD: [(&str, &str); 4] = [
    ("random", "linesman bot random"),
    ("greedy", "linesman bot greedy"),
    ("searcher", "linesman bot alphabeta --depth 2"),
    ("other", "linesman bot random --seed 5"),
];

/// One of each family that can do no harm to the machine even when nothing holds it.
const HOSTILE: [&str; 16] = [
    "exits-0-at-once",
    "exits-after-a-move",
    "segfaults",
    "long-traceback",
    "stops-itself",
    "answers-late",
    "endless-line",
    "chatters",
    "invalid-utf8",
    "illegal-move",
    "two-answers",
    "closes-output",
    "child-holds-output",
    "daemon",
    "kills-its-supervisor",
    "injects-stderr",
];

fn tournament(hostile: &[&str]) -> String {
    let mut text = format!(
        "version = 1\nname = \"load\"\ngame = \"quixo\"\noptions = {{ size = 4 }}\nmovetime = \"60s\"\n\
         concurrency = {AT_ONCE}\noversubscribe = true\n"
    );
    for (name, command) in GOOD {
        text.push_str(&format!("\n[[bots]]\nname = \"{name}\"\ncommand = \"{command}\"\n"));
    }
    for name in hostile {
        text.push_str(&format!(
            "\n[[bots]]\nname = \"{name}\"\ncommand = \"linesman bot hostile {name}\"\n\
             limits = {{ move = \"1s\" }}\n"
        ));
    }
    text
}

/// The records of a league, and the most that its referee had resident, in KiB.
#[track_caller]
fn play(hostile: &[&str]) -> (Vec<Value>, u64) {
    let scratch = Scratch::new();
    scratch.write("load.toml", tournament(hostile));
    let running = scratch.start(["league", "run", "load.toml", "--keep-going", "--progress", "none"]);
    let mut peak = 0;
    while !running.ends_within(Duration::from_millis(20)) {
        peak = peak.max(peak_kib(running.id()));
    }
    let run = running.end_within(LONG);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    (records(&scratch.path("runs/load/games.jsonl")), peak)
}

fn peak_kib(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_ascii_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// What the good bots did among themselves, by the game's id.
fn among_the_good(games: &[Value]) -> BTreeMap<String, (Value, Value)> {
    let is_good = |name: &&str| GOOD.iter().any(|(good, _)| good == name);
    games
        .iter()
        .filter(|game| seats(game).iter().all(is_good))
        .map(|game| (game["id"].to_string(), (game["moves"].clone(), game["places"].clone())))
        .collect()
}

#[test]
fn sixty_four_games_with_hostile_bots_change_nothing_for_the_good() {
    let (alone, _) = play(&[]);
    let (among, peak) = play(&HOSTILE);
    let bots = GOOD.len() + HOSTILE.len();
    assert_eq!(among.len(), bots * (bots - 1));
    let (alone, together) = (among_the_good(&alone), among_the_good(&among));
    assert_eq!(alone.len(), GOOD.len() * (GOOD.len() - 1));
    assert_eq!(alone, together);
    for game in &among {
        let faults = game["faults"].as_array().into_iter().flatten();
        for seat in faults.filter_map(|fault| fault["seat"].as_u64()) {
            let name = seats(game)[seat as usize - 1];
            assert!(GOOD.iter().all(|(good, _)| *good != name), "a good bot is blamed: {game}");
        }
    }
    assert!(peak > 0 && peak <= MOST_KIB, "the referee took {peak} KiB of {MOST_KIB}");
}
