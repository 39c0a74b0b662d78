//! The stop rule of a test: its results, examined in the order of the schedule. Pure: no clock, no file, no
//! process.

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

/// So many encounters in a row must have brought nothing new at least before a test is given up.
const PATIENCE: u64 = 20;

/// So many games from one start must have been played at least before they can be told to repeat
/// each other by chance.
const FEW: u32 = 4;

/// The test of the first entrant of a schedule against the second.
///
/// The games of an encounter, in which each has begun once, are looked at
/// together, and encounters in their order in the schedule, whichever ended first:
/// short games end first, and a test that looked at them first would favour
/// whom short games favour. So where the test ends depends on nothing but the
/// results, and a run that was interrupted decides as one that was not. An encounter
/// of which a game has no result for good is left out.
///
/// An encounter both games of which repeat earlier ones move by move tells nothing new and
/// counts nothing: two bots that always play alike would decide the test by playing
/// their two games over and over. One with a new game counts whole: counted by halves the
/// games would not be balanced by who begins. Where as many encounters in a row have
/// repeated earlier ones as have counted (and [a few](PATIENCE) at least), more games are
/// not worth playing: the test is given up undecided.
///
/// Bots that choose by chance repeat games, too, and these do tell: chance decides each anew. Short
/// games come again oftener than long ones, so without them the test would favour whose wins
/// take long. So encounters that repeat earlier ones wait until it is seen
/// that from their start no game is more than half of all, whichever of the two began; then
/// they count, as do all later ones from there. That is said of all games from a
/// start at once, not of some results and not of others.
#[derive(Clone, Debug)]
pub struct StopRule {
    schedule: Schedule,
    sequence: Sequence,
    /// The encounter that is looked at next, from 1.
    next: u64,
    /// The encounters from there on, as far as known.
    waiting: BTreeMap<u64, Encounter>,
    tally: Tally,
    left_out: u64,
    /// Number of encounters that ended behind the last one that was examined.
    further: u64,
    failures: Failures,
    /// The openings of the games, if there are any.
    openings: Option<Drawer>,
    /// Number of times that each game was played in encounters that have been examined.
    played: HashMap<u64, u32, BuildHasherDefault<IdentityHasher>>,
    /// The starts that games have in common, by the place of their opening.
    starts: HashMap<usize, Start>,
    counted: u64,
    repeated: u64,
    /// Number of encounters, the last examined ones, that repeat earlier ones.
    in_a_row: u64,
}

/// The two games of an encounter, by who began: the new bot, its base.
#[derive(Copy, Clone, Debug, Default)]
struct Encounter {
    games: [Option<Seen>; 2],
    /// The place of the opening from which both start.
    start: usize,
}

/// The games from one start.
#[derive(Clone, Debug, Default)]
struct Start {
    /// By who began: how many games there were, and how often the one that came most often.
    games: [(u32, u32); 2],
    /// True if they differ by chance, as far as was seen.
    by_chance: bool,
    /// Encounters that repeat others, and don't count as long as that is not known.
    waiting: Vec<[Seen; 2]>,
}

/// The result of a game.
#[derive(Copy, Clone, Debug)]
struct Seen {
    /// The result, seen by the new bot; none if there is none for good.
    score: Option<Score>,
    /// A digest of what was played, where that is known.
    play: Option<u64>,
    /// The faults of the new bot and its base, as places among the kinds of faults.
    faults: [Option<usize>; 2],
    /// True for the new bot, and for its base, if an overloaded host made it late.
    overload: [bool; 2],
}

/// In how many games that count the bots failed.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Failures {
    /// By kind, in the order of [`FaultKind::OWN`]: the new bot, its base.
    pub by_kind: [[u64; FaultKind::OWN.len()]; 2],
    /// In so many of them both failed.
    pub both: u64,
    /// In so many of them an overloaded host made the new bot late, or its base, and it
    /// counted; that is none of the failures.
    pub overload: [u64; 2],
}

impl Failures {
    fn count(&mut self, Seen { faults, overload, .. }: &Seen) {
        for (own, fault) in self.by_kind.iter_mut().zip(faults) {
            if let Some(kind) = fault {
                own[*kind] += 1;
            }
        }
        for (own, was_late) in self.overload.iter_mut().zip(overload) {
            *own += u64::from(*was_late);
        }
        self.both += u64::from(faults.iter().all(Option::is_some));
    }
}

/// The reason why no more games of a test are needed.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum End {
    /// It is decided.
    Decided,
    /// Its games only repeat earlier ones.
    Repeating,
}

impl StopRule {
    /// The rule before the first game. The schedule must be of two entrants and two sides.
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
            in_a_row: 0,
        }
    }

    /// The rule of a tournament; none if it is no test.
    ///
    /// Where games start from openings, those of an encounter have theirs in common and
    /// count as a pair; games that all begin at the start are counted one by one.
    pub fn of(tournament: &Tournament) -> Option<StopRule> {
        let schedule = Schedule::of(tournament).ok()?;
        let unit = if tournament.openings.is_some() { Observation::Pair } else { Observation::Game };
        let openings = Drawer::of(tournament);
        Some(StopRule { openings, ..StopRule::new(schedule, tournament.test?, unit) })
    }

    /// Takes what came of a game, in any order, with a digest of what was played where that is
    /// known. Games of no pairing of the schedule, repeated records and those of games that are
    /// played again change nothing.
    pub fn enter(&mut self, outcome: &Outcome<'_>, play: Option<u64>) {
        let pairing = self.schedule.index_of(&outcome.id).and_then(|index| self.schedule.pairing(index));
        let Some(pairing) = pairing.filter(|pairing| pairing.encounter >= self.next) else { return };
        let score = match &outcome.result {
            Ended::Places(places) => score_of_new(&pairing, places),
            Ended::Void => None,
            Ended::VoidHost => return,
        };
        let seen = Seen {
            score,
            play,
            faults: faults_of(&pairing, outcome),
            overload: overload_of(&pairing, outcome),
        };
        let is_return = pairing.entrants.get(Seat::FIRST) != Some(&0);
        let start = self.openings.as_ref().map_or(0, |openings| openings.place(&pairing));
        let encounter = self.waiting.entry(pairing.encounter).or_default();
        encounter.start = start;
        encounter.games[usize::from(is_return)].get_or_insert(seen);
        while let Some(Encounter { games: [Some(one), Some(other)], start }) =
            self.waiting.get(&self.next).copied()
        {
            self.waiting.remove(&self.next);
            self.next += 1;
            self.look([one, other], start);
        }
    }

    fn look(&mut self, games: [Seen; 2], start: usize) {
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
        for (game, (all, most)) in games.iter().zip(&mut start.games) {
            let times = game.play.map(|play| {
                let times = self.played.entry(play).or_default();
                *times += 1;
                *times
            });
            is_repeated &= times.is_some_and(|times| times > 1);
            *all += 1;
            *most = times.unwrap_or(1).max(*most);
        }
        let is_by_chance = |(all, most): &(u32, u32)| *all >= FEW && 2 * most <= *all;
        start.by_chance |= start.games.iter().any(is_by_chance);
        if is_repeated && !start.by_chance {
            start.waiting.push(games);
            self.repeated += 1;
            self.in_a_row += 1;
            return;
        }
        let waited = if start.by_chance { std::mem::take(&mut start.waiting) } else { Vec::new() };
        self.repeated -= waited.len() as u64;
        self.in_a_row = 0;
        for games in waited.into_iter().chain([games]) {
            if !self.is_decided() {
                self.count(games);
            }
        }
    }

    fn count(&mut self, games: [Seen; 2]) {
        let [Some(one), Some(other)] = games.map(|game| game.score) else { return };
        self.counted += 1;
        self.sequence.add([one, other]);
        self.tally = [one, other].into_iter().fold(self.tally, with);
        games.iter().for_each(|game| self.failures.count(game));
    }

    /// The reason why no more games are needed, if none are. It stays so.
    pub fn end(&self) -> Option<End> {
        if self.is_decided() {
            return Some(End::Decided);
        }
        (self.in_a_row >= self.counted.max(PATIENCE)).then_some(End::Repeating)
    }

    /// Returns true if the test is decided. It stays so.
    pub fn is_decided(&self) -> bool {
        self.sequence.status() != Status::Undecided
    }

    /// The test.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// The games that count, seen by the new bot.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// In how many of the games that count the bots failed.
    pub fn failures(&self) -> Failures {
        self.failures
    }

    /// Number of encounters that only repeated earlier games and don't count.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Number of encounters, the last examined ones, that only repeated earlier games.
    pub fn repeated_in_a_row(&self) -> u64 {
        self.in_a_row
    }

    /// Number of encounters that were left out because a game of theirs has no result.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Number of games that ended behind those that ended the test, and don't count.
    pub fn further(&self) -> u64 {
        let ended = |encounter: &Encounter| encounter.games.iter().flatten().count() as u64;
        match self.end() {
            Some(_) => 2 * self.further + self.waiting.values().map(ended).sum::<u64>(),
            None => 0,
        }
    }

    /// The new bot's name and that of its base.
    pub fn names(&self) -> [&str; 2] {
        [0, 1].map(|entrant| self.schedule.entrants().get(entrant).map_or("", |own| own.name.as_str()))
    }
}

/// The result seen by the first entrant.
fn score_of_new(pairing: &Pairing, places: &BySeat<Place>) -> Option<Score> {
    let place = |entrant: usize| {
        let seat = pairing.entrants.iter().find(|(_, own)| **own == entrant).map(|(seat, _)| seat)?;
        places.get(seat)
    };
    Some(match place(0)?.cmp(place(1)?) {
        Ordering::Less => Score::Win,
        Ordering::Equal => Score::Draw,
        Ordering::Greater => Score::Loss,
    })
}

/// The faults of the first entrant and of the other; the first fault of each.
fn faults_of(pairing: &Pairing, outcome: &Outcome<'_>) -> [Option<usize>; 2] {
    let mut faults = [None; 2];
    for (seat, kind) in &outcome.faults {
        let kind = kind.own_index();
        let entrant = pairing.entrants.get(*seat);
        if let (Some(kind), Some(own)) = (kind, entrant.and_then(|entrant| faults.get_mut(*entrant))) {
            own.get_or_insert(kind);
        }
    }
    faults
}

/// True for the first entrant, and for the other, if an overloaded host made it late.
fn overload_of(pairing: &Pairing, outcome: &Outcome<'_>) -> [bool; 2] {
    let was_late = |entrant: usize| {
        let own = |seat: &Seat| pairing.entrants.get(*seat) == Some(&entrant);
        outcome.faults.iter().any(|(seat, kind)| own(seat) && *kind == FaultKind::Overload)
    };
    [0, 1].map(was_late)
}

fn with(tally: Tally, score: Score) -> Tally {
    let one = |of: Score| u64::from(score == of);
    tally.plus(Tally { wins: one(Score::Win), draws: one(Score::Draw), losses: one(Score::Loss) })
}
