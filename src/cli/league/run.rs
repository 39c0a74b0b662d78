//! `linesman league run`: plays a tournament file, or goes on with it.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use super::super::args::{FaultArgs, SandboxArgs};
use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::events::EventsArgs;
use super::super::play::faults;
use super::super::play::read_back::ReadBack;
use super::super::play::results::finding;
use super::super::play::session::{Session, Trial, mistakes_failure, plan_failure};
use super::super::play::standings::show_standings;
use super::super::play::{Outcome, tell_outcome};
use super::super::sprt::exit_of;
use super::super::ui::Ui;
use super::why::write_pairings;
use crate::league::directory::{Plan, RunDirectory};
use crate::league::file::Tournament;
use crate::league::schedule::Length;
use crate::time_control::TimeControl;

const EXAMPLES: &str = "\
Examples:
  linesman league run cup.toml                play cup.toml; results go to runs/cup
  linesman league run cup.toml --dry-run      say what would be played
  linesman league run cup.toml                the same again goes on where it stopped";

/// What a ply takes at most in a dry run's guess, as a share of the limit.
const GUESSED_SHARE: f64 = 0.5;

/// How many plies a dry run's guess gives a game.
const GUESSED_PLIES: u64 = 40;

/// Play a league, or go on with it
///
/// Results go to a directory that holds the plan, one line for each game, and
/// the tables. The same command again plays just what is missing.
#[derive(clap::Args, Debug)]
#[command(before_help = EXAMPLES)]
#[command(after_long_help = "\
Exit status: 0 when all has been played; of a league that is a test (`[test]`) 0 if the
new bot is accepted, 1 if it is rejected, 4 if it ended undecided. 3 if it was stopped before,
or if games of bots were not played that can't be started, are not ready or crash: the others
play, and the same command tries these again. With --strict nothing is played if a bot can't be
started.
With --fail-on-fault 1 if all has been played and a bot of the file failed in any game of the
league, now or before; what an overloaded host is to blame for is no fault.")]
pub(crate) struct Args {
    /// The tournament file
    file: PathBuf,
    /// The run directory [default: runs/ and the file's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Say what would be played, and play nothing
    #[arg(long)]
    dry_run: bool,
    /// Withdraw no bots that can't be started, are not ready or crash in every game: they lose
    /// their games
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    faults: FaultArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    events: EventsArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    if args.events.events.is_some() {
        ui.tell_events()?;
    }
    let mut plan = Plan::read(&args.file, Some(env::cores())).map_err(|error| plan_failure(ui, &error))?;
    if let Some(sandbox) = args.sandbox.sandbox {
        plan.tournament.sandbox = sandbox;
    }
    let directory = match &args.out {
        Some(path) => RunDirectory::at(path),
        None => RunDirectory::of_file(&args.file),
    };
    let trial = if args.keep_going {
        Trial::Skipped
    } else if ui.is_strict() {
        Trial::MustPass
    } else {
        Trial::Withdraws
    };
    let mut session = Session::new(ui, &plan, trial, mistakes_failure)?;
    if args.dry_run {
        return dry_run(ui, &mut session, &directory);
    }
    let (outcome, results) = session.run_in(ui, &directory)?;
    tell_outcome(ui, outcome);
    show_standings(ui, &results, &session.tournament, &session.schedule, Some(directory.path()))?;
    let shown = directory.path().display();
    match outcome {
        Outcome::Complete | Outcome::Decided | Outcome::Repeating => {
            ui.note(format_args!(
                "everything is in {shown}: games.jsonl, results.csv, standings.csv, crosstable.csv"
            ));
            let exit = results.test().map_or(Exit::Done, |test| exit_of(finding(test).status));
            Ok(faults::judge(ui, args.faults, &results, exit))
        }
        Outcome::Withdrawn | Outcome::Open => Ok(Exit::Stopped),
        Outcome::Stopped(_) => {
            ui.note(format_args!("stopped; to go on: {}", env::command_line()));
            Ok(Exit::Stopped)
        }
    }
}

fn dry_run(ui: &mut Ui, session: &mut Session<'_>, directory: &RunDirectory) -> Result<Exit, Failure> {
    let ReadBack { account, results, .. } = session.look(ui, directory)?;
    let tournament = &session.tournament;
    let end = results.test_end();
    let (length, left) = (account.schedule.length(), account.left());
    let mut data = ui.data();
    writeln!(data, "league      {}", tournament.name)?;
    writeln!(data, "game        {} {}", tournament.game.id(), tournament.game.options())?;
    writeln!(data, "bots        {}", tournament.bots.len())?;
    if tournament.has_teams() {
        writeln!(data, "teams       {}", tournament.entrants.len())?;
    }
    writeln!(data, "time        {}, margin {} ms", tournament.time_control, tournament.margin.as_millis())?;
    writeln!(data, "schedule    {}", tournament.schedule.word())?;
    if let Some(test) = results.test() {
        let counted = test.tally().games();
        let stands = match end {
            Some(Outcome::Repeating) => {
                "undecided, and given up: its games only repeat themselves".to_owned()
            }
            Some(_) => format!("{} after {counted} games", finding(test).status.word()),
            None => format!("undecided after {counted} games; it ends when it is decided"),
        };
        writeln!(data, "test        {stands}")?;
    }
    let slots = session.slots();
    if end.is_some() {
        writeln!(data, "games       {} have been played, none are to be played", account.played.count())?;
        writeln!(data, "directory   {}", directory.path().display())?;
        return Ok(Exit::Done);
    }
    match length {
        Length::Endless => writeln!(
            data,
            "games       without end, of which {} have been played, {slots} at once",
            account.played.count()
        )?,
        Length::Exactly(games) if tournament.test.is_some() => writeln!(
            data,
            "games       at most {games}, of which {left} may be still to be played, {slots} at once"
        )?,
        Length::Exactly(games) => {
            writeln!(data, "games       {games}, of which {left} are to be played, {slots} at once")?;
        }
        Length::AtMost(games) => writeln!(
            data,
            "games       at most {games}, of which {left} may be still to be played, {slots} at once"
        )?,
    }
    if let Some(imbalance) = session.schedule.imbalance() {
        writeln!(data, "balance     {imbalance}")?;
    }
    writeln!(data, "directory   {}", directory.path().display())?;
    if length != Length::Endless {
        writeln!(
            data,
            "may take    {} {} (if a game has {GUESSED_PLIES} plies and bots use half of their time)",
            if tournament.test.is_some() { "at most" } else { "about" },
            rough(expected(tournament, left, slots))
        )?;
    }
    write_pairings(&mut data, &account)?;
    Ok(Exit::Done)
}

fn expected(tournament: &Tournament, games: u64, slots: usize) -> Duration {
    let seats = tournament.game.teams().seats() as f64;
    let game = match tournament.time_control {
        TimeControl::MoveTime(limit) => limit.as_secs_f64() * GUESSED_PLIES as f64,
        TimeControl::Clock { base, increment, session } => {
            let moves = GUESSED_PLIES as f64 / seats;
            let sessions = session.map_or(1.0, |session| (moves / f64::from(session.get())).ceil());
            base.as_secs_f64() * sessions * seats + increment.as_secs_f64() * GUESSED_PLIES as f64
        }
    };
    Duration::from_secs_f64(game * GUESSED_SHARE * games as f64 / slots as f64)
}

fn rough(duration: Duration) -> String {
    match duration.as_secs() {
        0..=90 => format!("{} s", duration.as_secs()),
        seconds @ 91..=5_400 => format!("{} min", seconds / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3_600.0),
    }
}
