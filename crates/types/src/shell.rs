//! Commands that were written for a shell.

/// Words by which a shell joins commands or redirects their output.
const OPERATORS: [&str; 11] = ["&&", "||", "|", ";", "&", ">", ">>", "<", "2>", "2>&1", "&>"];

/// Words that only a shell can execute.
const BUILT_IN: [&str; 5] = ["export", "source", "set", "exec", "ulimit"];

/// The cure for a command that only a shell would understand.
pub fn without_a_shell(command: &[String]) -> Option<String> {
    const WHY: &str = "commands are not run by a shell";
    let first = command.first()?;
    let operator = command.iter().find(|word| {
        OPERATORS.contains(&word.as_str()) || (word.len() > 1 && word.ends_with(';') && !word.contains(' '))
    });
    if ["cd", "pushd"].contains(&first.as_str()) {
        let folder = command.get(1).map_or("DIRECTORY", |word| word.trim_end_matches(';'));
        return Some(format!(
            "set `dir = \"{folder}\"` in the tournament file, or write `sh -c '...'`: {WHY}"
        ));
    }
    if let Some(operator) = operator {
        let operator = if operator.ends_with(';') { ";" } else { operator };
        return Some(format!(
            "write `sh -c '...'` around the command: {WHY}, so `{operator}` means nothing in it"
        ));
    }
    if is_variable(first) {
        return Some(format!("write `env {first} ...`: {WHY}, so `{first}` sets no variable"));
    }
    BUILT_IN.contains(&first.as_str()).then(|| format!("write `sh -c '...'` around the command: {WHY}"))
}

/// `NAME=VALUE`
fn is_variable(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// The cure for a script whose first line names an interpreter with a carriage return at its end.
pub fn without_carriage_returns(file: &str) -> String {
    format!("run `sed -i 's/\\r$//' {file}`: its first line ends as on Windows, with `\\r`")
}
