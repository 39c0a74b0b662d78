//! The findings of a test as a block of text, as CSV and as JSON.

use std::io::Write;

use serde::Serialize;

use crate::cli::args::Format;
use crate::cli::elo_ends::EloEnds;
use crate::cli::error::Failure;
use crate::cli::json::{self, rounded};
use crate::cli::ui::Ui;
use crate::rating::Interval;
use crate::rating::sprt::Counts;
use crate::report::sprt::Finding;

/// Prints the findings of a test.
pub(crate) fn show(ui: &Ui, format: Format, finding: &Finding) -> Result<(), Failure> {
    match format {
        Format::Table => Ok(ui.data().write_all(finding.block().as_bytes())?),
        Format::Csv => Ok(finding.table().write_csv(ui.data())?),
        Format::Json => json::print(ui, &FindingJson::of(finding)),
    }
}

#[derive(Serialize)]
struct FindingJson<'f> {
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'f str>,
    status: &'static str,
    llr: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    lower: Option<f64>,
    upper: Option<f64>,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: &'static str,
    elo: Option<f64>,
    #[serde(flatten)]
    ends: EloEnds,
    unbiased: Option<f64>,
    unbiased_interval: Option<EloLimits>,
    unbiased_low: Option<f64>,
    unbiased_high: Option<f64>,
    nelo: Option<f64>,
    nelo_interval: Option<EloLimits>,
    nelo_low: Option<f64>,
    nelo_high: Option<f64>,
    los: Option<f64>,
    games: u64,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    score: Option<f64>,
    draw_ratio: Option<f64>,
    pairs: Option<PairsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeated: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    games_repeated: Option<u64>,
    variation: bool,
    notes: &'f [String],
}

/// The lower and the upper end of an interval; null if there is none.
type EloLimits = [Option<f64>; 2];

#[derive(Serialize)]
struct PairsJson {
    ll: u64,
    ld: u64,
    even: u64,
    wd: u64,
    ww: u64,
}

impl<'f> FindingJson<'f> {
    fn of(finding: &'f Finding) -> FindingJson<'f> {
        let Finding { design, counts, games, names, .. } = finding;
        let estimate = finding.estimate.as_ref();
        let normalized = estimate.and_then(|estimate| estimate.normalized);
        let unbiased = finding.corrected.map(|corrected| limits(corrected.interval));
        let nelo = normalized.map(|normalized| limits(normalized.interval));
        let name = |index: usize| names.as_ref().map(|names| names[index].as_str());
        FindingJson {
            new: name(0),
            base: name(1),
            status: finding.status.word(),
            llr: finding.llr.ok().and_then(rounded),
            why: finding.llr.err().map(|why| why.to_string()),
            lower: rounded(design.lower()),
            upper: rounded(design.upper()),
            elo0: design.elo0,
            elo1: design.elo1,
            alpha: design.alpha,
            beta: design.beta,
            model: design.model.word(),
            elo: estimate.and_then(|estimate| rounded(estimate.elo)),
            ends: EloEnds::of(estimate.map(|estimate| estimate.interval)),
            unbiased: finding.corrected.and_then(|corrected| rounded(corrected.elo)),
            unbiased_interval: unbiased,
            unbiased_low: unbiased.and_then(|[low, _]| low),
            unbiased_high: unbiased.and_then(|[_, high]| high),
            nelo: normalized.and_then(|normalized| rounded(normalized.elo)),
            nelo_interval: nelo,
            nelo_low: nelo.and_then(|[low, _]| low),
            nelo_high: nelo.and_then(|[_, high]| high),
            los: estimate.and_then(|estimate| rounded(estimate.los)),
            games: counts.games(),
            wins: games.map(|games| games.wins),
            draws: games.map(|games| games.draws),
            losses: games.map(|games| games.losses),
            score: counts.score().and_then(rounded),
            draw_ratio: finding.draw_ratio().and_then(rounded),
            pairs: match *counts {
                Counts::Pairs([ll, ld, even, wd, ww]) => Some(PairsJson { ll, ld, even, wd, ww }),
                Counts::Games(_) => None,
            },
            repeated: finding.repeated,
            games_repeated: finding.repeated,
            variation: normalized.is_some(),
            notes: &finding.notes,
        }
    }
}

fn limits(Interval { low, high }: Interval) -> EloLimits {
    [rounded(low), rounded(high)]
}
