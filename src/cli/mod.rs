//! The command line: one file for each subcommand.
//!
//! A subcommand prints only data on stdout; everything else goes to stderr through [`ui`]. A command returns an
//! [`Exit`] or a [`Failure`].

use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};

mod adapt;
mod analyze;
pub(crate) mod args;
mod bot;
mod bot_names;
mod bots;
#[cfg(feature = "nats")]
mod broker;
mod check;
mod completions;
mod conditions;
pub mod diagnostics;
mod elo_ends;
pub(crate) mod env;
pub(crate) mod error;
mod events;
mod games;
mod inspect;
pub(crate) mod json;
#[cfg(test)]
#[path = "../../tests/support/kept.rs"]
mod kept;
mod league;
mod live;
mod man;
mod markdown;
mod r#match;
mod new_bot;
mod openings;
mod output_file;
mod paths;
mod perft;
mod person;
mod play;
mod ratings;
#[cfg(test)]
mod reference;
#[cfg(feature = "nats")]
mod remote;
mod replay;
mod schedule;
#[cfg(test)]
#[path = "../../tests/support/schema.rs"]
mod schema;
mod solve;
mod sprt;
mod talk;
mod test;
pub(crate) mod ui;
mod usage;
mod verify;

use error::{Exit, Failure};
use ui::Ui;

const EXAMPLES: &str = "\
Examples:
  linesman match --game quixo --bot 'python3 my_bot.py' --bot 'linesman bot greedy' \\
                 --games 20 --movetime 200ms --out runs/first
  linesman replay runs/first                           step through a game
  linesman league run tournaments/quixo-demo.toml      play a league, or continue it
  linesman games quixo --rules                         read the rules of a game";

const EXIT_STATUS: &str = "\
Exit status:
  0    success
  1    negative result: a record is inconsistent, a move is illegal, a test is rejected,
       or a bot failed in a game (--fail-on-fault)
  2    wrong usage, invalid input, a bot that can't be started, a directory in use
  3    incomplete; run the same command again to continue
  4    a test ended undecided
  70   bug in linesman
  74   results could not be written
  130  stopped by Ctrl-C and nothing was kept (143: by SIGTERM, 129: by SIGHUP)";

/// Referee and tournament tool for bots that play line-forming board games.
#[derive(Parser, Debug)]
#[command(name = "linesman", version, before_help = EXAMPLES, after_long_help = EXIT_STATUS)]
#[command(propagate_version = true, max_term_width = 100)]
struct Cli<C: Subcommand = CliCommand> {
    #[command(flatten)]
    global: ui::GlobalArgs,
    #[command(subcommand)]
    command: C,
}

/// The subcommand of the built-in bots alone. Leagues start them by the thousand, and to describe all the other
/// subcommands takes as long as the rest of their start.
#[derive(Subcommand, Debug)]
enum BotCommand {
    Bot(bot::Args),
}

#[derive(Subcommand, Debug)]
enum CliCommand {
    Match(r#match::Args),
    Play(person::Args),
    Test(test::Args),
    League(league::Args),
    #[cfg(feature = "nats")]
    Worker(remote::worker::Args),
    #[cfg(feature = "nats")]
    #[command(hide = true)]
    WithParent(remote::with_parent::Args),
    Replay(replay::Args),
    Analyze(analyze::Args),
    Verify(verify::Args),
    NewBot(new_bot::Args),
    Talk(talk::Args),
    Bot(bot::Args),
    Bots(bots::Args),
    #[cfg(feature = "nats")]
    Broker(broker::Args),
    Adapt(adapt::Args),
    Check(check::Args),
    Games(games::Args),
    Inspect(inspect::Args),
    Perft(perft::Args),
    Solve(solve::Args),
    Openings(openings::Args),
    Ratings(ratings::Args),
    Sprt(sprt::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs the program with the arguments of this process.
pub fn main() -> ExitCode {
    let parsed = if std::env::args_os().nth(1).is_some_and(|word| word == "bot") {
        parsed().map(|Cli { global, command: BotCommand::Bot(args) }| Cli {
            global,
            command: CliCommand::Bot(args),
        })
    } else {
        parsed()
    };
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            usage::print(&error);
            return Exit::from_usage(&error).into();
        }
    };
    if matches!(cli.command, CliCommand::Match(_) | CliCommand::Test(_) | CliCommand::League(_)) {
        // First of all, since the signal for the status ends the program until then.
        play::signals::catch_status_signal();
    }
    let mut ui = Ui::new(&cli.global);
    ui::set_panic_hook();
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(cli.command, &mut ui)));
    let (exit, failure) = match outcome {
        Ok(Ok(exit)) => (exit, None),
        Ok(Err(failure)) => (ui.fail(&failure), Some(failure)),
        Err(_) => (Exit::Bug, None),
    };
    let exit = ui.finish(exit);
    if ui.events().is_some_and(|events| !events.finish(exit, failure.as_ref())) {
        ui.note("the reader of the events did not read all events");
    }
    exit.into()
}

/// Parses the arguments of this process.
fn parsed<C: Subcommand>() -> Result<Cli<C>, clap::Error> {
    Cli::from_arg_matches(&usage::command::<C>().try_get_matches()?)
}

fn run(command: CliCommand, ui: &mut Ui) -> Result<Exit, Failure> {
    match command {
        CliCommand::Match(args) => r#match::run(&args, ui),
        CliCommand::Play(args) => person::run(&args, ui),
        CliCommand::Test(args) => test::run(&args, ui),
        CliCommand::League(args) => league::run(&args, ui),
        #[cfg(feature = "nats")]
        CliCommand::Worker(args) => remote::worker::run(&args, ui),
        #[cfg(feature = "nats")]
        CliCommand::WithParent(args) => remote::with_parent::run(&args),
        CliCommand::Replay(args) => replay::run(&args, ui),
        CliCommand::Analyze(args) => analyze::run(&args, ui),
        CliCommand::Verify(args) => verify::run(&args, ui),
        CliCommand::NewBot(args) => new_bot::run(&args, ui),
        CliCommand::Talk(args) => talk::run(&args, ui),
        CliCommand::Bot(args) => bot::run(&args, ui),
        CliCommand::Bots(args) => bots::run(&args, ui),
        #[cfg(feature = "nats")]
        CliCommand::Broker(args) => broker::run(&args, ui),
        CliCommand::Adapt(args) => adapt::run(&args, ui),
        CliCommand::Check(args) => check::run(&args, ui),
        CliCommand::Games(args) => games::run(&args, ui),
        CliCommand::Inspect(args) => inspect::run(&args, ui),
        CliCommand::Perft(args) => perft::run(&args, ui),
        CliCommand::Solve(args) => solve::run(&args, ui),
        CliCommand::Openings(args) => openings::run(&args, ui),
        CliCommand::Ratings(args) => ratings::run(&args, ui),
        CliCommand::Sprt(args) => sprt::run(&args, ui),
        CliCommand::Completions(args) => completions::run(&args, ui),
        CliCommand::Man(args) => man::run(&args, ui),
    }
}
