//! Tests of hints.

use std::time::Duration;

use linesman_types::verdict::{Evidence, ExitStatus, Fault, Stage};

use super::of_trial;

fn not_ready() -> Fault {
    Fault::NotReady { stage: Stage::Handshake, limit: Duration::from_secs(1), granted: Duration::ZERO }
}

#[track_caller]
fn told(fault: &Fault, stray: &[&str], command: &str) -> String {
    let stray: Vec<String> = stray.iter().map(|line| (*line).to_owned()).collect();
    let command = shell_words::split(command).expect("it is a command");
    of_trial(fault, &stray, &command).unwrap_or_default()
}

#[test]
fn each_language_is_told_its_own_way_to_write_a_line() {
    let late = Fault::Time {
        limit: Duration::from_secs(1),
        used: Duration::from_secs(1),
        margin: Duration::ZERO,
        evidence: Some(Evidence::default()),
        excuse: Duration::ZERO,
        overload: false,
        moved: Some(false),
    };
    // Nothing is known of its turn: nothing is said.
    assert_eq!(told(&late, &[], "java Bot"), "");
    for (command, expected) in [
        ("java -jar bot.jar", "System.out.flush()"),
        ("ruby bot.rb", "$stdout.flush"),
        ("./bot.pl", "$| = 1;"),
        ("/usr/bin/lua5.4 bot.lua", "io.stdout:flush()"),
    ] {
        assert!(told(&not_ready(), &[], command).contains(expected), "{command}");
    }
    // Those of a compiled program say nothing of its language, and these flush by themselves.
    for command in ["./bot", "python3 bot.py", "node bot.js"] {
        assert_eq!(told(&not_ready(), &[], command), "", "{command}");
    }
}

#[test]
fn words_that_a_shell_would_understand_are_named() {
    let ended = Fault::NotStarted {
        error: String::new(),
        status: Some(ExitStatus::Code(2)),
        stderr_tail: "cannot open".to_owned(),
    };
    assert!(told(&ended, &[], "python3 bot.py '|' tee log").contains("`|` means nothing in it"));
    assert_eq!(told(&ended, &[], "sh -c 'cd bots && ./bot; exit'"), "");
    assert_eq!(told(&ended, &[], "python3 bot.py --net=a.bin"), "");
}

#[test]
fn a_prompt_is_told_from_an_answer() {
    for prompt in [">>> ", "> ", "irb(main):001:0> "] {
        assert!(
            told(&not_ready(), &[prompt], "python3 -i").contains("is the prompt of an interpreter"),
            "{prompt}"
        );
    }
    assert!(told(&not_ready(), &["UGIOK"], "./bot").contains("did you mean `ugiok`?"));
    assert_eq!(told(&not_ready(), &["loading the net"], "./bot"), "");
}
