//! Messages about wrong usage, instead of those of clap that only programmers understand.

use std::io::Write;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Subcommand};

use super::Cli;

/// The order of a command's help: its purpose, its usage, examples, options.
const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

pub(super) fn command<C: Subcommand>() -> Command {
    adapted(Cli::<C>::command())
}

/// The command with our template. Texts that look like negative numbers are values, so that options report wrong ones;
/// clap would take them for options.
fn adapted(command: Command) -> Command {
    let command = command.help_template(TEMPLATE).mut_args(|argument| {
        let takes_value = !argument.is_positional() && argument.get_action().takes_values();
        if takes_value { argument.allow_negative_numbers(true) } else { argument }
    });
    command.mut_subcommands(adapted)
}

pub(super) fn print(error: &clap::Error) {
    match in_words(error) {
        // A failure to write to stderr can't be reported anywhere.
        Some(text) => drop(write!(anstream::stderr(), "{text}")),
        // A closed pipe is not a failure.
        None => drop(error.print()),
    }
}

/// A better message, with colours; `None` if clap's message is good enough.
fn in_words(error: &clap::Error) -> Option<String> {
    match error.kind() {
        ErrorKind::ValueValidation => on_number(error),
        ErrorKind::UnknownArgument => on_words_of_command(error),
        _ => None,
    }
}

/// The message for a bot's command without `--` before it.
fn on_words_of_command(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return None };
    let takes_command =
        error.get(ContextKind::Usage).is_some_and(|usage| usage.to_string().contains("COMMAND"));
    (takes_command && !word.starts_with('-')).then(|| {
        format!(
            "{}\nhint: put the command of the bot behind `--`, as in `-- python3 my_bot.py`\n",
            error.render().ansi().to_string().trim_end()
        )
    })
}

/// The message for a value that is not a number.
fn on_number(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else { return None };
    let text = error.render().ansi().to_string();
    let whole = match value.strip_prefix('-') {
        Some(rest) if rest.parse::<u64>().is_ok() => "it must be 0 or more",
        _ => "it is not a whole number",
    };
    let percents = value.strip_suffix('%').and_then(|share| share.trim().parse::<f64>().ok());
    let number = match percents {
        Some(percents) => format!("it is not a number; write {value} as {}", percents / 100.0),
        None => "it is not a number".to_owned(),
    };
    // The standard library's messages about numbers.
    let replacements = [
        ("invalid digit found in string", whole),
        ("cannot parse integer from empty string", "it is not a whole number"),
        ("number too large to fit in target type", "it is too large"),
        ("number too small to fit in target type", "it is too small"),
        ("invalid float literal", number.as_str()),
        ("cannot parse float from empty string", "it is not a number"),
    ];
    let (theirs, ours) = replacements.into_iter().find(|(theirs, _)| text.contains(theirs))?;
    Some(text.replace(theirs, ours))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::CliCommand;

    fn first_line(arguments: &str) -> String {
        let words = std::iter::once("linesman").chain(arguments.split_whitespace());
        let error = command::<CliCommand>().try_get_matches_from(words).expect_err("wrong usage");
        let text = in_words(&error).unwrap_or_else(|| error.render().to_string());
        let plain = anstream::adapter::strip_str(&text).to_string();
        plain.lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn wrong_numbers_have_clear_messages() {
        for (arguments, line) in [
            ("ratings --seed -1 x", "error: invalid value '-1' for '--seed <S>': it must be 0 or more"),
            (
                "sprt --wdl 1,1,1 --elo0 0 --elo1 3 --alpha 5%",
                "error: invalid value '5%' for '--alpha <SHARE>': it is not a number; write 5% as 0.05",
            ),
            (
                "openings make quixo --plies x --count 3",
                "error: invalid value 'x' for '--plies <N>': it is not a whole number",
            ),
            (
                "openings make quixo --plies -3 --count 3",
                "error: invalid value '-3' for '--plies <N>': -3 is not in 1..=200",
            ),
        ] {
            assert_eq!(first_line(arguments), line);
        }
    }

    #[test]
    fn a_command_without_its_dashes_gets_a_hint() {
        for arguments in ["check python3 my_bot.py", "talk python3 my_bot.py"] {
            let error = command::<CliCommand>()
                .try_get_matches_from(std::iter::once("linesman").chain(arguments.split_whitespace()));
            let text = in_words(&error.expect_err("wrong usage")).expect("it is explained");
            assert!(text.ends_with("behind `--`, as in `-- python3 my_bot.py`\n"), "{text}");
        }
        let other =
            command::<CliCommand>().try_get_matches_from(["linesman", "check", "--quik", "--", "./bot"]);
        assert_eq!(in_words(&other.expect_err("wrong usage")), None);
    }

    #[test]
    fn an_infinite_elo_is_a_value() {
        let words = ["linesman", "sprt", "--wdl", "1,1,1", "--elo0", "-inf", "--elo1", "3"];
        assert!(command::<CliCommand>().try_get_matches_from(words).is_ok());
    }
}
