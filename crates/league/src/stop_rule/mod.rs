//! The stop rule of a test: examines results in the order of the schedule. It uses no clock, file or process.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;

use crate::file::Tournament;
use crate::openings::Drawer;
use crate::schedule::{Pairing, Schedule};
use linesman_rating::sprt::{Design, Observation, Sequence, Status};
use linesman_rating::{Score, Tally};
use linesman_record::identity_hasher::IdentityHasher;
use linesman_record::{Ended, Outcome};
use linesman_types::seat::{BySeat, Place, Seat};
use linesman_types::verdict::FaultKind;

/// Minimum number of repeated encounters in a row before a test is abandoned.
const MIN_REPEATED_IN_A_ROW: u64 = 20;

/// Minimum number of games from a start before repetitions can be attributed to chance.
const MIN_GAMES_FROM_START: u32 = 4;

/// The test of the first entrant of a schedule against the second.
///
/// The two games of an encounter, in which each bot begins once, are examined together. Encounters are examined in the
/// order of the schedule, not in the order in which they ended: short games end first, and a test that examined them
/// first would favour the bot that wins short games. So the end of the test depends only on the results, and an
/// interrupted run has the same result as an uninterrupted one. An encounter with a game that will never have a result
/// is left out.
///
/// An encounter whose games both repeat earlier ones move by move gives no new information and does not count:
/// otherwise two deterministic bots would decide the test by repeating their two games. An encounter with one new game
/// counts as a whole: if only half of it counted, the bots would not begin equally many games. If the number of
/// repeated encounters in a row reaches both the number of encounters that count and [`MIN_REPEATED_IN_A_ROW`], more
/// games are not worth playing: the test is abandoned undecided.
///
/// Bots with random choices repeat games too, and these repetitions do give information: each is an independent random
/// result. Short games are repeated more often than long ones, so without repetitions the test would favour the bot
/// whose wins take long. So repeated encounters wait until, among at least [`MIN_GAMES_FROM_START`] games from their
/// start in which the same bot begins, no game makes up more than half. Then they count, and so do all later ones from
/// that start. This decision applies to all games from a start, whatever their results.
#[derive(Clone, Debug)]
pub struct StopRule {
    schedule: Schedule,
    sequence: Sequence,
    /// The number of the encounter to examine next, from 1.
    next: u64,
    /// The encounters from `next` on that have results.
    waiting: BTreeMap<u64, Encounter>,
    tally: Tally,
    left_out: u64,
    /// Number of complete encounters after the end of the test.
    further: u64,
    failures: Failures,
    /// The openings of the games; `None` if all start from the usual position.
    openings: Option<Drawer>,
    /// The number of times that each game was played in the examined encounters, by the digest of its moves.
    played: HashMap<u64, u32, BuildHasherDefault<IdentityHasher>>,
    /// The games from each start, by the index of its opening.
    starts: HashMap<usize, Start>,
    counted: u64,
    repeated: u64,
    /// Number of repeated encounters in a row at the end of the examined ones.
    repeated_in_a_row: u64,
}

/// An encounter: the game that the new bot begins, and the game that its base begins.
#[derive(Copy, Clone, Debug, Default)]
struct Encounter {
    games: [Option<TestGame>; 2],
    /// The index of the opening from which both games start.
    start: usize,
}

/// The games from one start.
#[derive(Clone, Debug, Default)]
struct Start {
    /// For the games that the new bot begins, and for those that its base begins: the number of games, and the number
    /// of times that the most frequent game was played.
    games: [(u32, u32); 2],
    /// True once the games are known to vary by chance.
    vary_by_chance: bool,
    /// Repeated encounters, which don't count until `vary_by_chance` is true.
    waiting: Vec<[TestGame; 2]>,
}

/// A game of the test that has ended.
#[derive(Copy, Clone, Debug)]
struct TestGame {
    /// The result from the new bot's point of view; `None` if the game will never have one.
    score: Option<Score>,
    /// A digest of the moves, if it is known.
    moves: Option<u64>,
    /// The first fault of the new bot and that of its base, as indices into [`FaultKind::OWN`].
    faults: [Option<usize>; 2],
    /// True for the new bot, and for its base, if an overloaded host made it late.
    overload: [bool; 2],
}

/// Numbers of counted games in which the bots failed.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Failures {
    /// The failures of the new bot, and those of its base, by kind in the order of [`FaultKind::OWN`].
    pub by_kind: [[u64; FaultKind::OWN.len()]; 2],
    /// Number of games in which both failed.
    pub both: u64,
    /// Number of counted games in which an overloaded host made the new bot late, and number of those in which it made
    /// the base late. These are not among the failures.
    pub overload: [u64; 2],
}

impl Failures {
    fn count(&mut self, TestGame { faults, overload, .. }: &TestGame) {
        for (by_kind, fault) in self.by_kind.iter_mut().zip(faults) {
            if let Some(kind) = fault {
                by_kind[*kind] += 1;
            }
        }
        for (overloads, was_late) in self.overload.iter_mut().zip(overload) {
            *overloads += u64::from(*was_late);
        }
        self.both += u64::from(faults.iter().all(Option::is_some));
    }
}

/// The reason why no more games of a test are needed.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum End {
    Decided,
    /// Its games only repeat earlier games.
    Repeating,
}

impl StopRule {
    /// Creates the rule before the first game. The schedule must have two entrants and two sides.
    pub fn new(schedule: Schedule, design: Design, unit: Observation) -> StopRule {
        StopRule {
            schedule,
            sequence: Sequence::new(design, unit),
            next: 1,
            waiting: BTreeMap::new(),
            tally: Tally::default(),
            left_out: 0,
            further: 0,
            failures: Failures::default(),
            openings: None,
            played: HashMap::default(),
            starts: HashMap::new(),
            counted: 0,
            repeated: 0,
            repeated_in_a_row: 0,
        }
    }

    /// Creates the rule of a tournament; `None` if it is not a test.
    ///
    /// If games start from openings, the games of an encounter share one and count as a pair. Games that all
    /// start from the usual position are counted one by one.
    pub fn of(tournament: &Tournament) -> Option<StopRule> {
        let schedule = Schedule::of(tournament).ok()?;
        let unit = if tournament.openings.is_some() { Observation::Pair } else { Observation::Game };
        let openings = Drawer::of(tournament);
        Some(StopRule { openings, ..StopRule::new(schedule, tournament.test?, unit) })
    }

    /// Enters the outcome of a game, in any order, with a digest of its moves if that is known. Games that the
    /// schedule does not have, duplicate records, and records of games to be replayed change nothing.
    pub fn enter(&mut self, outcome: &Outcome<'_>, moves: Option<u64>) {
        let pairing = self.schedule.index_of(&outcome.id).and_then(|index| self.schedule.pairing(index));
        let Some(pairing) = pairing.filter(|pairing| pairing.encounter >= self.next) else { return };
        let score = match &outcome.result {
            Ended::Places(places) => score_of_new(&pairing, places),
            Ended::Void => None,
            Ended::VoidHost => return,
        };
        let result = TestGame {
            score,
            moves,
            faults: faults_of(&pairing, outcome),
            overload: overload_of(&pairing, outcome),
        };
        let is_return = pairing.entrants.get(Seat::FIRST) != Some(&0);
        let start = self.openings.as_ref().map_or(0, |openings| openings.place(&pairing));
        let encounter = self.waiting.entry(pairing.encounter).or_default();
        encounter.start = start;
        encounter.games[usize::from(is_return)].get_or_insert(result);
        while let Some(Encounter { games: [Some(one), Some(other)], start }) =
            self.waiting.get(&self.next).copied()
        {
            self.waiting.remove(&self.next);
            self.next += 1;
            self.examine([one, other], start);
        }
    }

    fn examine(&mut self, games: [TestGame; 2], start: usize) {
        if self.end().is_some() {
            self.further += 1;
            return;
        }
        if games.iter().any(|game| game.score.is_none()) {
            self.left_out += 1;
            return;
        }
        let start = self.starts.entry(start).or_default();
        let mut is_repeated = true;
        for (game, (total, max_count)) in games.iter().zip(&mut start.games) {
            let count = game.moves.map(|moves| {
                let count = self.played.entry(moves).or_default();
                *count += 1;
                *count
            });
            is_repeated &= count.is_some_and(|count| count > 1);
            *total += 1;
            *max_count = count.unwrap_or(1).max(*max_count);
        }
        let varies =
            |(total, max_count): &(u32, u32)| *total >= MIN_GAMES_FROM_START && 2 * max_count <= *total;
        start.vary_by_chance |= start.games.iter().any(varies);
        if is_repeated && !start.vary_by_chance {
            start.waiting.push(games);
            self.repeated += 1;
            self.repeated_in_a_row += 1;
            return;
        }
        let waited = if start.vary_by_chance { std::mem::take(&mut start.waiting) } else { Vec::new() };
        self.repeated -= waited.len() as u64;
        self.repeated_in_a_row = 0;
        for games in waited.into_iter().chain([games]) {
            if !self.is_decided() {
                self.count(games);
            }
        }
    }

    fn count(&mut self, games: [TestGame; 2]) {
        let [Some(one), Some(other)] = games.map(|game| game.score) else { return };
        self.counted += 1;
        self.sequence.add([one, other]);
        for score in [one, other] {
            let count = |kind: Score| u64::from(score == kind);
            let game =
                Tally { wins: count(Score::Win), draws: count(Score::Draw), losses: count(Score::Loss) };
            self.tally = self.tally.plus(game);
        }
        games.iter().for_each(|game| self.failures.count(game));
    }

    /// Returns the reason why no more games are needed; `None` if more are. The reason never changes.
    pub fn end(&self) -> Option<End> {
        if self.is_decided() {
            return Some(End::Decided);
        }
        (self.repeated_in_a_row >= self.counted.max(MIN_REPEATED_IN_A_ROW)).then_some(End::Repeating)
    }

    /// True if the test is decided, which is final.
    pub fn is_decided(&self) -> bool {
        self.sequence.status != Status::Undecided
    }

    /// The test.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// The counted games, from the new bot's point of view.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Numbers of counted games in which the bots failed.
    pub fn failures(&self) -> Failures {
        self.failures
    }

    /// Number of repeated encounters, which don't count.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Number of repeated encounters in a row at the end of the examined ones.
    pub fn repeated_in_a_row(&self) -> u64 {
        self.repeated_in_a_row
    }

    /// Number of encounters that were left out because one of their games has no result.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Number of games that don't count because the test had ended before them.
    pub fn further(&self) -> u64 {
        let ended = |encounter: &Encounter| encounter.games.iter().flatten().count() as u64;
        match self.end() {
            Some(_) => 2 * self.further + self.waiting.values().map(ended).sum::<u64>(),
            None => 0,
        }
    }

    /// The names of the new bot and its base.
    pub fn names(&self) -> [&str; 2] {
        let entrants = self.schedule.entrants();
        [0, 1].map(|index| entrants.get(index).map_or("", |entrant| entrant.name.as_str()))
    }
}

/// Returns the result from the new bot's point of view.
fn score_of_new(pairing: &Pairing, places: &BySeat<Place>) -> Option<Score> {
    let place = |entrant: usize| {
        let (seat, _) = pairing.entrants.iter().find(|(_, seated)| **seated == entrant)?;
        places.get(seat)
    };
    Some(match place(0)?.cmp(place(1)?) {
        Ordering::Less => Score::Win,
        Ordering::Equal => Score::Draw,
        Ordering::Greater => Score::Loss,
    })
}

/// Returns the first fault of the new bot and that of its base.
fn faults_of(pairing: &Pairing, outcome: &Outcome<'_>) -> [Option<usize>; 2] {
    let mut faults = [None; 2];
    for (seat, kind) in &outcome.faults {
        let kind = kind.own_index();
        let entrant = pairing.entrants.get(*seat);
        if let (Some(kind), Some(first)) = (kind, entrant.and_then(|entrant| faults.get_mut(*entrant))) {
            first.get_or_insert(kind);
        }
    }
    faults
}

/// Returns true for the new bot, and for its base, if an overloaded host made it late.
fn overload_of(pairing: &Pairing, outcome: &Outcome<'_>) -> [bool; 2] {
    let was_late = |entrant: usize| {
        let has_seat = |seat: &Seat| pairing.entrants.get(*seat) == Some(&entrant);
        outcome.faults.iter().any(|(seat, kind)| has_seat(seat) && *kind == FaultKind::Overload)
    };
    [0, 1].map(was_late)
}
