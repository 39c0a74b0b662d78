//! Each verdict with its evidence, and the times at which it changes.

use std::sync::Arc;
use std::time::Duration;

use crate::tests::player::{Player, at, ms, seat, setup, warm};
use crate::{Adjudication, BotAfter, Event, GameSetup, GameTime, TableRule};
use linesman_games::solvable::{Oracle, Outcome};
use linesman_types::time_control::TimeControl;
use linesman_types::verdict::adjudication::{DrawRule, ScoreRule, WinRule};
use linesman_types::verdict::{Cause, Limit, Verdict};

/// Plays in a game of two ready bots, with seat 1 on move at 0 ms.
#[track_caller]
fn check(play: impl FnOnce(&mut Player), expected: &str) {
    let mut player = Player::playing(setup(2));
    play(&mut player);
    assert_eq!(player.outcome(), expected);
    assert_eq!(player.core.deadline(), None);
}

/// Does the same before any bot has answered.
#[track_caller]
fn check_before(play: impl FnOnce(&mut Player), expected: &str) {
    let mut player = Player::count(setup(2));
    player.start();
    play(&mut player);
    assert_eq!(player.outcome(), expected);
}

#[test]
fn a_game_ends_by_its_rules() {
    let play = |player: &mut Player| {
        for (time, number, line) in
            [(10, 1, "bestmove 3"), (20, 2, "bestmove 3"), (31, 1, "bestmove 2"), (40, 2, "bestmove 1")]
        {
            player.line(time, number, line);
        }
        assert_eq!(player.moves(), "3 3 2 1");
        let used: Vec<Duration> =
            player.finished.iter().flat_map(|finished| &finished.moves).map(|played| played.used).collect();
        assert_eq!(used, [ms(10), ms(10), ms(11), ms(9)]);
    };
    check(play, "places 2,1 reason points");
}

#[test]
fn a_bot_may_resign_and_lives_on() {
    check(
        |player| {
            player.line(10, 1, "bestmove resign");
            let bots = &player.finished.as_ref().expect("the game is over").bots;
            assert_eq!(bots.as_slice(), [BotAfter::Waiting, BotAfter::Waiting]);
            assert_eq!(
                player.take(),
                ["1 > gameover places 2,1 reason resignation", "2 > gameover places 2,1 reason resignation"]
            );
        },
        "places 2,1 reason resignation",
    );
}

/// Returns a setup in which games are decided when the bots agree for two moves each.
fn agreeing() -> GameSetup {
    let scores = ScoreRule {
        win: Some(WinRule { score: 500, moves: 2 }),
        draw: Some(DrawRule { score: 5, moves: 2, from: 5 }),
    };
    GameSetup { adjudication: Adjudication { scores, table: None }, ..setup(2) }
}

/// Lets both bots count up by 1, reporting these scores in turn.
fn with_scores(player: &mut Player, scores: &[i64]) {
    for (index, score) in scores.iter().enumerate() {
        let (time, number) = (10 * (index as u64 + 1), 1 + index % 2);
        player.lines(time, number, &[&format!("info score cp {score}"), "bestmove 1"]);
    }
}

#[test]
fn a_game_is_decided_when_the_bots_agree() {
    let mut player = Player::playing(agreeing());
    with_scores(&mut player, &[-800, 500, -500]);
    assert!(player.finished.is_none());
    player.take();
    player.lines(40, 2, &["info score cp 100", "info score cp 900", "bestmove 1"]);
    assert_eq!(player.outcome(), "places 2,1 reason adjudication");
    assert_eq!(
        player.take(),
        ["1 > gameover places 2,1 reason adjudication", "2 > gameover places 2,1 reason adjudication"]
    );
    let finished = player.finished.as_ref().expect("it is over");
    assert_eq!(finished.bots.as_slice(), [BotAfter::Waiting, BotAfter::Waiting]);
    assert_eq!(finished.moves.len(), 4);
    let Verdict::Finished { cause: Cause::Adjudication(why), .. } = &finished.verdict else {
        panic!("{:?}", finished.verdict);
    };
    assert_eq!(why, "both sides reported a win by 500 or more for 2 moves in a row; last scores -500, 900");

    let mut player = Player::playing(agreeing());
    with_scores(&mut player, &[1, -5, 5, 0, 5]);
    assert_eq!(player.outcome(), "places 1,1 reason adjudication");
}

#[test]
fn the_rules_take_precedence_over_the_bots_scores() {
    let mut player = Player::playing(agreeing());
    for (index, (score, mv)) in [(0, "3"), (-700, "3"), (700, "2"), (-700, "1")].into_iter().enumerate() {
        let said = format!("info score cp {score}");
        player.lines(10 * (index as u64 + 1), 1 + index % 2, &[&said, &format!("bestmove {mv}")]);
    }
    assert_eq!(player.outcome(), "places 2,1 reason points");
    // Without a rule the scores decide nothing.
    let mut player = Player::playing(setup(2));
    with_scores(&mut player, &[900, -900, 900, -900, 900, -900]);
    assert!(player.finished.is_none());
}

#[test]
fn a_game_is_decided_once_the_value_of_its_position_is_known() {
    /// Knows the position once the sum is 4: it is lost for the side to move.
    struct FromFour;
    impl Oracle for FromFour {
        fn outcome(&self, token: &str) -> Option<Outcome> {
            token.starts_with("4:").then_some(Outcome::Loss)
        }
    }
    let rule = |from| Some(TableRule { oracle: Arc::new(FromFour), from });
    let playing = |from| {
        let adjudication = Adjudication { scores: ScoreRule::default(), table: rule(from) };
        Player::playing(GameSetup { adjudication, ..setup(2) })
    };
    let mut player = playing(2);
    player.line(10, 1, "bestmove 2");
    assert!(player.finished.is_none());
    player.line(20, 2, "bestmove 2");
    assert_eq!(player.outcome(), "places 2,1 reason adjudication");
    let mut early = playing(3);
    early.line(10, 1, "bestmove 2");
    early.line(20, 2, "bestmove 2");
    assert!(early.finished.is_none());
}

#[test]
fn a_move_is_late_past_limit_and_margin() {
    for used in [1_000, 1_001, 1_045, 1_050] {
        let mut player = Player::playing(setup(2));
        player.line(used, 1, "bestmove 1");
        assert_eq!(player.moves(), "1", "after {used} ms");
        assert_eq!(player.core.moves()[0].used, ms(used));
    }
    check(
        |player| player.line(1_070, 1, "bestmove 1"),
        "places 2,1 reason failure; seat 1 time limit 1s used 1.07s margin 50ms",
    );
    check(
        |player| player.event(GameTime(ms(1_050) + Duration::from_nanos(1)), Event::Tick),
        "places 2,1 reason failure; seat 1 time limit 1s used 1.050000001s margin 50ms",
    );
}

#[test]
fn a_tick_before_the_deadline_does_nothing() {
    let mut player = Player::playing(setup(2));
    player.tick(1_050);
    assert!(player.finished.is_none());
    assert_eq!(player.core.deadline(), Some(GameTime(ms(1_050) + Duration::from_nanos(1))));
    player.line(1_050, 1, "bestmove 1");
    assert_eq!(player.moves(), "1");
}

#[test]
fn other_lines_do_not_move_the_deadline() {
    let mut player = Player::playing(setup(2));
    let deadline = player.core.deadline();
    player.lines(900, 1, &["info depth 1", "hello"]);
    assert_eq!(player.core.deadline(), deadline);
}

#[test]
fn a_line_is_judged_by_its_stamp_whenever_it_is_handed_over() {
    // A much later event of the other seat is handed over first.
    let mut player = Player::playing(setup(2));
    player.line(1_500, 2, "info string still here");
    player.line(1_040, 1, "bestmove 1");
    assert_eq!(player.moves(), "1");
    // Any late event of the seat on move shows that it is late.
    check(
        |player| player.line(1_051, 1, "info depth 3"),
        "places 2,1 reason failure; seat 1 time limit 1s used 1.051s margin 50ms",
    );
    check(
        |player| player.exited(2_000, 1, 1),
        "places 2,1 reason failure; seat 1 time limit 1s used 2s margin 50ms",
    );
}

#[test]
fn a_clock_runs_down_over_moves_and_gains_its_increment() {
    let mut setup = setup(2);
    setup.time_control = TimeControl::clock("2s+100ms").expect("it is a clock");
    let mut player = Player::playing(setup);
    player.line(1_500, 1, "bestmove 1");
    assert_eq!(
        player.take(),
        ["2 > position startpos moves 1", "2 > go p1time 600 p2time 2000 p1inc 100 p2inc 100"]
    );
    player.line(1_600, 2, "bestmove 1");
    player.line(2_245, 1, "bestmove 1");
    assert_eq!(player.moves(), "1 1 1");
    player.take();
    player.line(2_300, 2, "bestmove 1");
    // 600 ms and 45 ms of the margin were used: 1 ms is left, and the margin is whole again.
    assert_eq!(player.take()[1], "1 > go p1time 100 p2time 2045 p1inc 100 p2inc 100");
    player.line(2_451, 1, "bestmove 1");
    assert_eq!(player.outcome(), "places 2,1 reason failure; seat 1 time limit 100ms used 151ms margin 50ms");
}

#[test]
fn a_session_gives_the_base_time_again_and_bots_know_when() {
    let mut setup = setup(2);
    setup.time_control = TimeControl::clock("2/1s").expect("it is a clock");
    let mut player = Player::playing(setup);
    player.line(400, 1, "bestmove 1");
    assert_eq!(player.take()[1], "2 > go p1time 600 p2time 1000 p1inc 0 p2inc 0 movestogo 2");
    player.line(400, 2, "bestmove 1");
    assert_eq!(player.take()[1], "1 > go p1time 600 p2time 1000 p1inc 0 p2inc 0 movestogo 1");
    player.line(900, 1, "bestmove 1");
    player.line(900, 2, "bestmove 1");
    assert_eq!(
        player.take().last().map(String::as_str),
        Some("1 > go p1time 1100 p2time 2000 p1inc 0 p2inc 0 movestogo 2")
    );
    player.line(2_051, 1, "bestmove 1");
    assert_eq!(player.outcome(), "places 2,1 reason failure; seat 1 time limit 1.1s used 1.151s margin 50ms");
}

#[test]
fn a_seat_is_judged_by_its_own_time_control() {
    let mut setup = setup(2);
    setup.seats[seat(1)].time_control = Some(TimeControl::MoveTime(ms(100)));
    let mut player = Player::playing(setup.clone());
    player.line(151, 1, "bestmove 1");
    assert_eq!(player.outcome(), "places 2,1 reason failure; seat 1 time limit 100ms used 151ms margin 50ms");
    let mut player = Player::playing(setup);
    player.line(150, 1, "bestmove 1");
    assert_eq!(player.take()[1], "2 > go movetime 1000");
    player.line(1_200, 2, "bestmove 1");
    assert_eq!(player.take()[1], "1 > go movetime 100");
}

#[test]
fn a_cap_on_moves_holds_whatever_the_clock_shows() {
    let mut setup = setup(2);
    setup.time_control = TimeControl::clock("2s").expect("it is a clock");
    setup.seats[seat(1)].limits.max_move_time = Some(ms(300));
    let mut player = Player::count(setup);
    player.start();
    player.lines(0, 1, &["ugiok", "readyok"]);
    player.lines(0, 2, &["ugiok", "readyok"]);
    let said = player.take();
    assert_eq!(
        said.last().map(String::as_str),
        Some("1 > go p1time 2000 p2time 2000 p1inc 0 p2inc 0 movetime 300")
    );
    player.line(351, 1, "bestmove 1");
    assert_eq!(player.outcome(), "places 2,1 reason failure; seat 1 time limit 300ms used 351ms margin 50ms");
}

#[test]
fn a_late_bot_shows_what_it_printed_instead() {
    check(
        |player| {
            player.lines(5, 1, &["Traceback (most recent call last):", "", "  KeyError: \u{1b}"]);
        },
        "places 2,1 reason failure; seat 1 protocol `  KeyError: \\u{1b}` expected text without control characters",
    );
    check(
        |player| {
            player.lines(5, 1, &["Traceback (most recent call last):", "KeyError: 'x'"]);
            player.event(at(6), Event::Unfinished { seat: seat(1), text: b"bestm".to_vec() });
            player.tick(1_100);
        },
        "places 2,1 reason failure; seat 1 time limit 1s used 1.1s margin 50ms \
         stray [\"Traceback (most recent call last):\", \"KeyError: 'x'\", \"bestm\"]",
    );
    // An unfinished line that is reported more than once is shown once.
    check(
        |player| {
            player.event(at(6), Event::Unfinished { seat: seat(1), text: b"Trace".to_vec() });
            player.event(at(7), Event::Unfinished { seat: seat(1), text: b"Traceb".to_vec() });
            player.line(8, 1, "Traceback");
            player.event(at(9), Event::Unfinished { seat: seat(1), text: b"Key".to_vec() });
            player.event(at(10), Event::Unfinished { seat: seat(1), text: b"KeyErr".to_vec() });
            player.tick(1_100);
        },
        "places 2,1 reason failure; seat 1 time limit 1s used 1.1s margin 50ms \
         stray [\"Traceback\", \"KeyErr\"]",
    );
}

#[test]
fn illegal_moves_and_texts_that_are_no_moves_are_distinguished() {
    check(
        |player| player.line(5, 1, "bestmove 7"),
        "places 2,1 reason failure; seat 1 illegal_move `7`: no counting past the goal",
    );
    check(
        |player| player.line(5, 1, "bestmove e2e4"),
        "places 2,1 reason failure; seat 1 not_a_move `e2e4`: a move is a digit",
    );
    check(
        |player| player.line(5, 1, &format!("bestmove {}", "\u{202e}".repeat(201))),
        &format!(
            "places 2,1 reason failure; seat 1 not_a_move `{}...`: a move is a digit",
            "\\u{202e}".repeat(200)
        ),
    );
}

#[test]
fn an_answer_that_was_not_asked_for_breaks_the_protocol() {
    let unasked = "expected one `bestmove` after each `go`";
    check(
        |player| player.line(5, 2, "bestmove 1"),
        &format!("places 1,2 reason failure; seat 2 protocol `bestmove 1` {unasked}"),
    );
    // Twice: the second answer arrives while the other bot is on move.
    check(
        |player| player.lines(5, 1, &["bestmove 1", "bestmove 2"]),
        &format!("places 2,1 reason failure; seat 1 protocol `bestmove 2` {unasked}"),
    );
    // Stamped before the turn was sent, handed over after it.
    check(
        |player| {
            player.line(50, 1, "bestmove 1");
            player.line(49, 2, "bestmove resign");
        },
        &format!("places 1,2 reason failure; seat 2 protocol `bestmove resign` {unasked}"),
    );
    check_before(
        |player| {
            player.line(5, 1, "bestmove 1");
            player.lines(5, 2, &["ugiok", "readyok"]);
        },
        &format!("places 2,1 reason failure; seat 1 protocol `bestmove 1` {unasked}"),
    );
}

#[test]
fn lines_that_cant_be_read_break_the_protocol() {
    check(
        |player| player.line(5, 1, "bestmove"),
        "places 2,1 reason failure; seat 1 protocol `bestmove` expected `bestmove MOVE` or `bestmove resign`",
    );
    check(
        |player| {
            player.event(at(5), Event::Line { seat: seat(2), line: b"hi \xff".to_vec() });
        },
        "places 1,2 reason failure; seat 2 protocol `hi \\xff` expected UTF-8 text",
    );
}

#[test]
fn a_crash_on_move_loses_at_once() {
    check(
        |player| player.exited(5, 1, 3),
        "places 2,1 reason failure; seat 1 crash exit status 3 stderr `oh no`",
    );
    check(|player| player.closed(5, 1), "places 2,1 reason failure; seat 1 closed_output stderr `bye`");
}

#[test]
fn a_crash_off_move_loses_at_the_next_turn() {
    check(
        |player| {
            player.line(5, 1, "bestmove 3");
            player.exited(6, 1, 0);
            assert!(player.finished.is_none());
            player.line(9, 2, "bestmove 3");
            assert_eq!(player.moves(), "3 3");
        },
        "places 2,1 reason failure; seat 1 crash exit status 0 stderr `oh no`",
    );
    // The end of a process says more than the end of its output.
    check(
        |player| {
            player.closed(5, 2);
            player.exited(6, 2, 7);
            player.line(9, 1, "bestmove 3");
        },
        "places 1,2 reason failure; seat 2 crash exit status 7 stderr `oh no`",
    );
    // The game may end before that turn comes.
    check(
        |player| {
            player.lines(5, 1, &["bestmove 3"]);
            player.exited(6, 1, 0);
            player.line(9, 2, "bestmove resign");
            let bots = &player.finished.as_ref().expect("the game is over").bots;
            assert_eq!(bots.as_slice(), [BotAfter::Gone, BotAfter::Waiting]);
        },
        "places 1,2 reason resignation",
    );
}

#[test]
fn each_way_of_not_getting_ready_has_its_own_fault() {
    let other = |player: &mut Player| player.lines(5, 2, &["ugiok", "readyok"]);
    check_before(
        |player| {
            other(player);
            let error = "cannot execute `./bot`: permission denied".to_owned();
            player.event(at(6), Event::StartFailed { seat: seat(1), error });
        },
        "places 2,1 reason failure; seat 1 not_started error `cannot execute `./bot`: permission denied` stderr ``",
    );
    check_before(
        |player| {
            other(player);
            player.line(6, 1, "usage: bot FILE");
            player.exited(7, 1, 2);
        },
        "places 2,1 reason failure; \
         seat 1 not_started error `it ended before `ugiok` with exit status 2` stderr `oh no` stray [\"usage: bot FILE\"]",
    );
    check_before(
        |player| {
            other(player);
            player.line(6, 1, "ugiok");
            player.exited(7, 1, 0);
        },
        "places 2,1 reason failure; \
         seat 1 not_started error `it ended before `readyok` with exit status 0` stderr `oh no`",
    );
    check_before(
        |player| {
            other(player);
            player.closed(7, 1);
        },
        "places 2,1 reason failure; seat 1 closed_output stderr `bye`",
    );
    check_before(
        |player| {
            other(player);
            player.tick(10_000);
        },
        "places 2,1 reason failure; seat 1 not_ready no ugiok in 10s",
    );
    check_before(
        |player| {
            other(player);
            player.line(6, 1, "ugiok");
            player.line(7, 1, "I am thinking");
            assert_eq!(player.core.deadline(), Some(at(5_006)));
            player.line(5_006, 1, "readyok");
        },
        "places 2,1 reason failure; seat 1 not_ready no readyok in 5s stray [\"I am thinking\"]",
    );
}

#[test]
fn a_warm_bot_that_ends_before_it_is_ready_has_crashed() {
    let mut setup = setup(2);
    setup.seats[seat(1)].bot = warm();
    let mut player = Player::count(setup);
    player.start();
    player.exited(5, 1, 1);
    player.lines(5, 2, &["ugiok", "readyok"]);
    assert_eq!(player.outcome(), "places 2,1 reason failure; seat 1 crash exit status 1 stderr `oh no`");
}

#[test]
fn without_any_bot_there_is_no_result() {
    check_before(
        |player| {
            player.exited(5, 1, 1);
            player.tick(10_000);
        },
        "void no_bot_played; seat 1 not_started error `it ended before `ugiok` with exit status 1` stderr `oh no`; \
         seat 2 not_ready no ugiok in 10s",
    );
}

#[test]
fn too_much_output_is_a_fault() {
    let many = "x".repeat(999);
    check(
        |player| player.event(at(5), Event::LineTooLong { seat: seat(1), bytes: 4_096 }),
        "places 2,1 reason failure; seat 1 limit line 4096 of 1000",
    );
    check(
        |player| player.line(5, 1, &"x".repeat(1_001)),
        "places 2,1 reason failure; seat 1 limit line 1001 of 1000",
    );
    check(
        |player| player.lines(5, 1, &[&many, &many, &many, ""]),
        "places 2,1 reason failure; seat 1 limit output_on_move 3001 of 3000",
    );
    check(
        |player| player.lines(5, 2, &[&many, &many[..986]]),
        "places 1,2 reason failure; seat 2 limit output_off_move 2001 of 2000",
    );
    check(
        |player| {
            let (which, limit, used) = (Limit::Stderr, 100, 101);
            player.event(at(5), Event::LimitExceeded { seat: seat(2), which, limit, used });
        },
        "places 1,2 reason failure; seat 2 limit stderr 101 of 100",
    );
}

#[test]
fn output_on_move_is_counted_for_each_move() {
    let mut player = Player::playing(setup(2));
    let many = "x".repeat(999);
    for turn in 0..3 {
        let now = turn * 10;
        player.lines(now, 1, &[&many, &many, "bestmove 1"]);
        player.lines(now + 5, 2, &[&many, &many, "bestmove 1"]);
    }
    assert_eq!(player.moves(), "1 1 1 1 1 1");
}

#[test]
fn a_failure_of_the_host_is_no_bots_fault() {
    check(
        |player| {
            player.line(5, 1, "bestmove 1");
            player.stop(6);
            let bots = &player.finished.as_ref().expect("the game is over").bots;
            assert_eq!(bots.as_slice(), [BotAfter::Waiting, BotAfter::Busy]);
        },
        "void host",
    );
}

#[test]
fn a_turn_that_the_driver_never_sends_is_the_hosts_fault() {
    let mut player = Player::count(setup(2));
    player.sends = false;
    let mut player = player.ready();
    assert_eq!(player.core.deadline(), Some(at(10_000)));
    player.tick(10_000);
    assert_eq!(player.outcome(), "void host");
}
