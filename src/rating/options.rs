//! What can be chosen about a rating.

use super::DEFAULT_MEAN;

/// How maximum-likelihood ratings are to be given.
#[derive(Clone, PartialEq, Debug)]
pub struct LikelihoodOptions {
    /// The mean of each group of bots connected by games, in Elo.
    pub mean: f64,
    /// A bot whose rating is given; in its group it takes the place of the mean.
    pub anchor: Option<Anchor>,
    /// What is done where the results alone give no finite rating.
    pub prior: Prior,
}

impl Default for LikelihoodOptions {
    fn default() -> LikelihoodOptions {
        LikelihoodOptions { mean: DEFAULT_MEAN, anchor: None, prior: Prior::Auto }
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
