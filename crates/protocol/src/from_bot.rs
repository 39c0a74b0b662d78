//! The messages from a bot to the referee.

use std::fmt;

use smol_str::SmolStr;

use crate::text::{Words, line_text, printable, push_clean, push_display};
use crate::variation::Variation;
use linesman_types::seat::MAX_SEATS;

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
    /// `feature WORD ...`: the optional parts of the protocol that the bot announces.
    Feature(Vec<String>),
    /// `ugiok`
    UgiOk,
    /// `readyok`
    ReadyOk,
    /// `info ...`
    Info(Said),
    /// `bestmove MOVE` or `bestmove MOVE ponder MOVE ...`
    BestMove {
        /// The move's text.
        mv: SmolStr,
        /// The moves that the bot expects until its next turn, and wants to ponder on; usually none.
        ponder: Variation,
    },
    /// `bestmove resign`
    Resign,
    /// `tell TEXT`
    Tell(String),
    /// A line of unknown meaning, such as one with an unknown verb, or an empty line.
    Unknown,
}

/// An option that a bot offers.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct BotOption {
    /// The name, which can contain blanks.
    pub name: String,
    /// The values that it takes.
    pub kind: OptionType,
}

/// The values that a bot's option takes.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum OptionType {
    /// `check`: `true` or `false`.
    Check {
        /// The default as it was given.
        default: Option<String>,
    },
    /// `spin`: a whole number.
    Spin {
        /// The default, if the bot gave one.
        default: Option<i64>,
        /// The minimum.
        min: Option<i64>,
        /// The maximum.
        max: Option<i64>,
    },
    /// `combo`: one of several words.
    Combo {
        /// The default, if the bot gave one.
        default: Option<String>,
        /// The words.
        values: Vec<String>,
    },
    /// `button`: no value.
    Button,
    /// `string`: any text.
    String {
        /// The default, if the bot gave one.
        default: Option<String>,
    },
}

/// A bot's report on its search: the last value of each kind counts for a move.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Said {
    /// Plies searched.
    pub depth: Option<u32>,
    /// The score in hundredths, from the bot's own point of view.
    pub score_cp: Option<i64>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// The moves that it expects.
    pub pv: Variation,
    /// Free text after `string`.
    pub text: Option<String>,
    /// The bot's own measure of its search time, in milliseconds.
    pub time_ms: Option<u64>,
}

/// A line that breaks the protocol.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("`{line}`: expected {expected}")]
pub struct Malformed {
    /// The line, made printable.
    pub line: String,
    /// A description of a correct line.
    pub expected: String,
}

impl FromBot {
    /// Makes the answer with this move and no moves to ponder on.
    pub fn best_move(mv: impl Into<SmolStr>) -> FromBot {
        FromBot::BestMove { mv: mv.into(), ponder: Variation::default() }
    }

    /// Reads a line without its `\n`; a `\r` at its end is tolerated. The caller
    /// checks that the message is due.
    ///
    /// # Errors
    /// If the line is not UTF-8 text without control characters, or if its verb
    /// is known and the rest can't be read.
    pub fn parse(line: &[u8]) -> Result<FromBot, Malformed> {
        let malformed =
            |expected: &str| Malformed { line: printable(line, 200), expected: expected.to_owned() };
        let text = line_text(line).map_err(malformed)?;
        let mut words = Words::new(text);
        let read = match words.next() {
            Some("bestmove") => match words.next() {
                Some("resign") => Ok(FromBot::Resign),
                Some(mv) => Ok(FromBot::BestMove { mv: mv.into(), ponder: parse_ponder(words) }),
                None => Err("`bestmove MOVE` or `bestmove resign`"),
            },
            Some("info") => Ok(FromBot::Info(Said::parse(words))),
            Some("readyok") => Ok(FromBot::ReadyOk),
            Some("ugiok") => Ok(FromBot::UgiOk),
            Some("id") => parse_id(words),
            Some("protocol") => {
                words.number().filter(|number| *number > 0).map(FromBot::Protocol).ok_or("`protocol 1`")
            }
            Some("option") => parse_option(words),
            Some("feature") => Ok(FromBot::Feature(words.map(str::to_owned).collect())),
            Some("tell") => Ok(FromBot::Tell(words.rest().to_owned())),
            _ => Ok(FromBot::Unknown),
        };
        read.map_err(malformed)
    }

    /// Appends the line, without its `\n`; nothing for [`FromBot::Unknown`].
    pub fn print(&self, line: &mut String) {
        match self {
            FromBot::IdName(name) => push_text(line, "id name ", name),
            FromBot::IdAuthor(author) => push_text(line, "id author ", author),
            FromBot::Protocol(number) => push_display(line, "protocol ", number),
            FromBot::Option(option) => option.print(line),
            FromBot::Feature(features) => {
                line.push_str("feature");
                features.iter().for_each(|feature| push_text(line, " ", feature));
            }
            FromBot::UgiOk => line.push_str("ugiok"),
            FromBot::ReadyOk => line.push_str("readyok"),
            FromBot::Info(said) => said.print(line),
            FromBot::BestMove { mv, ponder } => {
                push_text(line, "bestmove ", mv);
                for (index, mv) in ponder.moves().enumerate() {
                    push_text(line, if index == 0 { " ponder " } else { " " }, mv);
                }
            }
            FromBot::Resign => line.push_str("bestmove resign"),
            FromBot::Tell(text) => push_text(line, "tell ", text),
            FromBot::Unknown => {}
        }
    }
}

impl fmt::Display for FromBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::new();
        self.print(&mut line);
        f.write_str(&line)
    }
}

fn push_text(line: &mut String, before: &str, text: &str) {
    line.push_str(before);
    push_clean(line, text);
}

/// Reads the moves to ponder on: at most one for each other seat.
fn parse_ponder(mut words: Words<'_>) -> Variation {
    match words.any(|word| word == "ponder") {
        true => words.take(MAX_SEATS - 1).collect(),
        false => Variation::default(),
    }
}

fn parse_id(mut words: Words<'_>) -> Result<FromBot, &'static str> {
    const EXPECTED: &str = "`id name TEXT` or `id author TEXT`";
    let make: fn(String) -> FromBot = match words.next() {
        Some("name") => FromBot::IdName,
        Some("author") => FromBot::IdAuthor,
        Some(_) => return Ok(FromBot::Unknown),
        None => return Err(EXPECTED),
    };
    let text = words.rest();
    if text.is_empty() { Err(EXPECTED) } else { Ok(make(text.to_owned())) }
}

fn parse_option(mut words: Words<'_>) -> Result<FromBot, &'static str> {
    const EXPECTED: &str = "`option name NAME type TYPE ...`";
    if words.next() != Some("name") {
        return Err(EXPECTED);
    }
    let name = words.until(|word| word == "type");
    words.next();
    if name.is_empty() {
        return Err(EXPECTED);
    }
    let kind = match words.next() {
        Some("check") => OptionType::Check { default: value_of(words, "default") },
        Some("spin") => parse_spin(words)?,
        Some("combo") => parse_combo(words),
        Some("button") => OptionType::Button,
        Some("string") => {
            let has_default = words.by_ref().any(|word| word == "default");
            OptionType::String { default: has_default.then(|| words.rest().to_owned()) }
        }
        // A type from a later version of the protocol.
        Some(_) => return Ok(FromBot::Unknown),
        None => return Err(EXPECTED),
    };
    Ok(FromBot::Option(BotOption { name, kind }))
}

/// Returns the word that follows `key`.
fn value_of(mut words: Words<'_>, key: &str) -> Option<String> {
    words.by_ref().find(|word| *word == key)?;
    words.next().map(str::to_owned)
}

fn parse_spin(words: Words<'_>) -> Result<OptionType, &'static str> {
    let number = |key| match value_of(words.clone(), key) {
        None => Ok(None),
        Some(text) => {
            text.parse().map(Some).map_err(|_| "`option name NAME type spin default N min N max N`")
        }
    };
    Ok(OptionType::Spin { default: number("default")?, min: number("min")?, max: number("max")? })
}

fn parse_combo(mut words: Words<'_>) -> OptionType {
    let ends = |word: &str| matches!(word, "default" | "var");
    let (mut default, mut values) = (None, Vec::new());
    while let Some(word) = words.next() {
        match word {
            "default" => default = Some(words.until(ends)),
            "var" => values.push(words.until(ends)),
            _ => {}
        }
    }
    OptionType::Combo { default, values }
}

impl BotOption {
    fn print(&self, line: &mut String) {
        push_text(line, "option name ", &self.name);
        let text_default = |line: &mut String, default: &Option<String>| {
            if let Some(default) = default {
                push_text(line, " default ", default);
            }
        };
        match &self.kind {
            OptionType::Check { default } => {
                line.push_str(" type check");
                text_default(line, default);
            }
            OptionType::Spin { default, min, max } => {
                line.push_str(" type spin");
                for (key, number) in [(" default ", default), (" min ", min), (" max ", max)] {
                    number.iter().for_each(|number| push_display(line, key, number));
                }
            }
            OptionType::Combo { default, values } => {
                line.push_str(" type combo");
                text_default(line, default);
                values.iter().for_each(|value| push_text(line, " var ", value));
            }
            OptionType::Button => line.push_str(" type button"),
            OptionType::String { default } => {
                line.push_str(" type string");
                text_default(line, default);
            }
        }
    }
}

impl Said {
    /// Reads the words after `info`, and skips unknown and unreadable ones.
    fn parse(mut words: Words<'_>) -> Said {
        let mut said = Said::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => said.depth = words.number(),
                "nodes" => said.nodes = words.number(),
                "time" => said.time_ms = words.number(),
                "cp" => said.score_cp = words.number(),
                "pv" => {
                    let line = words.until(|word| word == "string");
                    said.pv = Words::new(&line).collect();
                }
                "string" => {
                    said.text = Some(words.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        said
    }

    fn print(&self, line: &mut String) {
        line.push_str("info");
        self.depth.iter().for_each(|depth| push_display(line, " depth ", depth));
        self.score_cp.iter().for_each(|score| push_display(line, " score cp ", score));
        self.nodes.iter().for_each(|nodes| push_display(line, " nodes ", nodes));
        self.time_ms.iter().for_each(|time| push_display(line, " time ", time));
        if !self.pv.is_empty() {
            line.push_str(" pv");
            self.pv.moves().for_each(|mv| push_text(line, " ", mv));
        }
        self.text.iter().for_each(|text| push_text(line, " string ", text));
    }

    /// Takes over the values of a later `info`, and keeps those that it leaves out.
    pub fn update(&mut self, later: Said) {
        self.depth = later.depth.or(self.depth);
        self.score_cp = later.score_cp.or(self.score_cp);
        self.nodes = later.nodes.or(self.nodes);
        self.time_ms = later.time_ms.or(self.time_ms);
        if !later.pv.is_empty() {
            self.pv = later.pv;
        }
        if later.text.is_some() {
            self.text = later.text;
        }
    }

    /// Returns true if nothing was reported.
    pub fn is_empty(&self) -> bool {
        *self == Said::default()
    }
}
