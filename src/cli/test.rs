//! `linesman test`: is a new bot stronger than its base? Games until a
//! sequential test has decided that.

use super::args::{Format, FormatArgs};
use super::conditions::{self, Conditions, GameArgs, in_words};
use super::env;
use super::error::{Exit, Failure};
use super::events::Event;
use super::play::faults;
use super::play::results::{Results, finding};
use super::play::session::Session;
use super::play::{Outcome, tell_outcome};
use super::sprt::{TestArgs, exit_of, show};
use super::ui::Ui;
use crate::league::directory::{Plan, RunDirectory};
use crate::rating::sprt::Design;

const EXAMPLES: &str = "\
Examples:
  linesman test --new ./tuned --base ./bot --game quixo --elo0 0 --elo1 20 --movetime 200ms
  linesman test --new ./tuned --base ./bot --game quixo --elo0 0 --elo1 20 --out runs/tuned";

/// Play until it is decided whether a new bot is stronger than its base (SPRT)
///
/// The bots play each other, each beginning as often as the other, until a
/// sequential probability ratio test tells a difference of elo1 from one of
/// elo0, or until --max-games. Games are looked at in the order of the schedule,
/// not as they end. With --out the games are kept, and the same command again
/// goes on where it stopped; what is decided stays decided.
#[derive(clap::Args, Debug)]
#[command(before_help = EXAMPLES)]
#[command(after_long_help = "\
On stdout stands a block that can be pasted into a pull request, or with --json
the same fields as of `linesman sprt`, and `new`, `base` and `repeated`. docs/sprt.md says how to read them.

Without --openings all games begin at the game's own start. Bots that always
answer alike then play the same two games over and over. Games that repeat
earlier ones move by move tell nothing new and count nothing (`repeats` says how
many there are); when hardly any others come any more, the test ends undecided.

Exit status: 0 if the new bot is accepted (elo1), 1 if it is rejected (elo0), 4
if the test ended undecided, by --max-games or because its games only repeat
themselves, 3 if it was stopped before. With --fail-on-fault 1, too, if a bot
failed in any of its games.")]
pub(crate) struct Args {
    /// The new bot's command; `linesman` as its first word is this very program
    #[arg(long, value_name = "COMMAND")]
    new: String,
    /// The command of the bot that it must beat
    #[arg(long, value_name = "COMMAND")]
    base: String,
    /// The new bot's name
    #[arg(long, value_name = "NAME", default_value = "new")]
    new_name: String,
    /// The other bot's name
    #[arg(long, value_name = "NAME", default_value = "base")]
    base_name: String,
    #[command(flatten)]
    what: GameArgs,
    #[command(flatten)]
    test: TestArgs,
    /// After how many games the test ends undecided; an odd one is rounded down
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(2..=2_000_000))]
    max_games: u64,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    if args.conditions.tells_events() && args.format.format() != Format::Table {
        return Err(Failure::wrong("events and the result can't both be on stdout")
            .hint("the last event `test` holds what the result says"));
    }
    args.conditions.listen(ui)?;
    let plan = plan(args, ui)?;
    let mut session = Session::new(ui, &plan, args.conditions.trial(), in_words)?;
    if plan.tournament.openings.is_none() {
        ui.note(
            "all games begin at the start: bots that always answer alike would only repeat theirs \
             (`--openings FILE` gives them others)",
        );
    }
    let out = args.conditions.out.as_ref();
    let (outcome, results) = match out {
        Some(out) => session.run_in(ui, &RunDirectory::at(out))?,
        None => session.run_nowhere(ui)?,
    };
    tell_outcome(ui, outcome);
    let decided = answer(args, ui, &results)?;
    ui.warnings().iter().for_each(|text| ui.warn_again(text));
    match out {
        Some(out) => ui.note(format_args!("the games are in {}", out.display())),
        None => ui.note("nothing was kept (--out DIR keeps the games)"),
    }
    match outcome {
        Outcome::Complete | Outcome::Decided | Outcome::Repeating => {
            Ok(faults::judge(ui, args.conditions.faults, &results, decided))
        }
        Outcome::Withdrawn | Outcome::Open => Ok(Exit::Stopped),
        Outcome::Stopped(signal) => match out {
            Some(_) => {
                ui.note(format_args!("stopped; to go on: {}", env::command_line()));
                Ok(Exit::Stopped)
            }
            None => Ok(Exit::Signal(signal.number())),
        },
    }
}

/// Prints what the test has found, and says how a command ends that asked for it.
fn answer(args: &Args, ui: &Ui, results: &Results) -> Result<Exit, Failure> {
    let test = results.test().ok_or_else(|| Failure::new(Exit::Bug, "the games are no test"))?;
    let mut finding = finding(test);
    if let Some(note) = results.adjudicated_note() {
        finding = finding.noting(note);
    }
    if let (Some(events), Some(test)) = (ui.events(), results.test_event()) {
        events.tell(&Event::Test(test));
    }
    show(ui, args.format.format(), &finding)?;
    Ok(exit_of(finding.status))
}

/// The test as a tournament file.
fn plan(args: &Args, ui: &Ui) -> Result<Plan, Failure> {
    let design = args.test.design()?;
    let setup = args.what.options.set_up(&args.what.game)?;
    let sides = setup.teams().sides();
    if sides != 2 {
        return Err(Failure::wrong(format_args!(
            "a test is between two bots, and {} with {} is between {sides}",
            args.what.game,
            setup.options(),
        )));
    }
    if args.new_name == args.base_name {
        return Err(Failure::wrong("the two bots have the same name")
            .hint("leave out `--new-name` and `--base-name`, or let them differ"));
    }
    args.conditions.check()?;
    let folder = conditions::current_folder()?;
    let rounds = args.max_games / 2;
    let mut text = conditions::head("test", &args.what.game, &*setup);
    text.push_str(&format!("rounds = {rounds}\n{}{}", args.conditions.lines(), args.conditions.tables()));
    text.push_str(&table(&design));
    text.push_str(&args.conditions.bot(&args.new_name, &args.new, &folder));
    text.push_str(&args.conditions.bot(&args.base_name, &args.base, &folder));
    conditions::plan(ui, text, "test")
}

/// The table of a tournament file that makes it a test.
fn table(design: &Design) -> String {
    // Floats that are whole numbers keep their point, as TOML wants it.
    let number = |value: f64| toml::Value::from(value).to_string();
    format!(
        "\n[test]\nelo0 = {}\nelo1 = {}\nalpha = {}\nbeta = {}\nmodel = \"{}\"\n",
        number(design.elo0()),
        number(design.elo1()),
        number(design.alpha()),
        number(design.beta()),
        design.model().word(),
    )
}
