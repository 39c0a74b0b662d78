//! Tests of stopped leagues: killed, asked to end, or out of disk space. No finished
//! game is lost, nothing is left running, and the same command continues.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use linesman::random::SplitMix64;
use rustix::process::Signal;
use serde_json::Value;

use crate::support::bots::{LETS_BOTS_WRITE, ids, records, shell_bot, sorted, tournament, waiting_bot};
use crate::support::running::Running;
use crate::support::scratch::Scratch;
use crate::support::waiting::{PATIENCE, holds_within};
use crate::support::{LINESMAN, Run};

const RANDOM: &str = "linesman bot random";
const RUN: [&str; 3] = ["league", "run", "cup.toml"];
const GAMES: &str = "runs/cup/games.jsonl";

/// The maximum time that bots outlive a killed linesman: on a busy machine their supervisors, and then
/// they, only get a CPU after a while.
const TO_VANISH: Duration = Duration::from_secs(60);

fn cup(head: &str, bots: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("cup.toml", tournament(head, bots));
    scratch
}

fn played(scratch: &Scratch) -> Vec<Value> {
    records(&scratch.path(GAMES))
}

/// A deterministic random generator.
struct Chance(SplitMix64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }
}

/// Returns the part of a game's record that interruptions must not change.
fn essence(record: &Value) -> (String, String) {
    let id = record["id"].as_str().expect("a record has an id").to_owned();
    let mut record = record.clone();
    for seat in record["seats"].as_array_mut().expect("a record has seats") {
        // Usage depends on the host.
        seat.as_object_mut().expect("a seat is an object").remove("usage");
    }
    let rest = ["try", "seed", "seats", "moves", "places", "reason"].map(|field| record[field].to_string());
    (id, rest.join(" "))
}

/// Returns a table without the columns that depend on the host.
fn without_host(table: &str) -> String {
    let header = table.lines().next().unwrap_or_default();
    let kept = header.split(',').position(|column| column == "voids").unwrap_or(usize::MAX);
    let cut = |line: &str| line.split(',').take(kept).collect::<Vec<_>>().join(",");
    table.lines().map(cut).collect::<Vec<_>>().join("\n")
}

/// Returns the length of the records in bytes.
fn recorded(scratch: &Scratch) -> u64 {
    std::fs::metadata(scratch.path(GAMES)).map_or(0, |metadata| metadata.len())
}

/// Kills at a random moment: sometimes during the start, otherwise shortly after some
/// more games. Returns false if it was too late.
fn kill_somewhere(scratch: &Scratch, running: Running, chance: &mut Chance) -> bool {
    if chance.below(3) == 0 {
        running.ends_within(Duration::from_micros(chance.below(60_000)));
    } else {
        let before = recorded(scratch);
        let games = 1 + chance.below(8);
        holds_within(Duration::from_secs(60), || {
            // A record of these games has about 1,100 bytes.
            running.has_ended() || recorded(scratch) >= before + games * 1_000
        });
        running.ends_within(Duration::from_micros(chance.below(3_000)));
    }
    running.kill()
}

#[test]
fn a_league_killed_fifty_times_ends_with_the_games_of_an_undisturbed_one() {
    check_killed(50, 40);
}

#[test]
#[ignore = "takes some minutes: two hundred kills in a league of a thousand games"]
fn two_hundred_times_killed_a_league_ends_with_the_games_of_an_undisturbed_one() {
    check_killed(200, 167);
}

/// Kills a league of three bots `times` times.
#[track_caller]
fn check_killed(times: u32, rounds: u32) {
    let all = rounds as usize * 6;
    let bots = [("ada", RANDOM), ("bob", RANDOM), ("cleo", "linesman bot greedy")];
    let scratch = cup(&format!("rounds = {rounds}\n"), &bots);
    scratch.run(RUN.iter().chain(&["--out", "undisturbed", "-q"])).done();
    let undisturbed = records(&scratch.path("undisturbed/games.jsonl"));
    let expected: BTreeMap<String, String> = undisturbed.iter().map(essence).collect();
    assert_eq!((undisturbed.len(), expected.len()), (all, all));

    let mut chance = Chance(SplitMix64(1));
    let (mut kills, mut in_games) = (0, 0);
    // A league can end before the last kill: then another is started.
    while kills < times {
        let mut kept = String::new();
        while kept.lines().count() < all && kills < times {
            kills += u32::from(kill_somewhere(&scratch, scratch.start(RUN), &mut chance));
            scratch.is_left_within(TO_VANISH);
            let now = std::fs::read_to_string(scratch.path(GAMES)).unwrap_or_default();
            let whole = &kept[..kept.rfind('\n').map_or(0, |end| end + 1)];
            assert!(now.starts_with(whole), "what was recorded stays as it is");
            in_games += u32::from(now.len() > kept.len());
            kept = now;
        }
        scratch.run(RUN).done();
        let games = played(&scratch);
        assert_eq!(games.len(), all, "each game once");
        assert_eq!(games.iter().map(essence).collect::<BTreeMap<_, _>>(), expected);
        let verified = scratch.run(["verify", GAMES]);
        assert!(
            verified.done().replace(',', "").starts_with(&format!("{all} records: {all} consistent (")),
            "{}",
            verified.stdout
        );
        let read = |folder: &str| {
            ["standings.csv", "crosstable.csv"]
                .map(|name| without_host(&scratch.read(&format!("{folder}/{name}"))))
        };
        let (tables, others) = (read("runs/cup"), read("undisturbed"));
        assert_eq!(tables, others);
        std::fs::rename(scratch.path("runs"), scratch.path(format!("runs-{kills}"))).expect("both are ours");
    }
    assert!(in_games >= times * 2 / 5, "most of the kills come while games are played: {in_games}");
}

#[test]
fn a_killed_swiss_ends_with_the_games_of_an_undisturbed_one() {
    check_killed_with_results("schedule = \"swiss\"\nrounds = 6\n", 48);
}

#[test]
fn a_killed_knockout_ends_with_the_games_of_an_undisturbed_one() {
    check_killed_with_results("schedule = \"knockout\"\nbest_of = 4\nsudden_death = 2\n", 20);
}

#[test]
fn a_killed_ladder_ends_with_the_games_of_an_undisturbed_one() {
    // Concurrent games would end in any order, which decides the next game.
    check_killed_with_results("schedule = \"ladder\"\ngames = 40\nconcurrency = 1\n", 40);
}

/// Kills leagues whose pairings depend on results, again and again, and asserts that
/// each ends with the games of an undisturbed one, at least `min_games` of them.
#[track_caller]
fn check_killed_with_results(head: &str, min_games: usize) {
    const TIMES: u32 = 8;
    let names = ["ada", "bob", "cleo", "dan", "eve", "fay", "gil", "hal"];
    let commands: Vec<String> =
        (0..names.len()).map(|seed| format!("linesman bot random --seed {seed}")).collect();
    let bots: Vec<(&str, &str)> = names.into_iter().zip(commands.iter().map(String::as_str)).collect();
    let scratch = cup(head, &bots);
    scratch.run(RUN.iter().chain(&["--out", "undisturbed", "-q"])).done();
    let undisturbed = records(&scratch.path("undisturbed/games.jsonl"));
    let expected: BTreeMap<String, String> = undisturbed.iter().map(essence).collect();
    assert_eq!(undisturbed.len(), expected.len());
    assert!(expected.len() >= min_games, "{}", expected.len());

    let mut chance = Chance(SplitMix64(7));
    let mut kills = 0;
    // A league can end before the last kill: then another is started.
    for number in 0.. {
        // Bounded, so that a league can't go on for ever.
        for _ in 0..TIMES {
            if kills == TIMES || recorded_games(&scratch) == expected.len() {
                break;
            }
            kills += u32::from(kill_somewhere(&scratch, scratch.start(RUN), &mut chance));
            scratch.is_left_within(TO_VANISH);
        }
        scratch.run(RUN).done();
        let games = played(&scratch);
        assert_eq!(games.len(), expected.len(), "each game once");
        assert_eq!(games.iter().map(essence).collect::<BTreeMap<_, _>>(), expected);
        if kills == TIMES {
            break;
        }
        std::fs::rename(scratch.path("runs"), scratch.path(format!("runs-{number}"))).expect("both are ours");
    }
}

/// Returns the number of complete records.
fn recorded_games(scratch: &Scratch) -> usize {
    let text = std::fs::read_to_string(scratch.path(GAMES)).unwrap_or_default();
    text.matches('\n').count()
}

#[test]
fn a_torn_last_line_is_cut_off_and_its_game_is_played_again() {
    let scratch = cup("", &[("ada", RANDOM), ("bob", RANDOM), ("cleo", RANDOM)]);
    scratch.run(RUN).done();
    let whole = scratch.read(GAMES);
    let expected: BTreeMap<String, String> = played(&scratch).iter().map(essence).collect();
    let last = whole.trim_end().rfind('\n').expect("there are many lines") + 1;

    let check = |torn: &str, cut: usize| {
        scratch.write(GAMES, torn);
        // Commands that only read are not disturbed and change nothing.
        let standings = scratch.run(["league", "standings", "runs/cup"]);
        assert!(standings.stderr.ends_with("5 of 6 games have been played\n"), "{}", standings.stderr);
        assert_eq!((standings.status, scratch.read(GAMES).as_str()), (Some(0), torn));
        let again = scratch.run(RUN);
        let warning =
            format!("warning: runs/cup: the last record was incomplete; its {cut} bytes were removed\n");
        again.said(0, &format!("{warning}runs/cup: continuing, 5 of 6 games have been played\n"));
        assert_eq!(again.stderr.matches(&warning).count(), 2, "and once more at the end: {}", again.stderr);
        assert_eq!(played(&scratch).iter().map(essence).collect::<BTreeMap<_, _>>(), expected);
    };
    check(&whole[..last + 1], 1);
    check(&whole[..last + 300], 300);
    check(&whole[..whole.len() - 2], whole.len() - 2 - last);
    // Remains of a line after a power cut.
    check(&format!("{}{}", &whole[..last + 50], "\0".repeat(100)), 150);

    // Only the line end is missing: nothing is lost.
    scratch.write(GAMES, &whole[..whole.len() - 1]);
    scratch.run(RUN).said(0, "runs/cup: finished, all 6 games have been played\n");
    assert_eq!(scratch.read(GAMES), whole);
}

/// Starts a league of six games and two bots, the first of which waits for a file.
fn waiting_cup(head: &str) -> (Scratch, Running) {
    let head = format!("rounds = 3\n{LETS_BOTS_WRITE}{head}");
    let scratch = cup(&head, &[("waits", "sh waits.sh"), ("bob", RANDOM)]);
    scratch.write("waits.sh", waiting_bot());
    let running = scratch.start(RUN);
    scratch.wait_for_file("waiting");
    (scratch, running)
}

/// Continues with the command that a run printed, to the end.
#[track_caller]
fn go_on(scratch: &Scratch, stopped: &Run) {
    scratch.write("open", "");
    let (_, printed) =
        stopped.stderr.rsplit_once("\nstopped; to continue, run: ").expect("the command is told");
    assert_eq!(printed, format!("{} league run cup.toml\n", shell_words::quote(LINESMAN)));
    let mut command = Command::new("sh");
    command.args(["-c", printed]).current_dir(scratch.path("")).env("TMPDIR", scratch.temporary());
    Running::start(&mut command).end().done();
    let expected = ["bob~waits", "waits~bob"].map(|pair| [1, 2, 3].map(|round| format!("{pair}~{round}")));
    assert_eq!(sorted(ids(&played(scratch))), expected.concat());
}

#[test]
fn ctrl_c_finishes_the_running_games_and_the_printed_command_continues() {
    let (scratch, running) = waiting_cup("concurrency = 1\n");
    running.signal(Signal::INT);
    running.wait_for("stopping after the running games; press Ctrl-C again to abort them\n");
    scratch.write("open", "");
    let stopped = running.end();
    assert_eq!(stopped.status, Some(3), "{stopped:#?}");
    let kept = scratch.read(GAMES);
    assert_eq!(kept.lines().count(), 1, "the running game is recorded, and no other is begun");
    assert!(scratch.read("runs/cup/results.csv").lines().count() == 2, "the tables are those of one game");
    scratch.is_left_within(TO_VANISH);
    go_on(&scratch, &stopped);
    assert!(scratch.read(GAMES).starts_with(&kept));
}

#[test]
fn a_second_ctrl_c_aborts_the_running_games() {
    let (scratch, running) = waiting_cup("concurrency = 1\n");
    running.signal(Signal::INT);
    running.wait_for("stopping after ");
    running.signal(Signal::INT);
    let stopped = running.end();
    stopped.said(3, "\n1 game was aborted; it will be played again from the start\n");
    assert_eq!(scratch.read(GAMES), "");
    scratch.is_left_within(TO_VANISH);
    go_on(&scratch, &stopped);
}

#[test]
fn sigterm_ends_it_at_once() {
    for signal in [Signal::TERM, Signal::HUP] {
        let (scratch, running) = waiting_cup("concurrency = 1\n");
        running.signal(signal);
        let stopped = running.end();
        stopped.said(3, "\nstopping: the running games are aborted\n1 game was aborted; ");
        assert_eq!(scratch.read(GAMES), "");
        go_on(&scratch, &stopped);
    }
}

#[test]
fn a_terminal_that_hangs_up_ends_it_and_loses_no_game() {
    let scratch = cup(
        &format!("rounds = 3\nconcurrency = 1\n{LETS_BOTS_WRITE}"),
        &[("waits", "sh waits.sh"), ("bob", RANDOM)],
    );
    scratch.write("waits.sh", waiting_bot());
    let (terminal, slave) = pty_process::blocking::open().expect("there are pseudo-terminals");
    let mut command = Command::new(LINESMAN);
    command.args(RUN);
    command.args(["--progress", "none"]);
    command.current_dir(scratch.path(""));
    command.env("TMPDIR", scratch.temporary());
    let mut child = pty_process::blocking::Command::from(command).spawn(slave).expect("the binary runs");
    scratch.wait_for_file("waiting");
    drop(terminal);
    scratch.is_left_within(PATIENCE);
    // Its output could not be written, but its records are kept.
    assert_eq!(child.wait().expect("it has ended").code(), Some(74));
    assert_eq!(scratch.read(GAMES), "");
    scratch.write("open", "");
    scratch.run(RUN).done();
    assert_eq!(played(&scratch).len(), 6);
}

/// True if this process, and so its children, ignore a signal.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").expect("there is a `/proc`");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("it tells of signals");
    let mask = u64::from_str_radix(mask.trim(), 16).expect("a mask is hexadecimal");
    mask >> (signal.as_raw() - 1) & 1 == 1
}

#[test]
fn stopped_before_the_first_game_it_leaves_nothing() {
    for signal in [Signal::INT, Signal::TERM, Signal::KILL] {
        if is_ignored(signal) {
            println!("not tested: {signal:?} is ignored here, as shells do for what they start by `&`");
            continue;
        }
        // Longer than a busy machine takes to deliver the signal.
        let header = format!("{LETS_BOTS_WRITE}limits = {{ start = \"10min\" }}\n");
        let scratch = cup(&header, &[("slow", "sh slow.sh"), ("bob", RANDOM)]);
        scratch.write("slow.sh", shell_bot("ugi) : > asked; sleep 1000;;"));
        let running = scratch.start(RUN);
        scratch.wait_for_file("asked");
        running.signal(signal);
        assert_eq!(running.end().status, None, "the signal ends it");
        scratch.is_left_within(TO_VANISH);
        assert_eq!(scratch.list(""), ["asked", "cup.toml", "slow.sh"]);
    }
}

/// Asserts that after a full disk the records and tables are intact.
fn nothing_is_lost(scratch: &Scratch, games: usize) {
    let kept = scratch.read(GAMES);
    assert!(kept.is_empty() || kept.ends_with('\n'), "no half record is left");
    let number = kept.lines().count();
    assert!(number < games, "the disk was not full");
    if let Ok(results) = std::fs::read_to_string(scratch.path("runs/cup/results.csv")) {
        assert_eq!(results.lines().count(), number + 1);
    }
}

#[test]
fn a_file_that_cannot_grow_stops_the_run_and_loses_nothing() {
    let scratch = cup("rounds = 30\n", &[("ada", RANDOM), ("bob", RANDOM)]);
    // 20 blocks of 512 bytes have room for about nine games.
    let limited = format!("trap '' XFSZ; ulimit -f 20; exec {LINESMAN} league run cup.toml");
    let mut command = Command::new("sh");
    command.args(["-c", &limited]).current_dir(scratch.path("")).env("TMPDIR", scratch.temporary());
    let run = Running::start(&mut command).end();
    let message = [
        "\nstopping, because results can't be written any more\nerror: can't write the record of `",
        "` to `runs/cup/games.jsonl`\n\
         caused by: File too large (os error 27)\n\
         hint: free some space and run the same command again (earlier records are kept)\n",
    ];
    assert_eq!((run.status, run.stdout.as_str()), (Some(74), ""));
    assert!(run.stderr.contains(message[0]) && run.stderr.ends_with(message[1]), "{}", run.stderr);
    nothing_is_lost(&scratch, 60);
    let kept = scratch.read(GAMES);
    assert!(kept.lines().count() > 5, "{kept}");
    let standings = scratch.read("runs/cup/standings.csv");
    let games: Vec<&str> = standings.lines().skip(1).filter_map(|line| line.split(',').nth(2)).collect();
    let recorded = kept.lines().count().to_string();
    assert_eq!(games, [&recorded, &recorded], "the tables count what was recorded");

    let run = scratch.run(RUN);
    run.said(0, &format!("runs/cup: continuing, {} of 60 games have been played\n", kept.lines().count()));
    assert!(scratch.read(GAMES).starts_with(&kept));
    assert_eq!(played(&scratch).len(), 60);
}

/// A tiny disk, unmounted on drop. Only root can mount one.
struct TinyDisk<'s>(&'s Scratch);

impl<'s> TinyDisk<'s> {
    fn new(scratch: &'s Scratch, size: &str) -> Option<TinyDisk<'s>> {
        std::fs::create_dir(scratch.path("runs")).expect("the folder is ours");
        let size = format!("size={size},mode=755");
        let mounted = mount(&["-t", "tmpfs", "-o", &size, "tiny"], scratch);
        mounted.then(|| TinyDisk(scratch))
    }

    fn grow(&self, size: &str) {
        assert!(mount(&["-o", &format!("remount,size={size}")], self.0), "the disk can grow");
    }
}

fn mount(arguments: &[&str], scratch: &Scratch) -> bool {
    let output = Command::new("mount").args(arguments).arg(scratch.path("runs")).output();
    output.is_ok_and(|output| output.status.success())
}

impl Drop for TinyDisk<'_> {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg("-l").arg(self.0.path("runs")).status();
        assert!(unmounted.is_ok_and(|status| status.success()) || std::thread::panicking());
    }
}

#[test]
fn a_full_disk_stops_the_run_and_loses_nothing() {
    let scratch = cup("rounds = 60\n", &[("ada", RANDOM), ("bob", RANDOM)]);
    let Some(disk) = TinyDisk::new(&scratch, "64k") else {
        println!("not tested: only the superuser can mount a tiny disk");
        return;
    };
    let run = scratch.run(RUN);
    let message = "` to `runs/cup/games.jsonl`\ncaused by: No space left on device (os error 28)\n";
    assert_eq!((run.status, run.stdout.as_str()), (Some(74), ""));
    assert!(run.stderr.contains("\nerror: can't write the record of `"), "{}", run.stderr);
    assert!(run.stderr.contains(message), "{}", run.stderr);
    nothing_is_lost(&scratch, 120);
    let kept = scratch.read(GAMES);
    assert!(kept.lines().count() > 10, "{kept}");

    // The disk is still full: another try loses no game.
    assert_eq!(scratch.run(RUN).status, Some(74));
    assert!(scratch.read(GAMES).starts_with(&kept));
    disk.grow("1m");
    scratch.run(RUN).done();
    assert!(scratch.read(GAMES).starts_with(&kept));
    let games = played(&scratch);
    assert_eq!(sorted(ids(&games)).windows(2).filter(|pair| pair[0] == pair[1]).count(), 0);
    assert_eq!(games.len(), 120);
}

#[test]
fn an_unwritable_folder_gives_a_hint_and_status_1() {
    let scratch = cup("", &[("ada", RANDOM), ("bob", RANDOM)]);
    let Some(disk) = TinyDisk::new(&scratch, "1m") else {
        println!("not tested: only the superuser can mount a disk for reading only");
        return;
    };
    let read_only = |is_read_only: bool| {
        let options = if is_read_only { "remount,ro" } else { "remount,rw" };
        assert!(mount(&["-o", options], disk.0), "the disk can be mounted again");
    };
    let refused = |what: &str| {
        scratch.run(RUN).refused(
            74,
            &format!(
                "error: {what}\ncaused by: Read-only file system (os error 30)\nhint: mount the file system \
                 for writing, or choose another place\n"
            ),
        );
    };
    read_only(true);
    refused("can't write `runs/cup`");
    read_only(false);
    scratch.run(RUN).done();
    read_only(true);
    refused("can't open `runs/cup/games.jsonl` to append records");
}

#[test]
fn a_disk_that_is_full_from_the_start_leaves_no_partial_run() {
    let scratch = cup("", &[("ada", RANDOM), ("bob", RANDOM)]);
    let Some(disk) = TinyDisk::new(&scratch, "4k") else {
        println!("not tested: only the superuser can mount a tiny disk");
        return;
    };
    scratch.write("runs/others", "x".repeat(4_096));
    let run = scratch.run(RUN);
    run.refused(
        74,
        "error: can't write `runs/cup/tournament.toml`\ncaused by: No space left on device (os error 28)\n\
         hint: free some space and run the same command again\n",
    );
    disk.grow("1m");
    scratch.run(RUN).done();
    assert_eq!(played(&scratch).len(), 2);
}

#[test]
fn games_that_the_machine_could_not_play_are_void_and_played_again() {
    // The number of descriptors of a bot depends on the sandbox.
    let header = "concurrency = 1\nsandbox = \"portable\"\n";
    let scratch = cup(header, &[("ada", RANDOM), ("bob", RANDOM), ("cleo", RANDOM)]);
    // Descriptors for one bot but not for two: the minimum with which each bot can be tried by itself.
    let limited = |descriptors: u32| {
        let limited = format!("ulimit -n {descriptors}; exec {LINESMAN} league run cup.toml");
        let mut command = Command::new("sh");
        command.args(["-c", &limited]).current_dir(scratch.path("")).env("TMPDIR", scratch.temporary());
        Running::start(&mut command).end()
    };
    let run = (20..60).map(limited).find(|run| run.status != Some(2)).expect("60 are enough to begin");
    assert_eq!((run.status, run.stdout.as_str()), (Some(3), ""), "{run:#?}");
    let end = "\nhint: fix the cause and run the same command again (a game is tried 5 times)\n";
    assert!(run.stderr.ends_with(end), "{}", run.stderr);
    let voids = played(&scratch);
    assert!(voids.iter().all(|record| record["void"]["kind"] == "host"), "{voids:?}");
    let tries: Vec<u64> = voids.iter().filter_map(|record| record["try"].as_u64()).collect();
    assert_eq!(tries, [1, 2, 3, 4, 5]);

    scratch.run(RUN).said(0, "runs/cup: 6 games, 1 at once\n");
    let records = played(&scratch);
    let (void, others) = records.split_at(voids.len());
    assert_eq!(void, voids);
    assert_eq!(others.iter().filter(|record| record["try"] == 6).count(), 1);
    let expected = ["ada~bob", "ada~cleo", "bob~ada", "bob~cleo", "cleo~ada", "cleo~bob"];
    assert_eq!(sorted(ids(others)), expected.map(|pair| format!("{pair}~1")));
}

#[test]
fn a_killed_bot_only_costs_its_game() {
    let (scratch, running) = waiting_cup("concurrency = 1\n");
    let bots: Vec<u32> = scratch.processes().into_iter().filter(|pid| is_shell_bot(*pid)).collect();
    assert!(!bots.is_empty());
    for bot in bots {
        let pid = i32::try_from(bot).ok().and_then(rustix::process::Pid::from_raw).expect("it is one");
        // Its game ends with the first of them, and another bot can end with the game.
        match rustix::process::kill_process(pid, Signal::KILL) {
            Ok(()) | Err(rustix::io::Errno::SRCH) => {}
            Err(error) => panic!("{error}"),
        }
    }
    // Let the next bot through.
    scratch.write("open", "");
    let run = running.end();
    run.said(0, "waits lost: it was killed by signal 9 (SIGKILL)\n");
    let faults = played(&scratch).iter().filter(|record| !record["faults"].is_null()).count();
    assert_eq!((faults, played(&scratch).len()), (1, 6));
}

fn is_shell_bot(pid: u32) -> bool {
    std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line == b"sh\0waits.sh\0")
}
