//! Measures the cost of the rules in random games and perft, compared with the
//! games' slow twins from the tests.
//!
//! Both sides take turns in short windows, so that other load on the machine
//! hits both; ratios are between neighbouring windows. The table of ratios is
//! printed first, then criterion measures each side by itself.
//!
//! Run it with `cargo bench --bench rules`, with `-- --quick` for a smoke run.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

mod twins;

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};

use twins::{MAX_SEQUENCES, MAX_SEQUENCES_QUICK, Measure, Sink, each_game, time_per_unit};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let (plan, max_sequences) = if quick {
        (Plan { rounds: 2, window: Duration::from_millis(5) }, MAX_SEQUENCES_QUICK)
    } else {
        (Plan { rounds: 25, window: Duration::from_millis(40) }, MAX_SEQUENCES)
    };
    println!("{} rounds of {:?} a side, CPU time\n", plan.rounds, plan.window);
    println!("game         what                            twin ns    real ns   x faster (q1..q3)");
    each_game(&mut Ratios(&plan), max_sequences);
    println!();
    let (warm_up, measurement) = if quick { (10, 20) } else { (300, 1000) };
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(warm_up))
        .measurement_time(Duration::from_millis(measurement))
        .configure_from_args();
    each_game(&mut Alone(&mut criterion), max_sequences);
    criterion.final_summary();
}

struct Plan {
    rounds: usize,
    window: Duration,
}

/// Prints how many times faster the real rules are.
struct Ratios<'p>(&'p Plan);

impl Sink for Ratios<'_> {
    fn take(&mut self, game: &str, measures: Vec<Measure<'_>>) {
        for Measure { what, mut real, mut twin } in measures {
            let mut rounds = Vec::new();
            for _ in 0..self.0.rounds {
                rounds
                    .push((time_per_unit(&mut twin, self.0.window), time_per_unit(&mut real, self.0.window)));
            }
            let [_, twin, _] = quartiles(rounds.iter().map(|(twin, _)| *twin));
            let [_, real, _] = quartiles(rounds.iter().map(|(_, real)| *real));
            let [low, middle, high] = quartiles(rounds.iter().map(|(twin, real)| twin / real));
            println!("{game:<12} {what:<30} {twin:>8.1} {real:>10.2}   {middle:>6.1} ({low:.1}..{high:.1})");
        }
    }
}

fn quartiles(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let last = values.len() - 1;
    [values[last / 4], values[last / 2], values[last - last / 4]]
}

/// Measures each side separately with criterion.
struct Alone<'c>(&'c mut Criterion);

impl Sink for Alone<'_> {
    fn take(&mut self, game: &str, measures: Vec<Measure<'_>>) {
        for Measure { what, real, twin } in measures {
            let mut group = self.0.benchmark_group(format!("{game}, {what}"));
            group.throughput(Throughput::Elements(1));
            for (side, mut work) in [("real", real), ("twin", twin)] {
                group.bench_function(side, |bencher| {
                    bencher.iter_custom(|times| {
                        // Work varies from game to game, so report the time per unit.
                        let start = Instant::now();
                        let units: u64 = (0..times).map(|_| work()).sum();
                        start.elapsed().mul_f64(times as f64 / units as f64)
                    });
                });
            }
            group.finish();
        }
    }
}
