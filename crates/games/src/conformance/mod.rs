//! What every game must hold, whatever its rules: one suite for all of them.
//!
//! The suite plays random games under the default options, at the ends of
//! every option's range and with tight limits, and looks at each position on
//! the way: texts are read as they were written, the list of legal moves is
//! what can be played, refusals say why, no text makes the rules panic, a
//! token alone goes on as the game does, every ending places every seat, and
//! games end. Counts of move sequences are compared with the game's `perft.txt`.

mod position;
mod texts;

#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::fmt;

use crate::options::{Flag, OptionKind, OptionSpec, OptionValues, Zero, split_options};
use crate::perft;
use crate::rules::Rules;
use crate::table::{Game, Named, Setup};
use texts::Numbers;

/// No further game is begun under a set of options once so many legal moves
/// have been listed: some games have thousands in each position.
const MOST_MOVES: u64 = 250_000;

/// How much the suite does.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Effort {
    /// Where its random choices start: the same seed, the same games.
    pub seed: u64,
    /// Random games under each set of options; fewer where positions have very many moves.
    pub games: u32,
    /// Texts near moves and tokens that are tried in each position.
    pub texts: u32,
    /// Counts up to this are compared.
    pub perft_nodes: u64,
}

/// What the suite has met.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Coverage {
    /// The sets of options that were played, as they print.
    pub options: Vec<String>,
    /// Games played.
    pub games: u64,
    /// Positions looked at.
    pub positions: u64,
    /// Legal moves in these positions.
    pub legal: u64,
    /// Texts that were moves but not legal.
    pub illegal: u64,
    /// Texts that were no moves.
    pub not_moves: u64,
    /// Tokens near those of the game that could be read.
    pub tokens_read: u64,
    /// Tokens near those of the game that could not.
    pub tokens_refused: u64,
    /// Games by the word of the reason for which they ended.
    pub endings: BTreeMap<&'static str, u64>,
    /// Counts of move sequences that were compared.
    pub counts: u64,
}

/// Something that a game does not hold.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{game} with {options}: {what}")]
pub struct Breach {
    /// The game.
    pub game: &'static str,
    /// The options under which it was seen.
    pub options: String,
    /// What was seen, with the position.
    pub what: String,
}

/// Runs the suite on rules.
///
/// # Errors
/// The first thing that the game does not hold.
pub fn check<R: Rules>(effort: Effort) -> Result<Coverage, Breach> {
    let mut coverage = Coverage::default();
    for given in variations(R::OPTIONS) {
        let pairs: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let breach = |what: String| Breach {
            game: R::ID,
            options: pairs
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect::<Vec<_>>()
                .join(","),
            what,
        };
        let setup = Named::<R>::NEW.configure(&pairs).map_err(|error| breach(error.to_string()))?;
        let values = OptionValues::resolve(R::OPTIONS, pairs.iter().copied())
            .map_err(|error| breach(error.to_string()))?;
        let rules = R::with_options(&values).map_err(|error| breach(error.to_string()))?;
        let suite = Suite { rules: &rules, setup: &*setup, effort };
        let mut numbers = Numbers::new(effort.seed);
        let before = coverage.legal;
        for _ in 0..effort.games {
            if coverage.legal - before > MOST_MOVES {
                break;
            }
            suite.game(&mut numbers, &mut coverage).map_err(&breach)?;
        }
        coverage.options.push(values.to_string());
    }
    check_counts::<R>(effort, &mut coverage)?;
    Ok(coverage)
}

/// The suite under one set of options.
struct Suite<'s, R> {
    rules: &'s R,
    setup: &'s dyn Setup,
    effort: Effort,
}

/// Fails with words if a condition does not hold.
fn hold(condition: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(what()) }
}

/// Fails with words if two things differ.
fn same<T: PartialEq + fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
    hold(one == other, || format!("{what}: {one:?} is not {other:?}"))
}

/// No options, then one option at a time at an end of its range or, for those
/// that limit endless play, tight.
fn variations(specs: &'static [OptionSpec]) -> Vec<Vec<(&'static str, String)>> {
    let defaults = OptionValues::resolve(specs, []).unwrap_or_default();
    let mut all = vec![Vec::new()];
    for spec in specs {
        let values = match &spec.kind {
            OptionKind::Integer { .. } if spec.name == "max_plies" => vec!["0".to_owned(), "7".to_owned()],
            OptionKind::Integer { .. } if spec.name == "repetition" => vec!["0".to_owned(), "2".to_owned()],
            OptionKind::Integer { min, max, zero, .. } => {
                let mut values = vec![min.value(&defaults), max.value(&defaults)];
                if *zero == Zero::Off {
                    values.push(0);
                }
                values.iter().map(ToString::to_string).collect()
            }
            OptionKind::Flag { default } => vec![(*default == Flag::Off).to_string()],
            OptionKind::Text { default, form } => {
                let names = form.named.iter().map(|text| text.name).filter(|name| name != default);
                names.map(str::to_owned).collect()
            }
        };
        all.extend(values.into_iter().map(|value| vec![(spec.name, value)]));
    }
    all
}

fn check_counts<R: Rules>(effort: Effort, coverage: &mut Coverage) -> Result<(), Breach> {
    let breach = |options: &str, what: String| Breach { game: R::ID, options: options.to_owned(), what };
    let table = perft::known(R::PERFT).map_err(|what| breach("", what))?;
    for known in table {
        let breach = |what: String| breach(known.options, what);
        let given = split_options(known.options).map_err(|error| breach(error.to_string()))?;
        let setup = Named::<R>::NEW.configure(&given).map_err(|error| breach(error.to_string()))?;
        for (depth, nodes) in
            known.nodes.iter().enumerate().filter(|(_, nodes)| **nodes <= effort.perft_nodes)
        {
            let counted =
                setup.perft(known.token, depth as u32).map_err(|error| breach(error.to_string()))?;
            same(&format!("sequences of length {depth}"), &counted, nodes).map_err(breach)?;
            let divided =
                setup.divide(known.token, depth as u32).map_err(|error| breach(error.to_string()))?;
            if depth > 0 {
                let sum = divided.iter().map(|(_, count)| count).sum::<u64>();
                same(&format!("divided sequences of length {depth}"), &sum, nodes).map_err(breach)?;
            }
            coverage.counts += 1;
        }
    }
    if coverage.counts < 3 {
        return Err(breach("", "perft.txt holds no counts".to_owned()));
    }
    Ok(())
}
