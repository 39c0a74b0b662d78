//! The file of records, and the games that a leader reads from it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use super::happening::ms;
use crate::leader::GameSource;
use crate::wire::{GameKey, GameReport, PackedGame};
use linesman_league::assigned::NextGame;
use linesman_league::elsewhere::Agreement;
use linesman_record::GameRecord;

/// The file of records: its lines, and the number of lines that would survive a power cut.
#[derive(Default)]
pub(super) struct Records {
    pub(super) lines: Vec<(GameKey, bool)>,
    pub(super) durable: usize,
}

/// The games of one leader's run.
pub(super) struct SimGames {
    pub(super) missing: Vec<PackedGame>,
    pub(super) handed_out: BTreeMap<u64, PackedGame>,
    pub(super) last_number: u64,
    pub(super) records: Rc<RefCell<Records>>,
    pub(super) given_up: Rc<RefCell<BTreeSet<String>>>,
    pub(super) is_ladder: bool,
    /// The games of the second round, which are known once the first round has been played.
    pub(super) waiting: Vec<PackedGame>,
    /// One in `repeat_interval` games is repeated; 0 = none.
    pub(super) repeat_interval: u64,
    pub(super) repeats: Rc<RefCell<Vec<(GameKey, String)>>>,
}

impl GameSource for SimGames {
    fn next(&mut self) -> NextGame<PackedGame> {
        if self.missing.is_empty() && self.handed_out.is_empty() {
            self.missing.append(&mut self.waiting);
        }
        match self.missing.pop() {
            Some(game) => {
                self.last_number += 1;
                self.handed_out.insert(self.last_number, game.clone());
                NextGame::Game(self.last_number, game)
            }
            None if self.handed_out.is_empty() => NextGame::Done,
            None => NextGame::Wait,
        }
    }

    fn began(&mut self, number: u64, _place: usize) {
        assert!(self.handed_out.contains_key(&number), "only games that are out begin");
    }

    fn take(&mut self, number: u64, record: GameRecord, _report: GameReport) -> Result<Duration, String> {
        let game = self.handed_out.get(&number).cloned().expect("it is out");
        if record.seed != Some(game.seed) {
            return Err("the seed is not as planned".to_owned());
        }
        self.handed_out.remove(&number);
        let is_void = record.void.is_some();
        self.records.borrow_mut().lines.push((game.key(), is_void));
        if is_void {
            self.missing.push(PackedGame { attempt: game.attempt + 1, ..game });
        }
        Ok(ms(record.duration_ms.unwrap_or_default()))
    }

    fn give_up(&mut self, number: u64) {
        let game = self.handed_out.remove(&number).expect("it is out");
        self.given_up.borrow_mut().insert(game.id);
    }

    fn left(&self) -> u64 {
        (self.missing.len() + self.waiting.len()) as u64
    }

    fn follow_each_result(&self) -> bool {
        self.is_ladder
    }

    fn may_come(&self, id: &str) -> bool {
        let mut missing = self.missing.iter().chain(&self.waiting).chain(self.handed_out.values());
        missing.any(|game| game.id == id)
    }

    fn repeat(&self, game: &PackedGame) -> Option<Agreement> {
        (self.repeat_interval > 0 && game.seed.is_multiple_of(self.repeat_interval))
            .then_some(Agreement::MoveByMove)
    }

    fn keep_repeat(&mut self, game: &PackedGame, record: GameRecord) -> Result<(), String> {
        assert_eq!(record.worker.as_ref().and_then(|worker| worker.repeat), Some(game.repeat));
        let name = record.worker.map(|worker| worker.name).unwrap_or_default();
        self.repeats.borrow_mut().push((game.key(), name));
        Ok(())
    }
}
