//! Tests of the layers around the launcher (namespaces with bubblewrap, cgroups,
//! separate users), each alone and all together, as far as this host has them.

use std::ffi::OsString;
use std::future::poll_fn;
use std::os::unix::process::ExitStatusExt;
use std::sync::OnceLock;
use std::task::Poll;
use std::time::Duration;

use linesman::process::isolation::{Isolation, Layers, Policy, Sandbox};
use linesman::process::{Bot, Breach, Command, Environment, Leaked, Process as _, State};
use linesman::verdict::Limit;

use crate::support::LINESMAN;
use crate::support::processes::{TO_ITS_END, end, on_runtime, read_until, sandbox_status};
use crate::support::waiting::wait_until;

/// Prints a note about a test.
#[expect(clippy::print_stdout, reason = "missing features of this host are reported")]
fn say(text: impl std::fmt::Display) {
    println!("{text}");
}

/// Returns this host's layers, found by the same probe as in every run.
fn here() -> &'static Layers {
    static HERE: OnceLock<Layers> = OnceLock::new();
    HERE.get_or_init(|| {
        let status = sandbox_status(Sandbox::Auto).expect("`auto` takes what there is");
        say(&status);
        for unavailable in &status.unavailable {
            say(format_args!("missing: {unavailable}"));
        }
        status.layers
    })
}

/// Returns the tested sets of layers: the launcher alone, with each other layer, and with all.
pub(crate) fn sets() -> Vec<Layers> {
    let all = here();
    let alone = Layers { bubblewrap: None, cgroup: None, slot_users: None, ..all.clone() };
    let mut sets = vec![
        alone.clone(),
        Layers { bubblewrap: all.bubblewrap.clone(), ..alone.clone() },
        Layers { cgroup: all.cgroup.clone(), ..alone.clone() },
        Layers { slot_users: all.slot_users, ..alone },
        all.clone(),
    ];
    sets.dedup();
    sets
}

/// Returns the layers if this host has `layer`; otherwise prints that the test is skipped.
fn with(layer: &str) -> Option<Layers> {
    let found = here().names().contains(&layer);
    if !found {
        say(format_args!("skipped: this host has no working layer `{layer}`"));
    }
    found.then(|| here().clone())
}

/// Returns a command for a shell script as a bot in these layers.
pub fn shell(script: &str, layers: &Layers, policy: Policy) -> Command {
    let environment =
        Environment { path: "/usr/bin:/bin".into(), home: "/".into(), temporary: "/tmp".into() };
    Command {
        launcher: LINESMAN.into(),
        program: "sh".into(),
        arguments: ["-c", script].map(OsString::from).into(),
        directory: "/".into(),
        environment: environment.closed([("MODEL", "small")]),
        cpus: Vec::new(),
        shares_cpus: false,
        isolation: Some(Isolation { policy, layers: layers.clone() }),
    }
}

async fn start(script: &str, layers: &Layers) -> Bot {
    start_with(script, layers, Policy::default()).await
}

async fn start_with(script: &str, layers: &Layers, policy: Policy) -> Bot {
    Bot::start(shell(script, layers, policy)).await.expect("the launcher starts")
}

/// Returns the output of a script in these layers.
fn printed(script: &str, layers: &Layers, policy: Policy) -> String {
    on_runtime(async {
        let mut bot = start_with(script, layers, policy).await;
        let text = read_until(&bot, TO_ITS_END).await;
        let state = end(&bot).await;
        assert!(matches!(state, State::Ended(_)), "{state:?} {}", bot.stderr_text());
        let stderr = bot.stderr_text();
        assert_eq!(bot.kill().await, Leaked::default());
        if stderr.is_empty() { text } else { format!("{text}stderr: {stderr}") }
    })
}

#[test]
fn concurrent_runs_all_have_the_layers_of_one() {
    let find = || {
        let status = sandbox_status(Sandbox::Auto);
        let status = status.expect("`auto` takes what there is");
        (status.layers, status.unavailable)
    };
    let alone = find();
    std::thread::scope(|scope| {
        let runs: Vec<_> =
            (0..6).map(|_| scope.spawn(|| (0..3).map(|_| find()).collect::<Vec<_>>())).collect();
        for run in runs {
            for found in run.join().expect("it does not panic") {
                assert_eq!(found, alone);
            }
        }
    });
}

#[test]
fn a_bot_in_every_set_of_layers_ends_as_it_would_without() {
    for layers in sets() {
        for (script, code, signal) in
            [("read line; exit 7", Some(7), None), ("read line; kill -SEGV $$", None, Some(libc::SIGSEGV))]
        {
            on_runtime(async {
                let mut bot = start(&format!("echo ready; {script}"), &layers).await;
                assert_eq!(read_until(&bot, "ready\n").await, "ready\n", "{:?}", layers.names());
                assert_eq!(bot.write_now(b"go\n").expect("its input is open"), Some(3));
                let State::Ended(Some(ending)) = end(&bot).await else { panic!("{:?}", bot.state()) };
                assert_eq!((ending.status.code(), ending.status.signal()), (code, signal));
                assert_eq!(bot.breach(), None);
                assert_eq!(bot.kill().await, Leaked::default());
            });
        }
    }
}

#[test]
fn closed_output_of_a_living_bot_is_noticed_in_every_set_of_layers() {
    for layers in sets() {
        on_runtime(async {
            let mut bot = start("echo last; exec >&-; while :; do sleep 60; done", &layers).await;
            assert_eq!(read_until(&bot, TO_ITS_END).await, "last\n", "{:?}", layers.names());
            assert_eq!(bot.state(), State::Running);
            assert_eq!(bot.kill().await, Leaked::default());
            assert!(matches!(bot.state(), State::Ended(Some(_))), "{:?}", bot.state());
        });
    }
}

#[test]
fn all_processes_of_a_bot_end_with_it_and_its_cgroup_is_gone() {
    for layers in sets() {
        on_runtime(async {
            let script = "for i in 1 2 3 4 5 6 7 8; do (setsid sleep 600 >/dev/null 2>&1 </dev/null &); done; \
                          echo ready; read line";
            let mut bot = start(script, &layers).await;
            assert_eq!(read_until(&bot, "ready\n").await, "ready\n");
            if let Some(leaf) = bot.cgroup() {
                assert!(leaf.cpu_time().is_some_and(|time| !time.is_zero()));
                assert!(leaf.folder().is_dir());
            }
            let leaf = bot.cgroup().map(|leaf| leaf.folder().to_owned());
            assert_eq!(bot.kill().await, Leaked::default(), "{:?}", layers.names());
            wait_until("its cgroup is gone", || leaf.iter().all(|leaf| !leaf.exists()));
        });
    }
}

#[test]
fn a_bot_has_three_descriptors_and_the_environment_that_it_was_given() {
    for layers in sets() {
        let script = "echo /proc/self/fd/*; env | sed 's/=.*//' | sort | tr '\\n' ' '";
        let text = printed(script, &layers, Policy::default());
        // The fourth is that of the folder while the shell lists it; the shell itself adds `PWD`, `_` and others.
        let (descriptors, names) = text.split_once('\n').expect("two lines");
        assert_eq!(descriptors.split(' ').count(), 4, "{:?}: {text}", layers.names());
        let of_the_shell = ["PWD", "OLDPWD", "SHLVL", "_"];
        let names: Vec<&str> =
            names.split_ascii_whitespace().filter(|name| !of_the_shell.contains(name)).collect();
        let given = ["HOME", "LANG", "LINESMAN_SLOT", "MODEL", "PATH", "PYTHONUNBUFFERED", "TMPDIR"];
        assert_eq!(names, given, "{:?}", layers.names());
    }
}

#[test]
fn a_bot_in_namespaces_only_sees_itself_and_bounded_folders() {
    let Some(layers) = with("bubblewrap") else { return };
    let bot = tempfile::tempdir().expect("a folder can be made");
    let secret = tempfile::tempdir().expect("a folder can be made");
    std::os::unix::fs::chown(bot.path(), None, None).expect("our own folder");
    std::fs::set_permissions(bot.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("modes can be set");
    std::fs::write(bot.path().join("net"), "figures").expect("a file can be written");
    let (own, other) = (bot.path().display(), secret.path().display());
    let script = format!(
        "ls /proc | grep -c '^[0-9]'; cat {own}/net; echo; \
         touch {own}/new 2>/dev/null || echo read-only; ls -d {other} 2>/dev/null || echo unseen; \
         for folder in / /dev /tmp/.. /usr /etc; do touch $folder/new 2>/dev/null && echo \"$folder!\"; done; \
         for folder in /tmp /dev/shm; do \
           dd if=/dev/zero of=$folder/a bs=1M count=12 2>/dev/null; \
           dd if=/dev/zero of=$folder/b bs=1M count=12 2>/dev/null && echo \"$folder is not bounded\"; \
         done; cat /proc/net/dev | grep -c :"
    );
    let policy = Policy { memory: 128 << 20, read: vec![bot.path().to_owned()], ..Policy::default() };
    let text = printed(&script, &layers, policy);
    // Processes: `bwrap`'s init, the supervisor, the shell, and those of the pipe.
    let (processes, rest) = text.split_once('\n').expect("several lines");
    assert!(processes.parse::<u32>().is_ok_and(|count| count <= 6), "{text}");
    assert_eq!(rest, "figures\nread-only\nunseen\n1\n");
}

#[test]
fn the_kernel_bounds_a_writable_folder_in_namespaces() {
    let Some(layers) = with("bubblewrap") else { return };
    let script = "echo \"$TMPDIR\" | grep -c linesman-; cd; echo fine >a; cat a; \
                  dd if=/dev/zero of=b bs=1M count=3 2>/dev/null || echo full";
    let policy = Policy { scratch: Some(2 << 20), ..Policy::default() };
    assert_eq!(printed(script, &layers, policy), "1\nfine\nfull\n");
}

#[test]
fn a_bot_of_root_runs_as_a_separate_user() {
    let Some(layers) = with("slot_user") else { return };
    let users = layers.slot_users.expect("it was found");
    for layers in sets().into_iter().filter(|layers| layers.slot_users.is_some()) {
        on_runtime(async {
            let script = "id -u; id -G; echo end; read line";
            let (mut one, mut other) = (start(script, &layers).await, start(script, &layers).await);
            let texts = [read_until(&one, "end\n").await, read_until(&other, "end\n").await];
            let ids = texts.map(|text| {
                let lines: Vec<&str> = text.lines().collect();
                assert_eq!(lines[0], lines[1], "no other group: {text}");
                lines[0].parse::<u32>().expect("a number")
            });
            assert_ne!(ids[0], ids[1]);
            assert!(ids.iter().all(|id| (users.first..users.first + users.count).contains(id)));
            assert_eq!((one.kill().await, other.kill().await), Default::default());
        });
    }
}

#[test]
fn cpu_time_of_unwaited_children_is_counted_in_a_cgroup() {
    let Some(layers) = with("cgroup") else { return };
    on_runtime(async {
        // A process that ignores SIGCHLD does not get its children's usage.
        let script = "trap '' CHLD; echo ready; read line; \
                      sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; echo worked; read line; exit 3";
        let mut bot = start(script, &layers).await;
        assert_eq!(read_until(&bot, "ready\n").await, "ready\n");
        let counted = |bot: &Bot| bot.cgroup().expect("it has one").cpu_time().expect("it is counted");
        let before = bot.reading().expect("it lives").cpu;
        assert_eq!(bot.write_now(b"go\n").expect("its input is open"), Some(3));
        assert_eq!(read_until(&bot, "worked\n").await, "worked\n");
        let all = counted(&bot);
        let after = bot.reading().expect("it lives").cpu;
        assert!(after >= all && all > before, "{before:?}, {after:?}, {all:?} in all");
        assert_eq!(bot.write_now(b"go\n").expect("its input is open"), Some(3));
        assert_eq!(read_until(&bot, "more").await, "");
        let ended = poll_fn(|context| {
            bot.wake_on_news(context.waker());
            match bot.state() {
                State::Ended(Some(ending)) => Poll::Ready(ending),
                _ => Poll::Pending,
            }
        });
        assert!(ended.await.cpu >= all);
        assert_eq!(bot.kill().await, Leaked::default());
    });
}

#[test]
fn a_frozen_bot_does_nothing_and_then_continues() {
    let Some(layers) = with("cgroup") else { return };
    on_runtime(async {
        let script = "(while :; do :; done) & echo ready; read line; echo went on";
        let mut bot = start(script, &layers).await;
        assert_eq!(read_until(&bot, "ready\n").await, "ready\n");
        let leaf = bot.cgroup().expect("it has one");
        assert!(leaf.freeze());
        // The kernel takes a while to stop running processes; after that nothing more is counted.
        let mut before = leaf.cpu_time();
        wait_until("nothing runs any more", || {
            std::thread::park_timeout(Duration::from_millis(50));
            let now = leaf.cpu_time();
            std::mem::replace(&mut before, now) == now
        });
        assert_eq!(bot.write_now(b"go\n").expect("its input is open"), Some(3));
        assert!(leaf.thaw());
        assert_eq!(read_until(&bot, "went on\n").await, "went on\n");
        assert_eq!(bot.kill().await, Leaked::default());
    });
}

#[test]
fn a_pause_stops_all_processes_of_a_bot_in_every_set_of_layers() {
    for layers in sets() {
        on_runtime(async {
            let script = "(setsid sh -c 'while :; do echo tick; done' &); read line; echo went on; exit";
            let mut bot = start(script, &layers).await;
            assert!(read_until(&bot, "tick\n").await.starts_with("tick\n"));
            bot.pause();
            let mut buffer = [0; 65536];
            let mut quiet = 0;
            // Output on its way still arrives, and processes that wait for a CPU stop when they get it; after
            // that nothing arrives.
            wait_until(&format!("it is quiet in {:?}", layers.names()), || {
                std::thread::park_timeout(Duration::from_millis(5));
                match bot.read_now(&mut buffer).expect("a pipe can be read") {
                    Some(_) => quiet = 0,
                    None => quiet += 1,
                }
                quiet == 20
            });
            bot.resume();
            assert!(!read_until(&bot, "tick\n").await.is_empty());
            assert_eq!(bot.kill().await, Leaked::default());
        });
    }
}

#[test]
fn a_frozen_bot_is_killed_all_the_same() {
    let Some(layers) = with("cgroup") else { return };
    on_runtime(async {
        let mut bot = start("echo ready; while :; do :; done", &layers).await;
        assert_eq!(read_until(&bot, "ready\n").await, "ready\n");
        assert!(bot.cgroup().is_some_and(|leaf| leaf.freeze()));
        assert_eq!(bot.kill().await, Leaked::default());
        let State::Ended(Some(ending)) = bot.state() else { panic!("{:?}", bot.state()) };
        assert_eq!(ending.status.signal(), Some(libc::SIGKILL));
    });
}

#[test]
fn too_much_memory_is_a_breach_of_its_limit_in_every_set_of_layers() {
    // A shell that doubles a text until it is killed, within its own limit.
    let script = "ulimit -v 1000000; echo ready; read line; text=aaaaaaaa; \
                  while :; do text=$text$text; done";
    for layers in sets() {
        on_runtime(async {
            let policy = Policy { memory: 48 << 20, ..Policy::default() };
            let mut bot = start_with(script, &layers, policy).await;
            assert_eq!(read_until(&bot, "ready\n").await, "ready\n", "{}", bot.stderr_text());
            assert_eq!(bot.write_now(b"go\n").expect("its input is open"), Some(3));
            let state = end(&bot).await;
            let breach = bot.breach();
            let stderr = bot.stderr_text();
            assert_eq!(bot.kill().await, Leaked::default());
            match breach {
                Some(Breach { resource: Limit::Memory, limit, used }) => {
                    assert!(limit == 48 << 20 && used >= limit, "{used}");
                }
                // An allocation can fail before the supervisor polls.
                None => {
                    assert!(
                        stderr.to_lowercase().contains("memory"),
                        "{:?} {state:?} {stderr}",
                        layers.names()
                    );
                }
                Some(other) => panic!("{other:?}"),
            }
        });
    }
}

#[test]
fn memory_that_no_process_maps_counts_in_a_cgroup() {
    let Some(layers) = with("bubblewrap") else { return };
    let Some(tree) = layers.cgroup.as_ref().filter(|tree| tree.limits_memory) else {
        println!("skipped: no cgroup limits memory here");
        return;
    };
    // cgroup v1 kills one process, and the others live until the supervisor polls.
    let ends_all = tree.memory_v1.is_none();
    let script = "dd if=/dev/zero of=$TMPDIR/a bs=1M count=100 2>/dev/null; echo survived";
    let policy =
        Policy { memory: 48 << 20, file_size: 1 << 30, scratch: Some(400 << 20), ..Policy::default() };
    on_runtime(async {
        let mut bot = start_with(script, &layers, policy).await;
        let output = read_until(&bot, TO_ITS_END).await;
        let State::Ended(Some(ending)) = end(&bot).await else { panic!("{:?}", bot.state()) };
        assert!(
            !ends_all || output.is_empty() && ending.status.signal() == Some(libc::SIGKILL),
            "{output} {ending:?}"
        );
        let Some(Breach { resource: Limit::Memory, limit, used }) = bot.breach() else {
            panic!("{:?}", bot.breach())
        };
        assert!(limit == 48 << 20 && used >= limit, "{used}");
        assert_eq!(bot.kill().await, Leaked::default());
    });
}

#[test]
fn peak_memory_in_a_cgroup_is_that_of_all_processes_at_one_moment() {
    let Some(layers) = with("cgroup") else { return };
    if !layers.cgroup.as_ref().is_some_and(|tree| tree.limits_memory) {
        println!("skipped: no cgroup counts memory here");
        return;
    }
    // Four children hold a text of 12 MiB each, until they are stopped.
    let script = "for i in 1 2 3 4; do \
                    (text=$(dd if=/dev/zero bs=1M count=12 2>/dev/null | tr '\\0' a); echo \"holds ${#text}\"; sleep 600) & \
                  done; read line; exit 0";
    on_runtime(async {
        let mut bot = start(script, &layers).await;
        let mut text = String::new();
        while text.matches("holds 12582912\n").count() < 4 {
            let more = read_until(&bot, "\n").await;
            assert!(!more.is_empty(), "{text} {}", bot.stderr_text());
            text.push_str(&more);
        }
        assert_eq!(bot.write_now(b"end\n").expect("its input is open"), Some(4));
        let State::Ended(Some(ending)) = end(&bot).await else { panic!("{:?}", bot.state()) };
        let peak = bot.cgroup().expect("it has one").peak_kib();
        // Without the group's count, only the largest process is known.
        match peak {
            Some(peak) => {
                assert!(peak >= 4 * 12 * 1024 && ending.peak_kib >= 4 * 12 * 1024, "{peak} {ending:?}");
            }
            None => println!("skipped: this kernel does not tell the peak"),
        }
        assert_eq!(bot.kill().await, Leaked::default());
    });
}

#[test]
fn the_kernel_bounds_processes_where_it_counts_them_separately() {
    let layers = here();
    let has_pids = layers.cgroup.as_ref().is_some_and(|tree| tree.limits_processes);
    if !has_pids && layers.slot_users.is_none() {
        println!("skipped: neither a cgroup nor users of their own count a bot's processes here");
        return;
    }
    // Twenty at once with a limit of eight: some fail to start, and there are never more.
    let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 5 & done; echo all";
    let policy = Policy { processes: 8, ..Policy::default() };
    on_runtime(async {
        let mut bot = start_with(script, layers, policy).await;
        assert_eq!(read_until(&bot, TO_ITS_END).await, "");
        assert!(matches!(end(&bot).await, State::Ended(_)));
        assert!(bot.stderr_text().contains("fork") || bot.breach().is_some(), "{}", bot.stderr_text());
        assert_eq!(bot.kill().await, Leaked::default());
    });
}
