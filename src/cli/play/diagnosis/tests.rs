//! Tests of the hints for bots that failed.

use super::*;
use crate::league::file::Limits;
use crate::league::host::Folders;
use crate::process::isolation::{Bubblewrap, Calls, Launcher, Layers, Signals, SlotUsers};
use crate::record::FaultFields;
use crate::verdict::Limit;

fn confinement(read: &[PathBuf]) -> Confinement {
    let launcher = Launcher { landlock: 7, calls: Calls::Refused, signals: Signals::Elsewhere };
    Confinement {
        layers: Layers { launcher: Some(launcher), ..Layers::default() },
        read: read.to_vec(),
        folder: "/".into(),
        home: "/home/ada".into(),
        limits: Limits::default(),
        scratch: None,
        folders: Folders::OfBots,
    }
}

fn wrapped(confinement: &Confinement) -> Confinement {
    let bubblewrap = Some(Bubblewrap { program: "/usr/bin/bwrap".into(), version: "0.8.0".to_owned() });
    Confinement { layers: Layers { bubblewrap, ..confinement.layers.clone() }, ..confinement.clone() }
}

fn hint_for(stderr: &str, signal: Option<i32>, confinement: &Confinement) -> Option<String> {
    diagnose(stderr, signal, confinement).map(|hint| hint.in_words(confinement.folders))
}

#[track_caller]
fn check(confinement: &Confinement, stderr: &str, expected: &str) {
    let hint = hint_for(stderr, None, confinement).unwrap_or_default();
    assert!(hint.contains(expected), "{stderr}: {hint}");
}

/// A host with a bot's folder, and files in it and elsewhere.
fn host(files: &[&str]) -> (tempfile::TempDir, Confinement) {
    let host = tempfile::tempdir().expect("a folder can be made");
    for file in files {
        let path = host.path().join(file);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("folders can be made");
        std::fs::write(path, "").expect("a file can be written");
    }
    let folder = host.path().join("own");
    let confinement = Confinement { folder: folder.clone(), ..confinement(&[folder]) };
    (host, confinement)
}

#[test]
fn refused_access_gets_a_hint_in_every_language() {
    let (host, confinement) = host(&["own/bot.pl", "own/bot.py", "other/net.bin"]);
    let (other, own) = (host.path().join("other/net.bin"), host.path().join("own"));
    let (other, own) = (other.display(), own.display());
    let read = format!("`read = [\"{other}\"]`");
    for said in [
        format!("PermissionError: [Errno 13] Permission denied: '{other}'"),
        format!("sh: 1: cannot open {other}: Permission denied"),
        "Error: EACCES: permission denied, open '../other/net.bin'".to_owned(),
        format!("../other/net.bin: Permission denied at {own}/bot.pl line 8."),
        "panic: open ../other/net.bin: permission denied".to_owned(),
        format!("System.UnauthorizedAccessException: Access to the path \"{other}\" is denied."),
        "java.io.FileNotFoundException: ../other/net.bin (Permission denied)".to_owned(),
        format!("{own}/bot.rb:3:in 'initialize': Permission denied @ rb_sysopen - {other} (Errno::EACCES)"),
    ] {
        check(&confinement, &said, &read);
    }
    for said in [
        format!("PermissionError: [Errno 13] Permission denied: '{own}/log.txt'"),
        "PermissionError: [Errno 13] Permission denied: 'log.txt'".to_owned(),
        "Error: EACCES: permission denied, open 'log.txt'".to_owned(),
        format!("can't write log.txt: Permission denied at {own}/bot.pl line 8."),
        "panic: open log.txt: permission denied".to_owned(),
        "panic: open log.txt: read-only file system".to_owned(),
        "Exception in thread \"main\" java.io.FileNotFoundException: log.txt (Permission denied)".to_owned(),
        "System.UnauthorizedAccessException: Access to the path \"log.txt\" is denied.".to_owned(),
    ] {
        check(&confinement, &said, "log.txt` or anywhere else in their own directory");
        check(&confinement, &said, "`scratch = \"64MiB\"`");
        if !said.contains("read-only") {
            check(&confinement, &said, "; `--log DIR` keeps what the bot is sent and what it says");
        }
        check(&Confinement { scratch: Some(1 << 20), ..confinement.clone() }, &said, "`sandbox = \"off\"`");
    }
    let no_folder =
        "FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp', '/var/tmp']";
    check(&confinement, no_folder, "`scratch = \"64MiB\"`");
    check(&confinement, "PermissionError: [Errno 1] Operation not permitted\n  socket.py", "no network");
    check(&confinement, "socket.gaierror: [Errno -3] Temporary failure in name resolution", "no network");
    let pool = "self._semlock = _multiprocessing.SemLock(\nPermissionError: [Errno 13] Permission denied";
    check(&confinement, pool, "bubblewrap");
    check(&confinement, "EPERM", "`sandbox = \"off\"`");
    // The supervisor's report comes last: programs also try calls that they can do without.
    check(
        &confinement,
        &format!("{REFUSED_CALLS}io_setup, bind]\n"),
        "it refused these system calls: io_setup, bind",
    );
    let said = format!("PermissionError: [Errno 13] Permission denied: 'log.txt'\n{REFUSED_CALLS}socket]\n");
    check(&confinement, &said, "`scratch = \"64MiB\"`");
}

#[test]
fn a_position_in_a_program_is_not_a_refused_file() {
    let (host, confinement) = host(&["own/bot.pl"]);
    let script = host.path().join("own/bot.pl");
    for said in ["Permission denied at bot.pl line 3.", "bot.pl:3:in `open': Permission denied"] {
        let hint = hint_for(said, None, &confinement).unwrap_or_default();
        assert!(hint.contains("because the sandbox refused something"), "{hint}");
        let hint = hint_for(&said.replace("bot.pl", &script.display().to_string()), None, &confinement);
        assert!(hint.is_some_and(|hint| hint.contains("because the sandbox refused something")));
    }
}

#[test]
fn the_hint_for_unreachable_code_names_its_whole_folder() {
    let (host, confinement) = host(&[
        "own/bot.py",
        "shared/helper.py",
        "lib/package/__init__.py",
        "elsewhere/libchoose.so.1",
        "node/node_modules/pick/index.js",
    ]);
    let read = |path: &str| format!("`read = [\"{}\"]`", host.path().join(path).display());
    check(&confinement, "ModuleNotFoundError: No module named 'helper'", &read("shared"));
    check(&confinement, "ModuleNotFoundError: No module named 'package.part'", &read("lib"));
    let library =
        "./bot: error while loading shared libraries: libchoose.so.1: cannot open shared object file";
    check(&confinement, library, &read("elsewhere"));
    let refused = "Error: EACCES: permission denied, open '../node/node_modules/pick/index.js'";
    check(&confinement, refused, &read("node/node_modules"));
    check(&confinement, "ModuleNotFoundError: No module named 'nowhere'", "the sandbox may be the reason");
    let explained = "ModuleNotFoundError: No module named 'nowhere'\nhint: install it";
    assert_eq!(hint_for(explained, None, &confinement), None);
}

#[test]
fn the_hint_for_a_limit_doubles_it() {
    let confinement = Confinement { scratch: Some(64 << 20), ..confinement(&[]) };
    check(&confinement, "MemoryError", "`limits = { memory = \"2GiB\" }`");
    check(&confinement, "RuntimeError: can't start new thread", "`limits = { processes = 256 }`");
    check(&confinement, "OSError: [Errno 24] Too many open files", "`limits = { open_files = 512 }`");
    check(&confinement, "OSError: [Errno 27] File too large", "`limits = { file_size = \"32MiB\" }`");
    let hint = hint_for("", Some(libc::SIGXFSZ), &confinement).unwrap_or_default();
    assert!(hint.contains("`limits = { file_size = \"32MiB\" }`"), "{hint}");
    let of =
        |which| of_fault(&Fault::Limit { which, limit: 1, used: 2 }, &[], &confinement).unwrap_or_default();
    assert!(of(Limit::Memory).contains("`limits = { memory = \"2GiB\" }`"));
    assert!(of(Limit::Processes).contains("`limits = { processes = 256 }`"));
    assert!(of(Limit::Scratch).contains("`scratch = \"128MiB\"`"));
    assert_eq!(of(Limit::Line), "");
    // Limits also apply without the sandbox.
    let off = Confinement { layers: Layers::default(), ..confinement };
    check(&off, "MemoryError", "`limits = { memory = \"2GiB\" }`");
}

#[test]
fn the_hint_for_a_full_folder_names_a_larger_one() {
    let confinement = wrapped(&confinement(&[]));
    check(&confinement, "OSError: [Errno 28] No space left on device: '/tmp/x'", "`scratch = \"256MiB\"`");
    let hint =
        hint_for("Fatal Python error: Bus error", Some(libc::SIGBUS), &confinement).unwrap_or_default();
    assert!(hint.contains("/dev/shm"), "{hint}");
}

#[test]
fn a_user_of_its_own_needs_files_that_others_can_read() {
    let (host, confinement) = host(&["own/nets/net.bin"]);
    let file = host.path().join("own/nets/net.bin");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("modes can be set");
    let slot_users = Some(SlotUsers::default());
    let other =
        Confinement { layers: Layers { slot_users, ..confinement.layers.clone() }, ..confinement.clone() };
    check(&other, "PermissionError: [Errno 13] Permission denied: 'nets/net.bin'", "chmod -R o+rX");
    check(&confinement, "PermissionError: [Errno 13] Permission denied: 'nets/net.bin'", "scratch");
}

#[test]
fn the_sandbox_may_cause_a_silent_death_by_a_signal() {
    let hint = hint_for("", Some(libc::SIGABRT), &confinement(&[])).unwrap_or_default();
    assert!(hint.contains("because the sandbox may be the reason"), "{hint}");
    let before_ugiok = |status| {
        let error = format!("it ended before `ugiok` with {status}");
        let fault = Fault::NotStarted { error, status: Some(status), stderr_tail: "no".to_owned() };
        of_fault(&fault, &[], &confinement(&[]))
    };
    let hint = before_ugiok(ExitStatus::Signal(libc::SIGABRT)).unwrap_or_default();
    assert!(hint.contains("because the sandbox may be the reason"), "{hint}");
    assert_eq!(before_ugiok(ExitStatus::Code(1)), None);
}

#[test]
fn a_file_missing_from_a_namespace_gets_a_hint() {
    let host = tempfile::tempdir().expect("a folder can be made");
    let (table, gone) = (host.path().join("table"), host.path().join("gone"));
    std::fs::write(&table, "").expect("a file can be written");
    let wrapped = wrapped(&confinement(&[]));
    let hint = |path: &Path| {
        hint_for(&format!("sh: 1: cannot open {}: No such file", path.display()), None, &wrapped)
    };
    assert_eq!(hint(&table), Some(to_allow(&table).in_words(Folders::OfBots)));
    assert_eq!(hint(&gone), None);
}

#[test]
fn the_sandbox_is_not_blamed_for_other_failures() {
    let all = confinement(&[]);
    assert_eq!(hint_for("KeyError: 'legal'", None, &all), None);
    assert_eq!(hint_for("cat: /etc/shadow: No such file or directory", None, &all), None);
    let off = Confinement { layers: Layers::default(), ..all };
    assert_eq!(hint_for("PermissionError: [Errno 13] Permission denied: '/etc/shadow'", None, &off), None);
}

#[test]
fn the_hint_for_a_linked_interpreter_names_its_environment() {
    let (host, confinement) = host(&["venv/pyvenv.cfg", "venv/bin/activate", "own/wrap.sh"]);
    let python = host.path().join("venv/bin/python");
    std::os::unix::fs::symlink("/bin/sh", &python).expect("a link can be made");
    let said = format!("./wrap.sh: 2: exec: {}: not found", python.display());
    check(&wrapped(&confinement), &said, &format!("`read = [\"{}\"]`", host.path().join("venv").display()));
}

#[test]
fn no_hint_gives_access_to_the_files_of_the_kernel() {
    let hint = hint_for("PermissionError: [Errno 13] Permission denied: '/proc'", None, &confinement(&[]));
    assert!(hint.is_some_and(|hint| !hint.contains("read = [")));
}

#[test]
fn hints_of_a_match_use_its_options() {
    let confinement = Confinement { folders: Folders::OfThePlayer, ..confinement(&[]) };
    let of = |fault: Fault| of_fault(&fault, &[], &confinement).unwrap_or_default();
    let memory = of(Fault::Limit { which: Limit::Memory, limit: 1, used: 2 });
    assert!(memory.contains("`--limit memory=2GiB`"), "{memory}");
    let said = |text: &str| of(Fault::ClosedOutput { stderr_tail: text.to_owned() });
    let network = said("socket.gaierror: [Errno -3] Temporary failure in name resolution");
    assert!(network.contains("`--sandbox off`") && !network.contains("tournament"), "{network}");
    let nowhere = said("No usable temporary directory found");
    assert!(nowhere.ends_with("; only a tournament file can set `read` and `scratch`"), "{nowhere}");
}

#[test]
fn the_sandbox_may_cause_a_silent_failure() {
    let of = |code, stderr: &str| {
        let status = ExitStatus::Code(code);
        let tried =
            of_fault(&Fault::Crash { status, stderr_tail: stderr.to_owned() }, &[], &confinement(&[]));
        let record = FaultFields {
            seat: 1,
            fault: "crash".to_owned(),
            exit_code: Some(code),
            stderr_tail: Some(stderr.to_owned()),
            ..FaultFields::default()
        };
        assert_eq!(
            of_record(&record.clone().into(), &confinement(&[])),
            tried,
            "in a game as in the preflight check"
        );
        let talks = FaultFields { stray_lines: vec!["Traceback".to_owned()], ..record };
        assert_eq!(of_record(&talks.into(), &confinement(&[])), None, "what it printed is something");
        tried
    };
    assert!(of(3, "").is_some_and(|hint| hint.contains("because the bot ended without a message")));
    assert_eq!(of(0, ""), None);
    assert_eq!(of(3, "KeyError: 'legal'"), None);
}

#[test]
fn an_exit_before_the_first_line_gets_a_hint() {
    let said = ["usage: bot FILE".to_owned()];
    let of = |status: i32, stderr: &str, stray_lines: &[String]| {
        let error = format!("it ended with exit status {status}");
        let ended = Some(ExitStatus::Code(status));
        let fault = Fault::NotStarted { error: error.clone(), status: ended, stderr_tail: stderr.to_owned() };
        let record = FaultFields {
            seat: 1,
            fault: "not_started".to_owned(),
            why: Some(error),
            exit_code: Some(status),
            stderr_tail: Some(stderr.to_owned()),
            stray_lines: stray_lines.to_vec(),
            ..FaultFields::default()
        };
        let tried = of_fault(&fault, stray_lines, &confinement(&[]));
        assert_eq!(
            tried,
            of_record(&record.clone().into(), &confinement(&[])),
            "in the preflight check and in a game"
        );
        tried.unwrap_or_default()
    };
    let ended_well = of(0, "", &[]);
    assert!(ended_well.starts_with("check that its command starts a bot; try `sandbox = "), "{ended_well}");
    assert!(ended_well.contains("sandbox = \"off\""), "{ended_well}");
    assert!(of(3, "", &[]).contains("because the bot ended without a message"));
    for status in [0, 3] {
        assert_eq!(of(status, "KeyError: 'legal'", &[]), "");
        assert_eq!(of(status, "", &said), "");
    }
}
