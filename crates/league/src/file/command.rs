//! Commands of bots, split into words as in a shell.

/// The reason why a text is not a command.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum CommandError {
    /// There are no words, or the first one is empty.
    #[error("the command is empty")]
    Empty,
    /// A quote is not closed.
    #[error("a quote in the command is not closed")]
    Quote,
    /// An operator that only a shell understands.
    #[error("the command contains `{0}`, which only a shell understands")]
    Shell(String),
    /// An environment variable precedes the program.
    #[error("the command begins with an environment variable: `{0}`")]
    Variable(String),
    /// It contains a NUL character, which can't be passed to a program.
    #[error("the command contains a NUL character")]
    Nul,
}

impl CommandError {
    pub(super) fn label(&self) -> &'static str {
        match self {
            CommandError::Empty => "no program to start",
            CommandError::Quote => "every `\"` and `'` needs a closing one",
            CommandError::Shell(_) | CommandError::Variable(_) => "no shell runs this command",
            CommandError::Nul => "no argument of a program can contain it",
        }
    }

    pub fn hint(&self) -> Option<String> {
        match self {
            CommandError::Shell(_) => Some("put the command into a script, or into `sh -c '...'`".to_owned()),
            CommandError::Variable(word) => {
                let (name, value) = word.split_once('=')?;
                Some(format!(
                    "add `env = {{ {name} = \"{value}\" }}` in a tournament file; elsewhere, begin the command with `env`"
                ))
            }
            CommandError::Empty | CommandError::Quote | CommandError::Nul => None,
        }
    }
}

/// Splits a command into words as a shell would, with quotes and backslashes but without any expansion.
///
/// # Errors
/// The text is not the command of a bot.
pub fn split_command(text: &str) -> Result<Vec<String>, CommandError> {
    let words = shell_words::split(text).map_err(|_| CommandError::Quote)?;
    let operator = |word: &str| matches!(word, "|" | "||" | "&" | "&&" | ";" | "<" | ">" | ">>" | "2>");
    // A quoted operator is an ordinary word, so texts with quotes are not checked.
    if let Some(word) = text.split_whitespace().find(|word| operator(word))
        && !text.contains(['"', '\''])
    {
        return Err(CommandError::Shell(word.to_owned()));
    }
    check_words(words)
}

pub(super) fn check_words(words: Vec<String>) -> Result<Vec<String>, CommandError> {
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
        return Err(CommandError::Variable(program.clone()));
    }
    Ok(words)
}
