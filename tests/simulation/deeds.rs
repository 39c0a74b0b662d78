//! What the bots of a simulation do: well, or ill, and for what they may be
//! blamed. All of it follows from the seed, the game's id and the seat.

use crate::chance::Chance;

/// What a bot is like from its start on.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Character {
    /// It can be started and introduces itself.
    Usual,
    /// It reads what it is sent little by little.
    SlowReader,
    /// There is no such program.
    NeverStarts,
    /// It ends when it is greeted.
    EndsAtOnce,
    /// It does not answer when it is greeted.
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

/// What a bot does wrong in a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Deed {
    /// Nothing.
    None,
    /// It does not answer `isready`.
    NoReadyOk,
    /// It ends when it is asked whether it is ready.
    EndsBeforeReady,
    /// It closes its output when it is asked whether it is ready.
    ClosesBeforeReady,
    /// Something in place of its answer in this turn, counted from 1.
    InTurn(u32, Crime),
    /// Something after its answer in this turn.
    AfterTurn(u32, Aftermath),
}

/// What a bot does in place of an answer.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Crime {
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
    /// No crime at all, but the end.
    Resigns,
}

/// What a bot does after its answer.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Aftermath {
    Ends,
    Closes,
    /// A second answer in the same write.
    AnotherMove,
    /// A second answer a while later.
    AnotherMoveLater,
    /// More words than it may say while it is not on move.
    Flood,
}

const CRIMES: [Crime; 13] = [
    Crime::Nonsense,
    Crime::Illegal,
    Crime::Malformed,
    Crime::NotText,
    Crime::Ends,
    Crime::EndsInMidLine,
    Crime::Closes,
    Crime::Silent,
    Crime::Late,
    Crime::LongLine,
    Crime::Flood,
    Crime::Stderr,
    Crime::Resigns,
];

const AFTERMATHS: [Aftermath; 5] = [
    Aftermath::Ends,
    Aftermath::Closes,
    Aftermath::AnotherMove,
    Aftermath::AnotherMoveLater,
    Aftermath::Flood,
];

impl Deed {
    pub fn of(seed: u64, id: &str, seat: usize) -> Deed {
        let mut chance = Chance::of(seed, ("deed", id, seat));
        let turn = 1 + chance.below(6) as u32;
        match chance.below(40) {
            0 => Deed::NoReadyOk,
            1 => Deed::EndsBeforeReady,
            2 => Deed::ClosesBeforeReady,
            3..12 => Deed::InTurn(turn, *chance.pick(&CRIMES)),
            12..16 => Deed::AfterTurn(turn, *chance.pick(&AFTERMATHS)),
            _ => Deed::None,
        }
    }
}

/// Something that a bot did for which it may be blamed.
#[derive(Clone, Debug)]
pub struct Guilt {
    /// Which bot.
    pub bot: String,
    /// At which seat; none = wherever it sits.
    pub seat: Option<usize>,
    /// The words of the faults that fit.
    pub words: &'static [&'static str],
    pub proof: Proof,
}

/// Whether the record must tell of it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Proof {
    /// It must.
    Sure,
    /// The game may have ended before anybody noticed, or cared.
    Maybe,
}
