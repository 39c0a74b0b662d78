//! Measures what linesman costs, compared with a bare minimum.
//!
//! Prints one Markdown table. Each row gives the median, minimum and maximum over the
//! rounds, in wall-clock and CPU time. The sides of a comparison take turns in short windows
//! of one run, so that other load on the machine hits all of them; ratios are between
//! neighbouring windows.
//!
//! Run it with `benches/run` or `cargo bench --bench limits`, with `-- --quick` for a smoke
//! run or with the names of sections. `benches/README.md` explains the rows.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its table and warnings")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

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
use tempfile::TempDir;

/// The extent of a run.
pub struct Plan {
    rounds: usize,
    window: Duration,
    /// Numbers of concurrent games on one CPU.
    games: Vec<usize>,
    /// Numbers of concurrent games on all CPUs.
    placed_games: Vec<usize>,
    cpus: Vec<usize>,
    plots: PathBuf,
}

/// A section of the table: its name, the function that measures and prints it, and its time limit in minutes.
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

/// The option that sets a single number of concurrent games.
const GAMES: &str = "--games";

/// The option that only prints the moves of the recorded game.
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
    let mut games: Option<usize> = None;
    let mut plots = std::env::temp_dir().join("linesman-plots");
    let mut left = arguments.iter();
    while let Some(argument) = left.next() {
        match argument.as_str() {
            // `cargo bench` adds `--bench`.
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
    let (rounds, window, usual_games, usual_placed_games) = if has("--quick") {
        (2, Duration::from_millis(30), vec![1, 4], vec![4])
    } else {
        (9, Duration::from_millis(200), vec![1, 16, 64], vec![16, 64, 256])
    };
    let plan = Plan {
        rounds,
        window,
        games: games.map_or(usual_games, |games| vec![games]),
        placed_games: games.map_or(usual_placed_games, |games| vec![games]),
        cpus: process::allowed_cpus(),
        plots,
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

/// Measures a section in its own thread, so that a failing or hanging section does not
/// stop the others.
fn run_section(&(name, measure, minutes): &Section, plan: &Arc<Plan>) {
    let (over, end) = channel::<()>();
    let plan = Arc::clone(plan);
    let thread = std::thread::spawn(move || {
        // Dropped when this thread ends, even by a panic.
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

/// Returns the path of this executable, which is also that of its bots.
pub fn this_program() -> PathBuf {
    std::env::current_exe().expect("a program knows itself")
}

/// Creates an empty folder with `name` in its name, removed on drop.
pub fn folder(name: &str) -> TempDir {
    let prefix = format!("linesman-limits-{name}-");
    tempfile::Builder::new().prefix(&prefix).tempdir().expect("there is a place for temporary files")
}
