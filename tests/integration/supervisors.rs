//! Tests of killed supervisors: no bot can kill its supervisor, so no bot is blamed.

use linesman::process::isolation::{Layers, Policy};
use linesman::process::{Bot, Leaked, Process as _, StartError, StartStep, State};
use rustix::process::{Pid, Signal, kill_process};

use crate::layers::{sets, shell};
use crate::support::bots::{records, shell_bot};
use crate::support::processes::{end, on_runtime, read_until};
use crate::support::scratch::Scratch;
use crate::support::waiting::wait_until;

/// Returns the launchers whose command contains a word, each with its parent.
fn launchers(word: &str) -> Vec<(i32, i32)> {
    let processes = std::fs::read_dir("/proc").expect("there is a `/proc`").flatten();
    let ours = |pid: i32| {
        let command = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).into_owned();
        if !command.contains("__launcher") || !command.contains(word) {
            return None;
        }
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let parent = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
        Some((pid, parent))
    };
    processes.filter_map(|entry| ours(entry.file_name().to_str()?.parse().ok()?)).collect()
}

fn kill(pid: i32) {
    let pid = Pid::from_raw(pid).expect("it is a process");
    kill_process(pid, Signal::KILL).expect("it is ours and lives");
}

/// True if no bot reaches the supervisor that forked it; with only a namespace it does.
fn keep_off(layers: &Layers) -> bool {
    layers.bubblewrap.is_none()
        || layers.slot_users.is_some()
        || layers.launcher.is_some_and(|launcher| launcher.landlock >= 6)
}

#[test]
fn no_sandboxed_bot_kills_its_supervisor_and_a_killed_one_is_a_fault_of_the_host() {
    for (number, layers) in sets().into_iter().enumerate().filter(|(_, layers)| layers.launcher.is_some()) {
        let is_kept_off = keep_off(&layers);
        // The first of the supervisor's processes, and the one that forked the bot.
        for place in 0..if layers.bubblewrap.is_some() && is_kept_off { 2 } else { 1 } {
            let word = format!("supervised-{}-{number}-{place}", std::process::id());
            let attack = if is_kept_off { "kill -9 $PPID; kill -9 -1;" } else { "" };
            let script = format!("{attack} echo up {word}; read line; exit 3");
            on_runtime(async {
                let mut bot = Bot::start(shell(&script, &layers, Policy::default()))
                    .await
                    .expect("the launcher starts");
                assert_eq!(read_until(&bot, "\n").await, format!("up {word}\n"), "{:?}", layers.names());
                let all = launchers(&word);
                let is_parent = |pid: i32| all.iter().any(|(_, parent)| *parent == pid);
                let wanted = |(pid, parent): &&(i32, i32)| match place {
                    0 => u32::try_from(*parent) == Ok(std::process::id()),
                    _ => !is_parent(*pid),
                };
                let (supervisor, _) = all.iter().find(wanted).unwrap_or_else(|| panic!("{all:?}"));
                assert_eq!(bot.state(), State::Running, "{:?}", layers.names());
                kill(*supervisor);
                match end(&bot).await {
                    State::Failed(StartError::Host { step: StartStep::Supervise, error }) => {
                        assert!(error.starts_with("its supervisor was killed by "), "{error}");
                    }
                    other => panic!("{:?}, process {place}: {other:?}", layers.names()),
                }
                assert_eq!(bot.kill().await, Leaked::default());
                assert_eq!(launchers(&word), []);
            });
        }
    }
}

#[test]
fn a_game_whose_supervisor_is_killed_is_void_and_played_again() {
    if sets().iter().all(|layers| layers.launcher.is_none()) {
        return;
    }
    let scratch = Scratch::new();
    scratch.write(
        "waits.sh",
        shell_bot("go) while [ ! -e open ]; do sleep 0.05; done; echo \"bestmove $move\";;"),
    );
    let game = ["match", "--game", "quixo", "--options", "size=3", "--games", "1", "--movetime", "300s"];
    // Without a preflight check, so that the process found has been started for a game.
    let rest = ["--bot", "sh waits.sh", "--bot", "linesman bot random", "--out", "kept", "--keep-going"];
    let run = scratch.start(game.iter().chain(&rest).chain(&["--sandbox", "portable"]));
    let mut found = None;
    wait_until("the bot is started", || {
        let own =
            launchers("waits.sh").into_iter().find(|(_, parent)| u32::try_from(*parent) == Ok(run.id()));
        found = own;
        own.is_some()
    });
    kill(found.expect("it was waited for").0);
    let file = scratch.path("kept/games.jsonl");
    wait_until("its game is void", || std::fs::read_to_string(&file).is_ok_and(|text| text.contains('\n')));
    scratch.write("open", "");
    run.end().done();
    let all = records(&file);
    let [void, played] = all.as_slice() else { panic!("{all:#?}") };
    assert_eq!((&void["void"]["kind"], &void["places"]), (&"host".into(), &serde_json::Value::Null));
    let why = void["void"]["why"].as_str().unwrap_or_default();
    assert!(why.contains("its supervisor was killed by"), "{why}");
    assert_eq!((played["try"].as_u64(), &played["id"]), (Some(2), &void["id"]));
    assert!(played["places"].is_array() && played["void"].is_null());
    assert!(all.iter().all(|record| record["faults"].is_null()), "{all:#?}");
}
