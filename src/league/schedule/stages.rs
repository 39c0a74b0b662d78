//! Schedules whose rounds follow from the results of the rounds before: Swiss
//! and knockout. Only the games that are known by now have an index.

use std::collections::HashMap;

use super::field::{Field, Numbered, Slot};
use super::knockout::{self, Deciding, Knockout, Spot};
use super::swiss::{Round, Swiss, Unit};
use super::tie_breaks::TieBreaks;
use super::{Decided, Length, Pairing};
use crate::seat::{BySeat, Place, Side};

/// Rounds, and the games that are known of them.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    rounds: Rounds,
    /// The entrants in the order of their seeds.
    seeds: Vec<usize>,
    games: Vec<Game>,
    by_id: HashMap<String, u64>,
}

#[derive(Clone, Debug)]
enum Rounds {
    Swiss(Swiss),
    Knockout { bracket: Knockout, deciding: Deciding },
}

/// A game that is known.
#[derive(Copy, Clone, Debug)]
struct Game {
    /// The match of a knockout, or the pair of a round of a Swiss.
    spot: Spot,
    /// Who begins and who does not, by their seeds.
    sides: [usize; 2],
    /// Which encounter it belongs to: in a Swiss the round, from 0; in a
    /// knockout that of the match, from 0.
    number: u64,
}

/// A Swiss as it stands.
#[derive(Copy, Clone, Debug)]
pub struct SwissView<'s> {
    /// The rounds so far, in which entrants are numbered by their seeds.
    pub swiss: &'s Swiss,
    /// The entrants in the order of their seeds.
    pub seeds: &'s [usize],
}

impl SwissView<'_> {
    /// The entrants in the order of the standings, with their points and what
    /// tells equals apart; those who are equal in all of it in the order of their seeds.
    pub fn standings(&self) -> Vec<(usize, TieBreaks)> {
        let tie_breaks = self.swiss.tie_breaks();
        let mut order: Vec<usize> = (0..self.seeds.len()).collect();
        order.sort_by_key(|seed| std::cmp::Reverse(tie_breaks[*seed]));
        order.into_iter().map(|seed| (self.seeds[seed], tie_breaks[seed])).collect()
    }
}

/// A match of a knockout as it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchView {
    /// Who meets, as entrants with their seeds, from 1; none = not known yet,
    /// or nobody.
    pub sides: [Option<(usize, usize)>; 2],
    /// The points of each so far.
    pub points: [f64; 2],
    /// Who goes on, as entrant.
    pub winner: Option<usize>,
    /// What decided it.
    pub decided: Decided,
}

impl Stages {
    /// A Swiss of entrants in the order of their seeds.
    pub(super) fn swiss(field: &Field, seeds: Vec<usize>, length: u32, unit: Unit) -> Stages {
        let swiss = Swiss::new(seeds.len(), length, unit);
        Stages::begun(field, seeds, Rounds::Swiss(swiss))
    }

    /// A knockout of entrants in the order of their seeds.
    pub(super) fn knockout(field: &Field, seeds: Vec<usize>, deciding: Deciding) -> Stages {
        let bracket = Knockout::new(seeds.len(), deciding);
        Stages::begun(field, seeds, Rounds::Knockout { bracket, deciding })
    }

    fn begun(field: &Field, seeds: Vec<usize>, rounds: Rounds) -> Stages {
        let mut stages = Stages { rounds, seeds, games: Vec::new(), by_id: HashMap::new() };
        stages.plan(field);
        stages
    }

    pub(super) fn length(&self) -> Length {
        match &self.rounds {
            Rounds::Swiss(swiss) => Length::Exactly(swiss.games_a_round() * u64::from(swiss.length())),
            Rounds::Knockout { bracket, .. } if bracket.winner().is_some() => {
                Length::Exactly(bracket.most_games())
            }
            Rounds::Knockout { bracket, .. } => Length::AtMost(bracket.most_games()),
        }
    }

    pub(super) fn known(&self) -> u64 {
        self.games.len() as u64
    }

    pub(super) fn index_of(&self, id: &str) -> Option<u64> {
        self.by_id.get(id).copied()
    }

    pub(super) fn pairing(&self, field: &Field, index: u64) -> Option<Pairing> {
        let game = self.games.get(usize::try_from(index).ok()?)?;
        Some(self.named(field, game, index))
    }

    fn named(&self, field: &Field, game: &Game, index: u64) -> Pairing {
        let meeting: Slot = game.sides.into_iter().map(|seed| self.seeds[seed]).collect();
        let prefix = format!("r{}/", game.spot.round + 1);
        let (round_of_prefix, encounter) = match &self.rounds {
            Rounds::Swiss(_) => (0, game.number + 1),
            Rounds::Knockout { deciding, .. } => {
                let a_match = u64::from(deciding.best_of) + u64::from(deciding.sudden_death);
                (game.number, game.spot.round as u64 * a_match + game.number + 1)
            }
        };
        let round = game.number;
        field.pairing(&meeting, Numbered { index, prefix: &prefix, round, round_of_prefix, encounter })
    }

    /// Takes what a game came to; what follows from it is known afterwards.
    pub(super) fn enter(&mut self, field: &Field, index: u64, places: Option<&BySeat<Place>>) {
        let Some(game) = usize::try_from(index).ok().and_then(|index| self.games.get(index)).copied() else {
            return;
        };
        let halves = places.map_or([0, 0], |places| half_points(field, places));
        match &mut self.rounds {
            Rounds::Swiss(swiss) => {
                let pair = swiss.rounds()[game.spot.round].pairs[game.spot.number];
                swiss.enter(game.spot.number, if pair.sides == game.sides { halves } else { turned(halves) });
            }
            Rounds::Knockout { bracket, .. } => {
                let is_turned = game.sides[0] > game.sides[1];
                bracket.enter(game.spot, if is_turned { turned(halves) } else { halves });
            }
        }
        self.plan(field);
    }

    /// Adds the games that follow from what has been entered.
    fn plan(&mut self, field: &Field) {
        let mut games = Vec::new();
        match &mut self.rounds {
            Rounds::Swiss(swiss) => {
                let unit = swiss.unit();
                if let Some(round) = swiss.pair_next().cloned() {
                    let number = swiss.rounds().len() - 1;
                    games.extend(games_of_round(&round, number, unit));
                }
            }
            Rounds::Knockout { bracket, .. } => {
                for encounter in bracket.plan() {
                    let number = u64::from(encounter.number) - 1;
                    for sides in [encounter.sides, turned(encounter.sides)] {
                        games.push(Game { spot: encounter.spot, sides, number });
                    }
                }
            }
        }
        for game in games {
            let index = self.known();
            let id = self.named(field, &game, index).id;
            self.by_id.insert(id, index);
            self.games.push(game);
        }
    }

    pub(super) fn swiss_view(&self) -> Option<SwissView<'_>> {
        match &self.rounds {
            Rounds::Swiss(swiss) => Some(SwissView { swiss, seeds: &self.seeds }),
            Rounds::Knockout { .. } => None,
        }
    }

    pub(super) fn bracket(&self) -> Option<Vec<Vec<MatchView>>> {
        let Rounds::Knockout { bracket, .. } = &self.rounds else { return None };
        let view = |own: &knockout::Match| MatchView {
            sides: own.sides.map(|side| side.map(|seed| (self.seeds[seed], seed + 1))),
            points: own.halves.map(|halves| f64::from(halves) / 2.0),
            winner: own.winner.map(|seed| self.seeds[seed]),
            decided: own.by,
        };
        Some(bracket.rounds().iter().map(|round| round.iter().map(view).collect()).collect())
    }
}

/// The games of a round: first one of each pair, then the return games.
fn games_of_round(round: &Round, number: usize, unit: Unit) -> Vec<Game> {
    let game = |(pair, sides): (usize, [usize; 2])| Game {
        spot: Spot { round: number, number: pair },
        sides,
        number: number as u64,
    };
    let first = round.pairs.iter().map(|pair| pair.sides).enumerate();
    let back = round.pairs.iter().map(|pair| turned(pair.sides)).enumerate();
    match unit {
        Unit::Encounter => first.chain(back).map(game).collect(),
        Unit::Game => first.map(game).collect(),
    }
}

fn turned<T: Copy>([one, other]: [T; 2]) -> [T; 2] {
    [other, one]
}

/// What each of two sides gets of a game, in halves of a point.
fn half_points(field: &Field, places: &BySeat<Place>) -> [u32; 2] {
    let place = |side: usize| field.teams().members(Side::from_index(side)).find_map(|seat| places.get(seat));
    match place(0).cmp(&place(1)) {
        std::cmp::Ordering::Less => [2, 0],
        std::cmp::Ordering::Equal => [1, 1],
        std::cmp::Ordering::Greater => [0, 2],
    }
}
