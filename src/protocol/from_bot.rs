//! What a bot says to the referee.

/// A message from a bot to the referee.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum FromBot {
    /// `id name TEXT`
    IdName(String),
    /// `id author TEXT`
    IdAuthor(String),
    /// `protocol N`: the version that the bot speaks.
    Protocol(u32),
    /// `option name NAME type TYPE ...`
    Option(BotOption),
    /// `feature WORD ...`: which extra lines the bot asks for.
    Feature(Vec<String>),
    /// `ugiok`
    UgiOk,
    /// `readyok`
    ReadyOk,
    /// `info ...`
    Info(Said),
    /// `bestmove MOVE`, the move as it stands there.
    BestMove(String),
    /// `bestmove resign`
    Resign,
    /// `tell TEXT`
    Tell(String),
    /// A line whose verb means nothing, or an empty one.
    Unknown,
}

/// An option that a bot offers.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct BotOption {
    /// Its name, which may hold blanks.
    pub name: String,
    /// What values it takes.
    pub kind: OptionType,
}

/// What values a bot's option takes.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum OptionType {
    /// `check`: `true` or `false`.
    Check {
        /// The default as it was given.
        default: Option<String>,
    },
    /// `spin`: a whole number.
    Spin {
        /// The default.
        default: Option<i64>,
        /// The least value.
        min: Option<i64>,
        /// The greatest value.
        max: Option<i64>,
    },
    /// `combo`: one of several words.
    Combo {
        /// The default.
        default: Option<String>,
        /// The words.
        values: Vec<String>,
    },
    /// `button`: no value.
    Button,
    /// `string`: any text.
    String {
        /// The default.
        default: Option<String>,
    },
}

/// What a bot says of its search: the last value of each kind counts for a move.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Said {
    /// Plies searched.
    pub depth: Option<u32>,
    /// The score in hundredths, from the bot's own point of view.
    pub score_cp: Option<i64>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// The line that it expects.
    pub pv: Vec<String>,
    /// Free text after `string`.
    pub text: Option<String>,
}

/// A line that breaks the protocol.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("`{line}`: expected {expected}")]
pub struct Malformed {
    /// The line, made printable.
    pub line: String,
    /// What would have been right.
    pub expected: String,
}
