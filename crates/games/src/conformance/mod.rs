//! The conformance suite: the contract of `Rules`, checked for every game.
//!
//! The suite plays random games under the default options, at the ends of every option's range and with tight
//! limits, and examines each position on the way: texts that are read print the same again, the list of legal
//! moves contains exactly the playable moves, refusals name a rule, no text makes the rules panic, a game
//! continues in the same way from a token alone, every ending places every seat and marks only lines of the
//! winners, moves are made of the game's actions, observations agree with scenes, symmetries preserve
//! everything, and games end. A player that follows the evaluation beats random moves. Counts of move
//! sequences are compared with the game's `perft.txt`, refusals with its `refusals.txt`.
//!
//! A mistake that is the same everywhere, such as lines of four instead of five, causes no contradiction:
//! only the known counts and a second implementation of the rules find it.

mod greedy;
mod planted;
mod position;
mod symmetries;
mod tables;
pub(crate) mod tests;
mod texts;

use std::collections::BTreeMap;
use std::fmt;

use crate::actions::Actions;
use crate::observation::Planes;
use crate::options::{Flag, OptionKind, OptionSpec, OptionValues, Zero};
use crate::rules::Rules;
use crate::table::{Setup, configure};
use texts::Random;

/// Number of listed legal moves after which no further game is started under a set of options: some games have
/// thousands of moves in each position.
const MAX_MOVES: u64 = 250_000;

/// The effort of the suite.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Effort {
    /// The seed of its random choices: the same seed, the same games.
    pub seed: u64,
    /// Number of random games under each set of options; fewer if positions have very many moves.
    pub games: u32,
    /// Number of texts similar to moves and tokens that are tried in each position.
    pub texts: u32,
    /// Maximum count to compare.
    pub perft_nodes: u64,
}

/// The cases that the suite covered.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Coverage {
    /// The sets of options that were played, as text.
    pub options: Vec<String>,
    /// Number of games played.
    pub games: u64,
    /// Number of examined positions.
    pub positions: u64,
    /// Number of legal moves in these positions.
    pub legal: u64,
    /// Number of texts that were moves but not legal.
    pub illegal: u64,
    /// Number of texts that were not moves.
    pub not_moves: u64,
    /// Number of varied tokens that could be read.
    pub tokens_read: u64,
    /// Number of varied tokens that could not be read.
    pub tokens_refused: u64,
    /// Number of games by the word of the reason for their end.
    pub endings: BTreeMap<&'static str, u64>,
    /// Number of counts of move sequences that were compared.
    pub counts: u64,
    /// Number of refusals that were compared.
    pub refusals: u64,
}

/// A violation by a game. It prints with the command that repeats it for a registered game.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{game} with {options}: {what}\nrepeat: cargo test -p linesman-games conforms::{}", game.replace('-', "_"))]
pub struct Breach {
    /// The game's id.
    pub game: &'static str,
    /// The options under which it was seen.
    pub options: String,
    /// The violation, with the position.
    pub what: String,
}

/// Runs the suite on a game with the texts of its `perft.txt` and its `refusals.txt`.
///
/// # Errors
/// The first violation.
pub fn check<R: Rules>(effort: Effort, perft: &str, refusals: &str) -> Result<Coverage, Breach> {
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
        let setup = configure::<R>(&pairs).map_err(|error| breach(error.to_string()))?;
        let values = OptionValues::resolve(R::OPTIONS, pairs.iter().copied())
            .map_err(|error| breach(error.to_string()))?;
        let rules = R::with_options(&values).map_err(|error| breach(error.to_string()))?;
        let (actions, planes) = (Actions::of(&*setup), Planes::of(&*setup));
        let suite = Suite { rules: &rules, setup: &*setup, actions, planes, effort };
        let mut random = Random::new(effort.seed);
        let before = coverage.legal;
        for _ in 0..effort.games {
            if coverage.legal - before > MAX_MOVES {
                break;
            }
            suite.check_game(&mut random, &mut coverage).map_err(&breach)?;
        }
        if given.is_empty() {
            suite.greedy_beats_random(&mut random).map_err(&breach)?;
        }
        coverage.options.push(values.to_string());
    }
    tables::check_counts::<R>(perft, effort, &mut coverage)?;
    tables::check_refusals::<R>(refusals, &mut coverage)?;
    Ok(coverage)
}

/// The suite under one set of options.
struct Suite<'s, R> {
    rules: &'s R,
    setup: &'s dyn Setup,
    actions: Actions,
    planes: Planes,
    effort: Effort,
}

/// Fails with a message if a condition does not hold.
fn ensure(condition: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(what()) }
}

/// Fails with a message if two values differ.
fn same<T: PartialEq + fmt::Debug>(what: &str, one: &T, other: &T) -> Result<(), String> {
    ensure(one == other, || format!("{what}: {one:?} is not {other:?}"))
}

/// Fails if two sorted lists differ, with the first few elements that only one of them has.
fn same_list(what: &str, one: &[String], other: &[String]) -> Result<(), String> {
    let only = |one: &[String], other: &[String]| -> Vec<String> {
        one.iter().filter(|text| other.binary_search(text).is_err()).take(3).cloned().collect()
    };
    ensure(one == other, || {
        format!("{what}: too much {:?}, missing {:?}", only(one, other), only(other, one))
    })
}

/// Lists the sets of options to check: the defaults, then each option alone at the ends of its range or, if it
/// limits endless play, off and tight.
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
