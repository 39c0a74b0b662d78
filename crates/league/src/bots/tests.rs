use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;
use crate::file::{Limits, split_command};

fn surroundings(path: &Path) -> Surroundings<'_> {
    Surroundings { path: path.as_os_str(), software: "linesman 0.1.0" }
}

/// Creates a folder with a few files, some of them executable.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["bin", "nets"] {
        fs::create_dir(at.join(name)).unwrap();
    }
    for (name, text, mode) in [
        ("bot.sh", "#!/bin/sh\n", 0o755),
        ("lost.sh", "#!/bin/no-such-shell\r\n", 0o755),
        ("random_bot.py", "print()\n", 0o644),
        ("notes", "", 0o644),
        ("nets/a.bin", "weights", 0o644),
        ("bin/python3", "#!/bin/sh\n", 0o755),
        ("bin/sh", "#!/bin/sh\n", 0o755),
        ("bin/touch", "#!/bin/sh\n", 0o755),
    ] {
        fs::write(at.join(name), text).unwrap();
        fs::set_permissions(at.join(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    folder
}

fn bot(command: &str, folder: &Path) -> Bot {
    Bot {
        name: "ada".to_owned(),
        original_name: None,
        command: split_command(command).unwrap(),
        dir: None,
        folder: folder.to_owned(),
        environment: BTreeMap::new(),
        options: Vec::new(),
        limits: Limits::default(),
        read: Vec::new(),
        scratch: None,
        needs: Vec::new(),
        setup: None,
        made_of: None,
        deterministic: false,
        elo: None,
        time_control: None,
        threads: std::num::NonZeroU32::MIN,
    }
}

/// Returns the program of a command, or the error and its hint, without the path of the folder.
fn report(command: &str, at: &Path) -> String {
    let text = match identify(&bot(command, at), surroundings(&at.join("bin"))) {
        Ok(identity) => match identity.program {
            Program::ThisBinary => "this binary".to_owned(),
            Program::File(file) => file.display().to_string(),
        },
        Err(error) => {
            let hint = error.hint().map_or_else(String::new, |hint| format!("; hint: {hint}"));
            format!("{error}{hint}")
        }
    };
    text.replace(&format!("{}/", at.display()), "")
}

#[test]
fn programs_are_found_and_errors_are_explained() {
    let folder = folder();
    let all: Vec<String> = [
        "linesman bot greedy",
        "./bot.sh",
        "python3 random_bot.py",
        "python3 -m my_bot",
        "sh bot.sh",
        "./bto.sh",
        "./nothing-like-it",
        "~/bot.sh",
        "./nets",
        "./random_bot.py",
        "./notes",
        "./lost.sh",
        "bot.sh",
        "pyhton3 random_bot.py",
        "linseman bot greedy",
        "nosuch",
        "zzzzzzzzz",
        "python3 randombot.py",
        "sh nets/b.bin",
        "bot.sh/x",
    ]
    .into_iter()
    .map(|command| format!("{command}\n  {}", report(command, folder.path())))
    .collect();
    insta::assert_snapshot!(all.join("\n"), @r#"
    linesman bot greedy
      this binary
    ./bot.sh
      ./bot.sh
    python3 random_bot.py
      bin/python3
    python3 -m my_bot
      bin/python3
    sh bot.sh
      bin/sh
    ./bto.sh
      there is no file `bto.sh`; hint: did you mean `bot.sh`?
    ./nothing-like-it
      there is no file `nothing-like-it`
    ~/bot.sh
      there is no file `~/bot.sh`; hint: write the path in full: without a shell, `~` is not expanded
    ./nets
      `nets` is a folder; hint: name the program inside the folder
    ./random_bot.py
      `random_bot.py` is not executable; hint: put `python3` before it, or make it executable: `chmod +x random_bot.py`
    ./notes
      `notes` is not executable; hint: make it executable: `chmod +x notes`
    ./lost.sh
      `lost.sh` needs `/bin/no-such-shell\r`, which does not exist; hint: install the interpreter, or correct the line that begins with `#!`
    bot.sh
      there is no program `bot.sh` on the PATH; hint: write `./bot.sh`: the program is in the bot's folder
    pyhton3 random_bot.py
      there is no program `pyhton3` on the PATH; hint: did you mean `python3`?
    linseman bot greedy
      there is no program `linseman` on the PATH; hint: did you mean `linesman`?
    nosuch
      there is no program `nosuch` on the PATH
    zzzzzzzzz
      there is no program `zzzzzzzzz` on the PATH
    python3 randombot.py
      there is no file `randombot.py`; hint: did you mean `random_bot.py`?
    sh nets/b.bin
      there is no file `nets/b.bin`; hint: did you mean `nets/a.bin`?
    bot.sh/x
      there is no file `bot.sh/x`
    "#);
}

#[test]
fn a_missing_folder_is_reported() {
    let folder = folder();
    assert_eq!(
        report("./a", &folder.path().join("net")),
        format!("there is no folder `{0}/net`; hint: did you mean `{0}/nets`?", folder.path().display())
    );
    assert!(report("./a", &folder.path().join("notes")).ends_with("notes` is not a folder"));
}

#[test]
fn the_path_in_a_bots_environment_takes_precedence() {
    let folder = folder();
    let mut bot = bot("python3 random_bot.py", folder.path());
    let nowhere = folder.path().join("nets");
    assert!(identify(&bot, surroundings(&nowhere)).is_err());
    // A relative entry refers to the bot's folder.
    bot.environment.insert("PATH".to_owned(), "nets:bin".to_owned());
    let found = identify(&bot, surroundings(&nowhere)).unwrap();
    assert_eq!(found.program, Program::File(folder.path().join("bin/python3")));
}

#[test]
fn a_digest_covers_the_files_that_the_command_names() {
    let folder = folder();
    let at = folder.path();
    let digest = |command: &str| identify(&bot(command, at), surroundings(&at.join("bin"))).unwrap().digest;
    let before = [
        "linesman bot greedy",
        "./bot.sh",
        "python3 random_bot.py",
        "python3 random_bot.py --net=nets/a.bin",
        "python3 random_bot.py nets",
    ]
    .map(|command| (command, digest(command)));
    assert!(before.iter().all(|(_, digest)| digest.as_ref().is_some_and(|text| text.len() == 7 + 64)));
    assert_eq!(digest("python3 -m my_bot"), None);
    // Folders and the host's programs are not covered.
    assert_eq!(before[2].1, before[4].1);
    fs::write(at.join("bin/python3"), "#!/bin/sh\n# newer\n").unwrap();
    fs::write(at.join("nets/a.bin"), "better weights").unwrap();
    let changed = before.iter().filter(|(command, before)| digest(command) != *before);
    assert_eq!(
        changed.map(|(command, _)| *command).collect::<Vec<_>>(),
        ["python3 random_bot.py --net=nets/a.bin"]
    );
    let newer = Surroundings { software: "linesman 0.2.0", path: OsStr::new("") };
    assert_ne!(identify(&bot("linesman bot greedy", at), newer).unwrap().digest, before[0].1);
}

#[test]
fn digests_can_be_read_in_the_background() {
    let folder = folder();
    let at = folder.path();
    let commands = ["./bot.sh", "python3 -m my_bot", "python3 random_bot.py --net=nets/a.bin"];
    let named = || {
        let of = |command| NamedFiles::of(&split_command(command).unwrap(), at, "linesman 0.1.0").unwrap();
        Vec::from(commands.map(of))
    };
    let expected =
        commands.map(|command| identify(&bot(command, at), surroundings(&at.join("bin"))).unwrap().digest);
    for digests in [Digests::of(named()), Digests::of(named()).begun()] {
        let read: Vec<_> = digests.get().into_iter().map(Result::unwrap).collect();
        assert_eq!(read, expected);
    }
    let named = named();
    fs::remove_file(at.join("bot.sh")).unwrap();
    let read = Digests::of(named).begun().get();
    assert!(matches!(&read[0], Err(BotError::Unreadable { path, .. }) if *path == at.join("bot.sh")));
    assert!(read[1].is_ok() && read[2].is_ok());
}
