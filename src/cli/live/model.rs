//! The state of the live view: plain values that updates change.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use super::words::{NAME_BYTES, in_short};
use super::workers::LiveWorkers;
use crate::league::schedule::Length;
use crate::league::session::{Faults, Points};
use crate::record::TWELFTHS;
use crate::record::text::printable;
use crate::referee::core::Status;
use crate::report::describe::several;
use crate::report::standings::{Merit, OrderedBy};
use crate::verdict::FaultKind;

/// Maximum number of results that are kept.
const LAST: usize = 20;

/// Maximum length of a sentence, in bytes.
const SENTENCE_BYTES: usize = 400;

#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(crate) enum Leads {
    /// The order of the standings.
    #[default]
    Standings,
    /// Rules of the schedule, which only its own ranking applies.
    OwnRules,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct LiveStanding {
    /// Number of games.
    pub(crate) done: u64,
    /// The standing in a few words; empty if [`Model::leader`] provides them.
    pub(crate) summary: String,
    /// The participants, with the highest fraction of points first.
    pub(crate) rows: Vec<Points>,
    pub(crate) leads: Leads,
    /// The lines about a sequential test; empty if there is none.
    pub(crate) test: Vec<String>,
}

#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Elo {
    pub(crate) elo: f64,
    /// The 95 % confidence interval; infinite if there is no bound.
    pub(crate) interval: Option<[f64; 2]>,
}

/// The ratings of the bots that could be rated.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Elos {
    /// Number of games.
    pub(crate) after: u64,
    pub(crate) by_name: HashMap<String, Elo>,
}

#[derive(Clone, Debug)]
pub(super) struct EndedGame {
    pub(super) id: String,
    /// The names in the id and the sentence, which may be cut.
    pub(super) names: Vec<String>,
    pub(super) sentence: String,
}

#[derive(Clone, Debug)]
pub(super) struct Running {
    pub(super) id: String,
    pub(super) attempt: u32,
    pub(super) bots: Vec<String>,
    /// The bots or teams for which the seats play. Their names are in the id.
    pub(super) entrants: Vec<String>,
    pub(super) status: Option<Status>,
}

pub(super) struct Model {
    length: Length,
    before: u64,
    pub(super) done: u64,
    /// The game in each slot.
    pub(super) running: Vec<Option<Running>>,
    /// The last finished games, the newest first.
    pub(super) last: VecDeque<EndedGame>,
    /// Faults in the games of the league.
    pub(super) faults: Faults,
    /// Faults in the games that had been played before.
    faults_before: Faults,
    pub(super) standing: LiveStanding,
    pub(super) elos: Elos,
    pub(super) stopping: Option<&'static str>,
    pub(super) workers: LiveWorkers,
    /// The time since the first game began.
    pub(super) elapsed: Duration,
}

impl Model {
    /// The state after a number of games of an earlier run.
    pub(super) fn new(length: Length, before: u64, slots: usize) -> Model {
        Model {
            length,
            before,
            done: before,
            running: vec![None; slots],
            last: VecDeque::new(),
            faults: Faults::new(),
            faults_before: Faults::new(),
            standing: LiveStanding::default(),
            elos: Elos::default(),
            stopping: None,
            workers: LiveWorkers::default(),
            elapsed: Duration::ZERO,
        }
    }

    /// The same after games with these faults.
    pub(super) fn with_faults(mut self, faults: Faults) -> Model {
        let shown =
            faults.into_iter().map(|((bot, kind), times)| ((printable(&bot, NAME_BYTES), kind), times));
        self.faults_before = shown.collect();
        self.faults.clone_from(&self.faults_before);
        self
    }

    pub(super) fn began(&mut self, slot: usize, id: &str, attempt: u32, bots: &[&str], entrants: &[&str]) {
        if let Some(place) = self.running.get_mut(slot) {
            let [bots, entrants] =
                [bots, entrants].map(|names| names.iter().map(|name| printable(name, NAME_BYTES)).collect());
            let id = printable(id, 4 * NAME_BYTES);
            *place = Some(Running { id, attempt, bots, entrants, status: None });
        }
    }

    /// Adds the result of a game that counts, with a sentence about it.
    pub(super) fn played(&mut self, id: &str, sentence: &str) {
        self.done += 1;
        self.ended(id, sentence);
    }

    pub(super) fn failed(&mut self, bot: &str, kind: FaultKind) {
        *self.faults.entry((printable(bot, NAME_BYTES), kind)).or_default() += 1;
    }

    /// Subtracts cancelled games from the maximum number of games.
    pub(super) fn cancelled(&mut self, games: u64) {
        if let Length::AtMost(max) = self.length {
            self.length = Length::AtMost(max.saturating_sub(games));
        }
    }

    /// Adds the result of a game, with a sentence about it, without counting the game.
    pub(super) fn ended(&mut self, id: &str, sentence: &str) {
        let names = self.remove(id).map_or_else(Vec::new, |game| [game.entrants, game.bots].concat());
        let (id, sentence) = (printable(id, 4 * NAME_BYTES), printable(sentence, SENTENCE_BYTES));
        self.last.push_front(EndedGame { id, names, sentence });
        self.last.truncate(LAST);
    }

    pub(super) fn remove(&mut self, id: &str) -> Option<Running> {
        let id = printable(id, 4 * NAME_BYTES);
        let slot = self.running.iter_mut().find(|slot| slot.as_ref().is_some_and(|game| game.id == id));
        slot.and_then(Option::take)
    }

    /// Sets the status of the game in a slot. The status of an earlier game in that slot is ignored.
    pub(super) fn set_status(&mut self, slot: usize, status: Status) {
        if let Some(Some(game)) = self.running.get_mut(slot)
            && game.id == status.id
        {
            game.status = Some(status);
        }
    }

    /// The progress: `34 of 300 games`.
    pub(super) fn so_far(&self) -> String {
        self.after(self.done)
    }

    /// The progress after a number of games. Once the maximum is reached, it is the total.
    fn after(&self, done: u64) -> String {
        match self.length {
            Length::AtMost(max) if done >= max => Length::Exactly(done).after(done),
            length => length.after(done),
        }
    }

    /// The fraction of games that have been played, 0 to 1; `None` for an endless run.
    pub(super) fn share(&self) -> Option<f64> {
        match self.length {
            Length::Endless => None,
            length => Some(self.done as f64 / length.most().max(1) as f64),
        }
    }

    /// True if a line is due about the standing: the last one, or one after games of this run when it `is_time`.
    pub(super) fn is_line_due(&self, is_time: bool) -> bool {
        let done = self.standing.done;
        done >= self.length.most() || (is_time && done > self.before)
    }

    /// Games a second.
    fn rate(&self) -> Option<f64> {
        let played = self.done - self.before;
        (played > 0 && self.elapsed > Duration::ZERO).then(|| played as f64 / self.elapsed.as_secs_f64())
    }

    /// The rate in words: `4.1 games a second`, `12 games a minute`.
    pub(super) fn rate_in_words(&self) -> Option<String> {
        let rate = self.rate()?;
        Some(match rate {
            100.0.. => format!("{rate:.0} games a second"),
            1.0.. => format!("{rate:.1} games a second"),
            _ if rate * 60.0 >= 1.0 => format!("{:.1} games a minute", rate * 60.0),
            _ => format!("{:.1} games an hour", rate * 3_600.0),
        })
    }

    /// The time left in words: `5m to go`, `at most 3h to go`.
    pub(super) fn left_in_words(&self) -> Option<String> {
        if self.stopping.is_some() || self.done >= self.length.most() {
            return None;
        }
        let (bound, games) = match self.length {
            Length::Endless => return None,
            Length::AtMost(games) => ("at most ", games),
            Length::Exactly(games) => ("", games),
        };
        let seconds = games.saturating_sub(self.done) as f64 / self.rate()?;
        let left = Duration::try_from_secs_f64(seconds).ok()?;
        Some(format!("{bound}{} to go", in_short(left)))
    }

    /// Number of faults, and of late moves due to overload: `2 faults, 3 overload`, or with earlier games `7 faults (2 new)`.
    fn fault_counts(&self) -> Option<String> {
        let sum = |faults: &Faults, overload: bool| -> u64 {
            let of_kind = faults.iter().filter(|((_, kind), _)| (*kind == FaultKind::Overload) == overload);
            of_kind.map(|(_, times)| times).sum()
        };
        let new =
            |overload: bool| self.new_of(sum(&self.faults, overload) - sum(&self.faults_before, overload));
        let of_bots = match sum(&self.faults, false) {
            0 => None,
            1 => Some(format!("1 fault{}", new(false))),
            all => Some(format!("{all} faults{}", new(false))),
        };
        let of_host = Some(sum(&self.faults, true)).filter(|all| *all > 0);
        let of_host = of_host.map(|all| format!("{all} {}{}", FaultKind::OVERLOAD, new(true)));
        let all: Vec<String> = of_bots.into_iter().chain(of_host).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// Number of faults, by bot: `7 faults: bob 5 time, cleo 2 crash`.
    pub(super) fn faults_in_words(&self) -> Option<String> {
        let all = self.fault_counts()?;
        let mut kinds: Vec<_> = self.faults.iter().collect();
        kinds.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        let shown = kinds.iter().map(|((bot, kind), times)| {
            format!("{bot} {times} {}", printable(kind.word(), NAME_BYTES).replace('_', " "))
        });
        Some(format!("{all}: {}", shown.collect::<Vec<_>>().join(", ")))
    }

    /// The whole state in one line, for output without a terminal.
    pub(super) fn line(&self) -> String {
        let faults = self.fault_counts();
        let more = [self.rate_in_words(), self.left_in_words(), faults];
        let more: Vec<String> = more.into_iter().flatten().collect();
        let rest = if more.is_empty() { String::new() } else { format!("; {}", more.join(", ")) };
        // The number of games is that of the standing, so that the two never contradict each other.
        let done = self.standing.done;
        let summary = Some(self.standing.summary.clone()).filter(|summary| !summary.is_empty());
        let summary = summary.or_else(|| self.leader());
        let summary = summary.map_or_else(String::new, |summary| format!(": {summary}"));
        format!("{}{}{summary}{rest}", self.after(done), self.new_of(done.saturating_sub(self.before)))
    }

    /// The part of a number that is due to this command, if the run had games before.
    fn new_of(&self, number: u64) -> String {
        if self.before > 0 { format!(" ({number} new)") } else { String::new() }
    }

    /// The participants in the order of the final table.
    pub(super) fn ranked(&self) -> Vec<&Points> {
        let mut rows: Vec<&Points> = self.standing.rows.iter().collect();
        if self.standing.leads == Leads::Standings {
            let by = self.criterion();
            rows.sort_by(|one, other| {
                self.merit(one).order(self.merit(other), by).then_with(|| one.name.cmp(&other.name))
            });
        }
        rows
    }

    fn criterion(&self) -> OrderedBy {
        OrderedBy::of(self.standing.rows.iter().map(|row| self.merit(row)))
    }

    fn merit(&self, row: &Points) -> Merit {
        let elo = self.elos.by_name.get(&row.name).map(|rated| rated.elo);
        Merit { games: row.games, twelfths: (row.points * TWELFTHS as f64).round() as u64, elo }
    }

    /// The first of the table: `greedy leads with 21.0 of 34`. Where the leader is not known, the bots with the best
    /// score: without ratings, after the last game, or if the schedule has its own rules.
    fn leader(&self) -> Option<String> {
        let is_rated = !self.elos.by_name.is_empty() && self.standing.done < self.length.most();
        let is_known = is_rated && self.standing.leads == Leads::Standings;
        let ranked = if is_known { self.ranked() } else { self.standing.rows.iter().collect() };
        let first = *ranked.first().filter(|row| row.games > 0)?;
        let by = if is_known { self.criterion() } else { OrderedBy::Share };
        let is_tied = |row: &Points| self.merit(row).order(self.merit(first), by).is_eq();
        let names: Vec<&str> =
            ranked.iter().take_while(|row| is_tied(row)).map(|row| row.name.as_str()).collect();
        // Bots with more games can have more points.
        let has_most = ranked.iter().all(|row| row.points <= first.points);
        let (leads, has) = if names.len() == 1 { ("leads", "has") } else { ("lead", "have") };
        let does = match (self.standing.leads, has_most) {
            (Leads::Standings, _) if is_known => format!("{leads} with"),
            (Leads::Standings, true) => format!("{has} the most points,"),
            (Leads::Standings, false) => format!("{has} the best score,"),
            // The points don't include byes and tie-breaks.
            (Leads::OwnRules, true) => format!("{has} the most points in games,"),
            (Leads::OwnRules, false) => format!("{has} the best score in games,"),
        };
        Some(format!("{} {does} {:.1} of {}", several(&names), first.points, first.games))
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct LiveStep {
    pub(super) done: u64,
    /// Zero if unknown.
    pub(super) total: u64,
    pub(super) words: String,
}

impl LiveStep {
    /// The fraction of steps that are done, 0 to 1; `None` if the total is unknown.
    pub(super) fn share(&self) -> Option<f64> {
        (self.total > 0).then(|| self.done as f64 / self.total as f64)
    }

    /// The remaining time if the steps continue at the same rate.
    pub(super) fn left(&self, elapsed: Duration) -> Option<Duration> {
        let share = self.share().filter(|share| *share > 0.0 && *share < 1.0)?;
        Duration::try_from_secs_f64(elapsed.as_secs_f64() * (1.0 / share - 1.0)).ok()
    }
}
