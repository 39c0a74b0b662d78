//! Tries a bot in usual and in unusual conditions.
//!
//! [`run`] plays many short games by the [core](linesman_referee) and the [driver](linesman_driver), as a
//! tournament does. The bot's process is real. Its opponents and teammates are part of this program: they answer
//! at once, and resign when the item has seen enough. Forms that this program's referee never writes, such as tabs
//! between words, are made on the way to the bot (`manner`).
//!
//! # Modules
//!
//! - `item`: the items, their results and the evidence, as values. [`run`] returns them.
//! - The groups of items, a file each: `introduction`, `games`, `drop_out`, `clocks`, `manners`, `long_lines`,
//!   `series`, `pondering`, `processes`, `leaving`, `confinement`.
//! - `variations`: a game in which the bot failed, played again with one thing changed.
//! - The means of the items: `checker` (what is known so far), `arena` (games), `positions`, `raw_talk` (a
//!   dialogue without a game), `machine` (the driver's runtime) and its `arena_settings`, `partner`, `manner`.
//! - `plan`: the bot that is checked.

mod arena;
mod arena_settings;
mod checker;
mod clocks;
mod confinement;
mod drop_out;
mod games;
mod introduction;
mod item;
mod leaving;
mod long_lines;
mod machine;
mod manner;
mod manners;
mod partner;
mod plan;
mod pondering;
mod positions;
mod processes;
mod raw_talk;
mod series;
mod variations;

use linesman_types::verdict::Fault;

use checker::Checker;

pub use item::{
    CheckItem, Circumstance, Growth, ItemFailure, ItemOutcome, ItemProblem, ItemResult, Observation,
    SkipReason,
};
pub use plan::{BotCheck, CantCheck, Extent};

/// Checks a bot. `begins` is called before each item. The results come in the order of [`CheckItem::ALL`].
///
/// # Errors
/// The bot can't be started at all, or the check was stopped.
pub fn run(check: &BotCheck, begins: &mut dyn FnMut(CheckItem)) -> Result<Vec<ItemResult>, CantCheck> {
    let mut checker = Checker::new(check, begins);
    if !introduction::greet(&mut checker)? {
        confinement::compare(&mut checker)?;
        if let Some(error) = never_started(checker.results()) {
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
        drop_out::try_each(&mut checker)?;
        clocks::try_all(&mut checker)?;
        manners::try_all(&mut checker)?;
        long_lines::read(&mut checker)?;
        series::try_all(&mut checker)?;
        pondering::try_it(&mut checker)?;
        processes::try_all(&mut checker)?;
    }
    leaving::try_all(&mut checker)?;
    manners::look_at_stdout(&mut checker)?;
    Ok(checker.end(SkipReason::NothingPlayed))
}

/// The system's reason why the command can't be executed, if the sandbox is not to blame.
fn never_started(results: &[ItemResult]) -> Option<String> {
    let failures = || results.iter().filter_map(|result| result.outcome.failure());
    if failures().any(|failure| failure.problem == ItemProblem::OnlyWithoutSandbox) {
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
