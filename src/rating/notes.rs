//! What must be known about ratings, in words.

use std::fmt;

/// How many names a note lists before it only counts the rest.
const NAMES_IN_A_NOTE: usize = 20;

/// What must be known about a rating.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Note {
    /// No games, so no rating.
    NoGames,
    /// The rating was given.
    Anchor,
    /// It won all its games, and only the prior keeps its rating finite.
    PriorWonAll,
    /// It lost all its games, and only the prior keeps its rating finite.
    PriorLostAll,
    /// It and some others met the rest with one-sided results only, and only the
    /// prior says how far apart they are.
    PriorOneSided,
    /// It won all its games against the rated bots: its interval has no upper end.
    NoUpperBound,
    /// It lost all its games against the rated bots: its interval has no lower end.
    NoLowerBound,
    /// Results place it nowhere among the rated bots.
    Unplaced,
    /// Teams won or lost everything, and there is no prior: no finite ratings explain the results.
    NotFinite,
    /// Its results depend on its team mates too, and who played with whom does not tell them apart.
    NotTold,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Note::NoGames => "no games",
            Note::Anchor => "an anchor: its rating was given",
            Note::PriorWonAll => "won all its games: the number is the prior's",
            Note::PriorLostAll => "lost all its games: the number is the prior's",
            Note::PriorOneSided => {
                "only one-sided results against others: the distance to them is the prior's"
            }
            Note::NoUpperBound => "won all its games against the rated bots: no upper bound",
            Note::NoLowerBound => "lost all its games against the rated bots: no lower bound",
            Note::Unplaced => "no results that would place it among rated bots",
            Note::NotFinite => "no finite rating explains the results of the teams",
            Note::NotTold => "its teams do not tell it from its team mates",
        })
    }
}

impl Note {
    /// The note as a heading for a list of several bots.
    pub fn of_several(self) -> &'static str {
        match self {
            Note::NoGames => "no games",
            Note::Anchor => "anchors, whose ratings were given",
            Note::PriorWonAll => "won all games, so the numbers are the prior's",
            Note::PriorLostAll => "lost all games, so the numbers are the prior's",
            Note::PriorOneSided => {
                "only one-sided results against others, so the distances to them are the prior's"
            }
            Note::NoUpperBound => "won all games against the rated bots, so there is no upper bound",
            Note::NoLowerBound => "lost all games against the rated bots, so there is no lower bound",
            Note::Unplaced => "no results that would place them among rated bots",
            Note::NotFinite => "no finite ratings explain the results of the teams",
            Note::NotTold => "their teams do not tell them from their team mates",
        }
    }
}

/// What must be known about a field as a whole. Groups have numbers only where
/// there are several.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub enum FieldNote {
    /// These bots are not connected by games to the bots of the first group.
    Unconnected {
        /// Their group.
        group: usize,
        /// They.
        bots: Vec<String>,
    },
    /// Ratings of this group are finite by a prior.
    PriorUsed {
        /// The group.
        group: Option<usize>,
    },
    /// No anchor is in this group, which has its own mean.
    WithoutAnchor {
        /// The group.
        group: usize,
    },
    /// These bots have no games.
    NoGames {
        /// They.
        bots: Vec<String>,
    },
    /// Who sat where leaves open what seats are worth in games of so many seats,
    /// so all count as alike.
    SeatsUnknown {
        /// How many seats.
        seats: usize,
    },
    /// Some seat won or lost everything, and only a prior keeps its worth finite.
    SeatsOneSided,
    /// There is a kind of game that always ended in a tie, and only a prior keeps that finite.
    TiesOneSided,
    /// These bots were on the same side in all their games, and are rated as one.
    Together {
        /// They.
        bots: Vec<String>,
        /// What they are called.
        name: String,
    },
    /// Some games repeat earlier ones move for move.
    Repeated {
        /// How many.
        games: u64,
        /// Of how many.
        of: u64,
    },
    /// Games of a bot against itself were left out.
    SelfPlay {
        /// How many.
        games: u64,
    },
    /// Some resamples of the bootstrap say nothing of some of the bots.
    ResamplesLost {
        /// How many.
        resamples: u64,
        /// Of how many.
        of: u64,
    },
}

impl fmt::Display for FieldNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldNote::Unconnected { group, bots } => {
                write!(
                    f,
                    "group {group} is not connected by games to group 1, its ratings can't be compared with those: "
                )?;
                write_names(f, bots)
            }
            FieldNote::PriorUsed { group } => {
                f.write_str("the results")?;
                if let Some(group) = group {
                    write!(f, " of group {group}")?;
                }
                f.write_str(
                    " alone give no finite ratings (somebody won or lost everything), so each bot also got half a \
                     win and half a loss against a phantom at the ",
                )?;
                f.write_str(if group.is_some() { "group's mean" } else { "mean" })
            }
            FieldNote::WithoutAnchor { group } => {
                write!(f, "no anchor is in group {group}, whose mean is fixed instead")
            }
            FieldNote::NoGames { bots } => {
                f.write_str("without games: ")?;
                write_names(f, bots)
            }
            FieldNote::SeatsUnknown { seats } => {
                if *seats > 2 {
                    write!(f, "in games of {seats} seats ")?;
                }
                f.write_str(
                    "who sat where can't tell what seats are worth from what bots are worth, so all seats count as alike",
                )
            }
            FieldNote::SeatsOneSided => f.write_str(
                "some seat won or lost everything: what seats are worth is finite only by half a win and half a loss \
                 against a phantom",
            ),
            FieldNote::TiesOneSided => f.write_str(
                "games were drawn where they could be: how often is finite only by half a draw and half a decisive \
                 game more",
            ),
            FieldNote::Together { bots, name } => {
                write_names(f, bots)?;
                write!(f, " always played together, and are rated as one")?;
                if *name != bots.join("+") { write!(f, ", `{name}`") } else { Ok(()) }
            }
            FieldNote::Repeated { games, of } => write!(
                f,
                "{games} of {of} games repeat {} move for move: they say nothing new and make no interval narrower",
                if *games == 1 { "an earlier one" } else { "earlier ones" },
            ),
            FieldNote::SelfPlay { games: 1 } => f.write_str("one game of a bot against itself was left out"),
            FieldNote::SelfPlay { games } => {
                write!(f, "{games} games of bots against themselves were left out")
            }
            FieldNote::ResamplesLost { resamples, of } => write!(
                f,
                "{resamples} of {of} resamples do not connect all bots, and are left out of the intervals of those"
            ),
        }
    }
}

fn write_names(f: &mut fmt::Formatter<'_>, names: &[String]) -> fmt::Result {
    let shown = names.len().min(NAMES_IN_A_NOTE);
    f.write_str(&names[..shown].join(", "))?;
    match names.len() - shown {
        0 => Ok(()),
        1 => f.write_str(" and one other"),
        more => write!(f, " and {more} others"),
    }
}
