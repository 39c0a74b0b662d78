//! What results leave open by their nature, and what is given.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use super::climb::{NotConverged, factor};
use super::model::{Held, Model};
use super::scale::{self, Scale};

/// Directions along which the likelihood is flat: all bots of a group stronger by
/// the same, and in games of teams what members of the same teams can't be told
/// apart by. Unit vectors at right angles to each other; strengths only.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Nulls(Vec<Null>);

/// A direction: bots, and how much of it each has.
type Null = Vec<(usize, f64)>;

impl Nulls {
    /// One direction for each group: all its members, by the seats that they take.
    pub fn of_groups<'g>(groups: impl Iterator<Item = &'g [usize]>, size: impl Fn(usize) -> f64) -> Nulls {
        let null = |members: &[usize]| {
            let length = members.iter().map(|bot| size(*bot).powi(2)).sum::<f64>().sqrt();
            members.iter().map(|bot| (*bot, size(*bot) / length)).collect()
        };
        Nulls(groups.map(null).collect())
    }

    /// All directions in which the games say nothing, as they are found in the
    /// curvature among equals.
    pub fn of_games(model: &Model<'_>) -> Result<Nulls, NotConverged> {
        let curvature = without_prior(model);
        let strengths = Mat::from_fn(model.bots, model.bots, |row, column| curvature[(row, column)]);
        let found = strengths.self_adjoint_eigen(Side::Lower).map_err(|_| NotConverged::default())?;
        let values: Vec<f64> = (0..model.bots).map(|index| found.S()[index]).collect();
        let largest = values.iter().copied().fold(0.0, f64::max);
        let vectors = found.U();
        let flat = (0..model.bots).filter(|index| values[*index] < 1e-9 * largest);
        Ok(Nulls(
            flat.map(|index| (0..model.bots).map(|bot| (bot, vectors[(bot, index)])).collect()).collect(),
        ))
    }

    /// The direction of a group is not open any more.
    pub fn remove(&mut self, group: usize) {
        self.0[group].clear();
    }

    /// How much of a bot's strength lies along these directions, 0 to 1.
    pub fn share(&self, bot: usize) -> f64 {
        let own = self.0.iter().flatten().filter(|(of, _)| *of == bot);
        own.map(|(_, share)| share * share).sum()
    }

    /// Takes off what lies along these directions.
    pub fn flatten(&self, values: &mut [f64]) {
        for null in &self.0 {
            let along: f64 = null.iter().map(|(bot, share)| share * values[*bot]).sum();
            null.iter().for_each(|(bot, share)| values[*bot] -= along * share);
        }
    }

    /// Makes a matrix definite that is singular along these directions. Says how
    /// hard it holds.
    pub fn hold(&self, matrix: &mut Mat<f64>, bots: usize) -> f64 {
        let by = (0..bots).map(|bot| matrix[(bot, bot)]).sum::<f64>() / bots as f64;
        self.add(matrix, by);
        by
    }

    /// Takes the hold off its inverse.
    pub fn release(&self, inverse: &mut Mat<f64>, by: f64) {
        self.add(inverse, -1.0 / by);
    }

    fn add(&self, matrix: &mut Mat<f64>, by: f64) {
        for null in &self.0 {
            for (column, in_column) in null {
                for (row, in_row) in null {
                    matrix[(*row, *column)] += by * in_row * in_column;
                }
            }
        }
    }
}

/// Bots that stay where they are on the printed scale, in natural units.
///
/// That scale depends on all strengths and on how often there are ties, so raw strengths of
/// pinned bots move with the other parameters: `t = given / scale`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Pins(pub Vec<(usize, f64)>);

impl Pins {
    /// Puts pinned bots to their places.
    pub fn place(&self, model: &Model<'_>, at: &mut [f64]) {
        if self.0.is_empty() {
            return;
        }
        // The scale depends on where these are: the one by which they are placed must come out again.
        let mut off = |log_scale: f64| {
            for (bot, given) in &self.0 {
                at[*bot] = given / log_scale.exp();
            }
            scale::value(model, at).ln() - log_scale
        };
        let mut before = (0.0, off(0.0));
        let mut log_scale = before.1 / 2.0;
        for _ in 0..100 {
            let now = off(log_scale);
            if now.abs() < 1e-14 {
                break;
            }
            // The secant; where it has no slope, half of the way, which can't swing back and forth.
            let slope = (now - before.1) / (log_scale - before.0);
            before = (log_scale, now);
            let step = if slope < -0.1 { -now / slope } else { now / 2.0 };
            if step.abs() < 1e-15 {
                break;
            }
            log_scale += step;
        }
    }

    /// By how much each pinned bot's raw strength moves with each parameter that is free.
    fn moves(&self, model: &Model<'_>, at: &[f64]) -> Vec<(usize, Vec<(usize, f64)>)> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let Scale { value, mut slope } = scale::scale(model, at);
        // Pinned bots move the scale, and that moves them.
        let echo: f64 = self.0.iter().map(|(bot, given)| slope[*bot] * given / value.powi(2)).sum();
        self.0.iter().for_each(|(bot, _)| slope[*bot] = 0.0);
        let moving: Vec<(usize, f64)> =
            slope.into_iter().enumerate().filter(|(_, slope)| *slope != 0.0).collect();
        let shares = |given: f64| -> Vec<(usize, f64)> {
            let own = -given / value.powi(2) / (1.0 + echo);
            moving
                .iter()
                .map(|(free, slope)| (*free, own * slope))
                .filter(|(_, share)| *share != 0.0)
                .collect()
        };
        self.0.iter().map(|(bot, given)| (*bot, shares(*given))).collect()
    }

    /// Gives what is said of pinned bots to the parameters that move them.
    pub fn absorb(&self, model: &Model<'_>, at: &[f64], slope: &mut [f64], curvature: &mut Mat<f64>) {
        let size = curvature.nrows();
        for (bot, shares) in self.moves(model, at) {
            for (free, share) in shares {
                slope[free] += share * slope[bot];
                for column in 0..size {
                    curvature[(free, column)] += share * curvature[(bot, column)];
                }
                for row in 0..size {
                    curvature[(row, free)] += share * curvature[(row, bot)];
                }
            }
            slope[bot] = 0.0;
            for other in 0..size {
                curvature[(bot, other)] = 0.0;
                curvature[(other, bot)] = 0.0;
            }
            curvature[(bot, bot)] = 1.0;
        }
    }

    /// What is known of pinned bots follows from the parameters that move them.
    pub fn expand(&self, model: &Model<'_>, at: &[f64], inverse: &mut Mat<f64>) {
        let size = inverse.nrows();
        for (bot, shares) in self.moves(model, at) {
            for other in 0..size {
                inverse[(bot, other)] = 0.0;
                inverse[(other, bot)] = 0.0;
            }
            for (free, share) in shares {
                for column in 0..size {
                    let of_free = share * inverse[(free, column)];
                    inverse[(bot, column)] += of_free;
                }
                for row in 0..size {
                    let of_free = share * inverse[(row, free)];
                    inverse[(row, bot)] += of_free;
                }
            }
        }
    }
}

/// What the games alone say of equals. That will do where nothing but the table of
/// who sat where matters.
fn without_prior(model: &Model<'_>) -> Mat<f64> {
    let games = Model { groups: &[], held: Held::default(), ..model.clone() };
    games.derivatives(&vec![0.0; model.parameters()]).1
}

/// Which of what seats are worth the games tell from what bots are worth: those of
/// which something is left when bots are free to explain it.
///
/// The others are taken out of the model; says of how many seats their games are.
pub(super) fn drop_unknown_effects(model: &mut Model<'_>, nulls: &Nulls) -> Result<Vec<usize>, NotConverged> {
    let effects = model.effects.len();
    if effects == 0 {
        return Ok(Vec::new());
    }
    let curvature = without_prior(model);
    let bots = model.bots;
    let mut strengths = Mat::from_fn(bots, bots, |row, column| curvature[(row, column)]);
    let cross = Mat::from_fn(bots, effects, |row, effect| curvature[(row, bots + effect)]);
    nulls.hold(&mut strengths, bots);
    let explained = factor(&strengths)?.solve(&cross);
    let left = Mat::from_fn(effects, effects, |row, column| {
        let by_bots: f64 = (0..bots).map(|bot| cross[(bot, row)] * explained[(bot, column)]).sum();
        curvature[(bots + row, bots + column)] - by_bots
    });
    let mut tables: Vec<usize> = model.effects.iter().map(|(seats, _)| *seats).collect();
    tables.dedup();
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for seats in tables {
        let own = (0..effects).filter(|effect| model.effects[*effect].0 == seats);
        let tried: Vec<usize> = known.iter().copied().chain(own).collect();
        let part = Mat::from_fn(tried.len(), tried.len(), |row, column| left[(tried[row], tried[column])]);
        let size = tried.iter().map(|effect| curvature[(bots + effect, bots + effect)]).fold(0.0, f64::max);
        let values = part.self_adjoint_eigenvalues(Side::Lower).map_err(|_| NotConverged::default())?;
        if values.iter().all(|value| *value > 1e-9 * size) {
            known = tried;
        } else {
            unknown.push(seats);
        }
    }
    model.effects.retain(|(seats, _)| !unknown.contains(seats));
    Ok(unknown)
}
