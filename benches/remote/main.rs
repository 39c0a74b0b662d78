//! Measures the cost of playing a league with workers: compared with the same league without them, and for a leader
//! with more workers than this machine could run.
//!
//! Run it with `cargo bench --bench remote`, with `-- --quick` for a smoke run or with the names of sections.
//! `benches/README.md` explains the rows.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its table")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

mod answers;
mod broker;
mod crowd;
mod games;
mod joins;
mod league;
mod link;

use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

const SECTIONS: [&str; 6] = ["packs", "slots", "empty", "link", "crowd", "joins"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some(joins::WORKERS) => return joins::workers(&arguments[1..]),
        Some(link::LINK) => {
            let (seconds, peak) = link::lead(arguments[1].parse().expect("a number"));
            return println!("{seconds} {peak}");
        }
        _ => {}
    }
    let (mut server, mut is_quick, mut chosen) = (None, false, Vec::new());
    let mut left = arguments.iter();
    while let Some(argument) = left.next() {
        match argument.as_str() {
            // Added by `cargo bench`.
            "--bench" => {}
            "--quick" => is_quick = true,
            "--server" => server = left.next().map(PathBuf::from),
            name if SECTIONS.contains(&name) => chosen.push(name),
            other => panic!("`{other}` is no section: there are {}", SECTIONS.join(", ")),
        }
    }
    let server = server.unwrap_or_else(|| PathBuf::from("/usr/sbin/nats-server"));
    println!("| what | measured: median (least..most) | aim |\n|---|---|---|");
    for section in SECTIONS {
        if chosen.is_empty() || chosen.contains(&section) {
            measure(section, &server, is_quick);
        }
    }
}

fn measure(section: &str, server: &PathBuf, is_quick: bool) {
    let ten_minutes = Duration::from_secs(600);
    match (section, is_quick) {
        ("packs", false) => games::packs(server, 5, 4, 400),
        ("packs", true) => games::packs(server, 1, 2, 20),
        ("slots", false) => games::slots(server, 3, 100),
        ("slots", true) => games::slots(server, 1, 4),
        ("empty", false) => games::empty(server, 40_000),
        ("empty", true) => games::empty(server, 200),
        ("link", false) => link::link(&[100_000, 1_000_000, 10_000_000]),
        ("link", true) => link::link(&[1_000, 2_000]),
        ("crowd", false) => crowd::crowd(10_000, Duration::from_millis(86_400), ten_minutes),
        ("crowd", true) => crowd::crowd(100, Duration::from_secs(10), Duration::from_secs(20)),
        ("joins", false) => [500, 2_000, 5_000].iter().for_each(|workers| joins::joins(server, *workers)),
        ("joins", true) => joins::joins(server, 4),
        _ => unreachable!("it is a section"),
    }
}

fn this_program() -> PathBuf {
    std::env::current_exe().expect("a program knows itself")
}

/// Returns a value from `/proc/PID/status` in MiB, or 0 if the process is gone.
fn status_mib(process: u32, name: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let kib = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1_024.0
}

fn wait_for(is_true: impl Fn() -> bool) {
    while !is_true() {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Creates an empty folder with `name` in its name, removed on drop.
fn folder(name: &str) -> TempDir {
    let prefix = format!("linesman-remote-{name}-");
    tempfile::Builder::new().prefix(&prefix).tempdir().expect("there is a place for temporary files")
}
