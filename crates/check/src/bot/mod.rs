//! Tries a bot in usual and unusual conditions.
//!
//! [`run`] plays many short games through the [core](linesman_referee) and the [driver](linesman_driver), as a
//! tournament does. The bot's process is real. Its opponents and teammates are part of this program: they answer
//! at once, and resign when the item has seen enough. Line styles that the referee never writes, such as tabs
//! between words, are applied on the way to the bot (`manner`).
//!
//! # Modules
//!
//! - `item`: the items, and the results and evidence that [`run`] returns.
//! - One file for each group of items: `introduction`, `games`, `elimination`, `clocks`, `manners`, `long_lines`,
//!   `series`, `pondering`, `processes`, `exiting`, `confinement`.
//! - `variations`: plays a game in which the bot failed again with one thing changed.
//! - The tools of the items: `checker` (what is known so far), `arena` (games), `positions`, `raw_talk` (a
//!   dialogue without the referee), `runtime` (for the driver) and its `arena_state`, `partner`, `manner`.
//! - `plan`: the bot that is checked.

mod arena;
mod arena_state;
mod checker;
mod clocks;
mod confinement;
mod elimination;
mod exiting;
mod games;
mod introduction;
mod item;
mod long_lines;
mod manner;
mod manners;
mod partner;
mod plan;
mod pondering;
mod positions;
mod processes;
mod raw_talk;
mod runtime;
mod series;
mod variations;

use linesman_types::verdict::Fault;

use checker::Checker;

pub use item::{
    CheckItem, Circumstance, Growth, ItemFailure, ItemOutcome, ItemProblem, ItemResult, Observation,
    SkipReason,
};
pub use plan::{BotCheck, CantCheck, Extent};

/// Checks a bot. Calls `on_item` before each item. Returns the results in the order of [`CheckItem::ALL`].
///
/// # Errors
/// The bot can't be started, or the check was stopped.
pub fn run(check: &BotCheck, on_item: &mut dyn FnMut(CheckItem)) -> Result<Vec<ItemResult>, CantCheck> {
    let mut checker = Checker::new(check, on_item);
    if !introduction::greet(&mut checker)? {
        confinement::compare(&mut checker)?;
        if let Some(error) = start_error(&checker.results) {
            return Err(CantCheck::NotStarted(error));
        }
        return Ok(checker.end(SkipReason::NoHandshake));
    }
    games::play_each(&mut checker)?;
    confinement::compare(&mut checker)?;
    if !checker.candidates.is_empty() {
        games::positions(&mut checker)?;
        games::forced_passes(&mut checker)?;
        games::full_boards(&mut checker)?;
        elimination::try_each(&mut checker)?;
        clocks::try_all(&mut checker)?;
        manners::try_all(&mut checker)?;
        long_lines::try_lines(&mut checker)?;
        series::try_all(&mut checker)?;
        pondering::try_pondering(&mut checker)?;
        processes::try_all(&mut checker)?;
    }
    exiting::try_all(&mut checker)?;
    manners::judge_stdout(&mut checker)?;
    Ok(checker.end(SkipReason::NothingPlayed))
}

/// The system's reason why the command can't be executed, unless the sandbox is to blame.
fn start_error(results: &[ItemResult]) -> Option<String> {
    let failures = || results.iter().filter_map(|result| result.outcome.failure());
    if failures().any(|failure| failure.problem == ItemProblem::FailsOnlyInSandbox) {
        return None;
    }
    let mut faults = failures().filter_map(ItemFailure::fault);
    faults.find_map(|fault| match fault {
        Fault::NotStarted { error, status: None, .. } => Some(error.clone()),
        Fault::NotStarted { .. }
        | Fault::NotReady { .. }
        | Fault::Time { .. }
        | Fault::CpuClock { .. }
        | Fault::Crash { .. }
        | Fault::ClosedOutput { .. }
        | Fault::IllegalMove { .. }
        | Fault::NotAMove { .. }
        | Fault::Protocol { .. }
        | Fault::Limit { .. } => None,
    })
}
