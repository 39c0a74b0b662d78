//! `linesman replay --rerun`: plays a game again and compares it with its record.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::super::args::Format;
use super::super::env::{self, identify_here};
use super::super::error::{Exit, Failure};
use super::super::output_file::OutputFile;
use super::super::play::failure::{directory_failure, plan_failure};
use super::super::play::notes::report_sandbox;
use super::super::play::{signals, stage, table_judge};
use super::super::ui::Ui;
use super::{Args, print, replay_failure};
use crate::league::bots::Identity;
use crate::league::directory::{Plan, RunDirectory};
use crate::league::file::{Context, parse};
use crate::league::recorder::RecordContext;
use crate::league::rerun::{CantRerun, Rerun, bots_of, is_version_of};
use crate::record::{GameRecord, VoidKind, WorkerRecord};
use crate::referee::driver::StopSwitch;
use crate::report::describe::printable;
use crate::report::replay::{PlayedKind, Replay};
use crate::time_control::TimeControl;

/// A plan, with the identities of the bots of the game.
struct FoundBots {
    plan: Plan,
    identities: Vec<Identity>,
    /// Notes on bots that are started with the command in the record instead of that in the plan.
    notes: Vec<String>,
}

pub(super) fn run(args: &Args, recorded: &GameRecord, ui: &mut Ui) -> Result<Exit, Failure> {
    if args.format.format() == Format::Csv {
        return Err(Failure::wrong("`--rerun` can't print CSV, only text or JSON"));
    }
    let replay = Replay::new(recorded).map_err(|error| replay_failure(&error))?;
    let out = args.out.as_deref().map(|path| OutputFile { path, force: args.force });
    if let Some(out) = &out {
        check_out(out, &args.file)?;
    }
    let FoundBots { mut plan, identities, notes } = match &args.plan {
        Some(file) => {
            let plan = Plan::read(file, Some(env::cores())).map_err(|error| plan_failure(ui, &error))?;
            find_bots(plan, recorded, &replay)?
        }
        None => stored_bots(ui, &args.file, recorded, &replay)?,
    };
    if let Some(sandbox) = args.sandbox.sandbox {
        plan.tournament.sandbox = sandbox;
    }
    notes.iter().for_each(|note| ui.note(note));
    let differences = differences(&plan, recorded, &identities);
    differences.iter().for_each(|difference| ui.warn(difference));
    let again = play(ui, &plan, recorded, &identities)?;
    let new_replay = Replay::new(&again).map_err(|error| replay_failure(&error))?;
    let comparison = Comparison::of((recorded, &replay), (&again, &new_replay), differences);
    match args.format.format() {
        Format::Json => ui.print_json(&comparison)?,
        Format::Table | Format::Csv => comparison.write(&replay, &mut ui.data())?,
    }
    if let Some(out) = out {
        let line = again.to_line().expect("a record has only text for keys");
        out.write(&format!("{line}\n"), "view it with `linesman replay`", ui)?;
    }
    Ok(if comparison.same { Exit::Done } else { Exit::No })
}

/// Refuses an output file that is also the input, and stdout, where the comparison is printed.
fn check_out(out: &OutputFile<'_>, records: &Path) -> Result<(), Failure> {
    if out.path == Path::new("-") {
        return Err(Failure::wrong(
            "with `--rerun`, `--out` must be a file, since stdout is for the comparison",
        ));
    }
    let games = if records.is_dir() { records.join("games.jsonl") } else { records.to_owned() };
    let both = (out.path.canonicalize(), games.canonicalize());
    if matches!(both, (Ok(out), Ok(games)) if out == games) {
        return Err(Failure::wrong(format_args!(
            "`{}` can't be the output, since it is the input",
            out.path.display()
        ))
        .hint("choose another file for `--out`"));
    }
    out.check()
}

/// The run directory that contains these records, if one does.
pub(super) fn run_directory(records: &Path) -> Option<PathBuf> {
    let folder = match records.is_dir() {
        true => records,
        false => match records.parent()? {
            here if here == Path::new("") => Path::new("."),
            folder => folder,
        },
    };
    let is_run = records != Path::new("-") && RunDirectory::at(folder).plan().is_file();
    is_run.then(|| folder.to_owned())
}

/// The bots of the plan that is stored in a run. The folder of the original file is not known: likely ones are tried.
fn stored_bots(
    ui: &Ui,
    records: &Path,
    recorded: &GameRecord,
    replay: &Replay,
) -> Result<FoundBots, Failure> {
    const NAME_IT: &str = "give the tournament file with the bots: `--plan FILE`";
    let Some(folder) = run_directory(records) else {
        return Err(Failure::wrong(format_args!(
            "there is no plan beside `{}` with the commands of the bots",
            records.display()
        ))
        .hint(NAME_IT));
    };
    let directory = RunDirectory::at(&folder);
    let stored = directory.stored_plan().map_err(|error| directory_failure(ui, &error))?;
    let around = folder.canonicalize().ok().and_then(|path| Some(path.ancestors().nth(2)?.to_owned()));
    let mut found: Option<FoundBots> = None;
    let mut failed: Option<Failure> = None;
    for folder in [Some(PathBuf::from(".")), around].into_iter().flatten() {
        let context = Context { folder, ..Context::of_file(&directory.plan(), Some(env::cores())) };
        // The plan has just been read without errors.
        let Ok(tournament) = parse(&stored.source.text, &context) else { continue };
        match find_bots(Plan::new(stored.source.text.clone(), tournament, &context), recorded, replay) {
            Ok(bots) if changed_files(recorded, &bots.identities).is_empty() => return Ok(bots),
            Ok(bots) => found = found.or(Some(bots)),
            Err(failure) => failed = failed.or(Some(failure)),
        }
    }
    let nothing = || Failure::wrong("the plan of the run can't be read");
    found.ok_or_else(|| failed.unwrap_or_else(nothing).hint(NAME_IT))
}

/// Finds the bots of the game in a plan, which must be for the same game.
fn find_bots(mut plan: Plan, recorded: &GameRecord, replay: &Replay) -> Result<FoundBots, Failure> {
    let tournament = &plan.tournament;
    let (is, was) =
        ((tournament.game.id(), tournament.game.options().to_string()), (replay.game, &replay.options));
    if (is.0, &is.1) != was {
        return Err(Failure::wrong(format_args!(
            "{} is a plan for {} {}, but the game was {} {}",
            plan.source.name, is.0, is.1, was.0, was.1
        )));
    }
    // Records use a bot's original name, whatever its current one.
    for bot in &mut plan.tournament.bots {
        bot.name = bot.original_name.take().unwrap_or(std::mem::take(&mut bot.name));
    }
    let notes = super::recorded_bots::find(&mut plan.tournament, recorded);
    let notes = notes.map_err(|failure| match &plan.file {
        Some(_) => failure.hint(format_args!("add a bot of that name to {}", plan.source.name)),
        None => failure,
    })?;
    let bots = bots_of(recorded, &plan.tournament).map_err(|error| cant(&plan, &error))?;
    let find = |bot: &usize| {
        let bot = &plan.tournament.bots[*bot];
        identify_here(bot).map_err(|error| {
            Failure::wrong(format_args!("bot `{}` can't be started: {error}", bot.name)).hint_if(error.hint())
        })
    };
    let identities = bots.iter().map(find).collect::<Result<_, _>>()?;
    Ok(FoundBots { plan, identities, notes })
}

fn cant(plan: &Plan, error: &CantRerun) -> Failure {
    let failure = Failure::wrong(format_args!("{}: {error}", plan.source.name));
    match error {
        CantRerun::NoBot(name) => failure.hint(format_args!("add a bot named `{}` to it", printable(name))),
        _ => failure,
    }
}

/// The bots whose files have changed since the record.
fn changed_files<'i>(recorded: &GameRecord, identities: &'i [Identity]) -> Vec<&'i Identity> {
    let has_changed = |identity: &&Identity| {
        let mut seats = recorded.seats.iter().filter(|seat| is_version_of(&identity.name, &seat.name));
        seats.any(|seat| seat.digest.is_some() && seat.digest != identity.digest)
    };
    identities.iter().filter(has_changed).collect()
}

/// The differences from the conditions of the recorded game, in words.
fn differences(plan: &Plan, recorded: &GameRecord, identities: &[Identity]) -> Vec<String> {
    let mut differences = Vec::new();
    for identity in identities {
        let seat = recorded.seats.iter().find(|seat| is_version_of(&identity.name, &seat.name));
        let before = seat.and_then(|seat| seat.command.as_deref());
        if let Some(before) = before.filter(|before| *before != identity.command) {
            differences.push(format!(
                "bot `{}` is started with `{}`, but the game was played with `{}`",
                identity.name,
                identity.command,
                printable(before)
            ));
        }
    }
    for identity in changed_files(recorded, identities) {
        differences.push(format!(
            "the files of bot `{}` have changed since the game: it is another version",
            identity.name
        ));
    }
    let scale = recorded.worker.as_ref().and_then(WorkerRecord::time_scale);
    let on_worker = |control: TimeControl| scale.map_or(control, |scale| control.scaled(scale)).to_string();
    let now = on_worker(plan.tournament.time_control);
    if let Some(before) = recorded.time_control.as_deref().filter(|before| *before != now) {
        differences.push(format!(
            "the time control of the plan is {now}, but the game was played with {}",
            printable(before)
        ));
    }
    for seat in &recorded.seats {
        let bot = plan.tournament.bots.iter().find(|bot| is_version_of(&bot.name, &seat.name));
        let now = bot.and_then(|bot| bot.time_control).map(on_worker);
        if now != seat.time_control {
            let shown = |control: &Option<String>| {
                control.as_deref().map_or_else(|| "that of the other bots".to_owned(), printable)
            };
            differences.push(format!(
                "the time control of bot `{}` is {} in the plan, but was {} in the game",
                printable(&seat.name),
                shown(&now),
                shown(&seat.time_control)
            ));
        }
    }
    differences
}

/// Plays the game. A signal aborts it.
fn play(
    ui: &mut Ui,
    plan: &Plan,
    recorded: &GameRecord,
    identities: &[Identity],
) -> Result<GameRecord, Failure> {
    let tournament = &plan.tournament;
    let stage = stage(ui, tournament.sandbox, plan.paths(None))?;
    let judge = tournament.adjudication.table.as_ref();
    let judge = judge.map(|table| table_judge(table, &*tournament.game)).transpose()?;
    let judge = judge.map(|judge| (judge.oracle, judge.digest));
    let sandbox = Some(RecordContext::sandbox(&stage.status));
    let context = RecordContext { software: env::SOFTWARE.to_owned(), host: env::host(), sandbox };
    let rerun = Rerun::new(tournament, recorded, identities, (&stage.host, context), judge)
        .map_err(|error| cant(plan, &error))?;
    report_sandbox(ui, &stage.status);
    ui.note(format_args!("playing {} again, as in try {}", printable(&recorded.id), recorded.attempt));
    let stop = StopSwitch::new();
    let abort = stop.clone();
    let stopped_by = signals::listen_for_end(move || abort.abort_running())?;
    let note = ui.note_printer();
    let played = rerun.play(env::now_text, &stop, move |why| {
        note(format!("the game is void because of this machine and is played again: {}", printable(why)));
    });
    let played = played.map_err(cant_start)?;
    if let Some(warning) = played.leaked.warning() {
        ui.warn(format_args!("{warning}"));
    }
    let Some(again) = played.record else {
        let exit = signals::exit_after(stopped_by.get());
        return Err(Failure::new(exit, "the game was aborted"));
    };
    let Some(void) = again.void.as_ref().filter(|_| recorded.void.is_none()) else { return Ok(again) };
    match &void.kind {
        VoidKind::NoBotPlayed => Ok(again),
        kind @ (VoidKind::Host | VoidKind::Assisted | VoidKind::Other(_)) => {
            Err(Failure::new(Exit::Stopped, "the game could not be completed on this machine")
                .cause(void.why.as_deref().map_or_else(|| kind.word().to_owned(), printable)))
        }
    }
}

fn cant_start(error: std::io::Error) -> Failure {
    Failure::new(Exit::Wrong, "can't start the game on this machine").cause(error)
}

/// The comparison of a repeated game with its record.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Comparison {
    id: String,
    /// The number of the recorded try, from 1.
    #[serde(rename = "try")]
    attempt: u32,
    /// True if the moves and the end were the same; for a record that the host cut short, only the recorded moves
    /// count.
    same: bool,
    /// The ply of the first move that differs, from 1; `None` if no move differs.
    differs_at: Option<usize>,
    recorded: RerunCourse,
    again: RerunCourse,
    differences: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct RerunCourse {
    /// Number of its plies, including those of the opening.
    plies: usize,
    /// The move at the first ply that differs; `None` if no ply differs or the game had ended by then.
    #[serde(rename = "move")]
    played: Option<String>,
    verdict: String,
    /// The same text again, under the field name that events use.
    sentence: String,
    /// The last lines between the referee and the bots, if one failed.
    transcript: Vec<String>,
}

impl Comparison {
    fn of(
        (recorded, replay): (&GameRecord, &Replay),
        (again, new_replay): (&GameRecord, &Replay),
        differences: Vec<String>,
    ) -> Comparison {
        let longest = replay.last().max(new_replay.last());
        // The move at a ply, unless it is part of the opening.
        let text = |replay: &Replay, ply: usize| {
            let played = replay.frames.get(ply)?.played.as_ref()?;
            (played.kind != PlayedKind::Opening).then(|| played.text.clone())
        };
        let differs_at = (1..=longest).find(|ply| text(replay, *ply) != text(new_replay, *ply));
        // A recorded game that the host broke off is compared up to its end.
        let was_cut = recorded.void.is_some() && recorded.void != again.void;
        let differs_at = differs_at.filter(|ply| !(was_cut && *ply > replay.last()));
        let course = |replay: &Replay| RerunCourse {
            plies: replay.last(),
            played: differs_at.and_then(|ply| text(replay, ply)),
            verdict: replay.verdict.clone(),
            sentence: replay.verdict.clone(),
            transcript: replay.transcript.clone(),
        };
        Comparison {
            id: replay.id.clone(),
            attempt: recorded.attempt,
            same: differs_at.is_none() && (was_cut || ended_alike(recorded, again)),
            differs_at,
            recorded: course(replay),
            again: course(new_replay),
            differences,
        }
    }

    fn write(&self, replay: &Replay, data: &mut impl Write) -> std::io::Result<()> {
        writeln!(data, "game      {}, try {}", self.id, self.attempt)?;
        writeln!(data, "bots      {}", print::title(replay))?;
        writeln!(data, "recorded  {}", self.recorded.verdict)?;
        writeln!(data, "again     {}", self.again.verdict)?;
        match self.differs_at {
            Some(ply) => {
                let shown = |course: &RerunCourse| match &course.played {
                    Some(text) => format!("`{text}`"),
                    None => "the end".to_owned(),
                };
                writeln!(
                    data,
                    "differs   at move {ply}: {} in the record, {} now",
                    shown(&self.recorded),
                    shown(&self.again)
                )?;
            }
            None if self.same && self.recorded.plies < self.again.plies => {
                writeln!(data, "same      all {} recorded moves", self.recorded.plies)?;
            }
            None if self.same => {
                writeln!(data, "same      all {} moves, and the result", self.recorded.plies)?;
            }
            None => writeln!(data, "differs   in the result, after the same {} moves", self.recorded.plies)?,
        }
        if !self.again.transcript.is_empty() {
            writeln!(data, "the last lines of the dialogue with the referee:")?;
            self.again.transcript.iter().try_for_each(|line| writeln!(data, "  {line}"))?;
        }
        Ok(())
    }
}

/// Returns true if two games had the same result for the same reason.
fn ended_alike(one: &GameRecord, other: &GameRecord) -> bool {
    let faults = |record: &GameRecord| -> Vec<(u8, String)> {
        record.faults.iter().map(|fault| (fault.seat, fault.word().to_owned())).collect()
    };
    let void = |record: &GameRecord| record.void.as_ref().map(|void| void.kind.clone());
    one.places == other.places
        && one.reason == other.reason
        && void(one) == void(other)
        && faults(one) == faults(other)
}
