//! The name of a version of a bot in records: `ada`, then `ada@2`.

/// The separator between a bot's name and the number of its version.
const SIGN: char = '@';

/// A name in records, split into the name in the plan and the number of the version, from 1.
pub fn split_version(name: &str) -> (&str, u32) {
    let numbered = name.rsplit_once(SIGN);
    let numbered = numbered.and_then(|(bot, number)| Some((bot, number.parse().ok()?)));
    numbered.filter(|(_, number)| *number > 1).unwrap_or((name, 1))
}

/// The name in records of a version of a bot.
pub(crate) fn named(bot: &str, number: u32) -> String {
    if number == 1 { bot.to_owned() } else { format!("{bot}{SIGN}{number}") }
}
