//! Measures the cost of rating a large field: counting its games, and fitting ratings
//! and intervals to the counts.

use criterion::{Criterion, criterion_group, criterion_main};
use linesman::rating::{LikelihoodOptions, Results, Score, expected_score, rate};

const BOTS: usize = 1_000;
const GAMES: usize = 1_000_000;

/// Returns games of bots across 800 Elo, with three in ten drawn between equals.
fn games() -> Vec<(usize, usize, Score)> {
    let mut state = 1u64;
    let mut throw = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1u64 << 31) as f64
    };
    (0..GAMES)
        .map(|_| {
            let first = (throw() * BOTS as f64) as usize;
            let second = (first + 1 + (throw() * (BOTS - 1) as f64) as usize) % BOTS;
            let difference = (first as f64 - second as f64) * 800.0 / BOTS as f64;
            let expected = expected_score(difference);
            let draw = 0.6 * expected.min(1.0 - expected);
            let outcome = match throw() {
                low if low < draw => Score::Draw,
                middle if middle < expected + draw / 2.0 => Score::Win,
                _ => Score::Loss,
            };
            (first, second, outcome)
        })
        .collect()
}

fn count(games: &[(usize, usize, Score)], names: &[String]) -> Results {
    let mut results = Results::new();
    for &(first, second, outcome) in games {
        results.add_score(&names[first], &names[second], outcome);
    }
    results
}

fn ratings(criterion: &mut Criterion) {
    let games = games();
    let names: Vec<String> = (0..BOTS).map(|bot| format!("bot{bot:04}")).collect();
    let results = count(&games, &names);
    let mut group = criterion.benchmark_group("1000 bots, 1000000 games");
    group.sample_size(10);
    group.bench_function("count", |bencher| bencher.iter(|| count(&games, &names)));
    group.bench_function("rate", |bencher| {
        bencher.iter(|| rate(&results, &LikelihoodOptions::default()).expect("the field has ratings"));
    });
    group.finish();
}

criterion_group!(benches, ratings);
criterion_main!(benches);
