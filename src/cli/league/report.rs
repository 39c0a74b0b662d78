//! `linesman league report`: reports on a league from its records.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rustix::fs::{Access, access};

use super::super::args::word;
use super::super::error::{Exit, Failure};
use super::super::output_file::OutputFile;
use super::super::paths;
use super::super::play::failure::{directory_failure, rating_failure, session_failure};
use super::super::play::results::{finding, has_unwanted_pondering, standings_by};
use super::super::play::resume_scan_seeing;
use super::super::schedule::{rules, winner_in_words, with_schedule};
use super::super::ui::Ui;
use crate::cli::ratings::seat_in_words;
use crate::league::directory::RunDirectory;
use crate::league::file::{ScheduleKind, Tournament};
use crate::league::progress::Progress;
use crate::league::rerun::is_version_of;
use crate::league::schedule::{Length, Schedule};
use crate::league::session::{Results, ResumeScan, SessionError};
use crate::rating::{Rater, Ratings};
use crate::record::ReadError;
use crate::report::league_report::{
    About, Checkpoints, Course, Facts, Meetings, PICTURES, Part, Report, Rules, Sentence, Statistics,
    TestFacts, html, json, markdown, text,
};
use crate::report::plot::Canvas;
use crate::report::standings::Standings;

/// Maximum number of checkpoints at which ratings are computed during the games.
const MAX_CHECKPOINTS: usize = 40;

/// Maximum number of pairs of bots in the results of all checkpoints together. With very many bots there are fewer
/// checkpoints.
const MAX_PAIRS_KEPT: usize = 1_000_000;

/// Report on a league: standings, crosstable, faults, openings, lengths, plots
///
/// The report also states what the numbers alone hide: which places may be due to
/// chance, which points came from opponents' faults, and which games repeat others.
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman league report runs/cup
  linesman league report runs/cup --format html --out cup.html
  linesman league report runs/cup --format csv --part crosstable
  linesman league report runs/cup --format markdown --plots plots")]
#[command(after_long_help = "\
Parts: standings, seats, faults, crosstable, endings, lengths, openings, and course
(ratings over time). A Swiss or a knockout also has ranking, and a knockout has
bracket. A league that was played over a network has workers. With table and markdown, --part selects parts; with csv, it selects the one
to print; html and json always hold all parts. On a terminal, a table that is too wide
is split or loses columns, which are named below it, and a crosstable that is too wide
is left out. JSON is an object with named facts, `notes` (an array of objects with
`about` and `text`), and each part as an array of objects.

--plots writes intervals.svg, course.svg and lengths.svg if there is enough data.
Without --format it prints nothing else.

Exit status: 2 if there is no league, or if a file exists and --force is missing; 74 if
a file can't be written.")]
pub(crate) struct Args {
    /// Run directory, or its `games.jsonl`
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Output format [default: table]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    format: Option<ReportFormat>,
    /// Same as `--format json`
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    json: bool,
    /// Part to print; may be repeated with table and markdown [default: all parts; csv: standings]
    #[arg(long = "part", value_name = "PART", value_parser = part)]
    parts: Vec<Part>,
    /// File to write (`-` for stdout)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Directory for the plots as SVG files
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    plots: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long, help_heading = "Output")]
    force: bool,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
enum ReportFormat {
    /// Tables for reading
    Table,
    /// Comma-separated values, one part
    Csv,
    /// JSON
    Json,
    /// Markdown, as GitHub renders it
    Markdown,
    /// Web page in a single file
    Html,
}

fn part(text: &str) -> Result<Part, String> {
    word(text, &Part::ALL, Part::word)
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let format = match (args.format, args.json) {
        (_, true) => Some(ReportFormat::Json),
        // A user who asks only for plots wants nothing else.
        (None, false) if args.plots.is_some() && args.out.is_none() && args.parts.is_empty() => None,
        (None, false) => Some(ReportFormat::Table),
        (chosen, false) => chosen,
    };
    check_parts(args, format)?;
    check_outputs(args)?;
    let read = Read::from(ui, &args.directory)?;
    let standings = with_schedule(standings_by(&read.results, &read.ratings), &read.schedule);
    let further = read.further(&standings);
    let rules = rules(&read.schedule);
    let report = Report {
        facts: &read.facts,
        rules: &rules,
        tally: read.results.tally(),
        standings: &standings,
        ratings: &read.ratings,
        course: &read.course,
        statistics: &read.statistics,
        further: &further,
    };
    check_rules(args, &rules, report.has_workers())?;
    if let Some(format) = format {
        let text = written(&report, format, args, ui)?;
        match &args.out {
            Some(path) => {
                let advice = if format == ReportFormat::Html { "open it in a browser" } else { "the report" };
                OutputFile { path, force: args.force }.write(&text, advice, ui)?;
            }
            None => ui.data().write_all(text.as_bytes())?,
        }
    }
    if let Some(directory) = &args.plots {
        write_plots(&report, directory, args, ui)?;
    }
    Ok(Exit::Done)
}

fn check_parts(args: &Args, format: Option<ReportFormat>) -> Result<(), Failure> {
    match format {
        Some(ReportFormat::Csv) if args.parts.len() > 1 => Err(Failure::wrong("CSV can hold only one part")
            .hint("give `--part` once, or use `--format json`, which has all parts")),
        Some(ReportFormat::Json | ReportFormat::Html) if !args.parts.is_empty() => {
            Err(Failure::wrong("JSON and HTML always have all parts").hint("leave out `--part`"))
        }
        _ => Ok(()),
    }
}

/// Refuses parts that this league does not have.
fn check_rules(args: &Args, rules: &Rules, has_workers: bool) -> Result<(), Failure> {
    if args.parts.contains(&Part::Workers) && !has_workers {
        return Err(Failure::wrong("this league has no workers: its games were played on one machine")
            .hint("use `--part standings`"));
    }
    let Some(part) = args.parts.iter().find(|part| !rules.give(**part)) else { return Ok(()) };
    let (whose, other) = match (part, rules) {
        (Part::Bracket, Rules::Swiss { .. }) => ("only a knockout has one", Part::Ranking),
        (Part::Bracket, _) => ("only a knockout has one", Part::Standings),
        _ => ("only a Swiss or a knockout has one", Part::Standings),
    };
    Err(Failure::wrong(format_args!("this league has no {}: {whose}", part.word()))
        .hint(format_args!("use `--part {}`", other.word())))
}

/// Refuses an output that can't be written, before the records are read.
fn check_outputs(args: &Args) -> Result<(), Failure> {
    if let Some(path) = args.out.as_deref().filter(|path| *path != Path::new("-")) {
        OutputFile { path, force: args.force }.check()?;
        let folder = paths::folder_of(path);
        // An existing path may be a device in a folder where no file can be created.
        let writable = if path.exists() {
            OpenOptions::new().append(true).open(path).map(|_| ())
        } else {
            access(folder, Access::WRITE_OK | Access::EXEC_OK).map_err(io::Error::from)
        };
        writable.map_err(|error| Failure::file(Exit::CantWrite, "write", path, &error))?;
    }
    if let Some(directory) = &args.plots {
        fs::create_dir_all(directory)
            .map_err(|error| Failure::file(Exit::CantWrite, "create", directory, &error))?;
        for picture in PICTURES {
            OutputFile { path: &directory.join(picture.file_name()), force: args.force }.check()?;
        }
    }
    Ok(())
}

fn written(report: &Report<'_>, format: ReportFormat, args: &Args, ui: &Ui) -> Result<String, Failure> {
    let parts = if args.parts.is_empty() { &Part::ALL[..] } else { &args.parts };
    Ok(match format {
        ReportFormat::Table => {
            // A file has no window.
            let width = if args.out.is_none() { ui.data_width() } else { None };
            text(report, parts, width)
        }
        ReportFormat::Csv => {
            let part = args.parts.first().copied().unwrap_or(Part::Standings);
            let mut bytes = Vec::new();
            report.full(part).write_csv(&mut bytes)?;
            String::from_utf8(bytes).expect("CSV is made of texts")
        }
        ReportFormat::Json => json(report),
        ReportFormat::Markdown => markdown(report, parts),
        ReportFormat::Html => html(report),
    })
}

fn write_plots(report: &Report<'_>, directory: &Path, args: &Args, ui: &mut Ui) -> Result<(), Failure> {
    for picture in PICTURES {
        let path = directory.join(picture.file_name());
        match report.picture(picture, &Canvas::File) {
            Some(svg) => OutputFile { path: &path, force: args.force }.write(&svg, "a plot", ui)?,
            None => ui.note(format_args!("not enough data yet: {} was not written", path.display())),
        }
    }
    Ok(())
}

/// The part of a league's plan and records that the report needs.
struct Read {
    facts: Facts,
    /// The schedule, including the games that follow from results.
    schedule: Schedule,
    results: Results,
    has_unwanted_pondering: bool,
    ratings: Ratings,
    course: Course,
    statistics: Statistics,
}

impl Read {
    fn from(ui: &mut Ui, path: &Path) -> Result<Read, Failure> {
        let directory = paths::run(path);
        let plan = directory.plan_in_force().map_err(|error| directory_failure(ui, &error))?;
        let tournament = &plan.tournament;
        let schedule = Schedule::of(tournament).map_err(Failure::wrong)?;
        let mut statistics = Statistics::default();
        read_repeats(ui, &directory, tournament, &mut statistics)?;
        let mut checkpoints = Checkpoints::<Rater>::of_most(checkpoints(tournament.entrants.len()));
        let back = resume_scan_seeing(ui, &directory, tournament, &schedule, |record, outcome, results| {
            statistics.add(record, outcome);
            if outcome.places().is_some() {
                checkpoints.pass(statistics.games(), || results.rater().clone());
            }
        })?;
        let ResumeScan { progress, results, .. } = back;
        let ratings = results.ratings().map_err(|error| rating_failure(&error))?;
        // Early results may not be enough for ratings.
        let kept = checkpoints.into_kept().into_iter();
        let mut stations: Vec<_> =
            kept.filter_map(|(games, rater)| Some((games, rater.ratings().ok()?))).collect();
        stations.push((statistics.games(), ratings.clone()));
        Ok(Read {
            facts: facts(tournament, &progress, &results),
            schedule: progress.schedule,
            results,
            has_unwanted_pondering: has_unwanted_pondering(tournament),
            ratings,
            course: Course::new(stations),
            statistics,
        })
    }

    /// Further sentences, which depend on the plan.
    fn further(&self, standings: &Standings) -> Vec<Sentence> {
        let mut further = Vec::new();
        if self.facts.left == Some(0) {
            further.extend(winner_in_words(&self.schedule));
        }
        if self.has_unwanted_pondering {
            further.extend(standings.off_move_note().map(|note| Sentence::about(About::Host).clause(&note)));
        }
        let seats = self.ratings.seat_advantages.iter().map(seat_in_words);
        further.extend(seats.map(|words| Sentence::about(About::Seats).words(words)));
        further
    }
}

/// Reads the repeats of games, which other workers played.
fn read_repeats(
    ui: &mut Ui,
    directory: &RunDirectory,
    tournament: &Tournament,
    statistics: &mut Statistics,
) -> Result<(), Failure> {
    let reader = directory.repeat_records().map_err(|error| directory_failure(ui, &error))?;
    let Some(mut reader) = reader else { return Ok(()) };
    let bot = |name: &str| tournament.bots.iter().find(|bot| is_version_of(&bot.name, name));
    let failed = |error: ReadError| session_failure(ui, SessionError::from(error));
    while let Some(line) = reader.next_line().map_err(failed)? {
        let record = line.record().map_err(failed)?;
        let must_agree = record.seats.iter().all(|seat| bot(&seat.name).is_some_and(|bot| bot.deterministic));
        statistics.expect_repeat(&record, must_agree);
    }
    Ok(())
}

/// The maximum number of checkpoints with this number of bots.
fn checkpoints(bots: usize) -> usize {
    match MAX_PAIRS_KEPT / bots.saturating_mul(bots).max(1) {
        0 | 1 => 0,
        enough => enough.min(MAX_CHECKPOINTS),
    }
}

fn facts(tournament: &Tournament, progress: &Progress, results: &Results) -> Facts {
    let past = results.past_bots();
    let (games, left) = match progress.schedule.length() {
        // The number of games so far.
        Length::Endless => (progress.played.count(), None),
        length => (length.most(), Some(progress.left())),
    };
    Facts {
        league: tournament.name.clone(),
        game: tournament.game.id().to_owned(),
        options: tournament.game.options().to_string(),
        option_values: tournament.game.options().clone(),
        time_control: tournament.time_in_words(),
        entrants: tournament.entrants.len(),
        games: games.saturating_add(past.games),
        left,
        meetings: match tournament.schedule {
            ScheduleKind::RoundRobin if past.games == 0 => Meetings::Even,
            _ => Meetings::Chosen,
        },
        test: results.test().map(|test| TestFacts {
            names: test.names().map(str::to_owned),
            status: test.sequence().status,
            in_a_word: finding(test).in_a_word(),
            games: test.sequence().counts.games(),
            has_ended: test.end().is_some(),
        }),
    }
}
