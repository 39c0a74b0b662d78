use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::happening::{SimEvent, ms};
use super::{POISON, Simulation};
use crate::wire::{GameKey, owner};
use linesman_league::leader_notice::LeaderNotice;

const SEED: &str = "LINESMAN_SIMULATION_SEED";
const SEEDS: &str = "LINESMAN_SIMULATION_SEEDS";

/// Number of seeds of an ordinary test run.
const SEEDS_PER_RUN: u64 = 150;

/// Number of seeds after which a long run prints its progress.
const SEEDS_PER_LINE: u64 = 10_000;

/// Counts of several simulations.
#[derive(Default, Debug)]
struct SimCounts {
    faults: u64,
    wipes: u64,
    power_cuts: u64,
    cuts: u64,
    duplicates: u64,
    given_up: usize,
}

#[expect(clippy::disallowed_methods, reason = "people choose the seeds of this test alone")]
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("a number"))
}

fn play(seed: u64, counts: &mut SimCounts) {
    let mut simulation = Simulation::with_faults(seed);
    simulation.run();
    simulation.check();
    counts.faults += simulation.faults;
    counts.wipes += simulation.wipes;
    counts.power_cuts += simulation.power_cuts;
    counts.cuts += simulation.cuts;
    counts.duplicates += simulation.leader.as_ref().map_or(0, |leader| leader.counts().duplicates);
    counts.given_up += simulation.given_up.borrow().len();
}

#[test]
fn without_faults_every_game_is_played_once() {
    for seed in 0..10 {
        let mut simulation = Simulation::new(seed, 200, 3);
        simulation.run();
        simulation.check();
        let duplicates = simulation.leader.as_ref().expect("it led").counts().duplicates;
        assert_eq!(duplicates, 0, "nobody plays a game twice");
    }
}

#[test]
fn few_games_are_played_twice_when_leaders_die() {
    let (mut died, mut twice) = (0, 0);
    for seed in 0..20 {
        let mut simulation = Simulation::new(seed, 400, 3);
        while !simulation.has_ended {
            simulation.step();
            if simulation.leader.is_some() && simulation.now > simulation.leader_clock.start + ms(3_000) {
                died += 1;
                simulation.kill_leader();
            }
        }
        simulation.check();
        let played: BTreeSet<&GameKey> = simulation.plays.iter().map(|(key, _)| key).collect();
        twice += simulation.plays.len() - played.len();
    }
    // On this network, a new result can overtake one that waited.
    assert!(died > 50 && twice < died, "{died} leaders died, {twice} games were played twice");
}

#[test]
fn no_game_is_played_twice_when_workers_give_back_parts_of_packs() {
    let (mut given_back, mut duplicates) = (0, 0);
    for seed in 0..10 {
        let mut simulation = Simulation::new(seed, 400, 3);
        for (after, worker) in [(3_000, 0), (6_000, 1), (9_000, 2)] {
            simulation.schedule(ms(after), 0, SimEvent::WorkerIsStopped(worker));
        }
        simulation.run();
        simulation.check();
        duplicates += simulation.leader.as_ref().expect("it led").counts().duplicates;
        given_back += simulation.broker.given_back;
    }
    // On this network, the report on a pack can overtake the report on its last game. A pack has several games.
    assert!(given_back > 5 && duplicates < given_back, "{duplicates} duplicates, {given_back} packs");
}

#[test]
fn no_game_is_lost_or_recorded_twice_with_every_seed() {
    let mut counts = SimCounts::default();
    if let Some(seed) = number(SEED) {
        play(seed, &mut counts);
        return;
    }
    for seed in 0..SEEDS_PER_RUN {
        play(seed, &mut counts);
    }
    // Otherwise the test would prove nothing.
    let SimCounts { faults, wipes, power_cuts, cuts, duplicates, .. } = counts;
    let are_enough = faults > 500 && wipes > 20 && power_cuts > 20 && cuts > 20 && duplicates > 10;
    assert!(are_enough, "{counts:?}");
}

#[test]
#[ignore = "takes long: LINESMAN_SIMULATION_SEEDS sets the number of seeds"]
fn a_hundred_thousand_seeds() {
    let first = number(SEED).unwrap_or(0);
    let end = first + number(SEEDS).unwrap_or(100_000);
    let (mut counts, mut failed) = (SimCounts::default(), Vec::new());
    for seed in first..end {
        if catch_unwind(AssertUnwindSafe(|| play(seed, &mut counts))).is_err() {
            eprintln!(
                "seed {seed} fails; again: {SEED}={seed} cargo test -p linesman-remote with_every_seed"
            );
            failed.push(seed);
        }
        if (seed + 1 - first).is_multiple_of(SEEDS_PER_LINE) {
            eprintln!("seeds {first} to {seed}: {} fail; {counts:?}", failed.len());
        }
    }
    assert!(failed.is_empty(), "{} seeds fail: {failed:?}", failed.len());
}

#[test]
fn a_game_that_kills_workers_is_given_up_and_the_others_are_played() {
    let mut simulation = Simulation::new(7, 40, 2);
    simulation.games[20].id = POISON.to_owned();
    simulation.run();
    simulation.check();
    assert_eq!(*simulation.given_up.borrow(), BTreeSet::from([POISON.to_owned()]));
    let is_reported = simulation.notices.iter().any(|notice| matches!(notice, LeaderNotice::GivenUp { .. }));
    assert!(is_reported, "{:?}", simulation.notices);
}

#[test]
fn a_lying_worker_is_reported_and_others_play_its_games() {
    let mut simulation = Simulation::new(8, 60, 3);
    simulation.workers[1].is_liar = true;
    simulation.run();
    simulation.check();
    let liars: BTreeSet<&str> = (simulation.notices.iter())
        .filter_map(|notice| match notice {
            LeaderNotice::Refused { worker, .. } => Some(worker.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(liars, BTreeSet::from(["w1"]));
}

#[test]
fn a_worker_that_annuls_all_of_its_games_is_set_aside_and_others_play_them() {
    let mut simulation = Simulation::new(9, 60, 3);
    simulation.workers[1].annuls = true;
    simulation.run();
    simulation.check();
    let aside: Vec<&LeaderNotice> = (simulation.notices.iter())
        .filter(|notice| matches!(notice, LeaderNotice::SetAside { worker, .. } if worker == "w1"))
        .collect();
    assert_eq!(aside.len(), 1, "{:?}", simulation.notices);
    assert!(simulation.workers[1].worker.is_none(), "it has stopped");
}

#[test]
fn repeats_are_played_by_other_owners_and_reveal_the_worker_that_differs() {
    let mut simulation = Simulation::new(9, 200, 4);
    for (worker, name) in simulation.workers.iter_mut().zip(["anna_1", "anna_2", "ben", "carl"]) {
        worker.name = name.to_owned();
    }
    simulation.workers[3].deviates = true;
    simulation.repeat_interval = 5;
    simulation.run();
    simulation.check();
    let repeats = simulation.repeats.borrow();
    assert!(repeats.iter().filter(|(key, _)| key.repeat == 1).count() >= 30, "{}", repeats.len());
    let disagreed: Vec<_> = (simulation.notices.iter())
        .filter_map(|notice| match notice {
            LeaderNotice::Disagreed { workers, odd, .. } => Some((workers, odd.as_deref())),
            _ => None,
        })
        .collect();
    assert!(disagreed.iter().any(|(workers, _)| workers.len() == 3));
    for (workers, odd) in disagreed {
        let owners: BTreeSet<&str> = workers.iter().map(|worker| owner(worker)).collect();
        assert_eq!(owners.len(), workers.len(), "each is of another owner");
        // The machine may annul the third play.
        assert_eq!(odd, (workers.len() == 3).then_some("carl"));
    }
}

#[test]
fn a_worker_cannot_confirm_its_own_games() {
    let mut simulation = Simulation::new(11, 200, 3);
    for (worker, name) in simulation.workers.iter_mut().zip(["anna_1", "anna_2", "ben"]) {
        worker.name = name.to_owned();
        worker.plays_own_repeats = name != "ben";
    }
    simulation.repeat_interval = 5;
    simulation.run();
    simulation.check();
    let by = |number: usize| owner(&simulation.workers[number].name);
    let first = |key: &GameKey| {
        let original = GameKey { repeat: 0, ..key.clone() };
        simulation.plays.iter().find(|(key, _)| *key == original).map(|(_, number)| by(*number))
    };
    let own_repeats =
        simulation.plays.iter().filter(|(key, number)| key.repeat > 0 && first(key) == Some(by(*number)));
    assert!(own_repeats.count() > 0, "it plays some");
    let repeats = simulation.repeats.borrow();
    assert!(!repeats.is_empty() && repeats.iter().all(|(key, name)| first(key) != Some(owner(name))));
    assert!(simulation.leader.as_ref().is_some_and(|leader| leader.refused().count() == 0));
}

#[test]
fn a_league_with_a_single_owner_ends_without_repeats() {
    let mut simulation = Simulation::new(10, 40, 2);
    for (worker, name) in simulation.workers.iter_mut().zip(["anna_1", "anna_2"]) {
        worker.name = name.to_owned();
    }
    simulation.repeat_interval = 2;
    simulation.run();
    simulation.check();
    assert!(simulation.repeats.borrow().is_empty());
}
