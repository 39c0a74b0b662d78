//! `linesman match`: plays a number of games between bots.

use std::path::Path;

use super::args::FormatArgs;
use super::bot_names::{distinct_name, name_of};
use super::conditions::{self, Conditions, GameArgs, quoted};
use super::error::{Exit, Failure};
use super::play::failure::PlanOrigin;
use super::play::standings::show_standings;
use super::play::{PlayedRun, Run, faults, signals};
use super::ui::Ui;
use crate::games::{self, Setup};
use crate::league::directory::{Plan, RunDirectory};
use crate::league::file::{self, split_command};
use crate::league::session::{RunOutcome, Session};
use crate::seat::{Seat, Side, Teams};

const EXAMPLES: &str = "\
Examples:
  linesman match --game quixo --bot 'python3 my_bot.py' --bot 'linesman bot greedy' \\
                 --games 20 --movetime 200ms
  linesman match --game quixo --options size=4 --bot ./a --bot ./b --tc 10s+100ms --out runs/a-b";

/// Play a number of games between bots
///
/// Give one `--bot` for each side of the game. The bots rotate through the seats
/// from game to game. In a team game, give one bot for each team, which plays all its
/// seats, or one bot for each seat, in the order of the seats. `--out` keeps the games; run
/// the same command again to continue a match that was stopped.
#[derive(clap::Args, Debug)]
#[command(before_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    what: GameArgs,
    /// Command that starts a bot; once for each bot
    #[arg(long = "bot", value_name = "COMMAND", required = true)]
    bots: Vec<String>,
    /// Name of a bot, in the order of `--bot` [default: taken from the command]
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let format = args.format.format_with_events(&args.conditions.events, "standings")?;
    args.conditions.events.start(ui)?;
    let plan = plan(args)?;
    let out = args.conditions.out.as_deref();
    let mut run = Run::new(ui, &plan, args.conditions.preflight(), PlanOrigin::Options)?;
    let directory = out.map(RunDirectory::at);
    run.keep_dialogues(args.conditions.log.as_deref())?;
    let PlayedRun { outcome, results, signal } = run.play(ui, directory.as_ref())?;
    let Session { tournament, schedule, .. } = &run.session;
    show_standings(ui, format, &results, tournament, schedule, out)?;
    match (out, outcome) {
        (Some(out), RunOutcome::Complete | RunOutcome::Decided | RunOutcome::Repeating) => {
            ui.note(format_args!("the games are in {}", out.display()));
        }
        (Some(_), RunOutcome::Withdrawn | RunOutcome::Open) => {}
        (Some(_), RunOutcome::Stopped) => return Ok(signals::stopped(ui)),
        (None, _) => ui.note("the games were not saved (use `--out DIR` to save them)"),
    }
    Ok(match outcome {
        RunOutcome::Complete | RunOutcome::Decided | RunOutcome::Repeating => {
            faults::judge(ui, args.conditions.faults, &results, Exit::Done)
        }
        RunOutcome::Withdrawn | RunOutcome::Open => Exit::Stopped,
        RunOutcome::Stopped => signals::exit_after(signal.as_ref()),
    })
}

/// The plan of the match. It is a tournament file, so that a match is kept and resumed as any run.
fn plan(args: &Args) -> Result<Plan, Failure> {
    let setup = args.what.options.set_up(&args.what.game)?;
    let teams = setup.teams();
    if args.bots.len() != teams.seats() && args.bots.len() != teams.sides() {
        return Err(wrong_number(args, &teams));
    }
    if args.names.len() > args.bots.len() {
        return Err(Failure::wrong("there are more `--name` than `--bot`"));
    }
    let names = names(args)?;
    args.conditions.check(&names.iter().map(String::as_str).collect::<Vec<_>>())?;
    let text = tournament_text(args, &*setup, &names, &conditions::current_folder()?);
    conditions::plan(text, "match")
}

/// The failure for a wrong number of bots.
fn wrong_number(args: &Args, teams: &Teams) -> Failure {
    let (seats, sides, bots) = (teams.seats(), teams.sides(), args.bots.len());
    let there = if bots == 1 { "there is" } else { "there are" };
    if sides < seats {
        let members = |side| teams.members(Side::from_index(side)).map(|seat| seat.to_string());
        let sides_in_words: Vec<String> =
            (0..sides).map(|side| members(side).collect::<Vec<_>>().join(" and ")).collect();
        return Failure::wrong(format_args!(
            "{} has {seats} seats for {sides} teams, but {there} {bots} bot{}",
            args.what.game,
            if bots == 1 { "" } else { "s" }
        ))
        .hint(format_args!(
            "give {sides} bots, each for all seats of its team, or {seats} bots in seat order (teams: seats {})",
            sides_in_words.join(", seats ")
        ));
    }
    let failure =
        Failure::wrong(format_args!("a match of {} needs {seats} bots, but {there} {bots}", args.what.game));
    match option_for(args, bots) {
        Some(option) => failure.hint(format_args!("use `--options {option}` to play with {bots}")),
        None => failure.hint(
            "give each bot with its own `--bot`; for more bots, write a tournament file and use `linesman \
             league run`",
        ),
    }
}

/// The option that gives a game this number of seats, with its value, if there is one.
fn option_for(args: &Args, seats: usize) -> Option<String> {
    let game = games::find(&args.what.game)?;
    let text = seats.to_string();
    game.options.iter().find_map(|spec| {
        let setup = game.configure(&[(spec.name, &text)]).ok()?;
        (setup.teams().seats() == seats).then(|| format!("{}={text}", spec.name))
    })
}

fn tournament_text(args: &Args, setup: &dyn Setup, names: &[String], folder: &Path) -> String {
    let mut text = conditions::head("match", &args.what.game, setup);
    // A round has as many games as there are sides, so that each bot or team starts once.
    let teams = setup.teams();
    let rounds = args.games.div_ceil(teams.sides() as u64);
    text.push_str(&format!("rounds = {rounds}\ngames = {}\n", args.games));
    text.push_str(&args.conditions.lines());
    text.push_str(&args.conditions.tables());
    for (name, command) in names.iter().zip(&args.bots) {
        text.push_str(&args.conditions.bot(name, command, folder));
    }
    if names.len() == teams.seats() {
        text.push_str(&team_lines(&teams, |seat| names[seat.index()].as_str()));
    }
    text
}

/// The lines of a tournament file for the teams of a game, if it has any. `name` is the bot of a seat.
pub(super) fn team_lines<'n>(teams: &Teams, name: impl Fn(Seat) -> &'n str) -> String {
    let sides = if teams.sides() < teams.seats() { teams.sides() } else { 0 };
    let lines = (0..sides).map(Side::from_index).map(|side| {
        let names: Vec<&str> = teams.members(side).map(&name).collect();
        let bots: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        format!("\n[[teams]]\nname = {}\nbots = [{}]\n", quoted(&team_name(&names, side)), bots.join(", "))
    });
    lines.collect()
}

/// The name of a team: the names of its bots, or its number if they are too long.
fn team_name(bots: &[&str], side: Side) -> String {
    let joined = bots.join("+");
    if joined.len() <= file::MAX_NAME_LENGTH { joined } else { format!("team-{}", side.index() + 1) }
}

/// The names of the bots: the given ones, or names made from the commands, with numbers that distinguish equal ones.
fn names(args: &Args) -> Result<Vec<String>, Failure> {
    let mut names: Vec<String> = Vec::new();
    for (index, command) in args.bots.iter().enumerate() {
        let name = match args.names.get(index) {
            Some(name) => name.clone(),
            None => {
                let words = split_command(command).map_err(|error| {
                    let failure = Failure::wrong(format_args!("can't parse `--bot {command:?}`"));
                    failure.cause(&error).hint_if(error.hint())
                })?;
                distinct_name(name_of(&words), |name| names.iter().any(|taken| taken == name))
            }
        };
        names.push(name);
    }
    Ok(names)
}
