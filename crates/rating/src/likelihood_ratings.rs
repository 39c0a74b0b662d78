//! The calculation of maximum-likelihood ratings from results.

use super::bootstrap;
use super::dataset::{Dataset, Total};
use super::options::{Anchor, Intervals, LikelihoodOptions, Method};
use super::rating_plan::RatingPlan;
use super::ratings::Ratings;
use super::results::Results;
use super::{RatingError, check_finite};

/// Rates all bots by maximum likelihood.
///
/// Groups of bots that are not connected by games are rated separately. The mean rating of the rated bots of a
/// group is exactly [the given mean](LikelihoodOptions::mean) or, with anchors, each anchor's rating is exactly
/// the given one.
///
/// # Errors
/// If an anchor can't serve as one, a number is not finite, or the search does not converge.
///
/// ```
/// use linesman_rating::{LikelihoodOptions, Results, Tally, rate};
///
/// let mut results = Results::new();
/// results.add_tally("Ada", "Bob", Tally { wins: 30, draws: 0, losses: 10 });
/// let ratings = rate(&results, &LikelihoodOptions::default())?;
/// let difference = ratings.difference(0, 1).expect("both are rated");
/// // Three points in four: 400 log10 3.
/// assert!((difference.elo - 190.85).abs() < 0.01);
/// # Ok::<(), linesman_rating::RatingError>(())
/// ```
pub fn rate(results: &Results, options: &LikelihoodOptions) -> Result<Ratings, RatingError> {
    rate_dataset(&Dataset::new(results), options)
}

/// [`rate`] for results that are not needed afterwards: they are dropped before the search begins.
pub(super) fn rate_all(results: Results, options: &LikelihoodOptions) -> Result<Ratings, RatingError> {
    let dataset = Dataset::new(&results);
    drop(results);
    rate_dataset(&dataset, options)
}

fn rate_dataset(dataset: &Dataset, options: &LikelihoodOptions) -> Result<Ratings, RatingError> {
    check_finite("the mean", options.mean)?;
    for anchor in &options.anchors {
        check_finite("an anchor's rating", anchor.elo)?;
    }
    let totals = dataset.totals();
    let anchors = anchors(dataset, &totals, &options.anchors)?;
    let plan = RatingPlan::new(dataset, &anchors, options)?;
    let method = Method::Likelihood(options.clone());
    let mut ratings = Ratings::unrated(dataset, &totals, &plan.groups, method);
    plan.write(&totals, &mut ratings)?;
    if let Intervals::Bootstrap { resamples, seed } = options.intervals {
        bootstrap::write_intervals(dataset, &plan, resamples, seed, &mut ratings);
    }
    ratings.sort();
    Ok(ratings)
}

/// The anchors as entrants with their ratings, in the order in which they were given.
fn anchors(dataset: &Dataset, totals: &[Total], given: &[Anchor]) -> Result<Vec<(usize, f64)>, RatingError> {
    let mut anchors: Vec<(usize, f64)> = Vec::with_capacity(given.len());
    for anchor in given {
        let bot = match dataset.entrants.names.binary_search(&anchor.name) {
            Ok(bot) if totals[bot].tally.games() > 0 => bot,
            _ => return Err(RatingError::AnchorWithoutGames { name: anchor.name.clone() }),
        };
        if anchors.iter().any(|(earlier, _)| *earlier == bot) {
            return Err(RatingError::AnchorTwice { name: anchor.name.clone() });
        }
        anchors.push((bot, anchor.elo));
    }
    Ok(anchors)
}
