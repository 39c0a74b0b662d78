//! The packs that a worker has in hand, and their games.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use crate::leader::Delivery;
use crate::wire::{GameKey, GameReport, PackedGame, Report};

pub(super) struct HeldPack {
    pub(super) delivery: Delivery,
    pub(super) id: String,
    league: String,
    /// Time of the delivery, or of the last progress message to the broker.
    last_progress: Duration,
    /// Number of games that have not started.
    pub(super) waiting: usize,
    /// Number of running games and of reports that the broker has not confirmed yet.
    open: usize,
    /// Number of games that were not played to the end.
    unplayed: usize,
    /// Number of games whose report the broker has confirmed.
    reported: usize,
}

/// A pack without waiting games, running games and unconfirmed reports.
pub(super) enum Settled {
    /// Nothing of it is left to play or to report.
    Done(Delivery),
    /// None of its games was reported. The delivery and the id of the pack.
    Untouched(Delivery, String),
    /// Some of its games were reported. The number of the pack, which stays in hand until the broker has confirmed a
    /// report on it, and its id.
    Partly(u64, String),
}

impl HeldPack {
    pub(super) fn new(delivery: Delivery, id: String, league: String, at: Duration) -> HeldPack {
        HeldPack { delivery, id, league, last_progress: at, waiting: 0, open: 0, unplayed: 0, reported: 0 }
    }
}

/// The progress of a game or a report.
enum PackStage {
    Playing(GameKey),
    /// To be sent, not before this time.
    ToReport(Box<Report>, Duration),
    /// Sent; to be sent again at this time.
    Sent(Box<Report>, Duration),
}

impl PackStage {
    fn is_playing(&self) -> bool {
        matches!(self, PackStage::Playing(_))
    }
}

#[derive(Default)]
pub(super) struct Hand {
    packs: BTreeMap<u64, HeldPack>,
    /// The games that wait, each with its number and that of its pack.
    waiting: VecDeque<(u64, u64, PackedGame)>,
    /// The running games and unconfirmed reports by number, each with the number of its pack.
    open: BTreeMap<u64, (u64, PackStage)>,
}

impl Hand {
    pub(super) fn is_empty(&self) -> bool {
        self.packs.is_empty()
    }

    /// Returns the number of waiting and running games.
    pub(super) fn games(&self) -> usize {
        self.waiting.len() + self.playing()
    }

    pub(super) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub(super) fn playing(&self) -> usize {
        self.open.values().filter(|(_, stage)| stage.is_playing()).count()
    }

    /// True if the broker has not confirmed all reports.
    pub(super) fn has_reports(&self) -> bool {
        self.open.values().any(|(_, stage)| !stage.is_playing())
    }

    pub(super) fn running(&self) -> Vec<GameKey> {
        let key = |(_, stage): &(u64, PackStage)| match stage {
            PackStage::Playing(key) => Some(key.clone()),
            PackStage::ToReport(..) | PackStage::Sent(..) => None,
        };
        self.open.values().filter_map(key).collect()
    }

    pub(super) fn add(&mut self, number: u64, pack: HeldPack) {
        self.packs.insert(number, pack);
    }

    pub(super) fn add_game(&mut self, number: u64, pack: u64, game: PackedGame) {
        self.waiting.push_back((number, pack, game));
    }

    /// Starts the next waiting game.
    pub(super) fn begin(&mut self) -> Option<(u64, PackedGame)> {
        let (number, pack_number, game) = self.waiting.pop_front()?;
        let pack = self.packs.get_mut(&pack_number)?;
        pack.waiting -= 1;
        pack.open += 1;
        self.open.insert(number, (pack_number, PackStage::Playing(game.key())));
        Some((number, game))
    }

    pub(super) fn give_up_waiting(&mut self) {
        for (_, pack_number, _) in self.waiting.drain(..) {
            if let Some(pack) = self.packs.get_mut(&pack_number) {
                pack.waiting -= 1;
                pack.unplayed += 1;
            }
        }
    }

    /// Notes that a game has ended, with its report if it was played to the end.
    pub(super) fn ended(&mut self, number: u64, report: Option<Box<GameReport>>, at: Duration) {
        let Some((pack_number, stage)) = self.open.get_mut(&number) else { return };
        let Some(pack) = self.packs.get_mut(pack_number) else { return };
        match report {
            Some(mut report) => {
                report.pack.clone_from(&pack.id);
                if let PackStage::Playing(key) = stage {
                    report.repeat = key.repeat;
                }
                *stage = PackStage::ToReport(Box::new(Report::Game(report)), at);
            }
            None => {
                pack.open -= 1;
                pack.unplayed += 1;
                self.open.remove(&number);
            }
        }
    }

    /// Drops all waiting and running games.
    pub(super) fn break_off(&mut self) {
        self.give_up_waiting();
        self.drop_open(true);
    }

    /// Drops all reports that the broker has not confirmed.
    pub(super) fn give_up_reports(&mut self) {
        self.drop_open(false);
    }

    /// Drops the running games, or the unconfirmed reports.
    fn drop_open(&mut self, are_playing: bool) {
        for (_, (pack_number, _)) in
            self.open.extract_if(.., |_, (_, stage)| stage.is_playing() == are_playing)
        {
            if let Some(pack) = self.packs.get_mut(&pack_number) {
                pack.open -= 1;
                pack.unplayed += usize::from(are_playing);
            }
        }
    }

    /// Adds a report on a pack, to be sent now.
    pub(super) fn report(&mut self, number: u64, pack_number: u64, report: Report, at: Duration) {
        if let Some(pack) = self.packs.get_mut(&pack_number) {
            pack.open += 1;
            self.open.insert(number, (pack_number, PackStage::ToReport(Box::new(report), at)));
        }
    }

    /// Takes the reports to send now, each with its number and league. They are sent again after `timeout`.
    pub(super) fn take_due(&mut self, at: Duration, timeout: Duration) -> Vec<(u64, String, Report)> {
        let mut due = Vec::new();
        for (number, (pack_number, stage)) in &mut self.open {
            let (report, from) = match stage {
                PackStage::ToReport(report, from) | PackStage::Sent(report, from) => (report, *from),
                PackStage::Playing(_) => continue,
            };
            if at < from {
                continue;
            }
            let Some(pack) = self.packs.get(pack_number) else { continue };
            due.push((*number, pack.league.clone(), (**report).clone()));
            *stage = PackStage::Sent(report.clone(), at + timeout);
        }
        due
    }

    /// Schedules a report to be sent again, not before this time.
    pub(super) fn send_again(&mut self, number: u64, from: Duration) {
        if let Some((_, stage)) = self.open.get_mut(&number)
            && let PackStage::Sent(report, _) = stage
        {
            *stage = PackStage::ToReport(report.clone(), from);
        }
    }

    /// Notes that the broker has confirmed a report. Returns true if it is the report on a game.
    pub(super) fn reported(&mut self, number: u64) -> bool {
        let Some((pack_number, stage)) = self.open.remove(&number) else { return false };
        let is_game = match stage {
            PackStage::Playing(_) => false,
            PackStage::ToReport(report, _) | PackStage::Sent(report, _) => matches!(*report, Report::Game(_)),
        };
        if let Some(pack) = self.packs.get_mut(&pack_number) {
            pack.open -= 1;
            pack.reported += usize::from(is_game);
        }
        is_game
    }

    /// Takes the settled packs. Partly reported packs stay in hand.
    pub(super) fn take_settled(&mut self) -> Vec<Settled> {
        let mut settled = Vec::new();
        self.packs.retain(|number, pack| {
            let is_partly = pack.unplayed > 0 && pack.reported > 0;
            if pack.waiting > 0 || pack.open > 0 {
                return true;
            }
            settled.push(match std::mem::take(&mut pack.unplayed) {
                0 => Settled::Done(pack.delivery.clone()),
                _ if is_partly => Settled::Partly(*number, pack.id.clone()),
                _ => Settled::Untouched(pack.delivery.clone(), pack.id.clone()),
            });
            is_partly
        });
        settled
    }

    /// Takes the deliveries for which a progress message to the broker is due, `between` after the last one.
    pub(super) fn take_progress(
        &mut self,
        at: Duration,
        between: Duration,
    ) -> impl Iterator<Item = Delivery> + '_ {
        let due =
            self.packs.values_mut().filter(move |pack| at.saturating_sub(pack.last_progress) >= between);
        due.map(move |pack| {
            pack.last_progress = at;
            pack.delivery.clone()
        })
    }
}
