//! When a test may end: its results as they come, looked at in the order of
//! the schedule. Pure: no clock, no file, no process.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::hash::BuildHasherDefault;

use crate::league::file::Tournament;
use crate::league::schedule::{Pairing, Schedule};
use crate::rating::sprt::{Design, Sequence, Status, Unit};
use crate::rating::{Score, Tally};
use crate::record::as_it_is::AsItIs;
use crate::record::{Ended, Outcome};
use crate::seat::{BySeat, Place, Seat};
use crate::verdict::Fault;

/// So many encounters in a row must have brought nothing new at least before a test is given up.
const PATIENCE: u64 = 20;

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
#[derive(Clone, Debug)]
pub struct StopRule {
    schedule: Schedule,
    sequence: Sequence,
    /// The encounter that is looked at next, from 1.
    next: u64,
    /// What is known of encounters from there on.
    waiting: BTreeMap<u64, Encounter>,
    tally: Tally,
    left_out: u64,
    failures: Failures,
    /// What was played in encounters that have been looked at.
    seen: HashSet<u64, BuildHasherDefault<AsItIs>>,
    counted: u64,
    repeated: u64,
    /// How many of those that were looked at last repeat earlier ones.
    in_a_row: u64,
}

/// The two games of an encounter, by who began: the new bot, its base.
#[derive(Copy, Clone, Debug, Default)]
struct Encounter([Option<Seen>; 2]);

/// What a game came to.
#[derive(Copy, Clone, Debug)]
struct Seen {
    /// The result, seen by the new bot; none if there is none for good.
    score: Option<Score>,
    /// A digest of what was played, where that is known.
    play: Option<u64>,
    /// How the new bot and its base failed, as places among the kinds of faults.
    faults: [Option<usize>; 2],
}

/// In how many games that count the bots failed.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Failures {
    /// By kind, in the order of [`Fault::WORDS`]: the new bot, its base.
    pub by_kind: [[u64; Fault::WORDS.len()]; 2],
    /// In so many of them both failed.
    pub both: u64,
}

impl Failures {
    fn count(&mut self, faults: [Option<usize>; 2]) {
        for (own, fault) in self.by_kind.iter_mut().zip(faults) {
            if let Some(kind) = fault {
                own[kind] += 1;
            }
        }
        self.both += u64::from(faults.iter().all(Option::is_some));
    }
}

/// Why no more games of a test are needed.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum End {
    /// It is decided.
    Decided,
    /// Its games only repeat earlier ones.
    Repeating,
}

impl StopRule {
    /// The rule before the first game. The schedule must be of two entrants and two sides.
    pub fn new(schedule: Schedule, design: Design, unit: Unit) -> StopRule {
        StopRule {
            schedule,
            sequence: Sequence::new(design, unit),
            next: 1,
            waiting: BTreeMap::new(),
            tally: Tally::default(),
            left_out: 0,
            failures: Failures::default(),
            seen: HashSet::default(),
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
        let unit = if tournament.openings.is_some() { Unit::Pair } else { Unit::Game };
        Some(StopRule::new(schedule, tournament.test?, unit))
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
        let seen = Seen { score, play, faults: faults_of(&pairing, outcome) };
        let is_return = pairing.entrants.get(Seat::FIRST) != Some(&0);
        let Encounter(games) = self.waiting.entry(pairing.encounter).or_default();
        games[usize::from(is_return)].get_or_insert(seen);
        while let Some(Encounter([Some(one), Some(other)])) = self.waiting.get(&self.next).copied() {
            self.waiting.remove(&self.next);
            self.next += 1;
            self.look([one, other]);
        }
    }

    fn look(&mut self, games: [Seen; 2]) {
        if self.end().is_some() {
            return;
        }
        let [Some(one), Some(other)] = games.map(|game| game.score) else {
            self.left_out += 1;
            return;
        };
        let is_seen = |game: &Seen| game.play.is_some_and(|play| self.seen.contains(&play));
        if games.iter().all(is_seen) {
            self.repeated += 1;
            self.in_a_row += 1;
            return;
        }
        self.in_a_row = 0;
        self.counted += 1;
        self.seen.extend(games.iter().filter_map(|game| game.play));
        self.sequence.add([one, other]);
        self.tally = [one, other].into_iter().fold(self.tally, with);
        games.iter().for_each(|game| self.failures.count(game.faults));
    }

    /// Why no more games are needed, if none are. It stays so.
    pub fn end(&self) -> Option<End> {
        if self.is_decided() {
            return Some(End::Decided);
        }
        (self.in_a_row >= self.counted.max(PATIENCE)).then_some(End::Repeating)
    }

    /// Whether the test is decided. It stays so.
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

    /// How many encounters only repeated earlier games and count nothing.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// How many of the encounters that were looked at last only repeated earlier games.
    pub fn repeated_in_a_row(&self) -> u64 {
        self.in_a_row
    }

    /// How many encounters were left out because a game of theirs has no result.
    pub fn left_out(&self) -> u64 {
        self.left_out
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

/// How the first entrant and the other failed, if they did; the first fault of each.
fn faults_of(pairing: &Pairing, outcome: &Outcome<'_>) -> [Option<usize>; 2] {
    let mut faults = [None; 2];
    for (seat, word) in &outcome.faults {
        let kind = Fault::WORDS.iter().position(|known| known == word);
        let entrant = pairing.entrants.get(*seat);
        if let (Some(kind), Some(own)) = (kind, entrant.and_then(|entrant| faults.get_mut(*entrant))) {
            own.get_or_insert(kind);
        }
    }
    faults
}

fn with(tally: Tally, score: Score) -> Tally {
    let one = |of: Score| u64::from(score == of);
    tally.plus(Tally { wins: one(Score::Win), draws: one(Score::Draw), losses: one(Score::Loss) })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;
    use crate::rating::sprt::{Counts, Model};

    /// The rule for so many games of `new` against `base`.
    fn rule(games: u32, unit: Unit) -> StopRule {
        let schedule = Schedule::round_robin(["new", "base"], 2, games / 2, 1).expect("two are enough");
        let design = Design::new(0.0, 100.0, 0.05, 0.05, Model::Logistic).expect("a test");
        StopRule::new(schedule, design, unit)
    }

    /// How the game at a place in the schedule ended, seen by the new bot.
    fn outcome(rule: &StopRule, index: u64, score: Option<Score>) -> Outcome<'static> {
        let pairing = rule.schedule.pairing(index).expect("there are so many games");
        let places = |new: usize, base: usize| {
            let place = |seat: Seat| Place::new(if pairing.entrants[seat] == 0 { new } else { base });
            Ended::Places(BySeat::from_fn(2, |seat| place(seat).expect("there are two places")))
        };
        let names = pairing.bots.map(|_, bot| Cow::Owned(rule.schedule.names()[*bot].clone()));
        Outcome {
            id: Cow::Owned(pairing.id.clone()),
            attempt: 1,
            league: None,
            game: Cow::Borrowed("quixo"),
            team_names: names.map(|_, _| None),
            usage: names.map(|_, _| None),
            bots: names,
            result: match score {
                None => Ended::Void,
                Some(Score::Win) => places(1, 2),
                Some(Score::Draw) => places(1, 1),
                Some(Score::Loss) => places(2, 1),
            },
            reason: None,
            faults: Vec::new(),
            overloaded: None,
            pair: None,
        }
    }

    fn enter(rule: &mut StopRule, index: u64, score: Option<Score>) {
        let outcome = outcome(rule, index, score);
        rule.enter(&outcome, None);
    }

    /// The same of a game of which it is known what was played.
    fn enter_play(rule: &mut StopRule, index: u64, score: Score, play: u64) {
        let outcome = outcome(rule, index, Some(score));
        rule.enter(&outcome, Some(play));
    }

    #[test]
    fn only_encounters_of_which_both_games_have_ended_count() {
        let mut rule = rule(100, Unit::Game);
        enter(&mut rule, 0, Some(Score::Win));
        assert_eq!(rule.sequence().counts().total(), 0);
        // The second encounter waits for the first.
        enter(&mut rule, 2, Some(Score::Loss));
        enter(&mut rule, 3, Some(Score::Loss));
        assert_eq!(rule.sequence().counts().total(), 0);
        enter(&mut rule, 1, Some(Score::Draw));
        assert_eq!(*rule.sequence().counts(), Counts::Games([2, 1, 1]));
        assert_eq!(rule.tally(), Tally { wins: 1, draws: 1, losses: 2 });
        assert_eq!(rule.names(), ["new", "base"]);
    }

    #[test]
    fn the_games_of_an_encounter_are_a_pair_where_pairs_count() {
        let mut rule = rule(100, Unit::Pair);
        for (index, score) in [Score::Win, Score::Draw, Score::Loss, Score::Win].into_iter().enumerate() {
            enter(&mut rule, index as u64, Some(score));
        }
        assert_eq!(*rule.sequence().counts(), Counts::Pairs([0, 0, 1, 1, 0]));
        assert_eq!(rule.tally(), Tally { wins: 2, draws: 1, losses: 1 });
    }

    #[test]
    fn an_encounter_with_a_game_without_a_result_is_left_out() {
        let mut rule = rule(100, Unit::Pair);
        enter(&mut rule, 0, None);
        enter(&mut rule, 1, Some(Score::Win));
        enter(&mut rule, 2, Some(Score::Win));
        enter(&mut rule, 3, Some(Score::Win));
        assert_eq!((*rule.sequence().counts(), rule.left_out()), (Counts::Pairs([0, 0, 0, 0, 1]), 1));
    }

    #[test]
    fn what_comes_again_or_from_elsewhere_changes_nothing() {
        let mut rule = rule(100, Unit::Game);
        enter(&mut rule, 0, Some(Score::Win));
        enter(&mut rule, 0, Some(Score::Loss));
        let mut again = outcome(&rule, 1, Some(Score::Loss));
        again.result = Ended::VoidHost;
        rule.enter(&again, None);
        enter(&mut rule, 1, Some(Score::Win));
        enter(&mut rule, 1, Some(Score::Loss));
        let mut stranger = outcome(&rule, 2, Some(Score::Loss));
        stranger.id = Cow::Borrowed("new~other~1");
        rule.enter(&stranger, None);
        assert_eq!(*rule.sequence().counts(), Counts::Games([0, 0, 2]));
    }

    #[test]
    fn games_that_only_repeat_others_count_nothing_and_end_the_test() {
        for unit in [Unit::Game, Unit::Pair] {
            // Whoever begins wins with the one play, and is lost with the other.
            let mut rule = rule(1000, unit);
            for index in 0..2 * (PATIENCE + 1) {
                assert_eq!(rule.end(), None, "{index}");
                enter_play(&mut rule, index, Score::Win, index % 2);
            }
            assert_eq!(rule.end(), Some(End::Repeating));
            assert_eq!((rule.sequence().counts().games(), rule.tally().wins), (2, 2));
            assert_eq!((rule.repeated(), rule.repeated_in_a_row()), (PATIENCE, PATIENCE));
            // It stays so, whatever comes.
            let before = *rule.sequence().counts();
            for index in 2 * (PATIENCE + 1)..200 {
                enter_play(&mut rule, index, Score::Win, 1000 + index);
            }
            assert_eq!((rule.end(), *rule.sequence().counts()), (Some(End::Repeating), before));
        }
    }

    #[test]
    fn an_encounter_with_one_new_game_counts_whole() {
        let mut rule = rule(1000, Unit::Game);
        for index in 0..40 {
            // The new bot always begins alike, its base never.
            let (score, play) = if index % 2 == 0 { (Score::Win, 7) } else { (Score::Loss, 100 + index) };
            enter_play(&mut rule, index, score, play);
        }
        assert_eq!((*rule.sequence().counts(), rule.repeated()), (Counts::Games([20, 0, 20]), 0));
    }

    #[test]
    fn a_test_of_many_openings_is_given_up_when_all_have_come_twice() {
        let mut rule = rule(1000, Unit::Pair);
        for index in 0..120 {
            let score = if index % 4 < 2 { Score::Win } else { Score::Loss };
            enter_play(&mut rule, index, score, index % 60);
        }
        assert_eq!((rule.end(), rule.repeated()), (Some(End::Repeating), 30));
        assert_eq!(rule.sequence().counts().total(), 30);
    }

    #[test]
    fn failures_are_counted_in_the_games_that_count() {
        let mut rule = rule(100, Unit::Game);
        for (index, score, failed) in
            [(0, Score::Loss, &[0][..]), (1, Score::Draw, &[0, 1]), (2, Score::Win, &[1])]
        {
            let pairing = rule.schedule.pairing(index).expect("there are so many games");
            let seats = pairing.entrants.iter().filter(|(_, entrant)| failed.contains(*entrant));
            let faults = seats.map(|(seat, _)| (seat, Cow::Borrowed("crash"))).collect();
            let outcome = Outcome { faults, ..outcome(&rule, index, Some(score)) };
            rule.enter(&outcome, None);
        }
        let crash = Fault::WORDS.iter().position(|word| *word == "crash").expect("it is one");
        let failures = rule.failures();
        // The third game waits for its return game.
        assert_eq!((failures.by_kind[0][crash], failures.by_kind[1][crash], failures.both), (2, 1, 1));
        assert_eq!(failures.by_kind.as_flattened().iter().sum::<u64>(), 3);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn in_which_order_games_end_decides_nothing(
            scores in prop::collection::vec(0..4_u8, 120),
            order in Just((0..120_u64).collect::<Vec<_>>()).prop_shuffle(),
            unit in prop_oneof![Just(Unit::Game), Just(Unit::Pair)],
            plays in prop::collection::vec(prop::option::of(0..40_u64), 120),
        ) {
            let score = |index: u64| match scores[index as usize] {
                0 => Some(Score::Loss),
                1 => Some(Score::Draw),
                _ => Some(Score::Win),
            };
            let [mut in_order, mut shuffled] = [rule(120, unit), rule(120, unit)];
            let mut decided = None;
            for (index, other) in (0..120).zip(order) {
                for (rule, index) in [(&mut in_order, index), (&mut shuffled, other)] {
                    let outcome = outcome(rule, index, score(index));
                    rule.enter(&outcome, plays[index as usize]);
                }
                // Whatever comes later, a decision stays as it was made.
                if let Some(before) = decided {
                    prop_assert_eq!(before, (shuffled.sequence().status(), *shuffled.sequence().counts()));
                } else if shuffled.is_decided() {
                    decided = Some((shuffled.sequence().status(), *shuffled.sequence().counts()));
                }
            }
            prop_assert_eq!(in_order.sequence().status(), shuffled.sequence().status());
            prop_assert_eq!(in_order.sequence().counts(), shuffled.sequence().counts());
            prop_assert_eq!(in_order.tally(), shuffled.tally());
            prop_assert_eq!((in_order.end(), in_order.repeated()), (shuffled.end(), shuffled.repeated()));
        }
    }
}
