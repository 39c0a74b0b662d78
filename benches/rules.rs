//! What the rules cost: random games and counts of move sequences, beside the
//! slow twins of the games that the tests compare them with.
//!
//! Both sides take turns in short windows, so that whatever else the machine
//! does hits both; ratios are of neighbouring windows. The table of ratios is
//! printed first, then criterion measures each side by itself.
//!
//! `cargo bench --bench rules`, or with `-- --quick` for a smoke run.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::disallowed_methods, reason = "a benchmark looks at the clock")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use linesman::games::{GAMES, OptionValues, Rules, RulesVisitor, perft, with_rules};

#[expect(dead_code, reason = "what concerns texts is for the tests that share the twins")]
#[path = "../tests/integration/naive/mod.rs"]
mod naive;

use naive::Slow;

/// Where a random game without an end is left.
const LONGEST: u32 = 200;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let plan = if quick {
        Plan { rounds: 2, window: Duration::from_millis(5) }
    } else {
        Plan { rounds: 25, window: Duration::from_millis(40) }
    };
    let games = GAMES.iter().map(|game| game.id());
    println!("{} rounds of {:?} a side, CPU time\n", plan.rounds, plan.window);
    println!("game         what                            twin ns    real ns   x faster (q1..q3)");
    for game in games.clone() {
        with_rules(game, Both(Ratios(&plan))).expect("what is listed is registered");
    }
    println!();
    let (warm_up, measurement) = if quick { (10, 20) } else { (300, 1000) };
    let mut criterion = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(warm_up))
        .measurement_time(Duration::from_millis(measurement))
        .configure_from_args();
    for game in games {
        with_rules(game, Both(Alone(&mut criterion))).expect("what is listed is registered");
    }
    criterion.final_summary();
}

struct Plan {
    rounds: usize,
    window: Duration,
}

/// Something that is done once and says how many units of work that was.
type Work<'w> = Box<dyn FnMut() -> u64 + 'w>;

/// One thing that is measured on both sides; times are of a unit.
struct Measure<'w> {
    what: String,
    real: Work<'w>,
    twin: Work<'w>,
}

/// What is done with the measures of a game.
trait Sink {
    fn take(self, game: &str, measures: Vec<Measure<'_>>);
}

/// The way from a game's rules to the pair of rules and twin.
struct Both<K>(K);

impl<K: Sink> RulesVisitor for Both<K> {
    type Output = ();

    fn visit<R: Rules>(self) {
        struct WithTwin<R, K>(R, K);
        impl<R: Rules, K: Sink> naive::Visitor for WithTwin<R, K> {
            type Output = ();
            fn visit<S: Slow>(self) {
                let twin = S::start(&[]);
                self.1.take(R::ID, measures(&self.0, &twin));
            }
        }
        let values = OptionValues::resolve(R::options(), []).expect("the defaults are good");
        let rules = R::with_options(&values).expect("the defaults are good");
        naive::with_twin(R::ID, WithTwin(rules, self.0)).expect("every game has a twin");
    }
}

/// What is measured of a game, from its default start.
fn measures<'w, R: Rules, S: Slow>(rules: &'w R, twin: &'w S) -> Vec<Measure<'w>> {
    let start = rules.start();
    // As deep as there are not too many sequences for a window.
    let depth = (1..).take_while(|depth| perft::perft(rules, &start, *depth) < 150_000).last().unwrap_or(1);
    let sequences = perft::perft(rules, &start, depth);
    let (mut one, mut other) = (Numbers(1), Numbers(1));
    let mut moves = Vec::new();
    let playouts = Measure {
        what: "a move of a random game".to_owned(),
        real: Box::new(move || playout(rules, &mut moves, &mut one)),
        twin: Box::new(move || slow_playout(twin, &mut other)),
    };
    let counting = |what: &str, count: fn(&R, &R::Position, u32) -> u64| {
        let start = rules.start();
        Measure {
            what: format!("perft {depth}, {what}"),
            real: Box::new(move || {
                assert_eq!(count(rules, black_box(&start), depth), sequences);
                sequences
            }),
            twin: Box::new(move || {
                assert_eq!(slow_perft(black_box(twin), depth), sequences);
                sequences
            }),
        }
    };
    vec![
        playouts,
        counting("every leaf made", perft_of_leaves::<R>),
        counting("last ply counted", perft::perft::<R>),
    ]
}

/// Numbers that look random, at almost no cost.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 32) as usize * end) >> 32
    }
}

/// Plays a random game and returns how many moves it had.
fn playout<R: Rules>(rules: &R, buffer: &mut Vec<R::Move>, numbers: &mut Numbers) -> u64 {
    let mut position = rules.start();
    let mut plies = 0;
    while plies < LONGEST && !rules.is_over(&position) {
        let mv = rules.random_move(&position, buffer, |end| numbers.below(end));
        rules.play(&mut position, mv.expect("the game is not over"));
        plies += 1;
    }
    black_box(&position);
    u64::from(plies)
}

/// The same by the twin: a list of moves and a clone a move.
fn slow_playout<S: Slow>(start: &S, numbers: &mut Numbers) -> u64 {
    let mut game = start.clone();
    let mut plies = 0;
    while plies < LONGEST && game.outcome().is_none() {
        let moves = game.moves();
        let mut next = game.clone();
        next.play(&moves[numbers.below(moves.len())]);
        game = next;
        plies += 1;
    }
    black_box(&game);
    u64::from(plies)
}

/// Counts sequences with each position at the end of one made and looked at.
fn perft_of_leaves<R: Rules>(rules: &R, position: &R::Position, depth: u32) -> u64 {
    fn descend<R: Rules>(rules: &R, position: &R::Position, buffers: &mut [Vec<R::Move>]) -> u64 {
        let Some((moves, deeper)) = buffers.split_first_mut() else { return 1 };
        moves.clear();
        rules.legal_moves(position, moves);
        let mut nodes = 0;
        for mv in moves.iter() {
            let mut next = position.clone();
            rules.play(&mut next, *mv);
            nodes += if deeper.is_empty() {
                black_box(rules.is_over(&next));
                1
            } else {
                descend(rules, &next, deeper)
            };
        }
        nodes
    }
    descend(rules, position, &mut vec![Vec::new(); depth as usize])
}

/// The same by the twin.
fn slow_perft<S: Slow>(game: &S, depth: u32) -> u64 {
    let mut nodes = 0;
    for mv in game.moves() {
        let mut next = game.clone();
        next.play(&mv);
        nodes += if depth == 1 {
            black_box(next.outcome().is_some());
            1
        } else {
            slow_perft(&next, depth - 1)
        };
    }
    nodes
}

/// Prints how many times faster the real rules are.
struct Ratios<'p>(&'p Plan);

impl Sink for Ratios<'_> {
    fn take(self, game: &str, measures: Vec<Measure<'_>>) {
        for Measure { what, mut real, mut twin } in measures {
            let mut rounds = Vec::new();
            for _ in 0..self.0.rounds {
                rounds.push((a_unit(&mut twin, self.0.window), a_unit(&mut real, self.0.window)));
            }
            let [_, twin, _] = quartiles(rounds.iter().map(|(twin, _)| *twin));
            let [_, real, _] = quartiles(rounds.iter().map(|(_, real)| *real));
            let [low, middle, high] = quartiles(rounds.iter().map(|(twin, real)| twin / real));
            println!("{game:<12} {what:<30} {twin:>8.1} {real:>10.2}   {middle:>6.1} ({low:.1}..{high:.1})");
        }
    }
}

/// The CPU time of a unit of work in nanoseconds, over a window at least.
fn a_unit(work: &mut Work<'_>, window: Duration) -> f64 {
    let (start, used) = (Instant::now(), cpu_time());
    let mut units = 0;
    loop {
        units += work();
        if start.elapsed() >= window {
            return (cpu_time() - used).as_secs_f64() * 1e9 / units as f64;
        }
    }
}

/// The CPU time that this thread has used: what other programs use does not count.
#[expect(unsafe_code, reason = "there is no safe face to this call")]
fn cpu_time() -> Duration {
    let mut time = std::mem::MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: the out pointer lives through the call, and zeros are a valid timespec.
    let time = unsafe {
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr());
        time.assume_init()
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn quartiles(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let last = values.len() - 1;
    [values[last / 4], values[last / 2], values[last - last / 4]]
}

/// Gives each side to criterion by itself.
struct Alone<'c>(&'c mut Criterion);

impl Sink for Alone<'_> {
    fn take(self, game: &str, measures: Vec<Measure<'_>>) {
        for Measure { what, real, twin } in measures {
            let mut group = self.0.benchmark_group(format!("{game}, {what}"));
            group.throughput(Throughput::Elements(1));
            for (side, mut work) in [("real", real), ("twin", twin)] {
                group.bench_function(side, |bencher| {
                    bencher.iter_custom(|times| {
                        // Units differ from game to game: the time of a unit is what is told.
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
