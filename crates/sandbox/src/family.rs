//! The processes of one bot, found from its supervisor downwards.
//!
//! The kernel lists the children of each thread, so that a bot of one process
//! is found by reading two small files; a walk of all of `/proc` is needed only
//! where the kernel was built without those lists.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::OnceLock;

use rustix::process::{Pid, getpid};

use super::tree;

/// Where the processes of a bot are.
#[derive(Debug)]
pub(super) struct Family {
    root: Pid,
    ours: usize,
    known: OnceLock<Known>,
}

/// The part that does not change as long as the bot lives.
#[derive(Copy, Clone, Debug)]
struct Known {
    /// The last of our processes.
    reaper: i32,
    /// The bot's main process.
    main: i32,
}

impl Family {
    /// The bot's below the process that we started. `ours` is how many processes of ours
    /// stand one below the other from there on before the bot's begin: the supervisor, and
    /// what else holds it.
    pub(super) fn below(root: Pid, ours: usize) -> Family {
        Family { root, ours, known: OnceLock::new() }
    }

    /// The last of our processes: all that is below it is the bot's.
    fn reaper(&self) -> Option<i32> {
        self.chain().nth(self.ours.saturating_sub(1))
    }

    /// The last of our processes as it was once found, for who only wants to know
    /// something: its number may belong to another one after its end.
    pub(super) fn known_reaper(&self) -> Option<i32> {
        if let Some(known) = self.known.get() {
            return Some(known.reaper);
        }
        let reaper = self.reaper()?;
        // While all is being started a process may stand there that does not stay. The bot's
        // main process is listed before those that it abandons.
        if let Some(main) = children(reaper).and_then(|bots| bots.first().copied()) {
            return Some(self.known.get_or_init(|| Known { reaper, main }).reaper);
        }
        Some(reaper)
    }

    /// The last of our processes that is there yet.
    pub(super) fn starter(&self) -> Option<i32> {
        self.chain().take(self.ours).last()
    }

    /// Our first process, its first child, and so on.
    fn chain(&self) -> impl Iterator<Item = i32> {
        let first = Some(number(self.root));
        std::iter::successors(first, |pid| children(*pid)?.first().copied())
    }

    /// True if the bot's main process has ended or is exiting. Its supervisor may not have
    /// come to run since, and other processes of the bot may live on.
    pub(super) fn is_ending(&self) -> bool {
        let Some(reaper) = self.reaper() else { return true };
        let Some(children) = children(reaper) else { return false };
        let main = self.known.get().map_or(children.first().copied(), |known| Some(known.main));
        let Some(main) = main.filter(|main| children.contains(main)) else { return true };
        // The main thread may end before the others.
        stat(main).is_none_or(|fields| is_exiting(&fields)) && threads(main).len() < 2
    }

    /// The bot's processes, parents before their children; none when it has ended.
    pub(super) fn members(&self) -> Vec<i32> {
        self.reaper().map(members_below).unwrap_or_default()
    }
}

/// The processes below this one, parents before their children.
pub(super) fn members_below(reaper: i32) -> Vec<i32> {
    let Some(mut found) = children(reaper) else {
        let found = Pid::from_raw(reaper).map(tree::descendants).unwrap_or_default();
        return found.into_iter().map(number).collect();
    };
    let mut next = 0;
    while let Some(pid) = found.get(next).copied() {
        next += 1;
        // A process that has ended since has no children any more.
        for child in children(pid).unwrap_or_default() {
            if !found.contains(&child) {
                found.push(child);
            }
        }
    }
    found
}

/// Whether a process has ended, or is in the course of ending: its streams are
/// closed a while before it is out of the table, on a busy machine a long while.
fn is_exiting(stat: &str) -> bool {
    const PF_EXITING: u32 = 0x4;
    let mut fields = stat.split_ascii_whitespace();
    let state = fields.next();
    let flags = fields.nth(5).and_then(|flags| flags.parse::<u32>().ok());
    matches!(state, Some("Z" | "X")) || flags.is_some_and(|flags| flags & PF_EXITING != 0)
}

fn number(pid: Pid) -> i32 {
    pid.as_raw_nonzero().get()
}

/// The children of all threads of a process; none if the kernel does not list them.
fn children(of: i32) -> Option<Vec<i32>> {
    if !are_children_listed() {
        return None;
    }
    let mut found = Vec::new();
    for thread in threads(of) {
        let Some(text) = read_small(&format!("/proc/{of}/task/{thread}/children")) else { continue };
        found.extend(numbers(&text));
    }
    Some(found)
}

fn are_children_listed() -> bool {
    static LISTED: OnceLock<bool> = OnceLock::new();
    *LISTED.get_or_init(|| {
        let own = number(getpid());
        File::open(format!("/proc/{own}/task/{own}/children")).is_ok()
    })
}

/// The threads of a process.
pub(super) fn threads(of: i32) -> Vec<i32> {
    let folder = format!("/proc/{of}/task");
    // Each is a link of this folder, beside the two that every folder has: of a process of
    // one thread that is known without a list.
    if std::fs::metadata(&folder).is_ok_and(|folder| folder.nlink() == 3) {
        return vec![of];
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

fn numbers(text: &str) -> impl Iterator<Item = i32> {
    text.split_ascii_whitespace().filter_map(|word| word.parse().ok())
}

/// A file of `/proc`; nothing if it is gone. One call of `read` is enough for
/// all that is short, and what is long is read to its end.
pub(super) fn read_small(path: &str) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let mut buffer = [0; 2048];
    let count = file.read(&mut buffer).ok()?;
    let mut bytes = buffer[..count].to_vec();
    if count > buffer.len() / 2 {
        file.read_to_end(&mut bytes).ok()?;
    }
    String::from_utf8(bytes).ok().or_else(|| Some(String::new()))
}

/// The fields of `/proc/PID/stat` after the process's name, which may hold
/// anything. The first of them is the state.
pub(super) fn stat(pid: i32) -> Option<String> {
    stat_in(&format!("/proc/{pid}/stat"))
}

/// The same of one thread.
pub(super) fn thread_stat(pid: i32, thread: i32) -> Option<String> {
    stat_in(&format!("/proc/{pid}/task/{thread}/stat"))
}

fn stat_in(path: &str) -> Option<String> {
    let mut buffer = [0; 2048];
    let count = File::open(path).ok()?.read(&mut buffer).ok()?;
    after_name(&buffer[..count]).map(str::to_owned)
}

/// Of a file `stat` what follows the name.
pub(super) fn after_name(stat: &[u8]) -> Option<&str> {
    let start = stat.iter().rposition(|byte| *byte == b')')? + 1;
    std::str::from_utf8(&stat[start..]).ok()
}

/// What an open file says now, as far as there is room.
pub(super) fn text<'a>(file: &File, buffer: &'a mut [u8]) -> Option<&'a str> {
    let count = file.read_at(buffer, 0).ok()?;
    // A name may hold anything, and whoever wants what follows it skips it.
    let text = &buffer[..count];
    let start = text.iter().rposition(|byte| !byte.is_ascii()).map_or(0, |last| last + 1);
    std::str::from_utf8(&text[start..]).ok()
}

/// Whether a list of processes is this one alone.
pub(super) fn is_just(list: &str, pid: i32) -> bool {
    let mut numbers = list.split_ascii_whitespace();
    numbers.next().and_then(|number| number.parse().ok()) == Some(pid) && numbers.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command, Stdio};

    /// Waits until a line of output says that all is up.
    fn start(script: &str) -> Child {
        let mut child = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let mut byte = [0];
        child.stdout.as_mut().expect("its output is ours").read_exact(&mut byte).expect("it says something");
        child
    }

    #[test]
    fn a_process_is_about_to_be_gone_before_it_is() {
        assert!(!is_exiting(" S 1 7 7 0 -1 4194560 10 20"));
        assert!(is_exiting(" R 1 7 7 0 -1 4194564 10 20"), "it has begun to exit");
        assert!(is_exiting(" Z 1 7 7 0 -1 4227084 10 20"));
        assert!(!is_exiting(""));
    }

    #[test]
    fn all_processes_below_ours_are_found_and_none_of_ours() {
        // A shell in the place of the supervisor, a bot, and its child.
        let mut child = start("exec 3<&0; sh -c 'sh -c \"echo; read x\" <&3 & wait' & wait");
        let root = Pid::from_child(&child);
        let family = Family::below(root, 1);
        let members = family.members();
        assert_eq!(members.len(), 2, "{members:?}");
        assert!(!members.contains(&number(root)));
        let mut all: Vec<i32> = tree::descendants(root).into_iter().map(number).collect();
        let mut found = members.clone();
        all.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, all);
        assert_eq!(family.known_reaper().map(members_below), Some(members.clone()));
        // With one more process of ours above the bot.
        assert_eq!(Family::below(root, 2).members(), members[1..]);
        tree::kill_all(&tree::descendants(root));
        child.kill().expect("it can be killed");
        child.wait().expect("it can be waited for");
        assert!(family.members().is_empty());
    }

    #[test]
    fn threads_are_counted_and_listed() {
        let (told, wait) = (std::sync::mpsc::channel::<()>(), std::sync::mpsc::channel::<()>());
        let own = number(getpid());
        let thread = std::thread::spawn(move || {
            told.0.send(()).expect("it is waited for");
            // Until the other end is dropped.
            let _ = wait.1.recv();
        });
        told.1.recv().expect("it says that it runs");
        assert!(threads(own).len() > 1 && threads(own).contains(&own));
        drop(wait.0);
        thread.join().expect("it only waits");
        let mut child = start("echo; read x");
        let pid = number(Pid::from_child(&child));
        assert_eq!(threads(pid), [pid]);
        child.kill().expect("it can be killed");
        child.wait().expect("it can be waited for");
        assert!(threads(pid).is_empty());
    }

    #[test]
    fn a_bot_that_nobody_has_buried_yet_is_known_to_have_ended() {
        // A supervisor that never buries: a shell that became another program.
        let mut child = start("exec 3<&0; { echo; read x <&3; } & exec cat");
        let family = Family::below(Pid::from_child(&child), 1);
        assert!(!family.is_ending(), "it lives");
        let [bot] = family.members()[..] else { panic!("the bot is one process") };
        tree::kill_all(Pid::from_raw(bot).as_slice());
        // It takes a moment to die; the outer bound of the tests ends this if it never does.
        while !family.is_ending() {
            std::thread::yield_now();
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it can be waited for");
        assert!(family.is_ending(), "nothing is left");
    }

    #[test]
    fn a_list_of_one_is_told_from_others() {
        assert!(is_just("12 ", 12));
        assert!(!is_just("12 13 ", 12) && !is_just("", 12) && !is_just("121 ", 12));
    }
}
