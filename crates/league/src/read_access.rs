//! Determines the files that each bot of a league may read: those that it needs, except for files of the league and of
//! other bots.

use std::path::{Path, PathBuf};

use super::bots::{ADAPT, Identity, Program, path_of};
use super::file::{Bot, Tournament};
use super::host::{Folders, Host};
use linesman_sandbox::isolation::{Grants, Hidden, Layers, Ownership, ProgramKind, ReadScope, View};

/// The files that a bot needs, and those of them that it may read.
#[derive(Clone, Debug)]
pub struct ReadAccess {
    scope: ReadScope,
    /// The files that it may read in addition to those that all bots may read.
    pub grants: Grants,
}

impl ReadAccess {
    /// Determines the read access of all bots, in the tournament's order.
    pub fn of_all(tournament: &Tournament, identities: &[Identity], host: &Host) -> Vec<ReadAccess> {
        let bots = tournament.bots.iter().zip(identities);
        let scopes: Vec<ReadScope> = bots.map(|(bot, identity)| read_scope(bot, identity, host)).collect();
        let owned_paths: Vec<Vec<PathBuf>> = scopes.iter().map(ReadScope::owned_paths).collect();
        let access = |(index, scope): (usize, ReadScope)| {
            let others = owned_paths.iter().enumerate().filter(|(other, _)| *other != index);
            let hidden = Hidden {
                private: host.paths.private.clone(),
                others: others.flat_map(|(_, owned_paths)| owned_paths.clone()).collect(),
            };
            ReadAccess { grants: scope.grants(&hidden), scope }
        };
        scopes.into_iter().enumerate().map(access).collect()
    }

    /// True for a built-in bot.
    pub fn is_of_this_binary(&self) -> bool {
        self.scope.program_kind == ProgramKind::SingleFile
    }

    /// True if the command starts this program, for a built-in bot or an adapter.
    pub fn starts_this_binary(&self) -> bool {
        self.scope.program_kind != ProgramKind::Installed
    }

    /// Returns its working directory in these layers: `/` if it does not need its folder and would have to enter it as
    /// a user of its own, who may not have access.
    pub fn directory(&self, layers: &Layers) -> &Path {
        let needs_none = self.is_of_this_binary() && self.scope.names_nothing();
        let must_enter = layers.slot_users.is_some() && layers.view() == View::Host;
        if needs_none && must_enter { Path::new("/") } else { &self.scope.folder }
    }

    /// Returns the path that would keep a user of the bot's own from its files in these layers, if there is one.
    pub fn in_the_way(&self, layers: &Layers) -> Option<PathBuf> {
        layers.slot_users?.in_the_way(&self.grants.read, &self.scope.program, layers.view())
    }

    /// Returns the files and folders that belong to this bot, according to its command.
    pub(crate) fn owned_paths(&self) -> Vec<PathBuf> {
        self.scope.owned_paths()
    }

    /// Returns the folder that both bots use as a whole, so that the files of one can't be hidden from the other.
    pub fn shared_with(&self, other: &ReadAccess) -> Option<&Path> {
        let (folder, other_folder) = (self.scope.whole()?, other.scope.whole()?);
        let have_named_files = !self.scope.names_nothing() && !other.scope.names_nothing();
        (folder == other_folder && !have_named_files).then_some(folder)
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn read_scope(bot: &Bot, identity: &Identity, host: &Host) -> ReadScope {
    let program = match &identity.program {
        Program::ThisBinary => &host.binary,
        Program::File(file) => file,
    };
    let arguments = bot.command.iter().skip(1);
    let named_by = |name: &str| !matches!(name, "PATH" | "HOME");
    let values = bot.environment.iter().filter(|(name, _)| named_by(name)).map(|(_, value)| value);
    let is_own = bot.dir.is_some() && host.paths.folders == Folders::OfBots;
    ReadScope {
        // Paths are absolute because the launcher in a namespace is started in another folder.
        folder: absolute(&bot.folder),
        ownership: if is_own { Ownership::Own } else { Ownership::Shared },
        program_kind: match bot.command.get(1) {
            _ if !is_this_program(program, host) => ProgramKind::Installed,
            Some(word) if word == ADAPT => ProgramKind::Adapter,
            _ => ProgramKind::SingleFile,
        },
        program: absolute(program),
        words: arguments.chain(values).cloned().collect(),
        home: host.environment.home.clone().into(),
        path: std::env::split_paths(path_of(bot, &host.environment.path)).collect(),
        more: bot.read.iter().map(PathBuf::from).collect(),
    }
}

/// True if the program of a bot is this one, by its path or its resolved path.
fn is_this_program(program: &Path, host: &Host) -> bool {
    program == host.binary
        || matches!((program.canonicalize(), host.binary.canonicalize()), (Ok(its), Ok(this)) if its == this)
}
