//! `linesman league run`: plays a tournament file, or resumes the run.

use std::io::Write;
#[cfg(feature = "nats")]
use std::num::NonZeroU32;
use std::path::PathBuf;
#[cfg(feature = "nats")]
use std::sync::Arc;
use std::time::Duration;

use super::super::args::{EventsArgs, FaultArgs, Format, FormatArgs, SandboxArgs};
use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::events;
use super::super::json::{self, Object, value};
#[cfg(feature = "nats")]
use super::super::paths;
use super::super::play::failure::{PlanOrigin, plan_failure};
use super::super::play::faults;
use super::super::play::results::finding;
use super::super::play::signals::stopped;
use super::super::play::standings::show_standings;
use super::super::play::{PlayedRun, Run, preflight_of_league};
#[cfg(feature = "nats")]
use super::super::remote::local::LocalWorkers;
#[cfg(feature = "nats")]
use super::super::remote::{BrokerArgs, SHOWN, leader};
use super::super::schedule::{MAX_LISTED, write_pairings};
use super::super::sprt::exit_of;
use super::super::ui::Ui;
use crate::league::directory::{Plan, RunDirectory};
use crate::league::file::Tournament;
use crate::league::progress::Progress;
use crate::league::schedule::Length;
use crate::league::session::{self, ResumeScan, RunOutcome, Session};
use crate::league::stop_rule::{End, StopRule};
use crate::time_control::TimeControl;

const EXAMPLES: &str = "\
Examples:
  linesman league run cup.toml                play cup.toml; results go to runs/cup
  linesman league run cup.toml --dry-run      print what would be played
  linesman league run cup.toml                run it again to continue";

/// Assumed time of a ply in a dry run, as a fraction of the limit.
const GUESSED_SHARE: f64 = 0.5;

/// Assumed time of a move whose limit is on work.
const GUESSED_WORK: Duration = Duration::from_secs(1);

/// Assumed number of plies of a game in a dry run.
const GUESSED_PLIES: u32 = 40;

/// Play a league, or continue it
///
/// The run directory holds the plan, one line for each game, and the tables. Run
/// the same command again to play only the games that are missing.
#[derive(clap::Args, Debug)]
#[command(before_help = EXAMPLES)]
#[command(after_long_help = "\
Exit status: 0 if all games have been played; 3 if some are missing, because the run was
stopped, a bot was withdrawn (it could not be started, was never ready, or crashed at
once), or an overloaded machine left games open. Run the same command again to play them.
With --strict, nothing is played if a bot can't be started.
For a league with a `[test]` table: 0 if the new bot is accepted, 1 if it is rejected, 4 if
the test ended undecided.
With --fail-on-fault: 1 if all games have been played and a bot failed in any game of the
league. A game that an overloaded machine disturbed is not a fault.")]
pub(crate) struct Args {
    /// Tournament file
    file: PathBuf,
    /// Run directory [default: `runs/` and the name of the file]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Directory for the dialogue of each game, a transcript for each bot
    #[arg(long, value_name = "DIR", help_heading = "Output", conflicts_with = "dry_run")]
    log: Option<PathBuf>,
    /// Print what would be played, and play nothing
    #[arg(long)]
    dry_run: bool,
    /// Play on with bots that can't be started, are never ready, or crash in every game: they
    /// lose their games
    #[arg(long)]
    keep_going: bool,
    /// Have the games played by the workers at this broker: `nats://[USER:PASSWORD@]HOST[:PORT]`, or
    /// `tls://...`
    #[cfg(feature = "nats")]
    #[arg(long, value_name = "URL", help_heading = "Broker", conflicts_with_all = ["dry_run", "log"])]
    via: Option<String>,
    /// With `--via`, send no files of bots: all workers have them, and are started with `--folder`
    #[cfg(feature = "nats")]
    #[arg(long, requires = "via", help_heading = "Broker")]
    bots_in_place: bool,
    /// Have the games played by this many worker processes on this machine, at a broker that is
    /// started for them: the `nats-server` of the search path, or the one that the variable
    /// LINESMAN_NATS_SERVER names
    #[cfg(feature = "nats")]
    #[arg(long, value_name = "N", help_heading = "Broker", conflicts_with_all = ["via", "dry_run", "log"])]
    workers: Option<NonZeroU32>,
    #[cfg(feature = "nats")]
    #[command(flatten)]
    broker: BrokerArgs,
    #[command(flatten)]
    faults: FaultArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    events: EventsArgs,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let format = args.format.format_with_events(&args.events, "standings")?;
    args.events.start(ui)?;
    let mut plan = Plan::read(&args.file, Some(env::cores())).map_err(|error| plan_failure(ui, &error))?;
    if let Some(sandbox) = args.sandbox.sandbox {
        plan.tournament.sandbox = sandbox;
    }
    let directory = match &args.out {
        Some(path) => RunDirectory::at(path),
        None => RunDirectory::of_file(&args.file),
    };
    let preflight = preflight_of_league(args.keep_going, ui);
    let mut run = match sends_bots(args) {
        // The bots need not work on this machine.
        true => Run::with(ui, &plan, preflight, PlanOrigin::File, Session::leading)?,
        false => Run::new(ui, &plan, preflight, PlanOrigin::File)?,
    };
    if args.dry_run {
        return dry_run(ui, format, &mut run, &directory);
    }
    run.keep_dialogues(args.log.as_deref())?;
    #[cfg(feature = "nats")]
    let (mut run, _local) = with_workers(args, run)?;
    let PlayedRun { outcome, results, .. } = run.play(ui, Some(&directory))?;
    let Session { tournament, schedule, .. } = &run.session;
    show_standings(ui, format, &results, tournament, schedule, Some(directory.path()))?;
    let shown = directory.path().display();
    match outcome {
        RunOutcome::Complete | RunOutcome::Decided | RunOutcome::Repeating => {
            ui.note(format_args!(
                "the results are in {shown}: games.jsonl, results.csv, standings.csv, crosstable.csv"
            ));
            let exit = results.test().map_or(Exit::Done, |test| exit_of(finding(test).status));
            Ok(faults::judge(ui, args.faults, &results, exit))
        }
        RunOutcome::Withdrawn | RunOutcome::Open => Ok(Exit::Stopped),
        RunOutcome::Stopped => Ok(stopped(ui)),
    }
}

/// True if the files of the bots are sent to workers.
#[cfg(feature = "nats")]
fn sends_bots(args: &Args) -> bool {
    args.via.is_some() && !args.bots_in_place
}

#[cfg(not(feature = "nats"))]
fn sends_bots(_: &Args) -> bool {
    false
}

/// The run, played by workers if that was requested. Workers on this machine end when the second value is dropped.
#[cfg(feature = "nats")]
fn with_workers<'p>(args: &Args, mut run: Run<'p>) -> Result<(Run<'p>, Option<LocalWorkers>), Failure> {
    let start = |workers: NonZeroU32| LocalWorkers::start(workers.get(), paths::folder_of(&args.file));
    let local = args.workers.map(start).transpose()?;
    let address = match (&local, &args.via) {
        (Some(local), _) => local.address(),
        (None, Some(url)) => args.broker.address(url)?,
        (None, None) => return Ok((run, None)),
    };
    let mut leader = leader(address, run.session.travelling())?;
    leader.has_own_workers = local.is_some();
    run.session = run.session.played_elsewhere(Arc::new(leader), SHOWN);
    Ok((run, local))
}

/// Prints a dry run as JSON. `games`, `left`, `games_left` and `seconds`, a rough estimate, are null for an endless league.
fn print_json(
    ui: &Ui,
    session: &Session<'_>,
    progress: &Progress,
    directory: &RunDirectory,
    has_ended: bool,
) -> Result<(), Failure> {
    let tournament = &session.tournament;
    let (length, slots) = (session::length(tournament, &progress.schedule), session.slots());
    let games = (length != Length::Endless).then(|| length.most());
    let done = progress.played.count();
    let left = games.map(|_| if has_ended { 0 } else { progress.left() });
    let seconds = left.and_then(|left| json::rounded(expected(tournament, left, slots).as_secs_f64()));
    let listed = if has_ended { 0 } else { MAX_LISTED };
    let next = progress.schedule.missing(&progress.played).take(listed);
    // Some facts also stand under their names in events and reports.
    let object = Object(vec![
        ("league", value(&tournament.name)),
        ("game", value(tournament.game.id())),
        ("options", value(json::Options(tournament.game.options()))),
        ("bots", value(tournament.bots.len())),
        ("entrants", json::array(tournament.entrants.iter().map(|entrant| &entrant.name))),
        ("schedule", value(tournament.schedule.word())),
        ("games", value(games)),
        ("length", value(events::Length::from(length))),
        ("may_end_earlier", value(!matches!(length, Length::Exactly(_)))),
        ("played", value(done)),
        ("done", value(done)),
        ("left", value(left)),
        ("games_left", value(left)),
        ("at_once", value(slots)),
        ("seconds", value(seconds)),
        ("directory", value(directory.path().display().to_string())),
        ("next", json::array(next.map(|pairing| pairing.id.to_string()))),
    ]);
    ui.print_json(&object)
}

fn dry_run(
    ui: &mut Ui,
    format: Format,
    run: &mut Run<'_>,
    directory: &RunDirectory,
) -> Result<Exit, Failure> {
    let ResumeScan { progress, results, .. } =
        run.work(ui, |session, observers| session.inspect(directory, observers))?;
    let session = &run.session;
    let has_ended = results.test_end().is_some();
    match format {
        Format::Table => {}
        Format::Csv => {
            return Err(Failure::wrong("a dry run has no CSV form")
                .hint("use `--json`, which prints it for programs"));
        }
        Format::Json => {
            print_json(ui, session, &progress, directory, has_ended)?;
            return Ok(Exit::Done);
        }
    }
    let tournament = &session.tournament;
    let mut data = ui.data();
    writeln!(data, "league      {}", tournament.name)?;
    writeln!(data, "game        {} {}", tournament.game.id(), tournament.game.options())?;
    writeln!(data, "bots        {}", tournament.bots.len())?;
    if tournament.has_teams() {
        writeln!(data, "teams       {}", tournament.entrants.len())?;
    }
    let (time, margin) = (tournament.time_in_words(), tournament.margin.as_millis());
    writeln!(data, "time        {time}, margin {margin} ms")?;
    writeln!(data, "schedule    {}", tournament.schedule.word())?;
    if let Some(test) = results.test() {
        writeln!(data, "test        {}", state_of_test(test))?;
    }
    let slots = session.slots();
    if has_ended {
        writeln!(data, "games       {} played, none left to play", progress.played.count())?;
        writeln!(data, "directory   {}", directory.path().display())?;
        return Ok(Exit::Done);
    }
    writeln!(data, "games       {}, {slots} at once", games_left(&progress, tournament))?;
    if let Some(imbalance) = session.schedule.imbalance() {
        writeln!(data, "balance     {imbalance}")?;
    }
    writeln!(data, "directory   {}", directory.path().display())?;
    if progress.schedule.length() != Length::Endless {
        let about = if tournament.test.is_some() { "at most" } else { "about" };
        let time = rough(expected(tournament, progress.left(), slots));
        let guess = format!("if a game has {GUESSED_PLIES} plies and bots use half of their time");
        writeln!(data, "duration    {about} {time} ({guess})")?;
    }
    write_pairings(&mut data, &progress)?;
    Ok(Exit::Done)
}

/// The length of a run and the number of games left, in words.
fn games_left(progress: &Progress, tournament: &Tournament) -> String {
    let left = progress.left();
    match progress.schedule.length() {
        Length::Endless => format!("no limit, {} played so far", progress.played.count()),
        Length::Exactly(games) if tournament.test.is_none() => format!("{games}, {left} left to play"),
        Length::Exactly(games) | Length::AtMost(games) => {
            format!("at most {games}, at most {left} left to play")
        }
    }
}

/// The state of a test, in words.
fn state_of_test(test: &StopRule) -> String {
    let counted = test.tally().games();
    match test.end() {
        Some(End::Repeating) => {
            "undecided and stopped, because new games only repeat earlier ones".to_owned()
        }
        Some(_) => format!("{} after {counted} games", finding(test).status.word()),
        None => format!("undecided after {counted} games, continues until decided"),
    }
}

/// The estimated time of a number of games.
fn expected(tournament: &Tournament, games: u64, slots: usize) -> Duration {
    let seats = u32::try_from(tournament.game.teams().seats()).unwrap_or(u32::MAX);
    let game = |control: TimeControl| control.whole_game(GUESSED_PLIES, seats, GUESSED_WORK).as_secs_f64();
    // All bots are assumed to play equally often.
    let controls = tournament.bots.iter().map(|bot| bot.time_control.unwrap_or(tournament.time_control));
    let game = controls.map(game).sum::<f64>() / tournament.bots.len().max(1) as f64;
    Duration::from_secs_f64(game * GUESSED_SHARE * games as f64 / slots as f64)
}

fn rough(duration: Duration) -> String {
    match duration.as_secs() {
        0..=90 => format!("{} s", duration.as_secs()),
        seconds @ 91..=5_400 => format!("{} min", seconds / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3_600.0),
    }
}
