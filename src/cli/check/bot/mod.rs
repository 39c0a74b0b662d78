//! `linesman check -- COMMAND`: checks a bot.

mod advice;
mod json;
mod junit;
mod sentences;
mod source;

use std::io::Write;
use std::sync::Arc;

use super::super::args::{find_game, given_options, word};
use super::super::conditions::{self, KeyLine, check_limits, limit};
use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::play::notes::report_sandbox;
use super::super::play::{signals, stage};
use super::super::ui::{Progress, Ui};
use super::CheckFormat;
use crate::check::bot::{
    BotCheck, CantCheck, CheckItem, Extent, ItemFailure, ItemOutcome, ItemProblem, ItemResult, SkipReason,
    run as run_check,
};
use crate::direction::Direction;
use crate::games::{GAMES, Game};
use crate::league::file::Tournament;
use crate::league::host::{Folders, Host, LeaguePaths};
use crate::league::lineup::Lineup;
use crate::league::session::Confinement;
use crate::process::isolation::Sandbox;
use crate::protocol::{Position, ToBot};
use crate::record::text::printable;
use crate::referee::driver::StopSwitch;
use crate::report::describe;
use crate::report::hints::{self, BotLanguage};
use crate::report::table::{Cell, Column, Table};
use crate::verdict::Fault;
use advice::advice;
use sentences::{Detail, figures, reason_in};

pub(super) const AFTER_HELP: &str = "\
The check of a bot takes up to two minutes, with --quick 15 seconds. Each item is passed,
failed or skipped. A failed item is shown with the last lines between the referee and the
bot, the end of its stderr, and advice.

A bot that resigns or exits at once in a game does not play it, and the game is skipped.
A game that --game names must be played.

--quick leaves out what takes many games and moves: a process plays 30 games, and up to 200
in three seconds if the bot is fast. It may not see memory that grows slowly, and faults that
come by chance in one of some hundred moves.

Exit status of the check of a bot: 0 if all items passed or do not apply, 1 if one failed,
2 if the command can't be started, 3 if none failed but the machine was too busy to try all
of them. The command that tries the rest is printed.";

const LEFT_OUT_BY_QUICK: &str = "--quick plays fewer and shorter games, so it may not see memory that grows slowly or a fault in \
     one of some hundred moves; leave it out before a tournament";

const SHOWN_LINES: usize = 11;

const SHOWN_STDERR: usize = 6;

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
    /// Options of the game, such as `players=3`; games that do not have them are left out
    #[arg(long, value_name = "NAME=VALUE,...", conflicts_with_all = ["host", "hostile"])]
    options: Option<String>,
    /// Try less of everything: fewer games with a process, and shorter ones
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
    /// The command line. A single word is the whole line, as in other subcommands.
    fn command_line(&self) -> String {
        match &self.command[..] {
            [line] => line.clone(),
            words => shell_words::join(words),
        }
    }

    /// The options for repeating the check, without games and items.
    fn for_repetition(&self, seed: Option<u64>, sandbox: Option<Sandbox>) -> Vec<String> {
        let quick = self.quick.then(|| "--quick".to_owned());
        let options = self.options.as_ref().map(|given| format!("--options {}", shell_words::quote(given)));
        let limits = self.limits.iter().map(|limit| format!("--limit {}", shell_words::quote(&limit.given)));
        let sandbox = sandbox.map(|sandbox| format!("--sandbox {}", sandbox.word()));
        let seed = seed.map(|seed| format!("--seed {seed}"));
        quick.into_iter().chain(options).chain(limits).chain(sandbox).chain(seed).collect()
    }
}

/// The results of a check, with the facts about the bot on which the advice depends.
struct CheckReport {
    command_line: String,
    command: Vec<String>,
    language: BotLanguage,
    /// True if the user named the games.
    are_games_named: bool,
    confinement: Confinement,
    results: Vec<ItemResult>,
    seconds: f64,
}

impl CheckReport {
    fn count(&self, is_match: fn(&ItemOutcome) -> bool) -> usize {
        self.results.iter().filter(|result| is_match(&result.outcome)).count()
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
        let failure = result.outcome.failure()?;
        if self.is_explained_by_sandbox(result.item, failure) {
            return Some("see `sandbox` below: without the sandbox the bot plays this game".to_owned());
        }
        let advice = advice(result.item, failure, &self.command, self.language, &self.confinement)?;
        // An adapter can't know which games its bot was written for.
        let is_guess = !self.are_games_named && hints::is_adapted(&self.command);
        Some(match failure.game.as_ref().filter(|_| is_guess && failure.problem == ItemProblem::Fault) {
            Some((record, _)) => format!(
                "{advice}; if the bot does not play {}, name those that it plays with `--game`",
                record.game
            ),
            None => advice,
        })
    }

    /// True if the item `sandbox` found that the sandbox caused this failure.
    fn is_explained_by_sandbox(&self, item: CheckItem, failure: &ItemFailure) -> bool {
        let mut failures = self.results.iter().filter_map(|result| result.outcome.failure());
        let confined = failures.find(|failure| failure.problem == ItemProblem::FailsOnlyInSandbox);
        let is_first = matches!(item, CheckItem::Handshake | CheckItem::Game);
        is_first && confined.is_some_and(|confined| confined.game == failure.game)
    }
}

/// The items that the machine was too busy for.
fn untried(results: &[ItemResult]) -> impl Iterator<Item = &ItemResult> {
    let is_busy =
        |result: &&ItemResult| matches!(result.outcome, ItemOutcome::Skipped(SkipReason::HostBusy(_)));
    results.iter().filter(is_busy)
}

/// The command that repeats the items that the machine was too busy for, with these options. If one of the items is
/// about all games, the command has the games that the user named.
fn repeat_command(
    results: &[ItemResult],
    named: &[String],
    options: Vec<String>,
    command_line: &str,
) -> Option<String> {
    untried(results).next()?;
    // An item without a game is about all games that the bot plays.
    let games: Option<Vec<&str>> = untried(results).map(|result| result.game).collect();
    let games = games.unwrap_or_else(|| named.iter().map(String::as_str).collect());
    let games = games.into_iter().map(|game| format!("--game {game}"));
    let items = untried(results).map(|result| format!("--item {}", result.item.word()));
    let mut words = options;
    for word in games.chain(items) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    Some(format!("linesman check {} -- {command_line}", words.join(" ")))
}

pub(super) fn run(
    options: &BotOptions,
    seed: Option<u64>,
    sandbox: Option<Sandbox>,
    format: CheckFormat,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let (check, confinement, command) = prepare(options, seed, sandbox, ui)?;
    let stop = check.stop.clone();
    let stopped_by = signals::listen_for_end(move || stop.abort_running())?;
    let stopwatch = env::Stopwatch::start();
    let mut before = None;
    let shows_progress = ui.progress() != Progress::None;
    let mut on_item = |item: CheckItem| {
        if shows_progress && before.replace(item) != Some(item) {
            ui.note(format_args!("checking {}", item.word()));
        }
    };
    let results = match run_check(&check, &mut on_item) {
        Ok(results) => results,
        Err(CantCheck::NotStarted(error)) => {
            return Err(Failure::wrong(format_args!("`{}` can't be started: {error}", check.command)));
        }
        Err(CantCheck::Stopped) => {
            ui.note("stopped: the check has no result");
            return Ok(signals::exit_after(stopped_by.get()));
        }
    };
    let seconds = stopwatch.elapsed().as_secs_f64();
    let report = CheckReport {
        command_line: check.command,
        language: source::language_of(&command),
        command,
        are_games_named: check.are_named,
        confinement,
        results,
        seconds,
    };
    show(&report, format, ui)?;
    let (passed, failed, skipped) = (report.passed(), report.failed(), report.skipped());
    ui.note(format_args!("{passed} passed, {failed} failed, {skipped} skipped in {seconds:.1} s"));
    if options.quick && options.items.is_empty() {
        ui.note(LEFT_OUT_BY_QUICK);
    }
    let options_again = options.for_repetition(seed, sandbox);
    let again = repeat_command(&report.results, &options.games, options_again, &report.command_line);
    Ok(exit_status(&report, again, ui))
}

/// Warns if the check is incomplete, with the command `again` that completes it. Returns the exit status.
fn exit_status(report: &CheckReport, again: Option<String>, ui: &mut Ui) -> Exit {
    let Some(again) = again else { return if report.failed() > 0 { Exit::No } else { Exit::Done } };
    let untried: Vec<String> = untried(&report.results).map(name).collect();
    ui.warn_once(format_args!(
        "the check is incomplete, because the machine was too busy for {}; to try again, close other programs and run \
         `{again}`",
        untried.join(", "),
    ));
    if report.failed() > 0 { Exit::No } else { Exit::Stopped }
}

/// Options of a game: names and values.
type GivenOptions = Vec<(String, String)>;

/// The games to try, and options that all of them take.
fn games(options: &BotOptions) -> Result<(Vec<&'static Game>, GivenOptions), Failure> {
    let named: Vec<&'static Game> = match &options.games[..] {
        [] => GAMES.iter().collect(),
        named => named.iter().map(|id| find_game(id)).collect::<Result<_, _>>()?,
    };
    let Some(text) = &options.options else { return Ok((named, Vec::new())) };
    let with_options = |game: &&'static Game| given_options(game, text).map(|given| (*game, given));
    let (fit, mut unfit): (Vec<_>, Vec<_>) = named.iter().map(with_options).partition(Result::is_ok);
    let fit: Vec<(&'static Game, GivenOptions)> = fit.into_iter().flatten().collect();
    match unfit.pop() {
        Some(Err(failure)) if !options.games.is_empty() => return Err(failure),
        Some(_) if fit.is_empty() => {
            return Err(Failure::wrong(format_args!("no game takes the options `{text}`"))
                .hint("name the game, for example with `--game tandem`, to see what is wrong"));
        }
        Some(_) | None => {}
    }
    // All of these games read the options alike.
    let given = fit.first().map(|(_, given)| given.clone()).unwrap_or_default();
    Ok((fit.into_iter().map(|(game, _)| game).collect(), given))
}

/// The check of the bot as a match would start it, its confinement and its command.
fn prepare(
    options: &BotOptions,
    seed: Option<u64>,
    sandbox: Option<Sandbox>,
    ui: &mut Ui,
) -> Result<(BotCheck, Confinement, Vec<String>), Failure> {
    let (games, games_options) = games(options)?;
    check_limits(&options.limits)?;
    let tournament = tournament(options, sandbox)?;
    let identity = env::identify_here(&tournament.bots[0]).map_err(|error| {
        Failure::wrong(format_args!("the bot can't be started: {error}")).hint_if(error.hint())
    })?;
    let paths = LeaguePaths { folders: Folders::OfThePlayer, ..LeaguePaths::default() };
    let stage = stage(ui, tournament.sandbox, paths)?;
    report_sandbox(ui, &stage.status);
    let identities = [identity];
    let lineup = Lineup::of(&tournament, &identities, &stage.host);
    // Advice about the sandbox is for the tournament in which the bot will play.
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
        options: games_options,
        seed: seed.unwrap_or(0),
        extent: if options.quick { Extent::Quick } else { Extent::Full },
        stop: StopSwitch::new(),
    };
    Ok((check, confinement, tournament.bots[0].command.clone()))
}

/// A tournament with only this bot.
fn tournament(options: &BotOptions, sandbox: Option<Sandbox>) -> Result<Tournament, Failure> {
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
        text.push_str(&conditions::bot_lines(name, &options.command_line(), &folder));
    }
    let mut tournament = conditions::plan(text, "check")?.tournament;
    tournament.bots.truncate(1);
    Ok(tournament)
}

fn show(report: &CheckReport, format: CheckFormat, ui: &Ui) -> Result<(), Failure> {
    match format {
        CheckFormat::Table => {
            // Items that were not tried all have the same reason; their number is printed below.
            let tried = report.results.iter().filter(|result| !is_untried(result));
            ui.data().write_all(table(tried, Detail::Brief).to_text(ui.data_width()).as_bytes())?;
            ui.data().write_all(failures(report).as_bytes())?;
        }
        CheckFormat::Csv => table(&report.results, Detail::Full).write_csv(ui.data())?,
        CheckFormat::Json => json::print(report, ui)?,
        CheckFormat::Junit => ui.data().write_all(&junit::xml(report)?)?,
    }
    Ok(())
}

/// True if an item was not tried because the bot plays no game.
fn is_untried(result: &ItemResult) -> bool {
    matches!(result.outcome, ItemOutcome::Skipped(SkipReason::NoHandshake | SkipReason::NothingPlayed))
}

fn table<'r>(results: impl IntoIterator<Item = &'r ItemResult>, detail: Detail) -> Table {
    Table::of(
        [
            Column::text("item").of(|result: &ItemResult| Cell::text(result.item.word())),
            Column::text("game").of(|result: &ItemResult| Cell::maybe(result.game, Cell::text)),
            Column::text("result").of(|result: &ItemResult| Cell::text(result.outcome.word())),
            Column::words_of_others("found").of(move |result: &ItemResult| {
                let found = reason_in(detail, result).into_iter().chain(figures(&result.observed));
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

/// The failures with their evidence and advice, for people.
fn failures(report: &CheckReport) -> String {
    let mut text = String::new();
    let mut games: Vec<&str> = Vec::new();
    for result in &report.results {
        let Some(failure) = result.outcome.failure() else { continue };
        // The grammar of moves is printed once for each game.
        let game = failure.game.as_ref().map(|(record, _)| &*record.game);
        let is_no_move = matches!(failure.fault(), Some(Fault::NotAMove { .. }));
        let is_printed = game.is_some_and(|game| games.contains(&game));
        let detail = if is_printed { Detail::Brief } else { Detail::Full };
        games.extend(game.filter(|_| is_no_move && !is_printed));
        text.push_str(&format!("\n{}: {}\n", name(result), reason_in(detail, result).unwrap_or_default()));
        for line in evidence(failure) {
            text.push_str(&format!("    {line}\n"));
        }
        if let Some(advice) = report.advice(result) {
            text.push_str(&format!("    advice: {advice}\n"));
        }
    }
    text
}

/// The evidence of a failure: the starting position, the last lines of the dialogue, and the end of stderr.
fn evidence(failure: &ItemFailure) -> Vec<String> {
    let mut lines = Vec::new();
    let has_position = failure.sent().any(|message| matches!(message, ToBot::Position(_)));
    let opening = failure.game.as_ref().and_then(|(record, _)| record.opening.as_ref());
    if let Some(opening) =
        opening.filter(|opening| !has_position && (opening.token.is_some() || !opening.moves.is_empty()))
    {
        let position = Position { token: opening.token.clone(), moves: opening.moves.clone() };
        lines.push(printable(&ToBot::Position(position).to_string(), 2 * SHOWN_LENGTH));
    }
    let dialogue = &failure.dialogue[failure.dialogue.len().saturating_sub(SHOWN_LINES)..];
    lines.extend(dialogue.iter().map(|line| {
        let sign = if line.direction == Ok(Direction::ToBot) { '>' } else { '<' };
        format!("{:.3} {sign} {}", line.at_us as f64 / 1e6, cut_in_the_middle(&line.text))
    }));
    let stderr = describe::stderr_excerpt(&failure.stderr, SHOWN_STDERR);
    lines.extend(stderr.iter().map(|line| format!("stderr | {}", printable(line, SHOWN_LENGTH))));
    lines
}

/// A line without its middle if it is long.
fn cut_in_the_middle(line: &str) -> String {
    let characters = line.chars().count();
    if characters <= SHOWN_LENGTH {
        return line.to_owned();
    }
    let part = SHOWN_LENGTH / 2;
    let first: String = line.chars().take(part).collect();
    let last: String = line.chars().skip(characters - part).collect();
    format!("{first} [... {} characters left out ...] {last}", characters - 2 * part)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_command_repeats_the_items_left_out_by_a_busy_machine() {
        let result = |item, game, outcome| ItemResult {
            item,
            game,
            outcome,
            observed: Vec::new(),
            took: Duration::ZERO,
        };
        let busy = || ItemOutcome::Skipped(SkipReason::HostBusy("busy".to_owned()));
        let mut results = vec![
            result(CheckItem::Clock, None, ItemOutcome::Passed),
            result(CheckItem::Pass, None, ItemOutcome::Skipped(SkipReason::NoSuchPosition)),
        ];
        let again = |results: &[ItemResult], named: &[String], options: &[&str]| {
            repeat_command(results, named, options.iter().map(|&option| option.to_owned()).collect(), "./bot")
        };
        assert_eq!(again(&results, &[], &[]), None);
        results.push(result(CheckItem::Positions, Some("tandem"), busy()));
        results.push(result(CheckItem::FullBoard, Some("tandem"), busy()));
        let expected = "linesman check --game tandem --item positions --item full-board -- ./bot";
        assert_eq!(again(&results, &[], &[]).as_deref(), Some(expected));
        let expected =
            "linesman check --sandbox off --game tandem --item positions --item full-board -- ./bot";
        assert_eq!(again(&results, &["quixo".to_owned()], &["--sandbox off"]).as_deref(), Some(expected));
        results.push(result(CheckItem::ManyGames, None, busy()));
        let expected = "linesman check --item positions --item full-board --item many-games -- ./bot";
        assert_eq!(again(&results, &[], &[]).as_deref(), Some(expected), "it is about all games");
        let expected =
            "linesman check --game tandem --item positions --item full-board --item many-games -- ./bot";
        assert_eq!(again(&results, &["tandem".to_owned()], &[]).as_deref(), Some(expected), "of those named");
    }

    #[test]
    fn a_repeated_check_has_the_same_options() {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            options: BotOptions,
            #[arg(long)]
            host: bool,
            #[arg(long)]
            hostile: bool,
        }
        let line = "check --quick --options players=3,radius=2 --limit memory=4GiB --limit start=9s --item clock -- ./b";
        let line: Line = clap::Parser::parse_from(line.split(' '));
        let words = line.options.for_repetition(Some(7), Some(Sandbox::Off));
        let expected = "--quick --options 'players=3,radius=2' --limit 'memory=4GiB' --limit 'start=9s' --sandbox off --seed 7";
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn long_lines_are_cut_in_the_middle() {
        let line = "a".repeat(SHOWN_LENGTH) + &"b".repeat(SHOWN_LENGTH);
        let cut = cut_in_the_middle(&line);
        assert!(cut.starts_with('a') && cut.ends_with('b'), "{cut}");
        assert!(cut.contains(&format!("[... {SHOWN_LENGTH} characters left out ...]")), "{cut}");
        assert_eq!(cut_in_the_middle("bestmove a1a5"), "bestmove a1a5");
    }
}
