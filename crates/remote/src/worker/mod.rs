//! A worker as a state machine: it takes timed events and returns actions.
//!
//! It fetches a pack whenever it could play more games than it has, reports each game, and acknowledges a pack when
//! the broker has confirmed all of its results. It gives back a pack that it can't play or finish: the delivery if it
//! has reported no game of it, and otherwise with a report, so that the reported games are not played again.
//!
//! The loss of the connection is not an event. Games continue, and their reports are sent again until the broker
//! confirms them.

mod crew;
mod event;
mod hand;
mod speed;
#[cfg(test)]
mod tests;

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use crate::leader::{Delivery, MAX_DELIVERIES};
use crate::wire::{
    Announcement, GameReport, LeaderOrder, MAX_REASON, Pack, PackedGame, Report, VERSION, WorkerNews,
    WorkerStatus, owner,
};
use crew::{CrewState, why_refused};
use hand::{Hand, HeldPack, Settled};
use linesman_driver::MeasuredSpeed;
use linesman_record::WorkerRecord;
use linesman_types::random::SplitMix64;
use speed::SpeedWatch;

pub use crew::ReadyCrew;
pub use event::{WorkerAction, WorkerEvent, WorkerNotice};

/// Time without an announcement after which a league counts as no longer led.
const LED_TIMEOUT: Duration = Duration::from_secs(15);

/// Time without a league after which a worker that plays until it is idle ends.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// Divisor of the time between two status messages: after this part of it, a message with changes can be sent.
const CHANGE_DIVISOR: u32 = 13;

/// Time after which a refused pack is delivered again.
const AFTER_REFUSAL: Duration = Duration::from_secs(5);

/// Time without fetches after a refused pack. It doubles with each further refusal, up to [`AFTER_REFUSAL`]. It starts
/// short, since other packs may be playable.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// Mean time after which a repeat that another owner's worker has to play is delivered again, and its maximum. It
/// doubles with each delivery.
const REPEAT_DELAY: Duration = Duration::from_millis(50);
const MAX_REPEAT_DELAY: Duration = Duration::from_secs(1);

/// Maximum number of deliveries of a repeat before it is quarantined. Most are to workers that must not play it.
const MAX_DELIVERIES_OF_REPEAT: u64 = 30;

/// Time after which an unconfirmed report is sent again, and time after which an unusable plan is tried again.
const REPORT_AGAIN: Duration = Duration::from_secs(2);
const PLAN_AGAIN: Duration = Duration::from_secs(10);

/// Minimum time between a fetch that got no pack and the next one.
const FETCH_AGAIN: Duration = Duration::from_millis(500);

/// Interval of the ticks while something is due soon, and while nothing is, so that idle workers need little CPU time.
const TICK: Duration = Duration::from_millis(100);
const IDLE_TICK: Duration = Duration::from_millis(500);

struct League {
    announced: Announcement,
    heard: Duration,
}

/// A worker as a state machine.
pub struct Worker {
    name: String,
    instance: u64,
    slots: usize,
    /// Number of games that the threads play at once; at most `slots`.
    at_once: usize,
    speed: SpeedWatch,
    until_idle: bool,
    league: Option<League>,
    crew: CrewState,
    hand: Hand,
    fetches: HashSet<u64>,
    next_fetch: u64,
    /// Time before which nothing is fetched.
    not_before: Duration,
    /// Number of packs in a row that were refused.
    refusals: u32,
    numbers: u64,
    random: SplitMix64,
    played: u64,
    faults: u64,
    news: Vec<WorkerNews>,
    /// True if the status has changed since the last status message.
    has_changed: bool,
    last_status: Option<Duration>,
    stop: Option<LeaderOrder>,
    idle_since: Duration,
    has_quit: bool,
    shown_reasons: VecDeque<String>,
    /// The actions to take, until the current event has been handled.
    actions: Vec<WorkerAction>,
}

impl Worker {
    /// Creates a worker with this name that plays `slots` games at once. `instance` distinguishes it from others of the same
    /// name. With `until_idle`, it ends when no league is led.
    pub fn new(name: String, instance: u64, slots: usize, until_idle: bool) -> Worker {
        Worker {
            name,
            instance,
            slots,
            at_once: slots,
            speed: SpeedWatch::default(),
            until_idle,
            league: None,
            crew: CrewState::None,
            hand: Hand::default(),
            fetches: HashSet::new(),
            next_fetch: 0,
            not_before: Duration::ZERO,
            refusals: 0,
            numbers: 0,
            random: SplitMix64(instance),
            played: 0,
            faults: 0,
            news: Vec::new(),
            has_changed: false,
            last_status: None,
            stop: None,
            idle_since: Duration::ZERO,
            has_quit: false,
            shown_reasons: VecDeque::new(),
            actions: Vec::new(),
        }
    }

    /// Returns the number of games that it has played for its league and reported.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// Returns the worker for the records of games that start now.
    pub fn record(&self) -> WorkerRecord {
        WorkerRecord { name: self.name.clone(), speed: self.speed.speed(), ..WorkerRecord::default() }
    }

    /// Starts a game. Returns its number and the game; `None` if no game waits or no slot is free.
    pub fn begin(&mut self) -> Option<(u64, PackedGame)> {
        if self.hand.playing() >= self.speed.usable(self.slots) {
            return None;
        }
        let begun = self.hand.begin();
        self.has_changed |= begun.is_some();
        begun
    }

    /// Handles an event at this time. Returns the actions to take.
    pub fn handle(&mut self, at: Duration, event: WorkerEvent) -> Vec<WorkerAction> {
        match event {
            WorkerEvent::Announced(announced) => self.announced(at, announced),
            WorkerEvent::Loaded(crew) => {
                self.shown_reasons.clear();
                self.crew = CrewState::Ready(crew);
                self.at_once = self.slots;
                self.has_changed = true;
                self.give_back_if_too_slow();
            }
            WorkerEvent::NotLoaded { plan, why } => self.not_loaded(at, plan, why),
            WorkerEvent::Dismissed => {
                self.crew = CrewState::None;
                // The threads that played the games are gone.
                self.hand.break_off();
            }
            WorkerEvent::Fetched { fetch, delivery, deliveries, pack } => {
                let is_open = self.fetches.remove(&fetch);
                self.fetched(at, (is_open, delivery, deliveries), pack);
            }
            WorkerEvent::Nothing(fetch) => {
                self.fetches.remove(&fetch);
                self.not_before = self.not_before.max(at + FETCH_AGAIN);
            }
            WorkerEvent::Ended { number, report } => self.ended(at, number, report),
            WorkerEvent::Reported { number, is_kept } => self.reported(at, number, is_kept),
            WorkerEvent::AtOnce(games) => self.change_at_once(games),
            WorkerEvent::Measured(measured) => self.measured(at, measured),
            WorkerEvent::Stop(order) => {
                self.stop = Some(order);
                if order == LeaderOrder::Abort {
                    self.actions.push(WorkerAction::BreakOff);
                }
            }
            WorkerEvent::Tick => self.tick(at),
        }
        if self.must_stop() {
            self.hand.give_up_waiting();
        }
        // The stream of results is gone: no report would ever be confirmed.
        if self.is_ordered(LeaderOrder::Over) {
            self.hand.give_up_reports();
        }
        self.settle(at);
        self.send_due(at);
        self.fetch(at);
        self.change_crew(at);
        self.send_status(at);
        self.quit_if_done(at);
        std::mem::take(&mut self.actions)
    }

    /// Returns the maximum time until the next tick.
    pub fn until_tick(&self, at: Duration) -> Duration {
        let has_changed = self.has_changed && self.league.is_some();
        let is_due_soon =
            has_changed || at < self.not_before || self.stop.is_some() || self.hand.has_reports();
        if is_due_soon { TICK } else { IDLE_TICK }
    }

    fn must_stop(&self) -> bool {
        let order = self.league.as_ref().map(|league| league.announced.order);
        self.stop.is_some() || order.is_some_and(|order| order != LeaderOrder::Play)
    }

    fn announced(&mut self, at: Duration, announced: Announcement) {
        let is_same = |league: &League| league.announced.league == announced.league;
        let is_free = match &self.league {
            None => true,
            Some(league) if is_same(league) => true,
            Some(league) => {
                let is_led = at.saturating_sub(league.heard) < LED_TIMEOUT;
                self.hand.is_empty() && (!is_led || league.announced.order != LeaderOrder::Play)
            }
        };
        let starts = self.league.as_ref().is_none_or(|league| !is_same(league));
        if !is_free || (starts && announced.order != LeaderOrder::Play) {
            return;
        }
        if starts {
            self.leave();
            let league = announced.name.clone();
            self.actions.push(WorkerAction::Tell(WorkerNotice::Joined(league)));
            self.has_changed = true;
        } else if announced.order == LeaderOrder::Abort
            && self.league.as_ref().is_some_and(|league| league.announced.order != LeaderOrder::Abort)
        {
            self.actions.push(WorkerAction::BreakOff);
        }
        let is_set_aside = announced.set_aside.contains(&self.instance);
        if (is_set_aside || announced.refused.contains(&self.name)) && self.stop.is_none() {
            self.stop = Some(LeaderOrder::Abort);
            let notice = if is_set_aside { WorkerNotice::SetAside } else { WorkerNotice::Refused };
            self.actions.push(WorkerAction::Tell(notice));
            self.actions.push(WorkerAction::BreakOff);
        }
        self.league = Some(League { announced, heard: at });
    }

    /// Changes the number of games that are played at once. If it falls, the waiting games are given back.
    fn change_at_once(&mut self, games: usize) {
        if games < self.at_once {
            self.hand.give_up_waiting();
        }
        self.at_once = games;
    }

    fn measured(&mut self, at: Duration, measured: Option<MeasuredSpeed>) {
        let before = self.speed.speed();
        let overload = self.speed.measured(at, measured);
        self.has_changed = true;
        if let (None, Some(speed)) = (before, self.speed.speed()) {
            self.actions.push(WorkerAction::Tell(WorkerNotice::Measured(speed)));
        }
        if let Some(why) = overload {
            self.hand.give_up_waiting();
            self.news.push(WorkerNews::Overloaded { why: why.clone() });
            self.actions.push(WorkerAction::Tell(WorkerNotice::Overloaded(why)));
        }
        self.give_back_if_too_slow();
        self.actions.push(WorkerAction::Begin);
    }

    /// Returns the reason why this machine is too slow for the league; `None` if it is not.
    fn too_slow(&self) -> Option<String> {
        let CrewState::Ready(ReadyCrew { least_speed: Some(least_speed), .. }) = self.crew else {
            return None;
        };
        let speed = self.speed.speed().filter(|speed| *speed < least_speed)?;
        Some(format!("its speed is {speed} positions per second, and `least_speed` is {least_speed}"))
    }

    /// If this machine is too slow, reports that and gives back the waiting games.
    fn give_back_if_too_slow(&mut self) {
        let Some(why) = self.too_slow() else { return };
        self.hand.give_up_waiting();
        self.notify_once(&why);
        self.news.push(WorkerNews::CantPlay { why: shortened(&why) });
        self.has_changed = true;
    }

    fn leave(&mut self) {
        if let Some(league) = self.league.take() {
            let (league, played) = (league.announced.name, std::mem::take(&mut self.played));
            self.actions.push(WorkerAction::Tell(WorkerNotice::Left { league, played }));
        }
    }

    fn not_loaded(&mut self, at: Duration, plan: String, why: Option<String>) {
        let again = if why.is_some() { PLAN_AGAIN } else { REPORT_AGAIN };
        self.crew = CrewState::Failed { plan, until: at + again };
        if let Some(why) = why {
            self.notify_once(&why);
            self.news.push(WorkerNews::CantPlay { why: shortened(&why) });
            self.has_changed = true;
        }
    }

    /// Shows people a reason, unless it was shown recently.
    fn notify_once(&mut self, why: &str) {
        if self.shown_reasons.iter().any(|shown| shown == why) {
            return;
        }
        self.shown_reasons.push_back(why.to_owned());
        if self.shown_reasons.len() > 20 {
            self.shown_reasons.pop_front();
        }
        self.actions.push(WorkerAction::Tell(WorkerNotice::CantPlay(why.to_owned())));
    }

    fn fetched(
        &mut self,
        at: Duration,
        (is_open, delivery, deliveries): (bool, Delivery, u64),
        pack: Option<Pack>,
    ) {
        let Some(league) = self.league.as_ref().map(|league| league.announced.league.clone()) else {
            self.actions.push(WorkerAction::Nak(delivery, Duration::ZERO));
            return;
        };
        let Some(pack) = pack else {
            // It may be of another version, and another worker may be able to read it.
            self.faults += 1;
            self.refuse(at, delivery, String::new(), "a pack can't be read".to_owned());
            return;
        };
        if self.must_stop() || !is_open {
            self.give_back(delivery, pack.id);
            return;
        }
        let own_owner = owner(&self.name);
        if pack.games.iter().any(|game| game.not_for.iter().any(|owner| owner == own_owner)) {
            let delay = self.repeat_delay(deliveries);
            self.actions.push(WorkerAction::Nak(delivery, delay));
            self.news.push(WorkerNews::Returned { pack: pack.id });
            return;
        }
        let why = match &self.crew {
            CrewState::Ready(crew) if crew.plan == pack.plan => why_refused(&pack, crew),
            _ => Some("the pack is of a plan that has not been loaded".to_owned()),
        };
        if let Some(why) = why {
            self.refuse(at, delivery, pack.id, why);
            return;
        }
        self.refusals = 0;
        self.numbers += 1;
        let pack_number = self.numbers;
        let is_repeat = pack.games.iter().any(|game| game.repeat > 0);
        let mut held = HeldPack::new(delivery, pack.id, league, at);
        if deliveries > if is_repeat { MAX_DELIVERIES_OF_REPEAT } else { MAX_DELIVERIES } {
            self.numbers += 1;
            let report = Report::Quarantined { pack: held.id.clone(), deliveries };
            self.hand.add(pack_number, held);
            self.hand.report(self.numbers, pack_number, report, at);
        } else {
            for game in pack.games {
                self.numbers += 1;
                held.waiting += 1;
                self.hand.add_game(self.numbers, pack_number, game);
            }
            self.hand.add(pack_number, held);
            self.actions.push(WorkerAction::Begin);
        }
    }

    /// Returns the time after which a repeat that this worker must not play is delivered again. It is random: if all
    /// workers gave back repeats at the same pace, each could get its own again and again.
    fn repeat_delay(&mut self, deliveries: u64) -> Duration {
        let doublings = u32::try_from(deliveries.saturating_sub(1)).unwrap_or(u32::MAX);
        let mean = REPEAT_DELAY.saturating_mul(2_u32.saturating_pow(doublings)).min(MAX_REPEAT_DELAY);
        let spread = u64::try_from(mean.as_millis()).unwrap_or(u64::MAX);
        mean / 2 + Duration::from_millis(self.random.below(spread))
    }

    fn refuse(&mut self, at: Duration, delivery: Delivery, pack: String, why: String) {
        let pause = FIRST_PAUSE * 2_u32.saturating_pow(self.refusals.min(10));
        self.not_before = at + pause.min(AFTER_REFUSAL);
        self.refusals += 1;
        self.notify_once(&why);
        self.actions.push(WorkerAction::Nak(delivery, AFTER_REFUSAL));
        self.news.push(WorkerNews::Refused { pack, why: shortened(&why) });
        self.has_changed = true;
    }

    fn give_back(&mut self, delivery: Delivery, pack: String) {
        self.actions.push(WorkerAction::Nak(delivery, Duration::ZERO));
        self.news.push(WorkerNews::Returned { pack });
        self.has_changed = true;
    }

    fn ended(&mut self, at: Duration, number: u64, report: Option<Box<GameReport>>) {
        self.has_changed = true;
        if report.is_none() {
            self.faults += 1;
        }
        self.hand.ended(number, report, at);
        // The thread may have asked for the next game before its slot counted as free.
        if self.hand.has_waiting() {
            self.actions.push(WorkerAction::Begin);
        }
    }

    fn send_due(&mut self, at: Duration) {
        for (number, league, report) in self.hand.take_due(at, REPORT_AGAIN * 5) {
            self.actions.push(WorkerAction::Report { number, league, report });
        }
    }

    fn reported(&mut self, at: Duration, number: u64, is_kept: bool) {
        if !is_kept {
            self.hand.send_again(number, at + REPORT_AGAIN);
            return;
        }
        if self.hand.reported(number) {
            self.played += 1;
            self.has_changed = true;
        }
    }

    /// Acknowledges the finished packs, and gives back those that can't be finished.
    fn settle(&mut self, at: Duration) {
        for settled in self.hand.take_settled() {
            match settled {
                Settled::Done(delivery) => self.actions.push(WorkerAction::Ack(delivery)),
                Settled::Untouched(delivery, pack) => self.give_back(delivery, pack),
                // If the pack were delivered again, its reported games would be played again, too.
                Settled::Partly(number, pack) => {
                    self.numbers += 1;
                    self.hand.report(self.numbers, number, Report::Returned { pack }, at);
                }
            }
        }
    }

    fn fetch(&mut self, at: Duration) {
        let (Some(league), CrewState::Ready(crew)) = (&self.league, &self.crew) else { return };
        let Announcement { league, epoch, plan: announced, .. } = &league.announced;
        if self.must_stop() || at < self.not_before || crew.plan != *announced {
            return;
        }
        if !self.speed.has_measured() || self.too_slow().is_some() {
            return;
        }
        let usable = if self.speed.is_overloaded() { (self.slots / 2).max(1) } else { self.slots };
        let wanted = self.at_once.min(usable).saturating_sub(self.hand.games());
        while self.fetches.len() < wanted {
            self.next_fetch += 1;
            self.fetches.insert(self.next_fetch);
            let (fetch, league, epoch) = (self.next_fetch, league.clone(), *epoch);
            self.actions.push(WorkerAction::Fetch { fetch, league, epoch });
        }
    }

    /// Loads the bots of the announced plan, and dismisses those of other plans.
    fn change_crew(&mut self, at: Duration) {
        let wanted = self.league.as_ref().filter(|_| !self.must_stop()).map(|league| &league.announced);
        let needs_load = match (&self.crew, wanted) {
            (CrewState::None, Some(_)) => true,
            (CrewState::Failed { plan, until }, Some(wanted)) => *plan != wanted.plan || at >= *until,
            (CrewState::Ready(crew), wanted) => {
                let is_wanted = match wanted {
                    Some(wanted) => wanted.plan == crew.plan,
                    // While a league finishes, its bots stay ready: further games may need them.
                    None => self.stop.is_none() && self.is_ordered(LeaderOrder::Finish),
                };
                if !is_wanted && self.hand.games() == 0 {
                    self.crew = CrewState::Ending;
                    self.actions.push(WorkerAction::Dismiss);
                }
                false
            }
            (CrewState::None | CrewState::Failed { .. }, None)
            | (CrewState::Loading(_) | CrewState::Ending, _) => false,
        };
        if let (true, Some(wanted)) = (needs_load, wanted) {
            let wanted = wanted.clone();
            self.crew = CrewState::Loading(wanted.plan.clone());
            self.actions.push(WorkerAction::Load(Box::new(wanted)));
        }
    }

    fn is_ordered(&self, order: LeaderOrder) -> bool {
        self.league.as_ref().is_some_and(|league| league.announced.order == order)
    }

    fn tick(&mut self, at: Duration) {
        if !self.must_stop() && self.speed.begin(at, self.hand.playing(), self.slots) {
            self.actions.push(WorkerAction::Measure);
        }
        let ack_wait = self.league.as_ref().map_or(30_000, |league| league.announced.ack_wait_ms);
        let between = Duration::from_millis(ack_wait) / 3;
        self.actions.extend(self.hand.take_progress(at, between).map(WorkerAction::Progress));
        let is_gone = self.league.as_ref().is_some_and(|league| {
            league.announced.order == LeaderOrder::Over || at.saturating_sub(league.heard) > 4 * LED_TIMEOUT
        });
        if is_gone && self.hand.is_empty() {
            self.leave();
        }
    }

    /// Sends a status message if there is news, or if the last message is old enough.
    fn send_status(&mut self, at: Duration) {
        let Some(league) = &self.league else { return };
        let between = Duration::from_millis(league.announced.status_ms);
        let since = self.last_status.map(|last| at.saturating_sub(last));
        let is_due = since.is_none_or(|since| {
            since >= between
                || (self.has_changed && since >= between / CHANGE_DIVISOR)
                || !self.news.is_empty()
        });
        if !is_due || self.has_quit {
            return;
        }
        let league = league.announced.league.clone();
        let news = std::mem::take(&mut self.news);
        self.actions.push(WorkerAction::SendStatus { league, status: self.status(news) });
        self.has_changed = false;
        self.last_status = Some(at);
    }

    fn status(&self, news: Vec<WorkerNews>) -> WorkerStatus {
        WorkerStatus {
            v: VERSION,
            instance: self.instance,
            slots: u32::try_from(self.slots).unwrap_or(u32::MAX),
            running: self.hand.running(),
            played: self.played,
            faults: self.faults,
            speed: self.speed.speed(),
            clock_ms: None,
            news,
        }
    }

    fn quit_if_done(&mut self, at: Duration) {
        let is_led = self.league.as_ref().is_some_and(|league| {
            league.announced.order == LeaderOrder::Play && at.saturating_sub(league.heard) < LED_TIMEOUT
        });
        if is_led || !self.hand.is_empty() {
            self.idle_since = at;
        }
        let is_idle = self.until_idle && at.saturating_sub(self.idle_since) >= IDLE_TIMEOUT;
        let is_done = (self.stop.is_some() || is_idle) && self.hand.is_empty();
        if !is_done || self.has_quit {
            return;
        }
        if let CrewState::Ready(_) = self.crew {
            self.crew = CrewState::Ending;
            self.actions.push(WorkerAction::Dismiss);
            return;
        }
        if matches!(self.crew, CrewState::Loading(_) | CrewState::Ending) {
            return;
        }
        self.has_quit = true;
        if let Some(league) = &self.league {
            let league = league.announced.league.clone();
            self.actions
                .push(WorkerAction::SendStatus { league, status: self.status(vec![WorkerNews::Leaves]) });
        }
        self.actions.push(WorkerAction::Quit);
    }
}

fn shortened(why: &str) -> String {
    let end = (0..=why.len().min(MAX_REASON)).rev().find(|end| why.is_char_boundary(*end)).unwrap_or(0);
    why[..end].to_owned()
}
