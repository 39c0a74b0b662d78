//! Remarks on ratings, in words.

use std::fmt;

use linesman_types::clause::Clause;

/// The number of names that a note lists before it only counts the rest.
const NAMES_IN_A_NOTE: usize = 20;

/// A remark on a rating.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Note {
    /// No games, so no rating.
    NoGames,
    /// The rating was given.
    Anchor,
    /// It won all its games. Only the prior keeps its rating finite.
    PriorWonAll,
    /// It lost all its games. Only the prior keeps its rating finite.
    PriorLostAll,
    /// It and some others have only one-sided results against the rest. Only the prior determines their
    /// distance.
    PriorOneSided,
    /// It won all its games against the rated bots: its interval has no upper end.
    NoUpperBound,
    /// It lost all its games against the rated bots: its interval has no lower end.
    NoLowerBound,
    /// Results do not place it among the rated bots.
    Unplaced,
    /// Teams won or lost everything, and there is no prior: no finite ratings explain the results.
    NotFinite,
    /// Its results depend on its teammates too, and the line-ups don't separate their strengths.
    Indistinguishable,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Note::NoGames => "no games",
            Note::Anchor => "an anchor; its rating is fixed",
            Note::PriorWonAll => "won every game; its Elo depends on the prior",
            Note::PriorLostAll => "lost every game; its Elo depends on the prior",
            Note::PriorOneSided => {
                "only one-sided results against others; the distance to them depends on the prior"
            }
            Note::NoUpperBound => "won every game against the rated bots; no upper bound",
            Note::NoLowerBound => "lost every game against the rated bots; no lower bound",
            Note::Unplaced => "its results don't place it among the rated bots",
            Note::NotFinite => "no finite rating explains the results of the teams",
            Note::Indistinguishable => "its results don't distinguish it from its teammates",
        })
    }
}

impl Note {
    /// The note as a heading for a list of several bots.
    pub fn of_several(self) -> &'static str {
        match self {
            Note::NoGames => "no games",
            Note::Anchor => "anchors, whose ratings are fixed",
            Note::PriorWonAll => "won every game, so their Elo depends on the prior",
            Note::PriorLostAll => "lost every game, so their Elo depends on the prior",
            Note::PriorOneSided => {
                "only one-sided results against others, so the distance to them depends on the prior"
            }
            Note::NoUpperBound => "won every game against the rated bots, so there is no upper bound",
            Note::NoLowerBound => "lost every game against the rated bots, so there is no lower bound",
            Note::Unplaced => "results that don't place them among the rated bots",
            Note::NotFinite => "no finite ratings explain the results of the teams",
            Note::Indistinguishable => "results that don't distinguish them from their teammates",
        }
    }
}

/// A remark on a field as a whole. Groups have numbers only if there are several.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub enum FieldNote {
    /// These bots are not connected by games to the bots of the first group.
    Unconnected {
        /// The number of their group, from 2.
        group: usize,
        /// The bots.
        bots: Vec<String>,
    },
    /// Only a prior keeps the ratings of these groups finite.
    PriorUsed {
        /// The groups; empty if there is only one group.
        groups: Vec<usize>,
    },
    /// No anchor is in this group, which has its own mean.
    WithoutAnchor {
        /// The number of the group, from 1.
        group: usize,
    },
    /// These bots have no games.
    NoGames {
        /// The bots.
        bots: Vec<String>,
    },
    /// The seatings don't determine the effects of seats in games with this number of seats, so all seats
    /// count as equal.
    SeatsUnknown {
        /// The number of seats.
        seats: usize,
    },
    /// Some seat won or lost every game, and only a prior keeps its effect finite.
    SeatsOneSided,
    /// All games of some kind ended with shared places, and only a prior keeps the parameter of these ties
    /// finite.
    TiesOneSided,
    /// These bots were on the same side in all their games, and are rated as one.
    Together {
        /// The bots.
        bots: Vec<String>,
        /// Their common name.
        name: String,
    },
    /// Some games repeat earlier ones move for move.
    Repeated {
        /// The number of games.
        games: u64,
        /// The total number of games.
        of: u64,
    },
    /// Games of a bot against itself were left out.
    SelfPlay {
        /// The number of games.
        games: u64,
    },
    /// Some resamples of the bootstrap contain no games of some of the bots.
    ResamplesLost {
        /// The number of resamples.
        resamples: u64,
        /// The total number of resamples.
        of: u64,
    },
}

impl FieldNote {
    /// The note in words.
    pub fn clause(&self) -> Clause {
        let words = Clause::from(Unquoted(self).to_string());
        match self {
            FieldNote::Together { bots, name } if *name != bots.join("+") => words.words(", ").quoted(name),
            _ => words,
        }
    }
}

impl fmt::Display for FieldNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.clause().fmt(f)
    }
}

/// A note without the common name of bots that are rated as one.
struct Unquoted<'n>(&'n FieldNote);

impl fmt::Display for Unquoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            FieldNote::Unconnected { group, bots } => {
                write!(f, "no games connect group {group} to group 1, so their ratings can't be compared: ")?;
                write_names(f, bots)
            }
            FieldNote::PriorUsed { groups } => write_prior(f, groups),
            FieldNote::WithoutAnchor { group } => {
                write!(f, "group {group} has no anchor, so its mean is fixed instead")
            }
            FieldNote::NoGames { bots } => {
                f.write_str("no games: ")?;
                write_names(f, bots)
            }
            FieldNote::SeatsUnknown { seats } => {
                if *seats > 2 {
                    write!(f, "in games of {seats} seats, ")?;
                }
                f.write_str(
                    "the advantage of a seat can't be distinguished from the strength of the bots in it, so all \
                     seats count as equal",
                )
            }
            FieldNote::SeatsOneSided => f.write_str(
                "One seat won or lost every game, which is too few results to say how much it is worth. The \
                 ratings count half a win and half a loss more for each seat, so that its worth is not without \
                 limit.",
            ),
            FieldNote::TiesOneSided => f.write_str(
                "Games of some kind were all drawn, so their draw rate would be infinite. To keep it finite, half \
                 a draw and half a decisive game are added.",
            ),
            FieldNote::Together { bots, .. } => {
                write_names(f, bots)?;
                f.write_str(" always played together and are rated as one")
            }
            FieldNote::Repeated { games, of } => write!(
                f,
                "{games} of {of} games {} move for move, which adds no information and narrows no interval",
                if *games == 1 { "repeats an earlier one" } else { "repeat earlier ones" },
            ),
            FieldNote::SelfPlay { games: 1 } => f.write_str("1 game of a bot against itself was left out"),
            FieldNote::SelfPlay { games } => {
                write!(f, "{games} games of bots against themselves were left out")
            }
            FieldNote::ResamplesLost { resamples, of } => write!(
                f,
                "{resamples} of {of} resamples don't connect all bots and are left out of the intervals of \
                 unconnected bots"
            ),
        }
    }
}

fn write_prior(f: &mut fmt::Formatter<'_>, groups: &[usize]) -> fmt::Result {
    let numbers: Vec<String> = groups.iter().map(ToString::to_string).collect();
    let (some, of) = match numbers.as_slice() {
        [] => ("Some".to_owned(), ""),
        [group] => (format!("In group {group}, some"), " of the group"),
        [first @ .., last] => (format!("In groups {} and {last}, some", first.join(", ")), " of its group"),
    };
    write!(
        f,
        "{some} bots won or lost every game, so their Elo would be infinite. To keep it finite, each bot is \
         credited half a win and half a loss against an imaginary average bot{of}."
    )
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
