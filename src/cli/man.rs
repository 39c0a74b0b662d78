//! `linesman man`: writes the manual pages, generated from the same definitions as `--help`.

use std::path::PathBuf;

use super::error::{Exit, Failure};
use super::ui::Ui;
use super::{CliCommand, usage};

/// Write the manual pages
///
/// A page for linesman and one for each command: `linesman.1`, `linesman-match.1` and so on.
#[derive(clap::Args, Debug)]
#[command(before_help = "Example:\n  linesman man ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Directory to write to; it is created if it does not exist
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub(crate) fn run(args: &Args, _: &mut Ui) -> Result<Exit, Failure> {
    let failed = |error: std::io::Error| Failure::file(Exit::CantWrite, "write", &args.directory, &error);
    std::fs::create_dir_all(&args.directory).map_err(failed)?;
    clap_mangen::generate_to(usage::command::<CliCommand>(), &args.directory).map_err(failed)?;
    Ok(Exit::Done)
}
