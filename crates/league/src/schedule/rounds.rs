//! Schedules whose rounds depend on the results of earlier rounds: Swiss and knockout. Only the games known so far have
//! an index.

use std::collections::HashMap;

use super::arrangement::SeatNumbers;
use super::field::{Field, Numbered};
use super::knockout::{Deciding, Encounter, Knockout, Match, Spot};
use super::swiss::{Round, Swiss, Unit};
use super::tie_breaks::TieBreaks;
use super::{Decided, Length, Pairing, ToCome};
use linesman_types::seat::{BySeat, Place};

/// Rounds, and the known games in them.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    pairer: Pairer,
    /// The entrants in the order of their seeds.
    seeds: Vec<usize>,
    /// The seed of each entrant, from 0.
    seed_of: Vec<usize>,
    games: Vec<RoundGame>,
    by_id: HashMap<String, u64>,
}

#[derive(Clone, Debug)]
enum Pairer {
    Swiss(Swiss),
    Knockout(Knockout),
}

#[derive(Clone, Debug)]
struct RoundGame {
    /// The match of a knockout, or the table of a round of a Swiss.
    spot: Spot,
    /// The seeds of the entrants that meet, with the entrant that begins first; in single games with more than two
    /// sides, in seat order.
    sides: SeatNumbers,
    /// The number of its encounter, from 0: in a Swiss the number of the round, in a knockout its number in the match.
    encounter: u64,
}

/// The current state of a Swiss.
#[derive(Copy, Clone, Debug)]
pub struct SwissView<'s> {
    /// The rounds so far, in which entrants are numbered by their seeds.
    pub swiss: &'s Swiss,
    /// The entrants in the order of their seeds.
    pub seeds: &'s [usize],
}

impl SwissView<'_> {
    /// Returns the entrants in the order of the standings, with their points and tie-breaks. Entrants with equal points
    /// and tie-breaks are in the order of their seeds.
    pub fn standings(&self) -> Vec<(usize, TieBreaks)> {
        let tie_breaks = self.swiss.tie_breaks();
        let mut order: Vec<usize> = (0..self.seeds.len()).collect();
        order.sort_by_key(|seed| std::cmp::Reverse(tie_breaks[*seed]));
        order.into_iter().map(|seed| (self.seeds[seed], tie_breaks[seed])).collect()
    }
}

/// The current state of a match of a knockout.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchView {
    /// The opponents, as entrants with their seeds from 1; `None` if not known yet, or for a bye.
    pub sides: [Option<(usize, usize)>; 2],
    /// The points of each opponent so far.
    pub points: [f64; 2],
    /// The winner, as an entrant.
    pub winner: Option<usize>,
    /// The rule that decided it.
    pub decided: Decided,
}

impl Rounds {
    pub(super) fn swiss(field: &Field, seeds: Vec<usize>, length: u32, unit: Unit) -> Rounds {
        let swiss = Swiss::new(seeds.len(), field.teams.sides(), length, unit);
        Rounds::new(field, seeds, Pairer::Swiss(swiss))
    }

    pub(super) fn knockout(field: &Field, seeds: Vec<usize>, deciding: Deciding) -> Rounds {
        let bracket = Knockout::new(seeds.len(), deciding);
        Rounds::new(field, seeds, Pairer::Knockout(bracket))
    }

    fn new(field: &Field, seeds: Vec<usize>, pairer: Pairer) -> Rounds {
        let mut seed_of = vec![0; seeds.len()];
        seeds.iter().enumerate().for_each(|(seed, entrant)| seed_of[*entrant] = seed);
        let mut rounds = Rounds { pairer, seeds, seed_of, games: Vec::new(), by_id: HashMap::new() };
        rounds.plan(field);
        rounds
    }

    pub(super) fn length(&self) -> Length {
        match &self.pairer {
            Pairer::Swiss(swiss) => Length::Exactly(swiss.games_per_round() * u64::from(swiss.length())),
            Pairer::Knockout(bracket) if bracket.winner().is_some() => Length::Exactly(bracket.max_games),
            Pairer::Knockout(bracket) => Length::AtMost(bracket.max_games),
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
        Some(self.pairing_of(field, game, index))
    }

    /// Returns the pairing that a game with this unknown id would have, and whether the game can still occur; `None` if
    /// no round can have such a game. Its index has no meaning.
    pub(super) fn possible_pairing(&self, field: &Field, id: &str) -> Option<(Pairing, ToCome)> {
        let (stage, id_in_round) = id.split_once('/')?;
        let round: usize = stage.strip_prefix('r')?.parse().ok()?;
        let round = round.checked_sub(1)?;
        let (meeting, seat_round) = field.meeting_of_id(id_in_round)?;
        let sides: SeatNumbers = meeting.iter().map(|entrant| self.seed_of[*entrant]).collect();
        let (encounter, can_occur) = match &self.pairer {
            Pairer::Swiss(swiss) if round < swiss.length() as usize => {
                (round as u64, round >= swiss.rounds().len())
            }
            Pairer::Knockout(bracket)
                if round < bracket.rounds.len()
                    && seat_round < u64::from(bracket.deciding.max_encounters()) =>
            {
                (seat_round, bracket.can_meet(round, [sides[0], sides[1]]))
            }
            _ => return None,
        };
        let game = RoundGame { spot: Spot { round, number: 0 }, sides, encounter };
        let pairing = self.pairing_of(field, &game, self.known());
        // The seats may be in an order that no round can have.
        (pairing.id == id).then_some((pairing, if can_occur { ToCome::Perhaps } else { ToCome::Never }))
    }

    fn pairing_of(&self, field: &Field, game: &RoundGame, index: u64) -> Pairing {
        let meeting: SeatNumbers = game.sides.iter().map(|seed| self.seeds[*seed]).collect();
        let prefix = format!("r{}/", game.spot.round + 1);
        let (round, round_of_prefix, earlier) = match &self.pairer {
            Pairer::Swiss(swiss) => {
                // The round of seats with the chosen order.
                let chosen = Some(&meeting).filter(|_| swiss.unit() == Unit::Game);
                let round = chosen.and_then(|meeting| field.round_of_order(meeting));
                (round.unwrap_or(game.encounter), 0, 0)
            }
            Pairer::Knockout(bracket) => {
                let earlier = game.spot.round as u64 * u64::from(bracket.deciding.max_encounters());
                (game.encounter, game.encounter, earlier)
            }
        };
        let encounter = earlier + game.encounter + 1;
        field.pairing(&meeting, Numbered { index, prefix: &prefix, round, round_of_prefix, encounter })
    }

    /// Enters the result of a game. Afterwards, the games that follow from it are known.
    pub(super) fn enter(&mut self, field: &Field, index: u64, places: Option<&BySeat<Place>>) {
        let game = usize::try_from(index).ok().and_then(|index| self.games.get(index)).cloned();
        let (Some(game), Some(pairing)) = (game, self.pairing(field, index)) else { return };
        let place = |seed: usize| {
            let seat = field.representatives().find(|seat| pairing.entrants[*seat] == self.seeds[seed])?;
            places?.get(seat)
        };
        // A game without a result yields no points.
        let won = |one: usize, other: usize| {
            place(one).zip(place(other)).map_or(0, |(one, other)| half_points(one, other))
        };
        match &mut self.pairer {
            Pairer::Swiss(swiss) => swiss.enter(game.spot.number, won),
            Pairer::Knockout(bracket) => {
                let [one, other] = [game.sides[0], game.sides[1]];
                let [one, other] = [one.min(other), one.max(other)];
                bracket.enter(game.spot, [won(one, other), won(other, one)]);
            }
        }
        self.plan(field);
    }

    /// Adds the games that follow from the entered results.
    fn plan(&mut self, field: &Field) {
        let mut games = Vec::new();
        match &mut self.pairer {
            Pairer::Swiss(swiss) => {
                if let Some(round) = swiss.pair_next().cloned() {
                    let number = swiss.rounds().len() - 1;
                    games.extend(games_of_round(&round, number, swiss.games_per_table()));
                }
            }
            Pairer::Knockout(bracket) => {
                for Encounter { spot, sides: [one, other], number } in bracket.plan() {
                    for sides in [[one, other], [other, one]] {
                        let sides = sides.into_iter().collect();
                        games.push(RoundGame { spot, sides, encounter: u64::from(number) - 1 });
                    }
                }
            }
        }
        for game in games {
            let index = self.known();
            let id = self.pairing_of(field, &game, index).id;
            self.by_id.insert(id, index);
            self.games.push(game);
        }
    }

    pub(super) fn swiss_view(&self) -> Option<SwissView<'_>> {
        match &self.pairer {
            Pairer::Swiss(swiss) => Some(SwissView { swiss, seeds: &self.seeds }),
            Pairer::Knockout(_) => None,
        }
    }

    pub(super) fn bracket(&self) -> Option<Vec<Vec<MatchView>>> {
        let Pairer::Knockout(bracket) = &self.pairer else { return None };
        let view = |m: &Match| MatchView {
            sides: m.sides.map(|side| side.map(|seed| (self.seeds[seed], seed + 1))),
            points: m.halves.map(|halves| f64::from(halves) / 2.0),
            winner: m.winner.map(|seed| self.seeds[seed]),
            decided: m.decided,
        };
        Some(bracket.rounds.iter().map(|round| round.iter().map(view).collect()).collect())
    }
}

/// Returns the games of a round: first one game of each table, then those in which the other entrants begin.
fn games_of_round(round: &Round, number: usize, games_per_table: u32) -> Vec<RoundGame> {
    let game = |first: usize, (table, sides): (usize, &[usize])| {
        let mut sides: SeatNumbers = sides.iter().copied().collect();
        sides.rotate_left(first);
        RoundGame { spot: Spot { round: number, number: table }, sides, encounter: number as u64 }
    };
    let tables = || round.tables.iter().map(|table| table.sides.as_slice()).enumerate();
    (0..games_per_table as usize).flat_map(|first| tables().map(move |table| game(first, table))).collect()
}

/// Returns the half points that a place wins against another.
pub(super) fn half_points<P: Ord>(one: P, other: P) -> u32 {
    match one.cmp(&other) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    }
}
