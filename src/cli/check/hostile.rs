//! `linesman check --hostile`: checks the referee and the sandbox with hostile bots.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::super::args::Format;
use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::json::{self, Object, value};
use super::super::play::signals::{self, Signal};
use super::super::play::stage;
use super::super::ui::Ui;
use crate::check::hostile::{HostileBot, SETTINGS, all};
use crate::check::suite::soak::{self, Soaked};
use crate::check::suite::{Check, Done, Expected, StopRequest, SuitePlan, Trial, run as run_suite};
use crate::league::file::did_you_mean;
use crate::league::host::LeaguePaths;
use crate::process::isolation::Sandbox;
use crate::report::table::{Cell, Column, Table};

/// Prefix of the temporary folder of a check; the process id follows.
const PREFIX: &str = "linesman-check-";

#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    /// Play only this hostile bot; `linesman bot hostile --list` lists them
    #[arg(long = "bot", value_name = "NAME", requires = "hostile")]
    bots: Vec<String>,
    /// Play every bot with every sandbox mode; takes three times as long
    #[arg(long, requires = "hostile")]
    every_layer: bool,
    /// Directory in which to keep the leagues that ended with a wrong verdict
    #[arg(long, value_name = "DIR", requires = "hostile")]
    keep: Option<PathBuf>,
    /// Play this number of games between hostile bots in one league
    #[arg(long, value_name = "GAMES", requires = "hostile")]
    pub(super) soak: Option<usize>,
}

pub(super) fn run(
    options: &Options,
    seed: Option<u64>,
    sandbox: Option<Sandbox>,
    format: Format,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let binary = env::find_own_binary()?;
    let bots: Vec<_> = match options.bots.as_slice() {
        [] => all().collect(),
        names => names.iter().map(|name| find(name)).collect::<Result<_, _>>()?,
    };
    if sandbox == Some(Sandbox::Strict) {
        stage(ui, Sandbox::Strict, LeaguePaths::default())?;
    }
    let folder = folder_of(options)?;
    // Signals are handled before anything is created that would be left behind.
    let stop = StopRequest::default();
    let request = stop.clone();
    let stopped_by = signals::listen_for_end(move || request.ask())?;
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::file(Exit::CantWrite, "make", &folder, &error))?;
    let layers = match sandbox {
        Some(layer) => Some(vec![layer]),
        None => options.every_layer.then(|| SETTINGS.to_vec()),
    };
    let plan = SuitePlan { stop, ..SuitePlan::new(binary, folder.clone(), &bots, layers.as_deref()) };
    // The results have been computed, so the temporary folder is no longer needed.
    let remove_folder = || {
        if options.keep.is_none() {
            let _ = std::fs::remove_dir_all(&folder);
        }
    };
    let stopwatch = env::Stopwatch::start();
    if let Some(games) = options.soak {
        let layer = sandbox.unwrap_or(Sandbox::Auto);
        let soaked = soak::soak(&plan, layer, games, seed.unwrap_or(1));
        remove_folder();
        return match soaked {
            Ok(soaked) => report_soak(&soaked, &stopwatch, format, ui),
            Err(error) => not_done(&error, stopped_by.get().copied(), ui),
        };
    }
    let trials = run_reporting(&plan, bots.len(), ui);
    remove_folder();
    let trials = match trials {
        Ok(trials) => trials,
        Err(error) => return not_done(&error, stopped_by.get().copied(), ui),
    };
    show_trials(&trials, format, ui)?;
    let bad = trials.iter().filter(|trial| !trial.problems.is_empty()).count();
    let seconds = stopwatch.elapsed().as_secs_f64();
    let count = if trials.len() == 1 { "1 trial".to_owned() } else { format!("{} trials", trials.len()) };
    ui.note(format_args!("{count} in {seconds:.1} s, {bad} with problems"));
    Ok(if bad == 0 { Exit::Done } else { Exit::No })
}

/// The folder in which the bots play: the one to keep, or a temporary one.
fn folder_of(options: &Options) -> Result<PathBuf, Failure> {
    if let Some(folder) = &options.keep {
        return std::path::absolute(folder)
            .map_err(|error| Failure::file(Exit::Wrong, "use", folder, &error));
    }
    let temporary = PathBuf::from(env::for_bots().temporary);
    sweep(&temporary);
    Ok(temporary.join(format!("{PREFIX}{}", std::process::id())))
}

/// Runs the suite and reports each problem when it is found.
fn run_reporting(plan: &SuitePlan, bots: usize, ui: &Ui) -> io::Result<Vec<Trial>> {
    ui.note(format_args!(
        "{} in leagues of four games (sandbox: {})",
        match bots {
            1 => "1 hostile bot plays".to_owned(),
            bots => format!("{bots} hostile bots play"),
        },
        plan.layers.iter().map(|(layer, _)| layer.word()).collect::<Vec<_>>().join(", "),
    ));
    let progress = Mutex::new((ui.note_printer(), 0));
    run_suite(plan, |trial| {
        let Ok(mut progress) = progress.lock() else { return };
        let (note, count) = &mut *progress;
        for problem in &trial.problems {
            note(format!("{} (sandbox {}): {}", trial.bot.name, trial.layer.word(), problem.what));
        }
        *count += 1;
        if *count % 20 == 0 {
            note(format!("{count} trials done"));
        }
    })
}

fn show_trials(trials: &[Trial], format: Format, ui: &mut Ui) -> Result<(), Failure> {
    match format {
        Format::Table => {
            let width = ui.data_width();
            let mut data = ui.data();
            data.write_all(table(trials, LayerColumns::Few).to_text(width).as_bytes())?;
            if let Some(stopped) = stopped(trials) {
                writeln!(data, "\nWhat each bot tries, and how much of it each sandbox mode stops:\n")?;
                data.write_all(stopped.to_text(width).as_bytes())?;
            }
        }
        Format::Csv => table(trials, LayerColumns::All).write_csv(ui.data())?,
        Format::Json => ui.print_json(&table(trials, LayerColumns::All))?,
    }
    Ok(())
}

/// Removes the temporary folders of interrupted checks.
fn sweep(temporary: &Path) {
    for entry in std::fs::read_dir(temporary).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let checker = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.parse::<u32>().ok());
        if checker.is_some_and(|pid| !Path::new("/proc").join(pid.to_string()).exists()) {
            // Folders of other users stay.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Reports that a check was stopped or failed.
fn not_done(error: &io::Error, by: Option<Signal>, ui: &Ui) -> Result<Exit, Failure> {
    let Some(signal) = by.filter(|_| error.kind() == io::ErrorKind::Interrupted) else {
        return Err(Failure::wrong("can't play the hostile bots").cause(error));
    };
    ui.note("stopped: the unfinished games were aborted, so there is no result for this machine");
    Ok(Exit::Signal(signal.number()))
}

fn report_soak(
    soaked: &Soaked,
    stopwatch: &env::Stopwatch,
    format: Format,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    type Row<'r> = (&'r String, &'r u64);
    let verdicts = || {
        let columns = [
            Column::number("times").of(|(_, times): &Row<'_>| Cell::count(**times)),
            Column::text("verdict").of(|(verdict, _): &Row<'_>| Cell::text(verdict)),
        ];
        Table::of(columns, &soaked.verdicts)
    };
    match format {
        Format::Table => {
            let mut data = ui.data();
            for (verdict, times) in &soaked.verdicts {
                writeln!(data, "{times:6}  {verdict}")?;
            }
        }
        Format::Csv => verdicts().write_csv(ui.data())?,
        Format::Json => {
            let object = vec![
                ("games", value(soaked.games)),
                ("verdicts", value(verdicts())),
                ("problems", json::array(soaked.problems.iter().map(|problem| &problem.what))),
                // Peak memory of the referee, without pages of files, and its maximum number of open descriptors.
                ("peak_kib", value(soaked.peak_kib)),
                ("descriptors", value(soaked.descriptors)),
            ];
            ui.print_json(&Object(object))?;
        }
    }
    for problem in &soaked.problems {
        ui.note(&problem.what);
    }
    ui.note(format_args!(
        "{} games in {:.1} s; the referee used at most {} KiB of memory and {} file descriptors",
        soaked.games,
        stopwatch.elapsed().as_secs_f64(),
        soaked.peak_kib,
        soaked.descriptors,
    ));
    Ok(if soaked.problems.is_empty() { Exit::Done } else { Exit::No })
}

/// An attempt that succeeded, in parentheses if it is harmless.
fn not_held(done: &Done) -> String {
    match done.expected {
        Expected::Harmless => format!("({})", done.name),
        Expected::Yes | Expected::No => done.name.clone(),
    }
}

/// The number of attempts of each bot that each sandbox mode stops, if all modes were tried.
fn stopped(trials: &[Trial]) -> Option<Table> {
    let of =
        |bot: &str, layer: Sandbox| trials.iter().find(|trial| trial.bot.name == bot && trial.layer == layer);
    let bots: Vec<_> = all()
        .filter(|bot| !bot.attempted().is_empty())
        .filter(|bot| SETTINGS.iter().all(|layer| of(bot.name, *layer).is_some()))
        .collect();
    let stopped = |bot: &HostileBot, layer| {
        let could = of(bot.name, layer)
            .map_or(0, |trial| trial.done.iter().filter(|done| done.expected != Expected::Harmless).count());
        Cell::count(bot.attempted().len().saturating_sub(could) as u128)
    };
    let mut columns = vec![
        Column::text("bot").of(|bot: &HostileBot| Cell::text(bot.name)),
        Column::number("tries").of(|bot: &HostileBot| Cell::count(bot.attempted().len() as u128)),
    ];
    columns.extend(
        SETTINGS.map(|layer| Column::number(layer.word()).of(move |bot: &HostileBot| stopped(bot, layer))),
    );
    columns.push(Column::text("does").of(|bot: &HostileBot| Cell::text(bot.does)));
    (!bots.is_empty()).then(|| Table::of(columns, bots.iter().copied()))
}

fn find(name: &str) -> Result<&'static HostileBot, Failure> {
    all().find(|bot| bot.name == name).ok_or_else(|| {
        Failure::wrong(format_args!("there is no hostile bot `{name}`"))
            .hint_if(did_you_mean(name, all().map(|bot| bot.name)))
            .hint("run `linesman bot hostile --list` to list them")
    })
}

/// The level of detail of the table.
#[derive(Copy, Clone, Eq, PartialEq)]
enum LayerColumns {
    /// The columns that fit on a screen.
    Few,
    All,
}

fn table(trials: &[Trial], columns: LayerColumns) -> Table {
    let text = |key, of: fn(&Trial) -> String| Column::text(key).of(move |trial| Cell::text(&of(trial)));
    let all = columns == LayerColumns::All;
    Table::of(
        [
            text("bot", |trial| trial.bot.name.to_owned()),
            text("sandbox", |trial| trial.layer.word().to_owned()),
            text("verdict", |trial| trial.verdicts.join(", ")),
            (Column::number("time_ms").titled("ms"))
                .of(|trial: &Trial| Cell::decimal(trial.time.as_secs_f64() * 1_000.0, 3).shown_with(0)),
            Column::text("not_held").titled("not held").of(|trial: &Trial| {
                Cell::text(&trial.done.iter().map(not_held).collect::<Vec<_>>().join(" "))
            }),
            text("afterwards", |trial| {
                let failed = Check::ALL.iter().filter(|check| !trial.passed(**check));
                let failed: Vec<&str> = failed.map(|check| check.word()).collect();
                if failed.is_empty() { "clean".to_owned() } else { failed.join(", ") }
            }),
            text("does", |trial| trial.bot.does.to_owned()).only_if(all),
            text("problems", |trial| {
                trial.problems.iter().map(|problem| problem.what.as_str()).collect::<Vec<_>>().join("; ")
            })
            .only_if(all),
            Column::number("peak_kib").of(|trial: &Trial| Cell::count(trial.peak_kib)).only_if(all),
        ],
        trials,
    )
}
