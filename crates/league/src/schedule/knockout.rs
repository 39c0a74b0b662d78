//! A knockout: the loser of a match is out, the winner meets the next one.
//!
//! The best seed meets the last one, the second the last but one, and so on, so that the best two can meet
//! only in the final. If the number of entrants is not a power of two, the best seeds have no match in the
//! first round.
//!
//! A match is the best of a number of encounters, each of which is two games, one from either side. It ends
//! when the remaining points can't change the leader. If it is tied after all of them, single encounters
//! follow until one decides (sudden death). If none does, the better seed advances.

/// The rules by which the matches of a knockout are decided.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Deciding {
    /// Number of encounters of a match; at least 1.
    pub best_of: u32,
    /// Maximum number of further encounters while it is tied.
    pub sudden_death: u32,
}

impl Deciding {
    pub(super) fn most(self) -> u32 {
        self.best_of + self.sudden_death
    }
}

/// Number of games of an encounter.
const GAMES: u64 = 2;

/// Number of half points of an encounter.
const HALVES: u32 = 4;

/// The place of a match in the bracket.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(super) struct Spot {
    /// The round, from 0.
    pub round: usize,
    /// The number in the round, from 0.
    pub number: usize,
}

/// A match of two seeds, numbered from 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Match {
    /// The opponents, as far as known; the better seed first.
    pub sides: [Option<usize>; 2],
    /// The half points of each opponent.
    pub halves: [u32; 2],
    /// Number of encounters that were planned.
    pub planned: u32,
    /// Number of its planned games that lack a result.
    pub missing: u32,
    /// The winner.
    pub winner: Option<usize>,
    /// The decision, if not by points.
    pub by: Decided,
}

/// The rule that decided a match.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum Decided {
    /// Points.
    #[default]
    Points,
    /// There was no opponent.
    Bye,
    /// It was tied to the end, and the better seed advances.
    Seed,
}

/// An encounter that is to be played.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Encounter {
    /// Its match.
    pub spot: Spot,
    /// The opponents; the first begins the first game.
    pub sides: [usize; 2],
    /// Its number in the match, from 1.
    pub number: u32,
}

/// The bracket and its progress.
#[derive(Clone, Debug)]
pub(super) struct Knockout {
    deciding: Deciding,
    rounds: Vec<Vec<Match>>,
    /// The number of each seed's match in the first round.
    starts: Vec<usize>,
    /// Maximum number of games, given the results so far.
    most_games: u64,
}

/// Maximum number of games that a knockout has.
pub(super) fn most_games(entrants: usize, deciding: Deciding) -> Option<u64> {
    (entrants as u64).saturating_sub(1).checked_mul(u64::from(deciding.most()).checked_mul(GAMES)?)
}

/// The seeds in the order of the bracket, for a number of entrants that is a power of two.
fn bracket(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    seeds
}

impl Knockout {
    /// The bracket of at least 2 entrants, numbered by their seeds.
    pub(super) fn new(entrants: usize, deciding: Deciding) -> Knockout {
        let size = entrants.next_power_of_two().max(2);
        let mut rounds = Vec::new();
        let mut matches = size / 2;
        while matches > 0 {
            rounds.push(vec![Match::default(); matches]);
            matches /= 2;
        }
        let most_games = most_games(entrants, deciding).unwrap_or(u64::MAX);
        let mut knockout = Knockout { deciding, rounds, starts: vec![0; size], most_games };
        for (number, pair) in bracket(size).chunks(2).enumerate() {
            pair.iter().for_each(|seed| knockout.starts[*seed] = number);
            let there = |seed: usize| (seed < entrants).then_some(seed);
            let first = &mut knockout.rounds[0][number];
            first.sides = [there(pair[0].min(pair[1])), there(pair[0].max(pair[1]))];
            if first.sides[1].is_none() {
                (first.winner, first.by) = (first.sides[0], Decided::Bye);
            }
        }
        for number in 0..size / 2 {
            knockout.hand_on(Spot { round: 0, number });
        }
        knockout
    }

    /// All matches, round by round.
    pub(super) fn rounds(&self) -> &[Vec<Match>] {
        &self.rounds
    }

    /// Maximum number of games, given the results so far.
    pub(super) fn most_games(&self) -> u64 {
        self.most_games
    }

    pub(super) fn winner(&self) -> Option<usize> {
        self.rounds.last()?.first()?.winner
    }

    /// True if these two may still meet in a round, counted from 0, in encounters that are not planned yet.
    pub(super) fn may_meet(&self, round: usize, pair: [usize; 2]) -> bool {
        let [one, other] = pair.map(|seed| self.starts[seed]);
        let is_here = one >> round == other >> round;
        let is_earlier = round > 0 && one >> (round - 1) == other >> (round - 1);
        let own = self.rounds.get(round).filter(|_| is_here && !is_earlier);
        let Some(own) = own.and_then(|matches| matches.get(one >> round)) else { return false };
        let is_in = |seed: usize| {
            let on_the_way = |round: usize| &self.rounds[round][self.starts[seed] >> round];
            (0..round).all(|round| on_the_way(round).winner.is_none_or(|winner| winner == seed))
        };
        own.winner.is_none() && pair.into_iter().all(is_in)
    }

    /// Moves the winner of a match to its place in the next round.
    fn hand_on(&mut self, spot: Spot) {
        let winner = self.rounds[spot.round][spot.number].winner;
        let next = self.rounds.get_mut(spot.round + 1).map(|round| &mut round[spot.number / 2]);
        let (Some(winner), Some(next)) = (winner, next) else { return };
        match next.sides {
            [Some(other), _] => next.sides = [Some(other.min(winner)), Some(other.max(winner))],
            [None, _] => next.sides[0] = Some(winner),
        }
    }

    /// Plans the encounters that can be planned now.
    pub(super) fn plan(&mut self) -> Vec<Encounter> {
        let mut encounters = Vec::new();
        // A match can't be decided in fewer encounters.
        let at_once = self.deciding.best_of / 2 + 1;
        for (round, matches) in self.rounds.iter_mut().enumerate() {
            for (number, own) in matches.iter_mut().enumerate() {
                let ([Some(one), Some(other)], None, 0) = (own.sides, own.winner, own.missing) else {
                    continue;
                };
                let more = if own.planned == 0 { at_once } else { 1 };
                for _ in 0..more {
                    own.planned += 1;
                    own.missing += GAMES as u32;
                    let sides = if own.planned % 2 == 1 { [one, other] } else { [other, one] };
                    encounters.push(Encounter { spot: Spot { round, number }, sides, number: own.planned });
                }
            }
        }
        encounters
    }

    /// Enters the result of a game of a match: half points of the better seed and of the other; both are 0 in
    /// a game without a result.
    pub(super) fn enter(&mut self, spot: Spot, halves: [u32; 2]) {
        let deciding = self.deciding;
        let own = &mut self.rounds[spot.round][spot.number];
        own.halves = [own.halves[0] + halves[0], own.halves[1] + halves[1]];
        own.missing = own.missing.saturating_sub(1);
        if own.missing > 0 || own.winner.is_some() {
            return;
        }
        let lead = own.halves[0].abs_diff(own.halves[1]);
        let left = deciding.best_of.saturating_sub(own.planned);
        let ahead = if own.halves[0] > own.halves[1] { own.sides[0] } else { own.sides[1] };
        if lead > left * HALVES {
            own.winner = ahead;
        } else if own.planned >= deciding.most() {
            (own.winner, own.by) = (own.sides[0], Decided::Seed);
        }
        if own.winner.is_some() {
            self.most_games -= u64::from(deciding.most() - own.planned) * GAMES;
            self.hand_on(spot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deciding(best_of: u32, sudden_death: u32) -> Deciding {
        Deciding { best_of, sudden_death }
    }

    fn spot(round: usize, number: usize) -> Spot {
        Spot { round, number }
    }

    fn pairs(knockout: &Knockout, round: usize) -> Vec<[Option<usize>; 2]> {
        knockout.rounds()[round].iter().map(|own| own.sides.map(|side| side.map(|seed| seed + 1))).collect()
    }

    #[test]
    fn the_best_two_can_meet_in_the_final_only_and_the_best_have_byes() {
        let eight = Knockout::new(8, deciding(1, 0));
        let all = |pairs: [[usize; 2]; 4]| pairs.map(|pair| pair.map(Some)).to_vec();
        assert_eq!(pairs(&eight, 0), all([[1, 8], [4, 5], [2, 7], [3, 6]]));
        let five = Knockout::new(5, deciding(1, 0));
        assert_eq!(pairs(&five, 0), [[Some(1), None], [Some(4), Some(5)], [Some(2), None], [Some(3), None]]);
        assert_eq!(pairs(&five, 1), [[Some(1), None], [Some(2), Some(3)]]);
        assert_eq!(five.most_games(), 8);
        let two = Knockout::new(2, deciding(1, 0));
        assert_eq!(pairs(&two, 0), [[Some(1), Some(2)]]);
    }

    #[test]
    fn a_match_waits_for_nobody_but_its_own_two() {
        let mut five = Knockout::new(5, deciding(1, 0));
        let planned = five.plan();
        let spots: Vec<Spot> = planned.iter().map(|encounter| encounter.spot).collect();
        assert_eq!(spots, [spot(0, 1), spot(1, 1)]);
        assert!(five.plan().is_empty());
        five.enter(spot(0, 1), [0, 2]);
        five.enter(spot(0, 1), [0, 2]);
        assert_eq!(pairs(&five, 1)[0], [Some(1), Some(5)]);
        assert_eq!(five.plan().len(), 1);
        for halves in [[2, 0], [1, 1]] {
            five.enter(spot(1, 0), halves);
            five.enter(spot(1, 1), halves);
        }
        assert_eq!(pairs(&five, 2), [[Some(1), Some(2)]]);
        five.plan();
        five.enter(spot(2, 0), [0, 2]);
        five.enter(spot(2, 0), [2, 0]);
        assert_eq!((five.winner(), five.rounds()[2][0].by), (Some(0), Decided::Seed));
        assert!(five.plan().is_empty());
    }

    #[test]
    fn best_of_three_ends_when_it_is_decided_and_goes_on_while_it_is_level() {
        let mut knockout = Knockout::new(2, deciding(3, 2));
        assert_eq!(knockout.plan().iter().map(|encounter| encounter.number).collect::<Vec<_>>(), [1, 2]);
        for _ in 0..4 {
            knockout.enter(spot(0, 0), [2, 0]);
        }
        assert_eq!((knockout.winner(), knockout.most_games()), (Some(0), 4));

        let mut knockout = Knockout::new(2, deciding(3, 2));
        for (more, halves) in [(2, [1, 1]), (2, [1, 1]), (1, [1, 1]), (1, [1, 1]), (1, [0, 2])] {
            let planned = knockout.plan();
            let expected = if planned.is_empty() { 0 } else { more };
            assert_eq!(planned.len(), expected);
            for _ in 0..2 {
                knockout.enter(spot(0, 0), halves);
            }
        }
        assert_eq!((knockout.winner(), knockout.most_games()), (Some(1), 10));
        assert_eq!(knockout.rounds()[0][0].planned, 5);
    }

    #[test]
    fn every_field_has_one_winner_after_a_match_fewer_than_there_are_entrants() {
        for entrants in 2..=33 {
            let mut knockout = Knockout::new(entrants, deciding(1, 1));
            let mut matches = std::collections::BTreeSet::new();
            let mut games = 0;
            loop {
                let planned = knockout.plan();
                if planned.is_empty() {
                    break;
                }
                for (number, encounter) in planned.iter().enumerate() {
                    matches.insert(encounter.spot);
                    for _ in 0..2 {
                        knockout.enter(encounter.spot, [[2, 0], [0, 2], [1, 1]][(number + entrants) % 3]);
                        games += 1;
                    }
                }
            }
            assert!(knockout.winner().is_some());
            assert_eq!(matches.len(), entrants - 1);
            assert_eq!(games, knockout.most_games());
        }
    }
}
