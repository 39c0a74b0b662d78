//! The cost of the rules, compared with the games' slow twins, and of solving a game.

use std::ffi::OsStr;

use crate::Plan;
use crate::referee::linesman;
use crate::run::{Cost, run};
use crate::table::{Row, print};
use crate::twins::{MAX_SEQUENCES, MAX_SEQUENCES_QUICK, Measure, Sink, each_game, time_per_unit};

pub fn rules(plan: &Plan) {
    let (max_sequences, size) =
        if plan.rounds > 2 { (MAX_SEQUENCES, "size=4") } else { (MAX_SEQUENCES_QUICK, "size=3") };
    each_game(&mut Rows(plan), max_sequences);
    let words = ["solve", "quixo", "--options", size, "--json", "--quiet"].map(OsStr::new);
    let costs: Vec<Cost> = (0..plan.rounds.min(3))
        .map(|_| run(linesman(), &words).expect("the solver runs and is content"))
        .collect();
    let what = format!("solver, quixo, {size}");
    print([
        Row::new(format!("{what}: time"), "s")
            .wall(costs.iter().map(|cost| cost.wall))
            .cpu(costs.iter().map(Cost::cpu))
            .aim("< 60 on two CPUs"),
        Row::new(format!("{what}: memory"), "MiB, the peak")
            .wall(costs.iter().map(|cost| cost.peak_kib as f64 / 1024.0))
            .aim("< 1024"),
    ]);
}

/// Prints a row for the ratio and one for the real rules' time.
struct Rows<'p>(&'p Plan);

impl Sink for Rows<'_> {
    fn take(&mut self, game: &str, measures: Vec<Measure<'_>>) {
        let window = self.0.window / 4;
        for Measure { what, mut real, mut twin } in measures {
            let rounds: Vec<(f64, f64)> = (0..self.0.rounds)
                .map(|round| {
                    // The first side alternates.
                    if round % 2 == 0 {
                        let twin = time_per_unit(&mut twin, window);
                        (twin, time_per_unit(&mut real, window))
                    } else {
                        let real = time_per_unit(&mut real, window);
                        (time_per_unit(&mut twin, window), real)
                    }
                })
                .collect();
            let aim = match (game, what.as_str()) {
                ("quixo", random) if random.contains("random") => ">= 25",
                ("quixo", made) if made.contains("made") => ">= 5",
                ("quixo", counted) if counted.contains("counted") => ">= 100",
                _ => "",
            };
            let what = format!("rules, {game}: {what}");
            print([
                Row::new(format!("{what}: speed"), "x of the slow twin's")
                    .cpu(rounds.iter().map(|(twin, real)| twin / real))
                    .aim(aim),
                Row::new(format!("{what}: time"), "ns").cpu(rounds.iter().map(|(_, real)| *real)),
            ]);
        }
    }
}
