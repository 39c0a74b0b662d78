//! Simulated leagues, without processes, threads, clocks or files: the real driver, core,
//! dispatcher, recorder and writer run with bots, a disk and a machine whose failures
//! follow from a seed.
//!
//! Checks for each game: the bot that failed is blamed for its fault, and no other; every
//! move printed in time is played and charged its time; no bot loses because of the
//! machine. Checks for each league: every game has exactly one outcome; what was reported
//! durable is still there; every record verifies; and the outcomes equal those of the
//! undisturbed league, whatever the schedule (for a ladder only that all games are there,
//! each following from the others).
//!
//! A seed that fails or hangs is printed; `LINESMAN_SIMULATION_SEED=17 cargo test --test
//! simulation every` plays it again. A million seeds, in an optimised build that reports
//! its progress:
//!
//! ```sh
//! cargo test --release --test simulation -- --ignored --nocapture
//! ```
//!
//! `LINESMAN_SIMULATION_SEED` then sets the first seed, and `LINESMAN_SIMULATION_SEEDS`
//! the number of seeds.

mod behaviours;
mod bot;
mod chance;
mod disk;
mod fair_time;
mod judge;
#[path = "../support/kept.rs"]
mod kept;
mod league;
mod misbehaviours;
mod ponder;
mod runtime;
mod session;
mod turn;
mod watchdog;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use kept::check_file;

use league::{Tally, simulate, undisturbed_records};
use linesman::league::file::{Ponder, ScheduleKind};
use sha2::{Digest, Sha256};
use watchdog::Watchdog;

const SEED: &str = "LINESMAN_SIMULATION_SEED";
const SEEDS: &str = "LINESMAN_SIMULATION_SEEDS";

/// The number of leagues in every test run.
const USUAL: u64 = 1_500;

/// The number of leagues between two progress reports of a long run.
const REPORT_EVERY: u64 = 10_000;

#[expect(clippy::disallowed_methods, reason = "the variables choose the seeds of this test only")]
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("a number"))
}

/// Returns the command that plays one league again.
fn again(seed: u64, ponder: Ponder) -> String {
    let test = match ponder {
        Ponder::Allowed => "bots_that_ponder",
        Ponder::Refused => "every",
    };
    format!("{SEED}={seed} cargo test --test simulation {test}")
}

/// Plays the leagues of `seeds`, up to the first that fails.
#[expect(clippy::print_stderr, reason = "a failing seed must be printed")]
fn simulate_all(seeds: impl Iterator<Item = u64>, ponder: Ponder) -> Tally {
    let mut tally = Tally::default();
    let watchdog = Watchdog::start(ponder);
    for seed in seeds {
        watchdog.look_at(seed);
        match catch_unwind(AssertUnwindSafe(|| simulate(seed, ponder))) {
            Ok(league) => tally.add(&league),
            Err(panic) => {
                eprintln!("seed {seed} fails; again: {}", again(seed, ponder));
                std::panic::resume_unwind(panic);
            }
        }
    }
    tally
}

#[test]
fn every_league_ends_as_if_nothing_had_happened() {
    if let Some(seed) = number(SEED) {
        simulate_all(std::iter::once(seed), Ponder::Refused);
        return;
    }
    let tally = simulate_all(0..USUAL, Ponder::Refused);
    // Otherwise the simulation would show nothing.
    for word in linesman::verdict::FaultKind::WORDS {
        assert!(
            tally.faults.get(word).is_some_and(|times| *times > 0),
            "no bot failed by `{word}`: {tally:#?}"
        );
    }
    assert!(tally.adjudicated > 0 && tally.from_openings > 0, "{tally:#?}");
    for kind in ScheduleKind::ALL {
        assert!(tally.schedules.contains_key(kind.word()), "no league is a {}: {tally:#?}", kind.word());
    }
    assert!(tally.tables > 0, "no Swiss is of tables of three or four: {tally:#?}");
    assert!(tally.deaths > 0 && tally.write_failures > 0 && tally.voids > 0, "{tally:#?}");
}

/// The number of leagues with pondering bots in every test run.
const PONDERING: u64 = 400;

#[test]
fn bots_that_ponder_are_charged_for_their_own_turns_only() {
    if let Some(seed) = number(SEED) {
        simulate_all(std::iter::once(seed), Ponder::Allowed);
        return;
    }
    let tally = simulate_all(0..PONDERING, Ponder::Allowed);
    // Otherwise the simulation would show nothing.
    assert!(tally.hits > 1_000 && tally.misses > 500, "{tally:#?}");
}

/// The number of leagues whose records are compared with the golden file.
const GOLDEN: u64 = 200;

#[test]
fn records_are_byte_for_byte_as_they_were() {
    let digests: String = (0..GOLDEN)
        .map(|seed| {
            let digest = Sha256::digest(undisturbed_records(seed));
            let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{seed} {digest}\n")
        })
        .collect();
    check_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/simulation"), &digests);
}

/// Seeds that once failed.
const ONCE_FAILED: [u64; 3] = [280_809, 317_345, 622_262];

#[test]
fn seeds_that_once_failed_still_pass() {
    let tally = simulate_all(ONCE_FAILED.into_iter(), Ponder::Refused);
    // None of these leagues may become one of the Swiss tournaments with tables, which replaced some seeds.
    assert_eq!(tally.tables, 0, "{tally:#?}");
}

#[test]
#[ignore = "long; `LINESMAN_SIMULATION_SEEDS` sets its length"]
fn a_million_leagues() {
    let first = number(SEED).unwrap_or(0);
    let end = first + number(SEEDS).unwrap_or(1_000_000);
    let mut tally = Tally::default();
    let start = now();
    for from in (first..end).step_by(REPORT_EVERY as usize) {
        let next = end.min(from + REPORT_EVERY);
        tally.add(&simulate_all(from..next, Ponder::Refused));
        let rate = (next - first) as f64 / start.elapsed().as_secs_f64();
        eprintln!(
            "seeds {first} to {}: none fails; {} games, {rate:.0} leagues a second",
            next - 1,
            tally.games
        );
    }
    eprintln!("{tally:#?}");
}

#[expect(clippy::disallowed_methods, reason = "the speed of a long run is reported")]
fn now() -> Instant {
    Instant::now()
}
