//! Three and four seats, and teams.

use crate::tests::count::Count;
use crate::tests::player::{Player, setup};
use linesman_types::seat::Teams;

#[test]
fn a_seat_that_fails_is_eliminated_and_the_game_goes_on() {
    let mut player = Player::playing(setup(3));
    player.line(10, 1, "bestmove 1");
    player.take();
    player.line(20, 2, "bestmove 9");
    assert_eq!(player.take(), ["2 * kill", "3 > position startpos moves 1 !2", "3 > go movetime 1000"]);
    player.line(30, 3, "bestmove 3");
    player.line(40, 1, "bestmove 3");
    player.line(50, 3, "bestmove 2");
    assert_eq!(player.moves(), "1 !2 3 3 2");
    assert_eq!(
        player.outcome(),
        "places 2,3,1 reason points; seat 2 illegal_move `9`: no counting past the goal"
    );
    assert_eq!(player.take().iter().filter(|line| line.contains("gameover places 2,3,1")).count(), 2);
}

#[test]
fn a_seat_that_is_eliminated_earlier_is_placed_lower_and_the_last_one_wins() {
    let mut player = Player::playing(setup(4));
    player.line(10, 1, "bestmove 9");
    player.line(20, 2, "bestmove 1");
    player.tick(1_071);
    player.line(1_100, 4, "bestmove 1");
    assert!(player.finished.is_none());
    player.exited(1_200, 2, 1);
    assert_eq!(
        player.outcome(),
        "places 4,2,3,1 reason failure; seat 1 illegal_move `9`: no counting past the goal; \
         seat 3 time limit 1s used 1.051s margin 50ms; seat 2 crash exit status 1 stderr `oh no`"
    );
    // The last elimination ends the game and is not in its moves.
    assert_eq!(player.moves(), "!1 1 !3 1");
}

#[test]
fn the_last_seat_wins_by_the_resignation_of_the_last_but_one() {
    let mut player = Player::playing(setup(3));
    player.line(10, 1, "bestmove resign");
    assert_eq!(player.moves(), "!1");
    player.line(20, 2, "bestmove resign");
    assert_eq!(player.outcome(), "places 3,2,1 reason resignation");
    assert_eq!(player.moves(), "!1");
}

#[test]
fn a_seat_that_is_eliminated_off_move_leaves_the_turn_as_it_is() {
    let mut player = Player::playing(setup(4));
    player.take();
    player.line(10, 3, "bestmove 1");
    assert_eq!(player.take(), ["3 * kill"]);
    player.line(20, 1, "bestmove 2");
    assert_eq!(player.take(), ["2 > position startpos moves !3 2", "2 > go movetime 1000"]);
    assert_eq!(player.core.moves()[1].used, std::time::Duration::from_millis(20));
}

#[test]
fn seats_that_fail_before_the_first_move_share_the_last_places() {
    let mut player = Player::count(setup(4));
    player.start();
    player.exited(1, 1, 1);
    player.lines(2, 2, &["ugiok", "readyok"]);
    player.lines(3, 4, &["ugiok", "readyok"]);
    player.take();
    player.tick(10_000);
    assert_eq!(player.take(), ["3 * kill", "2 > position startpos moves !1 !3", "2 > go movetime 1000"]);
    player.line(10_010, 2, "bestmove resign");
    let outcome = player.outcome();
    assert!(outcome.starts_with("places 3,2,3,1 reason resignation; seat 1 not_started"), "{outcome}");
}

#[test]
fn when_one_side_is_left_before_the_first_move_it_wins() {
    let mut player = Player::count(setup(3));
    player.start();
    player.exited(1, 1, 1);
    player.exited(1, 3, 1);
    player.lines(2, 2, &["ugiok", "readyok"]);
    let outcome = player.outcome();
    assert!(outcome.starts_with("places 2,1,2 reason failure"), "{outcome}");
    assert_eq!(player.moves(), "");
}

#[test]
fn a_team_fails_with_its_member() {
    let teams = || Player::new(setup(4), Count::new(Teams::opposite_pairs(), 9));
    let mut player = teams().ready();
    player.line(10, 1, "bestmove 3");
    player.line(20, 2, "bestmove 9");
    assert_eq!(
        player.outcome(),
        "places 1,2,1,2 reason failure; seat 2 illegal_move `9`: no counting past the goal"
    );
    let mut player = teams();
    player.start();
    for number in [1, 2, 3] {
        player.lines(0, number, &["ugiok", "readyok"]);
    }
    player.tick(10_000);
    assert_eq!(player.outcome(), "places 1,2,1,2 reason failure; seat 4 not_ready no ugiok in 10s");
}

#[test]
fn a_resigned_seat_waits_for_the_end_and_is_only_killed_if_it_misbehaves() {
    let mut player = Player::playing(setup(3));
    player.line(10, 1, "bestmove resign");
    player.take();
    player.line(11, 1, "bestmove 1");
    assert_eq!(player.take(), ["1 ~ ignored `bestmove 1`: not on move"]);
    player.line(12, 1, "bestmove");
    assert_eq!(player.take(), ["1 * kill", "1 ~ failed after its elimination: protocol"]);
    player.line(20, 2, "bestmove resign");
    assert_eq!(player.outcome(), "places 3,2,1 reason resignation");
}
