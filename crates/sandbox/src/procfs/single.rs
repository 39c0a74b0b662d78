//! A single-threaded process that is the only one below another.

use std::fs::File;

use rustix::process::Pid;

use super::{Process, Stat, pids, text_of};

/// Its files, kept open: opening a file of `/proc` costs several times as much as reading it.
///
/// An open file describes only the process that it was opened for, even if another process has the same id later.
#[derive(Debug)]
pub(crate) struct SingleProcess {
    pid: Pid,
    /// The list of its parent's children.
    siblings: File,
    children: File,
    stat: File,
}

impl SingleProcess {
    /// Opens the files of `pid`, a child of `parent`. Both must have one thread: each thread has a list of children.
    pub(crate) fn open(parent: Pid, pid: Pid) -> Option<SingleProcess> {
        let open = |pid: Pid, name| File::open(Process::of(pid).by_thread(pid).path(name)).ok();
        Some(SingleProcess {
            pid,
            siblings: open(parent, "children")?,
            children: open(pid, "children")?,
            stat: File::open(Process::of(pid).path("stat")).ok()?,
        })
    }

    pub(crate) fn pid(&self) -> Pid {
        self.pid
    }

    /// Reads its `stat`; `None` if it is no longer the only process, has a second thread, or has ended.
    pub(crate) fn stat(&self) -> Option<Stat> {
        let mut buffer = [0; 2048];
        if !is_only(text_of(&self.siblings, &mut buffer)?, self.pid) {
            return None;
        }
        if !text_of(&self.children, &mut buffer)?.trim_ascii().is_empty() {
            return None;
        }
        // Each thread has children of its own, so the threads are counted after them.
        let stat = Stat::parse(text_of(&self.stat, &mut buffer)?.as_bytes())?;
        (stat.threads == 1).then_some(stat)
    }
}

/// Returns true if a list consists of this process alone.
fn is_only(list: &str, pid: Pid) -> bool {
    let mut all = pids(list);
    all.next() == Some(pid) && all.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_one_is_recognised() {
        let is_only_12 = |list| is_only(list, Pid::from_raw(12).expect("not zero"));
        assert!(is_only_12("12 "));
        assert!(!is_only_12("12 13 ") && !is_only_12("") && !is_only_12("121 "));
    }
}
