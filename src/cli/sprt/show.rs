//! The findings of a test as a block of text, as CSV and as JSON.

use std::io::Write;

use crate::cli::args::Format;
use crate::cli::elo_ends::EloEnds;
use crate::cli::error::Failure;
use crate::cli::json::{Object, rounded, value};
use crate::cli::ui::Ui;
use crate::rating::Interval;
use crate::rating::sprt::Counts;
use crate::report::sprt::Finding;

pub(crate) fn show(ui: &Ui, format: Format, finding: &Finding) -> Result<(), Failure> {
    match format {
        Format::Table => Ok(ui.data().write_all(finding.block().as_bytes())?),
        Format::Csv => Ok(finding.table().write_csv(ui.data())?),
        Format::Json => ui.print_json(&finding_json(finding)),
    }
}

fn finding_json(finding: &Finding) -> Object {
    let Finding { design, counts, games, names, .. } = finding;
    let estimate = finding.estimate.as_ref();
    let normalized = estimate.and_then(|estimate| estimate.normalized);
    let unbiased = finding.corrected.map(|corrected| limits(corrected.interval));
    let nelo = normalized.map(|normalized| limits(normalized.interval));
    let mut object = Vec::new();
    if let Some([new, base]) = names {
        object.extend([("new", value(new)), ("base", value(base))]);
    }
    object.extend([
        ("status", value(finding.status.word())),
        ("llr", value(finding.llr.ok().and_then(rounded))),
    ]);
    object.extend(finding.llr.err().map(|why| ("why", value(why.to_string()))));
    object.extend([
        ("lower", value(rounded(design.lower()))),
        ("upper", value(rounded(design.upper()))),
        ("elo0", value(design.elo0)),
        ("elo1", value(design.elo1)),
        ("alpha", value(design.alpha)),
        ("beta", value(design.beta)),
        ("model", value(design.model.word())),
        ("elo", value(estimate.and_then(|estimate| rounded(estimate.elo)))),
    ]);
    object.extend(EloEnds::of(estimate.map(|estimate| estimate.interval)).fields());
    object.extend([
        ("unbiased", value(finding.corrected.and_then(|corrected| rounded(corrected.elo)))),
        ("unbiased_interval", value(unbiased)),
        ("unbiased_low", value(unbiased.and_then(|[low, _]| low))),
        ("unbiased_high", value(unbiased.and_then(|[_, high]| high))),
        ("nelo", value(normalized.and_then(|normalized| rounded(normalized.elo)))),
        ("nelo_interval", value(nelo)),
        ("nelo_low", value(nelo.and_then(|[low, _]| low))),
        ("nelo_high", value(nelo.and_then(|[_, high]| high))),
        ("los", value(estimate.and_then(|estimate| rounded(estimate.los)))),
        ("games", value(counts.games())),
        ("wins", value(games.map(|games| games.wins))),
        ("draws", value(games.map(|games| games.draws))),
        ("losses", value(games.map(|games| games.losses))),
        ("score", value(counts.score().and_then(rounded))),
        ("draw_ratio", value(finding.draw_ratio().and_then(rounded))),
        ("pairs", value(pairs(counts))),
    ]);
    if let Some(repeated) = finding.repeated {
        object.extend([("repeated", value(repeated)), ("games_repeated", value(repeated))]);
    }
    object.extend([("variation", value(normalized.is_some())), ("notes", value(&finding.notes))]);
    Object(object)
}

fn pairs(counts: &Counts) -> Option<Object<&'static str, u64>> {
    match counts {
        Counts::Pairs(pairs) => {
            Some(Object(["ll", "ld", "even", "wd", "ww"].into_iter().zip(*pairs).collect()))
        }
        Counts::Games(_) => None,
    }
}

/// The lower and the upper end of an interval; null if there is none.
fn limits(Interval { low, high }: Interval) -> [Option<f64>; 2] {
    [rounded(low), rounded(high)]
}
