//! `linesman league merge`: appends the records of shards to those of their league.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::super::super::args::{Format, FormatArgs};
use super::super::super::error::{Exit, Failure};
use super::super::super::json::{self, Object, value};
use super::super::super::paths;
use super::super::super::play::failure::{directory_failure, shard_failure, write_failure};
use super::super::super::ui::Ui;
use crate::league::shard::{self, MergeError, Merged};
use crate::report::describe::grouped;
use crate::report::table::{Cell, Column, Table};

/// Merge the records of shards into their league
///
/// Appends the records of games that the league lacks, each once. Merging the same shards again
/// changes nothing. Shards that are still being played may be merged, too.
#[derive(clap::Args, Debug)]
#[command(before_help = "\
Examples:
  linesman league merge runs/cup              all shards that were planned for runs/cup
  linesman league merge runs/cup /mnt/stick/7   a directory of records from elsewhere")]
#[command(after_long_help = "\
Exit status: 0 if the league has all its games now; 3 if some are missing; 1 if a shard has
records of another league or another record of a game that has been played.")]
pub(crate) struct Args {
    /// Run directory of the league
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Run directory of a shard, or its file [default: all below `RUN/shards`]
    #[arg(value_name = "SHARD")]
    shards: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let directory = paths::run(&args.run);
    let shards = match args.shards.as_slice() {
        [] => shard::begun(&directory).map_err(|error| shard_failure(ui, &error))?,
        named => named.iter().map(|path| shard_directory(path)).collect::<Result<_, _>>()?,
    };
    let merged = shard::merge(&directory, &shards).map_err(|error| merge_failure(ui, error))?;
    if let Some(bytes) = merged.torn {
        ui.warn(format_args!("cut off an incomplete last line of {bytes} bytes in {}", args.run.display()));
    }
    merged.shards.iter().for_each(|shard| report_oddities(ui, shard));
    let rows = &merged.shards;
    match args.format.format() {
        Format::Table => ui.data().write_all(table(rows).to_text(ui.data_width()).as_bytes())?,
        Format::Csv => table(rows).write_csv(ui.data())?,
        Format::Json => ui.print_json(&json::array(rows.iter().map(row_json)))?,
    }
    let (done, left) = (merged.progress.played.count(), merged.progress.left());
    let new = rows.iter().map(|row| row.new).sum();
    ui.note(format_args!("{} new games; {} of the league are recorded", grouped(new), grouped(done)));
    if left > 0 {
        ui.note("games are missing: plan them with `linesman league plan`, or play them with `linesman league run`");
    }
    let is_odd = rows.iter().any(|row| row.different > 0 || row.strange > 0);
    Ok(match (is_odd, left) {
        (true, _) => Exit::No,
        (false, 0) => Exit::Done,
        (false, _) => Exit::Stopped,
    })
}

/// The run directory of a shard, which is given by that directory or by the shard's file.
fn shard_directory(path: &Path) -> Result<PathBuf, Failure> {
    let directory = if path.is_file() { path.with_extension("") } else { path.to_owned() };
    if paths::run(&directory).games().is_file() {
        return Ok(directory);
    }
    Err(Failure::wrong(format_args!("there are no records of a shard in `{}`", directory.display())))
}

/// Reports an incomplete last line of a shard, and records that don't count.
fn report_oddities(ui: &mut Ui, shard: &Merged) {
    let place = shard.path.display();
    if shard.is_torn {
        ui.note(format_args!("{place}: the last line is incomplete; its game is not merged"));
    }
    if shard.different > 0 {
        ui.warn(format_args!(
            "{place} has other records of {} games that the league has already, such as `{}`: they do not count",
            shard.different,
            shard.first_different.join("`, `")
        ));
    }
    if shard.strange > 0 {
        ui.warn(format_args!(
            "{place} has {} records of games that this league does not have, such as `{}`: they were left out",
            shard.strange,
            shard.first_strange.join("`, `")
        ));
    }
}

fn row_json(shard: &Merged) -> Object {
    Object(vec![
        ("shard", value(shard.path.to_string_lossy())),
        ("new", value(shard.new)),
        ("known", value(shard.known)),
        ("different", value(shard.different)),
        ("strange", value(shard.strange)),
    ])
}

fn table(shards: &[Merged]) -> Table {
    Table::of(
        [
            Column::words_of_others("shard").of(|row: &Merged| Cell::text(&row.path.to_string_lossy())),
            Column::number("new").of(|row: &Merged| Cell::count(row.new)),
            Column::number("known").of(|row: &Merged| Cell::count(row.known)),
            Column::number("different").of(|row: &Merged| Cell::count(row.different)),
            Column::number("strange").of(|row: &Merged| Cell::count(row.strange)),
        ],
        shards,
    )
}

fn merge_failure(ui: &Ui, error: MergeError) -> Failure {
    match error {
        MergeError::Directory(error) => directory_failure(ui, &error),
        MergeError::Shard(error) => shard_failure(ui, &error),
        MergeError::Schedule(error) => Failure::wrong(error),
        MergeError::Record(error) => Failure::from(&error),
        MergeError::Write(error) => write_failure(&error),
    }
}
