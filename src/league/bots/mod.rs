//! The bots before their first game: what can't be started is found, and what
//! is started is written down as a fingerprint.
//!
//! # What a bot is
//!
//! Its name, its command, and the digest of the files that the command names:
//!
//! - the program, if it is named by a path (`./bot`, `/opt/bot`), and
//! - every other word that names a file seen from the bot's folder
//!   (`random_bot.py`, `--net=weights.bin` with what follows the `=`).
//!
//! A program found on the `PATH` (`python3`) does not count: it is the host's.
//! Neither do folders, nor files that the bot opens by itself. `linesman` as the
//! first word is this very binary and counts by its version. A command that
//! names no file has no digest.

mod digest;
mod program;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

pub use program::BotError;

use crate::league::file::{Bot, Mistake, Mistakes, Source, Tournament};
use crate::record;

/// The first word of a command that means this very binary.
pub const THIS_BINARY: &str = "linesman";

/// What there is around bots.
#[derive(Copy, Clone, Debug)]
pub struct Surroundings<'s> {
    /// Where programs without a slash are looked for: the value of `PATH`.
    pub path: &'s OsStr,
    /// What this program is: `linesman 0.1.0`.
    pub software: &'s str,
}

/// What a bot's command starts.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Program {
    /// This very binary, with the words after the first as its arguments.
    ThisBinary,
    /// A file.
    File(PathBuf),
}

/// A bot that can be started, and what it is known by.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Identity {
    /// Its name in the league.
    pub name: String,
    /// Its command as one line, quoted where a shell would need it.
    pub command: String,
    /// What the command starts.
    pub program: Program,
    /// The digest of the files that the command names: `sha256:` and hex.
    pub digest: Option<String>,
}

/// Finds out whether a bot can be started, and what it is.
///
/// # Errors
/// Why it can't be started, as far as that shows without starting it.
pub fn identify(bot: &Bot, surroundings: Surroundings<'_>) -> Result<Identity, BotError> {
    let own_path = bot.environment.get("PATH").map(OsStr::new);
    let path = own_path.unwrap_or(surroundings.path);
    let program = program::find(&bot.command, &bot.folder, path)?;
    let digest = digest::of_command(&bot.command, &bot.folder, surroundings.software)?;
    Ok(Identity { name: bot.name.clone(), command: shell_words::join(&bot.command), program, digest })
}

/// Finds out whether all bots of a tournament can be started, and what they are.
///
/// # Errors
/// All bots that can't be started, as mistakes in the tournament file.
pub fn identify_all(
    tournament: &Tournament,
    source: &Source,
    surroundings: Surroundings<'_>,
) -> Result<Vec<Identity>, Box<Mistakes>> {
    let mut identities = Vec::new();
    let mut mistakes = Vec::new();
    for bot in &tournament.bots {
        match identify(bot, surroundings) {
            Ok(identity) => identities.push(identity),
            Err(error) => {
                let key = if error.is_about_the_folder() { "dir" } else { "command" };
                let place = tournament.places.find(&format!("bots.{}.{key}", bot.name));
                let mistake = Mistake::new(format!("bot `{}` can't be started: {error}", bot.name));
                let mistake = mistake.maybe_hint(error.hint());
                mistakes.push(match place {
                    Some(span) => mistake.at(span, error.label()),
                    None => mistake,
                });
            }
        }
    }
    if mistakes.is_empty() { Ok(identities) } else { Err(Box::new(Mistakes::new(source.clone(), mistakes))) }
}

/// The digests by which bots are known in records, with their numbers of games.
#[derive(Clone, Debug, Default)]
pub struct SeenDigests(BTreeMap<String, BTreeMap<(Option<String>, String), u64>>);

impl SeenDigests {
    /// Counts a seat of a record.
    pub fn add(&mut self, name: &str, program: &record::Program<'_>) {
        let Some(digest) = &program.digest else { return };
        let command = program.command.as_deref();
        // Nearly always it is one program that was seen before.
        if let Some(of_bot) = self.0.get_mut(name) {
            let known = |((own_command, own_digest), _): &(&(Option<String>, String), &mut u64)| {
                own_command.as_deref() == command && own_digest == digest
            };
            if let Some((_, games)) = of_bot.iter_mut().find(known) {
                *games += 1;
                return;
            }
        }
        let of_bot = self.0.entry(name.to_owned()).or_default();
        of_bot.insert((command.map(str::to_owned), digest.clone().into_owned()), 1);
    }

    /// The bots whose files are not what they were when some of their games
    /// were played by the same command.
    pub fn changes(&self, identities: &[Identity]) -> Vec<ChangedBot> {
        let changed = identities.iter().filter_map(|identity| {
            let of_bot = self.0.get(&identity.name)?;
            let others = of_bot.iter().filter(|((command, digest), _)| {
                let same_command = command.as_ref().is_none_or(|command| *command == identity.command);
                same_command && identity.digest.as_ref() != Some(digest)
            });
            let games = others.map(|(_, games)| games).sum();
            (games > 0).then(|| ChangedBot { name: identity.name.clone(), games })
        });
        changed.collect()
    }
}

/// A bot whose files changed under the same command.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct ChangedBot {
    /// The bot.
    pub name: String,
    /// How many of its games were played by other files.
    pub games: u64,
}

impl fmt::Display for ChangedBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = if self.games == 1 { "game was" } else { "games were" };
        write!(
            f,
            "the files of bot `{}` have changed since {} of its {games} played: \
             its results are those of different programs (give the new one another name)",
            self.name, self.games
        )
    }
}
