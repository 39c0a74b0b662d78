//! `linesman test`: plays games until a sequential test has decided whether a new bot is stronger than its base.

use super::args::{Format, FormatArgs};
use super::conditions::{self, Conditions, GameArgs};
use super::error::{Exit, Failure};
use super::events::Event;
use super::play::failure::PlanOrigin;
use super::play::results::{adjudicated_note, finding, test_event};
use super::play::signals::stopped;
use super::play::{PlayedRun, Run, faults};
use super::sprt::{TestArgs, exit_of, show};
use super::ui::Ui;
use crate::league::directory::{Plan, RunDirectory};
use crate::league::session::{Results, RunOutcome};
use crate::rating::sprt::Design;

const EXAMPLES: &str = "\
Examples:
  linesman test --new ./tuned --base ./bot --game quixo --elo0 0 --elo1 20 --movetime 200ms
  linesman test --new ./tuned --base ./bot --game quixo --elo0 0 --elo1 20 --out runs/tuned";

/// Test whether a new bot is stronger than its base (SPRT)
///
/// The two bots play each other, with equally many games from each seat. The
/// sequential probability ratio test stops as soon as the results clearly favor elo1
/// or elo0, or after --max-games. `--out` keeps
/// the games; run the same command again to continue. A decision is final.
#[derive(clap::Args, Debug)]
#[command(before_help = EXAMPLES)]
#[command(after_long_help = "\
The result is a block of text that fits into a pull request. With --json it is an
object with the fields of `linesman sprt`, and `new`, `base` and `games_repeated`.

Without --openings all games start from the same position. Deterministic bots then
play the same two games over and over. A game that repeats an earlier one move by
move does not count (`games_repeated` is the number of such games). The test ends
undecided when hardly any new games appear.

Exit status: 0 if the new bot is accepted (elo1), 1 if it is rejected (elo0) or, with
--fail-on-fault, if a bot failed in a game, 3 if the test was stopped, 4 if it ended
undecided (--max-games, or repeated games).")]
pub(crate) struct Args {
    /// Command that starts the new bot
    #[arg(long, value_name = "COMMAND")]
    new: String,
    /// Command that starts the bot it must beat
    #[arg(long, value_name = "COMMAND")]
    base: String,
    /// Name of the new bot
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "new")]
    new_name: String,
    /// Name of the base
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "base")]
    base_name: String,
    #[command(flatten)]
    what: GameArgs,
    #[command(flatten)]
    test: TestArgs,
    /// Number of games after which the test ends undecided; odd numbers are rounded down
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(2..=2_000_000))]
    max_games: u64,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let format = args.format.format_with_events(&args.conditions.events, "test")?;
    args.conditions.events.start(ui)?;
    let plan = plan(args)?;
    let mut run = Run::new(ui, &plan, args.conditions.preflight(), PlanOrigin::Options)?;
    if plan.tournament.openings.is_none() {
        ui.note(
            "use `--openings FILE`: without openings, all games begin from the same position, and bots \
             that always play alike only repeat their games",
        );
    }
    let out = args.conditions.out.as_deref();
    let directory = out.map(RunDirectory::at);
    run.keep_dialogues(args.conditions.log.as_deref())?;
    let PlayedRun { outcome, results, signal } = run.play(ui, directory.as_ref())?;
    let decided = print_finding(format, ui, &results)?;
    if results.own().games > 0 {
        ui.warnings().iter().for_each(|text| ui.print_warning(text));
    }
    match out {
        Some(out) => ui.note(format_args!("the games are in {}", out.display())),
        None => ui.note("the games were not saved (use `--out DIR` to save them)"),
    }
    match outcome {
        RunOutcome::Complete | RunOutcome::Decided | RunOutcome::Repeating => {
            Ok(faults::judge(ui, args.conditions.faults, &results, decided))
        }
        RunOutcome::Withdrawn | RunOutcome::Open => Ok(Exit::Stopped),
        RunOutcome::Stopped => match signal.filter(|_| out.is_none()) {
            None => Ok(stopped(ui)),
            Some(signal) => Ok(Exit::Signal(signal.number())),
        },
    }
}

/// Prints the findings of the test and returns the exit status for them.
fn print_finding(format: Format, ui: &Ui, results: &Results) -> Result<Exit, Failure> {
    let test = results.test().ok_or_else(|| Failure::new(Exit::Bug, "the games are not a test"))?;
    let mut finding = finding(test);
    if let Some(note) = adjudicated_note(results) {
        finding = finding.noting(note);
    }
    if let (Some(events), Some(test)) = (ui.events(), test_event(results)) {
        events.emit(&Event::Test(test));
    }
    show(ui, format, &finding)?;
    Ok(exit_of(finding.status))
}

fn plan(args: &Args) -> Result<Plan, Failure> {
    let design = args.test.design()?;
    let setup = args.what.options.set_up(&args.what.game)?;
    let sides = setup.teams().sides();
    if sides != 2 {
        return Err(Failure::wrong(format_args!(
            "a test needs a game of two sides, but {} with {} has {sides}",
            args.what.game,
            setup.options(),
        )));
    }
    if args.new_name == args.base_name {
        return Err(Failure::wrong("the two bots have the same name")
            .hint("leave out `--new-name` and `--base-name`, or give two different names"));
    }
    args.conditions.check(&[&args.new_name, &args.base_name])?;
    let folder = conditions::current_folder()?;
    let mut text = conditions::head("test", &args.what.game, &*setup);
    text.push_str(&format!("rounds = {}\n", args.max_games / 2));
    text.push_str(&args.conditions.lines());
    text.push_str(&args.conditions.tables());
    text.push_str(&table(&design));
    text.push_str(&args.conditions.bot(&args.new_name, &args.new, &folder));
    text.push_str(&args.conditions.bot(&args.base_name, &args.base, &folder));
    conditions::plan(text, "test")
}

/// The table of a tournament file that makes it a test.
fn table(design: &Design) -> String {
    // Floats that are whole numbers keep their point, as TOML requires.
    let number = |value: f64| toml::Value::from(value).to_string();
    format!(
        "\n[test]\nelo0 = {}\nelo1 = {}\nalpha = {}\nbeta = {}\nmodel = \"{}\"\n",
        number(design.elo0),
        number(design.elo1),
        number(design.alpha),
        number(design.beta),
        design.model.word(),
    )
}
