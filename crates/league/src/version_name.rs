//! The names of a bot's versions in records: `ada`, then `ada@2`.

/// The separator between the name of a bot and the number of its version.
const SEPARATOR: char = '@';

/// Splits a name in records into the name in the plan and the number of the version, from 1.
pub fn split_version(name: &str) -> (&str, u32) {
    let numbered = name.rsplit_once(SEPARATOR);
    let numbered = numbered.and_then(|(bot, number)| Some((bot, number.parse().ok()?)));
    numbered.filter(|(_, number)| *number > 1).unwrap_or((name, 1))
}

/// Returns the name of a bot's version in records.
pub(crate) fn named(bot: &str, number: u32) -> String {
    if number == 1 { bot.to_owned() } else { format!("{bot}{SEPARATOR}{number}") }
}
