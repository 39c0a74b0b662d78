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

    fn scope(&self, folder: &str, words: &[&str]) -> ReadScope {
        ReadScope {
            folder: self.0.path().join(folder),
            program: "/usr/bin/python3".into(),
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            home: self.0.path().join("home"),
            ..ReadScope::default()
        }
    }

    #[track_caller]
    fn check(&self, scope: &ReadScope, expected: &[&str]) {
        let paths = scope.grants(&Hidden::default()).read;
        let shown: Vec<&str> =
            paths.iter().filter_map(|path| path.strip_prefix(self.0.path()).ok()?.to_str()).collect();
        assert_eq!(shown, expected);
    }
}

#[test]
fn a_bot_reads_its_own_folder_and_not_its_neighbours() {
    let host = Host::new(&["cup/ada/bot.py", "cup/bob/bot.py", "cup/runs/cup/games.jsonl"]);
    let scope = host.scope("cup", &["ada/bot.py"]);
    host.check(&scope, &["cup/ada"]);
    host.check(&ReadScope { ownership: Ownership::Own, ..scope }, &["cup"]);
    host.check(&host.scope("cup", &["-c", "print()"]), &["cup"]);
}

#[test]
fn a_bot_in_the_home_folder_gets_its_file_and_what_is_named() {
    let host = Host::new(&["home/bot.py", "home/.ssh/id", "home/nets/big.bin", "home/jars/a.jar"]);
    let scope = host.scope("home", &["bot.py", "--net=nets/big.bin", "-cp", "jars/*:nowhere"]);
    host.check(&ReadScope { ownership: Ownership::Own, ..scope }, &["home/bot.py", "home/jars", "home/nets"]);
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
    let scope = host.scope("work/cup", &["ada/src/index.js"]);
    host.check(&scope, &["work/cup/ada", "work/node_modules", "work/package.json"]);
    let scope = host.scope("work/bots", &["../cup/ada/src/index.js"]);
    let read = ["work/cup/ada/package.json", "work/cup/ada/src", "work/node_modules", "work/package.json"];
    host.check(&scope, &read);
}

#[test]
fn a_program_of_a_single_file_is_granted_without_its_neighbours() {
    let host = Host::new(&["apps/bin/linesman", "apps/bin/other", "apps/lib/secret"]);
    let program = host.0.path().join("apps/bin/linesman");
    let scope = ReadScope { program, ..host.scope("cup", &["bot", "random"]) };
    host.check(&scope, &["apps"]);
    let path = vec![host.0.path().join("apps/bin")];
    host.check(&ReadScope { path, ..scope.clone() }, &["apps/bin", "apps/lib"]);
    host.check(&ReadScope { program_kind: ProgramKind::SingleFile, ..scope }, &["apps/bin/linesman"]);
}

#[test]
fn programs_are_granted_with_their_prefix_unless_it_holds_secrets() {
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
    let scope = ReadScope {
        program: at("venv/bin/run"),
        path: vec![at("home/.pyenv/bin"), at("home/.cargo/bin"), at("home/.local/bin"), "/usr/bin".into()],
        more: vec!["../venv".into(), "../missing".into()],
        ..host.scope("bots", &["a.py"])
    };
    let read = [
        "bots",
        "home/.cargo/bin",
        "home/.local/lib/python3.11",
        "home/.pyenv/bin",
        "home/.pyenv/lib",
        "venv",
    ];
    host.check(&scope, &read);
}

#[test]
fn links_are_followed_to_the_program_itself() {
    let host = Host::new(&["real/bin/python3.11", "real/lib/os.py", "venv/pyvenv.cfg", "venv/bin/x"]);
    let link = host.0.path().join("venv/bin/python");
    std::os::unix::fs::symlink(host.0.path().join("real/bin/python3.11"), &link).expect("a link can be made");
    let scope = ReadScope { program: link, ..host.scope("venv", &["-c", "1"]) };
    host.check(&scope, &["real", "venv"]);
    // In namespaces every link on the way must exist.
    let first = host.0.path().join("venv/bin/python3");
    let way = host.0.path().join("tools/bin/python3");
    std::fs::create_dir_all(host.0.path().join("tools/bin")).expect("folders can be made");
    std::os::unix::fs::symlink(&way, &first).expect("a link can be made");
    std::os::unix::fs::symlink("../../real/bin/python3.11", &way).expect("a link can be made");
    host.check(&ReadScope { program: first, ..scope.clone() }, &["real", "tools", "venv"]);
    assert!(is_within(&host.0.path().join("real/lib/../lib/os.py"), &scope.paths()));
    assert!(!is_within(Path::new("/etc/shadow"), &scope.paths()));
}
