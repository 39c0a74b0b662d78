//! A disk in memory that fails and loses data as real disks do.
//!
//! Written bytes are visible to everyone at once and outlive the process. They
//! outlive a power cut only if they were synced: otherwise they are lost, cut at
//! any byte, or replaced by zeros. The same holds for names in folders.

use std::collections::BTreeMap;
use std::fs::TryLockError;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use linesman::record::{Disk, DiskFile, Entry};

use crate::chance::Chance;

/// How a disk fails.
#[derive(Clone, Debug, Default)]
pub struct Trouble {
    /// The number of failing operations per thousand.
    pub errors: u64,
    /// The number of partial writes per thousand.
    pub short_writes: u64,
    /// The number of operations after which linesman, or the machine, dies during the next.
    pub dies_after: Option<u64>,
    /// The capacity in bytes.
    pub room: Option<usize>,
}

/// How linesman died.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Death {
    /// The process was killed.
    Killed,
    /// The whole machine lost power.
    PowerCut,
}

/// A disk; clones share it.
#[derive(Clone, Debug)]
pub struct SimDisk(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    chance: Chance,
    trouble: Trouble,
    operations: u64,
    died: bool,
    files: Vec<FileState>,
    /// The names as everyone sees them.
    names: BTreeMap<PathBuf, Node>,
    /// The names that surely outlive a power cut.
    durable_names: BTreeMap<PathBuf, Node>,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Node {
    Folder,
    File(usize),
}

#[derive(Clone, Debug, Default)]
struct FileState {
    seen: Vec<u8>,
    durable: Vec<u8>,
    locked: bool,
}

impl SimDisk {
    /// Creates an empty disk.
    pub fn new(chance: Chance) -> SimDisk {
        SimDisk(Arc::new(Mutex::new(State {
            chance,
            trouble: Trouble::default(),
            operations: 0,
            died: false,
            files: Vec::new(),
            names: BTreeMap::new(),
            durable_names: BTreeMap::new(),
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets how the disk fails from now on.
    pub fn set_trouble(&self, trouble: Trouble) {
        let mut state = self.state();
        state.operations = 0;
        state.trouble = trouble;
    }

    /// True if linesman has died during an operation.
    pub fn has_died(&self) -> bool {
        self.state().died
    }

    /// Returns a file's content as everyone sees it.
    pub fn content(&self, path: &Path) -> Vec<u8> {
        let state = self.state();
        state.file(path).map(|file| state.files[file].seen.clone()).unwrap_or_default()
    }

    /// Returns a file's worst possible content after a power cut.
    pub fn durable_content(&self, path: &Path) -> Vec<u8> {
        let state = self.state();
        let is_named = path
            .ancestors()
            .all(|path| path.file_name().is_none() || state.durable_names.get(path) == state.names.get(path));
        match state.file(path) {
            Some(file) if is_named => state.files[file].durable.clone(),
            _ => Vec::new(),
        }
    }

    /// Applies the losses of linesman's death, before it is started again.
    pub fn restart(&self, death: Death) {
        let mut state = self.state();
        state.died = false;
        state.trouble = Trouble::default();
        state.files.iter_mut().for_each(|file| file.locked = false);
        if death == Death::PowerCut {
            state.lose();
        }
    }
}

impl State {
    fn file(&self, path: &Path) -> Option<usize> {
        match self.names.get(path) {
            Some(Node::File(file)) => Some(*file),
            _ => None,
        }
    }

    /// Loses all or some of what was not synced.
    fn lose(&mut self) {
        for file in &mut self.files {
            let common = file.seen.iter().zip(&file.durable).take_while(|(a, b)| a == b).count();
            let mut kept = if common == file.durable.len() {
                // Any part of what was written and not synced is kept.
                let rest = self.chance.up_to(file.seen.len() - common);
                file.seen[..common + rest].to_vec()
            } else if self.chance.hits(500) {
                file.durable.clone()
            } else {
                // The truncation is kept, and perhaps what was written after it.
                let rest = self.chance.up_to(file.seen.len() - common);
                file.seen[..common + rest].to_vec()
            };
            if kept.len() < file.seen.len() && self.chance.hits(250) {
                // The new length is kept, and the data is not.
                let zeros = self.chance.up_to(file.seen.len() - kept.len());
                kept.resize(kept.len() + zeros, 0);
            }
            file.seen.clone_from(&kept);
            file.durable = kept;
        }
        // Each unsynced change of a name is kept or not.
        let paths: Vec<PathBuf> = self.names.keys().chain(self.durable_names.keys()).cloned().collect();
        for path in paths {
            let (seen, durable) = (self.names.get(&path).copied(), self.durable_names.get(&path).copied());
            if seen != durable {
                let kept = if self.chance.hits(500) { seen } else { durable };
                set(&mut self.names, &path, kept);
            }
        }
        // The contents of a lost folder are lost.
        let names = self.names.clone();
        self.names.retain(|path, _| {
            let mut around = path.ancestors().skip(1).filter(|path| path.file_name().is_some());
            around.all(|folder| names.contains_key(folder))
        });
        self.durable_names = self.names.clone();
    }

    /// Starts every operation. An error is either the disk's or the last
    /// thing before linesman's death.
    fn operate(&mut self) -> io::Result<Fate> {
        if self.died {
            return Err(io::Error::other("the machine is off"));
        }
        self.operations += 1;
        if self.trouble.dies_after.is_some_and(|after| self.operations > after) {
            self.died = true;
            return Ok(Fate::Dies);
        }
        let errors = self.trouble.errors;
        Ok(if self.chance.hits(errors) { Fate::Fails } else { Fate::Works })
    }

    /// Runs an atomic operation.
    fn all_or_nothing<T>(&mut self, work: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        match self.operate()? {
            Fate::Works => work(self),
            Fate::Fails => Err(io::Error::other("the disk failed")),
            Fate::Dies => {
                if self.chance.hits(500) {
                    let _ = work(self);
                }
                Err(io::Error::other("the machine went off"))
            }
        }
    }

    fn room(&self) -> usize {
        let used: usize = self.files.iter().map(|file| file.seen.len()).sum();
        self.trouble.room.map_or(usize::MAX, |room| room.saturating_sub(used))
    }

    fn create(&mut self, path: &Path, emptied: bool) -> io::Result<usize> {
        let folder = path.parent().unwrap_or(Path::new("/"));
        if folder.file_name().is_some() && self.names.get(folder) != Some(&Node::Folder) {
            return Err(io::ErrorKind::NotFound.into());
        }
        match self.names.get(path) {
            Some(Node::Folder) => Err(io::ErrorKind::IsADirectory.into()),
            Some(Node::File(file)) => {
                let file = *file;
                if emptied {
                    self.files[file].seen.clear();
                }
                Ok(file)
            }
            None => {
                self.files.push(FileState::default());
                let file = self.files.len() - 1;
                self.names.insert(path.to_owned(), Node::File(file));
                Ok(file)
            }
        }
    }
}

enum Fate {
    Works,
    Fails,
    Dies,
}

fn set(names: &mut BTreeMap<PathBuf, Node>, path: &Path, node: Option<Node>) {
    match node {
        Some(node) => names.insert(path.to_owned(), node),
        None => names.remove(path),
    };
}

impl Disk for SimDisk {
    fn append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let file = self.state().all_or_nothing(|state| state.create(path, false))?;
        Ok(Box::new(SimFile { disk: self.clone(), file }))
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let file = self.state().all_or_nothing(|state| state.create(path, true))?;
        Ok(Box::new(SimFile { disk: self.clone(), file }))
    }

    fn read(&self, path: &Path) -> io::Result<Box<dyn Read>> {
        let mut state = self.state();
        let bytes = state.all_or_nothing(|state| match state.names.get(path) {
            Some(Node::File(file)) => Ok(state.files[*file].seen.clone()),
            Some(Node::Folder) => Err(io::ErrorKind::IsADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        })?;
        if state.trouble.errors > 0 && state.chance.hits(20) {
            let broken = state.chance.up_to(bytes.len());
            return Ok(Box::new(Cursor::new(bytes).take(broken as u64).chain(Broken)));
        }
        Ok(Box::new(Cursor::new(bytes)))
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        self.state().all_or_nothing(|state| Ok(state.names.contains_key(path)))
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.state().all_or_nothing(|state| {
            for folder in path.ancestors().filter(|folder| folder.file_name().is_some()) {
                state.names.insert(folder.to_owned(), Node::Folder);
            }
            Ok(())
        })
    }

    fn entries(&self, path: &Path) -> io::Result<Vec<Entry>> {
        self.state().all_or_nothing(|state| {
            match state.names.get(path) {
                Some(Node::Folder) => {}
                Some(Node::File(_)) => return Err(io::ErrorKind::NotADirectory.into()),
                None => return Err(io::ErrorKind::NotFound.into()),
            }
            let inside = state.names.iter().filter(|(name, _)| name.parent() == Some(path));
            let entry = |(name, node): (&PathBuf, &Node)| Entry {
                name: name.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                length: Some(match node {
                    Node::File(file) => state.files[*file].seen.len() as u64,
                    Node::Folder => 4_096,
                }),
            };
            Ok(inside.map(entry).collect())
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.state().all_or_nothing(|state| {
            let node = state.names.remove(from).ok_or(io::ErrorKind::NotFound)?;
            state.names.insert(to.to_owned(), node);
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.state().all_or_nothing(|state| {
            state.names.remove(path).ok_or(io::ErrorKind::NotFound)?;
            Ok(())
        })
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.state().all_or_nothing(|state| {
            // Only this entry, although a real disk can sync more.
            let node = state.names.get(path).copied();
            set(&mut state.durable_names, path, node);
            Ok(())
        })
    }
}

/// The unreadable rest of a file.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk failed in reading"))
    }
}

#[derive(Debug)]
struct SimFile {
    disk: SimDisk,
    file: usize,
}

impl DiskFile for SimFile {
    fn length(&self) -> io::Result<Option<u64>> {
        self.disk.state().all_or_nothing(|state| Ok(Some(state.files[self.file].seen.len() as u64)))
    }

    fn try_lock(&self) -> Result<(), TryLockError> {
        let mut state = self.disk.state();
        let locked =
            state.all_or_nothing(|state| Ok(std::mem::replace(&mut state.files[self.file].locked, true)));
        match locked {
            Ok(false) => Ok(()),
            Ok(true) => panic!("the file is locked although nobody is there"),
            Err(error) => Err(TryLockError::Error(error)),
        }
    }

    fn unlock(&self) -> io::Result<()> {
        // Closing unlocks at the latest.
        self.disk.state().files[self.file].locked = false;
        Ok(())
    }

    fn read_at(&self, start: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.disk.state().all_or_nothing(|state| {
            let max = 1 + state.chance.up_to(buffer.len());
            let rest = state.files[self.file].seen.get(start as usize..).unwrap_or_default();
            let count = rest.len().min(buffer.len()).min(max);
            buffer[..count].copy_from_slice(&rest[..count]);
            Ok(count)
        })
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.disk.state();
        let fate = state.operate()?;
        let room = state.room();
        let short_writes = state.trouble.short_writes;
        let max = match fate {
            Fate::Works if !state.chance.hits(short_writes) => bytes.len(),
            Fate::Works => 1 + state.chance.up_to(bytes.len().saturating_sub(1)),
            Fate::Fails | Fate::Dies => state.chance.up_to(bytes.len()),
        };
        let count = max.min(bytes.len()).min(room);
        let file = &mut state.files[self.file].seen;
        file.extend_from_slice(&bytes[..count]);
        match fate {
            Fate::Dies => Err(io::Error::other("the machine went off")),
            Fate::Fails if count < bytes.len() || count == 0 => {
                Err(io::Error::other("the disk failed in writing"))
            }
            Fate::Fails | Fate::Works if count > 0 || bytes.is_empty() => Ok(count),
            Fate::Fails | Fate::Works => Err(io::ErrorKind::StorageFull.into()),
        }
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.disk.state().all_or_nothing(|state| {
            state.files[self.file].seen.resize(length as usize, 0);
            Ok(())
        })
    }

    fn sync(&self) -> io::Result<()> {
        self.disk.state().all_or_nothing(|state| {
            let file = &mut state.files[self.file];
            file.durable.clone_from(&file.seen);
            Ok(())
        })
    }
}

impl Drop for SimFile {
    fn drop(&mut self) {
        // Unlocks without an operation, since the system does it even if linesman has died.
        self.disk.state().files[self.file].locked = false;
    }
}
