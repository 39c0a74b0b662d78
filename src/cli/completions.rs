//! `linesman completions`: prints the completion script for a shell.

use std::io::Write;

use clap::CommandFactory;

use super::error::{Exit, Failure};
use super::ui::Ui;
use super::{Cli, CliCommand};

/// Print the completion script for a shell
#[derive(clap::Args, Debug)]
#[command(
    before_help = "Example:\n  linesman completions bash > ~/.local/share/bash-completion/completions/linesman"
)]
pub(crate) struct Args {
    /// Shell
    shell: clap_complete::Shell,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::<CliCommand>::command(), "linesman", &mut script);
    ui.data().write_all(&script)?;
    Ok(Exit::Done)
}
