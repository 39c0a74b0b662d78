//! The leader's state machine, with a link that answers at once instead of a broker.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use linesman::league::assigned::NextGame;
use linesman::league::elsewhere::Agreement;
use linesman::record::GameRecord;
use linesman::remote::leader::{GameSource, Leader, LeaderAction, LeaderEvent};
use linesman::remote::wire::{
    GameReport, Pack, PackedGame, Report, ResultPart, SeatReport, VERSION, WireMessage, WorkerStatus,
};

use crate::{status_mib, this_program};

/// The argument that makes this program lead a number of empty games.
pub const LINK: &str = "--link";

/// Games that have only a number.
pub struct EmptyGames {
    left: u64,
    numbers: u64,
    /// The number of finished games.
    pub taken: u64,
}

impl EmptyGames {
    pub fn new(games: u64) -> EmptyGames {
        EmptyGames { left: games, numbers: 0, taken: 0 }
    }
}

impl GameSource for EmptyGames {
    fn next(&mut self) -> NextGame<PackedGame> {
        if self.left == 0 {
            return NextGame::Done;
        }
        self.left -= 1;
        self.numbers += 1;
        let game = PackedGame {
            index: self.numbers,
            id: format!("ada~bob~{}", self.numbers),
            attempt: 1,
            try_of_run: 1,
            bots: vec![0, 1],
            entrants: vec![0, 1],
            times: 1,
            encounter: 1,
            seed: self.numbers,
            ..PackedGame::default()
        };
        NextGame::Game(self.numbers, game)
    }

    fn began(&mut self, _number: u64, _place: usize) {}

    fn take(&mut self, _number: u64, record: GameRecord, _report: GameReport) -> Result<Duration, String> {
        self.taken += 1;
        Ok(Duration::from_millis(record.duration_ms.unwrap_or_default()))
    }

    fn give_up(&mut self, _number: u64) {}

    fn left(&self) -> u64 {
        self.left
    }

    fn follow_each_result(&self) -> bool {
        false
    }

    fn may_come(&self, _id: &str) -> bool {
        true
    }

    fn repeat(&self, _game: &PackedGame) -> Option<Agreement> {
        None
    }

    fn keep_repeat(&mut self, _game: &PackedGame, _record: GameRecord) -> Result<(), String> {
        Ok(())
    }
}

/// Returns the messages with the result of a game.
pub fn result(pack: &str, game: &PackedGame, took: Duration) -> Vec<Vec<u8>> {
    let record = GameRecord {
        v: linesman::record::VERSION,
        id: game.id.clone(),
        attempt: game.attempt,
        game: "quixo".to_owned(),
        seed: Some(game.seed),
        duration_ms: u64::try_from(took.as_millis()).ok(),
        ..GameRecord::default()
    };
    let seat = SeatReport { moves: 1, was_ready: true, ..SeatReport::default() };
    let (pack, record) = (pack.to_owned(), record.to_line().expect("it is a record"));
    let seats = vec![seat.clone(), seat];
    let report = Report::Game(Box::new(GameReport { pack, record, seats, ..GameReport::default() }));
    report.parts().expect("it is short")
}

/// Returns a worker's status message.
pub fn status(instance: u64, slots: u32, running: &[&PackedGame], played: u64) -> WorkerStatus {
    WorkerStatus {
        v: VERSION,
        instance,
        slots,
        running: running.iter().map(|game| game.key()).collect(),
        played,
        faults: 0,
        speed: None,
        clock_ms: None,
        news: Vec::new(),
    }
}

/// The number of the worker's slots.
const SLOTS: u32 = 64;

/// Leads empty games and returns the seconds and the peak memory in MiB.
pub fn lead(games: u64) -> (f64, f64) {
    let began = Instant::now();
    let mut leader = Leader::new(EmptyGames::new(games), "plan".to_owned(), 1, 64);
    let (mut at, mut kept, mut beats) = (Duration::ZERO, 0, 0);
    let mut packs: VecDeque<Pack> = VecDeque::new();
    let mut events = VecDeque::from([LeaderEvent::Ready { epoch: 1, packs: Vec::new(), results: 0 }]);
    let mut is_over = false;
    while !is_over {
        let event = events.pop_front().unwrap_or_else(|| {
            at += Duration::from_millis(10);
            beats += 1;
            match packs.pop_front_if(|_| beats % 10 != 0) {
                None if beats % 100 == 0 => {
                    let status = Box::new(status(1, SLOTS, &[], kept));
                    LeaderEvent::WorkerStatus { worker: "one".to_owned(), status, clock_ms: None }
                }
                Some(pack) => {
                    for game in &pack.games {
                        for bytes in result(&pack.id, game, Duration::from_millis(1)) {
                            let (worker, delivery) = ("one".to_owned(), "delivery".to_owned());
                            let part = ResultPart::decode(&bytes);
                            events.push_back(LeaderEvent::Result { worker, delivery, part });
                        }
                    }
                    kept += pack.games.len() as u64;
                    events.push_back(LeaderEvent::Kept(kept));
                    LeaderEvent::Tick
                }
                None => LeaderEvent::Tick,
            }
        });
        for action in leader.handle(at, event) {
            match action {
                LeaderAction::Publish { pack, .. } => {
                    let pack = Pack::decode(&pack.encode()).expect("it is one");
                    events.push_back(LeaderEvent::Published { pack: pack.id.clone(), is_kept: true });
                    packs.push_back(pack);
                }
                LeaderAction::End { .. } => is_over = true,
                _ => {}
            }
        }
    }
    assert_eq!(leader.games().taken, games, "every game is taken once");
    (began.elapsed().as_secs_f64(), status_mib(std::process::id(), "VmHWM"))
}

pub fn link(numbers: &[u64]) {
    let mut first = None;
    for games in numbers {
        let output = std::process::Command::new(this_program()).args([LINK, &games.to_string()]).output();
        let text = String::from_utf8(output.expect("it starts").stdout).expect("it is text");
        let figures: Vec<f64> =
            text.split_whitespace().map(|status| status.parse().expect("a number")).collect();
        let [seconds, peak] = figures[..] else { panic!("two figures: {text}") };
        let least = *first.get_or_insert(peak);
        println!(
            "| {games} empty games by the state machine: games a second | {:.0} | |",
            *games as f64 / seconds
        );
        println!("| {games} empty games by the state machine: peak of memory, MiB | {peak:.1} | |");
        println!(
            "| {games} empty games by the state machine: x of the peak of {} | {:.2} | <= 1.1 |",
            numbers[0],
            peak / least
        );
    }
}
