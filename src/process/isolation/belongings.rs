//! What a bot is given for as long as it lives.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

use super::{Leaf, SlotUser};
use crate::process::cage::Orders;
use crate::process::command::Command;

/// What one running bot has, and what is taken back when all of it has ended.
#[derive(Debug, Default)]
pub(crate) struct Belongings {
    /// Its cgroup.
    pub(crate) leaf: Option<Leaf>,
    /// Its user.
    pub(crate) user: Option<SlotUser>,
    /// Its folder to write in.
    pub(crate) scratch: Option<Scratch>,
}

/// A folder of a bot's own, removed with all that is in it.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// The folder.
    pub(crate) folder: std::path::PathBuf,
}

impl Belongings {
    /// Gets ready what the layers of a bot need.
    pub(crate) fn get(command: &Command, token: &str) -> io::Result<Belongings> {
        let Some(isolation) = &command.isolation else { return Ok(Belongings::default()) };
        let layers = &isolation.layers;
        let leaf = layers.cgroup.as_ref().map(|tree| tree.leaf(token, &isolation.policy)).transpose()?;
        let user = match &layers.slot_users {
            None => None,
            Some(users) => {
                let user = users.take();
                Some(user.ok_or_else(|| io::Error::other("all users for bots are taken"))?)
            }
        };
        Ok(Belongings { leaf, user, scratch: None })
    }

    /// The words before the launcher's command.
    pub(crate) fn prefix(&self, command: &Command) -> Vec<OsString> {
        let isolation = command.isolation.as_ref();
        let bubblewrap =
            isolation.and_then(|isolation| Some((isolation.layers.bubblewrap.as_ref()?, isolation)));
        bubblewrap.map_or_else(Vec::new, |(bubblewrap, isolation)| bubblewrap.prefix(command, isolation))
    }

    /// The descriptor by which the launcher joins its cgroup.
    pub(crate) fn door(&self) -> Option<BorrowedFd<'_>> {
        self.leaf.as_ref().map(|leaf| leaf.door())
    }

    /// The orders with what only these belongings know.
    pub(crate) fn complete(&self, orders: Orders) -> Orders {
        Orders {
            door: self.door().map(|door| door.as_raw_fd()),
            user: self.user.as_ref().map(SlotUser::id),
            scratch: self.scratch.as_ref().map(|scratch| scratch.folder.clone()),
            ..orders
        }
    }

    /// Ends what lives in the bot's cgroup.
    pub(crate) fn kill(&self) {
        self.leaf.iter().for_each(Leaf::kill);
    }

    /// Takes all of it back, when nothing of the bot lives any more.
    pub(crate) fn give_back(&mut self) {
        if let Some(leaf) = self.leaf.take() {
            leaf.remove();
        }
        self.user = None;
        self.scratch = None;
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What can't be removed is of no use to anybody either.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
