//! The check of an adapted bot: short games against a built-in bot, with remarks on its moves.

use crate::cli::args;
use crate::cli::bot_names::distinct_name;
use crate::cli::conditions::{self, quoted};
use crate::cli::error::{Exit, Failure};
use crate::cli::play::failure::PlanOrigin;
use crate::cli::play::{self, PlayedRun, Run};
use crate::cli::ui::Ui;
use crate::direction::Direction;
use crate::games::{self, Game, table::legal_moves};
use crate::league::directory::Plan;
use crate::league::session::{Observer, Observers, Preflight, RunEvent, Session, SessionError};
use crate::process::isolation::Sandbox;
use crate::protocol::FromBot;
use crate::record::{FaultRecord, GameRecord, Playthrough, SeatRecord, TranscriptRecord, set_up};
use crate::report::describe;
use crate::seat::{BySeat, GameResult, Place, Seat};

/// The option with which an adapter prints the games that its bot plays.
pub(super) const CLAIMS: &str = "--claims";

/// The option with which an adapter reports how it calls its bot and reads the answers.
pub(super) const EXPLAIN: &str = "--explain";

const OPPONENT: &str = "random";

/// Minimum number of moves with a choice that are suspicious if each was the first legal one.
const MIN_SUSPICIOUS: usize = 4;

pub(super) struct AdaptedBot<'a> {
    pub(super) name: String,
    /// `FILE[:NAME]` as given by the user.
    pub(super) place: &'a str,
    pub(super) command: Vec<String>,
    pub(super) sandbox: Option<Sandbox>,
}

/// The games that a bot says it plays.
struct ClaimedGames {
    games: Vec<&'static Game>,
    /// True if the bot named no games, so it may not play all of these.
    is_guess: bool,
}

struct CheckedGame {
    game: &'static Game,
    sentence: String,
    has_failed: bool,
    seen: WatchedBot,
}

/// Tries the bot in each game and prints the outcomes.
pub(super) fn check(bot: &AdaptedBot<'_>, named: &[String], ui: &mut Ui) -> Result<Exit, Failure> {
    let claim = match named {
        [] => claimed(bot)?,
        named => {
            let games = named.iter().map(|id| args::find_game(id)).collect::<Result<_, _>>()?;
            ClaimedGames { games, is_guess: false }
        }
    };
    let mut trials = |reports_faults: bool| -> Result<Vec<CheckedGame>, Failure> {
        claim.games.iter().map(|game| trial(bot, game, reports_faults, ui)).collect()
    };
    let mut tried = trials(!claim.is_guess)?;
    // If it plays none of them, the trials are repeated to report the reasons.
    let plays_some = tried.iter().any(|trial| !trial.has_failed);
    if claim.is_guess && !plays_some {
        tried = trials(true)?;
    }
    for trial in &tried {
        let id = trial.game.id;
        if claim.is_guess && plays_some && trial.seen.first_fault.is_some() {
            writeln!(ui.data(), "{id}: {} does not play this game", bot.name)?;
            continue;
        }
        writeln!(ui.data(), "{id}: {}", trial.sentence)?;
        for remark in trial.seen.remarks() {
            writeln!(ui.data(), "{id}: {remark}")?;
        }
    }
    remark_on_losses(bot, &tried, ui)?;
    let is_failed = tried.iter().any(|trial| trial.has_failed);
    if claim.is_guess && plays_some && is_failed {
        ui.note(
            "`--game GAME` shows why the bot does not play a game; a shape names in `GAMES` those that it plays",
        );
        return Ok(Exit::Done);
    }
    Ok(if is_failed { Exit::No } else { Exit::Done })
}

fn remark_on_losses(bot: &AdaptedBot<'_>, trials: &[CheckedGame], ui: &Ui) -> Result<(), Failure> {
    let results = || trials.iter().filter(|trial| !trial.has_failed).flat_map(|trial| &trial.seen.results);
    if results().count() > 1 && results().all(|(_, result)| *result == GameResult::Lost) {
        writeln!(
            ui.data(),
            "{} lost every game against `{OPPONENT}`: it may not see the board as it expects (`--cells` and \
             `--shape` change what it is given)",
            bot.name
        )?;
    }
    Ok(())
}

/// The games that a bot plays. The bot is started in the sandbox, as for a game, and asked.
fn claimed(bot: &AdaptedBot<'_>) -> Result<ClaimedGames, Failure> {
    let first = &games::GAMES[0];
    let plan = plan(bot, first, CLAIMS)?;
    let quietly = &mut Observers::default();
    let asked = Session::new(&plan, play::platform()?, Preflight::MustPass, quietly)
        .and_then(|session| session.run(&mut |_| Ok(()), quietly).map(drop));
    let failing = match asked {
        Err(SessionError::Preflight(failing)) => failing,
        // The trial of the first game reports other errors.
        Err(_) | Ok(()) => Vec::new(),
    };
    let lines: Vec<&str> =
        failing.iter().flat_map(|bot| &bot.failed.stray_lines).map(String::as_str).collect();
    let claims: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("plays ")).collect();
    let is_all = claims.contains(&"all");
    let is_claimed = |game: &&Game| is_all || claims.contains(&game.id);
    let games: Vec<_> =
        if claims.is_empty() { vec![first] } else { games::GAMES.iter().filter(is_claimed).collect() };
    if games.is_empty() {
        return Err(Failure::wrong(format_args!(
            "`{}` plays none of the games: {}",
            bot.place,
            claims.join(", ")
        ))
        .hint("`linesman games` lists the games; correct `GAMES` in the shape"));
    }
    Ok(ClaimedGames { games, is_guess: is_all })
}

/// The plan of short games against built-in bots. The bot's command gets one more argument.
fn plan(bot: &AdaptedBot<'_>, game: &'static Game, argument: &str) -> Result<Plan, Failure> {
    let is_endless = game.options.iter().any(|option| option.name == "max_plies");
    let short: &[(&str, &str)] = if is_endless { &[("max_plies", "40")] } else { &[] };
    let setup = game.configure(short).map_err(Failure::wrong)?;
    let folder = conditions::current_folder()?;
    let command = [&bot.command[..], &[argument.to_owned()]].concat();
    let mut text = conditions::head("check", game.id, &*setup);
    text.push_str("rounds = 1\nmovetime = \"2s\"\n");
    if let Some(sandbox) = bot.sandbox {
        text.push_str(&format!("sandbox = {}\n", quoted(sandbox.word())));
    }
    let mut bots = vec![(bot.name.clone(), shell_words::join(command))];
    for _ in 1..setup.teams().sides() {
        let name = distinct_name(OPPONENT.to_owned(), |name| bots.iter().any(|(taken, _)| taken == name));
        bots.push((name, format!("linesman bot {OPPONENT}")));
    }
    for (name, command) in bots {
        text.push_str(&conditions::bot_lines(&name, &command, &folder));
    }
    conditions::plan(text, "match")
}

/// Plays one game from each seat. A bot that can't be started has failed.
fn trial(
    bot: &AdaptedBot<'_>,
    game: &'static Game,
    reports_faults: bool,
    ui: &mut Ui,
) -> Result<CheckedGame, Failure> {
    let mut seen = WatchedBot { name: bot.name.clone(), ..WatchedBot::default() };
    let played = plan(bot, game, EXPLAIN).and_then(|plan| {
        let mut run = Run::new(ui, &plan, Preflight::Skipped, PlanOrigin::Options)?;
        run.reports_faults = reports_faults;
        run.play_before(ui, None, Some(&mut seen))
    });
    let (has_failed, sentence) = match played {
        Ok(PlayedRun { signal: Some(signal), .. }) => {
            return Err(Failure::new(Exit::Signal(signal.number()), "the check was stopped"));
        }
        Ok(PlayedRun { .. }) => match &seen.first_fault {
            Some(fault) if ui.is_quiet() => (true, format!("{} failed: {fault}", bot.name)),
            Some(_) => (true, format!("{} failed; see the reason above", bot.name)),
            None => (seen.results.is_empty(), seen.outcome()),
        },
        Err(failure) => {
            if reports_faults {
                ui.fail(&failure);
            }
            (true, format!("{} could not play", bot.name))
        }
    };
    Ok(CheckedGame { game, sentence, has_failed, seen })
}

/// A fault in words, with the last line of the bot's stderr.
fn reason(record: &GameRecord, fault: &FaultRecord) -> String {
    let sentence = describe::fault_sentence(record, fault);
    // An error message may be followed by the call that failed.
    match describe::stderr_end(&fault.stderr_tail, 2)[..] {
        [message, call] if call.trim_start().starts_with("at ") => {
            format!("{sentence}: {message} {}", call.trim())
        }
        [.., last] => format!("{sentence}: {last}"),
        [] => sentence,
    }
}

/// The adapter's remark on a refused move, which is not among the moves of the record.
fn refused_remark(record: &GameRecord) -> Option<String> {
    let is_refusal =
        |fault: &&FaultRecord| fault.fault.as_ref().is_ok_and(|fault| fault.refused_move().is_some());
    let seat = record.faults.iter().find(is_refusal)?.seat;
    let is_own = |line: &&TranscriptRecord| line.seat == seat && line.direction == Ok(Direction::FromBot);
    record.transcript.iter().rev().filter(is_own).find_map(|line| {
        let Ok(FromBot::Info(info)) = FromBot::parse(line.text.as_bytes()) else { return None };
        info.text
    })
}

fn word(result: GameResult) -> &'static str {
    match result {
        GameResult::Won => "won",
        GameResult::Drawn => "drew",
        GameResult::Lost => "lost",
    }
}

/// The observations of a bot in its games.
#[derive(Default)]
struct WatchedBot {
    name: String,
    /// Its seat and its result in each game that ended.
    results: Vec<(Seat, GameResult)>,
    /// In words.
    first_fault: Option<String>,
    adapter_remarks: Vec<String>,
    /// Number of its moves with a choice, and how many of them were the first legal one.
    moves_with_choice: usize,
    first_moves: usize,
}

impl Observer for WatchedBot {
    fn on(&mut self, event: &RunEvent<'_>) {
        if let RunEvent::Played(game) = event {
            self.add(game.record);
        }
    }
}

impl WatchedBot {
    fn add(&mut self, record: &GameRecord) {
        let is_own =
            |seat: &SeatRecord| seat.name == self.name || seat.team.as_deref() == Some(self.name.as_str());
        let seats = (1..).map_while(Seat::new).zip(&record.seats);
        let own_seats: Vec<Seat> = seats.filter(|(_, bot)| is_own(bot)).map(|(seat, _)| seat).collect();
        let is_own_fault =
            |fault: &&FaultRecord| own_seats.iter().any(|seat| seat.number() == usize::from(fault.seat));
        let fault = record.faults.iter().find(is_own_fault);
        self.first_fault = self.first_fault.take().or_else(|| Some(reason(record, fault?)));
        let places = record.places.iter().flatten().filter_map(|number| Place::new(usize::from(*number)));
        let result = |seat: Seat| {
            let (places, setup) = (BySeat::from_values(places)?, set_up(record).ok()?);
            Some((seat, places.result(&setup.teams(), seat)))
        };
        if let Some(result) = own_seats.first().copied().and_then(result) {
            self.results.push(result);
            // Games may end in any order.
            self.results.sort_by_key(|(seat, _)| seat.number());
        }
        self.add_moves(record, &own_seats);
        if self.adapter_remarks.is_empty() {
            self.adapter_remarks.extend(refused_remark(record));
        }
    }

    /// Replays a game, counts the bot's moves and collects its adapter's remarks.
    fn add_moves(&mut self, record: &GameRecord, own_seats: &[Seat]) {
        let Some(mut game) = set_up(record).ok().and_then(|setup| Playthrough::new(&*setup, record).ok())
        else {
            return;
        };
        let said = record.said.iter().flatten();
        let texts = said.map(|said| said.as_ref().and_then(|said| said.text.as_ref()));
        let texts = texts.chain(std::iter::repeat(None));
        // The remarks differ from game to game only in their examples.
        let is_new = self.adapter_remarks.is_empty();
        for (mv, text) in record.moves.iter().flatten().zip(texts) {
            let legal = legal_moves(&*game.table);
            let Ok(made) = game.play(mv, None) else { return };
            if !own_seats.contains(&made.seat) {
                continue;
            }
            if legal.len() > 1 {
                self.moves_with_choice += 1;
                self.first_moves += usize::from(legal.first() == Some(mv));
            }
            // Both seats of a team send the same remark.
            if let Some(text) = text.filter(|text| is_new && !self.adapter_remarks.contains(text)) {
                self.adapter_remarks.push(text.clone());
            }
        }
    }

    fn outcome(&self) -> String {
        let name = &self.name;
        match &self.results[..] {
            [] => "the game was not played to its end".to_owned(),
            [(_, result)] => format!("{name} played to the end and {}", word(*result)),
            [(_, first), others @ ..] if others.iter().all(|(_, other)| other == first) => {
                let games = match others.len() {
                    1 => "both games".to_owned(),
                    more => format!("all {} games", 1 + more),
                };
                format!("{name} played to the end and {} {games}", word(*first))
            }
            all => {
                let part = |(seat, result): &(Seat, GameResult)| format!("{} in seat {seat}", word(*result));
                let parts: Vec<String> = all.iter().map(part).collect();
                format!("{name} played to the end and {}", parts.join(" and "))
            }
        }
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = self.adapter_remarks.clone();
        if self.moves_with_choice >= MIN_SUSPICIOUS && self.first_moves == self.moves_with_choice {
            remarks.push(format!(
                "each of the {} moves of {} was the first of the legal ones, so it may not see the board as it \
                 expects",
                self.moves_with_choice, self.name
            ));
        }
        remarks
    }
}
