//! Load tests: 64 concurrent games with hostile bots among them, 200 bots that
//! start at once, and a busy machine.
//!
//! This is a separate program, because it would make concurrent tests late.

#[expect(dead_code, reason = "not all of it is needed here")]
#[path = "../support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use linesman::check::suite::{max_kib, peak_kib_of};
use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::{Value, json};

use support::bots::{self, LETS_BOTS_WRITE, records, seats, shell_bot};
use support::running::Running;
use support::scratch::Scratch;

const LONG: Duration = Duration::from_secs(600);
const AT_ONCE: u64 = 64;

/// Good bots. Their moves follow from the game's id and seed alone.
const CHALLENGERS: [(&str, &str); 2] =
    [("searcher", "linesman bot alphabeta --depth 2"), ("other", "linesman bot random --seed 5")];
const OPPONENTS: [(&str, &str); 2] = [("random", "linesman bot random"), ("greedy", "linesman bot greedy")];

/// At least one bot of each family, with bounded use of resources, so that they do
/// no harm even without a sandbox.
const HOSTILE: [&str; 21] = [
    "exits-0-at-once",
    "exits-after-a-move",
    "answers-late",
    "endless-line",
    "invalid-utf8",
    "illegal-move",
    "closes-output",
    "daemon",
    "fork-bomb",
    "eats-heap",
    "writes-files",
    "uses-network",
    "spies-on-processes",
    "kills-its-supervisor",
    "changes-its-world",
    "spins-in-a-child",
    "dumps-environment",
    "injects-stderr",
    "long-thoughts",
    "endless-stderr",
    "never-reads",
];

/// Returns a gauntlet of two good bots against the others, good and hostile. Games between hostile bots would show
/// nothing here; `hostile::suite` plays those.
fn tournament(hostile: &[&str]) -> String {
    let challengers = CHALLENGERS.map(|(name, _)| name);
    let mut text = format!(
        "version = 1\nname = \"load\"\ngame = \"quixo\"\noptions = {{ size = 4 }}\nmovetime = \"60s\"\n\
         schedule = \"gauntlet\"\nchallengers = {challengers:?}\nrounds = 2\n\
         concurrency = {AT_ONCE}\noversubscribe = true\n\
         limits = {{ start = \"60s\", ready = \"60s\" }}\n"
    );
    for (name, command) in CHALLENGERS.iter().chain(&OPPONENTS) {
        text.push_str(&format!("\n[[bots]]\nname = \"{name}\"\ncommand = \"{command}\"\n"));
    }
    for name in hostile {
        // A short limit for bots that never answer. `long-thoughts` does answer, with megabytes that an unoptimised
        // referee reads for a while: with a short limit its games would be annulled again and again.
        let time = if *name == "long-thoughts" { "60s" } else { "1s" };
        text.push_str(&format!(
            "\n[[bots]]\nname = \"{name}\"\ncommand = \"linesman bot hostile {name}\"\n\
             limits = {{ move = \"{time}\", memory = \"128MiB\", processes = 60 }}\n"
        ));
    }
    text
}

/// The observations of a league.
struct Load {
    records: Vec<Value>,
    /// The referee's peak memory in KiB, without pages of files.
    peak_kib: u64,
    /// The minimum number of the referee's open descriptors after the last game was recorded.
    descriptors: Option<usize>,
}

/// Plays a league. `users` are bot users that no other test takes.
#[track_caller]
fn play(tournament: &str, games: usize, users: &str) -> Load {
    play_in(&Scratch::new(), tournament, games, users, |_| {})
}

/// Plays a league in a folder and repeatedly calls `look` with the number of the referee's child processes.
#[track_caller]
fn play_in(
    scratch: &Scratch,
    tournament: &str,
    games: usize,
    users: &str,
    mut look: impl FnMut(usize),
) -> Load {
    scratch.write("load.toml", tournament);
    let file = scratch.path("runs/load/games.jsonl");
    let mut command = scratch.command(["league", "run", "load.toml", "--keep-going", "--progress", "none"]);
    let running = Running::start(command.env("LINESMAN_BOT_USERS", users));
    let (mut peak_kib, mut descriptors) = (0, None);
    let (mut played, mut recorded) = (0, None);
    while !running.ends_within(Duration::from_millis(5)) {
        peak_kib = peak_kib.max(peak_kib_of(running.id()));
        look(children_of(running.id()));
        // Only count what was added since the last time.
        recorded = recorded.or_else(|| File::open(&file).ok());
        played += recorded.as_mut().map_or(0, lines_to_end);
        if played < games {
            continue;
        }
        let open = fs::read_dir(format!("/proc/{}/fd", running.id())).map(Iterator::count);
        if let Ok(open @ 1..) = open {
            descriptors = Some(descriptors.map_or(open, |fewest: usize| fewest.min(open)));
        }
    }
    let run = running.end_within(LONG);
    // On a busy host moves can be late through no fault of a bot: such games are annulled and played again, and
    // some can stay open.
    let (annulled, records): (Vec<Value>, Vec<Value>) =
        records(&file).into_iter().partition(|game| game["void"]["kind"] == "host");
    let id = |game: &Value| game["id"].to_string();
    let decided: BTreeSet<String> = records.iter().map(id).collect();
    assert_eq!(decided.len(), records.len(), "no game has two results");
    let open = annulled.iter().map(id).filter(|id| !decided.contains(id)).collect::<BTreeSet<_>>().len();
    assert_eq!(run.status, Some(if open > 0 { 3 } else { 0 }), "{}", run.stderr);
    assert_eq!(records.len() + open, games, "each game has one result, or is open");
    // The scratch folder checks that no process is left.
    Load { records, peak_kib, descriptors }
}

/// Returns the number of lines that end between the file's position and its end.
fn lines_to_end(file: &mut File) -> usize {
    let mut added = Vec::new();
    // After an error the next call continues from here.
    let _ = file.read_to_end(&mut added);
    added.iter().filter(|byte| **byte == b'\n').count()
}

fn children_of(pid: u32) -> usize {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    tasks
        .map(|task| fs::read_to_string(task.path().join("children")).unwrap_or_default())
        .map(|children| children.split_ascii_whitespace().count())
        .sum()
}

fn is_good(name: &str) -> bool {
    CHALLENGERS.iter().chain(&OPPONENTS).any(|(good, _)| *good == name)
}

/// Returns moves and places of the games among good bots, by game id.
fn among_the_good(games: &[Value]) -> BTreeMap<String, (Value, Value)> {
    games
        .iter()
        .filter(|game| seats(game).iter().all(|name| is_good(name)))
        .map(|game| (game["id"].to_string(), (game["moves"].clone(), game["places"].clone())))
        .collect()
}

#[track_caller]
fn nobody_good_is_blamed(games: &[Value]) {
    for game in games {
        let faults = game["faults"].as_array().into_iter().flatten();
        for seat in faults.filter_map(|fault| fault["seat"].as_u64()) {
            let name = seats(game)[seat as usize - 1];
            assert!(!is_good(name), "a good bot is blamed: {game}");
        }
    }
}

#[test]
fn hostile_bots_in_64_concurrent_games_change_nothing_for_good_bots() {
    const USERS: &str = "70000-70499";
    for (family, bots) in linesman::check::hostile::HOSTILE {
        let is_there = bots.iter().any(|bot| HOSTILE.contains(&bot.name));
        assert!(is_there, "nobody of the family `{family}` is among them");
    }
    // Each challenger meets each opponent twice from both seats.
    let games = |hostile: usize| 4 * CHALLENGERS.len() * (OPPONENTS.len() + hostile);
    let alone = play(&tournament(&[]), games(0), USERS);
    let among = play(&tournament(&HOSTILE), games(HOSTILE.len()), USERS);
    let (good, mut together) = (among_the_good(&alone.records), among_the_good(&among.records));
    let mut alone_too = good.clone();
    // All games, unless this host left some open.
    alone_too.retain(|id, _| together.contains_key(id));
    together.retain(|id, _| good.contains_key(id));
    assert!(!together.is_empty(), "good bots met in both leagues");
    assert_eq!(alone_too, together);
    nobody_good_is_blamed(&among.records);
    let peak = among.peak_kib;
    let limit = max_kib(AT_ONCE);
    assert!(peak > 0 && peak <= limit, "the referee took {peak} KiB of {limit}");
    // A look that came too late proves nothing. The counts can differ slightly by the moment
    // of the look; a leak would show in the many games of each hostile bot.
    if let (Some(alone), Some(among)) = (alone.descriptors, among.descriptors) {
        assert!(among <= alone + 3, "{among} descriptors are open at the end, with good bots {alone}");
    }
}

#[test]
fn two_hundred_bots_that_start_at_once_all_play() {
    const GAMES: u64 = 100;
    let rounds = GAMES / 2;
    // The first bot on move waits until all bots are running: opening a pipe for reading blocks without a writer.
    let bots = ["one", "other"].map(|name| (name, "sh waits.sh"));
    let mut text = format!(
        "version = 1\nname = \"load\"\ngame = \"quixo\"\noptions = {{ size = 3 }}\nmovetime = \"300s\"\n\
         rounds = {rounds}\nconcurrency = {GAMES}\noversubscribe = true\n{LETS_BOTS_WRITE}\
         limits = {{ start = \"60s\", ready = \"60s\" }}\n"
    );
    for (name, command) in bots {
        text.push_str(&format!("\n[[bots]]\nname = \"{name}\"\ncommand = \"{command}\"\n"));
    }
    let scratch = Scratch::new();
    scratch.write("waits.sh", shell_bot("go) : < gate; echo \"bestmove $move\";;"));
    let gate = scratch.path("gate");
    mkfifoat(CWD, &gate, Mode::from_raw_mode(0o644)).expect("the folder is ours");
    let mut open = None;
    let load = play_in(&scratch, &text, GAMES as usize, "71000-71499", |processes| {
        if processes == 2 * GAMES as usize {
            let writer = || File::options().read(true).write(true).open(&gate).expect("the pipe is ours");
            open.get_or_insert_with(writer);
        }
    });
    assert_eq!(load.records.len(), GAMES as usize);
    for game in &load.records {
        assert!(game["faults"].is_null() && game["void"].is_null(), "{game}");
    }
    let limit = max_kib(GAMES);
    assert!(load.peak_kib <= limit, "the referee took {} KiB of {limit}", load.peak_kib);
}

/// Four busy threads per core, until dropped.
struct Spinners {
    end: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Spinners {
    fn start() -> Spinners {
        let end = Arc::new(AtomicBool::new(false));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let spin = |end: Arc<AtomicBool>| move || while !end.load(Ordering::Relaxed) {};
        let threads = (0..cores * 4).map(|_| std::thread::spawn(spin(Arc::clone(&end)))).collect();
        Spinners { end, threads }
    }
}

impl Drop for Spinners {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

#[test]
fn spinners_on_every_core_make_nobody_lose_on_time_without_a_reason() {
    let scratch = Scratch::new();
    // These bots use all of their time.
    let bot = "linesman bot mcts";
    let text = bots::tournament("rounds = 3\nconcurrency = 1\n", &[("one", bot), ("other", bot)]);
    scratch.write("load.toml", text.replace("30s", "50ms"));
    let spinners = Spinners::start();
    let run = scratch.start(["league", "run", "load.toml", "--keep-going", "--progress", "none"]);
    let run = run.end_within(LONG);
    drop(spinners);
    let games = records(&scratch.path("runs/load/games.jsonl"));
    let last: BTreeMap<String, &Value> = games.iter().map(|game| (game["id"].to_string(), game)).collect();
    assert_eq!(last.len(), 6);
    // Under still more load, every attempt at a game can be annulled. Then it stays open, and nobody has lost.
    let is_open = last.values().any(|game| game["void"].is_object());
    assert_eq!(run.status, Some(if is_open { 3 } else { 0 }), "{}", run.stderr);
    for game in games.iter() {
        if let Some(void) = game["void"].as_object() {
            assert_eq!(void["kind"], "host", "{game}");
        }
        for fault in game["faults"].as_array().into_iter().flatten() {
            // The game was repeated so often that it had to count, and is marked.
            assert_eq!((&fault["fault"], &fault["overload"]), (&json!("time"), &json!(true)), "{game}");
        }
    }
}
