//! Generates the page of the book that lists every command with its options, from the same definitions as `--help`.

use std::fmt::Write as _;
use std::path::Path;

use clap::builder::StyledStr;
use clap::{Arg, Command};

use super::kept::check_file;

fn page(mut command: Command) -> String {
    command.build();
    let mut page = "# Command line\n\n\
        `linesman COMMAND --help` prints the same text in a terminal. `linesman COMMAND -h` prints a shorter one.\n"
        .to_owned();
    add(&mut page, &command, 2);
    page
}

/// Adds a command under a heading of this level, and its subcommands. Global options are described only with the first
/// command.
fn add(page: &mut String, command: &Command, level: usize) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
    let plain =
        |text: Option<&StyledStr>| text.map_or_else(String::new, |text| text.to_string().trim().to_owned());
    let about = plain(command.get_long_about().or(command.get_about()));
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let mut block = |text: std::fmt::Arguments<'_>| {
        writeln!(page, "\n{text}").expect("writing to a string can't fail");
    };
    block(format_args!("{} {name}", "#".repeat(level)));
    block(format_args!("{about}"));
    block(format_args!("```text\n{usage}\n```"));
    let examples = plain(command.get_before_help());
    if !examples.is_empty() {
        block(format_args!("```text\n{examples}\n```"));
    }
    let is_top = level == 2;
    let shown: Vec<&Arg> = (command.get_arguments())
        .filter(|argument| !argument.is_hide_set() && (is_top || !argument.is_global_set()))
        .filter(|argument| !["help", "version"].contains(&argument.get_id().as_str()))
        .collect();
    let mut headings: Vec<&str> = Vec::new();
    for argument in &shown {
        let heading = heading_of(argument);
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for heading in headings {
        let rows: Vec<String> = shown
            .iter()
            .filter(|argument| heading_of(argument) == heading)
            .map(|argument| row(argument))
            .collect();
        block(format_args!("| {heading} | |\n| --- | --- |\n{}", rows.join("\n")));
    }
    let after = plain(command.get_after_long_help().or(command.get_after_help()));
    if !after.is_empty() {
        block(format_args!("```text\n{after}\n```"));
    }
    let is_shown = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
    command.get_subcommands().filter(is_shown).for_each(|command| add(page, command, level + 1));
}

fn heading_of(argument: &Arg) -> &str {
    argument.get_help_heading().unwrap_or(if argument.is_positional() { "Arguments" } else { "Options" })
}

fn row(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut help = help.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    let words: Vec<String> = (argument.get_possible_values().iter())
        .filter(|_| argument.get_action().takes_values())
        .map(|value| match value.get_help() {
            Some(about) if !about.to_string().eq_ignore_ascii_case(value.get_name()) => {
                format!("`{}` ({})", value.get_name(), about.to_string().trim_end_matches('.'))
            }
            _ => format!("`{}`", value.get_name()),
        })
        .collect();
    if !words.is_empty() {
        help.push_str(&format!(": {}", words.join(", ")));
    }
    let defaults: Vec<String> =
        argument.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
    if !defaults.is_empty() && argument.get_action().takes_values() && !argument.is_hide_default_value_set() {
        help.push_str(&format!(" [default: {}]", defaults.join(" ")));
    }
    let long = argument.get_long().map(|long| format!("--{long}"));
    let short = argument.get_short().map(|short| format!("-{short}"));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    let value = argument
        .get_value_names()
        .filter(|_| argument.get_action().takes_values())
        .and_then(|names| names.first());
    let name = match (names.is_empty(), value) {
        (true, Some(value)) => value.to_string(),
        (true, None) => argument.get_id().to_string().to_uppercase(),
        (false, Some(value)) => format!("{} {value}", names.join(", ")),
        (false, None) => names.join(", "),
    };
    format!("| `{}` | {help} |", name.replace('|', "\\|"))
}

#[test]
fn the_page_of_the_book_matches_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/command-line.md");
    check_file(&path, &page(super::usage::command::<super::CliCommand>()));
}
