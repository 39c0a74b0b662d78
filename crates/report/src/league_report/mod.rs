//! The report of a league: how it stands, how sure that is, and what its games
//! were like, in every form in which people and programs want it.
//!
//! The way through it: [`Statistics`] and [`Checkpoints`] are filled record by
//! record, [`Report`] puts them beside the standings and the ratings. Its
//! [parts](Part) are tables, its [sentences](Sentence) say in words what numbers
//! alone would hide, and [`text()`], [`markdown()`], [`html()`] and [`json()`] write
//! both down. Everything is a pure function of records: the same records, the
//! same bytes. The program chooses the form in `src/cli/league/report.rs`.

mod course;
mod crossed;
mod game_tables;
mod groups;
mod html;
mod json;
mod lengths;
mod markdown;
mod overhead;
mod pictures;
mod ranking;
mod repeats;
mod rules;
mod sentence;
mod shown;
mod statistics;
mod tables;
mod text;

#[cfg(test)]
pub(crate) mod tests;

pub use course::{Checkpoints, Course};
pub use html::html;
pub use json::json;
pub use lengths::Lengths;
pub use markdown::markdown;
pub use pictures::{PICTURES, Picture};
pub use rules::{DecidedBy, Match, Rules, Side};
pub use sentence::{About, Sentence, SentencePart};
pub use statistics::Statistics;
pub use text::text;

use crate::standings::Standings;
use linesman_games::OptionValues;
use linesman_rating::Ratings;
use linesman_rating::sprt::Status;
use linesman_record::Tally;

/// What a league is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    /// Its name.
    pub league: String,
    /// The game.
    pub game: String,
    /// The game's options: `size=5,max_plies=200`.
    pub options: String,
    /// The same one by one.
    pub option_values: OptionValues,
    /// How much time bots have: `movetime=1s`.
    pub time_control: String,
    /// How many bots or teams take part.
    pub entrants: usize,
    /// How many games its schedule has; if it has no end, how many have been played.
    pub games: u64,
    /// How many of them have not been played; none if the schedule has no end.
    pub left: Option<u64>,
    /// Whether all are meant to meet equally often.
    pub meetings: Meetings,
    /// How it stands, if it is a sequential test.
    pub test: Option<TestFacts>,
}

/// How a sequential test stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestFacts {
    /// The new bot and its base.
    pub names: [String; 2],
    /// What it found.
    pub status: Status,
    /// The numbers behind that: `LLR 2.97 (-2.94, 2.94), Elo 90 (20 to 170), 30 won, 2 drawn, 11 lost`.
    pub in_a_word: String,
    /// Number of games that count.
    pub games: u64,
    /// True if no more games are played.
    pub has_ended: bool,
}

/// Whether all who take part are meant to meet equally often.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Meetings {
    /// They are, as in a round robin.
    #[default]
    Even,
    /// Their schedule has others meet than others.
    Chosen,
}

/// All that a report is made of.
#[derive(Copy, Clone, Debug)]
pub struct Report<'r> {
    /// What the league is.
    pub facts: &'r Facts,
    /// The rules by which its schedule has an order of its own.
    pub rules: &'r Rules,
    /// Who reached what.
    pub tally: &'r Tally,
    /// The order.
    pub standings: &'r Standings,
    /// The ratings.
    pub ratings: &'r Ratings,
    /// How the ratings went.
    pub course: &'r Course,
    /// What the games were like.
    pub statistics: &'r Statistics,
    /// What else is to be said.
    pub further: &'r [Sentence],
}

/// A part of a report.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// Who stands where by the rules of a Swiss or a knockout.
    Ranking,
    /// The matches of a knockout.
    Bracket,
    /// The standings.
    Standings,
    /// What seats are worth.
    Seats,
    /// Who failed and how.
    Faults,
    /// Everyone against everyone.
    Crosstable,
    /// What ended the games.
    Endings,
    /// How long the games are.
    Lengths,
    /// What the games started from.
    Openings,
    /// How ratings went over the games.
    Course,
}

impl Part {
    /// All parts in their order; those that a league does not have are left out of its report.
    pub const ALL: [Part; 10] = [
        Part::Ranking,
        Part::Bracket,
        Part::Standings,
        Part::Seats,
        Part::Faults,
        Part::Crosstable,
        Part::Endings,
        Part::Lengths,
        Part::Openings,
        Part::Course,
    ];

    /// The part's word on the command line and in data.
    pub fn word(self) -> &'static str {
        match self {
            Part::Ranking => "ranking",
            Part::Bracket => "bracket",
            Part::Standings => "standings",
            Part::Seats => "seats",
            Part::Faults => "faults",
            Part::Crosstable => "crosstable",
            Part::Endings => "endings",
            Part::Lengths => "lengths",
            Part::Openings => "openings",
            Part::Course => "course",
        }
    }

    /// Its heading where its own rules order a league, or none do.
    fn title(self, rules: &Rules) -> &'static str {
        match self {
            // The order that counts is the ranking's.
            Part::Standings if *rules != Rules::None => "Results and ratings",
            Part::Ranking => "Ranking",
            Part::Bracket => "Bracket",
            Part::Standings => "Standings",
            Part::Seats => "Score by seat",
            Part::Faults => "Faults",
            Part::Crosstable => "Crosstable",
            Part::Endings => "How games ended",
            Part::Lengths => "Game lengths",
            Part::Openings => "Openings",
            Part::Course => "Ratings over time",
        }
    }

    /// What is said in place of a table where there is nothing to show.
    fn nothing(self) -> &'static str {
        match self {
            Part::Ranking | Part::Standings => "There are no participants.",
            Part::Bracket => "There are no matches.",
            Part::Seats | Part::Crosstable | Part::Endings => "No game has a result yet.",
            Part::Faults => "No bot failed.",
            Part::Lengths => "No record has moves.",
            Part::Openings => "All games began from the usual start.",
            Part::Course => "There are too few games or too many bots to show ratings over time.",
        }
    }
}

impl Facts {
    /// What it is about, in short parts: `quixo size=5`, `4 bots`, `movetime=1s`.
    fn in_short(&self, what: &str) -> Vec<String> {
        let game = format!("{} {}", self.game, self.options);
        let entrants = format!("{} {what}{}", self.entrants, if self.entrants == 1 { "" } else { "s" });
        let parts = [game.trim().to_owned(), entrants, self.time_control.clone()];
        parts
            .into_iter()
            .map(|part| linesman_record::text::printable(&part, 300))
            .filter(|part| !part.is_empty())
            .collect()
    }
}

impl Report<'_> {
    /// Those of these parts that a report of this league has.
    fn parts_of(&self, parts: &[Part]) -> impl Iterator<Item = Part> {
        parts.iter().copied().filter(|part| self.rules.give(*part))
    }

    /// `bot` or `team`.
    fn entrant_word(&self) -> &'static str {
        if self.tally.is_of_teams() { "team" } else { "bot" }
    }
}
