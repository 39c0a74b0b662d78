//! A game's tables of counts and refusals, compared with its rules.

use super::{Breach, Coverage, Effort, same};
use crate::notation::{Illegal, Refusal};
use crate::options::split_options;
use crate::perft;
use crate::rules::Rules;
use crate::table::{Setup, configure};
use std::sync::Arc;

fn breach<R: Rules>(options: &str, what: impl Into<String>) -> Breach {
    Breach { game: R::ID, options: options.to_owned(), what: what.into() }
}

fn setup<R: Rules>(options: &str) -> Result<Arc<dyn Setup>, Breach> {
    let configured = split_options(options).and_then(|given| configure::<R>(&given));
    configured.map_err(|error| breach::<R>(options, error.to_string()))
}

/// Counts move sequences and compares them with the game's `perft.txt`.
pub(super) fn check_counts<R: Rules>(
    perft: &str,
    effort: Effort,
    coverage: &mut Coverage,
) -> Result<(), Breach> {
    for known in perft::known(perft).map_err(|what| breach::<R>("", what))? {
        let breach = |what: String| breach::<R>(known.options, what);
        let setup = setup::<R>(known.options)?;
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
        return Err(breach::<R>("", "perft.txt holds no counts".to_owned()));
    }
    Ok(())
}

/// Compares refusals with the game's `refusals.txt`, which must have at least one for each rule. Its lines are
/// `OPTIONS | POSITION | MOVE | CODE | WORDS`; the words are a part of the message.
pub(super) fn check_refusals<R: Rules>(refusals: &str, coverage: &mut Coverage) -> Result<(), Breach> {
    let mut missing: Vec<&str> = R::BREAKABLE.to_vec();
    for line in refusals.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let parts: Vec<&str> = line.splitn(5, " | ").map(str::trim).collect();
        let [options, position, mv, rule, words] = parts[..] else {
            return Err(breach::<R>("", format!("`{line}` is no line of refusals.txt")));
        };
        let breach = |what: String| breach::<R>(options, what);
        let setup = setup::<R>(options)?;
        let mut table = match position {
            "startpos" => setup.start(),
            token => setup.from_token(token).map_err(|error| breach(format!("`{token}`: {error}")))?,
        };
        let illegal = match table.play(mv) {
            Err(Refusal::Illegal(illegal)) => illegal,
            other => {
                return Err(breach(format!("`{mv}` in `{position}` is not refused as illegal: {other:?}")));
            }
        };
        if illegal.rule != rule || !illegal.why.contains(words) {
            let what = format!(
                "`{mv}` in `{position}` breaks the rule `{}` ({}), not `{rule}` ({words})",
                illegal.rule, illegal.why
            );
            return Err(breach(what));
        }
        if rule != Illegal::OVER && !R::BREAKABLE.contains(&rule) {
            return Err(breach(format!("the rule `{rule}` is not one that a move can break")));
        }
        missing.retain(|code| *code != rule);
        coverage.refusals += 1;
    }
    match &missing[..] {
        [] => Ok(()),
        missing => Err(breach::<R>("", format!("refusals.txt has no move for {missing:?}"))),
    }
}
