//! Bots that do what no bot should, each with its right verdicts.
//!
//! They are part of the program, so that the referee can be tried on any host
//! without an interpreter: `linesman bot hostile NAME`. Each file has a family
//! of them. A bot that could do harm beyond its own process bounds itself: few
//! processes, little memory, some seconds. Harm that could not be undone is only
//! tested for, and never done where no layer prevents it.

mod attempt;
mod bombs;
mod cpu;
mod ending;
pub(crate) mod environment;
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

pub use attempt::{Attempt, DONE, Reach};
use harness::Harness;

/// The name of the good bot that plays beside the hostile ones.
pub const WITNESS: &str = "witness";

/// Plays well, and slowly in its first move of each game, so that the game can
/// be watched; returns the exit status.
pub fn witness() -> u8 {
    harness::witness(&mut Harness::new()).unwrap_or(1)
}

/// All hostile bots, family by family.
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

/// Every hostile bot, in the order of the table.
pub fn all() -> impl Iterator<Item = &'static HostileBot> {
    HOSTILE.iter().flat_map(|(_, bots)| bots.iter())
}

/// The layers that every host has, the weakest first. Not every host has `strict`, so the suite asks for `auto`.
pub const LAYERS: [Sandbox; 3] = [Sandbox::Off, Sandbox::Portable, Sandbox::Auto];

/// An ending of a game for a hostile bot.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum ExpectedEnding {
    /// Its league is refused with the reason.
    Refused,
    /// It plays to the end without a fault.
    Plays,
    /// It fails, and the record has this word for it.
    Fails(&'static str),
    /// It fails by a limit of this name.
    Exceeds(&'static str),
    /// It crashes with this exit status.
    Exits(i32),
    /// It crashes by this signal.
    Dies(i32),
}

/// The behaviour of a hostile bot.
#[derive(Copy, Clone, Debug)]
pub enum Behaviour {
    /// A program that talks to the referee; returns its exit status.
    Program(fn(&mut Harness) -> io::Result<u8>),
    /// A bot that plays well and tries these things in its first turn.
    Attempts(&'static [Attempt]),
    /// A program that does this in its scratch folder in its first turn.
    Fills(fn(&mut Vec<std::fs::File>) -> io::Result<()>),
    /// A file that is started in place of a program.
    File {
        /// Its content; `None` for a folder.
        content: Option<&'static [u8]>,
        /// Its permissions.
        mode: u32,
    },
    /// A program that does not exist.
    Missing,
}

/// The load on the machine while a bot misbehaves.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Weight {
    /// Next to nothing: many can be tried at once.
    Light,
    /// CPU or memory: few are tried at once.
    Heavy,
}

/// A hostile bot with its right verdicts.
#[derive(Copy, Clone, Debug)]
pub struct HostileBot {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its behaviour, in a sentence.
    pub does: &'static str,
    /// The behaviour.
    pub behaviour: Behaviour,
    /// The right verdicts, any of them.
    pub outcomes: &'static [ExpectedEnding],
    /// From this layer on, these are the right ones.
    pub held: Option<(Sandbox, &'static [ExpectedEnding])>,
    /// The load on the machine.
    pub weight: Weight,
    /// The time that it has for a move.
    pub movetime: Duration,
    /// Below this layer it leaves a file of this name in its folder, and nothing keeps it from that.
    pub litter: Option<(Sandbox, &'static str)>,
    /// True if it has a scratch folder.
    pub has_scratch: bool,
}

/// The time for a move of a bot that needs no more.
const MOVETIME: Duration = Duration::from_millis(200);

impl HostileBot {
    pub(crate) const fn new(
        name: &'static str,
        does: &'static str,
        behaviour: Behaviour,
        outcomes: &'static [ExpectedEnding],
    ) -> HostileBot {
        HostileBot {
            name,
            does,
            behaviour,
            outcomes,
            held: None,
            weight: Weight::Light,
            movetime: MOVETIME,
            litter: None,
            has_scratch: false,
        }
    }

    const fn program(
        name: &'static str,
        does: &'static str,
        outcomes: &'static [ExpectedEnding],
        play: fn(&mut Harness) -> io::Result<u8>,
    ) -> HostileBot {
        HostileBot::new(name, does, Behaviour::Program(play), outcomes)
    }

    const fn attempts(name: &'static str, does: &'static str, attempts: &'static [Attempt]) -> HostileBot {
        // Trying takes a process for each attempt.
        HostileBot::new(name, does, Behaviour::Attempts(attempts), &[ExpectedEnding::Plays]).within(5_000)
    }

    const fn from(mut self, layer: Sandbox, outcomes: &'static [ExpectedEnding]) -> HostileBot {
        self.held = Some((layer, outcomes));
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

    /// The right verdicts in a layer.
    pub fn right(&self, layer: Sandbox) -> &'static [ExpectedEnding] {
        match self.held {
            Some((from, outcomes)) if layer >= from => outcomes,
            _ => self.outcomes,
        }
    }

    /// The attempts that a layer must refuse.
    pub fn attempted(&self) -> &'static [Attempt] {
        match self.behaviour {
            Behaviour::Attempts(attempts) => attempts,
            Behaviour::Program(_) | Behaviour::Fills(_) | Behaviour::File { .. } | Behaviour::Missing => &[],
        }
    }

    /// True if it is a part of this program, and not just a file to be started.
    pub fn is_program(&self) -> bool {
        matches!(self.behaviour, Behaviour::Program(_) | Behaviour::Attempts(_) | Behaviour::Fills(_))
    }

    /// Plays the bot and returns its exit status. A bot whose streams are closed ends.
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
    fn every_bot_has_a_name_of_its_own_a_sentence_and_a_verdict() {
        let mut names = BTreeSet::new();
        for bot in all() {
            assert!(names.insert(bot.name), "{} is there twice", bot.name);
            assert!(bot.name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')));
            assert!(bot.name.len() <= 40, "a tournament file takes no longer names: {}", bot.name);
            assert!(!bot.does.is_empty() && !bot.outcomes.is_empty(), "{}", bot.name);
            for layer in LAYERS {
                assert!(!bot.right(layer).is_empty(), "{}", bot.name);
            }
        }
    }

    #[test]
    fn attempts_fit_into_what_is_kept_of_a_bots_words() {
        for bot in all() {
            let names: usize = bot.attempted().iter().map(|attempt| attempt.name.len() + 1).sum();
            assert!(names < 450, "{}", bot.name);
        }
    }
}
