//! The report of a league: its state, the significance of its ranking, and the statistics of its games, in all forms
//! for people and programs.
//!
//! [`Statistics`] and [`Checkpoints`] are filled record by record, and [`Report`] combines them with the standings and
//! the ratings. Its [parts](Part) are tables, and its [sentences](Sentence) interpret the numbers. [`text()`],
//! [`markdown()`], [`html()`] and [`json()`] write both. Everything is a pure function of the records: the same records
//! give the same bytes. The program chooses the form in `src/cli/league/report.rs`.

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
mod rules;
mod sentence;
mod shown;
mod statistics;
mod tables;
mod text;
mod workers;

#[cfg(test)]
pub(crate) mod tests;

pub use course::{Checkpoints, Course};
pub use html::html;
pub use json::json;
pub use markdown::markdown;
pub use pictures::{PICTURES, Picture};
pub use rules::{DecidedBy, Match, Rules, Side};
pub use sentence::{About, Sentence, SentencePart};
pub use statistics::Statistics;
pub use text::text;
pub use workers::worker_sentences;

use crate::standings::Standings;
use linesman_games::OptionValues;
use linesman_rating::Ratings;
use linesman_rating::sprt::Status;
use linesman_record::Tally;

/// Facts about a league.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Facts {
    pub league: String,
    pub game: String,
    /// The game's options: `size=5,max_plies=200`.
    pub options: String,
    pub option_values: OptionValues,
    /// The time control of its bots: `movetime=1s`.
    pub time_control: String,
    /// Number of bots or teams that take part.
    pub entrants: usize,
    /// Number of games in its schedule; for an endless schedule, number of games played.
    pub games: u64,
    /// Number of games that have not been played; `None` for an endless schedule.
    pub left: Option<u64>,
    /// The pattern of meetings that its schedule intends.
    pub meetings: Meetings,
    /// The state of its sequential test, if it is one.
    pub test: Option<TestFacts>,
}

/// The state of a sequential test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestFacts {
    /// The new bot and its base.
    pub names: [String; 2],
    /// Its result so far.
    pub status: Status,
    /// The figures of the result: `LLR 2.97 (-2.94, 2.94), Elo 90 (20 to 170), 30 won, 2 drawn, 11 lost`.
    pub in_a_word: String,
    /// Number of games that count.
    pub games: u64,
    /// True if no more games are played.
    pub has_ended: bool,
}

/// The pattern of meetings that a schedule intends.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Meetings {
    /// All pairs meet equally often, as in a round robin.
    #[default]
    Even,
    /// The schedule chooses who meets.
    Chosen,
}

/// The inputs of a report.
#[derive(Copy, Clone, Debug)]
pub struct Report<'r> {
    /// Facts about the league.
    pub facts: &'r Facts,
    /// The ranking rules of its schedule.
    pub rules: &'r Rules,
    /// The results of each bot.
    pub tally: &'r Tally,
    pub standings: &'r Standings,
    pub ratings: &'r Ratings,
    pub course: &'r Course,
    pub statistics: &'r Statistics,
    /// Additional sentences.
    pub further: &'r [Sentence],
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// The ranking by the rules of a Swiss or a knockout.
    Ranking,
    /// The matches of a knockout.
    Bracket,
    Standings,
    /// The score by seat.
    Seats,
    /// The bots that failed, and how.
    Faults,
    /// Every bot against every bot.
    Crosstable,
    /// The reasons for the ends of games.
    Endings,
    Lengths,
    Openings,
    /// The course of ratings over the games.
    Course,
    /// The workers of a league that is played over a network.
    Workers,
}

impl Part {
    /// All parts in their order; those that a league does not have are left out of its report.
    pub const ALL: [Part; 11] = [
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
        Part::Workers,
    ];

    /// Returns the part's word on the command line and in data.
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
            Part::Workers => "workers",
        }
    }

    /// Returns the heading, which depends on the ranking rules of the league.
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
            Part::Workers => "Workers",
        }
    }

    /// Returns the text instead of an empty table.
    fn nothing(self) -> &'static str {
        match self {
            Part::Ranking | Part::Standings => "There are no participants.",
            Part::Bracket => "There are no matches.",
            Part::Seats | Part::Crosstable | Part::Endings => "No game has a result yet.",
            Part::Faults => "No bot failed.",
            Part::Lengths => "No record has moves.",
            Part::Openings => "All games began from the usual start.",
            Part::Course => "There are too few games or too many bots to show ratings over time.",
            Part::Workers => "One machine has played all games by itself.",
        }
    }
}

impl Facts {
    /// Returns a short summary in parts: `quixo size=5`, `4 bots`, `movetime=1s`.
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
    /// Returns those of the given parts that a report of this league has.
    fn parts_of(&self, parts: &[Part]) -> impl Iterator<Item = Part> {
        let is_there = |part: &Part| match part {
            Part::Workers => self.has_workers(),
            part => self.rules.give(*part),
        };
        parts.iter().copied().filter(is_there)
    }

    /// Returns `bot` or `team`.
    fn entrant_word(&self) -> &'static str {
        if self.tally.is_of_teams() { "team" } else { "bot" }
    }
}
