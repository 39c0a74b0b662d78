//! The launcher that becomes a bot's supervisor: what `linesman __cage` does.
//!
//! It is executed by the referee, so everything here runs in a small program of
//! one thread. It forks the bot and stays as its parent, a child subreaper: all
//! that the bot starts and abandons falls to it. It ends when nothing is left
//! below it, and it makes sure that this comes soon after the bot's main
//! process ended, the referee asked (SIGTERM), or the referee died (SIGTERM too).

mod child;
mod kernel;
mod supervisor;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};
use std::path::PathBuf;
use std::process::ExitCode;

use rustix::process::{Pid, Signal, getppid, set_child_subreaper, set_parent_process_death_signal};

use crate::process::command::Command;
use crate::process::report::{Message, StartError, Step};
use crate::process::tree;

/// The first argument that makes this program a launcher.
pub const ARGUMENT: &str = "__cage";

/// What the launcher is told on its command line.
#[derive(Clone, Eq, PartialEq, Debug)]
struct Orders {
    referee: Pid,
    report: RawFd,
    cpu: Option<usize>,
    directory: PathBuf,
    program: OsString,
    arguments: Vec<OsString>,
}

impl Orders {
    fn parse(arguments: impl IntoIterator<Item = OsString>) -> Option<Orders> {
        fn number<T: std::str::FromStr>(text: &OsStr) -> Option<T> {
            text.to_str()?.parse().ok()
        }
        let mut arguments = arguments.into_iter();
        let referee = Pid::from_raw(number(&arguments.next()?)?)?;
        let report = number(&arguments.next()?).filter(|fd| *fd > 2)?;
        let cpu = arguments.next()?;
        let cpu = if cpu == "-" { None } else { Some(number(&cpu)?) };
        let directory = PathBuf::from(arguments.next()?);
        let program = arguments.next()?;
        Some(Orders { referee, report, cpu, directory, program, arguments: arguments.collect() })
    }
}

/// The arguments by which the launcher is told what [`Orders::parse`] reads.
pub(crate) fn arguments(command: &Command, referee: Pid, report: RawFd) -> Vec<OsString> {
    let cpu = command.cpu.map_or_else(|| "-".to_owned(), |cpu| cpu.to_string());
    let mut all: Vec<OsString> = vec![
        ARGUMENT.into(),
        referee.as_raw_nonzero().get().to_string().into(),
        report.to_string().into(),
        cpu.into(),
        command.directory.clone().into(),
        command.program.clone(),
    ];
    all.extend(command.arguments.iter().cloned());
    all
}

/// The supervisor's end of the pipe to the referee.
#[derive(Debug)]
struct Report(File);

impl Report {
    fn tell(&mut self, message: &Message) {
        // A referee that is gone needs no report.
        let _ = self.0.write_all(&message.encode());
    }
}

impl AsFd for Report {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Starts a bot and supervises it until nothing of it is left.
///
/// `arguments` are those after [`ARGUMENT`]. Meant for the referee only; the
/// status says little, the report pipe says all.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let Some(orders) = Orders::parse(arguments) else {
        return ExitCode::from(2);
    };
    let Some(report) = kernel::inherited(orders.report) else {
        return ExitCode::from(2);
    };
    let mut report = Report(File::from(report));
    // Blocked first: a signal that comes early waits until it is asked for.
    kernel::block_all_signals();
    if let Err(error) = take_place(&orders) {
        report.tell(&Message::Failed(StartError::Host { step: Step::Place, error: error.to_string() }));
        report.tell(&Message::Swept);
        return ExitCode::from(2);
    }
    if getppid() != Some(orders.referee) {
        // The referee died before its death could be signalled.
        return ExitCode::SUCCESS;
    }
    match kernel::fork() {
        Ok(None) => child::become_bot(&orders, &mut report),
        Ok(Some(bot)) => {
            supervisor::supervise(bot, &mut report);
            ExitCode::SUCCESS
        }
        Err(error) => {
            report.tell(&Message::Failed(StartError::Host { step: Step::Fork, error: error.to_string() }));
            report.tell(&Message::Swept);
            ExitCode::from(2)
        }
    }
}

fn take_place(orders: &Orders) -> std::io::Result<()> {
    set_parent_process_death_signal(Some(Signal::TERM))?;
    set_child_subreaper(Pid::from_raw(1))?;
    if let Some(cpu) = orders.cpu {
        tree::pin_this_thread(cpu)?;
    }
    Ok(())
}

/// Puts `/dev/null` in place of the bot's streams, so that the bot alone holds them.
fn drop_streams() -> std::io::Result<()> {
    let null: OwnedFd = File::options().read(true).write(true).open("/dev/null")?.into();
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_as_they_are_given() {
        for cpu in [None, Some(3)] {
            let command = Command {
                launcher: "/bin/linesman".into(),
                program: "python3".into(),
                arguments: vec!["my bot.py".into(), "--".into()],
                directory: "/a b".into(),
                environment: Vec::new(),
                cpu,
            };
            let referee = Pid::from_raw(77).expect("77 is a process id");
            let mut all = arguments(&command, referee, 5);
            assert_eq!(all.remove(0), ARGUMENT);
            let orders = Orders::parse(all).expect("what is written can be read");
            assert_eq!((orders.referee, orders.report, orders.cpu), (referee, 5, cpu));
            assert_eq!(orders.directory, command.directory);
            assert_eq!((orders.program, orders.arguments), (command.program, command.arguments));
        }
    }

    #[test]
    fn a_person_who_types_it_gets_nowhere() {
        for text in ["", "1", "1 9 - /", "0 9 - / sh", "x 9 - / sh", "1 2 - / sh", "1 9 y / sh"] {
            assert_eq!(Orders::parse(text.split_whitespace().map(OsString::from)), None, "{text}");
        }
    }
}
