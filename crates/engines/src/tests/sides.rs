//! Searches for one side against all others.

use std::time::Duration;

use super::heap::Heap;
use crate::Engine;
use crate::alphabeta::AlphaBeta;
use crate::chance::Chance;
use crate::game_state::GameState;
use crate::greedy::Greedy;
use crate::mcts::Mcts;
use crate::searcher::{SearchTask, Searcher};
use crate::time::{Allowance, MoveTimer};
use linesman_games::Rules;
use linesman_protocol::{Position, Said};
use linesman_types::seat::Seat;
use linesman_types::time_control::ClockKind;

fn heap(options: &str) -> GameState<Heap> {
    GameState::unplayed(2, "test", options.to_owned()).expect("the options are right")
}

/// Lets a searcher choose a move without a limit on its time. Returns the move and the last report.
pub(crate) fn choose<R: Rules>(
    searcher: &mut impl Searcher<R>,
    game: &GameState<R>,
) -> (R::Move, Option<Said>) {
    let mut moves = Vec::new();
    game.rules.legal_moves(&game.position, &mut moves);
    let hour = Duration::from_secs(3_600);
    let mut said = None;
    let task = SearchTask {
        game,
        moves,
        chance: Chance::of(0_u8),
        allowance: Allowance { soft: hour, hard: hour },
        work: None,
        stop: None,
        stopwatch: MoveTimer::start(ClockKind::Wall),
        say: &mut |latest| said = Some(latest),
    };
    let mv = searcher.choose(task);
    (mv, said)
}

/// Lets a searcher play the first move of heaps of all sizes. It must keep every win that can be forced, and report a
/// score as `expected`.
#[track_caller]
fn check<S: Searcher<Heap>>(engine: Engine, options: &str, expected: fn(i64, bool) -> bool) {
    let mut won = [0, 0];
    for stones in 1..=14 {
        let game = heap(&format!("stones={stones},{options}"));
        let can_win = game.rules.wins(&game.position, Seat::FIRST);
        let mut settings = engine.settings();
        settings.set("Hash", "1").expect("searches have a table or a tree");
        settings.set("Nodes", "50000").expect("searches can be limited");
        let (mv, said) = choose(&mut S::new(&settings, &game.rules), &game);
        let next = game.rules.after(&game.position, mv);
        assert_eq!(game.rules.wins(&next, Seat::FIRST), can_win, "{stones} stones, {options}: {mv}");
        let score = said.and_then(|said| said.score_cp).expect("it says how it stands");
        assert!(expected(score, can_win), "{stones} stones, {options}: {score}");
        won[usize::from(can_win)] += 1;
    }
    assert!(won.iter().all(|count| *count > 0), "both kinds of heaps were met: {won:?}");
}

/// The score of a search that assumes that the others play together, and of any search with two sides.
fn forced(score: i64, can_win: bool) -> bool {
    (score > 0) == can_win
}

/// The score of a search that assumes that each of the others plays for itself: a win that can't be forced is still
/// possible.
fn hopeful(score: i64, can_win: bool) -> bool {
    score > 0 || !can_win
}

#[test]
fn two_sides_are_played_perfectly() {
    check::<AlphaBeta<Heap>>(Engine::AlphaBeta, "seats=2", forced);
    check::<Mcts<Heap>>(Engine::Mcts, "seats=2", forced);
}

#[test]
fn three_and_four_seats_keep_wins_that_can_be_forced() {
    for options in ["seats=3", "seats=4"] {
        check::<AlphaBeta<Heap>>(Engine::AlphaBeta, options, forced);
        check::<Mcts<Heap>>(Engine::Mcts, options, hopeful);
    }
}

#[test]
fn teammates_play_together() {
    check::<AlphaBeta<Heap>>(Engine::AlphaBeta, "seats=4,pairs=1", forced);
    check::<Mcts<Heap>>(Engine::Mcts, "seats=4,pairs=1", forced);
}

#[test]
fn greedy_leaves_no_win_to_the_next_seat() {
    for stones in [5, 6, 7] {
        let (mv, _) = choose(&mut Greedy, &heap(&format!("stones={stones},seats=3")));
        assert!(stones - mv > 3, "{mv} of {stones}");
    }
    let (mv, _) = choose(&mut Greedy, &heap("stones=3,seats=3"));
    assert_eq!(mv, 3, "a win is taken");
}

#[test]
fn an_eliminated_seat_is_skipped() {
    let mut game = heap("stones=10,seats=3");
    let after = |moves: &[&str]| Position {
        token: None,
        moves: moves.iter().map(|text| (*text).to_owned()).collect(),
    };
    game.follow(&after(&["1", "!2"])).expect("seat 2 goes out");
    assert_eq!(game.to_move().number(), 3);
    game.follow(&after(&["1", "!2", "3", "2"])).expect("the others play on");
    assert_eq!(game.to_move().number(), 3);
    game.follow(&after(&["1"])).expect("a shorter list begins anew");
    assert_eq!(game.to_move().number(), 2);
    for text in ["!4", "!", "!x"] {
        let error = game.follow(&after(&["1", text])).expect_err("there is no such seat");
        assert_eq!(error.to_string(), format!("move 2: `{text}` is not a move"));
    }
}
