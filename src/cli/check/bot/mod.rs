//! `linesman check -- COMMAND`: tries a bot.

mod advice;
mod json;
mod junit;
mod sentences;

use std::io::Write;
use std::sync::{Arc, OnceLock};

use super::super::args::{find_game, word};
use super::super::conditions::{self, KeyLine, check_limits, limit, quoted};
use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::play::notes::tell_sandbox;
use super::super::play::signals::{self, Signal};
use super::super::play::stage;
use super::super::replay::identify_here;
use super::super::ui::{Progress, Ui};
use super::CheckFormat;
use crate::check::bot::{
    BotCheck, CantCheck, CheckItem, Extent, ItemFailure, ItemOutcome, ItemResult, SkipReason,
    run as run_check,
};
use crate::games::GAMES;
use crate::league::file::Tournament;
use crate::league::host::{Folders, Host, Premises};
use crate::league::lineup::Lineup;
use crate::league::session::Confinement;
use crate::process::isolation::Sandbox;
use crate::record::text::printable;
use crate::referee::driver::StopSwitch;
use crate::report::table::{Cell, Column, Table};
use advice::advice;
use sentences::{figures, reason};

pub(super) const AFTER_HELP: &str = "\
The check of a bot takes up to two minutes, with --quick 15 seconds. Each item is passed,
failed or skipped. A failed item is shown with the last lines between the referee and the
bot, the end of its stderr, and advice.

A bot that resigns or exits at once in a game does not play it, and the game is skipped.
A game that --game names must be played.

Exit status of the check of a bot: 0 if no item failed, 1 if one failed, 2 if the command
can't be started.";

/// Maximum number of lines of a dialogue that are shown.
const SHOWN_LINES: usize = 8;

/// Maximum number of lines of stderr that are shown.
const SHOWN_STDERR: usize = 6;

/// Maximum length of a line that is shown.
const SHOWN_LENGTH: usize = 300;

#[derive(clap::Args, Debug)]
pub(crate) struct BotOptions {
    /// Command that starts the bot
    #[arg(value_name = "COMMAND", group = "what", last = true)]
    command: Vec<String>,
    /// Game that the bot must play; may be repeated [default: all that it plays]
    #[arg(long = "game", value_name = "GAME", conflicts_with_all = ["host", "hostile"])]
    games: Vec<String>,
    /// Try this item only, such as `clock`; may be repeated
    #[arg(long = "item", value_name = "ITEM", conflicts_with_all = ["host", "hostile"], value_parser = item)]
    items: Vec<CheckItem>,
    /// Try less of everything
    #[arg(long, conflicts_with_all = ["host", "hostile"])]
    quick: bool,
    /// Limit for the bot, such as `memory=4GiB`; may be repeated
    #[arg(long = "limit", value_name = "KEY=VALUE", conflicts_with_all = ["host", "hostile"], value_parser = limit)]
    limits: Vec<KeyLine>,
}

fn item(text: &str) -> Result<CheckItem, String> {
    word(text, CheckItem::ALL, CheckItem::word)
}

impl BotOptions {
    /// The command as a line. One word is the whole line, as in other subcommands.
    fn command_line(&self) -> String {
        match &self.command[..] {
            [line] => line.clone(),
            words => shell_words::join(words),
        }
    }
}

/// The results of a check, with the facts about the bot that advice needs.
struct CheckReport {
    command_line: String,
    command: Vec<String>,
    confinement: Confinement,
    results: Vec<ItemResult>,
    seconds: f64,
}

impl CheckReport {
    /// Number of items with this outcome.
    fn count(&self, is_it: fn(&ItemOutcome) -> bool) -> usize {
        self.results.iter().filter(|result| is_it(&result.outcome)).count()
    }

    fn failed(&self) -> usize {
        self.count(|outcome| matches!(outcome, ItemOutcome::Failed(_)))
    }

    fn skipped(&self) -> usize {
        self.count(|outcome| matches!(outcome, ItemOutcome::Skipped(_)))
    }

    fn passed(&self) -> usize {
        self.count(|outcome| matches!(outcome, ItemOutcome::Passed))
    }

    /// The advice for an item, if it failed.
    fn advice(&self, result: &ItemResult) -> Option<String> {
        advice(result.item, result.outcome.failure()?, &self.command, &self.confinement)
    }
}

pub(super) fn run(
    options: &BotOptions,
    sandbox: Option<Sandbox>,
    format: CheckFormat,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let (check, confinement, command) = prepare(options, sandbox, ui)?;
    let stopped_by = Arc::new(OnceLock::<Signal>::new());
    let (stop, by) = (check.stop.clone(), Arc::clone(&stopped_by));
    signals::listen(move |signal| {
        let _ = by.set(signal);
        stop.abort_running();
    })
    .map_err(|error| Failure::wrong("can't set up signal handling").cause(error))?;
    let stopwatch = env::Stopwatch::start();
    let mut before = None;
    let shows_progress = ui.progress() != Progress::None;
    let mut begins = |item: CheckItem| {
        if shows_progress && before.replace(item) != Some(item) {
            ui.note(format_args!("checking {}", item.word()));
        }
    };
    let results = match run_check(&check, &mut begins) {
        Ok(results) => results,
        Err(CantCheck::NotStarted(error)) => {
            return Err(Failure::wrong(format_args!("`{}` can't be started: {error}", check.command)));
        }
        Err(CantCheck::Stopped) => {
            ui.note("stopped: the check has no result");
            return Ok(stopped_by.get().map_or(Exit::Stopped, |signal| Exit::Signal(signal.number())));
        }
    };
    let seconds = stopwatch.elapsed().as_secs_f64();
    let report = CheckReport { command_line: check.command, command, confinement, results, seconds };
    show(&report, format, ui)?;
    ui.note(format_args!(
        "{} passed, {} failed, {} skipped in {seconds:.1} s",
        report.passed(),
        report.failed(),
        report.skipped(),
    ));
    Ok(if report.failed() == 0 { Exit::Done } else { Exit::No })
}

/// The bot as a match would start it, and its confinement.
fn prepare(
    options: &BotOptions,
    sandbox: Option<Sandbox>,
    ui: &mut Ui,
) -> Result<(BotCheck, Confinement, Vec<String>), Failure> {
    let games = match &options.games[..] {
        [] => GAMES.to_vec(),
        named => named.iter().map(|id| find_game(id)).collect::<Result<_, _>>()?,
    };
    check_limits(&options.limits)?;
    let tournament = tournament(options, sandbox, ui)?;
    let identity = identify_here(&tournament.bots[0]).map_err(|error| {
        Failure::wrong(format_args!("the bot can't be started: {error}")).hint_if(error.hint())
    })?;
    let premises = Premises { folders: Folders::OfThePlayer, ..Premises::default() };
    let stage = stage(ui, tournament.sandbox, premises)?;
    tell_sandbox(ui, &stage.status);
    let identities = [identity];
    let lineup = Lineup::of(&tournament, &identities, &stage.host);
    // Advice on the sandbox is for the tournament in which the bot will play.
    let mut confinement = Confinement::of(&stage.host, &tournament, &lineup, 0);
    confinement.folders = Folders::OfBots;
    let is_confined = stage.host.layers.as_ref().is_some_and(|layers| layers.launcher.is_some());
    let first = |lineup: Lineup| lineup.specs.into_iter().next().map(Arc::new);
    let spec = first(lineup).expect("there is one bot");
    let host = Host { layers: None, ..stage.host };
    let unconfined = is_confined.then(|| first(Lineup::of(&tournament, &identities, &host))).flatten();
    let check = BotCheck {
        spec,
        unconfined,
        command: options.command_line(),
        limits: tournament.bots[0].limits.for_core(),
        games,
        are_named: !options.games.is_empty(),
        items: if options.items.is_empty() { CheckItem::ALL.to_vec() } else { options.items.clone() },
        extent: if options.quick { Extent::Quick } else { Extent::Full },
        stop: StopSwitch::new(),
    };
    Ok((check, confinement, tournament.bots[0].command.clone()))
}

/// A tournament of the bot alone.
fn tournament(options: &BotOptions, sandbox: Option<Sandbox>, ui: &Ui) -> Result<Tournament, Failure> {
    let game = GAMES[0].configure(&[]).map_err(Failure::wrong)?;
    let folder = conditions::current_folder()?;
    let mut text = conditions::head("check", game.id(), &*game);
    text.push_str("rounds = 1\nmovetime = \"1s\"\n");
    if let Some(sandbox) = sandbox {
        text.push_str(&format!("sandbox = \"{}\"\n", sandbox.word()));
    }
    let limits: String = options.limits.iter().map(|limit| format!("{}\n", limit.line)).collect();
    text.push_str(&format!("\n[limits]\n{limits}"));
    for name in ["bot", "other"] {
        text.push_str(&format!(
            "\n[[bots]]\nname = \"{name}\"\ncommand = {}\ndir = {}\n",
            quoted(&options.command_line()),
            quoted(&folder.to_string_lossy()),
        ));
    }
    let plan = conditions::plan(ui, text, "check")?;
    let mut tournament = plan.tournament;
    tournament.bots.truncate(1);
    Ok(tournament)
}

fn show(report: &CheckReport, format: CheckFormat, ui: &Ui) -> Result<(), Failure> {
    match format {
        CheckFormat::Table => {
            // The items that were not tried, all for the same reason, are counted below.
            let tried = report.results.iter().filter(|result| !is_untried(result));
            ui.data().write_all(table(tried).to_text(ui.data_width()).as_bytes())?;
            ui.data().write_all(failures(report).as_bytes())?;
        }
        CheckFormat::Csv => table(&report.results).write_csv(ui.data())?,
        CheckFormat::Json => json::print(report, ui)?,
        CheckFormat::Junit => ui.data().write_all(&junit::xml(report)?)?,
    }
    Ok(())
}

/// True for an item that was not tried because the bot plays nothing.
fn is_untried(result: &ItemResult) -> bool {
    matches!(result.outcome, ItemOutcome::Skipped(SkipReason::NoHandshake | SkipReason::NothingPlayed))
}

fn table<'r>(results: impl IntoIterator<Item = &'r ItemResult>) -> Table {
    Table::of(
        [
            Column::text("item").of(|own: &ItemResult| Cell::text(own.item.word())),
            Column::text("game").of(|own: &ItemResult| Cell::maybe(own.game, Cell::text)),
            Column::text("result").of(|own: &ItemResult| Cell::text(own.outcome.word())),
            Column::words_of_others("found").of(|own: &ItemResult| {
                let found = reason(own).into_iter().chain(figures(&own.observed));
                Cell::text(&found.collect::<Vec<_>>().join("; "))
            }),
        ],
        results,
    )
}

/// `positions (quixo)`
fn name(result: &ItemResult) -> String {
    match result.game {
        Some(game) => format!("{} ({game})", result.item.word()),
        None => result.item.word().to_owned(),
    }
}

/// Everything about the failures, for people.
fn failures(report: &CheckReport) -> String {
    let mut text = String::new();
    for result in &report.results {
        let Some(failure) = result.outcome.failure() else { continue };
        text.push_str(&format!("\n{}: {}\n", name(result), reason(result).unwrap_or_default()));
        for line in evidence(failure) {
            text.push_str(&format!("    {line}\n"));
        }
        if let Some(advice) = report.advice(result) {
            text.push_str(&format!("    advice: {advice}\n"));
        }
    }
    text
}

/// The position from which a game started, the last lines of the dialogue, and the end of stderr.
fn evidence(failure: &ItemFailure) -> Vec<String> {
    let mut lines = Vec::new();
    let opening = failure.game.as_ref().and_then(|(record, _)| record.opening.as_ref());
    if let Some(opening) = opening.filter(|own| own.token.is_some() || !own.moves.is_empty()) {
        let token = opening.token.as_ref().map_or_else(|| "startpos".to_owned(), |own| format!("fen {own}"));
        let moves = if opening.moves.is_empty() { "" } else { " moves " };
        lines.push(printable(
            &format!("position {token}{moves}{}", opening.moves.join(" ")),
            2 * SHOWN_LENGTH,
        ));
    }
    let dialogue = &failure.dialogue[failure.dialogue.len().saturating_sub(SHOWN_LINES)..];
    lines.extend(dialogue.iter().map(|line| {
        let sign = if line.direction == "to_bot" { '>' } else { '<' };
        format!("{:.3} {sign} {}", line.at_us as f64 / 1e6, printable(&line.text, SHOWN_LENGTH))
    }));
    let stderr: Vec<&str> = failure.stderr.lines().collect();
    let stderr = &stderr[stderr.len().saturating_sub(SHOWN_STDERR)..];
    lines.extend(stderr.iter().map(|line| format!("stderr | {}", printable(line, SHOWN_LENGTH))));
    lines
}
