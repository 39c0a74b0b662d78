//! Tests of bots' processes: their start, supervision and end, with nothing left
//! behind. The bots are shell scripts, and the launcher is the real binary.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use linesman::process::{Bot, Command, Environment, Leaked, Process as _, QuitOverruns, StartError, State};

use crate::support::processes::{TO_ITS_END, end, on_runtime, read_until};
use crate::support::scratch::write_program;
use crate::support::waiting::wait_until;
use crate::support::{LINESMAN, project};

const MARKER: &str = "LINESMAN_TEST_MARKER";

/// Returns a unique marker by which a bot's processes are found.
fn marker() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

fn command(program: &str, arguments: &[&str], marker: &str) -> Command {
    let environment =
        Environment { path: "/usr/bin:/bin".into(), home: "/".into(), temporary: "/tmp".into() };
    Command {
        launcher: LINESMAN.into(),
        program: program.into(),
        arguments: arguments.iter().map(OsString::from).collect(),
        directory: project(),
        environment: environment.closed([(MARKER, marker)]),
        cpus: Vec::new(),
        shares_cpus: false,
        isolation: None,
    }
}

fn shell(script: &str, marker: &str) -> Command {
    command("sh", &["-c", script], marker)
}

async fn start(script: &str, marker: &str) -> Bot {
    Bot::start(shell(script, marker)).await.expect("the launcher starts")
}

/// Returns the living processes with a marker in their environment.
fn marked(marker: &str) -> Vec<u32> {
    let wanted = format!("{MARKER}={marker}");
    let processes = std::fs::read_dir("/proc").expect("there is a `/proc`").flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid: &u32| {
            std::fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environment| {
                environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes())
            })
        })
        .collect()
}

#[test]
fn a_bot_reads_and_writes_and_ends_on_quit() {
    on_runtime(async {
        let marker = marker();
        let mut bot =
            start("while read line; do echo \"got $line\"; [ $line = quit ] && exit 7; done", &marker).await;
        assert_eq!(bot.write_now(b"one\ntwo\n").expect("its input is open"), Some(8));
        assert_eq!(read_until(&bot, "two\n").await, "got one\ngot two\n");
        assert_eq!(bot.state(), State::Running);
        assert_eq!(
            bot.quit(b"quit\n", Duration::from_secs(20), &QuitOverruns::default()).await,
            Leaked::default()
        );
        let State::Ended(Some(ending)) = bot.state() else { panic!("{:?}", bot.state()) };
        assert_eq!(ending.status.code(), Some(7));
        assert!(marked(&marker).is_empty());
    });
}

#[test]
fn a_bot_has_three_descriptors_and_a_closed_environment() {
    on_runtime(async {
        let marker = marker();
        let bot =
            start("ls /proc/$$/fd; env; grep -E '^Sig(Blk|Ign)' /proc/self/status; exit 0", &marker).await;
        let output = read_until(&bot, TO_ITS_END).await;
        let mut lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines[..3], ["0", "1", "2"]);
        lines.retain(|line| {
            line.contains('=') && !line.starts_with("PWD=") && !line.starts_with("LINESMAN_SLOT=")
        });
        lines.sort_unstable();
        let marker = format!("{MARKER}={marker}");
        let mut expected = [
            "HOME=/",
            "LANG=C.UTF-8",
            marker.as_str(),
            "PATH=/usr/bin:/bin",
            "PYTHONUNBUFFERED=1",
            "TMPDIR=/tmp",
        ];
        expected.sort_unstable();
        assert_eq!(lines, expected);
        assert!(output.contains("SigBlk:\t0000000000000000"), "{output}");
        let ignored = output.split_once("SigIgn:\t").expect("it is told").1.trim();
        let ignored = u64::from_str_radix(ignored, 16).expect("it is a number");
        // The signals above belong to the C library.
        assert_eq!(ignored & 0x7fff_ffff, 0, "{output}");
    });
}

#[test]
fn a_bot_stays_on_its_cpu() {
    on_runtime(async {
        let cpu = linesman::process::allowed_cpus()[0];
        let marker = marker();
        let mut command = shell("grep Cpus_allowed_list /proc/self/status", &marker);
        command.cpus = vec![cpu];
        let bot = Bot::start(command).await.expect("the launcher starts");
        assert_eq!(read_until(&bot, TO_ITS_END).await, format!("Cpus_allowed_list:\t{cpu}\n"));
    });
}

#[test]
fn a_bots_exit_status_is_reported() {
    #[track_caller]
    fn check(script: &str, code: Option<i32>, signal: Option<i32>) {
        let state = on_runtime(async { end(&start(script, &marker()).await).await });
        let State::Ended(Some(ending)) = state else { panic!("{script}: {state:?}") };
        assert_eq!((ending.status.code(), ending.status.signal()), (code, signal), "{script}");
    }
    check("exit 0", Some(0), None);
    check("exit 3", Some(3), None);
    check("exit 139", Some(139), None);
    check("kill -SEGV $$", None, Some(11));
    check("kill -TERM $$", None, Some(15));
    check("kill -KILL $$", None, Some(9));
}

#[test]
fn the_last_line_of_a_bot_that_has_ended_is_read() {
    on_runtime(async {
        let bot = start("echo last", &marker()).await;
        end(&bot).await;
        let (mut printed, mut buffer) = (Vec::new(), [0; 64]);
        while let count @ 1.. = bot.next_output(&mut buffer).await.expect("a pipe can be read") {
            printed.extend_from_slice(&buffer[..count]);
        }
        assert_eq!(String::from_utf8_lossy(&printed), "last\n");
    });
}

#[test]
fn a_failed_start_has_its_step_and_path() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = |name: &str, text: &str, mode: u32| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file can be written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("its mode can be set");
    };
    file("plain.txt", "no program", 0o644);
    file("lost.py", "#!/nowhere/python3 -u\nprint()\n", 0o755);
    file("windows.sh", "#!/bin/sh\r\necho\n", 0o755);
    std::fs::create_dir(folder.path().join("inner")).expect("a folder can be made");

    #[track_caller]
    fn check(folder: &Path, program: &str, expected: &str) {
        let mut command = command(program, &[], &marker());
        command.directory = folder.to_owned();
        let state = on_runtime(async {
            let mut bot = Bot::start(command).await.expect("the launcher starts");
            let state = end(&bot).await;
            assert_eq!(bot.kill().await, Leaked::default());
            state
        });
        let State::Failed(error) = state else { panic!("{program}: {state:?}") };
        assert_eq!(error.to_string(), expected);
    }
    let here = folder.path();
    check(here, "no-such-bot", "`no-such-bot`: no such program in `PATH`");
    check(here, "./no-such-bot", "`./no-such-bot`: no such program");
    check(here, "./plain.txt", "`./plain.txt` is not executable");
    check(here, "./inner", "`./inner` is a folder, not a program");
    check(here, "./plain.txt/bot", "`./plain.txt/bot`: no such program");
    check(
        here,
        "./lost.py",
        "the first line of `./lost.py` names the interpreter `/nowhere/python3 -u`, which can't be found",
    );
    check(
        here,
        "./windows.sh",
        "the first line of `./windows.sh` names the interpreter `/bin/sh\\r`, which can't be found; run \
         `sed -i 's/\\r$//' ./windows.sh`: its first line ends as on Windows, with `\\r`",
    );
    check(
        Path::new("/no/such/folder"),
        "sh",
        "can't enter `/no/such/folder`, the folder to run in: No such file or directory (os error 2)",
    );
}

#[test]
fn a_signal_to_the_launcher_is_no_fault_of_the_bot() {
    // As by Ctrl-C at the moment when a bot is started. The stand-in for the launcher
    // does not wait for signals yet either.
    let scratch = tempfile::tempdir().expect("a folder can be made");
    let launcher = scratch.path().join("launcher");
    for (signal, is_ours) in [("INT", true), ("TERM", true), ("KILL", false)] {
        write_program(&launcher, &format!("#!/bin/sh\nkill -{signal} $$\n"));
        let mut command = shell("echo never", &marker());
        command.launcher.clone_from(&launcher);
        let state = on_runtime(async {
            let mut bot = Bot::start(command).await.expect("the launcher starts");
            let state = end(&bot).await;
            assert_eq!(bot.kill().await, Leaked::default());
            state
        });
        match state {
            State::Failed(StartError::Host { .. }) => assert!(is_ours, "{signal}"),
            other => assert!(!is_ours && other == State::Ended(None), "{signal}: {other:?}"),
        }
    }
}

#[test]
fn a_missing_launcher_is_a_fault_of_the_host() {
    let mut command = shell("exit 0", &marker());
    command.launcher = "/no/such/linesman".into();
    let error = on_runtime(Bot::start(command)).expect_err("there is no such launcher");
    assert!(matches!(error, StartError::Host { .. }), "{error:?}");
}

/// Shell code that starts a daemon detached from its session, parents and streams.
const DAEMON: &str = "(setsid sh -c 'setsid sleep 1000 <&- >&- 2>&- & exit' &)";

#[test]
fn killing_a_bot_ends_everything_that_it_started() {
    on_runtime(async {
        let marker = marker();
        let script =
            format!("{DAEMON}; {DAEMON}; trap '' TERM HUP INT; sleep 1000 & echo up; wait; sleep 1000");
        let mut bot = start(&script, &marker).await;
        read_until(&bot, "up").await;
        wait_until("both daemons run", || marked(&marker).len() >= 5);
        assert_eq!(bot.kill().await, Leaked::default());
        assert_eq!(marked(&marker), [0u32; 0]);
        assert_eq!(bot.kill().await, Leaked::default());
    });
}

#[test]
fn the_end_of_a_bot_ends_everything_that_it_started() {
    on_runtime(async {
        let marker = marker();
        // A grandchild keeps the output open: it ends all the same.
        let bot = start(&format!("{DAEMON}; setsid sleep 1000 & echo up; exit 4"), &marker).await;
        assert_eq!(read_until(&bot, TO_ITS_END).await, "up\n");
        let State::Ended(Some(ending)) = end(&bot).await else { panic!("{:?}", bot.state()) };
        assert_eq!(ending.status.code(), Some(4));
        wait_until("nothing is left", || marked(&marker).is_empty());
    });
}

#[test]
fn a_paused_bot_is_stopped_with_everything_that_it_started() {
    fn are_all(pids: &[u32], stopped: bool) -> bool {
        let is_stopped = |pid: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
        };
        pids.iter().all(|pid| is_stopped(pid) == stopped)
    }
    on_runtime(async {
        let marker = marker();
        // A child, one that has left the session, and one whose parent has ended.
        let script = "sleep 1000 & setsid sleep 1000 & (sleep 1000 &) ; echo up; read x; echo $x; read x";
        let mut bot = start(script, &marker).await;
        read_until(&bot, "up").await;
        let mut all = Vec::new();
        // The supervisor has the marker, too, and must not be stopped.
        wait_until("all have started", || {
            all = marked(&marker);
            all.len() == 5
        });
        let command = |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let (supervisor, own): (Vec<u32>, Vec<u32>) =
            all.into_iter().partition(|pid| command(pid).contains("__launcher"));
        assert_eq!((supervisor.len(), own.len()), (1, 4));
        let first = bot.reading().expect("it runs");
        bot.pause();
        bot.pause();
        wait_until("all are stopped", || are_all(&own, true));
        assert!(are_all(&supervisor, false));
        assert_eq!(bot.state(), State::Running);
        bot.write_now(b"hello\n").expect("its input is open");
        bot.resume();
        assert_eq!(read_until(&bot, "hello").await, "hello\n");
        assert!(are_all(&own, false));
        let second = bot.reading().expect("it runs");
        assert!(second.cpu >= first.cpu && second.waits.len() == 4, "{first:?} {second:?}");
        assert!(bot.peak_kib().is_some_and(|peak| peak > 100));
        // A paused bot cannot even end.
        bot.pause();
        assert_eq!(
            bot.quit(b"bye\n", Duration::from_secs(20), &QuitOverruns::default()).await,
            Leaked::default()
        );
        assert!(matches!(bot.state(), State::Ended(Some(ending)) if ending.status.code() == Some(0)));
        assert_eq!((bot.reading(), bot.peak_kib()), (None, None));
        assert!(marked(&marker).is_empty());
    });
}

#[test]
fn dropping_a_bot_ends_it() {
    on_runtime(async {
        let marker = marker();
        let bot = start(&format!("{DAEMON}; echo up; sleep 1000"), &marker).await;
        read_until(&bot, "up").await;
        drop(bot);
        wait_until("nothing is left", || marked(&marker).is_empty());
    });
}

#[test]
fn a_bot_that_stops_its_supervisor_is_ended_all_the_same() {
    on_runtime(async {
        let marker = marker();
        let mut bot = start(&format!("{DAEMON}; kill -STOP $PPID; echo up; sleep 1000"), &marker).await;
        read_until(&bot, "up").await;
        assert_eq!(bot.kill().await, Leaked::default());
        assert_eq!(marked(&marker), [0u32; 0]);
    });
}

#[test]
fn a_bot_that_kills_its_supervisor_leaves_nothing_behind() {
    on_runtime(async {
        let marker = marker();
        let script = format!("{DAEMON}; read go; kill -KILL $PPID; sleep 1000");
        let mut bot = start(&script, &marker).await;
        wait_until("the daemon runs", || marked(&marker).len() >= 2);
        bot.write_now(b"go\n").expect("its input is open");
        assert_eq!(end(&bot).await, State::Ended(None));
        assert_eq!(bot.kill().await, Leaked::default());
        assert_eq!(marked(&marker), [0u32; 0]);
    });
}

#[test]
fn a_bot_that_closes_its_output_lives_on() {
    on_runtime(async {
        let mut bot = start("echo bye; exec >&-; read line; exit 5", &marker()).await;
        assert_eq!(read_until(&bot, TO_ITS_END).await, "bye\n");
        assert_eq!(bot.state(), State::Running);
        bot.write_now(b"line\n").expect("its input is open");
        let State::Ended(Some(ending)) = end(&bot).await else { panic!("{:?}", bot.state()) };
        assert_eq!(ending.status.code(), Some(5));
        assert_eq!(bot.kill().await, Leaked::default());
    });
}

#[test]
fn stderr_never_blocks_a_bot_and_is_kept_at_both_ends() {
    on_runtime(async {
        let script =
            "echo first >&2; head -c 300000 /dev/zero | tr '\\0' x >&2; echo >&2; echo last >&2; echo done";
        let bot = start(script, &marker()).await;
        assert_eq!(read_until(&bot, "done\n").await, "done\n");
        let text = bot.stderr_text();
        assert!(text.starts_with("first\nxxx") && text.ends_with("xxx\nlast\n"), "{} bytes", text.len());
        assert_eq!(bot.stderr_bytes(), 300_012);
        assert!(text.len() < 66_000);
        bot.forget_stderr();
        assert_eq!(bot.stderr_text(), "");
    });
}

#[test]
fn a_bot_that_does_not_read_blocks_nobody() {
    on_runtime(async {
        let mut bot = start("echo up; sleep 1000", &marker()).await;
        read_until(&bot, "up").await;
        let chunk = [b'x'; 4096];
        let mut written = 0;
        while let Some(count) = bot.write_now(&chunk).expect("its input is open") {
            written += count;
        }
        assert!(written >= 4096, "{written}");
        assert_eq!(
            bot.quit(b"quit\n", Duration::from_millis(1), &QuitOverruns::default()).await,
            Leaked::default()
        );
    });
}

/// Stands in for a referee in the tests below, in a separate process.
#[test]
#[ignore = "run by other tests"]
fn stand_in_referee() {
    #[expect(clippy::disallowed_methods, reason = "a test can't be given arguments")]
    let argument = |name: &str| std::env::var(name).ok();
    if let Some(marker) = argument("STAND_IN_TO_BE_KILLED") {
        on_runtime(async {
            let _bots = [
                start(&format!("{DAEMON}; trap '' TERM; echo up; sleep 1000"), &marker).await,
                start("sleep 1000 & sleep 1000", &marker).await,
            ];
            read_until(&_bots[0], "up").await;
            println!("up");
            std::future::pending::<()>().await;
        });
    } else if argument("STAND_IN_TO_COUNT").is_some() {
        // A runtime's: the poller, its waker, and a pair for signals.
        // Of two runtimes: the poller, its waker, and a pair for signals.
        const OF_THE_THREADS: usize = 2 * 5;
        let open = || std::fs::read_dir("/proc/self/fd").expect("there is a `/proc`").count();
        on_runtime(async {
            let before = open();
            let mut after_one = None;
            for round in 0..20 {
                let script = ["exit 3", "sleep 1000", "read line", "sleep 1000 & exit 0"][round % 4];
                let mut bot = start(script, &marker()).await;
                assert_eq!(
                    bot.quit(b"quit\n", Duration::from_millis(1), &QuitOverruns::default()).await,
                    Leaked::default()
                );
                drop(bot);
                // Other listeners close their descriptors later. The threads of this
                // process have a fixed number of descriptors.
                match after_one {
                    None => {
                        wait_until("the keeper has let go", || open() <= before + OF_THE_THREADS);
                        after_one = Some(open());
                    }
                    Some(count) => wait_until("no descriptor is left", || open() <= count),
                }
            }
            wait_until("no dead child waits to be buried", || {
                let children = std::fs::read_dir("/proc/self/task").expect("there is a `/proc`").flatten();
                children.into_iter().all(|task| {
                    std::fs::read_to_string(task.path().join("children"))
                        .is_ok_and(|text| text.trim().is_empty())
                })
            });
        });
    }
}

fn stand_in(variable: &str, value: &str) -> std::process::Command {
    let mut referee = std::process::Command::new(std::env::current_exe().expect("tests know their program"));
    referee.args(["process::stand_in_referee", "--exact", "--ignored", "--nocapture"]).env(variable, value);
    referee
}

#[test]
fn nothing_outlives_a_referee_that_is_killed() {
    let marker = marker();
    let mut referee =
        stand_in("STAND_IN_TO_BE_KILLED", &marker).stdout(Stdio::piped()).spawn().expect("it starts");
    let output = BufReader::new(referee.stdout.take().expect("its output is ours"));
    assert!(output.lines().map_while(Result::ok).any(|line| line.ends_with("up")));
    wait_until("bots and daemon run", || marked(&marker).len() >= 7);
    referee.kill().expect("it can be killed");
    referee.wait().expect("it ends");
    wait_until("nothing is left", || marked(&marker).is_empty());
}

#[test]
fn neither_descriptors_nor_dead_children_pile_up() {
    let output = stand_in("STAND_IN_TO_COUNT", "1").output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_bot_outlives_the_thread_that_asked_for_it() {
    let marker = marker();
    let own = marker.clone();
    let asked = std::thread::spawn(move || {
        on_runtime(async { start("while read line; do echo \"got $line\"; done", &own).await })
    });
    // The thread and its runtime are gone, and nothing asks the bot to end.
    let mut bot = asked.join().expect("it starts a bot");
    on_runtime(async {
        assert_eq!(bot.write_now(b"one\n").expect("its input is open"), Some(4));
        assert_eq!(read_until(&bot, "one\n").await, "got one\n");
        assert_eq!(bot.state(), State::Running);
        assert_eq!(bot.kill().await, Leaked::default());
    });
    assert!(marked(&marker).is_empty());
}
