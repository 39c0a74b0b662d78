//! The stop rule of a test: examines results in the order of the schedule. Pure: no clock, no file, no process.

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

/// Minimum number of encounters in a row without anything new before a test is given up.
const PATIENCE: u64 = 20;

/// Minimum number of games from one start before it can be decided that they repeat each other by chance.
const FEW: u32 = 4;

/// The test of the first entrant of a schedule against the second.
///
/// The two games of an encounter, in which each bot has begun once, are examined together. Encounters are examined in
/// the order of the schedule, not in the order in which they ended: short games end first, and a test that
/// examined them first would favour the bot that wins short games. So the end of the test depends only on the
/// results, and an interrupted run decides like an uninterrupted one. An encounter with a game that will
/// never have a result is left out.
///
/// An encounter whose games both repeat earlier ones move by move gives no new information and does not
/// count: two bots that always play alike would decide the test by repeating their two games. An encounter
/// with one new game counts as a whole: if only half of it counted, the number of games that each bot begins would not
/// be balanced. If the number of encounters in a row that repeated earlier ones reaches the number of those that have
/// counted, and at least [`PATIENCE`], more games are not worth playing: the test is given up undecided.
///
/// Bots with random choices repeat games too, and these do give information: chance decides each of them
/// anew. Short games are repeated more often than long ones, so without them the test would favour the bot
/// whose wins take long. So encounters that repeat earlier ones wait until, with one of the bots beginning, no game
/// makes up more than half of at least [`FEW`] games from their start. Then they count, and so do all later ones from
/// that start. This decision applies to all games from a start at once, not to some results only.
#[derive(Clone, Debug)]
pub struct StopRule {
    schedule: Schedule,
    sequence: Sequence,
    /// The encounter that is examined next, from 1.
    next: u64,
    /// The encounters from there on that have results.
    waiting: BTreeMap<u64, Encounter>,
    tally: Tally,
    left_out: u64,
    /// Number of encounters that ended after the last one that was examined.
    further: u64,
    failures: Failures,
    /// The openings of the games, if there are any.
    openings: Option<Drawer>,
    /// Number of times that each game was played in encounters that have been examined.
    played: HashMap<u64, u32, BuildHasherDefault<IdentityHasher>>,
    /// The starts that games share, by the index of their opening.
    starts: HashMap<usize, Start>,
    counted: u64,
    repeated: u64,
    /// Number of encounters at the end of the examined ones that repeat earlier ones.
    in_a_row: u64,
}

/// The two games of an encounter: the one that the new bot begins, and the one that its base begins.
#[derive(Copy, Clone, Debug, Default)]
struct Encounter {
    games: [Option<Seen>; 2],
    /// The index of the opening from which both start.
    start: usize,
}

/// The games from one start.
#[derive(Clone, Debug, Default)]
struct Start {
    /// For the games that the new bot begins, and for those that its base begins: the number of games, and the number
    /// of times that the most frequent one was played.
    games: [(u32, u32); 2],
    /// True if they have been found to vary by chance.
    by_chance: bool,
    /// Encounters that repeat others, and don't count until `by_chance` is true.
    waiting: Vec<[Seen; 2]>,
}

/// The result of a game.
#[derive(Copy, Clone, Debug)]
struct Seen {
    /// The result from the new bot's point of view; `None` if there will never be one.
    score: Option<Score>,
    /// A digest of the moves, if it is known.
    play: Option<u64>,
    /// The faults of the new bot and its base, as indices into the kinds of faults.
    faults: [Option<usize>; 2],
    /// True for the new bot, and for its base, if an overloaded host made it late.
    overload: [bool; 2],
}

/// Numbers of games that count in which the bots failed.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Failures {
    /// The failures of the new bot, and those of its base, by kind in the order of [`FaultKind::OWN`].
    pub by_kind: [[u64; FaultKind::OWN.len()]; 2],
    /// Number of games in which both failed.
    pub both: u64,
    /// Number of games that count in which an overloaded host made the new bot late, and in which it made its base
    /// late. These are not among the failures.
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
            in_a_row: 0,
        }
    }

    /// The rule of a tournament; `None` if it is not a test.
    ///
    /// If games start from openings, those of an encounter share one and count as a pair. Games that all
    /// start from the usual position are counted one by one.
    pub fn of(tournament: &Tournament) -> Option<StopRule> {
        let schedule = Schedule::of(tournament).ok()?;
        let unit = if tournament.openings.is_some() { Observation::Pair } else { Observation::Game };
        let openings = Drawer::of(tournament);
        Some(StopRule { openings, ..StopRule::new(schedule, tournament.test?, unit) })
    }

    /// Enters the outcome of a game, in any order, with a digest of its moves if that is known. Games that
    /// the schedule does not have, repeated records and those of games that are played again change nothing.
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

    /// The reason why no more games are needed; `None` if more are. A reason never changes.
    pub fn end(&self) -> Option<End> {
        if self.is_decided() {
            return Some(End::Decided);
        }
        (self.in_a_row >= self.counted.max(PATIENCE)).then_some(End::Repeating)
    }

    /// True if the test is decided. It stays decided.
    pub fn is_decided(&self) -> bool {
        self.sequence.status != Status::Undecided
    }

    /// The test.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// The games that count, from the new bot's point of view.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Numbers of games that count in which the bots failed.
    pub fn failures(&self) -> Failures {
        self.failures
    }

    /// Number of encounters that only repeated earlier games and don't count.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Number of encounters at the end of the examined ones that only repeated earlier games.
    pub fn repeated_in_a_row(&self) -> u64 {
        self.in_a_row
    }

    /// Number of encounters that were left out because one of their games has no result.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Number of games that ended after those that ended the test, and don't count.
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

/// The result from the first entrant's point of view.
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
