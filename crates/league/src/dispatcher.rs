//! Chooses the next game among the games of the schedule that have not been played and those that have to be played
//! again. The schedule receives each result and plans the games that follow from it. Pure: uses no clock, file or
//! process.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use crate::fair_play::TRIES_PER_RUN;
use crate::pending_rounds::PendingRounds;
use crate::progress::Progress;
use crate::schedule::{Extended, Length, Pairing, Played, Schedule};
use crate::shard::GameRanges;
use linesman_record::{Ended, LeagueGame, OwnedLine};
use linesman_types::seat::{BySeat, Place};
use linesman_types::verdict::{Verdict, Void};

/// Maximum number of attempts at a game that the host made void.
pub const MAX_TRIES: u32 = 5;

/// Minimum of the lead, if results are used in order: the number of games that may start after the first game without a
/// result.
pub const MIN_LEAD: u64 = 32;

/// The lead as a multiple of the number of games at once, if that is more than [`MIN_LEAD`].
const LEAD_PER_SLOT: u64 = 4;

/// Maximum number of pending games that are examined for each game that becomes known, to see if they can still occur.
const EXAMINED_PER_GAME: u64 = 64;

/// A game to be played now.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Assignment {
    pub pairing: Pairing,
    /// The number of this attempt, from 1, including those of earlier runs.
    pub attempt: u32,
    /// The number of this attempt in this run, from 1.
    pub try_of_run: u32,
}

/// The outcome of an assignment, as the schedule needs it.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub enum AttemptOutcome {
    /// The game has its final record: the places of all seats, or `None` if it has no result and is not played again.
    Played(Option<BySeat<Place>>),
    /// The host made the game void: it has to be played again.
    Void,
    /// An overloaded host spoiled the game: it is played again later.
    Overloaded,
    /// The game was aborted and left no record.
    BrokenOff,
}

impl AttemptOutcome {
    /// Returns the outcome of a game with this verdict.
    pub fn of(verdict: &Verdict) -> AttemptOutcome {
        match verdict {
            Verdict::Void { void: Void::Overload(_), .. } => AttemptOutcome::Overloaded,
            Verdict::Void { void: Void::Host(_), .. } => AttemptOutcome::Void,
            Verdict::Finished { places, .. } => AttemptOutcome::Played(Some(places.clone())),
            Verdict::Void { void: Void::NoBotPlayed | Void::Assisted(_), .. } => AttemptOutcome::Played(None),
        }
    }
}

/// The consequences of a finished game, except for new games to be played.
#[derive(Clone, Debug, Default)]
pub struct Consequences {
    /// Number of games that no longer need to be played.
    pub cancelled: u64,
    /// The records, from earlier runs, of games that have become known. These records count.
    pub taken_up: Vec<OwnedLine>,
    /// The records, from earlier runs, of games that can no longer occur.
    pub drawn_otherwise: Vec<OwnedLine>,
}

impl Assignment {
    /// Returns the next attempt at the same game.
    fn next(&self) -> Assignment {
        Assignment {
            pairing: self.pairing.clone(),
            attempt: self.attempt.saturating_add(1),
            try_of_run: self.try_of_run + 1,
        }
    }
}

/// Hands out games, each once, until all are played or the dispatcher is stopped.
#[derive(Debug)]
pub struct Dispatcher {
    schedule: Schedule,
    /// The number of earlier attempts at each game that is still to be played, by its index.
    earlier_tries: std::collections::HashMap<u64, u32>,
    /// The games that have been played, or are being played.
    taken: Played,
    /// The games that may be handed out; `None` = all.
    only: Option<Arc<GameRanges>>,
    done: u64,
    /// Every game before this index has been handed out at least once.
    cursor: u64,
    retries: VecDeque<Assignment>,
    /// Games that an overloaded host spoiled, to be played again when the host is less busy.
    spoiled: Vec<Assignment>,
    /// The games that were handed out and lack their final record.
    open: BTreeSet<u64>,
    /// Maximum distance in the schedule between the first open game and a game that starts; `None` if unlimited.
    lead: Option<u64>,
    /// Records of games that may occur in future rounds.
    pending: PendingRounds,
    /// Number of games that have become known since the pending records were last examined.
    newly_known: u64,
    /// The bots whose games are no longer handed out.
    withdrawn: Vec<usize>,
    stopped: bool,
}

impl Dispatcher {
    /// Makes a dispatcher of the missing games.
    pub fn new(progress: Progress) -> Dispatcher {
        Dispatcher {
            done: progress.played.count(),
            schedule: progress.schedule,
            earlier_tries: progress.tries,
            taken: progress.played,
            only: None,
            cursor: 0,
            retries: VecDeque::new(),
            spoiled: Vec::new(),
            open: BTreeSet::new(),
            lead: None,
            pending: progress.pending,
            newly_known: 0,
            withdrawn: Vec::new(),
            stopped: false,
        }
    }

    /// Limits the lead over the first open game, for results that are used in the order of the schedule, as in a test:
    /// games after the one that decides the test are wasted. `slots` games are played at once.
    #[must_use]
    pub fn in_order(self, slots: usize) -> Dispatcher {
        let lead = (slots as u64).saturating_mul(LEAD_PER_SLOT).max(MIN_LEAD);
        Dispatcher { lead: Some(lead), ..self }
    }

    /// Restricts the dispatcher to these games of the schedule.
    #[must_use]
    pub fn only(self, games: Arc<GameRanges>) -> Dispatcher {
        let done = games.indices().filter(|index| self.taken.contains(*index)).count() as u64;
        Dispatcher { done, only: Some(games), ..self }
    }

    /// Returns the next game to be played now, if there is one.
    pub fn hand_out(&mut self) -> Option<Assignment> {
        if self.stopped {
            return None;
        }
        while let Some(retry) = self.retries.pop_front() {
            if self.may_be_played(&retry.pairing) {
                return Some(retry);
            }
            self.open.remove(&retry.pairing.index);
        }
        loop {
            let known = self.schedule.known();
            self.taken.grow(known);
            let is_selected = |index: &u64| self.only.as_ref().is_none_or(|only| only.contains(*index));
            let mut missing = (self.cursor..known).filter(|index| !self.taken.contains(*index));
            self.cursor = missing.find(is_selected).unwrap_or(known);
            if self.cursor == known {
                // All games of a shard are known from the start.
                if self.only.is_some() {
                    return None;
                }
                match self.schedule.extend(&self.withdrawn) {
                    Extended::Yes => continue,
                    Extended::No => return None,
                }
            }
            let pairing = self.schedule.pairing(self.cursor)?;
            if !self.may_be_played(&pairing) {
                self.cursor += 1;
                continue;
            }
            if let (Some(lead), Some(first)) = (self.lead, self.open.first())
                && self.cursor - first > lead
            {
                return None;
            }
            self.taken.mark(self.cursor);
            self.open.insert(self.cursor);
            let tried = self.earlier_tries.remove(&self.cursor).unwrap_or(0);
            return Some(Assignment { pairing, attempt: tried + 1, try_of_run: 1 });
        }
    }

    /// True if a game lacks its final record, and has been handed out or may still be handed out.
    pub fn may_come(&self, id: &str) -> bool {
        match self.schedule.index_of(id) {
            Some(index) => !self.taken.contains(index) || self.open.contains(&index),
            None => !self.schedule.is_known_from_the_start(),
        }
    }

    /// Returns the number of games that an overloaded host spoiled and that wait to be played again.
    pub fn spoiled(&self) -> usize {
        self.spoiled.len()
    }

    /// Queues those [spoiled](Self::spoiled) games again for which `is_due` returns true. Its argument is the number of
    /// attempts at the game in this run.
    pub fn retry(&mut self, is_due: impl Fn(u32) -> bool) {
        self.retries.extend(self.spoiled.extract_if(.., |game| is_due(game.try_of_run - 1)));
    }

    fn may_be_played(&self, pairing: &Pairing) -> bool {
        !pairing.bots.values().any(|bot| self.withdrawn.contains(bot))
    }

    /// Stops handing out games of this bot, which remain missing.
    pub fn withdraw(&mut self, bot: usize) {
        self.withdrawn.push(bot);
    }

    pub fn withdrawn(&self) -> &[usize] {
        &self.withdrawn
    }

    /// Processes the outcome of an assignment. Returns its consequences.
    pub fn finished(&mut self, assignment: &Assignment, outcome: &AttemptOutcome) -> Consequences {
        let (games, known) = (self.schedule.games(), self.schedule.known());
        let mut consequences = Consequences::default();
        if matches!(outcome, AttemptOutcome::Played(_) | AttemptOutcome::BrokenOff) {
            self.open.remove(&assignment.pairing.index);
        }
        match outcome {
            AttemptOutcome::Played(places) => {
                self.done += 1;
                self.schedule.enter(assignment.pairing.index, places.as_ref());
                self.take_up(known, &mut consequences);
            }
            AttemptOutcome::Void if assignment.attempt < MAX_TRIES => {
                self.retries.push_back(assignment.next());
            }
            AttemptOutcome::Overloaded if assignment.try_of_run < TRIES_PER_RUN => {
                self.spoiled.push(assignment.next());
            }
            // The game remains open and missing.
            AttemptOutcome::Overloaded => {}
            AttemptOutcome::Void => self.stop(),
            AttemptOutcome::BrokenOff => {}
        }
        consequences.cancelled = games - self.schedule.games();
        consequences
    }

    /// Enters the earlier records of the games from index `known` on, which have become known.
    fn take_up(&mut self, mut known: u64, consequences: &mut Consequences) {
        // The results of these games may determine the next round, so that more games become known.
        while self.pending.games() > 0
            && let Some(pairing) = self.schedule.pairing(known)
        {
            self.newly_known += 1;
            self.taken.grow(self.schedule.known());
            for held in self.pending.take(&pairing.id) {
                // The line was parsed before it was held.
                let Ok(LeagueGame { outcome, .. }) = held.line().league_game() else { continue };
                if outcome.result == Ended::VoidHost {
                    self.earlier_tries.insert(known, outcome.attempt);
                } else if !self.taken.contains(known) {
                    self.taken.mark(known);
                    self.earlier_tries.remove(&known);
                    self.done += 1;
                    self.schedule.enter(known, outcome.places());
                    self.taken.grow(self.schedule.known());
                    consequences.taken_up.push(held.clone());
                }
            }
            known += 1;
        }
        if self.pending.games() > 0
            && self.newly_known.saturating_mul(EXAMINED_PER_GAME) >= self.pending.games()
        {
            self.newly_known = 0;
            consequences.drawn_otherwise = self.pending.take_impossible(&self.schedule);
        }
    }

    /// Stops handing out games.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Returns the number of games of the schedule, or of the shard, that have their final record.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Returns the maximum number of games of the schedule, or of the shard, that lack their final record.
    pub fn left(&self) -> u64 {
        let games = self.only.as_ref().map_or_else(|| self.schedule.games(), |only| only.games());
        games.saturating_sub(self.done)
    }

    /// Returns the number of games of the schedule, or of the shard, including those that have been played.
    pub fn length(&self) -> Length {
        match &self.only {
            Some(only) => Length::Exactly(only.games()),
            None => self.schedule.length(),
        }
    }

    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(bots: &[&str], played: &[u64]) -> Progress {
        let schedule = Schedule::round_robin(bots.iter().copied(), 2, 1, 1).expect("there are bots enough");
        let mut progress = Progress::new(schedule);
        for index in played {
            progress.played.mark(*index);
        }
        progress
    }

    fn dispatcher(played: &[u64]) -> Dispatcher {
        Dispatcher::new(progress(&["a", "b", "c"], played))
    }

    #[test]
    fn only_selected_games_are_handed_out() {
        let mut some = dispatcher(&[1]).only(Arc::new(GameRanges::of([0, 1, 4])));
        assert_eq!(some.left(), 2);
        assert_eq!(handed_out(&mut some), [0, 4]);
    }

    fn handed_out(dispatcher: &mut Dispatcher) -> Vec<u64> {
        std::iter::from_fn(|| dispatcher.hand_out()).map(|game| game.pairing.index).collect()
    }

    #[test]
    fn each_missing_game_is_handed_out_once() {
        assert_eq!(handed_out(&mut dispatcher(&[])), [0, 1, 2, 3, 4, 5]);
        assert_eq!(handed_out(&mut dispatcher(&[0, 3, 5])), [1, 2, 4]);
        assert_eq!(handed_out(&mut dispatcher(&[0, 1, 2, 3, 4, 5])), [] as [u64; 0]);
    }

    #[test]
    fn a_void_game_is_retried_a_limited_number_of_times() {
        let mut dispatcher = dispatcher(&[1, 2, 3, 4, 5]);
        for attempt in 1..=MAX_TRIES {
            let game = dispatcher.hand_out().expect("the game is still missing");
            assert_eq!((game.pairing.index, game.attempt), (0, attempt));
            dispatcher.finished(&game, &AttemptOutcome::Void);
        }
        assert_eq!(dispatcher.hand_out(), None);
        assert_eq!(dispatcher.left(), 1);
    }

    #[test]
    fn a_spoiled_game_waits_for_the_others_and_remains_open_after_its_last_attempt() {
        let mut dispatcher = dispatcher(&[2, 3, 4, 5]);
        let first = dispatcher.hand_out().expect("two games are missing");
        dispatcher.finished(&first, &AttemptOutcome::Overloaded);
        let second = dispatcher.hand_out().expect("the other game comes first");
        assert_eq!(second.pairing.index, 1);
        dispatcher.finished(&second, &AttemptOutcome::Played(None));
        for try_of_run in 2..=TRIES_PER_RUN {
            assert_eq!((dispatcher.hand_out(), dispatcher.spoiled()), (None, 1));
            dispatcher.retry(|tries| tries + 1 != try_of_run);
            assert_eq!(dispatcher.hand_out(), None, "it has been tried {} times", try_of_run - 1);
            dispatcher.retry(|_| true);
            let again = dispatcher.hand_out().expect("it is played again");
            assert_eq!((again.pairing.index, again.attempt, again.try_of_run), (0, try_of_run, try_of_run));
            dispatcher.finished(&again, &AttemptOutcome::Overloaded);
        }
        assert_eq!((dispatcher.hand_out(), dispatcher.spoiled(), dispatcher.left()), (None, 0, 1));
    }

    #[test]
    fn a_game_with_its_final_record_is_not_handed_out_again() {
        let mut dispatcher = dispatcher(&[0]);
        let id = |index: u64| dispatcher.schedule().pairing(index).expect("it is known").id;
        let (played, next, later) = (id(0), id(1), id(2));
        assert!(!dispatcher.may_come(&played) && !dispatcher.may_come("x~y~1"));
        let game = dispatcher.hand_out().expect("it is missing");
        assert_eq!(game.pairing.id, next);
        assert!(dispatcher.may_come(&next) && dispatcher.may_come(&later));
        dispatcher.finished(&game, &AttemptOutcome::Void);
        assert!(dispatcher.may_come(&next));
        let again = dispatcher.hand_out().expect("it is played again");
        dispatcher.finished(&again, &AttemptOutcome::Played(None));
        assert!(!dispatcher.may_come(&next) && dispatcher.may_come(&later));
    }

    #[test]
    fn attempts_of_earlier_runs_count() {
        let mut dispatcher =
            Dispatcher::new(Progress { tries: [(1, 2)].into(), ..progress(&["a", "b"], &[]) });
        let attempts: Vec<u32> =
            std::iter::from_fn(|| dispatcher.hand_out()).map(|game| game.attempt).collect();
        assert_eq!(attempts, [1, 3]);
    }

    #[test]
    fn games_of_a_withdrawn_bot_are_not_handed_out_and_remain_missing() {
        let mut dispatcher = dispatcher(&[]);
        let game = dispatcher.hand_out().expect("nothing is played");
        let bot = *game.pairing.bots.values().next().expect("somebody plays");
        dispatcher.withdraw(bot);
        dispatcher.finished(&game, &AttemptOutcome::Void);
        let others: Vec<Assignment> = std::iter::from_fn(|| dispatcher.hand_out()).collect();
        // Two of the six games of three bots are between the other two bots.
        assert_eq!(others.len(), 2);
        assert!(others.iter().all(|game| game.pairing.bots.values().all(|other| *other != bot)));
        for game in &others {
            assert_eq!(dispatcher.finished(game, &AttemptOutcome::Played(None)).cancelled, 0);
        }
        assert_eq!((dispatcher.done(), dispatcher.left()), (2, 4));
    }

    #[test]
    fn nothing_is_handed_out_after_a_stop() {
        let mut dispatcher = dispatcher(&[]);
        let game = dispatcher.hand_out().expect("nothing is played");
        dispatcher.stop();
        assert_eq!(dispatcher.hand_out(), None);
        dispatcher.finished(&game, &AttemptOutcome::Played(None));
        assert_eq!((dispatcher.done(), dispatcher.left()), (1, 5));
    }

    #[test]
    fn in_order_the_lead_over_the_first_open_game_is_limited() {
        let schedule = Schedule::round_robin(["new", "base"], 2, 500, 1).expect("two are enough");
        let mut dispatcher = Dispatcher::new(Progress::new(schedule)).in_order(2);
        let slow = dispatcher.hand_out().expect("nothing is played");
        let mut ahead = 0;
        while let Some(game) = dispatcher.hand_out() {
            dispatcher.finished(&game, &AttemptOutcome::Played(None));
            ahead += 1;
        }
        assert_eq!(ahead, MIN_LEAD);
        // A game that is played again is still open.
        dispatcher.finished(&slow, &AttemptOutcome::Void);
        let again = dispatcher.hand_out().expect("it is played again");
        assert_eq!((again.pairing.index, again.attempt, dispatcher.hand_out()), (0, 2, None));
        dispatcher.finished(&again, &AttemptOutcome::Played(None));
        assert_eq!(handed_out(&mut dispatcher).len() as u64, 1 + MIN_LEAD);
    }
}
