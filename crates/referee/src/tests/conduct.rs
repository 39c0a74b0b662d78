//! The referee's messages, and their recipients and times.

use std::time::Duration;

use crate::tests::count::Count;
use crate::tests::player::{Player, at, limits, seat, setup, warm};
use crate::{BotAfter, BotState, Event, GameTime, Introduction};
use linesman_types::seat::{BySeat, Seat, Teams};

#[test]
fn cold_bots_are_started_introduced_and_made_ready_at_the_same_time() {
    let mut setup = setup(2);
    setup.seats[seat(1)].options = vec![("Depth".to_owned(), "4".to_owned())];
    let mut player = Player::count(setup);
    player.start();
    assert_eq!(player.take(), ["1 * start", "1 > ugi", "2 * start", "2 > ugi"]);
    player.lines(5, 1, &["id name One", "option name Depth type spin", "feature legal state", "ugiok"]);
    assert_eq!(
        player.take(),
        [
            "1 > setoption name Depth value 4",
            "1 > uginewgame",
            "1 > game count seat 1 seats 2 id a~b~1 options goal=9",
            "1 > isready"
        ]
    );
    player.line(6, 1, "readyok");
    assert_eq!(player.take(), Vec::<String>::new());
    player.lines(7, 2, &["ugiok", "readyok"]);
    assert_eq!(
        player.take(),
        [
            "2 > uginewgame",
            "2 > game count seat 2 seats 2 id a~b~1 options goal=9",
            "2 > isready",
            "1 > position startpos",
            "1 > state 0:1:0",
            "1 > legal 1 2 3",
            "1 > go movetime 1000"
        ]
    );
    assert_eq!(player.core.on_move(), Some(Seat::FIRST));
}

#[test]
fn warm_bots_only_receive_the_new_game() {
    let mut setup = setup(2);
    let introduction = Introduction { wants_legal: true, protocol: 1, ..Introduction::default() };
    for number in [1, 2] {
        setup.seats[seat(number)].bot = BotState::Warm(introduction.clone());
        setup.seats[seat(number)].options = vec![("Depth".to_owned(), "4".to_owned())];
    }
    let mut player = Player::count(setup);
    player.start();
    let said = player.take();
    assert_eq!(
        said[..3],
        ["1 > uginewgame", "1 > game count seat 1 seats 2 id a~b~1 options goal=9", "1 > isready"]
    );
    player.lines(5, 1, &["readyok"]);
    player.lines(5, 2, &["readyok"]);
    assert_eq!(player.take()[1], "1 > legal 1 2 3");
    player.line(9, 1, "bestmove resign");
    let finished = player.finished.expect("the game is over");
    assert_eq!(finished.introductions.as_slice(), [Some(introduction.clone()), Some(introduction)]);
}

#[test]
fn openings_are_sent_and_not_recorded_as_moves() {
    let mut setup = setup(2);
    setup.opening_token = Some("2:2:1".to_owned());
    setup.opening_moves = vec!["1".to_owned(), "1".to_owned()];
    let mut player = Player::count(setup);
    player.start();
    player.lines(0, 1, &["ugiok", "readyok"]);
    player.lines(0, 2, &["ugiok", "readyok"]);
    player.take();
    player.line(5, 1, "bestmove 3");
    assert_eq!(player.take()[0], "2 > position fen 2:2:1 moves 1 1 3");
    assert_eq!(player.moves(), "3");
}

#[test]
fn a_bots_report_on_its_search_is_kept_with_its_move() {
    let mut player = Player::playing(setup(2));
    player.lines(5, 1, &["info depth 1 score cp 5", "info depth 2 nodes 7 pv 1 2", "bestmove 1"]);
    player.lines(9, 2, &["bestmove 1"]);
    let said = player.core.moves()[0].said.as_ref().unwrap();
    assert_eq!((said.depth, said.score_cp, said.nodes), (Some(2), Some(5), Some(7)));
    assert_eq!(said.pv.moves().collect::<Vec<_>>(), ["1", "2"]);
    assert!(player.core.moves()[1].said.is_none());
}

#[test]
fn a_bots_report_is_cut_to_what_a_record_can_hold() {
    let mut setup = setup(2);
    setup.seats[seat(1)].limits.line = 64 * 1024;
    setup.seats[seat(1)].limits.output_on_move = 8 << 20;
    let mut player = Player::playing(setup);
    player.line(5, 1, &format!("info string {}", "é".repeat(3_000)));
    player.line(5, 1, &format!("info pv {}", "1 ".repeat(3_000)));
    player.line(5, 1, "bestmove 1");
    let said = player.core.moves()[0].said.as_ref().unwrap();
    assert_eq!(said.text.as_ref().map(|text| text.chars().count()), Some(500));
    assert_eq!(said.pv.moves().count(), 64);
    // The kept text takes no more memory than it needs.
    assert!(said.text.as_ref().is_some_and(|text| text.capacity() <= 1_000));
}

#[test]
fn the_kept_part_of_a_bots_reports_in_a_game_is_bounded() {
    let mut setup = setup(2);
    setup.seats[seat(1)].limits.line = 64 * 1024;
    setup.seats[seat(1)].limits.output_on_move = 8 << 20;
    let mut player = Player::new(setup, Count::new(Teams::singles(2), 100)).ready();
    let mut notes = Vec::new();
    // 500 characters of two bytes, and 64 moves of 62: 5,031 bytes.
    let (text, line) = ("é".repeat(500), format!("{} ", "m".repeat(62)).repeat(64));
    for turn in 0..10 {
        let at = 10 * turn + 5;
        player.lines(
            at,
            1,
            &[&format!("info depth 3 pv {line}"), &format!("info string {text}"), "bestmove 1"],
        );
        player.lines(at + 5, 2, &["info depth 3 pv 1 1", "bestmove 1"]);
        notes.extend(player.take().into_iter().filter(|order| order.contains("are no longer kept")));
    }
    let moves = player.core.moves();
    let of = |number: usize| moves.iter().filter(move |played| played.seat == seat(number));
    let said = |number: usize| of(number).map(|played| played.said.as_ref().unwrap());
    let kept = said(1).filter(|said| said.text.is_some()).count();
    assert_eq!(kept, 32 * 1024 / 5_031, "one seat has half of 64 KiB");
    assert!(said(1).all(|said| said.depth.is_some()), "figures are always kept");
    assert!(said(2).all(|said| !said.pv.is_empty()), "the other seat has its own half");
    assert_eq!(notes.len(), 1, "{notes:?}");
}

#[test]
fn meaningless_lines_are_noted_and_are_no_fault() {
    let mut player = Player::playing(setup(2));
    player.lines(5, 1, &["hello", "", "ugiok", "tell go left", "readyok"]);
    player.lines(5, 2, &["info depth 3"]);
    assert_eq!(
        player.take(),
        [
            "1 ~ ignored `hello`: unknown",
            "1 ~ ignored `ugiok`: not now",
            "1 ~ ignored `tell go left`: no consultation in this game",
            "1 ~ ignored `readyok`: not now",
            "2 ~ ignored `info depth 3`: not on move"
        ]
    );
    player.lines(6, 1, &["bestmove 1"]);
    assert_eq!(player.moves(), "1");
}

#[test]
fn notes_are_bounded() {
    let mut player = Player::playing(setup(2));
    (0..100).for_each(|_| player.line(5, 2, "chatter"));
    let said = player.take();
    assert_eq!(said.len(), 20);
    assert_eq!(said[19], "2 ~ ignored `chatter`: not on move (the last note for this seat)");
}

#[test]
fn options_that_a_bot_does_not_offer_and_unknown_versions_are_noted() {
    let mut setup = setup(2);
    setup.seats[seat(1)].options = vec![("Dept".to_owned(), "4".to_owned())];
    let mut player = Player::count(setup);
    player.start();
    player.take();
    player.lines(5, 1, &["protocol 2", "option name Depth type spin", "ugiok"]);
    assert_eq!(
        player.take()[..3],
        [
            "1 ~ speaks version 2 of the protocol, but this linesman speaks version 1",
            "1 ~ does not offer the option `Dept`, which is set",
            "1 > setoption name Dept value 4"
        ]
    );
}

#[test]
fn a_failed_bot_is_killed_and_the_others_receive_the_result() {
    let mut player = Player::playing(setup(2));
    player.line(5, 1, "bestmove 9");
    assert_eq!(player.take(), ["1 * kill", "2 > gameover places 2,1 reason failure"]);
    let finished = player.finished.as_ref().expect("the game is over");
    assert_eq!(finished.bots.as_slice(), [BotAfter::Gone, BotAfter::Waiting]);
}

#[test]
fn a_bot_whose_answer_is_still_due_is_not_used_again() {
    let mut player = Player::playing(setup(2));
    player.line(5, 2, "bestmove 9");
    assert_eq!(player.take(), ["2 * kill", "1 > gameover places 1,2 reason failure"]);
    let finished = player.finished.as_ref().expect("the game is over");
    assert_eq!(finished.bots.as_slice(), [BotAfter::Busy, BotAfter::Gone]);
}

#[test]
fn a_bot_that_ended_unnoticed_is_cleared_away_at_the_end() {
    let mut player = Player::playing(setup(2));
    player.closed(4, 2);
    player.line(5, 1, "bestmove resign");
    assert_eq!(player.take(), ["1 > gameover places 2,1 reason resignation", "2 * kill"]);
}

#[test]
fn nothing_follows_the_finish() {
    let mut player = Player::playing(setup(2));
    player.line(5, 1, "bestmove resign");
    player.take();
    player.line(6, 1, "bestmove 1");
    player.tick(99_999);
    player.exited(6, 2, 1);
    player.stop(7);
    player.start();
    assert_eq!(player.take(), Vec::<String>::new());
}

#[test]
fn a_game_that_is_over_after_its_opening_ends_without_a_move() {
    let mut table = crate::tests::count::Count::new(linesman_types::seat::Teams::singles(2), 3);
    linesman_games::Table::play(&mut table, "3").expect("3 can be played");
    let player = Player::new(setup(2), table).ready();
    assert_eq!(player.outcome(), "places 1,2 reason points");
}

#[test]
fn events_of_seats_that_are_not_at_the_table_are_ignored() {
    let mut player = Player::playing(setup(2));
    player.lines(5, 3, &["bestmove 1"]);
    player.exited(5, 4, 1);
    player.event(at(5), Event::Sent { seat: seat(4) });
    assert_eq!(player.take(), Vec::<String>::new());
    assert!(player.finished.is_none());
}

#[test]
fn each_seat_has_its_own_limits() {
    let mut setup = setup(2);
    setup.seats = BySeat::from_fn(2, |of| {
        let mut own = setup.seats[of].clone();
        own.limits.start = limits().start * (of.number() as u32);
        own
    });
    setup.seats[seat(2)].bot = warm();
    let mut player = Player::count(setup);
    player.start();
    assert_eq!(player.core.deadline(), Some(at(5_000)));
    player.line(1, 2, "readyok");
    assert_eq!(player.core.deadline(), Some(at(10_000)));
}

#[test]
fn clocks_count_whole_microseconds() {
    let mut setup = setup(2);
    setup.time_control = "tc=1s+0ms".parse().expect("it is a time control");
    let mut player = Player::playing(setup);
    player.take();
    let nanoseconds = 400_000_999;
    let answered = GameTime(
        player.core.turn.as_ref().expect("seat 1 is asked").asked.0 + Duration::from_nanos(nanoseconds),
    );
    player.event(answered, Event::Line { seat: seat(1), line: b"bestmove 1".to_vec() });
    assert_eq!(
        player.take().last().map(String::as_str),
        Some("2 > go p1time 600 p2time 1000 p1inc 0 p2inc 0")
    );
    assert_eq!(player.core.moves()[0].used, Duration::from_millis(400));
}
