//! Tests of the files that bots need to read.

use super::*;
use crate::isolation::Hidden;

struct Host(tempfile::TempDir);

impl Host {
    fn new(files: &[&str]) -> Host {
        let host = Host(tempfile::tempdir().expect("a folder can be made"));
        for file in files {
            let path = host.0.path().join(file);
            std::fs::create_dir_all(path.parent().expect("it has one")).expect("folders can be made");
            std::fs::write(path, "").expect("a file can be written");
        }
        host
    }

    fn reach(&self, folder: &str, words: &[&str]) -> ReadScope {
        ReadScope {
            folder: self.0.path().join(folder),
            program: "/usr/bin/python3".into(),
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            home: self.0.path().join("home"),
            ..ReadScope::default()
        }
    }

    #[track_caller]
    fn check(&self, reach: &ReadScope, expected: &[&str]) {
        let paths = reach.grants(&Hidden::default()).read;
        let shown: Vec<&str> =
            paths.iter().filter_map(|path| path.strip_prefix(self.0.path()).ok()?.to_str()).collect();
        assert_eq!(shown, expected);
    }
}

#[test]
fn a_bot_reads_its_own_folder_and_not_its_neighbours() {
    let host = Host::new(&["cup/ada/bot.py", "cup/bob/bot.py", "cup/runs/cup/games.jsonl"]);
    let reach = host.reach("cup", &["ada/bot.py"]);
    host.check(&reach, &["cup/ada"]);
    host.check(&ReadScope { ownership: Ownership::Own, ..reach }, &["cup"]);
    host.check(&host.reach("cup", &["-c", "print()"]), &["cup"]);
}

#[test]
fn a_bot_in_the_home_folder_gets_its_file_and_what_is_named() {
    let host = Host::new(&["home/bot.py", "home/.ssh/id", "home/nets/big.bin", "home/jars/a.jar"]);
    let reach = host.reach("home", &["bot.py", "--net=nets/big.bin", "-cp", "jars/*:nowhere"]);
    host.check(&ReadScope { ownership: Ownership::Own, ..reach }, &["home/bot.py", "home/jars", "home/nets"]);
}

#[test]
fn the_project_around_a_file_and_the_modules_above_it_are_read() {
    let files = [
        "work/node_modules/left/index.js",
        "work/package.json",
        "work/cup/ada/src/index.js",
        "work/cup/ada/package.json",
        "work/cup/ada/lib/x.js",
        "work/bots/bot.py",
    ];
    let host = Host::new(&files);
    let reach = host.reach("work/cup", &["ada/src/index.js"]);
    host.check(&reach, &["work/cup/ada", "work/node_modules", "work/package.json"]);
    let reach = host.reach("work/bots", &["../cup/ada/src/index.js"]);
    let read = ["work/cup/ada/package.json", "work/cup/ada/src", "work/node_modules", "work/package.json"];
    host.check(&reach, &read);
}

#[test]
fn a_program_that_stands_alone_comes_without_its_neighbours() {
    let host = Host::new(&["apps/bin/linesman", "apps/bin/other", "apps/lib/secret"]);
    let program = host.0.path().join("apps/bin/linesman");
    let reach = ReadScope { program, ..host.reach("cup", &["bot", "random"]) };
    host.check(&reach, &["apps"]);
    let path = vec![host.0.path().join("apps/bin")];
    host.check(&ReadScope { path, ..reach.clone() }, &["apps/bin", "apps/lib"]);
    host.check(&ReadScope { program_kind: ProgramKind::SingleFile, ..reach }, &["apps/bin/linesman"]);
}

#[test]
fn programs_come_with_their_prefix_unless_it_holds_secrets() {
    let files = [
        "home/.pyenv/bin/python3",
        "home/.pyenv/lib/os.py",
        "home/.cargo/bin/tool",
        "home/.cargo/credentials.toml",
        "home/.local/lib/python3.11/site-packages/numpy.py",
        "home/.local/share/keyrings/secret",
        "venv/bin/run",
        "venv/pyvenv.cfg",
        "bots/a.py",
    ];
    let host = Host::new(&files);
    let at = |path: &str| host.0.path().join(path);
    let reach = ReadScope {
        program: at("venv/bin/run"),
        path: vec![at("home/.pyenv/bin"), at("home/.cargo/bin"), at("home/.local/bin"), "/usr/bin".into()],
        more: vec!["../venv".into(), "../missing".into()],
        ..host.reach("bots", &["a.py"])
    };
    let read = [
        "bots",
        "home/.cargo/bin",
        "home/.local/lib/python3.11",
        "home/.pyenv/bin",
        "home/.pyenv/lib",
        "venv",
    ];
    host.check(&reach, &read);
}

#[test]
fn links_are_followed_to_where_a_program_really_is() {
    let host = Host::new(&["real/bin/python3.11", "real/lib/os.py", "venv/pyvenv.cfg", "venv/bin/x"]);
    let link = host.0.path().join("venv/bin/python");
    std::os::unix::fs::symlink(host.0.path().join("real/bin/python3.11"), &link).expect("a link can be made");
    let reach = ReadScope { program: link, ..host.reach("venv", &["-c", "1"]) };
    host.check(&reach, &["real", "venv"]);
    // In namespaces every link on the way must exist.
    let first = host.0.path().join("venv/bin/python3");
    let way = host.0.path().join("tools/bin/python3");
    std::fs::create_dir_all(host.0.path().join("tools/bin")).expect("folders can be made");
    std::os::unix::fs::symlink(&way, &first).expect("a link can be made");
    std::os::unix::fs::symlink("../../real/bin/python3.11", &way).expect("a link can be made");
    host.check(&ReadScope { program: first, ..reach.clone() }, &["real", "tools", "venv"]);
    assert!(is_within(&host.0.path().join("real/lib/../lib/os.py"), &reach.paths()));
    assert!(!is_within(Path::new("/etc/shadow"), &reach.paths()));
}
