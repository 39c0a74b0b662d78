//! The harness of hostile bots: it speaks the protocol as a good bot does, except where the bot chooses otherwise.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use linesman_protocol::{GoLimit, ToBot};

/// A request of the referee.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Request {
    Greet,
    Ready,
    Go,
    Over,
    Quit,
}

/// A hostile bot's end of the protocol. Its good move is the first legal one.
#[derive(Debug)]
pub(crate) struct Harness {
    input: BufReader<File>,
    output: File,
    first_legal: String,
    /// The time limit of the requested move; zero if the move has no limit of its own.
    pub(super) limit: Duration,
}

impl Harness {
    /// Takes the streams with which the program was started.
    pub(super) fn new() -> Harness {
        let owned = |fd: io::Result<OwnedFd>| File::from(fd.expect("a bot is started with its streams open"));
        Harness {
            // The buffer is small, so that the pipe to a bot that does not read fills up.
            input: BufReader::with_capacity(
                4096,
                owned(rustix::io::dup(rustix::stdio::stdin()).map_err(Into::into)),
            ),
            output: owned(rustix::io::dup(rustix::stdio::stdout()).map_err(Into::into)),
            first_legal: String::new(),
            limit: Duration::ZERO,
        }
    }

    /// Writes bytes as they are.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)
    }

    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        self.write(format!("{line}\n").as_bytes())
    }

    /// Reads the next request of the referee; `None` at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<Request>> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.input.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            let request = match ToBot::parse(line.trim_end_matches('\n')) {
                Ok(Some(ToBot::Ugi)) => Request::Greet,
                Ok(Some(ToBot::IsReady)) => Request::Ready,
                Ok(Some(ToBot::Go(going))) => {
                    self.limit = match going {
                        GoLimit::MoveTime(limit) => limit,
                        GoLimit::Clocks(clocks) => clocks.max_move_time.unwrap_or(Duration::ZERO),
                        GoLimit::Work(_) | GoLimit::Infinite => Duration::ZERO,
                    };
                    Request::Go
                }
                Ok(Some(ToBot::GameOver { .. })) => Request::Over,
                Ok(Some(ToBot::Quit)) => Request::Quit,
                Ok(Some(ToBot::Legal(moves))) => {
                    self.first_legal = moves.into_iter().next().unwrap_or_default();
                    continue;
                }
                Ok(Some(
                    ToBot::SetOption { .. }
                    | ToBot::NewGame
                    | ToBot::Game(_)
                    | ToBot::Position(_)
                    | ToBot::State(_)
                    | ToBot::Told { .. }
                    | ToBot::GoPonder(_)
                    | ToBot::PonderHit
                    | ToBot::Stop,
                ))
                | Ok(None)
                | Err(_) => continue,
            };
            return Ok(Some(request));
        }
    }

    /// Answers as a good bot does. Returns false if the bot must exit.
    pub(super) fn answer(&mut self, request: Option<Request>) -> io::Result<bool> {
        match request {
            Some(Request::Greet) => self.say("id name hostile\nid author nobody\nfeature legal\nugiok")?,
            Some(Request::Ready) => self.say("readyok")?,
            Some(Request::Go) => self.play()?,
            Some(Request::Over) => {}
            Some(Request::Quit) | None => return Ok(false),
        }
        Ok(true)
    }

    /// Behaves well until this request, which the caller has to answer. Returns false if the bot must exit
    /// before it.
    pub(super) fn until(&mut self, wanted: Request) -> io::Result<bool> {
        loop {
            let request = self.next()?;
            if request == Some(wanted) {
                return Ok(true);
            }
            if !self.answer(request)? {
                return Ok(false);
            }
        }
    }

    /// Behaves well until the referee asks for a move, then performs this action instead of moving. Returns the exit
    /// status.
    pub(super) fn on_first_turn(
        &mut self,
        action: impl FnOnce(&mut Harness) -> io::Result<u8>,
    ) -> io::Result<u8> {
        if self.until(Request::Go)? { action(self) } else { Ok(0) }
    }

    pub(super) fn play(&mut self) -> io::Result<()> {
        let line = self.good_move();
        self.say(&line)
    }

    /// The line that plays the first legal move.
    pub(super) fn good_move(&self) -> String {
        format!("bestmove {}", self.first_legal)
    }

    /// Behaves well to the end. Returns the exit status.
    pub(super) fn play_on(&mut self) -> io::Result<u8> {
        loop {
            let request = self.next()?;
            if !self.answer(request)? {
                return Ok(0);
            }
        }
    }

    /// Plays the move for which the referee has asked, and behaves well to the end. Returns the exit status.
    pub(super) fn play_from_here(&mut self) -> io::Result<u8> {
        self.play()?;
        self.play_on()
    }

    pub(super) fn close_output(&mut self) -> io::Result<()> {
        self.output = File::options().write(true).open("/dev/null")?;
        super::kernel::close_stream(1)
    }

    pub(super) fn close_input(&mut self) -> io::Result<()> {
        self.input = BufReader::new(File::open("/dev/null")?);
        super::kernel::close_stream(0)
    }
}

/// Plays well, with a slow first move in each game.
pub(super) fn witness(harness: &mut Harness) -> io::Result<u8> {
    let mut is_first = true;
    loop {
        let request = harness.next()?;
        match request {
            Some(Request::Ready) => is_first = true,
            Some(Request::Go) if is_first => {
                is_first = false;
                pause(Duration::from_millis(40));
            }
            Some(Request::Greet | Request::Go | Request::Over | Request::Quit) | None => {}
        }
        if !harness.answer(request)? {
            return Ok(0);
        }
    }
}

/// The time for which a bot hangs, before it ends by itself.
pub(super) const HANG_TIME: Duration = Duration::from_secs(8);

#[expect(clippy::disallowed_methods, reason = "bots that are late have to wait")]
pub(super) fn pause(time: Duration) {
    std::thread::sleep(time);
}

/// Hangs for [`HANG_TIME`]. Returns the exit status.
pub(super) fn hang() -> io::Result<u8> {
    pause(HANG_TIME);
    Ok(0)
}

/// The time since a moment, for bots that run for a limited time.
#[derive(Copy, Clone, Debug)]
pub(super) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "bots that never stop need a hard bound")]
    pub(super) fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    /// True until [`HANG_TIME`] has passed.
    pub(super) fn is_within_hang_time(self) -> bool {
        !self.is_past(HANG_TIME)
    }

    pub(super) fn is_past(self, time: Duration) -> bool {
        self.0.elapsed() >= time
    }
}

/// Maximum wall time for which a bot spins, even if it gets little CPU time on a busy host.
const SPIN_LIMIT: Duration = Duration::from_secs(60);

/// Uses [`HANG_TIME`] of CPU time. If that were wall time, the bot might end by itself on a busy host before it
/// exceeded its limit.
pub(super) fn spin() {
    let used = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
    };
    let (stopwatch, before) = (Stopwatch::start(), used());
    while used().saturating_sub(before) < HANG_TIME && !stopwatch.is_past(SPIN_LIMIT) {
        std::hint::spin_loop();
    }
}
