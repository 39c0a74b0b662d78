//! The scale on which strengths are printed: that of expected scores.

use super::choice;
use super::model::Model;
use crate::seat::MAX_SEATS;

/// How many points of the printed scale one of the model's is, and the slope of that
/// by the logarithm of each tie's parameter.
///
/// It is the slope of the expected score between equals over the 1/4 that it has without ties,
/// with two seats `2 / (2 + nu)`; where games have several numbers of seats, the mean over the games.
pub(super) fn scale(model: &Model<'_>, at: &[f64]) -> (f64, Vec<f64>) {
    const STEP: f64 = 1e-5;
    let ties = model.log_ties(at);
    if model.tables.is_empty() {
        let nu = ties[0].exp();
        let scale = 2.0 / (2.0 + nu);
        return (scale, model.ties.iter().map(|_| -scale * nu / (2.0 + nu)).collect());
    }
    let mut games = [0.0; MAX_SEATS + 1];
    games[2] = model.duels.iter().map(|duel| duel.games()).sum();
    for (table, times) in model.tables {
        games[table.seated.len()] += times;
    }
    let all: f64 = games.iter().sum();
    let mean = |ties: &[f64; choice::TIES]| -> f64 {
        let seats = (2..=MAX_SEATS).filter(|seats| games[*seats] > 0.0);
        seats.map(|seats| games[seats] / all * choice::scale(seats, ties)).sum()
    };
    let slope = model.ties.iter().map(|tied| {
        let moved = |by: f64| {
            let mut moved = ties;
            moved[tied - 2] += by;
            mean(&moved)
        };
        (moved(STEP) - moved(-STEP)) / (2.0 * STEP)
    });
    (mean(&ties), slope.collect())
}
