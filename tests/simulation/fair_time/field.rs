//! The bots of a fair-time league: honest ones, and those that must lose on time.

use std::time::Duration;

/// The character of a bot, which is also its name in the league.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Kind {
    /// Needs a percentage of its time for each move.
    Honest(u32),
    /// Hangs in its second turn, using all the CPU it gets.
    Hangs,
    /// Hangs in its second turn, sleeping.
    Sleeps,
    /// Needs a fifth more CPU time than it has, margin included.
    TooSlow,
    /// Hangs in its second turn, with eight threads.
    EightThreads,
    /// Needs a fifth of its time, and uses all of a CPU while others are on move.
    BurnsOutOfTurn,
}

impl Kind {
    pub const ALL: [Kind; 8] = [
        Kind::Honest(20),
        Kind::Honest(45),
        Kind::Honest(80),
        Kind::Hangs,
        Kind::Sleeps,
        Kind::TooSlow,
        Kind::EightThreads,
        Kind::BurnsOutOfTurn,
    ];

    pub fn name(self) -> String {
        match self {
            Kind::Honest(percent) => format!("honest-{percent}"),
            Kind::Hangs => "hangs".to_owned(),
            Kind::Sleeps => "sleeps".to_owned(),
            Kind::TooSlow => "too-slow".to_owned(),
            Kind::EightThreads => "eight-threads".to_owned(),
            Kind::BurnsOutOfTurn => "burns-out-of-turn".to_owned(),
        }
    }

    pub fn of(name: &str) -> Kind {
        *Kind::ALL.iter().find(|kind| kind.name() == name).expect("every bot is one of these")
    }

    /// True if it must not lose on time.
    pub fn is_innocent(self) -> bool {
        match self {
            Kind::Honest(_) | Kind::BurnsOutOfTurn => true,
            Kind::Hangs | Kind::Sleeps | Kind::TooSlow | Kind::EightThreads => false,
        }
    }

    /// The CPU time of its answer in a turn, counted from 1; `None` = no answer.
    pub fn need(self, turn: u32, limit: Duration, margin: Duration) -> Option<Duration> {
        let percent = |percent: u32| limit * percent / 100;
        match self {
            Kind::Honest(own) => Some(percent(own)),
            Kind::BurnsOutOfTurn => Some(percent(20)),
            Kind::TooSlow => Some((limit + margin) * 6 / 5),
            Kind::Hangs | Kind::Sleeps | Kind::EightThreads => (turn < 2).then(|| percent(20)),
        }
    }

    /// The number of threads that think in a turn; 0 = it sleeps.
    pub fn threads(self, turn: u32) -> u32 {
        match self {
            Kind::Sleeps if turn >= 2 => 0,
            Kind::EightThreads if turn >= 2 => 8,
            Kind::Honest(_)
            | Kind::Hangs
            | Kind::Sleeps
            | Kind::TooSlow
            | Kind::EightThreads
            | Kind::BurnsOutOfTurn => 1,
        }
    }
}
