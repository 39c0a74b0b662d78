//! What linesman costs, beside the least that anything could.
//!
//! One table in Markdown: each row a median with the least and the most of the rounds,
//! by the clock and by CPU time. What is compared takes turns in short windows of one
//! run, so that whatever else the machine does hits all sides; ratios are of
//! neighbouring windows.
//!
//! `benches/run`, or `cargo bench --bench limits`, with `-- --quick` for a smoke run, or
//! with the names of some sections. `benches/README.md` says what the rows mean.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints its table, and what disturbs it"
)]
#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the clock")]

mod bare;
mod bot;
mod counters;
mod durability;
mod fair_time;
mod floor;
mod growth;
#[path = "../records/jobs.rs"]
mod jobs;
#[path = "../records/league.rs"]
mod league;
mod memory;
mod placement;
mod players;
mod plot;
mod reading;
mod recorded;
mod referee;
mod rules;
#[path = "../records/run.rs"]
mod run;
mod start;
mod table;
mod trips;
#[path = "../rules/twins.rs"]
mod twins;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use linesman::process;

/// How much is measured.
pub struct Plan {
    rounds: usize,
    window: Duration,
    /// At once, on one CPU.
    games: Vec<usize>,
    /// At once, on all CPUs.
    placed_games: Vec<usize>,
    cpus: Vec<usize>,
    /// Where the plots go.
    plots: PathBuf,
}

/// A part of the table: its name, what measures and prints it, and how many minutes that may take.
type Section = (&'static str, fn(&Plan), u64);

const SECTIONS: [Section; 10] = [
    ("trips", trips::round_trips, 10),
    ("protections", trips::protections, 10),
    ("placement", placement::placement, 15),
    ("time", fair_time::fair_time, 10),
    ("durability", durability::durability, 10),
    ("memory", memory::memory, 30),
    ("start", start::start, 15),
    ("rules", rules::rules, 30),
    ("records", reading::records, 60),
    ("growth", growth::growth, 60),
];

/// The argument by which games are played so many at once, and no other number of them.
const GAMES: &str = "--games";

/// The argument by which this program only tells the moves of the recorded game.
const MOVES: &str = "--moves";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == bot::BOT) {
        return bot::bot(&arguments);
    }
    if arguments.first().is_some_and(|first| first == run::LAUNCH) {
        return run::launch(&arguments[1..]).expect("the program runs and is content");
    }
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has(MOVES) {
        return println!("{}", recorded::Recorded::of(60).moves.join(","));
    }
    let cpus = process::allowed_cpus();
    let mut games: Option<usize> = None;
    let mut plots = std::env::temp_dir().join("linesman-plots");
    let mut left = arguments.iter();
    while let Some(argument) = left.next() {
        match argument.as_str() {
            // `cargo bench` adds the first.
            "--bench" | "--quick" | start::RESIDENT => {}
            GAMES => games = left.next().and_then(|games| games.parse().ok()),
            "--plots" => plots = left.next().map_or(plots, PathBuf::from),
            name if SECTIONS.iter().any(|(section, ..)| *section == name) => {}
            other => {
                let names = SECTIONS.map(|(name, ..)| name).join(", ");
                panic!("`{other}` is no section: there are {names}");
            }
        }
    }
    let plan = if has("--quick") {
        Plan {
            rounds: 2,
            window: Duration::from_millis(30),
            games: vec![1, 4],
            placed_games: vec![4],
            cpus,
            plots,
        }
    } else {
        Plan {
            rounds: 9,
            window: Duration::from_millis(200),
            games: vec![1, 16, 64],
            placed_games: vec![16, 64, 256],
            cpus,
            plots,
        }
    };
    let plan = match games {
        Some(games) => Plan { games: vec![games], placed_games: vec![games], ..plan },
        None => plan,
    };
    if has(start::RESIDENT) {
        return start::with_memory(&plan);
    }
    let chosen = |name: &str| has(name) || !SECTIONS.iter().any(|(name, ..)| has(name));
    table::print_head();
    let plan = Arc::new(plan);
    for section in SECTIONS.iter().filter(|(name, ..)| chosen(name)) {
        run_section(section, &plan);
    }
}

/// Measures a section in a thread of its own, so that one that fails or does not end
/// does not take the others with it.
fn run_section(&(name, measure, minutes): &Section, plan: &Arc<Plan>) {
    let (over, end) = channel::<()>();
    let plan = Arc::clone(plan);
    let thread = std::thread::spawn(move || {
        // It is dropped when this ends, in whichever way.
        let _over = over;
        measure(&plan);
    });
    let why = match end.recv_timeout(Duration::from_secs(60 * minutes)) {
        Err(RecvTimeoutError::Timeout) => {
            format!("it had not ended after {minutes} minutes; what follows may be disturbed")
        }
        _ if thread.join().is_err() => "it went wrong, as stderr says".to_owned(),
        _ => return,
    };
    let rest = table::Row::new(format!("`{name}`: what is not above"), "");
    table::print([rest.aim(players::NotMeasured(why).to_string())]);
}

/// This program's file, which is its bots' too.
pub fn this_program() -> PathBuf {
    std::env::current_exe().expect("a program knows itself")
}

/// A folder for files that are gone afterwards.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty one with this in its name.
    pub fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("linesman-limits-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("there is a place for temporary files");
        Folder(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &std::path::Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left is in the place for what may be removed.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
