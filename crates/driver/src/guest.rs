//! Seats without a process: a guest talks to the referee from a thread of this program.
//!
//! A person who plays in a terminal is a guest. To the driver a guest is a bot like any other: lines are
//! exchanged, and clocks run.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use arrayvec::ArrayVec;
use rustix::event::PollFlags;

use crate::runtime::{Runtime, ThreadRuntime};
use crate::seat::WarmBot;
use linesman_sandbox::{
    Bot, Command, Interest, Leaked, Liveness, MAX_INTERESTS, Process, QuitOverruns, StartError, StartStep,
    Termination, wait_for_fds,
};

/// A player in a seat that is not a process.
pub trait Guest {
    /// Reads the output that is available; `None` if there is none.
    ///
    /// # Errors
    /// An error of its connection.
    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>>;

    /// Writes as many bytes as fit; `None` if none do.
    ///
    /// # Errors
    /// The guest has left.
    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>>;
}

/// The player in a seat: a bot or a guest.
#[derive(Debug)]
pub enum Occupant<G, B = Bot> {
    /// A bot with a process of its own.
    Bot(Box<B>),
    /// A player without a process.
    Guest(G),
}

impl<G: Guest, B: Process> Process for Occupant<G, B> {
    /// `None` for a guest, who has left once the connection is closed.
    type Terminating = Option<B::Terminating>;
    type Inner = B;

    fn inner(&self) -> Option<&B> {
        match self {
            Occupant::Bot(bot) => Some(bot),
            Occupant::Guest(_) => None,
        }
    }

    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match self {
            Occupant::Bot(bot) => bot.read_now(buffer),
            Occupant::Guest(guest) => guest.read_now(buffer),
        }
    }

    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        match self {
            Occupant::Bot(bot) => bot.write_now(bytes),
            Occupant::Guest(guest) => guest.write_now(bytes),
        }
    }

    fn liveness(&self) -> Liveness {
        // A guest is asked only after the connection was closed.
        self.inner().map_or(Liveness::Ending, Process::liveness)
    }

    fn kill_later(self) -> Self::Terminating {
        match self {
            Occupant::Bot(bot) => Some(bot.kill_later()),
            Occupant::Guest(_) => None,
        }
    }

    fn quit_later(self, words: Vec<u8>, limit: Duration, overruns: QuitOverruns) -> Self::Terminating {
        match self {
            Occupant::Bot(bot) => Some(bot.quit_later(words, limit, overruns)),
            Occupant::Guest(guest) => {
                // A guest who does not read any more has left.
                let _ = guest.write_now(&words);
                None
            }
        }
    }
}

/// The referee's end of the connection to a guest.
#[derive(Debug)]
pub struct Connection(UnixStream);

/// Creates a connection to a guest. Returns the referee's end and the guest's end.
///
/// # Errors
/// The system refuses the connection.
pub fn connect() -> io::Result<(Connection, UnixStream)> {
    let (referee, guest) = UnixStream::pair()?;
    referee.set_nonblocking(true)?;
    Ok((Connection(referee), guest))
}

impl Guest for Connection {
    fn read_now(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        unless_blocked((&self.0).read(buffer))
    }

    fn write_now(&self, bytes: &[u8]) -> io::Result<Option<usize>> {
        unless_blocked((&self.0).write(bytes))
    }
}

/// Turns the error of a call that would block into `None`.
fn unless_blocked(result: io::Result<usize>) -> io::Result<Option<usize>> {
    match result {
        Ok(count) => Ok(Some(count)),
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Finds the guest for a command; `None` if the command starts a process.
pub type Invitation = Box<dyn Fn(&Command) -> Option<io::Result<Connection>>>;

/// The runtime of a thread that plays one game with guests.
///
/// It has no alarm: it waits for all seats at once, regardless of the one on move.
pub struct GuestRuntime {
    thread: ThreadRuntime,
    invite: Invitation,
}

impl GuestRuntime {
    /// Creates the runtime of this thread, with these guests.
    pub fn for_this_thread(invite: Invitation) -> GuestRuntime {
        GuestRuntime { thread: ThreadRuntime::without_alarm(), invite }
    }

    /// Converts a bot that was started before its game into an occupant at a table with guests.
    pub fn seated(warm: WarmBot<Bot>) -> WarmBot<Occupant<Connection>> {
        let WarmBot { identity, command, quit, overruns, bot, said } = warm;
        WarmBot { identity, command, quit, overruns, bot: Occupant::Bot(Box::new(bot)), said }
    }
}

impl Runtime for GuestRuntime {
    type Bot = Occupant<Connection>;

    fn thread(&self) -> Option<&ThreadRuntime> {
        Some(&self.thread)
    }

    async fn start(&self, command: Command) -> Result<Self::Bot, StartError> {
        match (self.invite)(&command) {
            Some(Ok(guest)) => Ok(Occupant::Guest(guest)),
            Some(Err(error)) => Err(StartError::Host { step: StartStep::Launch, error: error.to_string() }),
            None => self.thread.start(command).await.map(|bot| Occupant::Bot(Box::new(bot))),
        }
    }

    async fn wait_for<'a>(
        &self,
        interests: impl Iterator<Item = Interest<'a, Self::Bot>>,
        at_most: Duration,
    ) -> io::Result<()> {
        let awaited: ArrayVec<_, MAX_INTERESTS> = interests
            .filter_map(|interest| match interest {
                Interest::Output(Occupant::Guest(guest)) => Some((guest.0.as_fd(), PollFlags::IN)),
                Interest::Room(Occupant::Guest(guest)) => Some((guest.0.as_fd(), PollFlags::OUT)),
                Interest::Output(Occupant::Bot(bot)) => Some((bot.stdout.as_fd(), PollFlags::IN)),
                Interest::Room(Occupant::Bot(bot)) => bot.input_fd().map(|input| (input, PollFlags::OUT)),
            })
            .collect();
        wait_for_fds(&awaited, at_most)
    }

    async fn hear(&self, bot: &Self::Bot, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        bot.read_now(buffer)
    }

    async fn wait_for_end(&self, termination: Option<Termination>) -> Leaked {
        match termination {
            Some(termination) => self.thread.wait_for_end(termination).await,
            None => Leaked::default(),
        }
    }
}
