//! The likelihood of all games together.
//!
//! Each game adds the log-likelihood of its [score](super::davidson) or of the
//! [order](super::plackett_luce) of its seats. The strength of a seat is the strength of its bot, or the sum of
//! its team's, plus the effect of the seat itself, which is 0 for seat 1. The sum is concave in all strengths and
//! effects, and in the logarithms of the parameters of ties.

use super::dataset::{Duel, Seating};
use super::davidson;
use super::matrix::Matrix;
use super::plackett_luce::{self, Extent, LOCAL, TIES, choices};
use super::prior::{Group, HeldParameters, log_prior, prior_derivatives};
use arrayvec::ArrayVec;
use linesman_types::seat::MAX_SEATS;

/// The games, and the parameters that explain them. The parameters are in one vector:
/// strengths of bots, effects of seats, logarithms of the parameters of ties.
#[derive(Clone, Debug)]
pub(super) struct LikelihoodModel<'t> {
    pub bots: usize,
    pub duels: &'t [Duel],
    pub tables: &'t [(Seating, f64)],
    pub groups: &'t [Group],
    pub held: HeldParameters,
    /// A strength beyond this counts as diverging; infinity itself if a finite maximum is known to exist.
    pub far: f64,
    /// The effects of seats, each as the number of seats and the index of a seat other than the first.
    pub effects: Vec<(usize, usize)>,
    /// The sizes of the ties that occur, in seats.
    pub ties: Vec<usize>,
}

/// The derivatives of one game's log-likelihood with respect to the parameters that it depends on.
#[derive(Clone, Debug, Default)]
pub(super) struct GameDerivatives {
    /// The indices of the parameters, each once.
    pub indices: Vec<usize>,
    pub slope: Vec<f64>,
    /// The negative second derivatives, row by row.
    pub curvature: Vec<f64>,
}

/// Two sides of a game.
pub(super) struct PairOfSides<'m> {
    /// The number of seats of the game; in games of teams, of sides.
    pub seats: usize,
    /// The strength of the first side minus that of the second.
    pub x: f64,
    pub one: &'m [(u32, u8)],
    pub other: &'m [(u32, u8)],
}

impl PairOfSides<'_> {
    /// Calls `each` with every bot and the number of times that it counts, negative for bots of the second
    /// side.
    pub fn bots(&self, mut each: impl FnMut(usize, f64)) {
        self.one.iter().for_each(|(bot, times)| each(*bot as usize, f64::from(*times)));
        self.other.iter().for_each(|(bot, times)| each(*bot as usize, -f64::from(*times)));
    }
}

impl<'t> LikelihoodModel<'t> {
    pub fn new(
        bots: usize,
        duels: &'t [Duel],
        tables: &'t [(Seating, f64)],
        groups: &'t [Group],
    ) -> LikelihoodModel<'t> {
        let mut effects: Vec<(usize, usize)> = (tables.iter())
            .flat_map(|(table, _)| {
                table.seated.iter().map(|seated| (usize::from(table.seats), usize::from(seated.seat)))
            })
            .filter(|(_, seat)| *seat > 0)
            .collect();
        if !duels.is_empty() {
            effects.push((2, 1));
        }
        effects.sort_unstable();
        effects.dedup();
        let sets = tables.iter().flat_map(|(table, _)| choices(&table.places()));
        let mut ties: Vec<usize> =
            sets.map(|set| set.count_ones() as usize).filter(|tied| *tied > 1).collect();
        if duels.iter().any(|duel| duel.draws > 0.0) {
            ties.push(2);
        }
        ties.sort_unstable();
        ties.dedup();
        LikelihoodModel {
            bots,
            duels,
            tables,
            groups,
            held: HeldParameters::default(),
            far: f64::INFINITY,
            effects,
            ties,
        }
    }

    pub fn parameters(&self) -> usize {
        self.bots + self.effects.len() + self.ties.len()
    }

    pub fn first_tie(&self) -> usize {
        self.bots + self.effects.len()
    }

    /// Yields the indices of the parameters other than strengths that have a prior.
    fn held_parameters(&self) -> impl Iterator<Item = usize> + use<> {
        let HeldParameters { seats, ties } = self.held;
        let seats = (self.bots..self.first_tie()).filter(move |_| seats);
        seats.chain((self.first_tie()..self.parameters()).filter(move |_| ties))
    }

    pub fn log_ties(&self, at: &[f64]) -> [f64; TIES] {
        let mut ties = [f64::NEG_INFINITY; TIES];
        for (index, tied) in self.ties.iter().enumerate() {
            ties[tied - 2] = at[self.first_tie() + index];
        }
        ties
    }

    /// The number of games for each number of seats.
    pub fn games_by_seats(&self) -> [f64; MAX_SEATS + 1] {
        let mut games = [0.0; MAX_SEATS + 1];
        games[2] = self.duels.iter().map(Duel::games).sum();
        for (table, times) in self.tables {
            games[usize::from(table.seats)] += times;
        }
        games
    }

    /// Calls `each` with every pair of opposing sides and its weight: the weights of all pairs of a game sum to 1.
    pub fn each_pair_of_sides(&self, at: &[f64], mut each: impl FnMut(&PairOfSides<'_>, f64)) {
        for duel in self.duels {
            let (one, other) = ([(duel.first, 1)], [(duel.second, 1)]);
            let x = at[duel.first as usize] - at[duel.second as usize];
            each(&PairOfSides { seats: 2, x, one: &one, other: &other }, duel.games());
        }
        for (table, times) in self.tables {
            let seats = usize::from(table.seats);
            let strength = |members: &[(u32, u8)]| -> f64 {
                members.iter().map(|(bot, times)| f64::from(*times) * at[*bot as usize]).sum()
            };
            let sides = table.seated.len();
            let weight = times / (sides * sides.saturating_sub(1) / 2) as f64;
            for (index, one) in table.seated.iter().enumerate() {
                for other in &table.seated[..index] {
                    let x = strength(&one.members) - strength(&other.members);
                    each(&PairOfSides { seats, x, one: &one.members, other: &other.members }, weight);
                }
            }
        }
    }

    fn effect_index(&self, seats: usize, seat: usize) -> Option<usize> {
        let index = self.effects.iter().position(|effect| *effect == (seats, seat))?;
        Some(self.bots + index)
    }

    fn tie_index(&self, tied: usize) -> Option<usize> {
        let index = self.ties.iter().position(|size| *size == tied)?;
        Some(self.first_tie() + index)
    }

    fn side_strengths(&self, table: &Seating, at: &[f64]) -> ArrayVec<f64, MAX_SEATS> {
        let seats = usize::from(table.seats);
        let seat_effect =
            |seat: u8| self.effect_index(seats, usize::from(seat)).map_or(0.0, |index| at[index]);
        let sides = table.seated.iter().map(|seated| {
            let members = seated.members.iter().map(|(bot, times)| f64::from(*times) * at[*bot as usize]);
            members.sum::<f64>() + seat_effect(seated.seat)
        });
        sides.collect()
    }

    /// The parameters that all two-seat games share: the effect of the second seat, and `nu`.
    fn duel_parameters(&self, at: &[f64]) -> (f64, f64) {
        let seat_effect = self.effect_index(2, 1).map_or(0.0, |index| at[index]);
        (seat_effect, self.tie_index(2).map_or(0.0, |index| at[index].exp()))
    }

    pub fn log_likelihood(&self, at: &[f64]) -> f64 {
        let (seat_effect, nu) = self.duel_parameters(at);
        let duels = self.duels.iter().map(|duel| {
            davidson::log_likelihood(
                duel,
                at[duel.first as usize] - at[duel.second as usize] - seat_effect,
                nu,
            )
        });
        let ties = self.log_ties(at);
        let tables = self.tables.iter().map(|(table, games)| {
            let strengths = self.side_strengths(table, at);
            games
                * plackett_luce::contribution(&strengths, &ties, &table.places(), Extent::Value)
                    .log_likelihood
        });
        let mut prior: f64 = self.held_parameters().map(|index| log_prior(at[index])).sum();
        prior += self.groups.iter().map(|group| group.log_prior(at)).sum::<f64>();
        duels.sum::<f64>() + tables.sum::<f64>() + prior
    }

    /// The slope of the log-likelihood and its negative second derivatives.
    pub fn derivatives(&self, at: &[f64]) -> (Vec<f64>, Matrix) {
        let mut slope = vec![0.0; self.parameters()];
        let mut curvature = Matrix::zeros(self.parameters(), self.parameters());
        self.add_duels(at, &mut slope, &mut curvature);
        for (table, games) in self.tables {
            self.derivatives_of_table(table, at).add_to(&mut slope, &mut curvature, *games);
        }
        for index in self.held_parameters() {
            let (of_prior, variance) = prior_derivatives(at[index]);
            slope[index] += of_prior;
            curvature[(index, index)] += variance;
        }
        for group in self.groups {
            group.add_prior(at, &mut slope, &mut curvature);
        }
        (slope, curvature)
    }

    fn add_duels(&self, at: &[f64], slope: &mut [f64], curvature: &mut Matrix) {
        let (seat_effect, nu) = self.duel_parameters(at);
        let (effect, tie) = (self.effect_index(2, 1), self.tie_index(2));
        // Sums for the parameters that all games share, added once at the end.
        let mut common = davidson::Contribution::default();
        for duel in self.duels {
            let (first, second) = (duel.first as usize, duel.second as usize);
            let contribution = davidson::derivatives(duel, at[first] - at[second] - seat_effect, nu);
            slope[first] += contribution.slope;
            slope[second] -= contribution.slope;
            curvature[(first, first)] += contribution.curvature;
            curvature[(second, second)] += contribution.curvature;
            // Added to only one of two symmetric entries, the one near the next game's. They are summed below.
            curvature[(second, first)] -= contribution.curvature;
            if let Some(effect) = effect {
                curvature[(first, effect)] -= contribution.curvature;
                curvature[(second, effect)] += contribution.curvature;
            }
            if let Some(tie) = tie {
                curvature[(first, tie)] += contribution.mixed;
                curvature[(second, tie)] -= contribution.mixed;
            }
            common.slope += contribution.slope;
            common.slope_by_draws += contribution.slope_by_draws;
            common.curvature += contribution.curvature;
            common.curvature_by_draws += contribution.curvature_by_draws;
            common.mixed += contribution.mixed;
        }
        for column in 0..self.bots {
            for row in 0..column {
                let both = curvature[(row, column)] + curvature[(column, row)];
                curvature[(row, column)] = both;
                curvature[(column, row)] = both;
            }
        }
        for shared in effect.into_iter().chain(tie) {
            for bot in 0..self.bots {
                curvature[(shared, bot)] = curvature[(bot, shared)];
            }
        }
        if let Some(effect) = effect {
            slope[effect] -= common.slope;
            curvature[(effect, effect)] += common.curvature;
        }
        if let Some(tie) = tie {
            slope[tie] += common.slope_by_draws;
            curvature[(tie, tie)] += common.curvature_by_draws;
        }
        if let (Some(effect), Some(tie)) = (effect, tie) {
            curvature[(effect, tie)] -= common.mixed;
            curvature[(tie, effect)] -= common.mixed;
        }
    }

    /// The derivatives of one game of two bots.
    pub fn derivatives_of_duel(&self, duel: &Duel, at: &[f64]) -> GameDerivatives {
        let (seat_effect, nu) = self.duel_parameters(at);
        let (first, second) = (duel.first as usize, duel.second as usize);
        let contribution = davidson::derivatives(duel, at[first] - at[second] - seat_effect, nu);
        let mut part = GameDerivatives::default();
        let mut weights = ArrayVec::<(f64, f64), 4>::new();
        let entries = [
            (Some(first), (1.0, 0.0)),
            (Some(second), (-1.0, 0.0)),
            (self.effect_index(2, 1), (-1.0, 0.0)),
            (self.tie_index(2), (0.0, 1.0)),
        ];
        for (parameter, (by_x, by_draws)) in entries {
            if let Some(parameter) = parameter {
                part.indices.push(parameter);
                part.slope.push(by_x * contribution.slope + by_draws * contribution.slope_by_draws);
                weights.push((by_x, by_draws));
            }
        }
        for (x, draws) in &weights {
            part.curvature.extend(weights.iter().map(|(other_x, other_draws)| {
                x * other_x * contribution.curvature
                    + (x * other_draws + draws * other_x) * contribution.mixed
                    + draws * other_draws * contribution.curvature_by_draws
            }));
        }
        part
    }

    /// The derivatives of one game with this seating.
    pub fn derivatives_of_table(&self, table: &Seating, at: &[f64]) -> GameDerivatives {
        let strengths = self.side_strengths(table, at);
        let contribution =
            plackett_luce::contribution(&strengths, &self.log_ties(at), &table.places(), Extent::Derivatives);
        // Each local parameter is a weighted sum of the model's: strengths and the effect of a seat, or the
        // parameter of a tie.
        let mut entries = ArrayVec::<(usize, usize, f64), 32>::new();
        for (index, seated) in table.seated.iter().enumerate() {
            for (bot, times) in &seated.members {
                entries.push((*bot as usize, index, f64::from(*times)));
            }
            if let Some(effect) = self.effect_index(usize::from(table.seats), usize::from(seated.seat)) {
                entries.push((effect, index, 1.0));
            }
        }
        for tied in &self.ties {
            let index = self.tie_index(*tied).expect("it is one of the ties");
            entries.push((index, MAX_SEATS + tied - 2, 1.0));
        }
        let mut part = GameDerivatives::default();
        for (parameter, ..) in &entries {
            if !part.indices.contains(parameter) {
                part.indices.push(*parameter);
            }
        }
        let mut by_local = vec![[0.0; LOCAL]; part.indices.len()];
        for (parameter, local, weight) in entries {
            let row = part
                .indices
                .iter()
                .position(|earlier| *earlier == parameter)
                .expect("it was put there above");
            by_local[row][local] += weight;
        }
        for weights in &by_local {
            part.slope.push((0..LOCAL).map(|local| weights[local] * contribution.slope[local]).sum());
            let mut product = [0.0; LOCAL];
            for (local, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                for (column, product) in product.iter_mut().enumerate() {
                    *product += weight * contribution.curvature[local][column];
                }
            }
            part.curvature.extend(by_local.iter().map(|other| {
                product.iter().zip(other).map(|(product, weight)| product * weight).sum::<f64>()
            }));
        }
        part
    }
}

impl GameDerivatives {
    fn add_to(&self, slope: &mut [f64], curvature: &mut Matrix, games: f64) {
        for (row, value) in self.indices.iter().zip(&self.slope) {
            slope[*row] += games * value;
        }
        self.add_curvature(curvature, games);
    }

    pub fn add_curvature(&self, matrix: &mut Matrix, times: f64) {
        let size = self.indices.len();
        for (index, row) in self.indices.iter().enumerate() {
            for (other, column) in self.indices.iter().enumerate() {
                matrix[(*row, *column)] += times * self.curvature[index * size + other];
            }
        }
    }
}
