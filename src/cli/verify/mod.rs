//! `linesman verify`: checks that records are consistent and complete.

mod missing;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::args::{Format, FormatArgs};
use super::error::{Exit, Failure};
use super::json::{self, Object, value};
use super::paths;
use super::ui::Ui;
use crate::record::text::printable;
use crate::record::verify::{Finding, Summary, verify};
use crate::record::{LinePlace, ReadProblem, RecordReader, Source, deleting};
use crate::report::table::{Cell, Column, Table};
use missing::Missing;

/// Maximum number of findings that are shown on stderr; the others are counted.
const MAX_SHOWN: u64 = 20;

/// Maximum number of lines that a suggested command deletes.
const MAX_DELETED: usize = 50;

const MAX_LISTED: usize = 1_000;

/// Report inconsistent or missing records
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman verify runs/quixo-demo
  cat */games.jsonl | linesman verify -")]
#[command(after_long_help = "\
Every game is replayed move by move through the rules. Records without moves can't be
replayed; they are counted. An incomplete last line and a second record of the same
game give a warning.

For a run directory, or the `games.jsonl` in it, missing games are reported as well:
games that once had a record (they are in `results.csv`, or later games are
recorded), and games of an unfinished league that are still to be played. A bare file of records
can't show whether games are missing.

JSON: an object with the counts and `findings` (the first 1,000), each with `kind`
(`untrue`, `unreadable`, `duplicate`, `other_bots` or `torn`), `file`, `line`, `id`,
`move` (its number in the list of moves, from 1) and `why`; for a run also `missing`,
the number of games without a record, `missing_games`, the first 1,000 of their ids, and
`strangers`, the number of records of other leagues.

Exit status: 0 if all records are consistent and none is missing, 1 if a record is
inconsistent or has disappeared, 2 if a line or a file can't be read, 3 if the records
are consistent but the league is unfinished.")]
pub(crate) struct Args {
    /// Files of records or run directories (`-` for stdin)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let sources = args.files.iter().map(|path| paths::records(path)).collect::<Result<Vec<_>, _>>()?;
    let reader = RecordReader::new(sources);
    let mut found = 0;
    let mut listed = Vec::new();
    let mut broken: BTreeMap<Arc<str>, Vec<u64>> = BTreeMap::new();
    // Files whose first line has nothing in common with a record.
    let mut foreign: BTreeSet<Arc<str>> = BTreeSet::new();
    let summary = verify(reader, &mut |finding| {
        found += 1;
        if let Finding::Unreadable(error) = &finding {
            let file = || Arc::clone(&error.place.file);
            if error.is_fixed_by_deleting() {
                broken.entry(file()).or_default().push(error.place.line);
            } else if error.place.line == 1 && is_foreign(&error.problem) {
                foreign.insert(file());
            }
        }
        if found <= MAX_SHOWN {
            show(ui, &finding);
        }
        if listed.len() < MAX_LISTED {
            listed.push(finding_json(&finding));
        }
    });
    if let Some(more) = found.checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        ui.note(format_args!("and {more} more"));
    }
    for (file, mut lines) in broken {
        match foreign.contains(&file) {
            // The first line's hint asks for a file of records.
            true if summary.records == 0 => continue,
            true => lines.insert(0, 1),
            false => {}
        }
        print_hint(ui, &file, &lines);
    }
    let is_readable = summary.unreadable == 0;
    let (missing, contradictions) = if is_readable { lacking(args, ui, &summary)? } else { (Vec::new(), 0) };
    match args.format.format() {
        Format::Table => {
            writeln!(ui.data(), "{}", sentence(&summary, missing.iter().map(Missing::count).sum()))?;
        }
        Format::Csv => table(&summary, &missing).write_csv(ui.data())?,
        Format::Json => print_json(ui, &summary, &missing, value(&listed))?,
    }
    Ok(if !is_readable {
        Exit::Wrong
    } else if summary.untrue > 0 || contradictions > 0 || missing.iter().any(Missing::is_damage) {
        Exit::No
    } else if missing.iter().any(|missing| missing.is_open) {
        Exit::Stopped
    } else {
        Exit::Done
    })
}

fn print_json(
    ui: &Ui,
    summary: &Summary,
    missing: &[Missing],
    findings: Box<RawValue>,
) -> Result<(), Failure> {
    let counts = counts(summary, missing).into_iter();
    let mut object: Vec<_> = counts.map(|(name, count)| (name, value(count))).collect();
    if !missing.is_empty() {
        let ids = missing.iter().flat_map(Missing::ids).take(MAX_LISTED);
        object.push(("missing_games", json::array(ids)));
    }
    object.push(("findings", findings));
    ui.print_json(&Object(object))
}

/// Reports the missing games of the runs among the files. Returns them, and the number of runs in which a record
/// contradicts the plan.
fn lacking(args: &Args, ui: &mut Ui, summary: &Summary) -> Result<(Vec<Missing>, u64), Failure> {
    let (mut all, mut contradictions) = (Vec::new(), 0);
    for path in &args.files {
        match missing::find(ui, path) {
            Ok(Some(missing)) => {
                missing.report(ui, path);
                all.push(missing);
            }
            Ok(None) if args.format.format() == Format::Table && summary.records > 0 => {
                ui.note(format_args!(
                    "{}: a file of records can't show whether games are missing; to check that, give the run directory",
                    Source::from(path.as_path())
                ))
            }
            Ok(None) => {}
            // A record contradicts the plan.
            Err(failure) => {
                ui.fail(&failure);
                contradictions += 1;
            }
        }
    }
    Ok((all, contradictions))
}

/// True if a first line with this problem is taken for the beginning of a file of another kind.
fn is_foreign(problem: &ReadProblem) -> bool {
    match problem {
        ReadProblem::NotRecords { .. } | ReadProblem::TooLong { .. } => true,
        ReadProblem::Io(_)
        | ReadProblem::Directory
        | ReadProblem::NotJson { .. }
        | ReadProblem::Checksum(_)
        | ReadProblem::NotARecord { .. }
        | ReadProblem::Version { .. }
        | ReadProblem::Malformed(_)
        | ReadProblem::Contradiction { .. } => false,
    }
}

/// Prints a hint for the unreadable lines of a file.
fn print_hint(ui: &Ui, file: &str, lines: &[u64]) {
    if file == Source::Stdin.to_string() {
        return;
    }
    let (what, them, games) = match lines {
        [line] => (format!("line {line}"), "it", "its game"),
        _ => (format!("these {} lines", lines.len()), "them", "their games"),
    };
    if lines.len() > MAX_DELETED {
        ui.note(format_args!("restore {what} of {file}, or check whether it is a file of records"));
        return;
    }
    ui.note(format_args!(
        "restore {what} of {file}, or delete {them} with `{}` (a league then plays {games} again; a Swiss \
         or knockout tournament also plays later games again if their pairings change)",
        deleting(file, lines.iter().copied())
    ));
}

fn shown(id: &str) -> String {
    printable(id, 200)
}

fn show(ui: &mut Ui, finding: &Finding) {
    match finding {
        Finding::Untrue { place, id, violation } => {
            ui.fail(
                &Failure::no(format_args!("record `{}` is inconsistent: {violation}", shown(id))).at(place),
            );
        }
        // One hint for all such lines follows, since deleting a line changes the numbers of the others.
        Finding::Unreadable(error) if error.is_fixed_by_deleting() => {
            ui.fail(&Failure::wrong(&error.problem).at(error.location()));
        }
        Finding::Unreadable(error) => {
            ui.fail(&Failure::from(error));
        }
        Finding::Duplicate { place, id } => {
            ui.warn(format_args!("{place}: game `{}` already has a record; the first one counts", shown(id)));
        }
        Finding::OtherBots { place, id } => {
            ui.warn(format_args!("{place}: the id `{}` does not match the bots in `seats`", shown(id)));
        }
        Finding::Torn(torn) => ui.warn(format_args!("{}: {}", torn.place, why(finding))),
    }
}

fn why(finding: &Finding) -> String {
    match finding {
        Finding::Untrue { violation, .. } => violation.to_string(),
        Finding::Unreadable(error) => error.to_string(),
        Finding::Duplicate { .. } => "the game already has a record".to_owned(),
        Finding::OtherBots { .. } => "the id does not match the bots in `seats`".to_owned(),
        Finding::Torn(torn) => format!("the last line is incomplete ({} bytes) and was ignored", torn.bytes),
    }
}

fn finding_json(finding: &Finding) -> Object {
    let json = |kind: &str, place: &LinePlace, id: Option<&String>, number: Option<usize>| {
        Object(vec![
            ("kind", value(kind)),
            ("file", value(&*place.file)),
            ("line", value(place.line)),
            ("id", value(id)),
            ("move", value(number)),
            ("why", value(why(finding))),
        ])
    };
    match finding {
        Finding::Untrue { place, id, violation } => {
            json("untrue", place, Some(id), violation.at.as_ref().map(|at| at.number))
        }
        Finding::Unreadable(error) => json("unreadable", &error.place, None, None),
        Finding::Duplicate { place, id } => json("duplicate", place, Some(id), None),
        Finding::OtherBots { place, id } => json("other_bots", place, Some(id), None),
        Finding::Torn(torn) => json("torn", &torn.place, None, None),
    }
}

/// All counts. Those of missing games and of records of other leagues are only for runs.
fn counts(summary: &Summary, missing: &[Missing]) -> Vec<(&'static str, u64)> {
    // Every field is named, so that the compiler finds a new one.
    let Summary {
        records,
        replayed,
        moves,
        without_moves,
        void,
        void_by_host,
        untrue,
        other_bots,
        duplicates,
        unreadable,
        torn,
    } = *summary;
    let of_runs = |name, count: fn(&Missing) -> u64| {
        (!missing.is_empty()).then(|| (name, missing.iter().map(count).sum()))
    };
    let of_records = [
        ("records", records),
        ("replayed", replayed),
        ("moves", moves),
        ("without_moves", without_moves),
        ("void", void),
        ("untrue", untrue),
        ("unreadable", unreadable),
        ("duplicates", duplicates),
        ("torn", torn),
    ];
    // Reports also separate games that are void from attempts that are void because of the machine.
    let later = [
        ("games_void", void.saturating_sub(void_by_host)),
        ("tries_void_by_host", void_by_host),
        ("other_bots", other_bots),
    ];
    of_records
        .into_iter()
        .chain(of_runs("missing", Missing::count))
        .chain(later)
        .chain(of_runs("strangers", |missing| missing.strangers))
        .collect()
}

fn table(summary: &Summary, missing: &[Missing]) -> Table {
    let column = |(name, count): (&str, u64)| Column::number(name).of(move |(): &()| Cell::count(count));
    Table::of(counts(summary, missing).into_iter().map(column), [()])
}

/// The counts in one line: `3 records: 2 consistent (41 moves), 1 not verifiable (no moves)`.
fn sentence(summary: &Summary, missing: u64) -> String {
    let number = |count: u64, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    let mut parts = Vec::new();
    if summary.replayed > 0 || summary.records == 0 {
        parts.push(format!("{} consistent ({})", summary.replayed, number(summary.moves, "move", "moves")));
    }
    let others = [
        (summary.without_moves, "not verifiable (no moves)", "not verifiable (no moves)"),
        (summary.void, "void", "void"),
        (summary.untrue, "inconsistent", "inconsistent"),
        (summary.duplicates, "duplicate", "duplicates"),
        (summary.unreadable, "unreadable", "unreadable"),
        (summary.torn, "incomplete last line", "incomplete last lines"),
        (missing, "missing", "missing"),
    ];
    parts.extend(
        others.iter().filter(|(count, ..)| *count > 0).map(|(count, one, many)| number(*count, one, many)),
    );
    format!("{}: {}", number(summary.records, "record", "records"), parts.join(", "))
}
