//! When a test may end: its results as they come, looked at in the order of
//! the schedule. Pure: no clock, no file, no process.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::league::file::Tournament;
use crate::league::schedule::{Pairing, Schedule};
use crate::rating::sprt::{Design, Sequence, Status, Unit};
use crate::rating::{Score, Tally};
use crate::record::{Ended, Outcome};
use crate::seat::{BySeat, Place, Seat};

/// The test of the first entrant of a schedule against the second.
///
/// The games of an encounter, in which each has begun once, are looked at
/// together, and encounters in their order in the schedule, whichever ended first:
/// short games end first, and a test that looked at them first would favour
/// whom short games favour. So where the test ends depends on nothing but the
/// results, and a run that was interrupted decides as one that was not. An encounter
/// of which a game has no result for good is left out.
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
}

/// The two games of an encounter, by who began: the new bot, its base. The result
/// is seen by the new one; none if there is none for good.
#[derive(Copy, Clone, Debug, Default)]
struct Encounter([Option<Option<Score>>; 2]);

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

    /// Takes what came of a game, in any order. Games of no pairing of the
    /// schedule, repeated ones and those that are played again change nothing.
    pub fn enter(&mut self, outcome: &Outcome<'_>) {
        let pairing = self.schedule.index_of(&outcome.id).and_then(|index| self.schedule.pairing(index));
        let Some(pairing) = pairing.filter(|pairing| pairing.encounter >= self.next) else { return };
        let score = match &outcome.result {
            Ended::Places(places) => score_of_new(&pairing, places),
            Ended::Void => None,
            Ended::VoidHost => return,
        };
        let is_return = pairing.entrants.get(Seat::FIRST) != Some(&0);
        let Encounter(games) = self.waiting.entry(pairing.encounter).or_default();
        games[usize::from(is_return)].get_or_insert(score);
        while let Some(Encounter([Some(one), Some(other)])) = self.waiting.get(&self.next).copied() {
            self.waiting.remove(&self.next);
            self.next += 1;
            self.look([one, other]);
        }
    }

    fn look(&mut self, games: [Option<Score>; 2]) {
        let was_open = !self.is_decided();
        match games {
            [Some(one), Some(other)] => {
                self.sequence.add([one, other]);
                if was_open {
                    self.tally = [one, other].into_iter().fold(self.tally, with);
                }
            }
            _ if was_open => self.left_out += 1,
            _ => {}
        }
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
        rule.enter(&outcome);
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
        rule.enter(&again);
        enter(&mut rule, 1, Some(Score::Win));
        enter(&mut rule, 1, Some(Score::Loss));
        let mut stranger = outcome(&rule, 2, Some(Score::Loss));
        stranger.id = Cow::Borrowed("new~other~1");
        rule.enter(&stranger);
        assert_eq!(*rule.sequence().counts(), Counts::Games([0, 0, 2]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn in_which_order_games_end_decides_nothing(
            scores in prop::collection::vec(0..4_u8, 120),
            order in Just((0..120_u64).collect::<Vec<_>>()).prop_shuffle(),
            unit in prop_oneof![Just(Unit::Game), Just(Unit::Pair)],
        ) {
            let score = |index: u64| match scores[index as usize] {
                0 => Some(Score::Loss),
                1 => Some(Score::Draw),
                _ => Some(Score::Win),
            };
            let [mut in_order, mut shuffled] = [rule(120, unit), rule(120, unit)];
            let mut decided = None;
            for (index, other) in (0..120).zip(order) {
                enter(&mut in_order, index, score(index));
                enter(&mut shuffled, other, score(other));
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
        }
    }
}
