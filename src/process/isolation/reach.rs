//! Which files and folders a bot needs to read, as its command tells.

use std::path::PathBuf;

/// What is known of a bot and of this host, from which follows what it may read.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Reach {
    /// The bot's folder.
    pub folder: PathBuf,
    /// The words of its command; the first is the program's file.
    pub words: Vec<PathBuf>,
    /// The user's home folder.
    pub home: PathBuf,
    /// The folders in which programs are looked up.
    pub path: Vec<PathBuf>,
    /// What the tournament file adds.
    pub more: Vec<PathBuf>,
}

impl Reach {
    /// All that the bot may read and execute.
    pub fn paths(&self) -> Vec<PathBuf> {
        let mut all = vec![self.folder.clone()];
        all.extend(self.words.iter().filter(|word| word.exists()).cloned());
        all.extend(self.more.iter().cloned());
        all
    }
}
