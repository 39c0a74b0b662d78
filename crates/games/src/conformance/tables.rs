//! A game's tables of counts and refusals, compared with its rules.

use super::{Breach, Coverage, Effort, same};
use crate::notation::{Illegal, Refusal};
use crate::options::split_options;
use crate::perft;
use crate::rules::Rules;
use crate::table::Game;

fn breach<R: Rules>(options: &str, what: impl Into<String>) -> Breach {
    Breach { game: R::ID, options: options.to_owned(), what: what.into() }
}

/// Counts move sequences and compares them with the game's `perft.txt`.
pub(super) fn check_counts<R: Rules>(effort: Effort, coverage: &mut Coverage) -> Result<(), Breach> {
    let table = perft::known(R::PERFT).map_err(|what| breach::<R>("", what))?;
    for known in table {
        let breach = |what: String| breach::<R>(known.options, what);
        let given = split_options(known.options).map_err(|error| breach(error.to_string()))?;
        let setup = Game::of::<R>().configure(&given).map_err(|error| breach(error.to_string()))?;
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

/// Compares refusals with the game's `refusals.txt`, which must have at least one for each rule.
pub(super) fn check_refusals<R: Rules>(coverage: &mut Coverage) -> Result<(), Breach> {
    let mut missing: Vec<&str> = R::BREAKABLE.to_vec();
    for line in R::REFUSALS.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let parts: Vec<&str> = line.splitn(5, " | ").map(str::trim).collect();
        let [options, position, mv, rule, words] = parts[..] else {
            return Err(breach::<R>("", format!("`{line}` is no line of refusals.txt")));
        };
        let breach = |what: String| breach::<R>(options, what);
        let given = split_options(options).map_err(|error| breach(error.to_string()))?;
        let setup = Game::of::<R>().configure(&given).map_err(|error| breach(error.to_string()))?;
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
