//! Tests of `linesman new-bot`: the bot of each language is built and played as its README says, and behaves
//! correctly.

use std::path::Path;
use std::process::{Command, Output};

use linesman::games;

use crate::sample_bots::answers_in;
use crate::support::bots::records;
use crate::support::scratch::Scratch;
use crate::support::{LINESMAN, linesman};

/// A name that Cargo, Go and npm do not accept everywhere.
const NAME: &str = "Build";

/// Options by which games are short.
const SHORT: [(&str, &str); 5] = [
    ("quixo", "size=3"),
    ("quixo-teams", "max_plies=16"),
    ("trexo", "size=6"),
    ("kengu", ""),
    ("tandem", "max_plies=20"),
];

/// Runs a script in a folder, with the binary under test on the `PATH`.
fn bash(folder: &Path, script: &str) -> Output {
    let programs = Path::new(LINESMAN).parent().expect("the program is in a folder");
    Command::new("bash")
        .args(["-eu", "-c", &format!("PATH=\"$0:$PATH\"\n{script}")])
        .arg(programs)
        .env_remove("CARGO_TARGET_DIR")
        .current_dir(folder)
        .output()
        .expect("bash can be started")
}

/// True if these programs are installed. `tests/run` installs them, so none may be missing in CI.
#[expect(clippy::print_stdout, reason = "skipped tests are reported")]
fn has(tools: &str) -> bool {
    let script = format!(
        "for tool in {tools}; do command -v $tool || {{ echo \"no $tool\"; echo ${{CI-}} >&2; exit; }}; done"
    );
    let output = bash(Path::new("."), &script);
    let text = String::from_utf8_lossy(&output.stdout);
    let Some(missing) = text.lines().find(|line| line.starts_with("no ")) else { return true };
    assert!(output.stderr.trim_ascii().is_empty(), "there is {missing}; `tests/run` installs it");
    println!("skipped: there is {missing} here");
    false
}

/// Returns the commands of a README.
fn commands(readme: &str) -> &str {
    let (_, rest) = readme.split_once("```sh\n").expect("it has commands");
    rest.split_once("```").expect("the block ends").0
}

fn check(language: &str, tools: &str) {
    if !has(tools) {
        return;
    }
    let scratch = Scratch::new();
    let run = scratch.run(["new-bot", language, NAME]);
    let readme = scratch.read(&format!("{NAME}/README.md"));
    assert!(!readme.contains("my-bot"), "{readme}");
    assert_eq!(run.done(), commands(&readme));

    let output = bash(&scratch.path(""), commands(&readme).trim_end());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !stderr.contains("warning"), "{}\n{stderr}", readme);

    let words = shell_words::split(&run.stdout.replace("\\\n", " ")).expect("the commands can be read");
    let bot = &words[words.iter().position(|word| word == "--bot").expect("a bot plays") + 1];
    for (game, options) in SHORT {
        let arguments = ["match", "--game", game, "--options", options, "--games", "1", "--movetime", "30s"];
        let bots = ["--bot", bot, "--bot", "linesman bot random", "--fail-on-fault", "--out", game];
        scratch.run(arguments.into_iter().chain(bots)).done();
        let records = records(&scratch.path(game).join("games.jsonl"));
        let mut seats = records[0]["seats"].as_array().expect("it has seats").iter();
        assert!(seats.any(|seat| seat["version"] == NAME), "{records:?}");
    }
    // Without the items that can fail by the language's runtime alone.
    let items = ["positions", "stdout", "sandbox"].iter().flat_map(|item| ["--item", item]);
    let checked = ["check", "--quick"].into_iter().chain(items).chain(["--", bot]);
    scratch.run(checked).done();
    check_habits(&scratch.path(""), &shell_words::split(bot).expect("the command can be read"));
}

/// Asserts that the bot accepts any line, repeats its moves only in the same game, and ends when it should.
fn check_habits(folder: &Path, bot: &[String]) {
    let bot: Vec<&str> = bot.iter().map(String::as_str).collect();
    let legal = "a1a5 a1e1 a2a1 a2a5 a2e2 b1a1 b1b5 b1e1";
    let turns: String = [
        "movetime 1000",
        "p1time 60000 p2time 60000 p1inc 0 p2inc 100",
        "p1time 60000 p2time 60000 p1inc 0 p2inc 0 movestogo 5 movetime 100",
        "movetime 1000",
        "movetime 1000",
        "movetime 1000",
    ]
    .map(|time| {
        format!("position startpos\nstate ...../...../...../...../.....:1:0\nlegal {legal}\ngo {time}\n")
    })
    .concat();
    let game = "game quixo seat 2 seats 2 id a~b~1 options size=5,max_plies=200,repetition=3";
    let plain = format!("ugi\nuginewgame\n{game}\nisready\n{turns}");
    let expected = answers_in(folder, &bot, &plain);
    assert_eq!(
        expected[..4],
        [&*format!("id name {NAME}"), "feature state legal", "ugiok", "readyok"],
        "{bot:?}"
    );
    let moves = &expected[4..];
    assert!(
        moves.iter().all(|line| legal.contains(line.strip_prefix("bestmove ").unwrap_or("none"))),
        "{moves:?}"
    );
    assert_eq!(moves.len(), 6, "{bot:?}");
    assert!(moves.iter().any(|line| *line != moves[0]), "{bot:?}: {moves:?}");
    assert_eq!(answers_in(folder, &bot, &plain.replace('\n', "\r\n")), expected, "{bot:?}");
    let noisy =
        format!("\n*\nxyzzy legal\n{}quit\nisready\n", plain.replace("isready", "gameover\n?\nisready"));
    assert_eq!(answers_in(folder, &bot, &noisy), expected, "{bot:?}");
    assert_eq!(answers_in(folder, &bot, plain.trim_end()), expected, "{bot:?}: no line end at the end");
    let mut others =
        (2..6).map(|number| answers_in(folder, &bot, &plain.replace("a~b~1", &format!("a~b~{number}"))));
    assert!(others.any(|other| other != expected), "{bot:?} plays other games otherwise");
}

macro_rules! kits {
    ($($test:ident $language:literal needs $tools:literal;)+) => {
        $(#[test] fn $test() { check($language, $tools); })+

        #[test]
        fn every_language_is_tested() {
            let run = linesman(["new-bot", "--list"]);
            let listed: Vec<_> = run.done().lines().filter_map(|line| line.split(' ').next()).collect();
            assert_eq!(listed, [$($language),+]);
        }
    };
}

kits! {
    python "python" needs "python3";
    javascript "javascript" needs "node";
    typescript "typescript" needs "node npm";
    rust "rust" needs "cargo";
    c "c" needs "cc make";
    cpp "cpp" needs "c++ make";
    java "java" needs "javac java";
    go "go" needs "go";
    csharp "csharp" needs "mcs mono";
    ruby "ruby" needs "ruby";
    lua "lua" needs "lua";
    shell "shell" needs "sh";
}

#[test]
fn every_game_is_played() {
    assert!(games::GAMES.iter().map(|game| game.id).eq(SHORT.map(|(game, _)| game)));
}

#[test]
fn wrong_usage_is_explained() {
    let scratch = Scratch::new();
    scratch.run(["new-bot", "pyton", "ada"]).refused(
        2,
        "error: `new-bot` makes no bot in the language `pyton`\nhint: did you mean `python`?\n\
         hint: choose one of `python`, `javascript`, `typescript`, `rust`, `c`, `cpp`, `java`, `go`, `csharp`, \
         `ruby`, `lua`, `shell`, or write the bot yourself: docs/tutorials/first-bot.md shows the lines that it reads \
         and writes\n",
    );
    for name in ["", "2nd", "my bot", "../ada", "-x-", &"a".repeat(41)] {
        scratch.run(["new-bot", "python", "--", name]).refused(
            2,
            &format!(
                "error: a bot can't be named `{name}`\nhint: begin with a letter, and use letters `a` to `z` and \
                 `A` to `Z`, digits, `-` and `_`, at most 40\n"
            ),
        );
    }
    scratch.write("ada/notes", "");
    scratch.write("grace", "");
    for name in ["ada", "grace"] {
        scratch.run(["new-bot", "python", name]).refused(
            2,
            &format!(
                "error: `{name}` exists and is not an empty folder\nhint: choose another name, or remove what is \
                 there\n"
            ),
        );
    }
    assert_eq!(scratch.list("ada"), ["notes"]);
}

#[test]
fn an_empty_folder_is_filled() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("ada")).expect("the folder is ours");
    scratch.run(["new-bot", "python", "ada"]).done();
    assert_eq!(scratch.list("ada"), ["README.md", "bot.py"]);
}
