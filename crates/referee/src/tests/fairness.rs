//! Late moves and the causes of their delay; bots that are paused out of turn.

use std::time::Duration;

use crate::tests::player::{Player, at, ms, seat, setup, warm};
use crate::{About, Event, GameTime, Input, LateMoves, Pausing, Reading};
use linesman_types::verdict::{Verdict, Void};

fn reading(cpu: u64, wait: u64) -> Option<Reading> {
    Some(Reading { cpu: ms(cpu), waits: vec![(1, ms(wait))], is_ready: false })
}

/// Returns a game of two ready bots, with seat 1 on move at 0 ms with a second and 50 ms of margin; it has
/// used nothing before.
fn playing() -> Player {
    let mut setup = setup(2);
    for (_, own) in setup.seats.iter_mut() {
        own.fairness.earlier = Some(Reading::default());
    }
    Player::playing(setup)
}

#[track_caller]
fn check(play: impl FnOnce(&mut Player), expected: &str) {
    let mut player = playing();
    play(&mut player);
    assert_eq!(player.outcome(), expected);
}

#[test]
fn a_move_is_late_past_the_margin_and_not_before() {
    for (used, outcome) in [
        (1_001, None),
        (1_045, None),
        (1_050, None),
        (1_070, Some("places 2,1 reason failure; seat 1 time limit 1s used 1.07s margin 50ms")),
    ] {
        let mut player = playing();
        player.host = (reading(used, 0), Duration::ZERO);
        player.line(used, 1, "bestmove 1");
        assert_eq!(player.finished.is_some(), outcome.is_some(), "after {used} ms");
        if let Some(outcome) = outcome {
            assert_eq!(player.outcome(), outcome);
        }
    }
}

#[test]
fn a_late_move_that_the_host_explains_makes_the_game_void() {
    let late = |cpu, wait, lag| {
        move |player: &mut Player| {
            player.host = (reading(cpu, wait), ms(lag));
            player.line(1_070, 1, "bestmove 1");
        }
    };
    check(late(900, 170, 0), "void host: seat 1 used 1.07s excuse 170ms");
    check(late(1_000, 0, 20), "void host: seat 1 used 1.07s excuse 20ms");
    // Late by 20 ms, of which the host explains 19.
    check(late(900, 19, 0), "places 2,1 reason failure; seat 1 time limit 1s used 1.07s margin 50ms");
    // It used all of its CPU: its threads waited for each other.
    check(late(1_070, 1_000, 0), "places 2,1 reason failure; seat 1 time limit 1s used 1.07s margin 50ms");
}

/// Returns a game in which seat 1 has just been started and has ten seconds for `ugiok`, five for `readyok`.
fn starting() -> Player {
    let mut player = Player::count(setup(2));
    player.start();
    player.lines(0, 2, &["ugiok", "readyok"]);
    player
}

const NEVER: &str = "places 2,1 reason failure; seat 1 not_ready no ugiok in 10s";

#[test]
fn a_bot_that_gets_ready_is_given_the_time_that_the_host_kept_from_it() {
    let mut player = starting();
    player.host = (reading(200, 3_000), Duration::ZERO);
    player.tick(10_000);
    assert_eq!(player.asked, [(1, About::Readiness)]);
    assert_eq!(player.core.deadline(), Some(at(13_010)));
    player.line(12_900, 1, "ugiok");
    // It has five seconds for the next step, of which the host also takes some.
    player.host = (reading(300, 4_000), Duration::ZERO);
    player.tick(17_900);
    assert_eq!(player.core.deadline(), Some(at(18_900)));
    player.line(18_800, 1, "readyok");
    player.line(18_900, 1, "bestmove 1");
    assert!(player.finished.is_none());

    // It may waste the extension.
    let mut player = starting();
    player.host = (reading(200, 3_000), Duration::ZERO);
    player.tick(10_000);
    player.tick(13_010);
    assert_eq!(player.outcome(), NEVER);
}

#[test]
fn a_bot_that_is_itself_late_to_get_ready_gets_no_more_time() {
    let ready = |cpu, wait| Some(Reading { cpu: ms(cpu), waits: vec![(1, ms(wait))], is_ready: true });
    for (host, latest) in [(None, 10_000), (reading(100, 0), 10_000), (ready(10_000, 0), 10_010)] {
        let mut player = starting();
        player.host = (host, Duration::ZERO);
        let mut last = GameTime::default();
        while player.finished.is_none() {
            last = player.core.deadline().expect("the game goes on");
            if let Some(reading) = player.host.0.as_mut().filter(|reading| reading.is_ready) {
                reading.cpu = last.0;
            }
            player.event(last, Event::Tick);
        }
        assert_eq!((player.outcome().as_str(), last), (NEVER, at(latest)));
    }
}

#[test]
fn a_bot_without_a_cpu_gets_more_time_within_a_bound() {
    let never = Some(Reading { cpu: Duration::ZERO, waits: vec![(1, Duration::ZERO)], is_ready: true });
    let mut player = starting();
    player.host = (never.clone(), Duration::ZERO);
    let mut looks = 0;
    while player.finished.is_none() {
        let deadline = player.core.deadline().expect("the game goes on");
        assert!(deadline < at(20_001), "{deadline:?}");
        player.event(deadline, Event::Tick);
        looks += 1;
    }
    assert_eq!(player.outcome(), NEVER);
    assert!((5..20).contains(&looks), "{looks} looks");

    // It gets one in the end.
    let mut player = starting();
    player.host = (never, Duration::ZERO);
    player.tick(10_000);
    player.tick(10_010);
    player.line(10_020, 1, "ugiok");
    player.line(10_030, 1, "readyok");
    assert!(player.finished.is_none());
}

#[test]
fn a_silent_host_gives_no_bot_more_time() {
    let mut player = starting();
    player.core.handle(Input { at: at(10_000), event: Event::Tick }, &mut Vec::new());
    assert_eq!(player.core.deadline(), Some(at(11_000)));
    player.tick(11_000);
    assert_eq!(player.outcome(), NEVER);
}

#[test]
fn the_longest_wait_of_any_one_thread_since_the_turn_began_counts() {
    let mut player = playing();
    player.host = (
        Some(Reading { cpu: ms(10), waits: vec![(1, ms(500)), (2, ms(10))], is_ready: false }),
        Duration::ZERO,
    );
    // A move that took long: the next turn begins with a sample, from which the wait counts.
    player.line(20, 1, "bestmove 1");
    player.line(30, 2, "bestmove 1");
    assert_eq!(player.asked, [(1, About::Move(0)), (2, About::Move(1)), (1, About::Turn)]);
    player.host.0 =
        Some(Reading { cpu: ms(500), waits: vec![(1, ms(505)), (2, ms(16)), (3, ms(7))], is_ready: false });
    player.line(1_200, 1, "bestmove 1");
    assert_eq!(player.outcome(), "places 2,1 reason failure; seat 1 time limit 1s used 1.17s margin 50ms");
}

#[test]
fn a_bot_that_was_kept_from_its_cpu_is_given_its_time_and_may_waste_it() {
    let mut player = playing();
    player.host = (reading(700, 300), Duration::ZERO);
    player.tick(1_051);
    assert!(player.finished.is_none(), "300 ms of its time are left");
    assert_eq!(player.core.deadline().map(|at| at.0.as_millis()), Some(1_351));
    // It prints something else, which is not an answer.
    player.line(1_100, 1, "info depth 3");
    assert!(player.finished.is_none());
    player.tick(1_352);
    assert_eq!(player.outcome(), "places 2,1 reason failure; seat 1 time limit 1s used 1.352s margin 50ms");

    let mut player = playing();
    player.host = (reading(700, 300), Duration::ZERO);
    player.tick(1_051);
    player.line(1_200, 1, "bestmove 1");
    assert_eq!(player.outcome(), "void host: seat 1 used 1.2s excuse 300ms");
}

#[test]
fn a_bot_that_does_nothing_is_not_waited_for_longer_than_the_host_took() {
    let mut player = playing();
    player.host = (
        Some(Reading { cpu: ms(1), waits: vec![(1, Duration::from_micros(60))], is_ready: false }),
        Duration::ZERO,
    );
    let deadline = player.core.deadline().expect("it is on move");
    player.event(deadline, Event::Tick);
    let deadline = player.core.deadline().expect("it is looked at again");
    assert!(deadline <= at(1_053), "{deadline:?}");
    player.event(deadline, Event::Tick);
    assert!(player.outcome().starts_with("places 2,1 reason failure; seat 1 time "));
}

#[test]
fn the_wait_for_a_bot_that_never_gets_a_cpu_is_bounded() {
    let mut player = playing();
    let mut looks = 0;
    while player.finished.is_none() {
        let deadline = player.core.deadline().expect("the game goes on");
        player.host =
            (Some(Reading { cpu: ms(0), waits: vec![(1, deadline.0)], is_ready: false }), Duration::ZERO);
        player.event(deadline, Event::Tick);
        looks += 1;
    }
    assert!(looks < 25, "{looks}");
    assert!(player.core.deadline().is_none());
    assert!(player.outcome().starts_with("void host: seat 1 used "), "{}", player.outcome());
}

/// The bound on the wait for a bot with a second and a margin of 50 ms: 30 times that and
/// 30 s after its time.
const LATEST: GameTime = GameTime(Duration::from_millis(1_050 + 30 * 1_050 + 30_000));

#[test]
fn a_bot_that_hangs_next_to_others_gets_its_cpu_time_and_then_loses() {
    // It has a third of a CPU, and waits for the rest.
    let mut player = playing();
    let mut last = GameTime::default();
    while player.finished.is_none() {
        last = sample(&mut player, |now| ready(now / 3, now - now / 3));
    }
    assert!((at(3_150)..at(4_000)).contains(&last), "{last:?}");
    let outcome = player.outcome();
    assert!(outcome.starts_with("places 2,1 reason failure; seat 1 time "), "{outcome}");
}

#[test]
fn what_a_late_bot_does_in_its_extra_time_counts_unless_it_is_a_legal_move() {
    for (answer, outcome) in [
        ("bestmove 1", "void host: seat 1 used 1.07s excuse 170ms"),
        ("bestmove 9", "places 2,1 reason failure; seat 1 illegal_move"),
        ("bestmove what", "places 2,1 reason failure; seat 1 not_a_move"),
        ("bestmove resign", "places 2,1 reason resignation"),
        ("bestmove", "places 2,1 reason failure; seat 1 protocol"),
    ] {
        // It does not matter if it was sampled before it answered, or only then.
        for is_sampled in [false, true] {
            let mut player = playing();
            player.host = (reading(900, 170), Duration::ZERO);
            if is_sampled {
                player.tick(1_051);
            }
            player.line(1_070, 1, answer);
            assert!(player.outcome().starts_with(outcome), "{answer}: {}", player.outcome());
        }
    }
    // Without an excuse its time was over before, whatever it prints then.
    check(
        |player| player.line(1_070, 1, "bestmove 9"),
        "places 2,1 reason failure; seat 1 time limit 1s used 1.07s margin 50ms",
    );
}

#[test]
fn a_void_game_records_if_the_move_arrived_and_what_else_the_bot_printed() {
    let overload = |player: &mut Player| {
        let finished = player.finished.take().expect("the game is over");
        match finished.verdict {
            Verdict::Void { void: Void::Overload(overload), .. } => (overload.moved, overload.stray_lines),
            other => panic!("{other:?}"),
        }
    };
    let mut player = playing();
    player.host = (reading(900, 170), Duration::ZERO);
    player.line(500, 1, "thinking hard");
    player.line(1_070, 1, "bestmove 1");
    assert_eq!(overload(&mut player), (true, vec!["thinking hard".to_owned()]));
    let mut player = playing();
    while player.finished.is_none() {
        sample(&mut player, |now| ready(ms(0), now));
    }
    assert_eq!(overload(&mut player), (false, Vec::new()));
}

/// Lets time pass to the next sample of the bot on move, which finds `host` of the time of that sample.
fn sample(player: &mut Player, host: impl FnOnce(Duration) -> Reading) -> GameTime {
    let deadline = player.core.deadline().expect("it is looked at");
    player.host = (Some(host(deadline.0)), Duration::ZERO);
    player.event(deadline, Event::Tick);
    deadline
}

fn ready(cpu: Duration, wait: Duration) -> Reading {
    Reading { cpu, waits: vec![(1, wait)], is_ready: true }
}

#[test]
fn a_wait_in_progress_when_the_move_is_late_is_the_hosts() {
    let mut player = playing();
    // It thinks for 950 ms, and then has no CPU for 140, none of which is in its account yet.
    sample(&mut player, |_| ready(ms(950), ms(0)));
    assert!(player.finished.is_none(), "it may be waiting");
    assert!(sample(&mut player, |_| ready(ms(950), ms(0))) <= at(1_053));
    assert!(player.finished.is_none(), "it is waiting");
    player.host = (reading(960, 140), Duration::ZERO);
    player.line(1_100, 1, "bestmove 1");
    assert_eq!(player.outcome(), "void host: seat 1 used 1.1s excuse 140ms");
}

#[test]
fn a_wait_from_before_the_last_sample_does_not_hide_the_one_in_progress() {
    let mut player = playing();
    // It waits from 900 ms on, runs for 20 at 1,200, and has waited again since then.
    sample(&mut player, |_| ready(ms(900), ms(0)));
    player.host = (Some(ready(ms(920), ms(300))), Duration::ZERO);
    player.tick(1_500);
    assert!(player.finished.is_none(), "it has had 920 ms of CPU in its second");
    player.host = (reading(950, 600), Duration::ZERO);
    player.line(1_550, 1, "bestmove 1");
    assert_eq!(player.outcome(), "void host: seat 1 used 1.55s excuse 600ms");
}

#[test]
fn a_late_bot_that_runs_is_judged_at_the_second_sample() {
    // Without waiting, and with a wait that does not explain it.
    for wait in [ms(0), ms(1)] {
        let mut player = playing();
        sample(&mut player, |now| ready(now - wait, ms(0)));
        let last = sample(&mut player, |now| ready(now - wait, wait));
        assert!(last <= at(1_053), "{last:?}");
        assert!(
            player.outcome().starts_with("places 2,1 reason failure; seat 1 time "),
            "{}",
            player.outcome()
        );
    }
}

#[test]
fn the_wait_for_a_bot_that_waits_for_its_cpu_forever_is_bounded() {
    let mut player = playing();
    let mut looks = 0;
    while player.finished.is_none() {
        assert!(sample(&mut player, |_| ready(ms(950), ms(0))) <= LATEST);
        looks += 1;
    }
    assert!(looks < 60, "{looks}");
    assert!(player.outcome().starts_with("void host: seat 1 used "), "{}", player.outcome());
}

#[test]
fn an_end_past_the_time_is_a_late_move_unless_the_host_explains_the_lateness() {
    let mut player = playing();
    player.host = (reading(100, 900), Duration::ZERO);
    player.exited(1_060, 1, 1);
    assert_eq!(
        player.outcome(),
        "places 2,1 reason failure; seat 1 crash exit status 1 stderr `oh no`",
        "it crashed in the time that it was given"
    );
    check(
        |player| player.exited(1_060, 1, 1),
        "places 2,1 reason failure; seat 1 time limit 1s used 1.06s margin 50ms",
    );
}

#[test]
fn where_late_moves_lose_an_explained_one_is_marked() {
    let mut setup = setup(2);
    setup.seats[seat(1)].fairness.late = LateMoves::Lost;
    setup.seats[seat(1)].fairness.earlier = Some(Reading::default());
    let mut player = Player::playing(setup);
    player.host = (reading(900, 170), Duration::ZERO);
    player.line(1_070, 1, "bestmove 1");
    assert_eq!(
        player.outcome(),
        "places 2,1 reason failure; seat 1 time limit 1s used 1.07s margin 50ms excuse 170ms overload"
    );
}

#[test]
fn a_late_move_is_judged_without_an_answer_from_the_host() {
    let mut player = playing();
    let mut actions = Vec::new();
    let late = crate::Input { at: at(1_060), event: Event::Tick };
    player.core.handle(late, &mut actions);
    assert_eq!(actions.len(), 1, "{actions:?}");
    assert_eq!(player.core.deadline(), Some(at(2_060)));
    player.tick(2_060);
    assert_eq!(player.outcome(), "places 2,1 reason failure; seat 1 time limit 1s used 1.06s margin 50ms");
}

#[test]
fn long_moves_keep_their_evidence_and_instant_ones_ask_for_none() {
    let mut player = Player::count(setup(2));
    player.host = (reading(4, 2), ms(1));
    player = player.ready();
    // The first turn begins with a sample if there are no figures on the bot yet.
    assert_eq!(player.asked, [(1, About::Turn)]);
    player.asked.clear();
    player.line(1, 1, "bestmove 1");
    player.line(3, 2, "bestmove 1");
    player.line(4, 1, "bestmove 1");
    player.line(5, 2, "bestmove 1");
    assert_eq!(player.asked, [(2, About::Turn)]);
    player.host.0 = reading(10, 3);
    player.line(12, 1, "bestmove 1");
    assert_eq!(player.asked[1..], [(1, About::Move(4))]);
    let evidence: Vec<_> = player.core.moves().iter().map(|played| played.evidence).collect();
    assert_eq!(evidence[..4], [None; 4]);
    let last = evidence[4].expect("it took 7 ms");
    assert_eq!((last.cpu, last.wait, last.lag), (ms(6), ms(1), ms(1)));
}

#[test]
fn a_silent_host_is_asked_before_one_turn_of_each_bot_only() {
    let mut player = Player::playing(setup(2));
    for (time, number) in [(100, 1), (200, 2), (300, 1), (400, 2), (500, 1)] {
        player.line(time, number, "bestmove 1");
    }
    assert_eq!(player.asked, [(1, About::Turn), (2, About::Turn)]);
}

#[test]
fn a_bot_is_paused_except_in_its_turns_and_at_the_end() {
    let mut setup = setup(2);
    for (_, own) in setup.seats.iter_mut() {
        own.bot = warm();
        own.fairness.pausing = Pausing::On;
    }
    let mut player = Player::count(setup);
    player.start();
    player.line(0, 1, "readyok");
    assert!(!player.take().iter().any(|said| said.contains("pause")));
    player.line(0, 2, "readyok");
    let said = player.take();
    assert_eq!(said[0], "2 * pause");
    assert!(said.contains(&"1 > go movetime 1000".to_owned()), "{said:?}");
    player.line(10, 1, "bestmove 3");
    let said = player.take();
    assert_eq!(said[..2], ["1 * pause", "2 * resume"]);
    player.line(20, 2, "bestmove resign");
    assert_eq!(
        player.take(),
        [
            "1 * resume",
            "1 > gameover places 1,2 reason resignation",
            "2 > gameover places 1,2 reason resignation"
        ]
    );
}

#[test]
fn a_bot_that_works_out_of_turn_is_paused_from_its_second_turn_on() {
    #[track_caller]
    fn check(off_move: u64, pausing: Pausing, is_paused: bool) {
        let mut setup = setup(2);
        setup.seats[seat(1)].fairness.pausing = pausing;
        let mut player = Player::count(setup);
        player.host.0 = reading(0, 0);
        let mut player = player.ready();
        player.line(1, 1, "bestmove 1");
        // Seen when it is asked again.
        player.host.0 = reading(off_move, 0);
        player.line(40, 2, "bestmove 1");
        player.line(41, 1, "bestmove 1");
        assert_eq!(player.take().contains(&"1 * pause".to_owned()), is_paused, "{off_move} ms, {pausing:?}");
    }
    check(30, Pausing::OnSuspicion, true);
    check(4, Pausing::OnSuspicion, false);
    check(30, Pausing::Off, false);
}

#[test]
fn a_late_move_is_awaited_until_it_arrives() {
    let late = |player: &mut Player, line: &[u8]| {
        let event = Event::Line { seat: seat(1), line: line.to_vec() };
        player.core.handle(Input { at: at(1_060), event }, &mut Vec::new());
    };
    let mut player = playing();
    assert!(!player.core.is_awaited());
    late(&mut player, b"info depth 3");
    assert!(player.core.is_awaited());
    late(&mut player, b"bestmove 1");
    assert!(!player.core.is_awaited());
}

#[test]
fn cpu_time_since_a_sample_of_an_earlier_game_is_no_suspicion() {
    let mut setup = setup(2);
    setup.seats[seat(1)].fairness.pausing = Pausing::OnSuspicion;
    setup.seats[seat(1)].fairness.earlier = Some(Reading::default());
    let mut player = Player::playing(setup);
    player.take();
    player.line(1, 1, "bestmove 1");
    // Seat 2 took long, so seat 1 is sampled: it has played many short games since its last sample.
    player.host.0 = reading(300, 0);
    player.line(40, 2, "bestmove 1");
    assert_eq!(player.asked.iter().filter(|asked| **asked == (1, About::Turn)).count(), 1);
    player.line(41, 1, "bestmove 1");
    assert!(!player.take().contains(&"1 * pause".to_owned()));
    // What it has used since that sample counts.
    player.host.0 = reading(330, 0);
    player.line(80, 2, "bestmove 1");
    player.line(81, 1, "bestmove 1");
    assert!(player.take().contains(&"1 * pause".to_owned()));
}
