//! Checks with a counting allocator, in its own test program, that the rules
//! allocate nothing per move.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use linesman::games::options::{Bound, OptionKind, OptionSpec};
use linesman::games::{GAMES, OptionValues, Rules, RulesVisitor, with_rules};
use linesman::seat::Seat;

/// The system's allocator, with a count of each thread's allocations.
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

impl Counting {
    fn note() {
        ASKED.with(|asked| asked.set(asked.get() + 1));
    }
}

#[expect(unsafe_code, reason = "an allocator can't be written without")]
// SAFETY: all calls are passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Counting::note();
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Counting::note();
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the number of allocations during `work`.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = ASKED.with(Cell::get);
    work();
    ASKED.with(Cell::get) - before
}

/// The maximum length of a random game.
const MAX_PLIES: u32 = 150;

/// Plays random games, calling all functions of the rules that a search calls;
/// returns the number of moves.
fn playouts<R: Rules>(rules: &R, [moves, buffer]: &mut [Vec<R::Move>; 2], games: u32) -> u64 {
    let mut state = 1u64;
    let mut below = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % end
    };
    let mut made = 0;
    for game in 0..games {
        let mut position = rules.start();
        let mut earlier: Option<R::Move> = None;
        while !rules.is_over(&position) && rules.ply(&position) < MAX_PLIES {
            moves.clear();
            rules.legal_moves(&position, moves);
            assert_eq!(rules.count_legal_moves(&position, buffer), moves.len() as u64);
            let mv = rules.random_move(&position, moves, &mut below).expect("the game is not over");
            assert!(rules.is_legal(&position, mv, buffer));
            // An earlier move, perhaps illegal by now.
            if let Some(earlier) = earlier {
                std::hint::black_box(rules.is_legal(&position, earlier, buffer));
            }
            std::hint::black_box(rules.repetition_key(&position));
            std::hint::black_box(rules.evaluate(&position));
            let mut child = position.clone();
            rules.play(&mut child, mv);
            assert_ne!(rules.to_move(&child).index(), usize::MAX);
            position = child;
            earlier = Some(mv);
            made += 1;
            if rules.teams().sides() > 2
                && game % 2 == 1
                && rules.ply(&position) == 5
                && !rules.is_over(&position)
            {
                rules.eliminate(&mut position, Seat::SECOND);
            }
        }
    }
    made
}

/// Returns the default options, and each numeric option at both ends of its
/// range, except the limits on endless play, which are not part of the rules.
fn variations(specs: &'static [OptionSpec]) -> Vec<Vec<(&'static str, String)>> {
    let defaults = OptionValues::resolve(specs, []).expect("the defaults are good");
    let mut all = vec![Vec::new()];
    for spec in specs.iter().filter(|spec| !["max_plies", "repetition"].contains(&spec.name)) {
        let OptionKind::Integer { min, max, .. } = &spec.kind else { continue };
        let value = |bound: &Bound| bound.value(&defaults).to_string();
        all.extend([min, max].map(|bound| vec![(spec.name, value(bound))]));
    }
    all
}

struct Playouts;

impl RulesVisitor for Playouts {
    type Output = ();

    fn visit<R: Rules>(self) {
        for given in variations(R::OPTIONS) {
            let pairs = given.iter().map(|(name, value)| (*name, value.as_str()));
            let values = OptionValues::resolve(R::OPTIONS, pairs).expect("the values are in range");
            let rules = R::with_options(&values).expect("the values go together");
            let mut buffers = [Vec::new(), Vec::new()];
            // The first run lets the buffers grow.
            let made = playouts(&rules, &mut buffers, 20);
            let mut again = 0;
            let times = allocations(|| again = playouts(&rules, &mut buffers, 20));
            assert_eq!(again, made, "the same games are played twice");
            assert!(made >= 20, "{} {values}: just {made} moves", R::ID);
            assert_eq!(times, 0, "{} {values}: memory asked for in {made} moves", R::ID);
        }
    }
}

#[test]
fn the_allocator_counts() {
    assert_eq!(allocations(|| ()), 0);
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
    let mut list = std::hint::black_box(Vec::with_capacity(1));
    assert_eq!(allocations(|| list.extend([1, 2])), 1);
}

#[test]
fn no_game_allocates_per_move() {
    for game in GAMES {
        with_rules(game.id, Playouts).expect("what is listed is registered");
    }
}
