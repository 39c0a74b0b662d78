//! Messages of team mates to each other through the referee.

use crate::GameSetup;
use crate::tests::count::Count;
use crate::tests::player::{Player, setup, warm};
use linesman_games::Consultation;
use linesman_types::seat::Teams;

/// Returns a game of two teams with this permission to talk, with seat 1 on move.
fn teams(consultation: Consultation) -> Player {
    let setup = GameSetup { consultation, ..setup(4) };
    Player::new(setup, Count::new(Teams::opposite_pairs(), 9)).ready()
}

#[test]
fn a_message_on_move_reaches_only_the_mate_and_before_its_turn() {
    let mut player = teams(Consultation::On);
    player.line(10, 1, "tell  watch  a1\t(or b1) ");
    assert_eq!(player.take(), ["3 > told 1 watch  a1 (or b1)"]);
    player.line(20, 1, "bestmove 1");
    player.line(30, 2, "tell ö");
    player.line(40, 2, "bestmove 1");
    assert_eq!(
        player.take(),
        [
            "2 > position startpos moves 1",
            "2 > go movetime 1000",
            "4 > told 2 ö",
            "3 > position startpos moves 1 1",
            "3 > go movetime 1000",
        ]
    );
    player.lines(50, 3, &["tell", "bestmove 1"]);
    assert_eq!(player.take()[0], "1 > told 3");
}

#[test]
fn a_message_is_no_move_and_does_not_stop_the_clock() {
    let mut player = teams(Consultation::On);
    player.line(10, 1, "tell wait");
    player.tick(1_051);
    assert_eq!(
        player.outcome(),
        "places 2,1,2,1 reason failure; seat 1 time limit 1s used 1.051s margin 50ms"
    );
}

#[test]
fn without_consultation_a_message_is_dropped_and_noted() {
    let mut player = teams(Consultation::Off);
    player.line(10, 1, "tell watch a1");
    assert_eq!(player.take(), ["1 ~ ignored `tell watch a1`: no consultation in this game"]);
}

#[test]
fn messages_off_move_are_not_passed_on() {
    let mut player = teams(Consultation::On);
    player.line(10, 3, "tell me first");
    player.line(11, 2, "tell me too");
    player.line(12, 1, "bestmove 1");
    player.line(13, 1, "tell too late");
    let said = player.take();
    assert_eq!(said[0], "3 ~ ignored `tell me first`: not on move");
    assert_eq!(said[1], "2 ~ ignored `tell me too`: not on move");
    assert_eq!(said[4], "1 ~ ignored `tell too late`: not on move");
    assert_eq!(said.len(), 5);
}

#[test]
fn a_seat_without_mates_reaches_nobody() {
    let setup = GameSetup { consultation: Consultation::On, ..setup(3) };
    let mut player = Player::playing(setup);
    player.line(10, 1, "tell anybody");
    assert_eq!(player.take(), [""; 0]);
}

#[test]
fn a_mate_whose_process_has_ended_is_not_written_to() {
    let mut player = teams(Consultation::On);
    player.exited(5, 3, 1);
    player.line(10, 1, "tell still there?");
    assert_eq!(player.take(), [""; 0]);
    player.line(20, 1, "bestmove 1");
    player.line(30, 2, "bestmove 1");
    assert_eq!(player.outcome(), "places 2,1,2,1 reason failure; seat 3 crash exit status 1 stderr `oh no`");
}

#[test]
fn no_more_than_64_kib_may_be_told_in_a_move() {
    let mut setup = GameSetup { consultation: Consultation::On, ..setup(4) };
    for (_, own) in setup.seats.iter_mut() {
        own.bot = warm();
        own.limits.line = 64 << 10;
        own.limits.output_on_move = 8 << 20;
    }
    let mut player = Player::new(setup, Count::new(Teams::opposite_pairs(), 9)).ready();
    let half = format!("tell {}", "x".repeat(32 << 10));
    for (line, expected) in [
        (half.as_str(), "3 > told 1 xxx"),
        (&half, "3 > told 1 xxx"),
        ("tell y", "1 ~ ignored `tell y`: more than a bot may send its teammates in one move"),
    ] {
        player.line(10, 1, line);
        let said = player.take();
        assert_eq!(said.len(), 1);
        assert!(said[0].starts_with(expected), "{said:?}");
    }
    // For each move separately.
    for number in 1..=4 {
        player.line(20, number, "bestmove 1");
    }
    player.take();
    player.line(30, 1, "tell y");
    assert_eq!(player.take(), ["3 > told 1 y"]);
}

#[test]
fn control_characters_in_a_message_break_the_protocol() {
    let mut player = teams(Consultation::On);
    player.line(10, 1, "tell \u{1b}[31mred");
    assert_eq!(
        player.outcome(),
        "places 2,1,2,1 reason failure; seat 1 protocol `tell \\u{1b}[31mred` expected text without control characters"
    );
}
