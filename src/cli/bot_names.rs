//! Names of bots that are given only by their commands.

use std::path::Path;

use super::adapt::adapter::bot_stem;
use crate::engines::Engine;

/// The name of a bot according to its command: the kind of a built-in bot, with its level if it has one; otherwise the
/// first argument that looks like a file; otherwise the program.
pub(super) fn name_of(words: &[String]) -> String {
    let stem = |word: &str| Path::new(word).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let is_file = |word: &&String| !word.starts_with('-') && word.contains('.');
    let name = match words {
        [linesman, bot, kind, options @ ..] if linesman == "linesman" && bot == "bot" => {
            built_in(kind, options)
        }
        [linesman, adapt, options @ ..] if linesman == "linesman" && adapt == "adapt" => {
            bot_stem(options.iter().find(is_file).unwrap_or(linesman)).to_owned()
        }
        [program, arguments @ ..] => {
            stem(arguments.iter().find(is_file).unwrap_or(program)).unwrap_or_default()
        }
        [] => String::new(),
    };
    let name: String = name
        .trim_start_matches('-')
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "._+-".contains(c) { c } else { '_' })
        .take(36)
        .collect();
    if name.is_empty() { "bot".to_owned() } else { name }
}

/// The name of a built-in bot. That of `level` includes the level: `level-7`.
fn built_in(kind: &str, options: &[String]) -> String {
    let word = || options.windows(2).find_map(|pair| (pair[0] == "--level").then_some(&*pair[1]));
    let part = || options.iter().find_map(|option| option.strip_prefix("--level="));
    let level = word().or_else(part);
    match level {
        Some(level) if kind == Engine::Level.name() => format!("{kind}-{level}"),
        Some(_) | None => kind.to_owned(),
    }
}

/// The name, with the first free number from 2 on if it is taken.
pub(super) fn distinct_name(name: String, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_named_after_the_most_specific_word_of_its_command() {
        for (command, name) in [
            ("linesman bot alphabeta", "alphabeta"),
            ("linesman bot alphabeta --depth 3", "alphabeta"),
            ("linesman bot level", "level"),
            ("linesman bot level --seed 4 --level 7", "level-7"),
            ("linesman bot level --level=10", "level-10"),
            ("linesman bot level --level", "level"),
            ("python3 bots/random_bot.py", "random_bot"),
            ("python3 -u bots/my bot.py", "bot"),
            ("./engines/deep+blue", "deep+blue"),
            ("java -jar build/bot.jar", "bot"),
            ("wild§bot", "wild_bot"),
            ("linesman adapt my_bot.py:choose", "my_bot"),
            ("linesman adapt --shape class pkg.minimax:Player", "minimax"),
        ] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(name_of(&words), name, "{command}");
        }
    }
}
