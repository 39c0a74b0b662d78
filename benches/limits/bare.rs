//! A runtime without protections: bots are plain child processes without a supervisor, and no
//! evidence is collected from the host. It is the baseline for all protections.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::process::Stdio;
use std::time::Duration;

use linesman::process::{
    Command, Interest, Leaked, Process, QuitOverruns, StartError, StartStep, Termination,
};
use linesman::referee::driver::runtime::Runtime;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::floor::BareBot;

/// The machine itself, without protection.
pub struct BareMachine;

/// A child process with two pipes.
pub struct Plain(RefCell<BareBot>);

impl Runtime for BareMachine {
    type Bot = Plain;

    async fn start(&self, command: Command) -> Result<Plain, StartError> {
        // In its own session, like the supervised bots.
        let mut child = std::process::Command::new("setsid");
        child.arg(&command.program).args(&command.arguments).current_dir(&command.directory).env_clear();
        let child = child.envs(command.environment).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        match child {
            Ok(child) => Ok(Plain(RefCell::new(BareBot(child)))),
            Err(error) => Err(StartError::Host { step: StartStep::Launch, error: error.to_string() }),
        }
    }

    async fn wait_for<'a>(
        &self,
        interests: impl Iterator<Item = Interest<'a, Plain>>,
        at_most: Duration,
    ) -> io::Result<()> {
        let interests: Vec<_> = interests.collect();
        let bots: Vec<_> = interests
            .iter()
            .map(|interest| match interest {
                Interest::Output(bot) => (bot.0.borrow(), PollFlags::IN),
                Interest::Room(bot) => (bot.0.borrow(), PollFlags::OUT),
            })
            .collect();
        let mut fds: Vec<PollFd<'_>> = bots
            .iter()
            .filter_map(|(bot, flags)| match *flags {
                PollFlags::IN => Some(PollFd::new(bot.0.stdout.as_ref()?, *flags)),
                _ => Some(PollFd::new(bot.0.stdin.as_ref()?, *flags)),
            })
            .collect();
        let limit = Timespec::try_from(at_most).map_err(io::Error::other)?;
        poll(&mut fds, Some(&limit)).map(drop).map_err(io::Error::from)
    }

    async fn hear(&self, bot: &Plain, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let mut bot = bot.0.borrow_mut();
        bot.0.stdout.as_mut().expect("piped").read(buffer).map(Some)
    }

    async fn wait_for_end(&self, _leaving: Option<Termination>) -> Leaked {
        Leaked::default()
    }

    // The alarm never rings, so bots must answer, and these do.
    fn has_alarm(&self) -> bool {
        true
    }

    fn set_alarm(&self, _after: Duration) {}

    fn silence_alarm(&self) {}
}

impl Process for Plain {
    type Terminating = Option<Termination>;
    type Inner = Plain;

    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let mut bot = self.0.borrow_mut();
        let output = bot.0.stdout.as_mut().expect("piped");
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        if poll(&mut [PollFd::new(output, PollFlags::IN)], Some(&at_once))? == 0 {
            return Ok(None);
        }
        output.read(buffer).map(Some)
    }

    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let mut bot = self.0.borrow_mut();
        bot.0.stdin.as_mut().expect("piped").write(bytes).map(Some)
    }

    fn kill_later(self) -> Option<Termination> {
        None
    }

    fn quit_later(self, _words: Vec<u8>, _limit: Duration, _overruns: QuitOverruns) -> Option<Termination> {
        None
    }
}
