//! The handshake: a bot's messages between `ugi` and `ugiok`.

use linesman_protocol::{BotOption, FromBot};
use linesman_types::time_control::Work;
use linesman_types::verdict::{ExitStatus, Fault};

/// Number of characters of a wrong line that are kept.
pub(super) const STRAY_CHARACTERS: usize = 200;

/// A bot's introduction at its handshake.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Introduction {
    /// `id name`
    pub name: Option<String>,
    /// `id author`
    pub author: Option<String>,
    /// The protocol's version.
    pub protocol: u32,
    /// True if it asked for the `state` line.
    pub wants_state: bool,
    /// True if it asked for the `legal` line.
    pub wants_legal: bool,
    /// True if it understands `go nodes`.
    pub counts_nodes: bool,
    /// True if it understands `go depth`.
    pub counts_depth: bool,
    /// True if it understands `go ponder`, `ponderhit` and `stop`.
    pub ponders: bool,
    /// The options that it offers.
    pub options: Vec<BotOption>,
}

/// The meaning of a message between `ugi` and `ugiok`.
#[derive(Clone, PartialEq, Debug)]
pub enum HandshakeStep {
    /// It belongs to the introduction, which continues.
    Continues,
    /// The introduction is complete.
    Introduced,
    /// The introduction is complete, and the bot can't play.
    Failed(Fault),
    /// It is an answer, but there was no `go`.
    Unasked,
    /// It does not belong to the handshake and is ignored.
    Ignored(FromBot),
}

impl Introduction {
    /// Takes a message between `ugi` and `ugiok`. `work` is the limit of a bot whose time control is a work limit.
    pub fn take(&mut self, message: FromBot, work: Option<Work>) -> HandshakeStep {
        let short = |text: String| Some(text.chars().take(STRAY_CHARACTERS).collect());
        match message {
            FromBot::IdName(name) => self.name = short(name),
            FromBot::IdAuthor(author) => self.author = short(author),
            FromBot::Protocol(version) => self.protocol = version,
            FromBot::Option(option) => self.options.push(option),
            FromBot::Feature(features) => self.add_features(&features),
            FromBot::UgiOk => {
                let counts = |work: &Work| match work {
                    Work::Nodes(_) => self.counts_nodes,
                    Work::Depth(_) => self.counts_depth,
                };
                let Some(work) = work.filter(|work| !counts(work)) else {
                    return HandshakeStep::Introduced;
                };
                let word = work.word();
                let error =
                    format!("it did not announce `feature {word}`, so it can't be sent `go {word} N`");
                let fault = Fault::NotStarted { error, status: None, stderr_tail: String::new() };
                return HandshakeStep::Failed(fault);
            }
            FromBot::BestMove { .. } | FromBot::Resign => return HandshakeStep::Unasked,
            FromBot::ReadyOk | FromBot::Info(_) | FromBot::Tell(_) | FromBot::Unknown => {
                return HandshakeStep::Ignored(message);
            }
        }
        HandshakeStep::Continues
    }

    fn add_features(&mut self, features: &[String]) {
        let has = |word: &str| features.iter().any(|feature| feature == word);
        self.wants_state |= has("state");
        self.wants_legal |= has("legal");
        let [nodes, depth] = Work::WORDS;
        self.counts_nodes |= has(nodes);
        self.counts_depth |= has(depth);
        self.ponders |= has("ponder");
    }
}

/// Returns the fault of a bot whose process ended before it had sent `answer`, which is `ugiok` or `readyok`. A status
/// of `None` is not mentioned.
pub fn ended_before(answer: &str, status: Option<ExitStatus>, stderr_tail: String) -> Fault {
    let with_status = status.map(|status| format!(" with {status}")).unwrap_or_default();
    let error = format!("it ended before `{answer}`{with_status}");
    Fault::NotStarted { error, status: status.filter(|status| *status != ExitStatus::Unknown), stderr_tail }
}
