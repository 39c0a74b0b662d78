use std::time::Duration;

use linesman_types::verdict::{Evidence, ExitStatus, Fault, Stage};

use super::{BotLanguage, of_preflight};

fn not_ready() -> Fault {
    Fault::NotReady { stage: Stage::Handshake, limit: Duration::from_secs(1), granted: Duration::ZERO }
}

#[track_caller]
fn hint_for(fault: &Fault, stray: &[&str], command: &str) -> String {
    let stray: Vec<String> = stray.iter().map(|line| (*line).to_owned()).collect();
    let command = shell_words::split(command).expect("it is a command");
    of_preflight(fault, &stray, &command).unwrap_or_default()
}

#[test]
fn each_language_gets_its_own_statement_to_print_a_line() {
    let late = Fault::Time {
        limit: Duration::from_secs(1),
        used: Duration::from_secs(1),
        margin: Duration::ZERO,
        evidence: Some(Evidence::default()),
        excuse: Duration::ZERO,
        overload: false,
        moved: Some(false),
    };
    // Nothing is known of its turn, so there is no hint.
    assert_eq!(hint_for(&late, &[], "java Bot"), "");
    for (command, expected) in [
        ("java -jar bot.jar", "System.out.flush()"),
        ("ruby bot.rb", "$stdout.flush"),
        ("./bot.pl", "$| = 1;"),
        ("/usr/bin/lua5.4 bot.lua", "io.stdout:flush()"),
    ] {
        assert!(hint_for(&not_ready(), &[], command).contains(expected), "{command}");
    }
    // The command of a compiled program does not reveal its language, and the other languages flush automatically.
    for command in ["./bot", "python3 bot.py", "node bot.js"] {
        assert_eq!(hint_for(&not_ready(), &[], command), "", "{command}");
    }
}

#[test]
fn a_script_that_the_shell_ran_gets_a_hint_about_its_first_line() {
    let ended = |stderr: &str| Fault::NotStarted {
        error: String::new(),
        status: Some(ExitStatus::Code(127)),
        stderr_tail: stderr.to_owned(),
    };
    for stderr in ["./bot.py: 1: import: not found", "./bot.py: line 1: import: command not found"] {
        assert!(
            hint_for(&ended(stderr), &[], "./bot.py").starts_with("begin `./bot.py` with a line such as `#!")
        );
    }
    assert_eq!(hint_for(&ended("./bot.sh: 3: no: not found"), &[], "./bot.sh"), "");
    for (file, start) in [
        ("./bot.lua", "`lua ./bot.lua`"),
        ("./main.go", "`go build -o main ./main.go`"),
        ("./Bot.java", "`java -cp . Bot`"),
        ("./bot", "`python3 ./bot`"),
    ] {
        let hint = hint_for(&ended(&format!("{file}: 1: x: not found")), &[], file);
        assert!(hint.contains(start), "{hint}");
    }
    let no_class =
        "Error: Could not find or load main class Bot\nCaused by: java.lang.ClassNotFoundException: Bot";
    let no_packed_class = "Error: Could not find or load main class club.Bot";
    for (stderr, command, start) in [
        (no_class, "java Bot", "`javac Bot.java`"),
        (no_class, "java -cp out Bot --depth 3", "`java -cp . Bot`"),
        (no_packed_class, "java club.Bot", "`javac club/Bot.java`"),
        ("", "javac Bot.java", "`java -cp . Bot`"),
        ("mkdir go-build: read-only", "go run main.go", "`./main`"),
    ] {
        let hint = hint_for(&ended(stderr), &[], command);
        assert!(hint.starts_with("compile") && hint.contains(start), "{hint}");
    }
    // Compilation may take long, unless there is other evidence.
    assert!(hint_for(&not_ready(), &[], "go run main.go").starts_with("compile"));
    assert_eq!(hint_for(&not_ready(), &["panic: runtime error"], "go run main.go"), "");
}

#[test]
fn a_prompt_is_distinguished_from_an_answer() {
    for prompt in [">>> ", "> ", "irb(main):001:0> "] {
        assert!(
            hint_for(&not_ready(), &[prompt], "python3 -i").contains("is the prompt of an interpreter"),
            "{prompt}"
        );
    }
    assert!(hint_for(&not_ready(), &["UGIOK"], "./bot").contains("did you mean `ugiok`?"));
    assert_eq!(hint_for(&not_ready(), &["loading the net"], "./bot"), "");
}

#[test]
fn common_tasks_are_shown_in_the_language_of_the_command() {
    let of = |command: &str| BotLanguage::of(&[command.to_owned()]);
    for (command, words, stderr, end) in [
        ("bot.py", "line.split()", "sys.stderr", "for line in sys.stdin"),
        ("bot.js", "split(/\\s+/)", "console.error", "\"close\""),
        ("Bot.java", "split(\"\\\\s+\")", "System.err", "readLine()"),
        ("bot.lua", "gmatch", "io.stderr", "io.lines()"),
        ("./bot", "istringstream", "std::cerr", "std::getline"),
    ] {
        let language = of(command);
        for (code, expected) in
            [(language.words(), words), (language.stderr(), stderr), (language.to_the_end(), end)]
        {
            assert!(code.contains(expected), "{command}: {code}");
        }
    }
    assert!(of("bot.py").answer().contains("bestmove"));
}

#[test]
fn an_adapted_bot_with_a_refused_answer_gets_a_hint_about_shapes() {
    let said = |text: &str| Fault::NotAMove { text: text.to_owned(), why: "it is none".to_owned() };
    let illegal = Fault::IllegalMove { text: "a1a5".to_owned(), why: "the cube shows `o`".to_owned() };
    for command in ["linesman adapt bot.py:choose --again", "python3 /tools/linesman_adapter.py bot.py"] {
        assert!(hint_for(&said("None"), &[], command).contains("it returned nothing (`None`)"), "{command}");
        assert!(hint_for(&said("(0,\\x201)"), &[], command).starts_with("write a shape"), "{command}");
        assert!(hint_for(&illegal, &[], command).contains("--cells 0/1/2"), "{command}");
    }
    let crash =
        Fault::Crash { status: ExitStatus::Code(1), stderr_tail: "mine.py failed: KeyError: 1".to_owned() };
    for shape in ["--shape mine.py", "--shape=mine.py"] {
        let hint = hint_for(&crash, &[], &format!("linesman adapt bot.py {shape}"));
        assert!(hint.starts_with("correct the shape `mine.py`"), "{hint}");
    }
    assert_eq!(hint_for(&said("None"), &[], "linesman bot greedy"), "");
    assert_eq!(hint_for(&said("None"), &[], "./bot"), "");
}
