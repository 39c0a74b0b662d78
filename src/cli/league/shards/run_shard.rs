//! `linesman league run-shard`: plays the games of a shard.

use std::path::PathBuf;

use super::super::super::args::{EventsArgs, SandboxArgs};
use super::super::super::env;
use super::super::super::error::{Exit, Failure};
use super::super::super::play::failure::{PlanOrigin, shard_failure};
use super::super::super::play::signals::stopped;
use super::super::super::play::{PlayedRun, Run, preflight_of_league};
use super::super::super::ui::Ui;
use crate::league::session::RunOutcome;
use crate::league::shard::LockedShard;
use crate::report::describe::grouped;

/// Play the games of a shard, or go on with it
///
/// The records are kept in a directory beside the file, named as the file without its ending. Run
/// the same command again to continue. A shard is locked while it is played: a second process ends
/// at once.
#[derive(clap::Args, Debug)]
#[command(before_help = "\
Examples:
  linesman league run-shard runs/cup/shards/1/7.json
  linesman league run-shard --folder ~/cup 7.json     on a machine where the bots are in ~/cup")]
#[command(after_long_help = "\
Exit status: 0 if all games of the shard have been played; 3 if some are missing.")]
pub(crate) struct Args {
    /// File that `linesman league plan` has written
    #[arg(value_name = "SHARD")]
    shard: PathBuf,
    /// Folder of the tournament file on this machine, from which the bots' paths start
    /// [default: as it was where the shard was planned]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Directory for the dialogue of each game, a transcript for each bot
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    log: Option<PathBuf>,
    /// Play on with bots that can't be started, are never ready, or crash in every game: they
    /// lose their games
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    events: EventsArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    args.events.start(ui)?;
    let locked = LockedShard::open(&args.shard).map_err(|error| shard_failure(ui, &error))?;
    let plan = locked.plan(args.folder.as_deref(), Some(env::cores()));
    let mut plan = plan.map_err(|error| shard_failure(ui, &error))?;
    if let Some(sandbox) = args.sandbox.sandbox {
        plan.tournament.sandbox = sandbox;
    }
    let preflight = preflight_of_league(args.keep_going, ui);
    let shard = &locked.shard;
    ui.note(format_args!(
        "shard {} of {} of plan {} of {}: {} games",
        shard.shard,
        shard.shards,
        shard.plan,
        shard.league,
        grouped(shard.games)
    ));
    let mut run = Run::new(ui, &plan, preflight, PlanOrigin::File)?;
    run.session = run.session.playing_only(shard.indices.clone());
    run.keep_dialogues(args.log.as_deref())?;
    locked.begin().map_err(|error| shard_failure(ui, &error))?;
    let PlayedRun { outcome, .. } = run.play(ui, Some(&locked.directory))?;
    let shown = locked.directory.path().display();
    match outcome {
        RunOutcome::Complete | RunOutcome::Decided | RunOutcome::Repeating => {
            ui.note(format_args!("the records are in {shown}; merge them with `linesman league merge RUN`"));
            Ok(Exit::Done)
        }
        RunOutcome::Withdrawn | RunOutcome::Open => Ok(Exit::Stopped),
        RunOutcome::Stopped => Ok(stopped(ui)),
    }
}
