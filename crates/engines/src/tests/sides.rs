//! Searching for one side against all others, however many there are.

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

/// The move that a searcher chooses without a limit on its time, and its last report.
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

/// Lets a mind play the first move of many heaps: what can be won against all
/// others must be. What it says is the same of every heap.
#[track_caller]
fn check<M: Searcher<Heap>>(engine: Engine, options: &str, expected: fn(i64, bool) -> bool) {
    let mut won = [0, 0];
    for stones in 1..=14 {
        let game = heap(&format!("stones={stones},{options}"));
        let can_win = game.rules.wins(&game.position, Seat::FIRST);
        let mut settings = engine.settings();
        settings.set("Hash", "1").expect("searches have a table or a tree");
        settings.set("Nodes", "50000").expect("searches can be limited");
        let (mv, said) = choose(&mut M::new(&settings, &game.rules), &game);
        let next = game.rules.after(&game.position, mv);
        assert_eq!(game.rules.wins(&next, Seat::FIRST), can_win, "{stones} stones, {options}: {mv}");
        let score = said.and_then(|said| said.score_cp).expect("it says how it stands");
        assert!(expected(score, can_win), "{stones} stones, {options}: {score}");
        won[usize::from(can_win)] += 1;
    }
    assert!(won.iter().all(|count| *count > 0), "both kinds of heaps were met: {won:?}");
}

/// Scores of those who take the others to play as one, and of all where there are two sides.
fn sure(score: i64, can_win: bool) -> bool {
    (score > 0) == can_win
}

/// Scores of those who take the others to play each for itself: what can't be
/// forced may still come about.
fn hopeful(score: i64, can_win: bool) -> bool {
    score > 0 || !can_win
}

#[test]
fn two_sides_are_played_perfectly() {
    check::<AlphaBeta<Heap>>(Engine::AlphaBeta, "seats=2", sure);
    check::<Mcts<Heap>>(Engine::Mcts, "seats=2", sure);
}

#[test]
fn three_and_four_seats_win_what_can_be_won_against_all_others() {
    for options in ["seats=3", "seats=4"] {
        check::<AlphaBeta<Heap>>(Engine::AlphaBeta, options, sure);
        check::<Mcts<Heap>>(Engine::Mcts, options, hopeful);
    }
}

#[test]
fn team_mates_play_together() {
    check::<AlphaBeta<Heap>>(Engine::AlphaBeta, "seats=4,pairs=1", sure);
    check::<Mcts<Heap>>(Engine::Mcts, "seats=4,pairs=1", sure);
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
fn a_seat_that_was_put_out_is_skipped() {
    let mut game = heap("stones=10,seats=3");
    let told = |moves: &[&str]| Position {
        token: None,
        moves: moves.iter().map(|text| (*text).to_owned()).collect(),
    };
    game.follow(&told(&["1", "!2"])).expect("seat 2 goes out");
    assert_eq!(game.to_move().number(), 3);
    game.follow(&told(&["1", "!2", "3", "2"])).expect("the others play on");
    assert_eq!(game.to_move().number(), 3);
    game.follow(&told(&["1"])).expect("a shorter list begins anew");
    assert_eq!(game.to_move().number(), 2);
    for text in ["!4", "!", "!x"] {
        let error = game.follow(&told(&["1", text])).expect_err("there is no such seat");
        assert_eq!(error.to_string(), format!("move 2: `{text}` is not a move"));
    }
}
