//! The choice of the next game: the games of the schedule that have not been played, and those that have to
//! be played again. The schedule receives each result, and plans the games that follow from it. Pure: no
//! clock, no file, no process.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use crate::fair_play::TRIES_A_RUN;
use crate::pending_rounds::PendingRounds;
use crate::progress::Progress;
use crate::schedule::{Extended, Length, Pairing, Played, Schedule};
use crate::shard::GameRanges;
use linesman_record::{Ended, HeldLine, LeagueGame};
use linesman_types::seat::{BySeat, Place};
use linesman_types::verdict::{Verdict, Void};

/// Maximum number of attempts at a game that the host made void.
pub const MOST_TRIES: u32 = 5;

/// Number of games that may be out behind the first one without a result, if results are used in order and few games
/// are played at once.
pub const LEAST_LEAD: u64 = 32;

/// The same number as a multiple of the number of games at once, if that is more.
const LEAD: u64 = 4;

/// Maximum number of records of future rounds that are examined for each game that becomes known, to see if
/// their games can still come.
const LOOKS: u64 = 64;

/// A game to be played now.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Assignment {
    /// The game.
    pub pairing: Pairing,
    /// The number of this attempt, from 1, including those of earlier runs.
    pub attempt: u32,
    /// The number of this attempt in this run, from 1.
    pub try_of_run: u32,
}

/// The outcome of an assignment, as far as the schedule is concerned.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub enum AttemptOutcome {
    /// The game has its final record: the places of all, or `None` if it has no result and is not played
    /// again.
    Played(Option<BySeat<Place>>),
    /// The host made it void: it has to be played again.
    Void,
    /// An overloaded host spoiled it: it is played again later.
    Overloaded,
    /// It was aborted and left no record.
    BrokenOff,
}

impl AttemptOutcome {
    /// The outcome of a game with this verdict.
    pub fn of(verdict: &Verdict) -> AttemptOutcome {
        match verdict {
            Verdict::Void { void: Void::Overload(_), .. } => AttemptOutcome::Overloaded,
            Verdict::Void { void: Void::Host(_), .. } => AttemptOutcome::Void,
            Verdict::Finished { places, .. } => AttemptOutcome::Played(Some(places.clone())),
            Verdict::Void { void: Void::NoBotPlayed | Void::Assisted(_), .. } => AttemptOutcome::Played(None),
        }
    }
}

/// The consequences of a finished game, apart from games to be played.
#[derive(Clone, Debug, Default)]
pub struct Consequences {
    /// Number of games that no longer need to be played.
    pub cancelled: u64,
    /// The records, from earlier runs, of games that have become known now. They count.
    pub taken_up: Vec<HeldLine>,
    /// The records, from earlier runs, of games that can no longer come.
    pub drawn_otherwise: Vec<HeldLine>,
}

impl Assignment {
    /// The next attempt at the same game.
    fn next(&self) -> Assignment {
        Assignment {
            pairing: self.pairing.clone(),
            attempt: self.attempt.saturating_add(1),
            try_of_run: self.try_of_run + 1,
        }
    }
}

/// Hands out games, each once, until all are played or it is told to stop.
#[derive(Debug)]
pub struct Dispatcher {
    schedule: Schedule,
    /// The earlier attempts at games that are still to be played.
    earlier_tries: std::collections::HashMap<u64, u32>,
    /// The games that have been played, or are being played.
    taken: Played,
    /// The games that may be handed out; `None` = all.
    only: Option<Arc<GameRanges>>,
    done: u64,
    /// Every game before this index has been handed out at least once.
    cursor: u64,
    again: VecDeque<Assignment>,
    /// Games that an overloaded host spoiled, to be played again when it is less busy.
    spoiled: Vec<Assignment>,
    /// The games that were handed out and lack their final record.
    open: BTreeSet<u64>,
    /// Maximum distance in the schedule between the first open game and one that begins; `None` if unlimited.
    lead: Option<u64>,
    /// Records of games that future rounds may bring.
    pending: PendingRounds,
    /// Number of games taken up since the pending records were last examined.
    news: u64,
    /// The bots whose games are no longer handed out.
    withdrawn: Vec<usize>,
    stopped: bool,
}

impl Dispatcher {
    /// A dispatcher of the games that are missing.
    pub fn new(progress: Progress) -> Dispatcher {
        Dispatcher {
            done: progress.played.count(),
            schedule: progress.schedule,
            earlier_tries: progress.tries,
            taken: progress.played,
            only: None,
            cursor: 0,
            again: VecDeque::new(),
            spoiled: Vec::new(),
            open: BTreeSet::new(),
            lead: None,
            pending: progress.pending,
            news: 0,
            withdrawn: Vec::new(),
            stopped: false,
        }
    }

    /// The same dispatcher for games whose results are used in the order of the schedule, as in a test; `slots` of them
    /// are played at once. While a game is open, only a few behind it begin: more would be wasted if it decides the
    /// test.
    #[must_use]
    pub fn in_order(self, slots: usize) -> Dispatcher {
        let lead = (slots as u64).saturating_mul(LEAD).max(LEAST_LEAD);
        Dispatcher { lead: Some(lead), ..self }
    }

    /// The same dispatcher for only these games of the schedule.
    #[must_use]
    pub fn only(self, games: Arc<GameRanges>) -> Dispatcher {
        let done = games.indices().filter(|index| self.taken.contains(*index)).count() as u64;
        Dispatcher { done, only: Some(games), ..self }
    }

    /// The next game to be played now, if there is any.
    pub fn hand_out(&mut self) -> Option<Assignment> {
        if self.stopped {
            return None;
        }
        while let Some(again) = self.again.pop_front() {
            if self.may_be_played(&again.pairing) {
                return Some(again);
            }
            self.open.remove(&again.pairing.index);
        }
        loop {
            let known = self.schedule.known();
            self.taken.grow(known);
            let is_meant = |index: &u64| self.only.as_ref().is_none_or(|only| only.contains(*index));
            let mut missing = (self.cursor..known).filter(|index| !self.taken.contains(*index));
            self.cursor = missing.find(is_meant).unwrap_or(known);
            if self.cursor == known {
                // The games of a shard are known from the beginning.
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

    /// True if a game lacks its final record and has been or may still be handed out.
    pub fn may_come(&self, id: &str) -> bool {
        match self.schedule.index_of(id) {
            Some(index) => !self.taken.contains(index) || self.open.contains(&index),
            None => !self.schedule.is_known_from_the_start(),
        }
    }

    /// Number of games that an overloaded host spoiled and that wait to be played again.
    pub fn spoiled(&self) -> usize {
        self.spoiled.len()
    }

    /// Makes those [spoiled](Self::spoiled) games available again for which `is_meant` is true. Its argument is the
    /// number of attempts in this run.
    pub fn retry(&mut self, is_meant: impl Fn(u32) -> bool) {
        self.again.extend(self.spoiled.extract_if(.., |game| is_meant(game.try_of_run - 1)));
    }

    fn may_be_played(&self, pairing: &Pairing) -> bool {
        !pairing.bots.values().any(|bot| self.withdrawn.contains(bot))
    }

    /// Hands out no more games of this bot. They stay missing.
    pub fn withdraw(&mut self, bot: usize) {
        self.withdrawn.push(bot);
    }

    /// The bots that are withdrawn.
    pub fn withdrawn(&self) -> &[usize] {
        &self.withdrawn
    }

    /// Processes the outcome of an assignment, and returns its consequences.
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
            AttemptOutcome::Void if assignment.attempt < MOST_TRIES => {
                self.again.push_back(assignment.next());
            }
            AttemptOutcome::Overloaded if assignment.try_of_run < TRIES_A_RUN => {
                self.spoiled.push(assignment.next());
            }
            // The game stays open, and missing.
            AttemptOutcome::Overloaded => {}
            AttemptOutcome::Void => self.stop(),
            AttemptOutcome::BrokenOff => {}
        }
        consequences.cancelled = games - self.schedule.games();
        consequences
    }

    /// Takes up the earlier records of the games from index `known` on, which have become known.
    fn take_up(&mut self, mut known: u64, consequences: &mut Consequences) {
        // Their results may determine the next round.
        while self.pending.games() > 0
            && let Some(pairing) = self.schedule.pairing(known)
        {
            self.news += 1;
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
        if self.pending.games() > 0 && self.news.saturating_mul(LOOKS) >= self.pending.games() {
            self.news = 0;
            consequences.drawn_otherwise = self.pending.take_impossible(&self.schedule);
        }
    }

    /// Hands out no more games.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// Number of games of the schedule, or of the shard, that have their final record.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Maximum number of games of the schedule, or of the shard, that lack their final record.
    pub fn left(&self) -> u64 {
        let games = self.only.as_ref().map_or_else(|| self.schedule.games(), |only| only.games());
        games.saturating_sub(self.done)
    }

    /// Maximum number of games, including those that have been played.
    pub fn length(&self) -> Length {
        match &self.only {
            Some(only) => Length::Exactly(only.games()),
            None => self.schedule.length(),
        }
    }

    /// The schedule.
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
    fn some_games_alone_are_handed_out() {
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
    fn a_void_game_comes_again_as_the_next_try_and_not_for_ever() {
        let mut dispatcher = dispatcher(&[1, 2, 3, 4, 5]);
        for attempt in 1..=MOST_TRIES {
            let game = dispatcher.hand_out().expect("the game is still missing");
            assert_eq!((game.pairing.index, game.attempt), (0, attempt));
            dispatcher.finished(&game, &AttemptOutcome::Void);
        }
        assert_eq!(dispatcher.hand_out(), None);
        assert_eq!(dispatcher.left(), 1);
    }

    #[test]
    fn a_spoiled_game_waits_for_the_others_and_stays_open_in_the_end() {
        let mut dispatcher = dispatcher(&[2, 3, 4, 5]);
        let first = dispatcher.hand_out().expect("two games are missing");
        dispatcher.finished(&first, &AttemptOutcome::Overloaded);
        let second = dispatcher.hand_out().expect("the other game comes first");
        assert_eq!(second.pairing.index, 1);
        dispatcher.finished(&second, &AttemptOutcome::Played(None));
        for try_of_run in 2..=TRIES_A_RUN {
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
    fn a_game_comes_no_more_when_it_has_its_final_record() {
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
    fn tries_of_an_earlier_run_count() {
        let mut dispatcher =
            Dispatcher::new(Progress { tries: [(1, 2)].into(), ..progress(&["a", "b"], &[]) });
        let attempts: Vec<u32> =
            std::iter::from_fn(|| dispatcher.hand_out()).map(|game| game.attempt).collect();
        assert_eq!(attempts, [1, 3]);
    }

    #[test]
    fn games_of_a_withdrawn_bot_are_left_out_and_stay_missing() {
        let mut dispatcher = dispatcher(&[]);
        let game = dispatcher.hand_out().expect("nothing is played");
        let bot = *game.pairing.bots.values().next().expect("somebody plays");
        dispatcher.withdraw(bot);
        dispatcher.finished(&game, &AttemptOutcome::Void);
        let others: Vec<Assignment> = std::iter::from_fn(|| dispatcher.hand_out()).collect();
        // Of six games of three bots, two are between the other two.
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
    fn games_looked_at_in_order_do_not_run_far_ahead_of_the_first_that_is_open() {
        let schedule = Schedule::round_robin(["new", "base"], 2, 500, 1).expect("two are enough");
        let mut dispatcher = Dispatcher::new(Progress::new(schedule)).in_order(2);
        let slow = dispatcher.hand_out().expect("nothing is played");
        let mut ahead = 0;
        while let Some(game) = dispatcher.hand_out() {
            dispatcher.finished(&game, &AttemptOutcome::Played(None));
            ahead += 1;
        }
        assert_eq!(ahead, LEAST_LEAD);
        // A game that is played again is still open.
        dispatcher.finished(&slow, &AttemptOutcome::Void);
        let again = dispatcher.hand_out().expect("it is played again");
        assert_eq!((again.pairing.index, again.attempt, dispatcher.hand_out()), (0, 2, None));
        dispatcher.finished(&again, &AttemptOutcome::Played(None));
        assert_eq!(handed_out(&mut dispatcher).len() as u64, 1 + LEAST_LEAD);
    }
}
