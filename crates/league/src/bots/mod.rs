//! The bots before their first game: checks that they can be started, and their identities.
//!
//! # The identity of a bot
//!
//! The identity consists of the bot's name, its command, and the digest of the files that the command names:
//!
//! - the program, if it is named by a path (`./bot`, `/opt/bot`), and
//! - every other file that a word names relative to the bot's folder: the whole word (`random_bot.py`), the part
//!   after a `=` (`--net=weights.bin`), or after `linesman adapt` the part before the `:` (`bot.py:choose`).
//!
//! Excluded are programs found on the `PATH` (`python3`), which belong to the host, folders, and files that the bot
//! itself opens. `linesman` as the first word is this program, which its version represents. A command that names no
//! file has no digest.
//!
//! A bot with a `setup` plays from a [copy](crate::content) of its files. Its digest covers all these files and the
//! `setup`.

mod digest;
mod needs;
mod program;

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::path::Path;

pub use digest::Digests;
pub(crate) use digest::named_files;
use digest::{DigestCache, NamedFiles};
pub(crate) use program::{ADAPT, similar_path};
pub use program::{BotError, Program, THIS_BINARY, command_of_person, is_person};

use crate::file::{Bot, Diagnostic, Diagnostics, Source, Tournament};

/// The environment in which bots are looked up.
#[derive(Copy, Clone, Debug)]
pub struct Surroundings<'s> {
    /// The value of `PATH`: the folders in which a program is looked up if its name has no slash.
    pub path: &'s OsStr,
    /// The name and version of this program: `linesman 0.1.0`.
    pub software: &'s str,
}

#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Identity {
    pub name: String,
    /// Its command as one line, quoted for a shell.
    pub command: String,
    /// The program that the command starts.
    pub program: Program,
    /// The digest of the files that the command names: `sha256:` and hex. `None` if it names none or if they have not
    /// been read, since only runs that keep their games need it.
    pub digest: Option<String>,
}

/// Checks that this machine has the programs that a bot needs.
///
/// # Errors
/// A program that is missing or too old.
pub fn check_needs(bot: &Bot, surroundings: Surroundings<'_>) -> Result<(), BotError> {
    needs::check(&bot.needs, &bot.folder, path_of(bot, surroundings.path))
}

/// Returns the `PATH` of a bot; `path` is that of bots that have none of their own.
pub(crate) fn path_of<'b>(bot: &'b Bot, path: &'b OsStr) -> &'b OsStr {
    bot.environment.get("PATH").map_or(path, OsStr::new)
}

/// Checks that a bot can be started, and determines its identity, including the digest.
///
/// # Errors
/// The reason why it can't be started, if that is detectable without starting it.
pub fn identify(bot: &Bot, surroundings: Surroundings<'_>) -> Result<Identity, BotError> {
    let (mut identity, named) = find(bot, surroundings)?;
    identity.digest = digest_of(bot, named.digest(&mut DigestCache::default())?);
    Ok(identity)
}

/// Returns the digest that identifies a bot; `named` is the digest of the files that its command names. The output of a
/// `setup` can differ between machines, so a bot with a `setup` is identified by the input of the `setup`.
fn digest_of(bot: &Bot, named: Option<String>) -> Option<String> {
    bot.made_of.clone().or(named)
}

fn find(bot: &Bot, surroundings: Surroundings<'_>) -> Result<(Identity, NamedFiles), BotError> {
    check_needs(bot, surroundings)?;
    let program = program::find(&bot.command, &bot.folder, path_of(bot, surroundings.path))?;
    let named = NamedFiles::of(&bot.command, &bot.folder, surroundings.software)?;
    let command = shell_words::join(&bot.command);
    Ok((Identity { name: bot.name.clone(), command, program, digest: None }, named))
}

/// Checks that all bots of a tournament can be started. Returns their identities without digests: see [`with_digests`].
///
/// # Errors
/// All bots that can't be started, as mistakes in the tournament file.
pub fn identify_all(
    tournament: &Tournament,
    source: &Source,
    surroundings: Surroundings<'_>,
) -> Result<(Vec<Identity>, Digests), Box<Diagnostics>> {
    let found = tournament.bots.iter().map(|bot| find(bot, surroundings)).collect();
    let (identities, named) = all_or_mistakes(tournament, source, found)?.into_iter().unzip();
    Ok((identities, Digests::of(named)))
}

/// Determines the identities of all bots of a tournament, even if they can't be started here.
///
/// # Errors
/// All bots with files that can't be read, as mistakes in the tournament file.
pub fn presume_all(
    tournament: &Tournament,
    source: &Source,
    surroundings: Surroundings<'_>,
) -> Result<(Vec<Identity>, Digests), Box<Diagnostics>> {
    let named = |bot: &Bot| NamedFiles::of(&bot.command, &bot.folder, surroundings.software);
    let named = all_or_mistakes(tournament, source, tournament.bots.iter().map(named).collect())?;
    Ok((tournament.bots.iter().map(|bot| presume(bot, surroundings.path)).collect(), Digests::of(named)))
}

/// Determines the identity of a bot without a digest, even if it can't be started here: its program may not have been
/// built yet, or may exist only on other machines.
pub(crate) fn presume(bot: &Bot, path: &OsStr) -> Identity {
    let program = match bot.command.first().map_or("", String::as_str) {
        THIS_BINARY => Program::ThisBinary,
        word if word.contains('/') => Program::File(bot.folder.join(word)),
        word => {
            let found = program::on_path(word, &bot.folder, path_of(bot, path));
            Program::File(found.unwrap_or_else(|| Path::new("/usr/bin").join(word)))
        }
    };
    Identity { name: bot.name.clone(), command: shell_words::join(&bot.command), program, digest: None }
}

/// Adds the digests to the identities. Waits until the files have been read.
///
/// # Errors
/// All bots with unreadable files, as mistakes in the tournament file.
pub fn with_digests(
    identities: Vec<Identity>,
    digests: Digests,
    tournament: &Tournament,
    source: &Source,
) -> Result<Vec<Identity>, Box<Diagnostics>> {
    let digests = all_or_mistakes(tournament, source, digests.get())?;
    let bots = identities.into_iter().zip(tournament.bots.iter().zip(digests));
    Ok(bots
        .map(|(identity, (bot, digest))| Identity { digest: digest_of(bot, digest), ..identity })
        .collect())
}

fn all_or_mistakes<T>(
    tournament: &Tournament,
    source: &Source,
    found: Vec<Result<T, BotError>>,
) -> Result<Vec<T>, Box<Diagnostics>> {
    let found = tournament.bots.iter().zip(found).map(|(bot, found)| {
        found.map_err(|error| {
            let place = tournament.spans.find(&["bots", &bot.name, error.key()]);
            let mistake = Diagnostic::new(format!("bot `{}` can't be started: {error}", bot.name));
            mistake.at(place, error.label()).maybe_hint(error.hint())
        })
    });
    Diagnostics::all_or(source, found)
}
