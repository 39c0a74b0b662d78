//! What can be chosen about a rating.

use super::DEFAULT_MEAN;

/// How maximum-likelihood ratings are to be given.
#[derive(Clone, PartialEq, Debug)]
pub struct LikelihoodOptions {
    /// The mean of each group of bots connected by games, in Elo.
    pub mean: f64,
    /// Bots whose ratings are given; in their group they take the place of the mean.
    pub anchors: Vec<Anchor>,
    /// What is done where the results alone give no finite rating.
    pub prior: Prior,
    /// Where intervals come from.
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

/// What is done for bots whose results give no finite rating, those that won
/// or lost all their games before all.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum Prior {
    /// In a group that needs it, and only there, each bot also gets one drawn
    /// game's worth (half a win and half a loss) against a phantom whose
    /// strength is the mean of the group.
    #[default]
    Auto,
    /// Results only: such bots get a bound on one side instead of a rating.
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

/// Where intervals come from.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub enum Intervals {
    /// The covariance at the maximum, by opening pair where there are pairs.
    #[default]
    Covariance,
    /// The field rated again, as often as it says, from games picked from its own with
    /// replacement; opening pairs are picked as wholes.
    Bootstrap {
        /// How often.
        resamples: u32,
        /// What the draws begin with: the same seed, the same intervals.
        seed: u64,
    },
}

/// How incremental ratings are to be computed.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct IncrementalOptions {
    /// How much one game can change a rating, in Elo.
    pub k: f64,
    /// Everybody's rating before the first game, in Elo.
    pub start: f64,
}

impl Default for IncrementalOptions {
    fn default() -> IncrementalOptions {
        IncrementalOptions { k: 20.0, start: DEFAULT_MEAN }
    }
}

/// How online ratings by Weng and Lin are to be computed.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct OnlineOptions {
    /// Everybody's rating before the first game, in Elo.
    pub start: f64,
    /// How uncertain that is: a standard deviation, in Elo.
    pub uncertainty: f64,
}

impl Default for OnlineOptions {
    fn default() -> OnlineOptions {
        // Twice the width of a class, as the authors have it: 25 / 3 beside 25 / 6.
        OnlineOptions {
            start: DEFAULT_MEAN,
            uncertainty: 2.0 * super::ELO_PER_NATURAL / std::f64::consts::SQRT_2,
        }
    }
}
