//! A report for programs.

use serde::{Serialize, Serializer};

use super::{Part, Report};
use crate::data::{Options, rounded};

/// Returns the whole report as one line of JSON.
pub fn json(report: &Report<'_>) -> String {
    let facts = report.facts;
    let statistics = report.statistics;
    let lengths = &statistics.lengths;
    let value = ReportJson {
        league: &facts.league,
        game: &facts.game,
        options: Some(facts.options.as_str()).filter(|options| !options.is_empty()),
        option_values: Options(&facts.option_values),
        time_control: &facts.time_control,
        entrants: facts.entrants,
        games: facts.games,
        games_scheduled: facts.games,
        games_left: facts.left,
        games_with_result: statistics.games(),
        games_void: statistics.void,
        tries_void_by_host: statistics.void_by_host,
        games_repeated: statistics.repeats,
        rating_method: report.ratings.method.word(),
        length: LengthJson {
            shortest: lengths.span.ends.map(|(shortest, _)| shortest),
            median: lengths.median(),
            mean: lengths.span.mean().and_then(rounded),
            longest: lengths.span.ends.map(|(_, longest)| longest),
        },
        notes: report
            .sentences()
            .iter()
            .map(|sentence| NoteJson { about: sentence.about.word(), text: sentence.to_string() })
            .collect(),
        parts: report,
    };
    let mut text = serde_json::to_string(&value).expect("what is printed has only text for keys");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct ReportJson<'r> {
    league: &'r str,
    game: &'r str,
    options: Option<&'r str>,
    option_values: Options<'r>,
    time_control: &'r str,
    entrants: usize,
    games: u64,
    games_scheduled: u64,
    games_left: Option<u64>,
    games_with_result: u64,
    games_void: u64,
    tries_void_by_host: u64,
    games_repeated: u64,
    rating_method: &'r str,
    length: LengthJson,
    notes: Vec<NoteJson>,
    #[serde(flatten, serialize_with = "parts_by_word")]
    parts: &'r Report<'r>,
}

/// Writes every part as a table under its word.
fn parts_by_word<S: Serializer>(report: &Report<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Part::ALL.map(|part| (part.word(), report.full(part))))
}

#[derive(Serialize)]
struct LengthJson {
    shortest: Option<u64>,
    median: Option<u64>,
    mean: Option<f64>,
    longest: Option<u64>,
}

#[derive(Serialize)]
struct NoteJson {
    about: &'static str,
    text: String,
}
