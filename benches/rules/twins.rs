//! The measurements of the rules and of the games' slow twins, which the tests
//! compare them with.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use linesman::games::{GAMES, OptionValues, Rules, RulesVisitor, perft, with_rules};

#[expect(dead_code, reason = "the parts for texts are used by the tests that share the twins")]
#[path = "../../crates/games/tests/rules/naive/mod.rs"]
mod naive;

use naive::Slow;

/// The maximum length of a random game.
const MAX_PLIES: u32 = 200;

/// The maximum number of move sequences in a count.
pub const MAX_SEQUENCES: u64 = 150_000;
/// The same for a smoke run; the slowest twin takes seconds for ten thousand.
pub const MAX_SEQUENCES_QUICK: u64 = 1_000;

/// Passes each game's measurements to `sink`. Perft goes as deep as `max_sequences` allows.
pub fn each_game<K: Sink>(sink: &mut K, max_sequences: u64) {
    for game in GAMES {
        with_rules(game.id, Both { sink: &mut *sink, max_sequences }).expect("what is listed is registered");
    }
}

/// A piece of work that returns its number of units.
pub type Work<'w> = Box<dyn FnMut() -> u64 + 'w>;

/// A measurement of both sides.
pub struct Measure<'w> {
    pub what: String,
    pub real: Work<'w>,
    pub twin: Work<'w>,
}

/// A consumer of measurements.
pub trait Sink {
    fn take(&mut self, game: &str, measures: Vec<Measure<'_>>);
}

/// Visits a game's rules, then its twin.
struct Both<'k, K> {
    sink: &'k mut K,
    max_sequences: u64,
}

impl<K: Sink> RulesVisitor for Both<'_, K> {
    type Output = ();

    fn visit<R: Rules>(self) {
        struct WithTwin<'k, R, K>(R, Both<'k, K>);
        impl<R: Rules, K: Sink> naive::Visitor for WithTwin<'_, R, K> {
            type Output = ();
            fn visit<S: Slow>(self) {
                let twin = S::start(&[]);
                let WithTwin(rules, Both { sink, max_sequences }) = self;
                sink.take(R::ID, measures(&rules, &twin, max_sequences));
            }
        }
        let values = OptionValues::resolve(R::OPTIONS, []).expect("the defaults are good");
        let rules = R::with_options(&values).expect("the defaults are good");
        naive::with_twin(R::ID, WithTwin(rules, self)).expect("every game has a twin");
    }
}

/// Returns the measurements of a game from its default start.
fn measures<'w, R: Rules, S: Slow>(rules: &'w R, twin: &'w S, max_sequences: u64) -> Vec<Measure<'w>> {
    let start = rules.start();
    let is_few = |depth: &u32| perft::perft(rules, &start, *depth) < max_sequences;
    let depth = (1..).take_while(is_few).last().unwrap_or(1);
    let sequences = perft::perft(rules, &start, depth);
    let mut numbers = Numbers(1);
    let playouts = Measure {
        what: "a move of a random game".to_owned(),
        real: random_games(rules),
        twin: Box::new(move || slow_playout(twin, &mut numbers)),
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

/// A fast generator of pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 32) as usize * end) >> 32
    }
}

/// Returns the work of playing random games, of which each returns its number of moves.
pub fn random_games<R: Rules>(rules: &R) -> Work<'_> {
    let (mut moves, mut numbers) = (Vec::new(), Numbers(1));
    Box::new(move || playout(rules, &mut moves, &mut numbers))
}

/// Plays a random game and returns its number of moves.
fn playout<R: Rules>(rules: &R, buffer: &mut Vec<R::Move>, numbers: &mut Numbers) -> u64 {
    let mut position = rules.start();
    let mut plies = 0;
    while plies < MAX_PLIES && !rules.is_over(&position) {
        let mv = rules.random_move(&position, buffer, |end| numbers.below(end));
        rules.play(&mut position, mv.expect("the game is not over"));
        plies += 1;
    }
    black_box(&position);
    u64::from(plies)
}

/// The twin's [`playout`], with a list of moves and a clone per move.
fn slow_playout<S: Slow>(start: &S, numbers: &mut Numbers) -> u64 {
    let mut game = start.clone();
    let mut plies = 0;
    while plies < MAX_PLIES && game.outcome().is_none() {
        let moves = game.moves();
        let mut next = game.clone();
        next.play(&moves[numbers.below(moves.len())]);
        game = next;
        plies += 1;
    }
    black_box(&game);
    u64::from(plies)
}

/// Counts move sequences, making and examining every final position.
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

/// Returns the CPU nanoseconds per unit of work, measured over at least `window`.
pub fn time_per_unit(work: &mut Work<'_>, window: Duration) -> f64 {
    let (start, used) = (Instant::now(), cpu_time());
    let mut units = 0;
    loop {
        units += work();
        if start.elapsed() >= window {
            return (cpu_time() - used).as_secs_f64() * 1e9 / units as f64;
        }
    }
}

/// Returns the CPU time used by this thread.
#[expect(unsafe_code, reason = "this call has no safe wrapper")]
fn cpu_time() -> Duration {
    let mut time = std::mem::MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: the out pointer lives through the call, and zeros are a valid timespec.
    let time = unsafe {
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr());
        time.assume_init()
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
