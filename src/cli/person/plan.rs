//! The plan of a person's games: a tournament file as for a match, in which one bot is the person.

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use super::Args;
use crate::cli::bot_names::{distinct_name, name_of};
use crate::cli::conditions::{self, quoted};
use crate::cli::error::{Exit, Failure};
use crate::cli::inspect::bad_token;
use crate::cli::r#match::team_lines;
use crate::cli::play::read_run;
use crate::cli::ui::Ui;
use crate::engines::Engine;
use crate::games::Setup;
use crate::league::bots::command_of_person;
use crate::league::directory::{Plan, RunDirectory};
use crate::league::file::{did_you_mean, split_command};
use crate::league::openings;
use crate::league::schedule::{Pairing, Schedule};
use crate::time_control::{Span, TimeControl};

/// The time limit of a person without a limit: a day, the maximum in a record.
const UNLIMITED: Duration = Duration::from_secs(86_400);

const BOTS_MOVETIME: Duration = Duration::from_secs(1);

/// The built-in bots that need no file.
const OPPONENTS: [Engine; 5] =
    [Engine::Random, Engine::Greedy, Engine::AlphaBeta, Engine::Mcts, Engine::Level];

/// The player in a seat, as a bot of the plan.
struct Occupant {
    name: String,
    command: String,
    limit: Option<Duration>,
}

/// Makes the plan, and selects the games to play now.
/// The schedule determines the seats in each game. If the person chose a seat, rounds are added until there are enough
/// games in which all players have their seats.
pub(super) fn plan(args: &Args, setup: &dyn Setup, ui: &mut Ui) -> Result<(Plan, BTreeSet<u64>), Failure> {
    if let Some(token) = &args.token {
        let table = setup.from_token(token).map_err(|error| bad_token(token, &error))?;
        if let Some(ending) = table.ending() {
            return Err(Failure::wrong(format_args!("the game is over in this position: {}", ending.why)));
        }
    }
    if let Some(openings) = &args.openings {
        openings::file::read(openings)
            .map(drop)
            .map_err(|error| Failure::file(Exit::Wrong, "read", openings, &error))?;
    }
    let occupants = occupants(args, setup)?;
    let before = earlier_games(args, ui)?;
    let wanted = args.games.get();
    let mut rounds = before.rounds.max(1);
    loop {
        let schedule = |games| -> Result<(Plan, Schedule), Failure> {
            let plan = conditions::plan(text(args, setup, &occupants, (rounds, games))?, "play")?;
            let schedule = Schedule::of(&plan.tournament).map_err(Failure::wrong)?;
            Ok((plan, schedule))
        };
        let (_, all) = schedule(None)?;
        let has_seats = |pairing: &Pairing| {
            args.seat.is_none() || pairing.bots.iter().all(|(seat, bot)| seat.index() == *bot)
        };
        let is_missing = |pairing: &Pairing| !before.played.contains(&pairing.id);
        let wanted_games = all.iter().filter(|pairing| is_missing(pairing) && has_seats(pairing));
        let games: BTreeSet<u64> = wanted_games.map(|pairing| pairing.index).take(wanted as usize).collect();
        if games.len() as u64 == wanted {
            let last = games.last().copied().unwrap_or_default() + 1;
            let (plan, _) = schedule(Some(last.max(before.games)))?;
            return Ok((plan, games));
        }
        rounds += u32::try_from(wanted - games.len() as u64).unwrap_or(u32::MAX);
    }
}

#[derive(Default)]
struct EarlierGames {
    rounds: u32,
    games: u64,
    /// The ids of the games that have a record.
    played: HashSet<String>,
}

fn earlier_games(args: &Args, ui: &mut Ui) -> Result<EarlierGames, Failure> {
    let Some(directory) = args.out.as_ref().map(RunDirectory::at) else { return Ok(EarlierGames::default()) };
    if !directory.plan().exists() {
        return Ok(EarlierGames::default());
    }
    let run = read_run(ui, directory.path())?;
    let (tournament, progress) = (&run.plan.tournament, &run.progress);
    let played = progress.schedule.iter().filter(|pairing| progress.played.contains(pairing.index));
    Ok(EarlierGames {
        rounds: tournament.rounds,
        games: tournament.max_games.unwrap_or_else(|| progress.schedule.games()),
        played: played.map(|pairing| pairing.id).collect(),
    })
}

/// The players in the order of their seats.
fn occupants(args: &Args, setup: &dyn Setup) -> Result<Vec<Occupant>, Failure> {
    let seats = setup.teams().seats();
    let (seat, others) = (usize::from(args.seat.unwrap_or(1)), seats - 1);
    if seat > seats {
        return Err(Failure::wrong(format_args!("there is no seat {seat}: {} has {seats} seats", args.game)));
    }
    if args.against.len() != 1 && args.against.len() != others {
        return Err(Failure::wrong(format_args!(
            "{} has {others} other seat{}, but there are {} bots",
            args.game,
            if others == 1 { "" } else { "s" },
            args.against.len()
        ))
        .hint("give one `--against` for all of them, or one for each in seat order"));
    }
    let bots_limit = match (args.movetime, args.tc) {
        (Some(TimeControl::MoveTime(limit)), _) => Some(limit),
        (_, Some(_)) => None,
        (_, None) => Some(BOTS_MOVETIME),
    };
    let mut occupants: Vec<Occupant> = Vec::new();
    for bot in args.against.iter().cycle().take(others) {
        if occupants.len() + 1 == seat {
            occupants.push(person(args));
        }
        let (name, command) = opponent(bot)?;
        let is_taken =
            |name: &str| name == args.name || occupants.iter().any(|occupant| occupant.name == name);
        let name = distinct_name(name, is_taken);
        occupants.push(Occupant { name, command, limit: bots_limit });
    }
    if occupants.len() < seats {
        occupants.push(person(args));
    }
    Ok(occupants)
}

fn person(args: &Args) -> Occupant {
    Occupant { name: args.name.clone(), command: command_of_person(), limit: args.own_movetime }
}

/// The name and the command of an opponent. For a built-in bot, the name is enough.
fn opponent(text: &str) -> Result<(String, String), Failure> {
    if let Some(engine) = OPPONENTS.into_iter().find(|engine| engine.name() == text) {
        return Ok((text.to_owned(), format!("linesman bot {}", engine.name())));
    }
    let words = split_command(text).map_err(|error| {
        let hint = error.hint();
        Failure::wrong(format_args!("can't parse `--against {text:?}`")).cause(error).hint_if(hint)
    })?;
    if let [word] = words.as_slice()
        && let Some(near) = did_you_mean(word, OPPONENTS.into_iter().map(Engine::name))
    {
        return Err(Failure::wrong(format_args!("there is no built-in bot `{word}`"))
            .hint(near)
            .hint("for a program of this name, give its path, such as `./NAME`"));
    }
    Ok((name_of(&words), text.to_owned()))
}

/// The text of the tournament file.
fn text(
    args: &Args,
    setup: &dyn Setup,
    occupants: &[Occupant],
    (rounds, games): (u32, Option<u64>),
) -> Result<String, Failure> {
    let teams = setup.teams();
    let control = args.tc.unwrap_or_else(|| {
        // The common limit is the highest; players with a lower one have their own.
        let person = args.own_movetime.unwrap_or(UNLIMITED);
        let limits = occupants.iter().filter_map(|occupant| occupant.limit);
        TimeControl::MoveTime(limits.fold(person, Duration::max))
    });
    let mut text = conditions::head("play", &args.game, setup);
    text.push_str(&format!("rounds = {rounds}\n"));
    text.push_str(&games.map_or_else(String::new, |games| format!("games = {games}\n")));
    text.push_str(&format!("seed = {}\n{} = \"{}\"\n", args.seed, control.key(), control.value()));
    text.push_str("concurrency = 1\naffinity = \"off\"\n");
    if let Some(sandbox) = args.sandbox.sandbox {
        text.push_str(&format!("sandbox = \"{}\"\n", sandbox.word()));
    }
    if let Some(token) = &args.token {
        text.push_str(&format!("\n[openings]\nlist = [{}]\n", quoted(&format!("token {token}"))));
    }
    if let Some(openings) = &args.openings {
        text.push_str(&format!("\n[openings]\nfile = {}\n", quoted(&openings.to_string_lossy())));
    }
    let folder = conditions::current_folder()?;
    for Occupant { name, command, limit } in occupants {
        let limit =
            limit.map_or_else(String::new, |limit| format!("limits = {{ move = \"{}\" }}\n", Span(limit)));
        text.push_str(&conditions::bot_lines(name, command, &folder));
        text.push_str(&limit);
    }
    text.push_str(&team_lines(&teams, |seat| occupants[seat.index()].name.as_str()));
    Ok(text)
}
