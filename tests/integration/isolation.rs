//! Tests of what the sandbox blocks, and that honest bots do not notice it. The
//! bots are shell scripts, and the launcher is the real binary.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use linesman::process::isolation::{
    Calls, Guarantee, Isolation, Launcher, Policy, Sandbox, SandboxStatus, Signals,
};
use linesman::process::{Bot, Breach, Command, Leaked, Process as _, StartError, State};
use linesman::verdict::Limit;
use serde_json::Value;

use crate::support::LINESMAN;
use crate::support::bots::{records, shell_bot, tournament};
use crate::support::processes::{end, sandbox_status};
use crate::support::running::Running;
use crate::support::scratch::Scratch;
use crate::support::waiting::{PATIENCE, wait_until};

/// Returns the status of the portable sandbox. If this kernel has none, prints so and
/// returns `None`.
#[expect(clippy::print_stdout, reason = "skipped tests are reported")]
fn status() -> Option<SandboxStatus> {
    let status = sandbox_status(Sandbox::Portable).expect("portable takes what there is");
    let lacks = Guarantee::ALL.into_iter().find(|guarantee| status.by(*guarantee).is_none());
    if let Some(lacks) = lacks {
        println!("skipped: `{}` does not hold on this kernel: {status}", lacks.word());
        return None;
    }
    Some(status)
}

/// A folder with a bot's folder `own` and another bot's folder `other`.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().expect("a folder can be made"));
        for folder in ["own", "other", "temporary"] {
            std::fs::create_dir(place.path(folder)).expect("a folder can be made");
        }
        std::fs::write(place.path("own/table"), "mine\n").expect("a file can be written");
        std::fs::write(place.path("other/secret"), "theirs\n").expect("a file can be written");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, program: &str, arguments: &[&str], isolation: Isolation) -> Command {
        let policy = Policy { read: vec![self.path("own")], ..isolation.policy };
        Command {
            launcher: LINESMAN.into(),
            program: program.into(),
            arguments: arguments.iter().map(Into::into).collect(),
            directory: self.path("own"),
            environment: [("PATH", "/usr/bin:/bin"), ("HOME", "/")]
                .map(|(name, value)| (name.into(), value.into()))
                .into_iter()
                .chain([("TMPDIR".into(), self.path("temporary").into())])
                .collect(),
            cpus: Vec::new(),
            shares_cpus: false,
            isolation: Some(Isolation { policy, ..isolation }),
        }
    }

    /// Runs a script to its end and returns its output and status.
    fn run(&self, script: &str, isolation: Isolation) -> Outcome {
        self.run_command(self.command("sh", &["-c", script], isolation))
    }

    fn run_command(&self, command: Command) -> Outcome {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        runtime.block_on(async {
            let whole = async {
                let mut bot = Bot::start(command).await.expect("the launcher starts");
                let state = end(&bot).await;
                let mut said = Vec::new();
                let mut buffer = [0; 4096];
                while let Ok(Some(count @ 1..)) = bot.read_now(&mut buffer) {
                    said.extend_from_slice(&buffer[..count]);
                }
                let (breach, stderr) = (bot.breach(), bot.stderr_text());
                assert_eq!(bot.kill().await, Leaked::default());
                Outcome { said: String::from_utf8_lossy(&said).into_owned(), stderr, state, breach }
            };
            // Only a hanging test reaches this timeout.
            tokio::time::timeout(2 * PATIENCE, whole).await.expect("no hang")
        })
    }
}

#[derive(Debug)]
struct Outcome {
    said: String,
    stderr: String,
    state: State,
    breach: Option<Breach>,
}

fn isolation(status: &SandboxStatus, policy: Policy) -> Isolation {
    Isolation { policy, layers: status.layers.clone() }
}

#[test]
fn the_probe_ends_and_one_line_says_what_works() {
    for asked in [Sandbox::Portable, Sandbox::Auto] {
        let status = sandbox_status(asked).expect("it takes what there is");
        assert!(status.layers.launcher.is_some(), "{status}");
        let line = status.to_string();
        assert!(line.starts_with("sandbox: ") && !line.contains('\n'), "{line}");
        assert!(status.by(Guarantee::Network).is_some(), "{line}");
    }
}

#[test]
fn a_bot_only_reads_its_own_files() {
    let Some(status) = status() else { return };
    let place = Place::new();
    let secret = place.path("other/secret");
    let script = format!(
        "cat table; cat /etc/passwd > /dev/null && echo system; cat {} || echo refused; \
         ls {} || echo hidden; echo x > new || echo read-only; echo x > /dev/null && echo null; exit 7",
        secret.display(),
        secret.parent().expect("it has one").display()
    );
    let outcome = place.run(&script, isolation(&status, Policy::default()));
    assert_eq!(outcome.said, "mine\nsystem\nrefused\nhidden\nread-only\nnull\n", "{outcome:?}");
    let State::Ended(Some(ending)) = outcome.state else { panic!("{outcome:?}") };
    assert_eq!(ending.status.code(), Some(7));
    assert!(!place.path("own/new").exists());
}

#[test]
fn a_bot_changes_no_file_metadata() {
    let Some(status) = status() else { return };
    let place = Place::new();
    let secret = place.path("other/secret");
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o640)).expect("it is ours");
    let script = format!(
        "chmod 777 {0} || echo mode; touch -d 2001-01-01 {0} || echo time; rm -f {0}; ln {0} x; mv {0} y; exit 0",
        secret.display()
    );
    let before = std::fs::metadata(&secret).expect("it is there");
    let outcome = place.run(&script, isolation(&status, Policy::default()));
    assert_eq!(outcome.said, "mode\ntime\n", "{outcome:?}");
    let last = outcome.stderr.lines().last().expect("`chmod` has said why");
    // The refused system call depends on the C library.
    assert!(last.starts_with("[system calls that the sandbox refused: "), "{outcome:?}");
    assert!(last.contains("chmod") && last.ends_with("utimensat]"), "{outcome:?}");
    let after = std::fs::metadata(&secret).expect("it is still there");
    assert_eq!(before.permissions(), after.permissions());
    assert_eq!(before.modified().ok(), after.modified().ok());
}

#[test]
fn a_bot_reaches_nobody_and_sees_nobody() {
    let Some(status) = status() else { return };
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a loopback");
    let port = listener.local_addr().expect("it listens").port();
    let own = std::process::id();
    let script = format!(
        "kill -0 {own} || echo no signal; cat /proc/{own}/environ || echo no environment; \
         cat /proc/{own}/cmdline || echo no command; bash -c 'echo > /dev/tcp/127.0.0.1/{port}' || echo no network; \
         kill -0 $PPID || echo not even its parent; exit 0"
    );
    let outcome = place.run(&script, isolation(&status, Policy::default()));
    assert_eq!(
        outcome.said, "no signal\nno environment\nno command\nno network\nnot even its parent\n",
        "{outcome:?}"
    );
    listener.set_nonblocking(true).expect("it can be");
    assert!(listener.accept().is_err(), "nobody came");
}

#[test]
fn a_bot_signals_its_own_children_unless_the_kernel_cannot_distinguish_them() {
    let Some(status) = status() else { return };
    let place = Place::new();
    let script = "sleep 1000 & kill $! && echo child; kill -0 $$ && echo self; kill -0 0 && echo group; \
                  kill -ABRT $$";
    let check = |signals, expected: &str| {
        let mut isolation = isolation(&status, Policy::default());
        isolation.layers.launcher = Some(Launcher { landlock: 2, calls: Calls::Refused, signals });
        let outcome = place.run(script, isolation);
        assert_eq!(outcome.said, expected, "{outcome:?}");
        let State::Ended(Some(ending)) = &outcome.state else { panic!("{outcome:?}") };
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&ending.status), Some(6), "{outcome:?}");
    };
    check(Signals::Elsewhere, "child\nself\ngroup\n");
    check(Signals::OwnOnly, "self\ngroup\n");
}

#[test]
fn seccomp_compensates_for_an_old_landlock() {
    let Some(status) = status() else { return };
    let place = Place::new();
    let secret = place.path("other/secret");
    let mut isolation = isolation(&status, Policy { read: Vec::new(), ..Policy::default() });
    isolation.layers.launcher =
        Some(Launcher { landlock: 2, calls: Calls::Refused, signals: Signals::OwnOnly });
    let script =
        format!("truncate -s 0 {0} || echo refused; : > {0} || echo denied; exit 0", secret.display());
    let outcome = place.run(&script, isolation);
    assert_eq!(outcome.said, "refused\n", "{outcome:?}");
    assert_eq!(std::fs::read_to_string(secret).ok().as_deref(), Some("theirs\n"));
}

#[test]
fn limits_are_set_and_cannot_be_raised() {
    let Some(status) = status() else { return };
    let place = Place::new();
    // Not with `cat`: only the bot's first process can read its own entry in `/proc`.
    let script = "while read -r line; do echo \"$line\"; done < /proc/self/limits; ulimit -n 4000";
    let policy = Policy {
        memory: 64 << 20,
        open_files: 40,
        file_size: 1 << 20,
        cpu_seconds: Some(50),
        ..Policy::default()
    };
    let outcome = place.run(script, isolation(&status, policy));
    let limits: Vec<(&str, Vec<&str>)> = outcome
        .said
        .lines()
        .filter_map(|line| {
            Some((line.get(..25)?.trim(), line.get(25..)?.split_whitespace().take(2).collect()))
        })
        .collect();
    for (name, values) in [
        ("Max cpu time", ["50", "51"]),
        ("Max file size", ["1048576", "1048576"]),
        ("Max data size", ["134217728", "134217728"]),
        ("Max core file size", ["1", "1"]),
        ("Max open files", ["40", "40"]),
        ("Max locked memory", ["65536", "65536"]),
        ("Max msgqueue size", ["0", "0"]),
        ("Max stack size", ["8388608", "67108864"]),
    ] {
        let found = limits.iter().find(|(known, _)| *known == name).map(|(_, values)| values.as_slice());
        assert_eq!(found, Some(values.as_slice()), "{name}");
    }
    assert!(!outcome.stderr.is_empty(), "raising a limit is refused: {outcome:?}");
}

#[test]
fn a_crash_starts_no_core_dump_handler() {
    let Some(status) = status() else { return };
    let pattern = std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
    if pattern.trim() != "|/vm/dumped" {
        println!("skipped: only the virtual machine of `tests/run --vm` has a handler that tells");
        return;
    }
    let dumped = || std::fs::read_to_string("/run/dumped").map_or(0, |text| text.lines().count());
    let crash_unheld = || {
        let before = dumped();
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -c unlimited; kill -SEGV $$"]).status().expect("there is a shell");
        wait_until("the handler tells", || dumped() > before);
    };
    crash_unheld();
    let before = dumped();
    let outcome =
        Place::new().run("ulimit -c unlimited; kill -SEGV $$", isolation(&status, Policy::default()));
    assert!(matches!(&outcome.state, State::Ended(Some(_))), "{outcome:?}");
    // A handler for the bot would have been started before this one.
    crash_unheld();
    assert_eq!(dumped(), before + 1);
}

#[test]
fn too_much_memory_is_noticed_and_ends_the_bot() {
    let Some(status) = status() else { return };
    let place = Place::new();
    // Two processes, neither of which is too large alone.
    let hold = "(head -c 50000000 /dev/zero; sleep 1000) | tail -c 50000000";
    let script = format!("({hold}) & {hold}");
    let policy = Policy { memory: 64 << 20, ..Policy::default() };
    for sandbox in [isolation(&status, policy.clone()), Isolation { policy, layers: Default::default() }] {
        let outcome = place.run(&script, sandbox);
        let Some(Breach { resource, limit, used }) = outcome.breach else { panic!("{outcome:?}") };
        assert_eq!((resource, limit), (Limit::Memory, 64 << 20));
        assert!(used > limit && used < 128 << 20, "{used}");
    }
}

#[test]
fn a_child_of_a_bot_that_was_alone_and_idle_is_noticed() {
    let Some(status) = status() else { return };
    if !Path::new("/usr/bin/python3").exists() {
        println!("skipped: there is no /usr/bin/python3 here");
        return;
    }
    let place = Place::new();
    // The bot is idle for so long that its supervisor polls rarely.
    let script = "import os, time\n\
                  time.sleep(1)\n\
                  if os.fork() == 0:\n\
                  \x20   table = b'x' * (100 << 20)\n\
                  time.sleep(1000)\n";
    let policy = Policy { memory: 64 << 20, ..Policy::default() };
    for sandbox in [isolation(&status, policy.clone()), Isolation { policy, layers: Default::default() }] {
        let outcome = place.run_command(place.command("/usr/bin/python3", &["-c", script], sandbox));
        let Some(Breach { resource, limit, used }) = outcome.breach else { panic!("{outcome:?}") };
        assert_eq!((resource, limit), (Limit::Memory, 64 << 20));
        assert!(used > limit, "{used}");
    }
}

#[test]
fn memory_that_processes_share_counts_once() {
    let Some(status) = status() else { return };
    let place = Place::new();
    // Eight processes that share a table, which they only read.
    let script = "import os, time\n\
                  table = bytearray(40 << 20)\n\
                  for child in range(8):\n\
                  \x20   if os.fork() == 0:\n\
                  \x20       time.sleep(0.3); os._exit(0)\n\
                  for child in range(8): os.wait()\n\
                  print('done')\n";
    let policy = Policy { memory: 128 << 20, ..Policy::default() };
    let command = place.command("/usr/bin/python3", &["-c", script], isolation(&status, policy));
    if !Path::new("/usr/bin/python3").exists() {
        println!("skipped: there is no /usr/bin/python3 here");
        return;
    }
    let outcome = place.run_command(command);
    assert_eq!((outcome.breach, outcome.said.as_str()), (None, "done\n"), "{outcome:?}");
}

#[test]
fn too_many_processes_are_noticed_and_end_the_bot() {
    let Some(status) = status() else { return };
    let place = Place::new();
    let policy = Policy { processes: 12, ..Policy::default() };
    let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do sleep 1000 & done; wait";
    let outcome = place.run(script, isolation(&status, policy.clone()));
    let Some(Breach { resource, limit, used }) = outcome.breach else { panic!("{outcome:?}") };
    assert_eq!((resource, limit), (Limit::Processes, 12));
    assert!((13..=17).contains(&used), "{used}");
    let few =
        place.run("for i in 1 2 3 4 5 6; do sleep 0.1 & done; wait; echo ok", isolation(&status, policy));
    assert_eq!((few.said.as_str(), few.breach), ("ok\n", None));
}

#[test]
fn a_scratch_folder_is_writable_and_removed_at_the_end() {
    let Some(status) = status() else { return };
    let place = Place::new();
    let policy = Policy { scratch: Some(1 << 20), ..Policy::default() };
    let script = "echo x > $TMPDIR/a && cat $TMPDIR/a; cd $HOME && mkdir -p b/c && echo y > b/c/d && cat b/c/d; \
                  echo $PYTHONUSERBASE; exit 0";
    let outcome = place.run(script, isolation(&status, policy.clone()));
    assert_eq!(outcome.said, "x\ny\n/.local\n", "{outcome:?}");
    let left = || std::fs::read_dir(place.path("temporary")).expect("it is there").count();
    assert_eq!(left(), 0);

    let script = "head -c 3000000 /dev/zero > $TMPDIR/a; sleep 1000";
    let outcome = place.run(script, isolation(&status, policy));
    let Some(Breach { resource, limit, used }) = outcome.breach else { panic!("{outcome:?}") };
    assert_eq!((resource, limit), (Limit::Scratch, 1 << 20));
    assert!(used > limit);
    assert_eq!(left(), 0);
}

#[test]
fn a_bot_that_writes_too_much_and_ends_at_once_is_noticed() {
    let Some(status) = status() else { return };
    let place = Place::new();
    let policy = Policy { scratch: Some(1 << 20), ..Policy::default() };
    let outcome = place.run("head -c 3000000 /dev/zero > $TMPDIR/a; exit 0", isolation(&status, policy));
    let Some(Breach { resource, .. }) = outcome.breach else { panic!("{outcome:?}") };
    assert_eq!(resource, Limit::Scratch);
}

#[test]
fn too_much_cpu_time_is_reported_with_its_figure() {
    let Some(status) = status() else { return };
    let place = Place::new();
    let policy = Policy { cpu_seconds: Some(1), ..Policy::default() };
    let outcome = place.run("while :; do :; done", isolation(&status, policy));
    let Some(Breach { resource, limit, used }) = outcome.breach else { panic!("{outcome:?}") };
    assert_eq!((resource, limit), (Limit::CpuTime, 1_000_000));
    assert!(used >= limit, "{used}");
}

#[test]
fn the_folder_of_a_bot_is_removed_when_its_referee_was_killed() {
    let Some(_) = status() else { return };
    let scratch = Scratch::new();
    // One game at once, so that no other folder is being created.
    let head = "sandbox = \"portable\"\nconcurrency = 1\n";
    let plan = tournament(head, &[("a", "sh a.sh"), ("b", "linesman bot random")]);
    scratch.write("cup.toml", plan.replace("\"sh a.sh\"", "\"sh a.sh\"\nscratch = \"1MiB\""));
    scratch.write("a.sh", shell_bot("go) echo x > $TMPDIR/waiting; sleep 1000;;"));
    let folders = || {
        let entries = std::fs::read_dir(scratch.temporary()).expect("it is there").flatten();
        entries
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("linesman-"))
            .collect::<Vec<_>>()
    };
    let league = scratch.start(["league", "run", "cup.toml"]);
    wait_until("the bot has written", || {
        folders().iter().any(|folder| folder.path().join("waiting").exists())
    });
    assert!(league.kill());
    wait_until("its folder is gone", || folders().is_empty());
}

#[test]
fn an_unusable_range_of_users_is_an_error() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let scratch = Scratch::new();
    scratch.write("cup.toml", tournament("", &[("a", "linesman bot random"), ("b", "linesman bot random")]));
    let mut command = scratch.command(["league", "run", "cup.toml"]);
    command.env("LINESMAN_BOT_USERS", "0-10");
    Running::start(&mut command)
        .end()
        .said(2, "LINESMAN_BOT_USERS: the range must have at least two users and must not include root");
}

#[test]
fn a_league_with_more_concurrent_bots_than_users_fails_before_it_starts() {
    let Some(status) = status().filter(|status| status.layers.slot_users.is_some()) else { return };
    drop(status);
    let scratch = Scratch::new();
    let bots = [("a", "linesman bot random"), ("b", "linesman bot random")];
    scratch.write("cup.toml", tournament("rounds = 20\nconcurrency = 8\noversubscribe = true", &bots));
    let run = |users: &str| {
        let mut command = scratch.command(["league", "run", "cup.toml"]);
        Running::start(command.env("LINESMAN_BOT_USERS", users)).end()
    };
    let refused = run("70600-70631");
    refused.said(2, "8 games at once need 32 users for bots");
    refused.said(2, "`LINESMAN_BOT_USERS=70000-70032`");
    assert!(!scratch.path("runs").exists(), "nothing was begun");
}

#[test]
fn a_match_takes_limits_and_a_hint_shows_how_to_raise_them() {
    let Some(_) = status() else { return };
    let scratch = Scratch::new();
    scratch
        .write("eats.sh", shell_bot("go) (head -c 100000000 /dev/zero; sleep 1000) | tail -c 100000000;;"));
    let game = ["match", "--game", "quixo", "--options", "size=3", "--games", "1", "--movetime", "300s"];
    let rest = ["--bot", "sh eats.sh", "--bot", "linesman bot random", "--limit", "memory=64MiB"];
    let run = scratch.run(game.iter().chain(&rest));
    run.said(0, "by using too much memory: ");
    run.said(0, "`--limit memory=128MiB`");
    let wrong = scratch.run(game.iter().chain(&["--bot", "a", "--bot", "b", "--limit", "memory"]));
    wrong.said(2, "such as `memory=4GiB`");
}

#[test]
fn an_unreadable_program_is_named_with_its_cure() {
    let Some(status) = status() else { return };
    let place = Place::new();
    for (name, text) in [("other/bot", "#!/bin/sh\n"), ("other/shell", "#!/bin/sh\n")] {
        std::fs::write(place.path(name), text).expect("a file can be written");
        std::fs::set_permissions(place.path(name), std::fs::Permissions::from_mode(0o755))
            .expect("it is ours");
    }
    let script = format!("#!{}\n", place.path("other/shell").display());
    std::fs::write(place.path("own/script"), script).expect("a file can be written");
    std::fs::set_permissions(place.path("own/script"), std::fs::Permissions::from_mode(0o755))
        .expect("it is ours");
    for (program, outside) in [("../other/bot", "../other/bot"), ("./script", "other/shell")] {
        let outcome = place.run_command(place.command(program, &[], isolation(&status, Policy::default())));
        let State::Failed(error @ StartError::Outside { .. }) = &outcome.state else { panic!("{outcome:?}") };
        let text = error.to_string();
        assert!(text.contains(outside) && text.contains("add `read = ["), "{text}");
    }
}

/// Returns a bot that crashes if it can read one of `paths`.
fn nosy_bot(paths: &str) -> String {
    shell_bot(&format!(
        "go) . ./helper.sh; cat {paths} 2>/dev/null | grep -q . && exit 9; echo \"bestmove $move\";;"
    ))
}

#[test]
fn bots_in_sibling_folders_read_neither_each_other_nor_the_leagues_files() {
    let Some(_) = status() else { return };
    for sandbox in ["auto", "portable"] {
        let scratch = Scratch::new();
        let head = format!("sandbox = \"{sandbox}\"\n");
        scratch.write("cup.toml", tournament(&head, &[("a", "sh a.sh"), ("b", "sh b.sh")]));
        scratch.write("a.sh", nosy_bot("b.sh cup.toml runs/cup/games.jsonl runs/cup/tournament.toml"));
        scratch.write("b.sh", nosy_bot("a.sh cup.toml runs/cup/games.jsonl runs/cup/tournament.toml"));
        scratch.write("helper.sh", "ls > /dev/null || exit 8\n");
        scratch.run(["league", "run", "cup.toml"]).done();
        let records = records(&scratch.path("runs/cup/games.jsonl"));
        assert!(records.len() > 1 && records.iter().all(|record| record["faults"].is_null()), "{records:?}");
    }
}

#[test]
fn bots_of_a_match_read_their_programs_folders_and_not_the_users() {
    let Some(_) = status() else { return };
    for sandbox in ["auto", "portable"] {
        let scratch = Scratch::new();
        for (own, other) in [("a", "b"), ("b", "a")] {
            std::fs::create_dir(scratch.path(own)).expect("a folder can be made");
            let bot = nosy_bot(&format!("{other}/bot.sh notes out/games.jsonl"))
                .replace("./helper", &format!("{own}/helper"));
            scratch.write(&format!("{own}/bot.sh"), bot);
            scratch.write(&format!("{own}/helper.sh"), "");
        }
        scratch.write("notes", "mine\n");
        let bots = ["--bot", "sh a/bot.sh", "--bot", "sh b/bot.sh"];
        let game = ["match", "--game", "quixo", "--options", "size=3", "--games", "2", "--out", "out"];
        let rest = ["--movetime", "30s", "--sandbox", sandbox];
        scratch.run(game.iter().chain(&bots).chain(&rest)).done();
        let records = records(&scratch.path("out/games.jsonl"));
        assert!(records.len() > 1 && records.iter().all(|record| record["faults"].is_null()), "{records:?}");
    }
}

#[test]
fn bots_that_share_a_folder_are_named_with_the_cure() {
    let Some(_) = status() else { return };
    let scratch = Scratch::new();
    let bot = shell_bot("");
    scratch.write("own.sh", &bot);
    let nameless = |name| (name, "sh -c '. ./own.sh'");
    scratch.write("cup.toml", tournament("", &[nameless("a"), nameless("b"), ("c", "linesman bot random")]));
    let run = scratch.run(["league", "run", "cup.toml"]);
    run.said(0, "`a`, `b` can read each other's files in `");
    run.said(0, "give each bot its own directory (`dir`)");
}

#[test]
fn a_league_reports_and_records_the_sandbox_and_exceeded_limits() {
    let Some(_) = status() else { return };
    let scratch = Scratch::new();
    let limits = "[limits]\nmemory = \"64MiB\"\n";
    let bots = [("eats", "sh eats.sh"), ("ada", "linesman bot random")];
    // On an emulated processor it can take long to use so much memory.
    scratch.write("cup.toml", tournament(limits, &bots).replace("30s", "300s"));
    scratch
        .write("eats.sh", shell_bot("go) (head -c 100000000 /dev/zero; sleep 1000) | tail -c 100000000;;"));
    let run = scratch.run(["league", "run", "cup.toml"]);
    run.said(0, "sandbox: files, network, processes, signals isolated (");
    run.said(0, "by using too much memory: ");
    for record in records(&scratch.path("runs/cup/games.jsonl")) {
        let fault = &record["faults"][0];
        assert_eq!(
            (fault["fault"].as_str(), fault["which"].as_str()),
            (Some("limit"), Some("memory")),
            "{record}"
        );
        assert_eq!(fault["limit_bytes"].as_u64(), Some(64 << 20));
        assert_eq!(record["sandbox"]["asked"], "auto");
        assert!(matches!(&record["sandbox"]["held"]["files"], Value::String(_)), "{record}");
    }
}

#[test]
fn a_hint_shows_the_setting_for_a_bot_that_needs_more() {
    let Some(_) = status() else { return };
    let scratch = Scratch::new();
    let elsewhere = tempfile::tempdir().expect("a folder can be made");
    let table = elsewhere.path().join("table");
    std::fs::write(&table, "").expect("a file can be written");
    let bots = [("reads", "sh reads.sh"), ("ada", "linesman bot random")];
    scratch.write("cup.toml", tournament("", &bots));
    scratch.write("reads.sh", format!("exec 3< {}\n{}", table.display(), shell_bot("")));
    let cure = format!("`read = [\"{}\"]`", table.display());
    scratch.run(["league", "run", "cup.toml"]).said(2, &cure);
    let with_cure = tournament("", &bots).replacen(
        "command = \"sh reads.sh\"",
        &format!("command = \"sh reads.sh\"\nread = [\"{}\"]", table.display()),
        1,
    );
    scratch.write("cup.toml", with_cure);
    scratch.run(["league", "run", "cup.toml"]).done();
}

#[test]
fn strict_blocks_everything_or_names_what_is_missing() {
    let scratch = Scratch::new();
    let bots = [("ada", "linesman bot random"), ("locks", "sh locks.sh")];
    scratch.write("cup.toml", tournament("", &bots));
    // Two bots could communicate through a lock on a file that all can read; only `strict` blocks it.
    scratch.write("locks.sh", shell_bot("go) flock --nonblock /bin/sh true && exit 9; echo resign;;"));
    // First, because it moves this process out of the cgroup in which the other's cgroups are created.
    let status = sandbox_status(Sandbox::Strict);
    let run = scratch.run(["league", "run", "cup.toml", "--sandbox", "strict"]);
    if run.status == Some(0) {
        let locks = |folder: &str| records(&scratch.path(folder))[0]["faults"][0]["exit_code"].as_i64();
        assert_eq!(locks("runs/cup/games.jsonl"), None);
        scratch.run(["league", "run", "cup.toml", "--sandbox", "auto", "--out", "weaker"]).done();
        assert_eq!(locks("weaker/games.jsonl"), Some(9), "else there was nothing to refuse");
        return;
    }
    let unavailable = status.expect_err("a run has what this program has");
    let hostile = scratch.run(["check", "--hostile", "--sandbox", "strict"]);
    for refused in [run, hostile] {
        refused.said(2, "this machine can't provide all that the sandbox `strict` requires");
        for part in &unavailable {
            refused.said(2, &part.cure);
        }
    }
}
