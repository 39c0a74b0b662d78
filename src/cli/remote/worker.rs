//! `linesman worker`: plays games that leaders assign through a broker.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::args::SandboxArgs;
use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::play::signals::{self, FINISHING, Signal};
use super::super::play::{platform, table_judge};
use super::super::ui::Ui;
use super::{BrokerArgs, failure};
use crate::league::assigned::AssignedPlan;
use crate::league::content::cache::ContentCache;
use crate::league::directory::Plan;
use crate::league::file::{Context, parse};
use crate::league::session::{Crew, Platform};
use crate::process::isolation::Sandbox;
use crate::record::text::printable;
use crate::referee::driver::measure_speed;
use crate::remote::nats::{OpenedPlan, WorkerSetup, work};
use crate::remote::wire::{MAX_SLOTS, token};
use crate::remote::worker::WorkerNotice;
use crate::report::describe::grouped;

/// Maximum length of a shown text from another machine, in bytes.
const MAX_SHOWN: usize = 300;

/// Play games of leagues that are led elsewhere
///
/// A worker pulls games from a broker, plays them with the sandbox and the fair time of this machine, and reports the
/// records. It plays for one league after another until it is stopped. Ctrl-C lets the running games end; a second
/// Ctrl-C aborts them. Games that were not finished go to other workers.
#[derive(clap::Args, Debug)]
#[command(before_help = "\
Examples:
  linesman worker nats://rented-server --slots 4
  linesman worker nats://rented-server --folder ~/cup --until-idle")]
pub(crate) struct Args {
    /// Address of the broker: `nats://HOST[:PORT]`, or `tls://...`
    #[arg(value_name = "URL", env = "LINESMAN_BROKER", hide_env_values = true)]
    url: String,
    /// Number of games at once [default: the number of CPU cores]
    #[arg(long, value_name = "N", help_heading = "Machine", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SLOTS)))]
    slots: Option<u32>,
    /// Name of this worker, which is that of its user at the broker [default: the name of this
    /// machine]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Folder of the tournament file on this machine, from which the bots' paths start
    /// [default: the leader sends the files of the bots]
    #[arg(long, value_name = "DIR", help_heading = "Bots")]
    folder: Option<PathBuf>,
    /// Folder for copies of the bots' files [default: `~/.cache/linesman`; `/var/cache/linesman` for root]
    #[arg(long, value_name = "DIR", help_heading = "Bots")]
    cache: Option<PathBuf>,
    /// End when no league is led any more
    #[arg(long)]
    until_idle: bool,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    broker: BrokerArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let address = args.broker.address(&args.url)?;
    let slots = args.slots.unwrap_or_else(|| env::cores().get().min(MAX_SLOTS)) as usize;
    let name = token(args.name.as_deref().unwrap_or(&env::host()));
    ui.note(format_args!("worker `{name}` plays {slots} at once, at {address}"));
    let (folder, sandbox) = (args.folder.clone(), args.sandbox.sandbox);
    let cache_folder = args.cache.clone().unwrap_or_else(env::cache);
    let cache_folder = std::path::absolute(&cache_folder).unwrap_or(cache_folder);
    let cache = folder.is_none().then(|| ContentCache::at(&cache_folder));
    let open = move |assigned: &AssignedPlan, fetched: Option<&[Option<String>]>| {
        let bots = BotsHere { folder: folder.as_deref(), fetched, cache: &cache_folder };
        open(assigned, &bots, sandbox, slots)
    };
    let print_notice = ui.note_printer();
    let setup = WorkerSetup {
        address,
        name,
        slots,
        until_idle: args.until_idle,
        cache,
        clock: env::since_1970,
        measure: measure_speed,
        open: Arc::new(open),
        tell: Box::new(move |notice| print_notice(in_words(&notice))),
    };
    let was_aborted = Arc::new(AtomicBool::new(false));
    let aborted = Arc::clone(&was_aborted);
    let is_stopping = AtomicBool::new(false);
    let note = ui.note_printer();
    let played = work(setup, |stopper| {
        signals::listen(move |signal| {
            let again = is_stopping.swap(true, Ordering::Relaxed);
            match signal {
                Signal::Interrupt if !again => {
                    note(FINISHING.to_owned());
                    stopper.finish();
                }
                Signal::Interrupt | Signal::Terminate | Signal::HangUp => {
                    aborted.store(true, Ordering::Relaxed);
                    stopper.abort();
                }
            }
        })
    });
    let played = played.map_err(|error| failure(&error))?;
    ui.note(format_args!("{played} game{} played", if played == 1 { "" } else { "s" }));
    Ok(if was_aborted.load(Ordering::Relaxed) { Exit::Stopped } else { Exit::Done })
}

/// Where the bots are on this machine.
struct BotsHere<'b> {
    /// The folder from which their paths start, if it was given.
    folder: Option<&'b Path>,
    /// The reasons why the files of bots could not be fetched; `None` if no files are fetched.
    fetched: Option<&'b [Option<String>]>,
    /// The folder for copies of files.
    cache: &'b Path,
}

fn open(
    assigned: &AssignedPlan,
    bots: &BotsHere<'_>,
    sandbox: Option<Sandbox>,
    slots: usize,
) -> Result<OpenedPlan, String> {
    if assigned.software != env::SOFTWARE {
        return Err(format!(
            "the league is led by {}, and this is {}; use the same version",
            printable(&assigned.software, MAX_SHOWN),
            env::SOFTWARE
        ));
    }
    let context = Context {
        shown: format!("the tournament file of {}", printable(&assigned.league, MAX_SHOWN)),
        stem: assigned.stem.clone(),
        // Bots whose files were fetched have folders of their own.
        folder: bots.folder.unwrap_or(Path::new("/")).to_owned(),
        cores: Some(env::cores()),
    };
    let tournament = parse(&assigned.tournament, &context).map_err(|diagnostics| diagnostics.to_string())?;
    let mut plan = Plan::new(assigned.tournament.clone(), tournament, &context);
    let tournament = &mut plan.tournament;
    let led = Sandbox::ALL.into_iter().find(|sandbox| sandbox.word() == assigned.sandbox);
    tournament.sandbox = sandbox.or(led).unwrap_or(tournament.sandbox);
    if tournament.bots.len() != assigned.bots.len() {
        return Err("the plan has another number of bots than its tournament".to_owned());
    }
    let table = tournament.adjudication.table.as_ref();
    let judge = table.map(|table| table_judge(table, &*tournament.game)).transpose();
    let judge = judge.map_err(|failure| failure.on_one_line())?;
    let platform = platform().map_err(|failure| failure.on_one_line())?;
    let platform = Platform { cache: bots.cache.to_owned(), ..platform };
    let (entrants, seats) = (tournament.entrants.len(), tournament.game.teams().seats());
    let least_speed = tournament.workers.least_speed;
    let crew = Crew::new(assigned, &plan, bots.fetched, (platform, judge), slots)
        .map_err(|error| error.to_string())?;
    Ok(OpenedPlan { players: Box::new(crew), entrants, seats, least_speed })
}

fn in_words(notice: &WorkerNotice) -> String {
    let shown = |text: &str| printable(text, MAX_SHOWN);
    match notice {
        WorkerNotice::Connected => "connected to the broker".to_owned(),
        WorkerNotice::Disconnected(None) => "the broker is gone; waiting for it".to_owned(),
        WorkerNotice::Disconnected(Some(why)) => format!("the broker: {}", shown(why)),
        WorkerNotice::Joined(league) => format!("league `{}` is led; joining it", shown(league)),
        WorkerNotice::Left { league, played } => {
            let games = if *played == 1 { "game" } else { "games" };
            format!("league `{}` is over; {played} {games} played for it", shown(league))
        }
        WorkerNotice::CantPlay(why) => format!("can't play: {}", shown(why)),
        WorkerNotice::SetAside => {
            "too many games in a row were annulled on this machine; the leader stops this worker".to_owned()
        }
        WorkerNotice::Measured(speed) => {
            format!("the speed of a core is {} positions per second", grouped(speed.get()))
        }
        WorkerNotice::Overloaded(why) => format!("{}; others play what has not begun", shown(why)),
        WorkerNotice::Refused => "the leader refuses the results of this worker; it stops".to_owned(),
    }
}
