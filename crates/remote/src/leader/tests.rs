use std::num::NonZeroU64;
use std::time::Duration;

use super::*;
use crate::wire::testing::{game_report, packed_game};
use crate::wire::{GameKey, GameReport, PackedGame, Report, VERSION, WorkerNews};
use linesman_league::assigned::NextGame;
use linesman_league::elsewhere::Agreement;
use linesman_league::leader_notice::Stall;
use linesman_record::{GameRecord, VoidKind, VoidRecord, WorkerRecord};

const AT: Duration = Duration::from_secs(50);

/// Games of which every result is taken.
struct SomeGames {
    left: u64,
    numbers: u64,
    agreement: Option<Agreement>,
    repeats: Vec<GameRecord>,
    /// The games that have started, each with its place.
    began: Vec<(u64, usize)>,
    /// Number of games that have a record of an earlier run: the first ones.
    played_before: u64,
    /// Records of an earlier run whose games have to be repeated.
    unrepeated: Vec<GameRecord>,
    follow_each_result: bool,
}

fn some_game(index: u64, id: String) -> PackedGame {
    PackedGame { id, ..packed_game(index) }
}

impl GameSource for SomeGames {
    fn next(&mut self) -> NextGame<PackedGame> {
        if self.left == 0 {
            return NextGame::Done;
        }
        self.left -= 1;
        self.numbers += 1;
        NextGame::Game(self.numbers, some_game(self.numbers, format!("a~b~{}", self.numbers)))
    }

    fn began(&mut self, number: u64, place: usize) {
        self.began.push((number, place));
    }

    fn take(&mut self, _number: u64, _record: GameRecord, _report: GameReport) -> Result<Duration, String> {
        Ok(Duration::from_secs(1))
    }

    fn give_up(&mut self, _number: u64) {}

    fn left(&self) -> u64 {
        self.left
    }

    fn follow_each_result(&self) -> bool {
        self.follow_each_result
    }

    fn may_come(&self, id: &str) -> bool {
        let number = id.strip_prefix("a~b~").and_then(|number| number.parse::<u64>().ok());
        number.is_some_and(|number| number > self.played_before)
    }

    fn repeat(&self, _game: &PackedGame) -> Option<Agreement> {
        self.agreement
    }

    fn take_unrepeated(&mut self) -> Vec<(PackedGame, GameRecord)> {
        let records = std::mem::take(&mut self.unrepeated);
        records.into_iter().map(|record| (some_game(0, record.id.clone()), record)).collect()
    }

    fn keep_repeat(&mut self, _game: &PackedGame, record: GameRecord) -> Result<(), String> {
        self.repeats.push(record);
        Ok(())
    }
}

fn leader(games: u64) -> (Leader<SomeGames>, Vec<Pack>) {
    leader_of(some_games(games))
}

fn some_games(left: u64) -> SomeGames {
    SomeGames {
        left,
        numbers: 0,
        agreement: None,
        repeats: Vec::new(),
        began: Vec::new(),
        played_before: 0,
        unrepeated: Vec::new(),
        follow_each_result: false,
    }
}

/// Returns the event of a report of the worker `w`.
fn reported(report: &Report, delivery: &str) -> LeaderEvent {
    let parts = report.parts().expect("it is short");
    let part = Ok(crate::wire::WireMessage::decode(&parts[0]).expect("it is a part"));
    LeaderEvent::Result { worker: "w".to_owned(), delivery: delivery.to_owned(), part }
}

fn leader_of(games: SomeGames) -> (Leader<SomeGames>, Vec<Pack>) {
    let mut leader = Leader::new(games, "plan".to_owned(), 9, 4);
    let actions = leader.handle(AT, LeaderEvent::Ready { epoch: 9, packs: Vec::new(), results: 0 });
    let packs = published(&actions);
    for pack in &packs {
        leader.handle(AT, LeaderEvent::Published { pack: pack.id.clone(), is_kept: true });
    }
    (leader, packs)
}

fn published(actions: &[LeaderAction]) -> Vec<Pack> {
    let pack = |action: &LeaderAction| match action {
        LeaderAction::Publish { pack, .. } => Some(pack.clone()),
        _ => None,
    };
    actions.iter().filter_map(pack).collect()
}

fn acknowledged(actions: &[LeaderAction]) -> Vec<&str> {
    let delivery = |action: &'_ LeaderAction| matches!(action, LeaderAction::Ack(_));
    let acks = actions.iter().filter(|action| delivery(action));
    acks.map(|action| match action {
        LeaderAction::Ack(delivery) => delivery.as_str(),
        _ => unreachable!("it was looked at"),
    })
    .collect()
}

fn result(id: &str, delivery: &str) -> LeaderEvent {
    ended(id, delivery, false)
}

fn ended(id: &str, delivery: &str, is_void: bool) -> LeaderEvent {
    let void = is_void.then(|| VoidRecord { kind: VoidKind::Host, ..VoidRecord::default() });
    result_with(id, delivery, |record| record.void = void)
}

/// Returns a result of the worker `w` with a changed record.
fn result_with(id: &str, delivery: &str, change: impl FnOnce(&mut GameRecord)) -> LeaderEvent {
    let mut record =
        GameRecord { v: 1, id: id.to_owned(), attempt: 1, game: "quixo".to_owned(), ..GameRecord::default() };
    change(&mut record);
    let repeat = record.worker.as_ref().and_then(|worker| worker.repeat).unwrap_or(0);
    let report = GameReport { pack: "p".to_owned(), repeat, ..game_report(&record) };
    let report = Report::Game(Box::new(report));
    reported(&report, delivery)
}

/// Returns the status of a worker with this number of slots.
fn status(slots: u32) -> WorkerStatus {
    WorkerStatus {
        v: VERSION,
        instance: 1,
        slots,
        running: Vec::new(),
        played: 0,
        faults: 0,
        speed: None,
        clock_ms: None,
        news: Vec::new(),
    }
}

/// Returns the event of a status message of the worker `w`.
fn status_event(status: &WorkerStatus) -> LeaderEvent {
    LeaderEvent::WorkerStatus { worker: "w".to_owned(), status: Box::new(status.clone()), clock_ms: None }
}

fn heard(slots: u32, news: Vec<WorkerNews>) -> LeaderEvent {
    status_event(&WorkerStatus { news, ..status(slots) })
}

fn notices(actions: &[LeaderAction]) -> Vec<LeaderNotice> {
    let notice = |action: &LeaderAction| match action {
        LeaderAction::Tell(notice) => Some(notice.clone()),
        _ => None,
    };
    actions.iter().filter_map(notice).collect()
}

/// Ticks a leader in these seconds. Returns its notices that nothing is played: the second, the number of games left,
/// and the cause.
fn stalls(leader: &mut Leader<SomeGames>, seconds: std::ops::Range<u64>) -> Vec<(u64, u64, Stall)> {
    let mut stalls = Vec::new();
    for second in seconds {
        let actions = leader.handle(AT + Duration::from_secs(second), LeaderEvent::Tick);
        stalls.extend(notices(&actions).into_iter().filter_map(|notice| match notice {
            LeaderNotice::Stalled { games, cause } => Some((second, games, cause)),
            _ => None,
        }));
    }
    stalls
}

#[test]
fn a_stalled_league_is_reported_after_five_seconds_and_then_every_minute() {
    let (mut leader, _) = leader(5);
    assert_eq!(stalls(&mut leader, 0..70), [(5, 5, Stall::NoWorker), (65, 5, Stall::NoWorker)]);
    let why = "bot `ada` can't be started here".to_owned();
    let refused = WorkerNews::Refused { pack: "p".to_owned(), why: why.clone() };
    leader.handle(AT + Duration::from_secs(120), heard(2, vec![refused]));
    let cause = Stall::CantPlay { workers: 1, reasons: vec![("w".to_owned(), why)] };
    assert_eq!(stalls(&mut leader, 120..130), [(125, 5, cause)]);
    // A worker plays.
    leader.handle(AT + Duration::from_secs(130), result("a~b~1", "one"));
    assert_eq!(stalls(&mut leader, 130..135), []);
}

#[test]
fn a_run_with_workers_of_its_own_ends_when_the_last_of_them_is_gone() {
    let (mut leader, _) = leader(5);
    leader.has_own_workers = true;
    leader.handle(AT, heard(1, Vec::new()));
    leader.handle(AT + Duration::from_secs(1), heard(1, vec![WorkerNews::Leaves]));
    let mut end = None;
    for second in 1..20 {
        let actions = leader.handle(AT + Duration::from_secs(second), LeaderEvent::Tick);
        end = end.or(actions.iter().find_map(|action| match action {
            LeaderAction::End { is_over } => Some((second, *is_over)),
            _ => None,
        }));
    }
    assert_eq!(end, Some((5, false)));
}

#[test]
fn a_worker_that_annuls_three_games_in_a_row_is_set_aside_until_it_is_started_again() {
    let (mut leader, _) = leader(9);
    leader.handle(AT, heard(1, Vec::new()));
    leader.handle(AT, ended("a~b~1", "1", true));
    leader.handle(AT, ended("a~b~2", "2", true));
    leader.handle(AT, ended("a~b~3", "3", false));
    leader.handle(AT, ended("a~b~4", "4", true));
    leader.handle(AT, ended("a~b~5", "5", true));
    assert_eq!(leader.set_aside().count(), 0, "one was good in between");
    let actions = leader.handle(AT, ended("a~b~6", "6", true));
    let set_aside = LeaderNotice::SetAside { worker: "w".to_owned(), voids: 3 };
    assert!(notices(&actions).contains(&set_aside), "{actions:?}");
    assert_eq!(leader.set_aside().collect::<Vec<_>>(), [1]);
    assert_eq!((leader.refused().count(), leader.counts().taken), (0, 6), "its results are true");
}

#[test]
fn a_result_is_acknowledged_when_its_record_is_kept() {
    let (mut leader, _) = leader(3);
    assert!(acknowledged(&leader.handle(AT, result("a~b~2", "one"))).is_empty());
    assert!(acknowledged(&leader.handle(AT, result("a~b~1", "two"))).is_empty());
    assert_eq!(acknowledged(&leader.handle(AT, LeaderEvent::Kept(1))), ["one"]);
    // A result that arrives again is dropped, and its record is not kept again.
    assert!(acknowledged(&leader.handle(AT, result("a~b~2", "three"))).is_empty());
    assert_eq!(acknowledged(&leader.handle(AT, LeaderEvent::Kept(2))), ["two", "three"]);
    assert_eq!((leader.counts().taken, leader.counts().duplicates), (2, 1));
}

#[test]
fn the_league_ends_when_all_games_are_kept() {
    let (mut leader, _) = leader(2);
    let ends = |actions: &[LeaderAction]| {
        actions.iter().any(|action| matches!(action, LeaderAction::End { is_over: true }))
    };
    assert!(!ends(&leader.handle(AT, result("a~b~1", "one"))));
    assert!(!ends(&leader.handle(AT, result("a~b~2", "two"))));
    assert!(!ends(&leader.handle(AT, LeaderEvent::Kept(1))));
    assert!(ends(&leader.handle(AT, LeaderEvent::Kept(2))));
}

#[test]
fn games_are_published_as_workers_need_them_and_short_games_in_larger_packs() {
    let (mut leader, packs) = leader(100_000);
    let games: usize = packs.iter().map(|pack| pack.games.len()).sum();
    assert_eq!((packs.len(), games), (16, 16), "nothing is known of their length yet");
    leader.handle(AT, result("a~b~1", "one"));
    let more = published(&leader.handle(AT, LeaderEvent::Tick));
    assert!(more.is_empty(), "the window is full");
    // Games of one second are published in packs of fifteen, as packs are done.
    let next = published(&leader.handle(AT, result("a~b~2", "two")));
    assert!(next.iter().all(|pack| pack.games.len() <= 15));
    let heard = heard(40, Vec::new());
    let many = published(&leader.handle(AT, heard));
    assert!(many.len() > 80 && many.iter().any(|pack| pack.games.len() == 15), "{}", many.len());
}

#[test]
fn only_the_unplayed_games_of_a_returned_pack_are_published_again() {
    let (mut leader, packs) = leader(100);
    let mut kept = 0;
    // Take results until games are known to be short enough for packs of several.
    let pack = (1..)
        .find_map(|game| {
            let actions = leader.handle(AT, result(&format!("a~b~{game}"), "one"));
            kept += 1;
            published(&actions).into_iter().find(|pack| pack.games.len() > 2)
        })
        .expect("games are short");
    assert!(packs.iter().all(|other| other.id != pack.id));
    leader.handle(AT, result(&pack.games[0].id, "one"));
    let returned = reported(&Report::Returned { pack: pack.id.clone() }, "two");
    let actions = leader.handle(AT, returned.clone());
    assert!(acknowledged(&actions).is_empty(), "a result before it is not kept yet");
    let again: Vec<Pack> = published(&actions);
    let ids = |games: &[PackedGame]| games.iter().map(|game| game.id.clone()).collect::<BTreeSet<_>>();
    let left: BTreeSet<String> = again.iter().flat_map(|pack| ids(&pack.games)).collect();
    assert!(left.is_superset(&ids(&pack.games[1..])) && !left.contains(&pack.games[0].id), "{left:?}");
    assert!(acknowledged(&leader.handle(AT, LeaderEvent::Kept(kept + 1))).contains(&"two"));
    // The report arrives again.
    assert!(published(&leader.handle(AT, returned)).is_empty());
}

#[test]
fn a_pack_that_is_returned_before_the_streams_are_ready_is_handled_later() {
    let mut leader = Leader::new(some_games(3), "plan".to_owned(), 9, 4);
    let returned = reported(&Report::Returned { pack: "p".to_owned() }, "one");
    let actions = leader.handle(AT, returned);
    assert!(matches!(&actions[..], [LeaderAction::Redeliver(delivery)] if delivery == "one"), "{actions:?}");
}

#[test]
fn after_the_loss_of_the_store_all_packs_are_published_again() {
    let (mut leader, packs) = leader(5);
    let actions = leader.handle(AT, LeaderEvent::StreamsRead { epoch: 9, state: StreamsState::Missing });
    let epoch = actions.iter().find_map(|action| match action {
        LeaderAction::Rebuild(epoch) => Some(*epoch),
        _ => None,
    });
    assert_eq!(epoch, Some(10));
    let again =
        published(&leader.handle(AT, LeaderEvent::Ready { epoch: 10, packs: Vec::new(), results: 0 }));
    assert_eq!(again, packs);
}

#[test]
fn packs_of_an_earlier_leader_are_not_published_again() {
    let (_, packs) = leader(5);
    let mut next = Leader::new(some_games(5), "plan".to_owned(), 11, 4);
    let found = packs[..3].to_vec();
    let actions = next.handle(AT, LeaderEvent::Ready { epoch: 9, packs: found, results: 0 });
    let games: usize = published(&actions).iter().map(|pack| pack.games.len()).sum();
    assert_eq!(games, 2);
}

#[test]
fn games_whose_results_wait_at_the_broker_are_not_published_again() {
    let mut leader = Leader::new(some_games(100), "plan".to_owned(), 9, 4);
    let actions = leader.handle(AT, LeaderEvent::Ready { epoch: 9, packs: Vec::new(), results: 30 });
    assert!(published(&actions).is_empty());
    let mut published_games = Vec::new();
    // An earlier leader published the first thirty; one result was lost, and one arrives twice.
    for game in (1..=30).filter(|game| *game != 17).chain([5]) {
        let actions = leader.handle(AT, result(&format!("a~b~{game}"), "one"));
        published_games.extend(published(&actions).into_iter().flat_map(|pack| pack.games));
    }
    let first = published_games.first().map(|game| game.id.as_str());
    assert_eq!(first, Some("a~b~17"));
    assert!(published_games.iter().skip(1).all(|game| game.index > 30));
    assert_eq!((leader.counts().taken, leader.counts().duplicates), (29, 1));
}

#[test]
fn missing_results_are_not_awaited_for_long() {
    let mut leader = Leader::new(some_games(100), "plan".to_owned(), 9, 4);
    leader.handle(AT, LeaderEvent::Ready { epoch: 9, packs: Vec::new(), results: 30 });
    let after = |leader: &mut Leader<SomeGames>, seconds| {
        published(&leader.handle(AT + Duration::from_secs(seconds), LeaderEvent::Tick)).len()
    };
    assert_eq!(after(&mut leader, 2), 0);
    leader.handle(AT + Duration::from_secs(2), result("a~b~1", "one"));
    assert_eq!(after(&mut leader, 4), 0);
    assert!(after(&mut leader, 5) > 0);
}

#[test]
fn a_result_of_a_game_that_an_earlier_leader_recorded_is_dropped_at_once() {
    let (mut leader, _) = leader_of(SomeGames { numbers: 5, played_before: 5, ..some_games(10_000) });
    assert_eq!(acknowledged(&leader.handle(AT, result("a~b~5", "one"))), ["one"]);
    assert_eq!(leader.counts().duplicates, 1);
    // This game has not been taken from the source yet.
    assert!(acknowledged(&leader.handle(AT, result("a~b~9000", "two"))).is_empty());
    // Another delivery of it is not a duplicate result.
    assert!(acknowledged(&leader.handle(AT, result("a~b~9000", "three"))).is_empty());
    assert_eq!(leader.counts().duplicates, 1);
}

#[test]
fn packs_that_the_broker_no_longer_has_are_published_again() {
    let (mut leader, _) = leader(2);
    let read_empty = |leader: &mut Leader<SomeGames>, seconds: u64| {
        let state = StreamsState::Present { packs: 0, results: 0 };
        let event = LeaderEvent::StreamsRead { epoch: 9, state };
        published(&leader.handle(AT + Duration::from_secs(seconds), event)).len()
    };
    // The packs may have been acknowledged while their results are on their way.
    assert_eq!((read_empty(&mut leader, 1), read_empty(&mut leader, 6)), (0, 0));
    assert!(read_empty(&mut leader, 9) > 0);
}

/// Returns the event of a status message of a worker whose clock shows this time.
fn status_at(worker: &str, clock_ms: u64) -> LeaderEvent {
    let status = WorkerStatus { clock_ms: Some(clock_ms), ..status(1) };
    LeaderEvent::WorkerStatus {
        worker: worker.to_owned(),
        status: Box::new(status),
        clock_ms: Some(10_000_000),
    }
}

#[test]
fn a_worker_with_a_wrong_clock_is_reported_once() {
    let (mut leader, _) = leader(1);
    let mut named = Vec::new();
    let mut hears = |worker: &str, clock_ms: u64| {
        for action in leader.handle(AT, status_at(worker, clock_ms)) {
            if let LeaderAction::Tell(LeaderNotice::WrongClock { worker, off_by, is_ahead }) = action {
                named.push((worker, off_by.as_secs(), is_ahead));
            }
        }
    };
    for _ in 0..3 {
        hears("right", 10_030_000);
        hears("behind", 6_400_000);
        hears("ahead", 13_600_000);
    }
    // Messages that waited for the connection arrive late, by different times.
    for waited in [400_000, 396_000, 392_000, 0] {
        hears("was cut off", 10_000_000 - waited);
    }
    assert_eq!(named, [("behind".to_owned(), 3_600, false), ("ahead".to_owned(), 3_600, true)]);
}

/// Returns the same event from another worker.
fn by(worker: &str, event: LeaderEvent) -> LeaderEvent {
    let worker = worker.to_owned();
    match event {
        LeaderEvent::Result { delivery, part, .. } => LeaderEvent::Result { worker, delivery, part },
        LeaderEvent::WorkerStatus { status, clock_ms, .. } => {
            LeaderEvent::WorkerStatus { worker, status, clock_ms }
        }
        _ => unreachable!("no worker sends it"),
    }
}

/// Returns the repeats that are published, each with the owners that must not play it.
fn repeats(actions: &[LeaderAction]) -> Vec<(String, Vec<String>)> {
    let games = published(actions).into_iter().flat_map(|pack| pack.games);
    games.filter(|game| game.repeat > 0).map(|game| (game.id, game.not_for)).collect()
}

/// Returns a result of repeat number `repeat` of a game, with these moves.
fn repeat_with(id: &str, repeat: u32, moves: &str) -> LeaderEvent {
    result_with(id, "repeat", |record| {
        record.worker = Some(WorkerRecord { repeat: Some(repeat), ..WorkerRecord::default() });
        record.moves = Some(vec![moves.to_owned()]);
    })
}

/// Returns a leader of deterministic games that has heard workers of these names.
fn leader_with(workers: &[&str]) -> Leader<SomeGames> {
    let (mut leader, _) = leader_of(SomeGames { agreement: Some(Agreement::MoveByMove), ..some_games(100) });
    for worker in workers {
        leader.handle(AT, by(worker, heard(1, Vec::new())));
    }
    leader
}

#[test]
fn a_repeat_by_the_owner_that_played_the_game_does_not_count() {
    let mut leader = leader_with(&["anna_1", "anna_2", "ben"]);
    let game = [("a~b~1".to_owned(), vec!["anna".to_owned()])];
    assert_eq!(repeats(&leader.handle(AT, by("anna_1", result("a~b~1", "one")))), game);
    let again = leader.handle(AT, by("anna_2", repeat_with("a~b~1", 1, "x")));
    assert_eq!(repeats(&again), game, "another owner is still to play it");
    assert!(leader.games().repeats.is_empty() && leader.refused().count() == 0);
    assert_eq!(acknowledged(&leader.handle(AT, LeaderEvent::Kept(1))), ["one", "repeat"]);
    leader.handle(AT, by("ben", repeat_with("a~b~1", 1, "x")));
    assert_eq!(leader.games().repeats.len(), 1);
}

/// Returns a leader whose workers `anna` and `ben` played a game differently, so that `carl` has to play it.
fn leader_of_workers_that_disagree() -> Leader<SomeGames> {
    let mut leader = leader_with(&["anna", "ben", "carl"]);
    leader.handle(AT, by("anna", result("a~b~1", "one")));
    let actions = leader.handle(AT, by("ben", repeat_with("a~b~1", 1, "x")));
    assert_eq!(repeats(&actions), [("a~b~1".to_owned(), vec!["anna".to_owned(), "ben".to_owned()])]);
    assert!(disagreed(&actions).is_empty(), "it is not known which one differs");
    leader
}

/// Returns the workers that are reported to disagree, and the one that differs.
fn disagreed(actions: &[LeaderAction]) -> Vec<(Vec<String>, Option<String>)> {
    let disagreements = notices(actions).into_iter().filter_map(|notice| match notice {
        LeaderNotice::Disagreed { workers, odd, .. } => Some((workers, odd)),
        _ => None,
    });
    disagreements.collect()
}

#[test]
fn a_disagreement_that_stays_undecided_is_reported() {
    let both = [(vec!["anna".to_owned(), "ben".to_owned()], None)];
    let mut leader = leader_of_workers_that_disagree();
    leader.handle(AT, by("carl", heard(1, vec![WorkerNews::Leaves])));
    assert_eq!(disagreed(&leader.handle(AT, LeaderEvent::Tick)), both);
    assert!(disagreed(&leader.handle(AT, LeaderEvent::Tick)).is_empty());

    let mut leader = leader_of_workers_that_disagree();
    let spoiled = result_with("a~b~1", "void", |record| {
        record.worker = Some(WorkerRecord { repeat: Some(2), ..WorkerRecord::default() });
        record.void = Some(VoidRecord { kind: VoidKind::Host, ..VoidRecord::default() });
    });
    assert_eq!(disagreed(&leader.handle(AT, by("carl", spoiled))), both);

    let mut leader = leader_of_workers_that_disagree();
    assert_eq!(disagreed(&leader.handle(AT, LeaderEvent::Stop(LeaderOrder::Abort))), both);

    let mut leader = leader_of_workers_that_disagree();
    let decided = disagreed(&leader.handle(AT, by("carl", repeat_with("a~b~1", 2, "x"))));
    assert_eq!(decided.iter().map(|(_, odd)| odd.as_deref()).collect::<Vec<_>>(), [Some("anna")]);
}

#[test]
fn a_league_without_games_starts_no_repeats_of_earlier_runs() {
    let worker = Some(WorkerRecord { name: "anna".to_owned(), ..WorkerRecord::default() });
    let unrepeated = vec![GameRecord { id: "c~d~1".to_owned(), attempt: 1, worker, ..GameRecord::default() }];
    let games = SomeGames { unrepeated, agreement: Some(Agreement::MoveByMove), ..some_games(1) };
    let (mut leader, _) = leader_of(games);
    leader.handle(AT, heard(1, Vec::new()));
    assert!(repeats(&leader.handle(AT, LeaderEvent::Tick)).is_empty());
    // A worker has played it for an earlier leader.
    leader.handle(AT, by("anna_2", repeat_with("c~d~1", 1, "x")));
    assert!(leader.games().repeats.is_empty(), "it is the same owner");
    leader.handle(AT, repeat_with("c~d~1", 1, "x"));
    assert_eq!(leader.games().repeats.len(), 1);
}

#[test]
fn the_number_of_planned_games_is_bounded_however_many_slots_a_worker_claims() {
    let endless = SomeGames { follow_each_result: true, ..some_games(1_000_000) };
    let (mut leader, _) = leader_of(endless);
    leader.handle(AT, heard(3, Vec::new()));
    assert_eq!(leader.games().numbers, 3, "each game follows the results so far");
    leader.handle(AT, by("liar", heard(u32::MAX, Vec::new())));
    let planned = leader.games().numbers;
    assert!((4..100_000).contains(&planned), "{planned} games are out");
}

#[test]
fn each_game_begins_once_even_if_not_all_can_be_shown() {
    let (mut leader, packs) = leader(10);
    let running: Vec<GameKey> =
        packs.iter().take(6).flat_map(|pack| &pack.games).map(PackedGame::key).collect();
    let status = status_event(&WorkerStatus { running, ..status(6) });
    leader.handle(AT, status.clone());
    leader.handle(AT, status);
    let places: Vec<usize> = leader.games().began.iter().map(|(_, place)| *place).collect();
    assert_eq!(places, [0, 1, 2, 3, 3, 3]);
}

#[test]
fn repeats_missing_from_an_earlier_run_are_played_when_another_owner_is_heard() {
    let played = |game: u64, worker: &str| GameRecord {
        id: format!("c~d~{game}"),
        attempt: 1,
        worker: Some(WorkerRecord { name: worker.to_owned(), ..WorkerRecord::default() }),
        ..GameRecord::default()
    };
    let unrepeated = (1..=9).map(|game| played(game, if game < 9 { "anna_1" } else { "w" })).collect();
    let games = SomeGames { unrepeated, agreement: Some(Agreement::MoveByMove), ..some_games(10_000) };
    let (mut leader, _) = leader_of(games);
    assert!(repeats(&leader.handle(AT, LeaderEvent::Tick)).is_empty(), "nobody is heard");
    leader.handle(AT, heard(3, Vec::new()));
    leader.handle(AT, by("anna_2", heard(50, Vec::new())));
    let begun = repeats(&leader.handle(AT, LeaderEvent::Tick));
    let of_anna = [8, 7, 6].map(|game| (format!("c~d~{game}"), vec!["anna".to_owned()]));
    let mut expected = vec![("c~d~9".to_owned(), vec!["w".to_owned()])];
    expected.extend(of_anna);
    assert_eq!(begun, expected, "no more than others play at once");
    // The slots of `w` are taken.
    assert!(repeats(&leader.handle(AT, LeaderEvent::Tick)).is_empty());
    let again = WorkerRecord { repeat: Some(1), ..WorkerRecord::default() };
    leader.handle(AT, result_with("c~d~7", "d", |record| record.worker = Some(again)));
    assert_eq!(leader.games().repeats.len(), 1);
    let begun = repeats(&leader.handle(AT, LeaderEvent::Tick));
    assert_eq!(begun.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["c~d~5"]);
}

/// Returns a result of the worker `w` whose record has this speed.
fn result_at(game: u64, speed: u64) -> LeaderEvent {
    let worker = WorkerRecord { speed: NonZeroU64::new(speed), ..WorkerRecord::default() };
    result_with(&format!("a~b~{game}"), "d", |record| record.worker = Some(worker))
}

#[test]
fn a_worker_whose_records_do_not_have_its_announced_speed_is_reported_once() {
    let (mut leader, _) = leader(16);
    let mut named = Vec::new();
    let mut handle = |at: u64, event: LeaderEvent| {
        for notice in notices(&leader.handle(AT + Duration::from_secs(at), event)) {
            if let LeaderNotice::OtherSpeed { announced, recorded, .. } = notice {
                named.push((at, announced.get(), recorded.get()));
            }
        }
    };
    let announces = |speed: u64| status_event(&WorkerStatus { speed: NonZeroU64::new(speed), ..status(1) });
    handle(0, announces(1_000));
    handle(1, announces(800));
    for (game, speed) in [(1, 1_000), (2, 800), (3, 1_250), (4, 600)] {
        handle(2, result_at(game, speed));
        handle(10, announces(800));
    }
    // The worker measured it a moment before the game.
    handle(20, result_at(5, 300));
    handle(20, announces(800));
    handle(24, announces(300));
    // It is far from all announced speeds.
    handle(30, result_at(6, 1_251));
    handle(34, announces(300));
    handle(40, result_at(7, 2_000));
    handle(44, announces(300));
    assert_eq!(named, [(34, 1_000, 1_251)]);
}

#[test]
fn a_silent_worker_is_reported() {
    let (mut leader, _) = leader(1);
    leader.handle(AT, status_at("w", 10_000_000));
    let silent = |actions: Vec<LeaderAction>| {
        actions.into_iter().find_map(|action| match action {
            LeaderAction::Tell(LeaderNotice::Worker(seen)) => Some(seen.silent.as_secs()),
            _ => None,
        })
    };
    assert_eq!(silent(leader.handle(AT + Duration::from_secs(5), LeaderEvent::Tick)), None);
    assert_eq!(silent(leader.handle(AT + Duration::from_secs(9), LeaderEvent::Tick)), Some(9));
    assert_eq!(silent(leader.handle(AT + Duration::from_secs(12), status_at("w", 10_000_000))), Some(0));
}

#[test]
fn each_reason_why_files_cannot_be_sent_is_reported_once() {
    let mut leader = Leader::new(some_games(1), "plan".to_owned(), 9, 4);
    let mut is_reported = |event| {
        let actions = leader.handle(AT, event);
        actions.iter().any(|action| matches!(action, LeaderAction::Tell(LeaderNotice::CantSendBots(_))))
    };
    let failed = |why: &str| LeaderEvent::NotPublished(why.to_owned());
    assert!(is_reported(failed("gone")));
    assert!(!is_reported(failed("gone")));
    assert!(is_reported(failed("full")));
    assert!(!is_reported(LeaderEvent::Ready { epoch: 9, packs: Vec::new(), results: 0 }));
    assert!(is_reported(failed("full")), "they were sent meanwhile");
}
