//! Bots that do what no bot should, each with its expected endings.
//!
//! They are part of the program (`linesman bot hostile NAME`), so that the referee can be tested on any host without
//! an interpreter. Each file has one family of bots. A bot that could do harm beyond its own process limits itself to
//! few processes, little memory and a few seconds. A bot that could do irreversible harm only tests whether it could,
//! unless the sandbox prevents it.

mod attempt;
mod bombs;
mod cpu;
mod ending;
mod environment;
mod files;
mod flooding;
mod harness;
mod inherited;
mod kernel;
mod memory;
mod moves;
mod network;
mod privileges;
mod processes;
mod signals;
mod silent;
mod starting;
mod streams;
mod texts;
mod tree;
mod words;

use std::io;
use std::time::Duration;

use linesman_sandbox::isolation::Sandbox;
use linesman_types::verdict::{FaultKind, Limit};

pub use attempt::Attempt;
pub(crate) use attempt::{Reach, SUCCEEDED};
use harness::Harness;

/// The name of the good bot that plays in the leagues of hostile ones.
pub const WITNESS: &str = "witness";

/// Plays well. The first move of each game is slow, so that the game can be watched. Returns the exit status.
pub fn witness() -> u8 {
    harness::witness(&mut Harness::new()).unwrap_or(1)
}

/// All hostile bots, by family.
pub const HOSTILE: &[(&str, &[HostileBot])] = &[
    ("starting", starting::BOTS),
    ("ending", ending::BOTS),
    ("silent", silent::BOTS),
    ("flooding", flooding::BOTS),
    ("words", words::BOTS),
    ("moves", moves::BOTS),
    ("streams", streams::BOTS),
    ("tree", tree::BOTS),
    ("bombs", bombs::BOTS),
    ("memory", memory::BOTS),
    ("files", files::BOTS),
    ("network", network::BOTS),
    ("processes", processes::BOTS),
    ("signals", signals::BOTS),
    ("privileges", privileges::BOTS),
    ("cpu", cpu::BOTS),
    ("surroundings", inherited::BOTS),
    ("texts", texts::BOTS),
];

/// All hostile bots, in the order of [`HOSTILE`].
pub fn all() -> impl Iterator<Item = &'static HostileBot> {
    HOSTILE.iter().flat_map(|(_, bots)| bots.iter())
}

/// The sandbox settings that work on every host, from the weakest. `strict` does not, so the suite uses `auto`.
pub const SETTINGS: [Sandbox; 3] = [Sandbox::Off, Sandbox::Portable, Sandbox::Auto];

/// An expected ending of a game for a hostile bot.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) enum ExpectedEnding {
    /// Its league is refused.
    Refused,
    /// The bot plays to the end without a fault.
    Plays,
    /// The bot commits a fault of this kind.
    Fails(FaultKind),
    /// The bot exceeds this limit.
    Exceeds(Limit),
    /// The bot crashes with this exit status.
    Exits(i32),
    /// The bot is terminated by this signal.
    Dies(i32),
}

#[derive(Copy, Clone, Debug)]
pub(crate) enum Behaviour {
    /// Plays by this function, which returns the exit status.
    Program(fn(&mut Harness) -> io::Result<u8>),
    /// Plays well, and makes these attempts in its first turn.
    Attempts(&'static [Attempt]),
    /// Calls this function in its scratch folder in its first turn.
    Fills(fn(&mut Vec<std::fs::File>) -> io::Result<()>),
    /// A file that is started instead of a program.
    File {
        /// The content of the file; `None` for a folder.
        content: Option<&'static [u8]>,
        mode: u32,
    },
    /// A program that does not exist.
    Missing,
}

/// The load that a bot puts on the machine.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(crate) enum Weight {
    /// Next to nothing: many bots can be tried at once.
    Light,
    /// CPU or memory: few bots are tried at once.
    Heavy,
}

/// A hostile bot with its expected endings.
#[derive(Copy, Clone, Debug)]
pub struct HostileBot {
    /// The bot's name on the command line.
    pub name: &'static str,
    /// A sentence on what the bot does, for lists of bots.
    pub does: &'static str,
    /// The code that runs, or the file that is started, as this bot.
    pub(crate) behaviour: Behaviour,
    /// The expected endings, any of which can occur.
    pub(crate) expected: &'static [ExpectedEnding],
    /// The endings that are expected instead with this sandbox setting or a stronger one.
    pub(crate) expected_sandboxed: Option<(Sandbox, &'static [ExpectedEnding])>,
    pub(crate) weight: Weight,
    pub(crate) movetime: Duration,
    /// The file that the bot leaves in its folder, and the weakest sandbox setting that prevents it.
    pub(crate) litter: Option<(Sandbox, &'static str)>,
    pub(crate) has_scratch: bool,
}

const PLAYS: &[ExpectedEnding] = &[ExpectedEnding::Plays];
const PROTOCOL: &[ExpectedEnding] = &[ExpectedEnding::Fails(FaultKind::Protocol)];
const TIME: &[ExpectedEnding] = &[ExpectedEnding::Fails(FaultKind::Time)];

/// The time for a move, unless a bot needs more.
const MOVETIME: Duration = Duration::from_millis(200);

impl HostileBot {
    pub(crate) const fn new(
        name: &'static str,
        does: &'static str,
        behaviour: Behaviour,
        expected: &'static [ExpectedEnding],
    ) -> HostileBot {
        HostileBot {
            name,
            does,
            behaviour,
            expected,
            expected_sandboxed: None,
            weight: Weight::Light,
            movetime: MOVETIME,
            litter: None,
            has_scratch: false,
        }
    }

    const fn program(
        name: &'static str,
        does: &'static str,
        expected: &'static [ExpectedEnding],
        play: fn(&mut Harness) -> io::Result<u8>,
    ) -> HostileBot {
        HostileBot::new(name, does, Behaviour::Program(play), expected)
    }

    const fn attempts(name: &'static str, does: &'static str, attempts: &'static [Attempt]) -> HostileBot {
        // Each attempt takes a process.
        HostileBot::new(name, does, Behaviour::Attempts(attempts), PLAYS).within(5_000)
    }

    const fn sandboxed(mut self, setting: Sandbox, expected: &'static [ExpectedEnding]) -> HostileBot {
        self.expected_sandboxed = Some((setting, expected));
        self
    }

    const fn heavy(mut self) -> HostileBot {
        self.weight = Weight::Heavy;
        self
    }

    pub(crate) const fn within(mut self, milliseconds: u64) -> HostileBot {
        self.movetime = Duration::from_millis(milliseconds);
        self
    }

    pub(crate) fn expected_in(&self, setting: Sandbox) -> &'static [ExpectedEnding] {
        match self.expected_sandboxed {
            Some((from, expected)) if setting >= from => expected,
            _ => self.expected,
        }
    }

    pub fn attempted(&self) -> &'static [Attempt] {
        match self.behaviour {
            Behaviour::Attempts(attempts) => attempts,
            Behaviour::Program(_) | Behaviour::Fills(_) | Behaviour::File { .. } | Behaviour::Missing => &[],
        }
    }

    /// True if the bot is a part of this program.
    pub fn is_built_in(&self) -> bool {
        matches!(self.behaviour, Behaviour::Program(_) | Behaviour::Attempts(_) | Behaviour::Fills(_))
    }

    /// Plays the bot and returns its exit status. The bot ends if its streams are closed.
    pub fn perform(&self) -> u8 {
        let mut harness = Harness::new();
        let result = match self.behaviour {
            Behaviour::Program(play) => play(&mut harness),
            Behaviour::Attempts(attempts) => attempt::perform(&mut harness, attempts),
            Behaviour::Fills(fill) => files::fill(&mut harness, fill),
            Behaviour::File { .. } | Behaviour::Missing => Ok(127),
        };
        result.unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_bot_has_a_unique_name_a_sentence_and_an_expected_ending() {
        let mut names = BTreeSet::new();
        for bot in all() {
            assert!(names.insert(bot.name), "{} is there twice", bot.name);
            assert!(bot.name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')));
            assert!(bot.name.len() <= 40, "a tournament file takes no longer names: {}", bot.name);
            assert!(!bot.does.is_empty() && !bot.expected.is_empty(), "{}", bot.name);
            for setting in SETTINGS {
                assert!(!bot.expected_in(setting).is_empty(), "{}", bot.name);
            }
        }
    }

    #[test]
    fn reports_of_attempts_fit_into_the_kept_length_of_a_message() {
        for bot in all() {
            let names: usize = bot.attempted().iter().map(|attempt| attempt.name.len() + 1).sum();
            assert!(names < 450, "{}", bot.name);
        }
    }
}
