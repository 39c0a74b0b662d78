//! Leagues without a process, a thread, a clock or a file: the real driver, core,
//! dispatcher, recorder and writer among bots, a disk and a machine that fail
//! as a seed says.
//!
//! After each league every game has one outcome, none is lost or doubled; who
//! failed is blamed, and nobody else; what was said to be durable is there;
//! every record verifies; and the league is the same as the undisturbed one.
//!
//! A seed that fails is printed; `LINESMAN_SIMULATION_SEED=17 cargo test --test
//! simulation` plays it again. Many of them, in a build that is fast:
//!
//! ```sh
//! LINESMAN_SIMULATION_SEEDS=1000000 cargo test --release --test simulation -- --ignored --nocapture
//! ```

mod bot;
mod chance;
mod deeds;
mod disk;
mod league;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};

use league::{Tally, simulate};

const SEED: &str = "LINESMAN_SIMULATION_SEED";
const SEEDS: &str = "LINESMAN_SIMULATION_SEEDS";

/// How many leagues every test run plays.
const USUAL: u64 = 1_500;

#[expect(clippy::disallowed_methods, reason = "people choose the seeds of this test alone")]
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("a number"))
}

/// Plays the leagues of these seeds, up to the first that fails.
#[expect(clippy::print_stderr, reason = "a failing seed has to be told")]
fn simulate_all(seeds: impl Iterator<Item = u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        match catch_unwind(AssertUnwindSafe(|| simulate(seed))) {
            Ok(one) => tally.add(&one),
            Err(panic) => {
                eprintln!("seed {seed} fails; again: {SEED}={seed} cargo test --test simulation");
                std::panic::resume_unwind(panic);
            }
        }
    }
    tally
}

#[test]
fn every_league_ends_as_if_nothing_had_happened() {
    if let Some(seed) = number(SEED) {
        simulate_all(std::iter::once(seed));
        return;
    }
    let tally = simulate_all(0..USUAL);
    // Else the simulation would show nothing.
    for word in linesman::verdict::Fault::WORDS {
        assert!(
            tally.faults.get(word).is_some_and(|times| *times > 0),
            "no bot failed by `{word}`: {tally:#?}"
        );
    }
    assert!(tally.deaths > 0 && tally.write_failures > 0 && tally.voids > 0, "{tally:#?}");
}

#[test]
#[ignore = "takes as long as one lets it"]
fn a_million_leagues() {
    let first = number(SEED).unwrap_or(0);
    let seeds = number(SEEDS).unwrap_or(1_000_000);
    let tally = simulate_all(first..first + seeds);
    eprintln!("{seeds} leagues from seed {first}: {tally:#?}");
}
