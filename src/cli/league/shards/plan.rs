//! `linesman league plan`: divides the missing games of a league into shards.

use std::io::Write;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};

use shell_words::quote;

use super::super::super::args::{Format, FormatArgs};
use super::super::super::env;
use super::super::super::error::{Exit, Failure};
use super::super::super::json::{self, Object, value};
use super::super::super::play::Run;
use super::super::super::play::failure::{PlanOrigin, plan_failure};
use super::super::super::ui::Ui;
use crate::league::directory::{Plan, RunDirectory};
use crate::league::session::Preflight;
use crate::league::shard::WrittenShards;
use crate::report::describe::grouped;
use crate::report::table::{Cell, Column, Table};

/// The job scripts: their names and texts.
const SCRIPTS: [(&str, &str); 3] = [
    ("slurm.sh", include_str!("slurm.sh")),
    ("parallel.sh", include_str!("parallel.sh")),
    ("ssh.sh", include_str!("ssh.sh")),
];

/// Divide the missing games of a league into shards
///
/// Each shard is a file with some of the games, to be played by `linesman league run-shard` as a
/// job or on another machine. Scripts for Slurm, ssh and GNU parallel lie beside them. Merge the
/// records with `linesman league merge`, and plan again if games are missing.
#[derive(clap::Args, Debug)]
#[command(before_help = "\
Examples:
  linesman league plan cup.toml --shards 20     write runs/cup/shards/1/1.json ... 20.json
  sbatch runs/cup/shards/1/slurm.sh             play them as Slurm jobs
  linesman league merge runs/cup                merge the records")]
#[command(after_long_help = "\
Where games follow from results (Swiss, knockout, ladder), a plan has the games that are known:
merge and plan again for the next round. A sequential test can't be played in shards.")]
pub(crate) struct Args {
    /// Tournament file
    file: PathBuf,
    /// Number of shards; none is empty
    #[arg(long, value_name = "N")]
    shards: NonZeroU32,
    /// Maximum number of games in all, the first of the missing ones
    #[arg(long, value_name = "N")]
    games: Option<NonZeroU64>,
    /// Run directory [default: `runs/` and the name of the file]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

/// A shard that was written: its file, and the number of its games.
type ShardFile = (PathBuf, u64);

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let plan = Plan::read(&args.file, Some(env::cores())).map_err(|error| plan_failure(ui, &error))?;
    let directory = match &args.out {
        Some(path) => RunDirectory::at(path),
        None => RunDirectory::of_file(&args.file),
    };
    let mut run = Run::new(ui, &plan, Preflight::Skipped, PlanOrigin::File)?;
    let max_games = args.games.map(NonZeroU64::get);
    let written = run
        .work(ui, |session, observers| session.write_shards(&directory, args.shards, max_games, observers))?;
    let shown = directory.path().display();
    let Some(written) = written else {
        ui.note(format_args!("no games are missing in {shown}"));
        return Ok(Exit::Done);
    };
    write_scripts(&written)?;
    let WrittenShards { plan, folder, files } = &written;
    let row_json = |(file, games): &ShardFile| {
        Object(vec![("file", value(file.to_string_lossy())), ("games", value(games))])
    };
    match args.format.format() {
        Format::Table => ui.data().write_all(table(files).to_text(ui.data_width()).as_bytes())?,
        Format::Csv => table(files).write_csv(ui.data())?,
        Format::Json => ui.print_json(&json::array(files.iter().map(row_json)))?,
    }
    let games = files.iter().map(|(_, games)| games).sum();
    ui.note(format_args!(
        "plan {plan}: {} games in {} shards; play each with `linesman league run-shard FILE`, or all by a \
         script in {}: slurm.sh, parallel.sh, ssh.sh; then run: linesman league merge {shown}",
        grouped(games),
        files.len(),
        folder.display(),
    ));
    Ok(Exit::Done)
}

fn table(files: &[ShardFile]) -> Table {
    Table::of(
        [
            Column::words_of_others("file").of(|(file, _): &ShardFile| Cell::text(&file.to_string_lossy())),
            Column::number("games").of(|(_, games): &ShardFile| Cell::count(*games)),
        ],
        files,
    )
}

fn write_scripts(written: &WrittenShards) -> Result<(), Failure> {
    let binary = env::find_own_binary()?;
    let folder = &written.folder;
    let absolute =
        folder.canonicalize().map_err(|error| Failure::file(Exit::Wrong, "find", folder, &error))?;
    // On other machines, the folder is named after the run and the plan.
    let run = absolute.ancestors().nth(2).and_then(Path::file_name).unwrap_or("run".as_ref());
    let there = format!("linesman-shards/{}-{}", run.to_string_lossy(), written.plan);
    for (name, text) in SCRIPTS {
        let text = text
            .replace("@SHARDS@", &written.files.len().to_string())
            .replace("@LINESMAN@", &quote(&binary.to_string_lossy()))
            .replace("@FOLDER@", &quote(&absolute.to_string_lossy()))
            // The path is quoted twice, since the shell of the other machine parses it again.
            .replace("@THERE@", &quote(&quote(&there)));
        let path = folder.join(name);
        write_executable(&path, &text)
            .map_err(|error| Failure::file(Exit::CantWrite, "write", &path, &error))?;
    }
    Ok(())
}

fn write_executable(path: &Path, text: &str) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}
