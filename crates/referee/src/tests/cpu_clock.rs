//! The clock that counts CPU time: charges, samples while a bot thinks, and the wall bound.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::tests::player::{Player, at, ms, seat, setup, warm};
use crate::{About, Event, GameSetup, Reading};
use linesman_types::time_control::{ClockKind, TimeControl};
use linesman_types::verdict::Fault;

fn reading(cpu: u64, wait: u64, is_ready: bool) -> Option<Reading> {
    Some(Reading { cpu: ms(cpu), waits: vec![(1, ms(wait))], is_ready })
}

/// A second and 50 ms of CPU time per move, and four times as much wall time.
fn cpu_setup() -> GameSetup {
    let clock = ClockKind::Cpu { wall_bound: NonZeroU32::new(4).expect("it is not 0") };
    let mut setup = GameSetup { clock, ..setup(2) };
    for (_, own) in setup.seats.iter_mut() {
        own.bot = warm();
    }
    setup
}

/// Returns a game with seat 1 on move at 0 ms, which has used 500 ms of CPU time before.
fn playing(setup: GameSetup) -> Player {
    let mut player = Player::count(setup);
    player.host = (reading(500, 0, false), Duration::ZERO);
    let mut player = player.ready();
    assert_eq!(player.asked, [(1, About::Turn)]);
    player.asked.clear();
    player
}

impl Player {
    /// Plays a bot's move after it has used and waited for these times.
    fn answer(&mut self, milliseconds: u64, number: usize, (cpu, wait): (u64, u64), line: &str) {
        self.answer_after(milliseconds, number, reading(cpu, wait, false), line);
    }

    fn answer_after(&mut self, milliseconds: u64, number: usize, reading: Option<Reading>, line: &str) {
        self.host = (reading, Duration::ZERO);
        assert!(self.core.is_charged_by(at(milliseconds), seat(number), line.as_bytes()));
        let (reading, lag) = self.host.clone();
        let event = Event::Evidence { seat: seat(number), about: About::Answer, reading, lag };
        self.event(at(milliseconds), event);
        self.line(milliseconds, number, line);
    }

    /// Ticks at each deadline until the game is over or `until` has passed; `used` returns the time that the
    /// bot has used and waited up to each moment. Returns the number of samples.
    fn tick_until(&mut self, until: u64, used: impl Fn(u64) -> (u64, u64, bool)) -> usize {
        let before = self.asked.len();
        while let Some(deadline) = self.core.deadline().filter(|deadline| *deadline <= at(until)) {
            let (cpu, wait, is_ready) = used(u64::try_from(deadline.0.as_millis()).expect("it is short"));
            self.host = (reading(500 + cpu, wait, is_ready), Duration::ZERO);
            self.event(deadline, Event::Tick);
        }
        self.asked.len() - before
    }
}

#[test]
fn a_move_is_charged_only_the_cpu_time_that_it_took() {
    let mut setup = cpu_setup();
    setup.time_control = TimeControl::clock("1s+100ms").expect("it is a clock");
    let mut player = playing(setup);
    // Of 3 s it waited 2 s and slept a while.
    player.tick_until(2_900, |now| (now / 10, now * 2 / 3, true));
    player.answer(3_000, 1, (800, 2_000), "bestmove 1");
    assert_eq!(
        player.take().last().map(String::as_str),
        Some("2 > go p1time 800 p2time 1000 p1inc 100 p2inc 100")
    );
    let played = &player.core.moves()[0];
    assert_eq!((played.used, played.wall), (ms(300), Some(ms(3_000))));
    assert_eq!(played.evidence.map(|evidence| evidence.wait), Some(ms(2_000)));
}

#[test]
fn what_a_bot_uses_out_of_its_turn_is_not_charged() {
    let mut player = playing(cpu_setup());
    player.answer(10, 1, (510, 0), "bestmove 1");
    // It keeps working while the other one thinks, and is asked again.
    player.host = (reading(9_000, 0, false), Duration::ZERO);
    player.line(400, 2, "bestmove 1");
    assert_eq!(player.core.moves()[1].used, ms(0));
    player.answer(500, 1, (9_090, 0), "bestmove 1");
    assert_eq!(player.core.moves()[2].used, ms(90));
}

#[test]
fn more_cpu_than_limit_and_margin_loses_on_time() {
    for (cpu, is_lost) in [(1_050, false), (1_051, true)] {
        let mut player = playing(cpu_setup());
        player.answer(1_045, 1, (500 + cpu, 0), "bestmove 1");
        assert_eq!(player.finished.is_some(), is_lost, "{cpu} ms");
    }
    let mut player = playing(cpu_setup());
    player.answer(600, 1, (1_600, 0), "\u{feff}bestmove\t1");
    assert_eq!(
        player.outcome(),
        "places 2,1 reason failure; seat 1 time limit 1s cpu 1.1s margin 50ms wall 600ms of 4.2s"
    );
    // A line that is not a move is a fault, no matter how late it is.
    let mut player = playing(cpu_setup());
    player.answer(600, 1, (1_600, 0), "bestmove 4");
    assert!(
        player.outcome().starts_with("places 2,1 reason failure; seat 1 illegal_move"),
        "{}",
        player.outcome()
    );
}

#[test]
fn an_excess_below_a_microsecond_is_ignored() {
    for (excess, is_lost) in [(999, false), (1_000, true)] {
        let mut player = playing(cpu_setup());
        let cpu = ms(500 + 1_050) + Duration::from_nanos(excess);
        let reading = Reading { cpu, waits: vec![(1, Duration::ZERO)], is_ready: false };
        player.answer_after(1_051, 1, Some(reading), "bestmove 1");
        assert_eq!(player.finished.is_some(), is_lost, "{excess} ns");
    }
}

#[test]
fn a_bot_that_hangs_loses_when_its_cpu_time_is_used_up_and_not_before() {
    // Alone on its CPU, or with a third of it.
    for (share, least, most) in [(1, 1_050, 1_060), (3, 3_150, 3_200)] {
        let mut player = playing(cpu_setup());
        let looks = player.tick_until(60_000, |now| (now.div_ceil(share), now - now / share, true));
        assert!(looks < 40, "{looks}");
        let verdict = player.finished.map(|finished| finished.verdict);
        let fault = verdict.as_ref().and_then(|verdict| Some(&verdict.faults().first()?.fault));
        let Some(Fault::CpuClock { evidence, wall, .. }) = fault else { panic!("{verdict:?}") };
        assert!((ms(1_051)..ms(1_053)).contains(&evidence.cpu), "{evidence:?}");
        assert!((ms(least)..ms(most)).contains(wall), "{wall:?}");
    }
}

#[test]
fn several_cpus_are_sampled_as_early_as_they_can_use_up_the_limit() {
    let mut setup = cpu_setup();
    setup.seats[seat(1)].fairness.cpus = NonZeroU32::new(4).expect("it is not 0");
    let mut player = playing(setup);
    assert!(player.core.deadline().expect("it is waited for") < at(263));
    player.tick_until(10_000, |now| (4 * now + 1, 0, true));
    assert!(player.outcome().contains("seat 1 time limit 1s cpu 1.05"), "{}", player.outcome());
}

#[test]
fn a_bot_that_sleeps_loses_by_the_wall_bound() {
    let mut player = playing(cpu_setup());
    let looks = player.tick_until(60_000, |_| (3, 0, false));
    assert_eq!(
        player.outcome(),
        "places 2,1 reason failure; seat 1 time limit 1s cpu 3ms margin 50ms wall 4.201s of 4.2s"
    );
    assert!(looks < 10, "{looks}");
}

#[test]
fn a_bot_that_the_host_keeps_waiting_may_take_longer_than_the_wall_bound() {
    let mut player = playing(cpu_setup());
    // It runs a hundredth of the time, and has waited for the rest of it.
    player.tick_until(20_000, |now| (now / 100, now - now / 100, false));
    player.answer(20_000, 1, (700, 19_800), "bestmove 1");
    assert!(player.finished.is_none());
    // A wait that is not over is not in any account.
    let mut player = playing(cpu_setup());
    player.tick_until(20_000, |_| (10, 0, true));
    assert!(player.finished.is_none());
    player.tick_until(60_000, |_| (10, 0, true));
    let outcome = player.outcome();
    assert!(
        outcome.starts_with("void host: seat 1 used 42.8") && outcome.contains("excuse 42.8"),
        "{outcome}"
    );
    // A bot that waited for half of it has slept for too long.
    let mut player = playing(cpu_setup());
    player.tick_until(60_000, |now| (now / 100, now / 2, false));
    assert!(player.outcome().starts_with("places 2,1 reason failure; seat 1 time"), "{}", player.outcome());
}

#[test]
fn a_silent_host_makes_the_game_void() {
    let mut player = Player::count(cpu_setup()).ready();
    while player.finished.is_none() {
        let deadline = player.core.deadline().expect("there is one until the end");
        player.event(deadline, Event::Tick);
    }
    assert_eq!(player.outcome(), "void host");
}
