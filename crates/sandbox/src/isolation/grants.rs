//! The files that a bot may read, without those that belong to others.
//!
//! Neither Landlock nor a mount can exclude a part of a folder. So a folder with a hidden entry is not
//! granted as a whole: each of its other entries is. The folder itself can be listed, because programs look
//! for their modules there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::read_scope::{ReadScope, tidy};

/// Maximum number of entries of a folder with a hidden entry. In a larger one only the named files can be read.
const MAX_ENTRIES: usize = 1_000;

/// The paths that a bot may read, besides [`SYSTEM_FILES`](super::SYSTEM_FILES).
#[derive(Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Grants {
    /// Files and folders, each with its content.
    pub read: Vec<PathBuf>,
    /// Folders that it may list.
    pub list: Vec<PathBuf>,
}

/// Paths that a bot may not read, although they are in folders that it may read.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Hidden {
    /// The league's own files and folders.
    pub private: Vec<PathBuf>,
    /// Paths of other bots. The tournament file (`read`) may still grant them.
    pub others: Vec<PathBuf>,
}

impl ReadScope {
    /// Returns the paths in this scope that the bot may read.
    pub fn grants(&self, hidden: &Hidden) -> Grants {
        let around = [&self.folder, &self.folder.join(&self.program)].map(|path| real(path));
        let own: Vec<PathBuf> = self.owned_paths().iter().map(|path| real(path)).chain(around).collect();
        // A bot's own files may be in a folder of the league.
        let private = hidden.private.iter().map(|path| real(path));
        let is_around_own = |path: &PathBuf| own.iter().any(|owned| owned.starts_with(path) && owned != path);
        let private: Vec<PathBuf> = private.filter(|path| !is_around_own(path)).collect();
        // A path that both name belongs to both. Another bot's claim to a folder around a bot's own path hides nothing.
        let others = hidden.others.iter().map(|path| real(path));
        let others = others.filter(|other| !own.iter().any(|owned| owned.starts_with(other)));
        let all: Vec<PathBuf> = private.iter().cloned().chain(others).collect();
        let mut grants = Grants::default();
        let named = self.named();
        let is_hidden = |path: &PathBuf| {
            let path = real(path);
            all.iter().any(|hidden| path.starts_with(hidden))
        };
        for path in self.paths() {
            if !is_hidden(&path) {
                grants.add(&path, &all);
            }
        }
        // In a folder with too many entries only the named files can be read.
        grants.read.extend(named.into_iter().filter(|path| path.is_file() && !is_hidden(path)));
        for path in self.added() {
            grants.add(&path, &private);
        }
        grants.read = tidy(grants.read);
        grants.list = tidy(grants.list);
        grants
    }
}

impl Grants {
    fn add(&mut self, path: &Path, hidden: &[PathBuf]) {
        let place = real(path);
        if !hidden.iter().any(|hidden| hidden.starts_with(&place) && *hidden != place) {
            return self.read.push(path.to_owned());
        }
        self.list.push(path.to_owned());
        let Ok(entries) = std::fs::read_dir(path) else { return };
        let entries: Vec<PathBuf> =
            entries.flatten().map(|entry| entry.path()).take(MAX_ENTRIES + 1).collect();
        if entries.len() > MAX_ENTRIES {
            return;
        }
        for entry in entries {
            // A link is granted only if its target is inside the folder.
            let is_inside = entry.canonicalize().is_ok_and(|entry| entry.starts_with(&place));
            let target = real(&entry);
            if is_inside && !hidden.iter().any(|hidden| target.starts_with(hidden)) {
                self.add(&entry, hidden);
            }
        }
    }
}

/// Returns a path with its links resolved, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let path = super::plain(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
    let existing = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    match existing {
        Some((above, found)) => match path.strip_prefix(above) {
            Ok(rest) if rest != OsStr::new("") => found.join(rest),
            _ => found,
        },
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isolation::{Ownership, ProgramKind};

    struct Host(tempfile::TempDir);

    impl Host {
        fn new(files: &[&str]) -> Host {
            let host = Host(tempfile::tempdir().expect("a folder can be made"));
            for file in files {
                let path = host.at(file);
                std::fs::create_dir_all(path.parent().expect("it has one")).expect("folders can be made");
                std::fs::write(path, "").expect("a file can be written");
            }
            host
        }

        fn at(&self, path: &str) -> PathBuf {
            self.0.path().join(path)
        }

        fn scope(&self, folder: &str, words: &[&str]) -> ReadScope {
            ReadScope {
                folder: self.at(folder),
                program: "/usr/bin/python3".into(),
                words: words.iter().map(|word| (*word).to_owned()).collect(),
                home: self.at("home"),
                ..ReadScope::default()
            }
        }

        /// Checks what the first bot may read in a league in `cup` with the second one.
        #[track_caller]
        fn check(&self, one: &ReadScope, other: &ReadScope, read: &[&str], list: &[&str]) {
            let private = vec![self.at("cup/cup.toml"), self.at("cup/runs")];
            let grants = one.grants(&Hidden { private, others: other.owned_paths() });
            let shown = |paths: &[PathBuf]| -> Vec<String> {
                let inside = paths.iter().filter_map(|path| path.strip_prefix(self.0.path()).ok());
                inside.map(|path| path.display().to_string()).collect()
            };
            assert_eq!(shown(&grants.read), read);
            assert_eq!(shown(&grants.list), list);
        }
    }

    #[test]
    fn bots_side_by_side_read_their_folder_but_not_each_other() {
        let host = Host::new(&[
            "cup/a.py",
            "cup/b.py",
            "cup/helper.py",
            "cup/net/x",
            "cup/cup.toml",
            "cup/runs/c/g",
        ]);
        let (one, other) = (host.scope("cup", &["a.py"]), host.scope("cup", &["b.py"]));
        host.check(&one, &other, &["cup/a.py", "cup/helper.py", "cup/net"], &["cup"]);
        host.check(&other, &one, &["cup/b.py", "cup/helper.py", "cup/net"], &["cup"]);
        // A bot that names nothing may read as much.
        let nameless = host.scope("cup", &["-m", "helper"]);
        host.check(&nameless, &one, &["cup/b.py", "cup/helper.py", "cup/net"], &["cup"]);
        // A path that both name belongs to both.
        host.check(&one, &one, &["cup/a.py", "cup/b.py", "cup/helper.py", "cup/net"], &["cup"]);
    }

    #[test]
    fn a_bots_own_folder_is_granted_without_another_bot_in_it() {
        let host =
            Host::new(&["cup/ada/bot.py", "cup/ada/old/bot.py", "cup/ada/net", "cup/cup.toml", "cup/x"]);
        let own = ReadScope { ownership: Ownership::Own, ..host.scope("cup/ada", &["bot.py"]) };
        let old = host.scope("cup", &["ada/old/bot.py"]);
        host.check(&own, &old, &["cup/ada/bot.py", "cup/ada/net"], &["cup/ada"]);
        host.check(&old, &own, &["cup/ada/old"], &[]);
        // The league's own files stay hidden, wherever a bot is.
        let all = ReadScope { ownership: Ownership::Own, ..host.scope("cup", &["ada/bot.py"]) };
        host.check(&all, &old, &["cup/ada/bot.py", "cup/ada/net", "cup/x"], &["cup"]);
    }

    #[test]
    fn the_tournament_file_may_add_paths_of_other_bots_but_not_of_the_league() {
        let host = Host::new(&["cup/ada/bot.py", "cup/bob/bot.py", "cup/cup.toml", "cup/runs/c/g"]);
        let other = host.scope("cup", &["bob/bot.py"]);
        let one = ReadScope { more: vec!["bob".into()], ..host.scope("cup", &["ada/bot.py"]) };
        host.check(&one, &other, &["cup/ada", "cup/bob"], &[]);
        let one = ReadScope { more: vec![".".into()], ..one };
        host.check(&one, &other, &["cup/ada", "cup/bob"], &["cup"]);
        let one = ReadScope { more: vec!["runs/c/g".into()], ..one };
        host.check(&one, &other, &["cup/ada", "cup/runs/c/g"], &[]);
    }

    #[test]
    fn links_to_hidden_paths_are_not_granted() {
        let host = Host::new(&["cup/a.py", "cup/b.py", "cup/cup.toml", "secret"]);
        for (target, link) in [("b.py", "cup/way"), ("../secret", "cup/out"), ("a.py", "cup/also")] {
            std::os::unix::fs::symlink(target, host.at(link)).expect("a link can be made");
        }
        let (one, other) = (host.scope("cup", &["a.py"]), host.scope("cup", &["b.py"]));
        host.check(&one, &other, &["cup/a.py", "cup/also"], &["cup"]);
    }

    #[test]
    fn in_a_folder_with_too_many_entries_only_named_files_are_read() {
        let host = Host::new(&["cup/a.py", "cup/b.py", "cup/cup.toml"]);
        for number in 0..MAX_ENTRIES {
            std::fs::write(host.at(&format!("cup/{number}.txt")), "").expect("a file can be written");
        }
        let (one, other) = (host.scope("cup", &["a.py"]), host.scope("cup", &["b.py"]));
        host.check(&one, &other, &["cup/a.py"], &["cup"]);
    }

    #[test]
    fn a_built_in_bot_needs_no_folder_and_has_none_to_hide() {
        let host = Host::new(&["cup/a.py", "cup/cup.toml", "cup/random/x", "bin/linesman"]);
        let program = host.at("bin/linesman");
        let own = ReadScope {
            program,
            program_kind: ProgramKind::SingleFile,
            ..host.scope("cup", &["bot", "random"])
        };
        host.check(&own, &host.scope("cup", &["a.py"]), &["bin/linesman"], &[]);
        assert!(own.owned_paths().is_empty());
    }
}
