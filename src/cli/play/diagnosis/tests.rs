//! Tests of the hints for bots that fail.

use super::*;
use crate::league::file::Limits;
use crate::league::host::Folders;
use crate::process::isolation::{Bubblewrap, Calls, Launcher, Layers, Signals, SlotUsers};
use crate::record::FaultFields;
use crate::verdict::Limit;

fn kept(read: &[PathBuf]) -> Confinement {
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

fn wrapped(kept: &Confinement) -> Confinement {
    let bubblewrap = Some(Bubblewrap { program: "/usr/bin/bwrap".into(), version: "0.8.0".to_owned() });
    Confinement { layers: Layers { bubblewrap, ..kept.layers.clone() }, ..kept.clone() }
}

fn told_of(stderr: &str, signal: Option<i32>, kept: &Confinement) -> Option<String> {
    diagnose(stderr, signal, kept).map(|hint| hint.told(kept.folders))
}

#[track_caller]
fn check(kept: &Confinement, stderr: &str, expected: &str) {
    let told = told_of(stderr, None, kept).unwrap_or_default();
    assert!(told.contains(expected), "{stderr}: {told}");
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
    let kept = Confinement { folder: folder.clone(), ..kept(&[folder]) };
    (host, kept)
}

#[test]
fn what_was_refused_is_told_with_its_cure_in_every_language() {
    let (host, kept) = host(&["own/bot.pl", "own/bot.py", "other/net.bin"]);
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
        check(&kept, &said, &read);
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
        check(&kept, &said, "log.txt` or anywhere else in their own directory");
        check(&kept, &said, "`scratch = \"64MiB\"`");
        if !said.contains("read-only") {
            check(&kept, &said, "; `--log DIR` keeps what the bot is sent and what it says");
        }
        check(&Confinement { scratch: Some(1 << 20), ..kept.clone() }, &said, "`sandbox = \"off\"`");
    }
    let no_folder =
        "FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp', '/var/tmp']";
    check(&kept, no_folder, "`scratch = \"64MiB\"`");
    check(&kept, "PermissionError: [Errno 1] Operation not permitted\n  socket.py", "no network");
    check(&kept, "socket.gaierror: [Errno -3] Temporary failure in name resolution", "no network");
    let pool = "self._semlock = _multiprocessing.SemLock(\nPermissionError: [Errno 13] Permission denied";
    check(&kept, pool, "bubblewrap");
    check(&kept, "EPERM", "`sandbox = \"off\"`");
    // The supervisor's report is the last guess: programs try calls and can do without them.
    check(
        &kept,
        &format!("{REFUSED_CALLS}io_setup, bind]\n"),
        "it refused these system calls: io_setup, bind",
    );
    let said = format!("PermissionError: [Errno 13] Permission denied: 'log.txt'\n{REFUSED_CALLS}socket]\n");
    check(&kept, &said, "`scratch = \"64MiB\"`");
}

#[test]
fn the_place_in_a_program_is_not_taken_for_a_file_that_was_refused() {
    let (host, kept) = host(&["own/bot.pl"]);
    let script = host.path().join("own/bot.pl");
    for said in ["Permission denied at bot.pl line 3.", "bot.pl:3:in `open': Permission denied"] {
        let told = told_of(said, None, &kept).unwrap_or_default();
        assert!(told.contains("because the sandbox refused something"), "{told}");
        let told = told_of(&said.replace("bot.pl", &script.display().to_string()), None, &kept);
        assert!(told.is_some_and(|told| told.contains("because the sandbox refused something")));
    }
}

#[test]
fn code_that_is_out_of_reach_is_told_with_the_folder_that_it_is_part_of() {
    let (host, kept) = host(&[
        "own/bot.py",
        "shared/helper.py",
        "lib/package/__init__.py",
        "elsewhere/libchoose.so.1",
        "node/node_modules/pick/index.js",
    ]);
    let read = |path: &str| format!("`read = [\"{}\"]`", host.path().join(path).display());
    check(&kept, "ModuleNotFoundError: No module named 'helper'", &read("shared"));
    check(&kept, "ModuleNotFoundError: No module named 'package.part'", &read("lib"));
    let library =
        "./bot: error while loading shared libraries: libchoose.so.1: cannot open shared object file";
    check(&kept, library, &read("elsewhere"));
    let refused = "Error: EACCES: permission denied, open '../node/node_modules/pick/index.js'";
    check(&kept, refused, &read("node/node_modules"));
    check(&kept, "ModuleNotFoundError: No module named 'nowhere'", "the sandbox may be the reason");
    let explained = "ModuleNotFoundError: No module named 'nowhere'\nhint: install it";
    assert_eq!(told_of(explained, None, &kept), None);
}

#[test]
fn a_limit_that_was_met_is_told_with_one_that_is_twice_as_high() {
    let kept = Confinement { scratch: Some(64 << 20), ..kept(&[]) };
    check(&kept, "MemoryError", "`limits = { memory = \"2GiB\" }`");
    check(&kept, "RuntimeError: can't start new thread", "`limits = { processes = 256 }`");
    check(&kept, "OSError: [Errno 24] Too many open files", "`limits = { open_files = 512 }`");
    check(&kept, "OSError: [Errno 27] File too large", "`limits = { file_size = \"32MiB\" }`");
    let told = told_of("", Some(libc::SIGXFSZ), &kept).unwrap_or_default();
    assert!(told.contains("`limits = { file_size = \"32MiB\" }`"), "{told}");
    let of = |which| of_fault(&Fault::Limit { which, limit: 1, used: 2 }, &[], &kept).unwrap_or_default();
    assert!(of(Limit::Memory).contains("`limits = { memory = \"2GiB\" }`"));
    assert!(of(Limit::Processes).contains("`limits = { processes = 256 }`"));
    assert!(of(Limit::Scratch).contains("`scratch = \"128MiB\"`"));
    assert_eq!(of(Limit::Line), "");
    // Limits hold without the sandbox too.
    let off = Confinement { layers: Layers::default(), ..kept };
    check(&off, "MemoryError", "`limits = { memory = \"2GiB\" }`");
}

#[test]
fn what_is_full_is_told_with_what_holds_more() {
    let kept = wrapped(&kept(&[]));
    check(&kept, "OSError: [Errno 28] No space left on device: '/tmp/x'", "`scratch = \"256MiB\"`");
    let told = told_of("Fatal Python error: Bus error", Some(libc::SIGBUS), &kept).unwrap_or_default();
    assert!(told.contains("/dev/shm"), "{told}");
}

#[test]
fn a_file_for_its_owner_only_is_no_file_for_a_user_of_its_own() {
    let (host, kept) = host(&["own/nets/net.bin"]);
    let file = host.path().join("own/nets/net.bin");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("modes can be set");
    let slot_users = Some(SlotUsers::default());
    let other = Confinement { layers: Layers { slot_users, ..kept.layers.clone() }, ..kept.clone() };
    check(&other, "PermissionError: [Errno 13] Permission denied: 'nets/net.bin'", "chmod -R o+rX");
    check(&kept, "PermissionError: [Errno 13] Permission denied: 'nets/net.bin'", "scratch");
}

#[test]
fn a_death_without_words_may_come_of_the_sandbox() {
    let told = told_of("", Some(libc::SIGABRT), &kept(&[])).unwrap_or_default();
    assert!(told.contains("because the sandbox may be the reason"), "{told}");
    let before_ugiok = |status| {
        let error = format!("it ended before `ugiok` with {status}");
        let fault = Fault::NotStarted { error, status: Some(status), stderr_tail: "no".to_owned() };
        of_fault(&fault, &[], &kept(&[]))
    };
    let told = before_ugiok(ExitStatus::Signal(libc::SIGABRT)).unwrap_or_default();
    assert!(told.contains("because the sandbox may be the reason"), "{told}");
    assert_eq!(before_ugiok(ExitStatus::Code(1)), None);
}

#[test]
fn what_is_not_there_in_a_namespace_is_told_with_its_cure() {
    let host = tempfile::tempdir().expect("a folder can be made");
    let (table, gone) = (host.path().join("table"), host.path().join("gone"));
    std::fs::write(&table, "").expect("a file can be written");
    let wrapped = wrapped(&kept(&[]));
    let told = |path: &Path| {
        told_of(&format!("sh: 1: cannot open {}: No such file", path.display()), None, &wrapped)
    };
    assert_eq!(told(&table), Some(to_allow(&table).told(Folders::OfBots)));
    assert_eq!(told(&gone), None);
}

#[test]
fn what_has_nothing_to_do_with_the_sandbox_is_not_blamed_on_it() {
    let all = kept(&[]);
    assert_eq!(told_of("KeyError: 'legal'", None, &all), None);
    assert_eq!(told_of("cat: /etc/shadow: No such file or directory", None, &all), None);
    let off = Confinement { layers: Layers::default(), ..all };
    assert_eq!(told_of("PermissionError: [Errno 13] Permission denied: '/etc/shadow'", None, &off), None);
}

#[test]
fn an_interpreter_that_is_a_link_is_told_with_the_environment_that_it_belongs_to() {
    let (host, kept) = host(&["venv/pyvenv.cfg", "venv/bin/activate", "own/wrap.sh"]);
    let python = host.path().join("venv/bin/python");
    std::os::unix::fs::symlink("/bin/sh", &python).expect("a link can be made");
    let said = format!("./wrap.sh: 2: exec: {}: not found", python.display());
    check(&wrapped(&kept), &said, &format!("`read = [\"{}\"]`", host.path().join("venv").display()));
}

#[test]
fn what_the_kernel_tells_of_others_is_not_to_be_given() {
    let told = told_of("PermissionError: [Errno 13] Permission denied: '/proc'", None, &kept(&[]));
    assert!(told.is_some_and(|told| !told.contains("read = [")));
}

#[test]
fn a_match_is_told_its_own_options() {
    let kept = Confinement { folders: Folders::OfThePlayer, ..kept(&[]) };
    let of = |fault: Fault| of_fault(&fault, &[], &kept).unwrap_or_default();
    let memory = of(Fault::Limit { which: Limit::Memory, limit: 1, used: 2 });
    assert!(memory.contains("`--limit memory=2GiB`"), "{memory}");
    let said = |text: &str| of(Fault::ClosedOutput { stderr_tail: text.to_owned() });
    let network = said("socket.gaierror: [Errno -3] Temporary failure in name resolution");
    assert!(network.contains("`--sandbox off`") && !network.contains("tournament"), "{network}");
    let nowhere = said("No usable temporary directory found");
    assert!(nowhere.ends_with("; only a tournament file can set `read` and `scratch`"), "{nowhere}");
}

#[test]
fn a_failure_without_a_word_may_come_of_the_sandbox() {
    let of = |code, stderr: &str| {
        let status = ExitStatus::Code(code);
        let tried = of_fault(&Fault::Crash { status, stderr_tail: stderr.to_owned() }, &[], &kept(&[]));
        let record = FaultFields {
            seat: 1,
            fault: "crash".to_owned(),
            exit_code: Some(code),
            stderr_tail: Some(stderr.to_owned()),
            ..FaultFields::default()
        };
        assert_eq!(
            of_record(&record.clone().into(), &kept(&[])),
            tried,
            "in a game as in the trial before it"
        );
        let talks = FaultFields { stray_lines: vec!["Traceback".to_owned()], ..record };
        assert_eq!(of_record(&talks.into(), &kept(&[])), None, "what it printed is something");
        tried
    };
    assert!(of(3, "").is_some_and(|told| told.contains("because the bot ended without a message")));
    assert_eq!(of(0, ""), None);
    assert_eq!(of(3, "KeyError: 'legal'"), None);
}

#[test]
fn a_bot_that_ends_before_its_first_word_is_told_what_it_may_be() {
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
        let tried = of_fault(&fault, stray_lines, &kept(&[]));
        assert_eq!(tried, of_record(&record.clone().into(), &kept(&[])), "in the trial and in a game");
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
