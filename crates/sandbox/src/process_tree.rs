//! The processes of one bot, found from its supervisor down.
//!
//! The kernel lists the children of each thread, so a bot of one process is found by reading two small files.
//! A walk of all of `/proc` is needed only if the kernel was built without those lists.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use rustix::process::{Pid, Signal, kill_process};

use super::procfs::{Process, processes};
use super::stoppable::Processes;

/// The environment variable that identifies a bot's processes when nothing else does.
pub(crate) const TOKEN: &str = "LINESMAN_SLOT";

/// Maximum number of passes in search of new processes. Processes that fork faster are stopped by the next call.
const MAX_PASSES: usize = 10;

/// The place of a bot's processes in the process tree.
#[derive(Debug)]
pub(super) struct ProcessTree {
    root: Pid,
    depth: usize,
    known: OnceLock<KnownProcesses>,
}

/// The processes that do not change as long as the bot lives.
#[derive(Copy, Clone, Debug)]
struct KnownProcesses {
    supervisor: Pid,
    main: Pid,
}

impl ProcessTree {
    /// Creates the tree of a bot below `root`, the process that we started. `depth` is the number of our
    /// processes in the chain from there to the bot: the supervisor and those around it.
    pub(super) fn below(root: Pid, depth: usize) -> ProcessTree {
        ProcessTree { root, depth, known: OnceLock::new() }
    }

    /// Returns the last of our processes: everything below it is the bot's.
    fn supervisor(&self) -> Option<Pid> {
        self.chain().nth(self.depth.saturating_sub(1))
    }

    /// Returns the supervisor that was found first, for reading only: after its end another process may have its id.
    pub(super) fn known_supervisor(&self) -> Option<Pid> {
        if let Some(known) = self.known.get() {
            return Some(known.supervisor);
        }
        let supervisor = self.supervisor()?;
        // At the start another process may be in its place. The main process is listed before those that it orphans.
        if let Some(main) = Process::of(supervisor).children().and_then(|bots| bots.first().copied()) {
            return Some(self.known.get_or_init(|| KnownProcesses { supervisor, main }).supervisor);
        }
        Some(supervisor)
    }

    /// Returns the last of our processes that exists so far.
    pub(super) fn starter(&self) -> Option<Pid> {
        self.chain().take(self.depth).last()
    }

    /// Returns our first process, its first child, and so on.
    fn chain(&self) -> impl Iterator<Item = Pid> {
        std::iter::successors(Some(self.root), |pid| first_child(*pid))
    }

    /// Returns true if the bot's main process has ended or is exiting. Its supervisor and other processes may live on.
    pub(super) fn is_ending(&self) -> bool {
        let Some(supervisor) = self.supervisor() else { return true };
        let Some(children) = Process::of(supervisor).children() else { return false };
        let main = self.known.get().map_or(children.first().copied(), |known| Some(known.main));
        let Some(main) = main.filter(|main| children.contains(main)).map(Process::of) else { return true };
        // The main thread may end before the others.
        main.stat().is_none_or(|stat| stat.is_exiting()) && main.threads().len() < 2
    }

    /// Returns the bot's processes, parents before their children; empty if it has ended.
    pub(super) fn processes(&self) -> Vec<Pid> {
        self.supervisor().map(descendants).unwrap_or_default()
    }
}

impl Processes for ProcessTree {
    /// Stops all processes until a pass finds no new one: one may have forked before the signal reached it.
    fn stop(&self) {
        let mut stopped = HashSet::new();
        for _ in 0..MAX_PASSES {
            let mut is_new = false;
            for pid in self.processes() {
                if stopped.insert(pid) {
                    is_new = true;
                    // A process that is gone needs no signal.
                    let _ = kill_process(pid, Signal::STOP);
                }
            }
            if !is_new {
                return;
            }
        }
    }

    fn go_on(&self) {
        for pid in self.processes() {
            // A process that is gone needs no signal.
            let _ = kill_process(pid, Signal::CONT);
        }
    }
}

/// Returns the processes below this one, parents before their children.
pub(crate) fn descendants(root: Pid) -> Vec<Pid> {
    let Some(mut found) = Process::of(root).children() else { return walk(root) };
    let mut next = 0;
    while let Some(pid) = found.get(next).copied() {
        next += 1;
        // A process that has ended meanwhile has no children.
        for child in Process::of(pid).children().unwrap_or_default() {
            // A process that gets another parent meanwhile may be found twice.
            if !found.contains(&child) {
                found.push(child);
            }
        }
    }
    found
}

/// Finds the same through the parents of all processes on the system.
fn walk(root: Pid) -> Vec<Pid> {
    let mut children: HashMap<Pid, Vec<Pid>> = HashMap::new();
    for pid in processes() {
        if let Some(parent) = parent(pid) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut next = vec![root];
    while let Some(parent) = next.pop() {
        let below = children.remove(&parent).unwrap_or_default();
        found.extend(&below);
        next.extend(below);
    }
    found
}

pub(crate) fn first_child(of: Pid) -> Option<Pid> {
    match Process::of(of).children() {
        Some(children) => children.first().copied(),
        None => processes().find(|pid| parent(*pid) == Some(of)),
    }
}

fn parent(pid: Pid) -> Option<Pid> {
    Process::of(pid).stat()?.parent
}

/// Returns every process with this token in its environment.
pub(crate) fn with_token(token: &str) -> Vec<Pid> {
    processes()
        .filter(|pid| Process::of(*pid).has_variable(TOKEN, |value| value == token.as_bytes()))
        .collect()
}

/// Kills these processes. Ignores those that are gone already.
pub(crate) fn kill_all(processes: &[Pid]) {
    for pid in processes {
        let _ = kill_process(*pid, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::shell;

    #[test]
    fn all_processes_below_ours_are_found_and_none_of_ours() {
        // A shell as the supervisor, a bot, and its child.
        let mut child = shell("exec 3<&0; sh -c 'sh -c \"echo; read x\" <&3 & wait' & wait");
        let root = Pid::from_child(&child);
        let tree = ProcessTree::below(root, 1);
        let processes = tree.processes();
        assert_eq!(processes.len(), 2, "{processes:?}");
        assert!(!processes.contains(&root));
        let mut all = walk(root);
        let mut found = processes.clone();
        all.sort_unstable_by_key(|pid| pid.as_raw_pid());
        found.sort_unstable_by_key(|pid| pid.as_raw_pid());
        assert_eq!(found, all);
        assert_eq!(tree.known_supervisor().map(descendants), Some(processes.clone()));
        // With one more process of ours above the bot.
        assert_eq!(ProcessTree::below(root, 2).processes(), processes[1..]);
        kill_all(&descendants(root));
        child.kill().expect("it can be killed");
        child.wait().expect("it can be waited for");
        assert!(tree.processes().is_empty());
    }

    #[test]
    fn a_bot_that_has_not_been_reaped_counts_as_ended() {
        // A supervisor that never reaps: a shell that has become another program.
        let mut child = shell("exec 3<&0; { echo; read x <&3; } & exec cat");
        let tree = ProcessTree::below(Pid::from_child(&child), 1);
        assert!(!tree.is_ending(), "it lives");
        let [bot] = tree.processes()[..] else { panic!("the bot is one process") };
        kill_all(&[bot]);
        // It takes a moment to die; the outer bound of the tests ends this if it never does.
        while !tree.is_ending() {
            std::thread::yield_now();
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it can be waited for");
        assert!(tree.is_ending(), "nothing is left");
    }
}
