//! The kinds of faults, as tables count them.

use std::cmp::Ordering;
use std::fmt;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $word:literal;)+) => {
        /// The kind of a fault.
        ///
        /// ```
        /// use linesman_types::verdict::FaultKind;
        ///
        /// assert_eq!(FaultKind::from_word("illegal_move"), FaultKind::IllegalMove);
        /// assert_eq!(FaultKind::from_word("bored").word(), "bored");
        /// ```
        #[derive(Clone, Eq, PartialEq, Hash, Debug)]
        pub enum FaultKind {
            $($(#[$doc])* $kind,)+
            /// Its move was late only because the host was overloaded, but it still lost on time.
            Overload,
            /// A kind from a later version, by its word.
            Other(String),
        }

        impl FaultKind {
            /// The kinds of a bot's own faults, in the order in which tables list them.
            pub const OWN: [FaultKind; FaultKind::WORDS.len()] = [$(FaultKind::$kind),+];

            /// The words of [`FaultKind::OWN`].
            pub const WORDS: [&'static str; [$($word),+].len()] = [$($word),+];

            /// The word in tables, and in records unless it is [`FaultKind::Overload`].
            pub fn word(&self) -> &str {
                match self {
                    $(FaultKind::$kind => $word,)+
                    FaultKind::Overload => FaultKind::OVERLOAD,
                    FaultKind::Other(word) => word,
                }
            }
        }
    };
}

kinds! {
    /// The bot could not be started, or ended before its first `readyok`.
    NotStarted = "not_started";
    /// It did not answer in time before its first move.
    NotReady = "not_ready";
    /// Its move was late or missing.
    Time = "time";
    /// Its process ended during the game.
    Crash = "crash";
    /// It closed its output but kept running.
    ClosedOutput = "closed_output";
    /// It played a move that the rules forbid.
    IllegalMove = "illegal_move";
    /// Its answer is not a move.
    NotAMove = "not_a_move";
    /// It broke the protocol.
    Protocol = "protocol";
    /// It exceeded a limit.
    Limit = "limit";
}

impl FaultKind {
    /// The word for an overload in tables, apart from the bot's own faults.
    pub const OVERLOAD: &'static str = "overload";

    /// Finds the kind with this word.
    pub fn from_word(word: &str) -> FaultKind {
        let mut known = FaultKind::OWN.into_iter().chain([FaultKind::Overload]);
        known.find(|kind| kind.word() == word).unwrap_or_else(|| FaultKind::Other(word.to_owned()))
    }

    /// Returns the index in [`FaultKind::OWN`].
    pub fn own_index(&self) -> Option<usize> {
        FaultKind::OWN.iter().position(|kind| kind == self)
    }
}

/// The order of the words, as in lists of all kinds.
impl Ord for FaultKind {
    fn cmp(&self, other: &FaultKind) -> Ordering {
        self.word().cmp(other.word())
    }
}

impl PartialOrd for FaultKind {
    fn partial_cmp(&self, other: &FaultKind) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
