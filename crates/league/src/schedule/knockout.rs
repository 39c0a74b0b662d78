//! A knockout: the loser of a match is out, the winner meets another winner.
//!
//! The best seed meets the last, the second-best the second to last, and so on, so that the best two can meet
//! only in the final. If the number of entrants is not a power of two, the best seeds have a bye in the first
//! round.
//!
//! A match is the best of a number of encounters, each of which consists of two games, one from either side. It
//! ends when the remaining points can't change the leader. If it is tied after all of them, single encounters
//! follow until one decides (sudden death). If none does, the better seed advances.

/// The rules that decide the matches of a knockout.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Deciding {
    /// Number of encounters of a match; at least 1.
    pub best_of: u32,
    /// Maximum number of further encounters while it is tied.
    pub sudden_death: u32,
}

impl Deciding {
    pub(super) fn max_encounters(self) -> u32 {
        self.best_of + self.sudden_death
    }
}

const ENCOUNTER_GAMES: u64 = 2;

const ENCOUNTER_HALVES: u32 = 4;

/// The place of a match in the bracket.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(super) struct Spot {
    /// From 0.
    pub round: usize,
    /// The number in the round, from 0.
    pub number: usize,
}

/// A match of two seeds, numbered from 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Match {
    /// The known opponents, with the better seed first.
    pub sides: [Option<usize>; 2],
    /// The half points of each opponent.
    pub halves: [u32; 2],
    /// Number of encounters planned so far.
    pub planned: u32,
    /// Number of planned games without a result.
    pub missing: u32,
    pub winner: Option<usize>,
    /// The rule that decided it, once there is a winner.
    pub decided: Decided,
}

/// The rule that decided a match.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum Decided {
    #[default]
    Points,
    /// There was no opponent.
    Bye,
    /// It was tied to the end, and the better seed advanced.
    Seed,
}

/// An encounter of a match.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Encounter {
    pub spot: Spot,
    /// The opponents; the first begins the first game.
    pub sides: [usize; 2],
    /// Its number in the match, from 1.
    pub number: u32,
}

/// The bracket and its progress.
#[derive(Clone, Debug)]
pub(super) struct Knockout {
    pub deciding: Deciding,
    pub rounds: Vec<Vec<Match>>,
    /// The number of each seed's match in the first round.
    starts: Vec<usize>,
    /// Maximum number of games, given the results so far.
    pub max_games: u64,
}

/// Returns the maximum number of games of a knockout; `None` if it overflows.
pub(super) fn max_games(entrants: usize, deciding: Deciding) -> Option<u64> {
    let games_per_match = u64::from(deciding.max_encounters()).checked_mul(ENCOUNTER_GAMES)?;
    (entrants as u64).saturating_sub(1).checked_mul(games_per_match)
}

/// Returns the seeds in the order of the bracket, for a number of entrants that is a power of two.
fn bracket(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    seeds
}

impl Knockout {
    /// Creates the bracket of at least 2 entrants, numbered by their seeds.
    pub(super) fn new(entrants: usize, deciding: Deciding) -> Knockout {
        let size = entrants.next_power_of_two().max(2);
        let matches = std::iter::successors(Some(size / 2), |matches| (*matches > 1).then_some(matches / 2));
        let rounds = matches.map(|matches| vec![Match::default(); matches]).collect();
        let max_games = max_games(entrants, deciding).unwrap_or(u64::MAX);
        let mut knockout = Knockout { deciding, rounds, starts: vec![0; size], max_games };
        for (number, pair) in bracket(size).chunks(2).enumerate() {
            pair.iter().for_each(|seed| knockout.starts[*seed] = number);
            let existing = |seed: usize| (seed < entrants).then_some(seed);
            let first = &mut knockout.rounds[0][number];
            first.sides = [existing(pair[0].min(pair[1])), existing(pair[0].max(pair[1]))];
            if first.sides[1].is_none() {
                (first.winner, first.decided) = (first.sides[0], Decided::Bye);
            }
        }
        for number in 0..size / 2 {
            knockout.advance_winner(Spot { round: 0, number });
        }
        knockout
    }

    pub(super) fn winner(&self) -> Option<usize> {
        self.rounds.last()?.first()?.winner
    }

    /// Returns true if these two can still meet in a round, counted from 0, in encounters that are not planned yet.
    pub(super) fn can_meet(&self, round: usize, pair: [usize; 2]) -> bool {
        let [one, other] = pair.map(|seed| self.starts[seed]);
        let meet_here = one >> round == other >> round;
        let meet_earlier = round > 0 && one >> (round - 1) == other >> (round - 1);
        let matches = self.rounds.get(round).filter(|_| meet_here && !meet_earlier);
        let Some(m) = matches.and_then(|matches| matches.get(one >> round)) else { return false };
        let is_in = |seed: usize| {
            let match_in = |round: usize| &self.rounds[round][self.starts[seed] >> round];
            (0..round).all(|round| match_in(round).winner.is_none_or(|winner| winner == seed))
        };
        m.winner.is_none() && pair.into_iter().all(is_in)
    }

    fn advance_winner(&mut self, spot: Spot) {
        let winner = self.rounds[spot.round][spot.number].winner;
        let next = self.rounds.get_mut(spot.round + 1).map(|round| &mut round[spot.number / 2]);
        let (Some(winner), Some(next)) = (winner, next) else { return };
        match next.sides {
            [Some(other), _] => next.sides = [Some(other.min(winner)), Some(other.max(winner))],
            [None, _] => next.sides[0] = Some(winner),
        }
    }

    pub(super) fn plan(&mut self) -> Vec<Encounter> {
        let mut encounters = Vec::new();
        // A match can't be decided in fewer encounters.
        let at_once = self.deciding.best_of / 2 + 1;
        for (round, matches) in self.rounds.iter_mut().enumerate() {
            for (number, m) in matches.iter_mut().enumerate() {
                let ([Some(one), Some(other)], None, 0) = (m.sides, m.winner, m.missing) else {
                    continue;
                };
                let more = if m.planned == 0 { at_once } else { 1 };
                for _ in 0..more {
                    m.planned += 1;
                    m.missing += ENCOUNTER_GAMES as u32;
                    let sides = if m.planned % 2 == 1 { [one, other] } else { [other, one] };
                    encounters.push(Encounter { spot: Spot { round, number }, sides, number: m.planned });
                }
            }
        }
        encounters
    }

    /// Enters the result of a game of a match: the half points of the better seed and those of the other; both are 0
    /// in a game without a result.
    pub(super) fn enter(&mut self, spot: Spot, halves: [u32; 2]) {
        let deciding = self.deciding;
        let m = &mut self.rounds[spot.round][spot.number];
        m.halves = [m.halves[0] + halves[0], m.halves[1] + halves[1]];
        m.missing = m.missing.saturating_sub(1);
        if m.missing > 0 || m.winner.is_some() {
            return;
        }
        let lead = m.halves[0].abs_diff(m.halves[1]);
        let left = deciding.best_of.saturating_sub(m.planned);
        let leader = if m.halves[0] > m.halves[1] { m.sides[0] } else { m.sides[1] };
        if lead > left * ENCOUNTER_HALVES {
            m.winner = leader;
        } else if m.planned >= deciding.max_encounters() {
            (m.winner, m.decided) = (m.sides[0], Decided::Seed);
        }
        if m.winner.is_some() {
            self.max_games -= u64::from(deciding.max_encounters() - m.planned) * ENCOUNTER_GAMES;
            self.advance_winner(spot);
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
        knockout.rounds[round].iter().map(|m| m.sides.map(|side| side.map(|seed| seed + 1))).collect()
    }

    #[test]
    fn the_best_two_seeds_can_meet_only_in_the_final_and_the_best_seeds_have_byes() {
        let eight = Knockout::new(8, deciding(1, 0));
        let all = |pairs: [[usize; 2]; 4]| pairs.map(|pair| pair.map(Some)).to_vec();
        assert_eq!(pairs(&eight, 0), all([[1, 8], [4, 5], [2, 7], [3, 6]]));
        let five = Knockout::new(5, deciding(1, 0));
        assert_eq!(pairs(&five, 0), [[Some(1), None], [Some(4), Some(5)], [Some(2), None], [Some(3), None]]);
        assert_eq!(pairs(&five, 1), [[Some(1), None], [Some(2), Some(3)]]);
        assert_eq!(five.max_games, 8);
        let two = Knockout::new(2, deciding(1, 0));
        assert_eq!(pairs(&two, 0), [[Some(1), Some(2)]]);
    }

    #[test]
    fn a_match_waits_only_for_its_own_opponents() {
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
        assert_eq!((five.winner(), five.rounds[2][0].decided), (Some(0), Decided::Seed));
        assert!(five.plan().is_empty());
    }

    #[test]
    fn best_of_three_ends_when_it_is_decided_and_continues_while_it_is_tied() {
        let mut knockout = Knockout::new(2, deciding(3, 2));
        assert_eq!(knockout.plan().iter().map(|encounter| encounter.number).collect::<Vec<_>>(), [1, 2]);
        for _ in 0..4 {
            knockout.enter(spot(0, 0), [2, 0]);
        }
        assert_eq!((knockout.winner(), knockout.max_games), (Some(0), 4));

        let mut knockout = Knockout::new(2, deciding(3, 2));
        for (more, halves) in [(2, [1, 1]), (2, [1, 1]), (1, [1, 1]), (1, [1, 1]), (1, [0, 2])] {
            let planned = knockout.plan();
            let expected = if planned.is_empty() { 0 } else { more };
            assert_eq!(planned.len(), expected);
            for _ in 0..2 {
                knockout.enter(spot(0, 0), halves);
            }
        }
        assert_eq!((knockout.winner(), knockout.max_games), (Some(1), 10));
        assert_eq!(knockout.rounds[0][0].planned, 5);
    }

    #[test]
    fn every_field_has_a_winner_after_one_match_fewer_than_entrants() {
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
            assert_eq!(games, knockout.max_games);
        }
    }
}
