//! Results with bots numbered in the order of their names, as the likelihood needs them.

use arrayvec::ArrayVec;

use super::clusters::Clusters;
use super::entrants::Entrants;
use super::game_key::{self, GameKind};
use super::results::{Results, Sheet};
use super::score::{Score, Tally, score_of};
use linesman_types::seat::{BySeat, MAX_SEATS, Place, Seat, Teams};

/// Results in an order that depends only on names.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Dataset {
    /// The rated entrants: bots, and bots that always played together as one; sorted.
    pub entrants: Entrants,
    /// The number of games of each key, sorted. Sheets are indices of `sheets`.
    pub counts: Vec<(u64, u64)>,
    /// The seatings of games other than duels, sorted.
    pub sheets: Vec<Seating>,
    /// Games that are not independent.
    pub clusters: Clusters,
    /// The number of games that count.
    pub games: u64,
    /// The number of games of a bot against itself, which do not count.
    pub self_games: u64,
}

/// Games of two bots on the same seats.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Duel {
    pub first: u32,
    pub second: u32,
    pub wins: f64,
    pub draws: f64,
    pub losses: f64,
}

impl Duel {
    pub fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    fn count(&mut self, score: Score, games: f64) {
        match score {
            Score::Win => self.wins += games,
            Score::Draw => self.draws += games,
            Score::Loss => self.losses += games,
        }
    }
}

/// A side with its seat and its place.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub(super) struct SeatedSide {
    /// The entrants that play there, each with the number of times that it counts.
    pub members: ArrayVec<(u32, u8), MAX_SEATS>,
    /// The index of its seat, from 0; in games of teams, that of the side.
    pub seat: u8,
    pub place: Place,
}

/// A seating: the sides of a game at their seats, with their places.
#[derive(Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub(super) struct Seating {
    /// The number of seats of the game; in games of teams, of sides.
    pub seats: u8,
    /// The sides: fewer than seats if only some of them are rated together.
    pub seated: ArrayVec<SeatedSide, MAX_SEATS>,
}

impl Dataset {
    /// Makes the dataset of these results, with bots that always played together as one entrant.
    pub fn new(results: &Results) -> Dataset {
        Dataset::with(Entrants::of(results), results)
    }

    /// Makes a dataset with every bot as an entrant of its own.
    pub fn of_bots(results: &Results) -> Dataset {
        Dataset::with(Entrants::each(results), results)
    }

    fn with(entrants: Entrants, results: &Results) -> Dataset {
        let mut numbered: Vec<(Seating, u32)> = (results.sheets.iter().zip(0..))
            .map(|(sheet, number)| (seating(sheet, &entrants), number))
            .collect();
        numbered.sort_unstable();
        // Sheets that differ only in members of one entrant are equal now.
        let mut sheets: Vec<Seating> = Vec::with_capacity(numbered.len());
        let mut sheet_at = vec![0; numbered.len()];
        for (seating, number) in numbered {
            if sheets.last() != Some(&seating) {
                sheets.push(seating);
            }
            sheet_at[number as usize] = sheets.len() as u32 - 1;
        }
        let renumbered = |key: u64| game_key::renumbered(key, &entrants.of_bots, &sheet_at);
        let mut counts: Vec<(u64, u64)> = results.counts.settled();
        counts.iter_mut().for_each(|(key, _)| *key = renumbered(*key));
        counts.sort_unstable();
        counts.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            earlier.1 += if same { later.1 } else { 0 };
            same
        });
        let clusters = results.cluster_builder.clusters(renumbered);
        let (games, self_games) = (results.games(), results.self_games());
        Dataset { entrants, counts, sheets, clusters, games, self_games }
    }

    /// The games of two bots, an entry for each ordered pair.
    pub fn duels(&self) -> Vec<Duel> {
        let mut duels: Vec<Duel> = Vec::with_capacity(self.counts.len());
        for &(key, games) in &self.counts {
            let GameKind::Duel(first, second, score) = game_key::decode(key) else { break };
            match duels.last_mut() {
                Some(last) if (last.first, last.second) == (first, second) => {
                    last.count(score, games as f64);
                }
                _ => {
                    let mut duel = Duel { first, second, wins: 0.0, draws: 0.0, losses: 0.0 };
                    duel.count(score, games as f64);
                    duels.push(duel);
                }
            }
        }
        duels.shrink_to_fit();
        duels
    }

    /// The seatings of the other games, with their numbers of games.
    pub fn tables(&self) -> impl Iterator<Item = (&Seating, u64)> {
        let first =
            self.counts.partition_point(|(key, _)| matches!(game_key::decode(*key), GameKind::Duel(..)));
        self.counts[first..].iter().filter_map(|(key, games)| match game_key::decode(*key) {
            GameKind::Sheet(number) => Some((&self.sheets[number as usize], *games)),
            GameKind::Duel(..) => None,
        })
    }

    /// The totals of each entrant.
    pub fn totals(&self) -> Vec<Total> {
        let mut totals = vec![Total::default(); self.entrants.len()];
        for &(key, games) in &self.counts {
            let GameKind::Duel(first, second, score) = game_key::decode(key) else { break };
            let tally = Tally::of(score, games);
            totals[first as usize].count(tally);
            totals[second as usize].count(tally.reversed());
        }
        for (seating, games) in self.tables() {
            seating.count_into(games, &mut totals);
        }
        totals
    }
}

fn seating(sheet: &Sheet, entrants: &Entrants) -> Seating {
    let seated = sheet.sides.iter().zip(&sheet.places).zip(0..);
    Seating {
        seats: sheet.sides.len() as u8,
        seated: seated
            .map(|((side, place), seat)| SeatedSide { members: entrants.members(side), seat, place: *place })
            .collect(),
    }
}

impl Seating {
    /// The places of the sides; only their order counts.
    pub fn places(&self) -> ArrayVec<u8, MAX_SEATS> {
        self.seated.iter().map(|seated| seated.place.number() as u8).collect()
    }

    /// Yields the entrants of all sides; one with several seats occurs more than once.
    pub fn bots(&self) -> impl Iterator<Item = usize> + '_ {
        self.seated.iter().flat_map(|seated| seated.members.iter().map(|(bot, _)| *bot as usize))
    }

    /// Returns true if each side is one entrant that counts once.
    pub fn is_of_singles(&self) -> bool {
        self.seated.iter().all(|seated| matches!(seated.members.as_slice(), [(_, 1)]))
    }

    /// The same games with only those sides whose members all have new numbers; `None` if fewer than two remain.
    pub fn among(&self, renumber: impl Fn(usize) -> Option<u32>) -> Option<Seating> {
        let mut kept = ArrayVec::<SeatedSide, MAX_SEATS>::new();
        for seated in &self.seated {
            let members: Option<_> =
                seated.members.iter().map(|(bot, times)| Some((renumber(*bot as usize)?, *times))).collect();
            if let Some(members) = members {
                kept.push(SeatedSide { members, ..seated.clone() });
            }
        }
        (kept.len() > 1).then_some(Seating { seated: kept, ..*self })
    }

    /// Yields every pair of sides with the score of the first against the second.
    pub fn pairs(&self) -> impl Iterator<Item = (&SeatedSide, &SeatedSide, Score)> {
        self.seated.iter().enumerate().flat_map(|(index, one)| {
            let others = &self.seated[index + 1..];
            others.iter().map(move |other| (one, other, score_of(one.place, other.place)))
        })
    }

    fn count_into(&self, games: u64, totals: &mut [Total]) {
        let places = BySeat::from_values(self.seated.iter().map(|seated| seated.place))
            .expect("a table has no more seats than any game");
        let everyone = Teams::singles(self.seated.len());
        let firsts = places.values().filter(|place| **place == Place::FIRST).count();
        for (index, seated) in self.seated.iter().enumerate() {
            let score = match (seated.place == Place::FIRST, firsts) {
                (true, 1) => Score::Win,
                (true, _) => Score::Draw,
                (false, _) => Score::Loss,
            };
            for (bot, _) in &seated.members {
                let total = &mut totals[*bot as usize];
                total.tally = total.tally.plus(Tally::of(score, games));
                total.points += games as f64 * places.score(&everyone, Seat::from_index(index));
            }
        }
    }
}

/// The total of one entrant's games.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub(super) struct Total {
    /// Games in which it was alone in first place, shared first place, or did neither.
    pub tally: Tally,
    /// The sum of its scores; the score of a game is the fraction of the opponents that it beat.
    pub points: f64,
}

impl Total {
    fn count(&mut self, tally: Tally) {
        self.tally = self.tally.plus(tally);
        self.points += tally.points();
    }

    /// Returns true if it beat all its opponents in all its games.
    pub fn won_all(&self) -> bool {
        self.tally.wins == self.tally.games()
    }

    /// Returns true if it never beat an opponent and never shared a place.
    pub fn lost_all(&self) -> bool {
        self.points == 0.0
    }
}
