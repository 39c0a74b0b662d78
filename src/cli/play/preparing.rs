//! The start of a run: the sandbox that can be had, how the bots are started, and their trial.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::ui::{self, Ui};
use super::session::Trial;
use super::{BEAT, diagnosis, faults};
use crate::league::bots::Identity;
use crate::league::file::Tournament;
use crate::league::reading::Premises;
use crate::league::runner::{Host, Lineup, candidates};
use crate::league::trial::{self, Kept, Trying};
use crate::process::OwnWait;
use crate::process::isolation::{Guarantee, Sandbox, SandboxPlan, SandboxStatus, SlotUsers, Unavailable};
use crate::report::describe::grouped;
use crate::time_control::ClockKind;

/// The means to start bots: this program, and the sandbox that holds here.
pub(crate) struct Stage {
    pub(crate) host: Host,
    pub(crate) status: SandboxStatus,
}

impl Stage {
    /// Says in one line what holds; why the rest does not, when details are wanted.
    pub(crate) fn tell(&self, ui: &Ui) {
        ui.note(&self.status);
        for unavailable in &self.status.unavailable {
            ui.detail(format_args!("{unavailable} ({})", unavailable.cure));
        }
    }
}

/// Finds out what this program is on this machine, and what holds here of the
/// sandbox that is asked for.
pub(crate) fn stage(sandbox: Sandbox, premises: Premises) -> Result<Stage, Failure> {
    stage_with(sandbox, premises, |_, _| ()).map(|(stage, ())| stage)
}

/// [`stage`], where something is begun once it is known what there is on this host; it is
/// told whether bots may be started before that has been tried.
fn stage_with<T>(
    sandbox: Sandbox,
    premises: Premises,
    begin: impl FnOnce(&Host, MayBegin) -> T,
) -> Result<(Stage, T), Failure> {
    let binary = env::own_binary().map_err(|error| {
        Failure::new(Exit::Wrong, "can't find the linesman executable, which starts the bots").cause(error)
    })?;
    let environment = env::for_bots();
    let temporary = PathBuf::from(&environment.temporary);
    let users = env::bot_users().map_err(Failure::wrong)?;
    let plan = SandboxPlan::find(sandbox, &binary, &temporary, users);
    let layers = Some(plan.layers().clone());
    let may_begin = if plan.may_begin() { MayBegin::Now } else { MayBegin::WhenItHasBeenTried };
    let host = Host { binary: binary.clone(), environment, layers, premises, now: env::now_text };
    let (begun, status) = std::thread::scope(|scope| {
        // What is begun has to look at many files first.
        let own = plan.clone();
        let trying = std::thread::Builder::new().name("probing".to_owned());
        let trying = trying.spawn_scoped(scope, || own.confirm());
        let begun = begin(&host, may_begin);
        let status = match trying {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // No thread to be had: then here.
            Err(_) => plan.confirm(),
        };
        (begun, status)
    });
    let status = status.map_err(|unavailable| sandbox_failure(&unavailable))?;
    let host = Host { layers: Some(status.layers.clone()), ..host };
    Ok((Stage { host, status }, begun))
}

/// When bots may be started in a sandbox.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum MayBegin {
    Now,
    WhenItHasBeenTried,
}

/// The means to start the bots of a tournament, and their trial if it goes on already.
pub(crate) struct Prepared {
    pub(crate) stage: Stage,
    pub(crate) lineup: Lineup,
    trying: Option<Trying>,
}

/// Finds out what bots are started with, of which so many games are played at once. If they are
/// to be tried, their trial begins while the sandbox is tried itself, where that is safe.
pub(crate) fn prepare(
    tournament: &Tournament,
    identities: &[Identity],
    premises: Premises,
    games: usize,
    trial: Trial,
) -> Result<Prepared, Failure> {
    let begin = |host: &Host, may_begin| {
        if let Some(users) = host.layers.as_ref().and_then(|layers| layers.slot_users) {
            enough_users(users, games, tournament.game.teams().seats())?;
        }
        let lineup = Lineup::of(tournament, identities, host);
        let begins = trial != Trial::Skipped && may_begin == MayBegin::Now;
        let trying = begins.then(|| begin_trial(tournament, &lineup, games).ok()).flatten();
        Ok::<_, Failure>((host.layers.clone(), lineup, trying))
    };
    let (stage, begun) = stage_with(tournament.sandbox, premises, begin)?;
    let (layers, lineup, trying) = begun?;
    if tournament.clock != ClockKind::Wall
        && let Err(failure) = can_count_cpu(&stage.status)
    {
        drop(trying.map(Trying::end));
        return Err(failure);
    }
    if layers == stage.host.layers {
        return Ok(Prepared { stage, lineup, trying });
    }
    // Not all layers work here, and how bots did that were started in all of them says nothing.
    drop(trying.map(Trying::end));
    let lineup = Lineup::of(tournament, identities, &stage.host);
    Ok(Prepared { stage, lineup, trying: None })
}

/// Checks whether the CPU time of bots can be counted exactly here, that of processes
/// for which nobody waits included.
fn can_count_cpu(status: &SandboxStatus) -> Result<(), Failure> {
    let refused =
        |why: &str| Failure::wrong(format_args!("`clock = \"cpu\"` is not possible on this machine: {why}"));
    let walls = "or count wall time with `clock = \"wall\"`";
    if status.layers.cgroup.is_none() {
        let failure = refused("without a cgroup, the CPU time of a process that ends unnoticed is lost");
        return Err(match status.unavailable.iter().find(|unavailable| unavailable.part == "cgroup") {
            Some(unavailable) => {
                failure.cause(unavailable).hint(format_args!("{}; {walls}", unavailable.cure))
            }
            None => failure.hint(format_args!(
                "set `sandbox = \"auto\"` and run as root or in a delegated cgroup; {walls}"
            )),
        });
    }
    match OwnWait::of_this_thread() {
        Some(_) => Ok(()),
        None => Err(refused("this kernel does not count the CPU time of threads (no `schedstat`)")
            .hint(format_args!("use a kernel with `CONFIG_SCHED_INFO`; {walls}"))),
    }
}

/// Checks that there is a user for each bot of the games that are played at once, and for as many
/// that are leaving meanwhile; without, some game would find none in the middle of a league.
fn enough_users(users: SlotUsers, games: usize, seats: usize) -> Result<(), Failure> {
    /// The first of the numbers that systems give to nobody.
    const FREE: u64 = 70_000;
    let needed = 2 * games as u64 * seats as u64;
    if needed <= u64::from(users.lendable()) {
        return Ok(());
    }
    let most = users.lendable() as usize / (2 * seats);
    Err(Failure::wrong(format_args!(
        "{games} games at once need {} users for bots, but only {} of the users {users} are available (two for each seat, because bots of one game may still be ending while the next one starts)",
        grouped(needed),
        grouped(users.lendable().into()),
    ))
    .hint(format_args!(
        "set `{}={FREE}-{}`, a range of unused user IDs, or play at most {most} games at once",
        env::BOT_USERS,
        FREE + needed,
    )))
}

/// Tries the bots, one at once for each of so many games: who can be started alone is told from who can not.
fn begin_trial(tournament: &Tournament, lineup: &Lineup, games: usize) -> std::io::Result<Trying> {
    let (candidates, afterwards) = candidates(tournament, lineup, games);
    Trying::begin(candidates, games, afterwards)
}

/// The failure of a sandbox that can't be had as asked.
fn sandbox_failure(unavailable: &[Unavailable]) -> Failure {
    let failure = Failure::wrong("this machine can't provide all that the sandbox `strict` requires");
    unavailable.iter().fold(failure, |failure, unavailable| {
        failure.cause(unavailable).hint(format_args!("{}: {}", unavailable.part, unavailable.cure))
    })
}

/// Outcome of a trial.
pub(crate) struct Tried {
    /// The bots that will do for the first game.
    pub(crate) kept: Kept,
    /// Those that did not pass, with what is said of them.
    pub(crate) failed: Vec<(usize, Failure)>,
}

/// Starts every bot once, so that one that can't play is found before it costs games.
pub(crate) fn try_bots(
    ui: &Ui,
    tournament: &Tournament,
    identities: &[Identity],
    prepared: &mut Prepared,
    games: usize,
) -> Result<Tried, Failure> {
    let Prepared { stage, lineup, trying } = prepared;
    tell_users(ui, tournament, stage, lineup)?;
    tell_shared_folders(ui, tournament, stage, lineup);
    let watch = env::Stopwatch::start();
    ui.detail(format_args!("starting {} bots for a trial", lineup.specs.len()));
    let trying = trying.take().map_or_else(|| begin_trial(tournament, lineup, games), Ok);
    let waiting = trying.as_ref().ok().and_then(|trying| waiting_note(ui, tournament, trying.progress()));
    let tried = trying.and_then(Trying::end);
    drop(waiting);
    let trial::Tried { failed, kept } =
        tried.map_err(|error| Failure::new(Exit::Wrong, "can't start bots on this machine").cause(error))?;
    ui.detail(format_args!("the trial of all bots took {:.3} s", watch.elapsed().as_secs_f64()));
    let tell = |failed: &trial::Failed| {
        let told = faults::start_failure(&tournament.bots[failed.bot], failed);
        let kept = stage.diagnosis(tournament, identities, failed.bot);
        let diagnosis = diagnosis::of_fault(&failed.fault, &failed.stray_lines, &kept);
        (failed.bot, diagnosis.into_iter().fold(told, Failure::hint))
    };
    Ok(Tried { kept, failed: failed.iter().map(tell).collect() })
}

/// Says which bots run as root because users of their own can't reach their
/// files; with `strict` no game is played then.
fn tell_users(ui: &Ui, tournament: &Tournament, stage: &Stage, lineup: &Lineup) -> Result<(), Failure> {
    let all = &lineup.without_own_user;
    let tell = |(bot, path): &(usize, PathBuf)| {
        let name = &tournament.bots[*bot].name;
        format!(
            "bot `{name}` can't run as a user of its own: `{}` is not readable for other users",
            path.display()
        )
    };
    if stage.status.asked != Sandbox::Strict {
        // This program is no stranger.
        let strangers = all.iter().filter(|(bot, _)| !lineup.readings[*bot].is_of_this_binary());
        strangers.for_each(|bot| ui.note(format_args!("{}; it runs as root", tell(bot))));
        return Ok(());
    }
    let mut failures = all.iter().map(|bot| Failure::wrong(tell(bot)));
    let Some(first) = failures.next() else { return Ok(()) };
    let cure = "make it readable for others (`chmod -R o+rX`), or run linesman as a user other than root";
    Err(failures.fold(first, Failure::also).hint(cure))
}

/// Says which bots can read each other's files because nothing tells whose they are.
fn tell_shared_folders(ui: &Ui, tournament: &Tournament, stage: &Stage, lineup: &Lineup) {
    if stage.status.by(Guarantee::Files).is_none() {
        return;
    }
    let readings = &lineup.readings;
    let mut folders: BTreeMap<&Path, BTreeSet<&str>> = BTreeMap::new();
    for (first, one) in readings.iter().enumerate() {
        for (second, other) in readings.iter().enumerate().skip(first + 1) {
            if let Some(folder) = one.shared_with(other) {
                let names = [first, second].map(|bot| &*tournament.bots[bot].name);
                folders.entry(folder).or_default().extend(names);
            }
        }
    }
    for (folder, names) in folders {
        let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
        ui.note(format_args!(
            "{} can read each other's files in `{}`, because their commands don't show which files belong to which bot; give each bot its own directory (`dir`)",
            names.join(", "),
            folder.display()
        ));
    }
}

/// Says who is waited for when a trial takes long.
fn waiting_note(ui: &Ui, tournament: &Tournament, progress: trial::Progress) -> Option<mpsc::Sender<()>> {
    let quiet = ui.progress() == ui::Progress::None;
    let limit = tournament.bots.iter().map(|bot| bot.limits.start).max()?;
    let (ended, end) = mpsc::channel::<()>();
    let (say, bots) = (ui.note_later(), tournament.bots.len());
    let thread = std::thread::Builder::new().name("waiting".to_owned()).spawn(move || {
        let mut seconds = 0;
        while end.recv_timeout(BEAT) == Err(mpsc::RecvTimeoutError::Timeout) {
            seconds += 1;
            if !quiet && seconds % 3 == 1 {
                say(waiting_in_words(seconds, limit, progress.tried(), bots));
            }
        }
    });
    thread.is_ok().then_some(ended)
}

/// Time for which bots have been waited for. The limit is that of each bot, and not all are tried at once.
fn waiting_in_words(seconds: u64, limit: Duration, tried: usize, bots: usize) -> String {
    let limit = limit.as_secs();
    if tried == 0 && seconds <= limit {
        return format!("waiting for bots to answer `ugi`, {seconds} s of {limit} s");
    }
    format!(
        "waiting for bots to answer `ugi`: {tried} of {bots} done after {seconds} s, at most {limit} s each"
    )
}
