//! The bots of a tournament file.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::Range;
use std::time::Duration;

use toml::Spanned;
use toml::de::DeValue;

use super::diagnostics::Diagnostic;
use super::parse::Context;
use super::reader::{BOTS, LIMITS, Reader, Section};
use super::tournament::{Bot, Limits};

/// The longest name of a bot or a team, in characters.
pub const LONGEST_NAME: usize = 40;

/// Reads all `[[bots]]`, each with the place of its heading.
pub(super) fn bots(
    reader: &mut Reader,
    top: Section<'_>,
    common: &Limits,
    context: &Context,
) -> Vec<(Bot, Range<usize>)> {
    let Some(value) = top.get("bots") else {
        let mistake = Diagnostic::new("`bots` is missing");
        let hint = "add at least two bots, each with the heading `[[bots]]`, then `name = \"greedy\"` \
                    and `command = \"linesman bot greedy\"`";
        reader.missing(&["bots"], mistake.hint(hint));
        return Vec::new();
    };
    let DeValue::Array(entries) = value.get_ref() else {
        reader.wrong_type("bots", "an array of tables, each under a `[[bots]]` heading", value);
        return Vec::new();
    };
    let mut bots = Vec::new();
    let mut names: BTreeMap<String, Range<usize>> = BTreeMap::new();
    for entry in entries {
        let DeValue::Table(table) = entry.get_ref() else {
            reader.wrong_type("bots", "an array of tables, each under a `[[bots]]` heading", entry);
            continue;
        };
        let section = Section { keys: &BOTS, table };
        let bot = bot(reader, section, entry.span(), &mut names, common, context);
        bots.extend(bot.map(|bot| (bot, entry.span())));
    }
    check_former_names(reader, &bots);
    bots
}

/// Refuses former names that would make two bots one.
fn check_former_names(reader: &mut Reader, bots: &[(Bot, Range<usize>)]) {
    let mut seen: BTreeMap<&str, Range<usize>> = BTreeMap::new();
    for (bot, heading) in bots {
        let Some(was) = bot.was.as_deref() else { continue };
        let span = reader.spans.find(&format!("bots.{}.was", bot.name)).unwrap_or_else(|| heading.clone());
        let mistake = Diagnostic::new(format!("bot `{}` can't have `was = \"{was}\"`", bot.name));
        if let Some((other, heading)) = bots.iter().find(|(other, _)| other.name == was) {
            let label = if other.name == bot.name { "its current name" } else { "another bot has this name" };
            reader.push(mistake.at(span, label).at(heading.clone(), "this one"));
        } else if let Some(first) = seen.get(was) {
            reader.push(mistake.at(span, "second use").at(first.clone(), "first use"));
        } else {
            seen.insert(was, span);
        }
    }
}

fn bot(
    reader: &mut Reader,
    section: Section<'_>,
    heading: Range<usize>,
    names: &mut BTreeMap<String, Range<usize>>,
    common: &Limits,
    context: &Context,
) -> Option<Bot> {
    reader.check_keys(section);
    let name = name(reader, section, &heading, names, "bot");
    let command = command(reader, section, &heading);
    let place = format!("bots.{}", name.as_deref().unwrap_or("?"));
    reader.spans.insert(place.clone(), heading);
    for key in ["name", "was", "command", "dir", "read", "scratch", "env", "options", "threads", "elo"] {
        if let Some(value) = section.get(key) {
            reader.spans.insert(format!("{place}.{key}"), value.span());
        }
    }
    let was = reader.string(section, "was").map(|was| (*was.get_ref()).to_owned());
    let dir = reader.string(section, "dir").map(|dir| (*dir.get_ref()).to_owned());
    let read = reader.strings(section, "read");
    let scratch = reader.size(section, "scratch").map(Spanned::into_inner);
    let environment = environment(reader, section);
    let options = reader.texts(section, "options");
    let options = options.into_iter().map(|option| (option.name.to_owned(), option.text)).collect();
    let limits = limits(reader, section, common, &place);
    let threads = reader.integer(section, "threads", 1..=4096).map_or(1, |threads| *threads.get_ref());
    Some(Bot {
        name: name?,
        was,
        command: command?,
        folder: dir.as_ref().map_or_else(|| context.folder.clone(), |dir| context.folder.join(dir)),
        dir,
        read,
        scratch,
        environment,
        options,
        limits,
        elo: elo(reader, section),
        threads: u32::try_from(threads).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN),
    })
}

/// Reads the rating that a bot or a team has before the tournament.
pub(super) fn elo(reader: &mut Reader, section: Section<'_>) -> Option<i32> {
    reader.integer(section, "elo", -9_999..=9_999).and_then(|elo| i32::try_from(elo.into_inner()).ok())
}

/// Reads the name of a bot or a team, `what` says of which.
pub(super) fn name(
    reader: &mut Reader,
    section: Section<'_>,
    heading: &Range<usize>,
    names: &mut BTreeMap<String, Range<usize>>,
    what: &str,
) -> Option<String> {
    if section.get("name").is_none() {
        let mistake =
            Diagnostic::new(format!("a {what} has no `name`")).at(heading.clone(), format!("this {what}"));
        reader.missing(&["name"], mistake.hint("add `name = \"greedy\"` below the heading"));
    }
    let name = reader.string(section, "name")?;
    let text = *name.get_ref();
    if let Err(label) = check_name(text) {
        reader.push(
            Diagnostic::new(format!("a {what} can't be named `{}`", text.escape_debug()))
                .at(name.span(), label),
        );
    }
    if let Some(first) = names.get(text) {
        let mistake = Diagnostic::new(format!("two {what}s are named `{text}`"));
        reader.push(mistake.at(name.span(), "the second").at(first.clone(), "the first"));
    } else {
        names.insert(text.to_owned(), name.span());
    }
    Some(text.to_owned())
}

/// Checks the name of a bot or a team: at most 40 letters, digits, `.`, `_`, `+` and `-`, but no `-` at its beginning.
fn check_name(name: &str) -> Result<(), String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    if name.is_empty() {
        Err("a name needs at least one letter or digit".to_owned())
    } else if let Some(wrong) = name.chars().find(|c| !allowed(*c)) {
        let wrong = if wrong == ' ' { "spaces".to_owned() } else { format!("`{}`", wrong.escape_debug()) };
        Err(format!("use only letters `a` to `z` and `A` to `Z`, digits and `.` `_` `+` `-`, not {wrong}"))
    } else if !name.contains(|c: char| c.is_ascii_alphanumeric()) {
        Err("a name needs at least one letter or digit".to_owned())
    } else if name.starts_with('-') {
        Err("a name may not begin with `-`: commands would take it for an option".to_owned())
    } else if name.len() > LONGEST_NAME {
        Err(format!("{} characters; the maximum is {LONGEST_NAME}", name.len()))
    } else {
        Ok(())
    }
}

fn command(reader: &mut Reader, section: Section<'_>, heading: &Range<usize>) -> Option<Vec<String>> {
    let Some(value) = section.get("command") else {
        let mistake = Diagnostic::new("a bot has no `command`").at(heading.clone(), "this bot");
        reader.missing(
            &["command"],
            mistake.hint("add the command that starts it: `command = \"python3 my_bot.py\"`"),
        );
        return None;
    };
    let words = match value.get_ref() {
        DeValue::String(text) => split_command(text),
        DeValue::Array(entries) => {
            let strings = || entries.iter().filter_map(|entry| entry.get_ref().as_str());
            if let Some(other) = entries.iter().find(|entry| !entry.get_ref().is_str()) {
                reader.wrong_type("command", "a string or an array of strings", other);
                return None;
            }
            check_words(strings().map(str::to_owned).collect())
        }
        _ => {
            reader.wrong_type("command", "a string or an array of strings", value);
            return None;
        }
    };
    words.map_err(|error| reader.push(at_command(&error, value))).ok()
}

fn at_command(error: &CommandError, value: &Spanned<DeValue<'_>>) -> Diagnostic {
    Diagnostic::new(error.to_string()).at(value.span(), error.label()).maybe_hint(error.hint())
}

/// Why a command can't be split into words, or can't be one.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum CommandError {
    /// No words.
    #[error("the command is empty")]
    Empty,
    /// A quote without its end.
    #[error("a quote in the command is not closed")]
    Quote,
    /// Something that only a shell understands.
    #[error("the command contains `{word}`, which only a shell understands")]
    Shell {
        /// What it is.
        word: String,
    },
    /// An environment variable before the program.
    #[error("the command begins with an environment variable: `{word}`")]
    Variable {
        /// What it is.
        word: String,
    },
    /// What no program can be given.
    #[error("the command contains a NUL character")]
    Nul,
}

impl CommandError {
    fn label(&self) -> &'static str {
        match self {
            CommandError::Empty => "no program to start",
            CommandError::Quote => "every `\"` and `'` needs a closing one",
            CommandError::Shell { .. } | CommandError::Variable { .. } => "no shell runs this command",
            CommandError::Nul => "no argument of a program can contain it",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            CommandError::Shell { .. } => {
                Some("put the command into a script, or into `sh -c '...'`".to_owned())
            }
            CommandError::Variable { word } => {
                let (name, value) = word.split_once('=')?;
                Some(format!(
                    "add `env = {{ {name} = \"{value}\" }}` in a tournament file; elsewhere, begin the command with `env`"
                ))
            }
            CommandError::Empty | CommandError::Quote | CommandError::Nul => None,
        }
    }
}

/// Splits a command into words as a shell would, quotes and backslashes
/// included; nothing is expanded.
///
/// # Errors
/// No words, an open quote, or something that only a shell understands.
pub fn split_command(text: &str) -> Result<Vec<String>, CommandError> {
    let words = shell_words::split(text).map_err(|_| CommandError::Quote)?;
    let operator = |word: &str| matches!(word, "|" | "||" | "&" | "&&" | ";" | "<" | ">" | ">>" | "2>");
    // Quoted, an operator is a word like any other: it is looked for where
    // nothing is quoted.
    if let Some(word) = text.split_whitespace().find(|word| operator(word))
        && !text.contains(['"', '\''])
    {
        return Err(CommandError::Shell { word: word.to_owned() });
    }
    check_words(words)
}

fn check_words(words: Vec<String>) -> Result<Vec<String>, CommandError> {
    let Some(program) = words.first().filter(|program| !program.is_empty()) else {
        return Err(CommandError::Empty);
    };
    if words.iter().any(|word| word.contains('\0')) {
        return Err(CommandError::Nul);
    }
    if let Some((name, _)) = program.split_once('=')
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    {
        return Err(CommandError::Variable { word: program.clone() });
    }
    Ok(words)
}

fn environment(reader: &mut Reader, section: Section<'_>) -> BTreeMap<String, String> {
    let mut environment = BTreeMap::new();
    for variable in reader.texts(section, "env") {
        if variable.name.is_empty() || variable.name.contains('=') {
            let mistake = Diagnostic::new(format!("`{}` can't be an environment variable", variable.name));
            reader.push(mistake.at(variable.name_span, "a name can't be empty or contain `=`"));
            continue;
        }
        environment.insert(variable.name.to_owned(), variable.text);
    }
    environment
}

/// Reads `limits` of the file or of a bot; what is not given is as in `common`.
pub(super) fn limits(reader: &mut Reader, above: Section<'_>, common: &Limits, place: &str) -> Limits {
    let mut limits = common.clone();
    let Some(section) = reader.table(above, "limits", &LIMITS) else { return limits };
    reader.check_keys(section);
    for key in LIMITS.keys {
        if let Some(value) = section.get(key) {
            let dot = if place.is_empty() { "" } else { "." };
            reader.spans.insert(format!("{place}{dot}limits.{key}"), value.span());
        }
    }
    let least = Duration::from_millis(1);
    let mut durations = |key: &str| reader.duration(section, key, least).map(Spanned::into_inner);
    limits.start = durations("start").unwrap_or(limits.start);
    limits.ready = durations("ready").unwrap_or(limits.ready);
    limits.most_a_move = durations("move").or(limits.most_a_move);
    limits.quit = durations("quit").unwrap_or(limits.quit);
    limits.cpu = durations("cpu").or(limits.cpu);
    let mut sizes = |key: &str| reader.size(section, key).map(Spanned::into_inner);
    limits.line = sizes("line").unwrap_or(limits.line);
    limits.output_on_move = sizes("output_on_move").unwrap_or(limits.output_on_move);
    limits.output_off_move = sizes("output_off_move").unwrap_or(limits.output_off_move);
    limits.memory = sizes("memory").unwrap_or(limits.memory);
    limits.file_size = sizes("file_size").unwrap_or(limits.file_size);
    let mut numbers = |key: &str, least: i64| {
        let number = reader.integer(section, key, least..=1_000_000)?;
        u64::try_from(number.into_inner()).ok()
    };
    limits.processes = numbers("processes", 1).unwrap_or(limits.processes);
    // The three that every bot has, and some for what it loads.
    limits.open_files = numbers("open_files", 16).unwrap_or(limits.open_files);
    limits.crashes = numbers("crashes", 0).unwrap_or(limits.crashes);
    limits
}
