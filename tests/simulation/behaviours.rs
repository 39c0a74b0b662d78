//! The behaviour of the simulated bots, good or bad, and the faults they can be blamed
//! for. All of it follows from the seed, the game's id and the seat.

use crate::chance::Chance;

/// A bot's behaviour from its start on.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Character {
    /// Starts and introduces itself.
    Usual,
    /// Reads its input little by little.
    SlowReader,
    /// Does not exist as a program.
    NeverStarts,
    /// Ends at the greeting.
    EndsAtOnce,
    /// Does not answer the greeting.
    NeverAnswers,
}

impl Character {
    pub fn of(seed: u64, name: &str) -> Character {
        let mut chance = Chance::of(seed, ("character", name));
        match chance.below(40) {
            0 => Character::NeverStarts,
            1 => Character::EndsAtOnce,
            2 => Character::NeverAnswers,
            3..8 => Character::SlowReader,
            _ => Character::Usual,
        }
    }
}

/// A bot's fault in a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Behaviour {
    /// No fault.
    None,
    /// Does not answer `isready`.
    NoReadyOk,
    /// Ends at `isready`.
    EndsBeforeReady,
    /// Closes its output at `isready`.
    ClosesBeforeReady,
    /// Does something else instead of answering in this turn, counted from 1.
    InTurn(u32, Misbehaviour),
    /// Does something after its answer in this turn, counted from 1.
    AfterTurn(u32, Aftermath),
}

/// An act instead of an answer.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Misbehaviour {
    Nonsense,
    Illegal,
    Malformed,
    NotText,
    Ends,
    EndsInMidLine,
    Closes,
    Silent,
    Late,
    LongLine,
    Flood,
    Stderr,
    /// Not a misbehaviour, but ends the game.
    Resigns,
}

/// An act after an answer.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Aftermath {
    Ends,
    Closes,
    /// Prints a second answer in the same write.
    AnotherMove,
    /// Prints a second answer a while later.
    AnotherMoveLater,
    /// Prints more than is allowed while it is not on move.
    Flood,
}

const MISBEHAVIOURS: [Misbehaviour; 13] = [
    Misbehaviour::Nonsense,
    Misbehaviour::Illegal,
    Misbehaviour::Malformed,
    Misbehaviour::NotText,
    Misbehaviour::Ends,
    Misbehaviour::EndsInMidLine,
    Misbehaviour::Closes,
    Misbehaviour::Silent,
    Misbehaviour::Late,
    Misbehaviour::LongLine,
    Misbehaviour::Flood,
    Misbehaviour::Stderr,
    Misbehaviour::Resigns,
];

const AFTERMATHS: [Aftermath; 5] = [
    Aftermath::Ends,
    Aftermath::Closes,
    Aftermath::AnotherMove,
    Aftermath::AnotherMoveLater,
    Aftermath::Flood,
];

impl Behaviour {
    pub fn of(seed: u64, id: &str, seat: usize) -> Behaviour {
        let mut chance = Chance::of(seed, ("deed", id, seat));
        let turn = 1 + chance.below(6) as u32;
        match chance.below(40) {
            0 => Behaviour::NoReadyOk,
            1 => Behaviour::EndsBeforeReady,
            2 => Behaviour::ClosesBeforeReady,
            3..12 => Behaviour::InTurn(turn, *chance.pick(&MISBEHAVIOURS)),
            12..16 => Behaviour::AfterTurn(turn, *chance.pick(&AFTERMATHS)),
            _ => Behaviour::None,
        }
    }
}

/// A bot's act for which it can be blamed.
#[derive(Clone, Debug)]
pub struct Guilt {
    /// The bot's name.
    pub bot: String,
    /// The seat number; `None` = any seat of the bot.
    pub seat: Option<usize>,
    /// The words of the matching faults.
    pub words: &'static [&'static str],
    pub proof: Proof,
}

/// The certainty that the record contains the fault.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Proof {
    /// It must.
    Sure,
    /// The game can end before the fault is noticed.
    Maybe,
}
