//! Hints for programs that are not bots yet: an interpreter without a program, a script that can't run, an error
//! message instead of an answer.

use linesman_types::shell;
use linesman_types::verdict::Fault;

use super::clues::Clues;
use super::language::Language;
use crate::describe::printable;

/// Returns the hint for an interpreter that waits for a program or a user.
pub(super) fn interpreter(clues: &Clues<'_>) -> Option<String> {
    if clues.turn.is_some() {
        return None;
    }
    let is_prompt = |line: &&str| {
        line.starts_with(">>>")
            || line.trim_end() == ">"
            || line.starts_with("> ")
            || line.starts_with("irb")
            || line.starts_with("Welcome to Node.js")
    };
    if let Some(prompt) = clues.lines().find(is_prompt) {
        return Some(format!(
            "name the bot's file in the command: `{}` is the prompt of an interpreter that waits for a person",
            printable(prompt.trim_end())
        ));
    }
    let is_silent = clues.stray.is_empty() && matches!(clues.fault, Fault::NotReady { .. });
    match (clues.command, clues.language.0) {
        // The interpreter takes the referee's lines for its program.
        ([program], Some(_)) if is_silent && !program.contains('.') => Some(format!(
            "name the bot's file in the command, such as `{program} FILE`: without one, `{program}` reads its \
             program from stdin"
        )),
        _ => None,
    }
}

/// Returns the hint for a script with Windows line ends: `env` prints the name that it did not find with its `\r`.
pub(super) fn windows_line_ends(clues: &Clues<'_>) -> Option<String> {
    let is_found = clues.stderr.lines().any(|line| line.contains("\\r") && line.contains("No such file"));
    is_found.then(|| shell::without_carriage_returns(clues.command.first().map_or("FILE", String::as_str)))
}

/// Returns true if the bot printed the trace of an error to stdout.
pub(super) fn has_trace(clues: &Clues<'_>) -> bool {
    clues.stray.iter().any(|line| {
        line.starts_with("Traceback (most recent call last)")
            || line.trim_start().starts_with("File \"")
            || line.trim_start().starts_with("at ")
            || line.starts_with("Exception in thread")
            || line.contains("panicked at")
    })
}

/// Returns the hint for error messages instead of answers.
pub(super) fn error_on_stdout(clues: &Clues<'_>) -> Option<String> {
    if !has_trace(clues) {
        return None;
    }
    let what = match clues.fault.before_play() {
        Some(_) => format!("before `{}`, the bot printed an error to stdout", clues.awaited),
        None => "the bot printed an error to stdout and gave no answer".to_owned(),
    };
    let last = clues.stray.last().map(|line| printable(line.trim())).unwrap_or_default();
    Some(format!("{what} (`{last}`); print errors to stderr, which linesman shows too"))
}

/// Returns the hint for a script in another language that was run by the shell, because its first line names no
/// interpreter.
pub(super) fn run_by_the_shell(clues: &Clues<'_>) -> Option<String> {
    let file = clues.command.first().filter(|file| file.contains('/'))?;
    let is_of_shell = |line: &str| {
        let place = line.strip_prefix(file.as_str()).and_then(|rest| rest.strip_prefix(": "));
        place.is_some_and(|rest| rest.trim_start_matches("line ").starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_other = clues.language.0.is_none_or(|language| language != Language::Shell);
    let is_run = is_other && matches!(clues.fault, Fault::NotStarted { .. } | Fault::NotReady { .. });
    (is_run && clues.stderr.lines().any(is_of_shell)).then(|| {
        let start = clues.language.0.unwrap_or(Language::Python).start(file);
        format!("{start}: the shell ran it")
    })
}

/// Returns the hint for a program that was not compiled before the games: a missing class, or a compiler as the
/// command.
pub(super) fn not_compiled(clues: &Clues<'_>) -> Option<String> {
    if !matches!(clues.fault, Fault::NotStarted { .. } | Fault::NotReady { .. }) {
        return None;
    }
    let [program, rest @ ..] = clues.command else { return None };
    let program = program.rsplit('/').next().unwrap_or(program);
    let of_source = |source: &str| Language::of_word(source).map(|language| language.start(source));
    let start = || rest.iter().filter(|word| word.contains('.')).find_map(|word| of_source(word));
    match program {
        "java" => {
            let (_, class) = clues.stderr.split_once("Could not find or load main class ")?;
            let class = printable(class.split_whitespace().next()?);
            let file = class.replace('.', "/");
            Some(format!(
                "compile the bot first, for example with `javac {file}.java`, and give `java -cp . {class}` as the command: \
                 Java did not find the class `{class}`"
            ))
        }
        "javac" | "gcc" | "cc" | "g++" | "c++" | "rustc" | "mcs" => {
            Some(format!("{}: `{program}` only compiles", start()?))
        }
        // The bot's own messages say more than this hint; those of `go` itself do not.
        "go" if clues.stray.is_empty() && (clues.stderr.is_empty() || clues.stderr.contains("go-build")) => {
            Some(format!("{}: `go` compiles anew for each start", start()?))
        }
        _ => None,
    }
}
