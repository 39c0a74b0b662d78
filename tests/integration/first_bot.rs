//! Test of the bot at the start of `docs/reference/protocol.md`, which plays as printed.

use std::io::Write;
use std::process::{Command, Stdio};

/// Returns the first Python block of the document.
fn shown_bot() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/protocol.md");
    let text = std::fs::read_to_string(path).expect("the document can be read");
    let block = text.split("```python\n").nth(1).expect("the document shows a bot");
    block.split("```").next().expect("the block ends").to_owned()
}

#[test]
fn the_documents_bot_answers_as_the_document_says() {
    let bot = Command::new("python3")
        .args(["-c", &shown_bot()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut bot = match bot {
        Ok(bot) => bot,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: there is no python3 here");
            return;
        }
        Err(error) => panic!("python3 can't be started: {error}"),
    };
    let lines = "ugi\nsetoption name X value 1\nuginewgame\ngame quixo seat 1 seats 2 id a~b~1\nisready\n\n\
                 position startpos\nlegal c1c5\ngo movetime 1000\n\
                 position startpos moves c1c5 a1a5\nlegal e5e1\ngo movetime 1000\n\
                 gameover places 1,2 reason line\nquit\nisready\n";
    let mut stdin = bot.stdin.take().expect("its input is a pipe");
    stdin.write_all(lines.as_bytes()).expect("it reads");
    drop(stdin);
    let output = bot.wait_with_output().expect("it ends");
    let answers = String::from_utf8(output.stdout).expect("it writes text");
    assert_eq!(answers, "feature legal\nugiok\nreadyok\nbestmove c1c5\nbestmove e5e1\n");
    assert!(output.status.success());
}
