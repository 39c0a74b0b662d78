//! `linesman with-parent`: runs a program that ends with its parent process.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::{Signal, getppid, set_parent_process_death_signal};

use super::super::error::{Exit, Failure};
use crate::process::pin_this_thread;

/// Run a program that ends with the process that started this one
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Id of the process that started this one
    #[arg(long, value_name = "PID")]
    parent: i32,
    /// CPUs on which the program may run
    #[arg(long, value_name = "CPU,...", value_delimiter = ',')]
    cpus: Vec<usize>,
    /// Program and its arguments
    #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::wrong("can't start a program").cause(error);
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| failed(&error))?;
    // The parent may already have ended.
    if getppid().map(|parent| parent.as_raw_nonzero().get()) != Some(args.parent) {
        return Ok(Exit::Stopped);
    }
    if !args.cpus.is_empty() {
        // Without pinning, the program is only slower.
        let _ = pin_this_thread(&args.cpus);
    }
    let [program, arguments @ ..] = args.command.as_slice() else { return Ok(Exit::Wrong) };
    Err(failed(&Command::new(program).args(arguments).exec()))
}
