//! Which game is played next: the schedule, less what has been played, and
//! what has to be played again. The schedule is told each result, and plans
//! more where more follows. Pure: no clock, no file, no process.

use std::collections::VecDeque;

use crate::league::account::Account;
use crate::league::schedule::{Extended, Pairing, Played, Schedule};
use crate::seat::{BySeat, Place};

/// How often a game that the host made void is tried before the run gives up.
pub const MOST_TRIES: u32 = 5;

/// A game to be played now.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Assignment {
    /// Which game.
    pub pairing: Pairing,
    /// The how-manieth try at it, from 1.
    pub attempt: u32,
}

/// What came of an assignment, as far as the schedule is concerned.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub enum Came {
    /// The game has its final record: the places of all, or none if it has no
    /// result for good.
    Played(Option<BySeat<Place>>),
    /// The host made it void: it has to be played again.
    Void,
    /// The host was overloaded: it has to be played again, as often as it takes.
    Overloaded,
    /// It was broken off and left no record.
    BrokenOff,
}

/// Hands out games, each once, until all are played or it is told to stop.
#[derive(Debug)]
pub struct Dispatcher {
    schedule: Schedule,
    /// The games before this one that are still to be played: tries so far.
    earlier_tries: std::collections::HashMap<u64, u32>,
    /// Played, or being played.
    taken: Played,
    done: u64,
    /// No game before this index is left to be handed out for the first time.
    cursor: u64,
    again: VecDeque<(u64, u32)>,
    /// The bots whose games are not handed out any more.
    withdrawn: Vec<usize>,
    stopped: bool,
}

impl Dispatcher {
    /// A dispatcher of what an account lacks.
    pub fn new(account: Account) -> Dispatcher {
        Dispatcher {
            done: account.played.count(),
            schedule: account.schedule,
            earlier_tries: account.tries,
            taken: account.played,
            cursor: 0,
            again: VecDeque::new(),
            withdrawn: Vec::new(),
            stopped: false,
        }
    }

    /// The next game to be played now, if there is any.
    pub fn hand_out(&mut self) -> Option<Assignment> {
        if self.stopped {
            return None;
        }
        while let Some((index, attempt)) = self.again.pop_front() {
            let pairing = self.schedule.pairing(index)?;
            if self.may_be_played(&pairing) {
                return Some(Assignment { pairing, attempt });
            }
        }
        loop {
            let known = self.schedule.known();
            self.taken.grow(known);
            self.cursor = (self.cursor..known).find(|index| !self.taken.contains(*index)).unwrap_or(known);
            if self.cursor == known {
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
            self.taken.mark(self.cursor);
            let tried = self.earlier_tries.remove(&self.cursor).unwrap_or(0);
            return Some(Assignment { pairing, attempt: tried + 1 });
        }
    }

    fn may_be_played(&self, pairing: &Pairing) -> bool {
        !pairing.bots.values().any(|bot| self.withdrawn.contains(bot))
    }

    /// Hands out no more games of this bot. They stay missing.
    pub fn withdraw(&mut self, bot: usize) {
        self.withdrawn.push(bot);
    }

    /// Takes note of what came of an assignment. Says how many games need not
    /// be played any more because of it.
    pub fn finished(&mut self, assignment: &Assignment, came: &Came) -> u64 {
        let games = self.schedule.games();
        match came {
            Came::Played(places) => {
                self.done += 1;
                self.schedule.enter(assignment.pairing.index, places.as_ref());
            }
            Came::Void if assignment.attempt < MOST_TRIES => {
                self.again.push_back((assignment.pairing.index, assignment.attempt + 1));
            }
            Came::Overloaded => {
                self.again.push_back((assignment.pairing.index, assignment.attempt.saturating_add(1)));
            }
            Came::Void => self.stop(),
            Came::BrokenOff => {}
        }
        games - self.schedule.games()
    }

    /// Hands out nothing more.
    pub fn stop(&mut self) {
        self.stopped = true;
    }

    /// How many games of the schedule have their final record.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// How many games of the schedule lack their final record, at most.
    pub fn left(&self) -> u64 {
        self.schedule.games().saturating_sub(self.done)
    }

    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(bots: &[&str], played: &[u64]) -> Account {
        let schedule = Schedule::round_robin(bots.iter().copied(), 2, 1, 1).expect("there are bots enough");
        let mut account = Account::new(schedule);
        for index in played {
            account.played.mark(*index);
        }
        account
    }

    fn dispatcher(played: &[u64]) -> Dispatcher {
        Dispatcher::new(account(&["a", "b", "c"], played))
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
            dispatcher.finished(&game, &Came::Void);
        }
        assert_eq!(dispatcher.hand_out(), None);
        assert_eq!(dispatcher.left(), 1);
    }

    #[test]
    fn tries_of_an_earlier_run_count() {
        let mut dispatcher = Dispatcher::new(Account { tries: [(1, 2)].into(), ..account(&["a", "b"], &[]) });
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
        dispatcher.finished(&game, &Came::Void);
        let others: Vec<Assignment> = std::iter::from_fn(|| dispatcher.hand_out()).collect();
        // Of six games of three bots, two are between the other two.
        assert_eq!(others.len(), 2);
        assert!(others.iter().all(|game| game.pairing.bots.values().all(|other| *other != bot)));
        for game in &others {
            assert_eq!(dispatcher.finished(game, &Came::Played(None)), 0);
        }
        assert_eq!((dispatcher.done(), dispatcher.left()), (2, 4));
    }

    #[test]
    fn nothing_is_handed_out_after_a_stop() {
        let mut dispatcher = dispatcher(&[]);
        let game = dispatcher.hand_out().expect("nothing is played");
        dispatcher.stop();
        assert_eq!(dispatcher.hand_out(), None);
        dispatcher.finished(&game, &Came::Played(None));
        assert_eq!((dispatcher.done(), dispatcher.left()), (1, 5));
    }
}
