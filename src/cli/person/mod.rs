//! `linesman play`: a person plays against bots in the terminal.
//!
//! The person is a player like any other: the games are those of a match, with its referee, its records and its
//! sandbox.

mod choice;
mod draw;
mod events;
mod fullscreen;
mod game;
mod lines;
mod plan;
mod screen;
mod suggest;
mod table;
mod watch;

use std::io::{self, IsTerminal};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use super::args::{EventsArgs, OptionArgs, SandboxArgs};
use super::error::{Exit, Failure};
use super::events::EventStream;
use super::play::failure::{PlanOrigin, session_failure_of};
use super::play::platform;
use super::play::tables::Tables;
use super::play::{dialogue_folder, warn_of_dialogues};
use super::replay::can_fill_the_screen;
use super::replay::look::Look;
use super::replay::terminal::listen_for_signals;
use super::ui::Ui;
use crate::league::bots::command_of_person;
use crate::league::directory::RunDirectory;
use crate::league::session::{Observers, Preflight, Results, RunOutcome, Session, SessionError};
use crate::league::shard::GameRanges;
use crate::time_control::{TimeControl, parse_duration};
use events::{Leaving, PersonEvent};
use game::Terms;
use lines::LinePlayer;
use table::{Controls, TableHost};
use watch::PersonObserver;

/// Play against bots in the terminal
///
/// You take a seat of any game; bots take the others. The games are those of a match: the
/// same rules, referee, sandbox and records.
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman play quixo --against greedy
  linesman play kengu --against 'python3 my_bot.py' --seat 2 --out runs/me
  linesman play tandem --options players=3 --against mcts --movetime 2s")]
#[command(after_long_help = "\
On a terminal the board fills the screen. Move the cursor with the arrow keys and
choose squares with Enter; the squares with which a legal move goes on are marked. When
one move is left, it is played. `:` types a move, `u` goes back to your last turn, `t` asks
for a hint, ? lists all keys. Without a terminal you play line by line: `:help` lists the
commands.

A game in which you took moves back or asked for hints has no result: its record says so,
and it is not rated. A game that you leave before its end is not recorded. With --out, the
same command plays the next game of the run.

Exit status: 0 if all games were played; 3 if you left before; 130 after Ctrl-C.")]
pub(crate) struct Args {
    /// Game to play; `linesman games` lists them
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    options: OptionArgs,
    /// Opponent: `random`, `greedy`, `alphabeta`, `mcts`, `level`, or the command of a bot. Give
    /// one for all other seats, or one for each of them in seat order
    #[arg(long, value_name = "BOT", required = true)]
    against: Vec<String>,
    /// Your seat [default: the seats rotate from game to game, as in a match]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=crate::seat::MAX_SEATS as i64))]
    seat: Option<u8>,
    /// Your name in the records
    #[arg(long, value_name = "NAME", default_value = "person")]
    name: String,
    /// Number of games to play now
    #[arg(long, value_name = "N", default_value = "1", value_parser = games)]
    games: NonZeroU64,
    /// Time limit for each move of the bots [default: 1s]
    #[arg(long, value_name = "TIME", help_heading = "Time", value_parser = TimeControl::move_time, conflicts_with = "tc")]
    movetime: Option<TimeControl>,
    /// Clock for each player, you included, such as `5min+3s`
    #[arg(long, value_name = "TIME+TIME", help_heading = "Time", value_parser = TimeControl::clock)]
    tc: Option<TimeControl>,
    /// Time limit for each of your own moves [default: none]
    #[arg(long, value_name = "TIME", help_heading = "Time", value_parser = parse_duration, conflicts_with = "tc")]
    own_movetime: Option<std::time::Duration>,
    /// Position to start from [default: the start of the game]
    #[arg(long, value_name = "TOKEN", conflicts_with = "openings")]
    token: Option<String>,
    /// Start games from the openings in this file
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of all random choices
    #[arg(long, hide_short_help = true, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    /// Play even if a bot can't be started, is never ready, or crashes: it loses the game
    #[arg(long, hide_short_help = true)]
    keep_going: bool,
    /// Directory in which to keep the games
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Directory for the dialogue of each game, a transcript for each bot and for you
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    log: Option<PathBuf>,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    events: EventsArgs,
}

/// Parses a number of games.
fn games(text: &str) -> Result<NonZeroU64, String> {
    text.parse()
        .ok()
        .filter(|games: &NonZeroU64| games.get() <= 1_000)
        .ok_or_else(|| "expected a whole number from 1 to 1000".to_owned())
}

type SessionEnd = (Result<(RunOutcome, Results), SessionError>, Option<Failure>);

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    args.events.start(ui)?;
    let setup = args.options.set_up(&args.game)?;
    let (plan, games) = plan::plan(args, &*setup, ui)?;
    let platform = platform()?;
    let (sender, events) = mpsc::channel();
    let controls = Arc::new(Controls::default());
    let host = TableHost {
        controls: Arc::clone(&controls),
        events: sender.clone(),
        binary: platform.binary.clone(),
        words: command_of_person().split(' ').skip(1).map(str::to_owned).collect(),
    };
    let preflight = if args.keep_going { Preflight::Skipped } else { Preflight::MustPass };
    let session = Session::new(&plan, platform, preflight, &mut Observers::default());
    let session = session.map_err(|error| session_failure_of(ui, error, PlanOrigin::Options))?;
    let mut session = session.with_players(host.play_games()).playing_only(GameRanges::of(games));
    let dialogues = args.log.as_deref().map(dialogue_folder).transpose()?;
    if let Some(dialogues) = &dialogues {
        session.keep_dialogues(Arc::clone(dialogues));
    }
    let terms = Terms {
        setup,
        time_control: plan.tournament.time_control,
        has_clocks: args.tc.is_some(),
        own_limit: args.own_movetime,
    };
    let directory = args.out.as_ref().map(RunDirectory::at);
    let cant = |error: io::Error| Failure::new(Exit::Wrong, "can't begin to play").cause(error);
    listen_for_signals(sender.clone()).map_err(cant)?;
    let (leaving, end) = thread::scope(|scope| {
        let (own, from_session) = (Arc::clone(&controls), sender.clone());
        let stream = ui.events().cloned().map(EventStream::new);
        let playing = thread::Builder::new().name("session".to_owned());
        let playing = playing
            .spawn_scoped(scope, || play_session(session, directory.as_ref(), own, (from_session, stream)))
            .map_err(cant)?;
        let leaving = play_person(&terms, (&controls, sender, &events), ui);
        controls.leave();
        let end = playing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok::<_, Failure>((leaving?, end))
    })?;
    warn_of_dialogues(dialogues.as_deref(), ui);
    finish(args, ui, leaving, end)
}

/// Plays the games of the plan. Runs in a separate thread.
fn play_session(
    mut session: Session<'_>,
    directory: Option<&RunDirectory>,
    controls: Arc<Controls>,
    (events, mut stream): (Sender<PersonEvent>, Option<EventStream>),
) -> SessionEnd {
    let mut observer = PersonObserver(events.clone());
    let mut tables = Tables::default();
    let mut listen = |stopper| {
        controls.set_stopper(stopper);
        Ok(())
    };
    let mut observers = Observers::default().with(&mut observer);
    if let Some(stream) = &mut stream {
        observers = observers.with(stream);
    }
    observers = observers.with(&mut tables);
    let played = match directory {
        Some(directory) => session.run_in(directory, &mut listen, &mut observers),
        None => session.run(&mut listen, &mut observers),
    };
    drop(observers);
    let _ = events.send(PersonEvent::Closed);
    (played, tables.failure)
}

/// Lets the person play: in full screen if possible and events are not printed on stdout, otherwise line by line.
fn play_person(
    terms: &Terms,
    (controls, sender, events): (&Arc<Controls>, Sender<PersonEvent>, &Receiver<PersonEvent>),
    ui: &Ui,
) -> Result<Leaving, Failure> {
    if ui.events().is_none() && io::stdin().is_terminal() && can_fill_the_screen() {
        let look = if ui.data_in_colour() { Look::Coloured } else { Look::Plain };
        return fullscreen::play(terms, controls, (sender, events), look);
    }
    let cant = |error: io::Error| Failure::new(Exit::Wrong, "can't read what is typed").cause(error);
    lines::listen(sender.clone()).map_err(cant)?;
    LinePlayer::new(terms, Arc::clone(controls), sender, ui).play(events)
}

/// Prints where the games are kept, and returns the exit status.
fn finish(args: &Args, ui: &mut Ui, leaving: Leaving, end: SessionEnd) -> Result<Exit, Failure> {
    let (played, unwritten) = end;
    let (outcome, _) = played.map_err(|error| session_failure_of(ui, error, PlanOrigin::Options))?;
    if let Some(failure) = unwritten {
        return Err(failure);
    }
    if let Some(events) = ui.events() {
        events.set_status(outcome.word());
    }
    match &args.out {
        Some(out) => ui.note(format_args!("the games are in {}", out.display())),
        None if outcome == RunOutcome::Complete => {
            ui.note("the games were not saved (use `--out DIR` to save them)");
        }
        None => {}
    }
    if let Leaving::Signal(signal) = leaving {
        return Ok(Exit::Signal(signal));
    }
    if outcome == RunOutcome::Complete {
        return Ok(Exit::Done);
    }
    ui.note("you left before the end: the game that was played is not kept");
    Ok(Exit::Stopped)
}
