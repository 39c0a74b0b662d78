//! The methods of rating and their options.

use super::DEFAULT_MEAN;

/// A method of rating, with its options.
#[derive(Clone, PartialEq, Debug)]
pub enum Method {
    /// The ratings that make all results together most likely.
    Likelihood(LikelihoodOptions),
    /// The classical running rating.
    Incremental(IncrementalOptions),
    /// The online rating of Weng and Lin.
    Online(OnlineOptions),
}

impl Method {
    /// The method's word on the command line and in files.
    pub fn word(&self) -> &'static str {
        match self {
            Method::Likelihood(_) => "likelihood",
            Method::Incremental(_) => "incremental",
            Method::Online(_) => "weng-lin",
        }
    }
}

/// The options of maximum-likelihood ratings.
#[derive(Clone, PartialEq, Debug)]
pub struct LikelihoodOptions {
    /// The mean of each group of bots connected by games, in Elo.
    pub mean: f64,
    /// Bots whose ratings are given; in their group they replace the mean.
    pub anchors: Vec<Anchor>,
    /// The prior, for results that alone give no finite rating.
    pub prior: Prior,
    /// The source of intervals.
    pub intervals: Intervals,
}

impl Default for LikelihoodOptions {
    fn default() -> LikelihoodOptions {
        LikelihoodOptions {
            mean: DEFAULT_MEAN,
            anchors: Vec::new(),
            prior: Prior::Auto,
            intervals: Intervals::Covariance,
        }
    }
}

/// A bot whose rating is given.
#[derive(Clone, PartialEq, Debug)]
pub struct Anchor {
    /// The bot.
    pub name: String,
    /// Its rating, in Elo.
    pub elo: f64,
}

/// The prior for bots whose results give no finite rating, such as those that won or lost all their games.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum Prior {
    /// In a group that needs it, each bot is credited half a win and half a loss against a phantom whose
    /// strength is the mean of the group.
    #[default]
    Auto,
    /// Results only: such bots get a one-sided bound instead of a rating.
    None,
}

impl Prior {
    /// The prior's word on the command line and in files.
    pub fn word(self) -> &'static str {
        match self {
            Prior::Auto => "auto",
            Prior::None => "none",
        }
    }
}

/// The source of intervals.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum Intervals {
    /// The covariance at the maximum, clustered by opening pair if there are pairs.
    #[default]
    Covariance,
    /// Ratings of a number of resamples of the games, drawn with replacement. The games of an opening pair
    /// are drawn together.
    Bootstrap {
        /// The number of resamples.
        resamples: u32,
        /// The seed of the draws. The same seed gives the same intervals.
        seed: u64,
    },
}

/// The options of incremental ratings.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct IncrementalOptions {
    /// The maximum change of a rating in one game, in Elo.
    pub k: f64,
    /// The rating of every bot before the first game, in Elo.
    pub start: f64,
}

impl Default for IncrementalOptions {
    fn default() -> IncrementalOptions {
        IncrementalOptions { k: 20.0, start: DEFAULT_MEAN }
    }
}

/// The options of online ratings by Weng and Lin.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct OnlineOptions {
    /// The rating of every bot before the first game, in Elo.
    pub start: f64,
    /// The uncertainty of that rating: a standard deviation, in Elo.
    pub uncertainty: f64,
}

impl Default for OnlineOptions {
    fn default() -> OnlineOptions {
        // Twice the width of a class, the ratio that the authors use: 25 / 3 and 25 / 6.
        OnlineOptions {
            start: DEFAULT_MEAN,
            uncertainty: 2.0 * super::ELO_PER_NATURAL / std::f64::consts::SQRT_2,
        }
    }
}
