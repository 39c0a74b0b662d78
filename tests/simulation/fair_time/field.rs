//! The bots of a fair-time league: honest ones, and those that must be convicted.

use std::time::Duration;

/// The character of a bot. Its name in the league says so.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Kind {
    /// Needs so many hundredths of its time for each move.
    Honest(u32),
    /// Never answers in its second turn, and uses all the CPU that it gets.
    Hangs,
    /// Never answers in its second turn, and sleeps.
    Sleeps,
    /// Needs a fifth more CPU time than it has, margin included.
    TooSlow,
    /// Hangs with eight threads.
    EightThreads,
    /// Needs a fifth of its time, and uses a CPU all the time while others are on move.
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

    /// True if it does nothing for which it may lose on time.
    pub fn is_innocent(self) -> bool {
        match self {
            Kind::Honest(_) | Kind::BurnsOutOfTurn => true,
            Kind::Hangs | Kind::Sleeps | Kind::TooSlow | Kind::EightThreads => false,
        }
    }

    /// The CPU time that its answer takes in this turn, counted from 1; none = no answer comes.
    pub fn need(self, turn: u32, limit: Duration, margin: Duration) -> Option<Duration> {
        let percent = |percent: u32| limit * percent / 100;
        match self {
            Kind::Honest(own) => Some(percent(own)),
            Kind::BurnsOutOfTurn => Some(percent(20)),
            Kind::TooSlow => Some((limit + margin) * 6 / 5),
            Kind::Hangs | Kind::Sleeps | Kind::EightThreads => (turn < 2).then(|| percent(20)),
        }
    }

    /// Number of threads that think in this turn; 0 = it sleeps.
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
