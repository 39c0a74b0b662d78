//! The cost of reading millions of records: rating, opening and exporting a league.

use std::fs;

use crate::jobs::{jobs, write};
use crate::league::League;
use crate::referee::linesman;
use crate::run::{Cost, run};
use crate::table::{Row, print};
use crate::{Plan, folder};

pub fn records(plan: &Plan) {
    let thorough = plan.rounds > 2;
    // The large league takes minutes per round, and is there to show memory.
    let leagues: &[(usize, u64, usize)] =
        if thorough { &[(1_000, 1_000_000, plan.rounds), (1_000, 10_000_000, 1)] } else { &[(20, 2_000, 1)] };
    for &(bots, games, rounds) in leagues {
        let folder = folder(&format!("records-{bots}-{games}"));
        let league = League::of_two(bots, games);
        write(&league, folder.path()).expect("there is room for the records");
        let bytes = fs::metadata(folder.path().join("games.jsonl")).map_or(0, |metadata| metadata.len());
        let jobs = jobs(folder.path());
        let mut costs: Vec<Vec<Cost>> = vec![Vec::new(); jobs.len()];
        for _ in 0..rounds {
            for (job, costs) in jobs.iter().zip(&mut costs) {
                costs.push(run(linesman(), &job.arguments).expect("it runs and is content"));
            }
        }
        for (job, costs) in jobs.iter().zip(&costs) {
            let what =
                format!("{games} records of {bots} bots, {} bytes each: `{}`", bytes / games, job.name);
            let (time, memory) = aims(job.name, games);
            print([
                Row::new(format!("{what}: time"), "s").wall(costs.iter().map(|cost| cost.wall)),
                Row::new(format!("{what}: user time"), "s").cpu(costs.iter().map(|cost| cost.user)).aim(time),
                Row::new(format!("{what}: memory"), "MiB, the peak")
                    .wall(costs.iter().map(|cost| cost.peak_kib as f64 / 1024.0))
                    .aim(memory),
            ]);
        }
    }
}

/// Returns the aims for time and memory.
fn aims(job: &str, games: u64) -> (&'static str, &'static str) {
    match (job, games) {
        ("ratings", 1_000_000) => ("< 2", "< 200"),
        ("league standings", 1_000_000) => ("< 10 by the clock", "< 1024"),
        _ => ("", ""),
    }
}
