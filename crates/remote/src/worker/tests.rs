use std::num::NonZeroU64;
use std::time::Duration;

use super::*;
use crate::wire::testing::{game_report, packed_game};
use crate::wire::{MAX_REASON, PackedGame};
use linesman_record::GameRecord;

const AT: Duration = Duration::from_secs(100);

fn announced(order: LeaderOrder) -> Announcement {
    Announcement {
        v: VERSION,
        league: "cup".to_owned(),
        name: "Cup".to_owned(),
        epoch: 7,
        plan: "plan".to_owned(),
        pieces: 1,
        ack_wait_ms: 30_000,
        order,
        refused: Vec::new(),
        set_aside: Vec::new(),
        status_ms: 4_000,
    }
}

fn pack(games: u64) -> Pack {
    let games = (0..games).map(packed_game).collect();
    Pack { v: VERSION, id: "p".to_owned(), plan: "plan".to_owned(), games }
}

fn report() -> Option<Box<GameReport>> {
    Some(Box::new(game_report(&GameRecord::default())))
}

fn measured(speed: u64, waited_percent: u8) -> Option<MeasuredSpeed> {
    Some(MeasuredSpeed { positions_per_second: NonZeroU64::new(speed)?, waited_percent })
}

fn loaded(refusals: Vec<Option<String>>, least_speed: Option<NonZeroU64>) -> WorkerEvent {
    WorkerEvent::Loaded(ReadyCrew { plan: "plan".to_owned(), refusals, entrants: 2, seats: 2, least_speed })
}

/// Returns a worker with one slot, and the number of its open fetch.
fn ready(refusals: Vec<Option<String>>) -> (Worker, u64) {
    let mut worker = Worker::new("w".to_owned(), 1, 1, false);
    worker.handle(AT, WorkerEvent::Measured(measured(1_000, 0)));
    let actions = worker.handle(AT, WorkerEvent::Announced(announced(LeaderOrder::Play)));
    assert!(actions.iter().any(|action| matches!(action, WorkerAction::Load(_))), "{actions:?}");
    let actions = worker.handle(AT, loaded(refusals, None));
    let fetch = actions.iter().find_map(|action| match action {
        WorkerAction::Fetch { fetch, epoch: 7, .. } => Some(*fetch),
        _ => None,
    });
    (worker, fetch.expect("it fetches as soon as it is ready"))
}

fn fetched(worker: &mut Worker, fetch: u64, games: u64, deliveries: u64) -> Vec<WorkerAction> {
    let (delivery, pack) = ("d".to_owned(), Some(pack(games)));
    worker.handle(AT, WorkerEvent::Fetched { fetch, delivery, deliveries, pack })
}

fn reported(actions: &[WorkerAction]) -> Option<(u64, &Report)> {
    actions.iter().find_map(|action| match action {
        WorkerAction::Report { number, report, .. } => Some((*number, report)),
        _ => None,
    })
}

fn has(actions: &[WorkerAction], wanted: fn(&WorkerAction) -> bool) -> bool {
    actions.iter().any(wanted)
}

fn is_ack(action: &WorkerAction) -> bool {
    matches!(action, WorkerAction::Ack(_))
}

fn is_nak(action: &WorkerAction) -> bool {
    matches!(action, WorkerAction::Nak(..))
}

#[test]
fn a_pack_is_acknowledged_when_all_of_its_reports_are_kept() {
    let (mut worker, fetch) = ready(vec![None, None]);
    let actions = fetched(&mut worker, fetch, 2, 1);
    assert!(has(&actions, |action| matches!(action, WorkerAction::Begin)));
    assert!(!has(&actions, |action| matches!(action, WorkerAction::Fetch { .. })), "it has enough to play");
    for game in 0..2 {
        let (number, begun) = worker.begin().expect("there are two");
        assert_eq!(begun.index, game);
        assert!(worker.begin().is_none(), "its only slot is taken");
        let actions = worker.handle(AT, WorkerEvent::Ended { number, report: report() });
        let begins = has(&actions, |action| matches!(action, WorkerAction::Begin));
        assert_eq!(begins, game == 0, "a thread that found no free slot is woken for a game that waits");
        let (number, sent) = reported(&actions).expect("it is sent at once");
        assert!(matches!(sent, Report::Game(game) if game.pack == "p"));
        // The broker did not answer.
        worker.handle(AT, WorkerEvent::Reported { number, is_kept: false });
        let later = AT + Duration::from_secs(3);
        let actions = worker.handle(later, WorkerEvent::Tick);
        assert!(reported(&actions).is_some() && !has(&actions, is_ack));
        let actions = worker.handle(later, WorkerEvent::Reported { number, is_kept: true });
        assert_eq!(has(&actions, is_ack), game == 1, "{actions:?}");
    }
    assert_eq!(worker.played(), 2);
}

#[test]
fn a_pack_that_cannot_be_played_is_given_back_with_the_reason() {
    let why = "x".repeat(2 * MAX_REASON);
    let (mut worker, fetch) = ready(vec![None, Some(why)]);
    let actions = fetched(&mut worker, fetch, 1, 1);
    assert!(has(&actions, |action| matches!(action, WorkerAction::Nak(_, delay) if !delay.is_zero())));
    let status = actions.iter().find_map(|action| match action {
        WorkerAction::SendStatus { status, .. } => Some(status),
        _ => None,
    });
    let news = &status.expect("it says so").news;
    assert!(matches!(&news[..], [WorkerNews::Refused { why, .. }] if why.len() == MAX_REASON), "{news:?}");
    assert!(!has(&actions, |action| matches!(action, WorkerAction::Fetch { .. })), "others come first");
    assert_eq!(worker.begin(), None);
}

#[test]
fn a_pack_that_was_delivered_too_often_is_quarantined() {
    let (mut worker, fetch) = ready(vec![None, None]);
    let actions = fetched(&mut worker, fetch, 5, MAX_DELIVERIES + 1);
    let (number, sent) = reported(&actions).expect("it is reported");
    assert!(matches!(sent, Report::Quarantined { deliveries: 4, .. }));
    assert_eq!(worker.begin(), None);
    assert!(has(&worker.handle(AT, WorkerEvent::Reported { number, is_kept: true }), is_ack));
}

#[test]
fn a_stopping_worker_finishes_running_games_and_gives_back_the_rest() {
    let (mut worker, fetch) = ready(vec![None, None]);
    fetched(&mut worker, fetch, 3, 1);
    let (number, _) = worker.begin().expect("it begins");
    let actions = worker.handle(AT, WorkerEvent::Stop(LeaderOrder::Finish));
    assert!(!has(&actions, is_nak) && !has(&actions, |action| matches!(action, WorkerAction::Quit)));
    assert_eq!(worker.begin(), None, "nothing new begins");
    let actions = worker.handle(AT, WorkerEvent::Ended { number, report: report() });
    let (number, _) = reported(&actions).expect("what ran is reported");
    assert!(has(&actions, |action| matches!(action, WorkerAction::Dismiss)), "{actions:?}");
    let actions = worker.handle(AT, WorkerEvent::Reported { number, is_kept: true });
    let (number, returned) = reported(&actions).expect("the others are given back");
    assert_eq!(*returned, Report::Returned { pack: "p".to_owned() });
    assert!(!has(&actions, is_nak) && !has(&actions, is_ack), "{actions:?}");
    let actions = worker.handle(AT, WorkerEvent::Dismissed);
    assert!(!has(&actions, |action| matches!(action, WorkerAction::Quit)), "nobody has kept the report");
    let actions = worker.handle(AT, WorkerEvent::Reported { number, is_kept: true });
    assert!(has(&actions, is_ack) && !has(&actions, is_nak), "{actions:?}");
    assert!(has(&actions, |action| matches!(action, WorkerAction::Quit)), "{actions:?}");
}

#[test]
fn an_untouched_pack_is_given_back_without_a_report() {
    let (mut worker, fetch) = ready(vec![None, None]);
    fetched(&mut worker, fetch, 3, 1);
    let actions = worker.handle(AT, WorkerEvent::Stop(LeaderOrder::Finish));
    assert!(has(&actions, is_nak) && reported(&actions).is_none(), "{actions:?}");
}

#[test]
fn no_report_is_sent_when_the_league_is_over() {
    let (mut worker, fetch) = ready(vec![None, None]);
    fetched(&mut worker, fetch, 2, 1);
    let (number, _) = worker.begin().expect("there are two");
    let actions = worker.handle(AT, WorkerEvent::Ended { number, report: report() });
    let (number, _) = reported(&actions).expect("it is sent at once");
    worker.handle(AT, WorkerEvent::Reported { number, is_kept: true });
    let (number, _) = worker.begin().expect("one is left");
    worker.handle(AT, WorkerEvent::Announced(announced(LeaderOrder::Over)));
    let actions = worker.handle(AT, WorkerEvent::Ended { number, report: report() });
    assert!(reported(&actions).is_none() && has(&actions, is_ack), "{actions:?}");
}

#[test]
fn progress_on_long_games_is_sent_to_the_broker_in_time() {
    let (mut worker, fetch) = ready(vec![None, None]);
    fetched(&mut worker, fetch, 1, 1);
    worker.begin().expect("it begins");
    let mut messages = 0;
    for seconds in 1..=60 {
        // The league is led all the time.
        worker
            .handle(AT + Duration::from_secs(seconds), WorkerEvent::Announced(announced(LeaderOrder::Play)));
        let actions = worker.handle(AT + Duration::from_secs(seconds), WorkerEvent::Tick);
        messages += actions.iter().filter(|action| matches!(action, WorkerAction::Progress(_))).count();
    }
    assert_eq!(messages, 6, "three times within the time that the broker waits");
}

#[test]
fn a_worker_that_plays_until_idle_ends_when_no_league_is_led() {
    let mut worker = Worker::new("w".to_owned(), 1, 1, true);
    worker.handle(AT, WorkerEvent::Announced(announced(LeaderOrder::Play)));
    worker.handle(AT, WorkerEvent::NotLoaded { plan: "plan".to_owned(), why: None });
    worker.handle(AT, WorkerEvent::Announced(announced(LeaderOrder::Over)));
    let ends = |seconds: u64, worker: &mut Worker| {
        let actions = worker.handle(AT + Duration::from_secs(seconds), WorkerEvent::Tick);
        has(&actions, |action| matches!(action, WorkerAction::Quit))
    };
    assert!(!ends(5, &mut worker));
    assert!(ends(11, &mut worker));
}

#[test]
fn only_the_instance_that_is_set_aside_stops() {
    for (instance, stops) in [(1, true), (2, false)] {
        let (mut worker, _) = ready(Vec::new());
        let aside = Announcement { set_aside: vec![instance], ..announced(LeaderOrder::Play) };
        let actions = worker.handle(AT, WorkerEvent::Announced(aside));
        assert_eq!(
            has(&actions, |action| matches!(action, WorkerAction::Tell(WorkerNotice::SetAside))),
            stops
        );
        assert_eq!(has(&actions, |action| matches!(action, WorkerAction::BreakOff)), stops);
    }
}

#[test]
fn fetches_pause_longer_after_each_refused_pack() {
    let (mut worker, mut fetch) = ready(vec![None, Some("bot `bob` is not here".to_owned())]);
    let mut pauses = Vec::new();
    let mut at = AT;
    for _ in 0..8 {
        let (delivery, pack) = ("d".to_owned(), Some(pack(1)));
        worker.handle(at, WorkerEvent::Fetched { fetch, delivery, deliveries: 1, pack });
        let refused = at;
        fetch = loop {
            at += Duration::from_millis(100);
            let actions = worker.handle(at, WorkerEvent::Tick);
            let next = actions.iter().find_map(|action| match action {
                WorkerAction::Fetch { fetch, .. } => Some(*fetch),
                _ => None,
            });
            if let Some(fetch) = next {
                break fetch;
            }
        };
        pauses.push((at - refused).as_millis());
    }
    assert_eq!(pauses, [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
}

fn news(actions: &[WorkerAction]) -> Vec<WorkerNews> {
    let news = actions.iter().filter_map(|action| match action {
        WorkerAction::SendStatus { status, .. } => Some(status.news.clone()),
        _ => None,
    });
    news.flatten().collect()
}

#[test]
fn nothing_is_fetched_before_the_speed_is_measured() {
    let mut worker = Worker::new("w".to_owned(), 1, 1, false);
    let is_measure = |action: &WorkerAction| matches!(action, WorkerAction::Measure);
    assert!(has(&worker.handle(AT, WorkerEvent::Tick), is_measure));
    worker.handle(AT, WorkerEvent::Announced(announced(LeaderOrder::Play)));
    let actions = worker.handle(AT, loaded(vec![None, None], None));
    let is_fetch = |action: &WorkerAction| matches!(action, WorkerAction::Fetch { .. });
    assert!(!has(&actions, is_fetch));
    assert!(has(&worker.handle(AT, WorkerEvent::Measured(measured(1_000, 0))), is_fetch));
    assert_eq!(worker.record().speed, NonZeroU64::new(1_000));
}

#[test]
fn a_worker_that_is_too_slow_for_the_league_says_so_and_fetches_nothing() {
    let mut worker = Worker::new("w".to_owned(), 1, 1, false);
    worker.handle(AT, WorkerEvent::Measured(measured(1_000, 0)));
    worker.handle(AT, WorkerEvent::Announced(announced(LeaderOrder::Play)));
    let actions = worker.handle(AT, loaded(vec![None, None], NonZeroU64::new(1_001)));
    assert!(!has(&actions, |action| matches!(action, WorkerAction::Fetch { .. })));
    let news = news(&actions);
    assert!(
        matches!(&news[..], [WorkerNews::CantPlay { why }] if why.contains("`least_speed` is 1001")),
        "{news:?}"
    );
}

#[test]
fn an_overloaded_machine_gives_back_the_waiting_games() {
    let (mut worker, fetch) = ready(vec![None, None]);
    fetched(&mut worker, fetch, 3, 1);
    let (number, _) = worker.begin().expect("there are three");
    let actions = worker.handle(AT, WorkerEvent::Measured(measured(1_000, 60)));
    assert_eq!(worker.begin(), None, "the others are not played here");
    let later = worker.handle(AT + Duration::from_secs(4), WorkerEvent::Tick);
    let news = [news(&actions), news(&later)].concat();
    assert!(matches!(&news[..], [WorkerNews::Overloaded { .. }]), "{news:?}");
    let actions = worker.handle(AT, WorkerEvent::Ended { number, report: report() });
    let (number, _) = reported(&actions).expect("what runs is played to its end");
    let actions = worker.handle(AT, WorkerEvent::Reported { number, is_kept: true });
    assert!(matches!(reported(&actions), Some((_, Report::Returned { .. }))), "{actions:?}");
}

/// Delivers a repeat that workers of the owner `not_for` must not play.
fn repeat_fetched(worker: &mut Worker, fetch: u64, not_for: &str, deliveries: u64) -> Vec<WorkerAction> {
    let game = PackedGame { repeat: 1, not_for: vec![not_for.to_owned()], ..pack(1).games.remove(0) };
    let pack = Some(Pack { games: vec![game], ..pack(1) });
    worker.handle(AT, WorkerEvent::Fetched { fetch, delivery: "d".to_owned(), deliveries, pack })
}

#[test]
fn a_repeat_is_left_to_other_owners() {
    let (mut worker, mut fetch) = ready(vec![None, None]);
    let mut delays = Vec::new();
    for deliveries in 1..=20 {
        let actions = repeat_fetched(&mut worker, fetch, "w", deliveries);
        for action in actions {
            match action {
                WorkerAction::Nak(_, delay) => delays.push(delay),
                WorkerAction::Fetch { fetch: next, .. } => fetch = next,
                _ => {}
            }
        }
        assert_eq!(worker.begin(), None);
        assert_eq!(delays.len() as u64, deliveries, "it goes on with others");
    }
    assert!(delays[0] <= Duration::from_millis(75), "the first time it comes back soon: {delays:?}");
    delays.drain(..10);
    assert!(delays.iter().all(|delay| (500..=1_500).contains(&delay.as_millis())), "{delays:?}");
    delays.dedup();
    assert!(delays.len() > 5, "workers don't give repeats back at the same pace: {delays:?}");
}

#[test]
fn a_repeat_of_another_owner_is_played_even_after_many_deliveries() {
    let (mut worker, fetch) = ready(vec![None, None]);
    repeat_fetched(&mut worker, fetch, "another", MAX_DELIVERIES + 1);
    assert!(worker.begin().is_some());
}
