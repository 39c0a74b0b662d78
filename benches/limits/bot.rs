//! The bot of all measurements: this program itself, with the moves of a
//! recorded game as arguments.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The argument that makes this program a bot; its tag, moves and manner follow.
pub const BOT: &str = "--bot";

/// A bot's use of the time before an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Manner {
    Instant,
    /// Keeps a CPU busy for this time before each answer.
    Thinks(Duration),
    /// Sleeps for this time before each answer.
    Sleeps(Duration),
}

impl Manner {
    fn word(&self) -> String {
        match self {
            Manner::Instant => "instant".to_owned(),
            Manner::Thinks(time) => format!("thinks={}", time.as_micros()),
            Manner::Sleeps(time) => format!("sleeps={}", time.as_micros()),
        }
    }

    fn of_word(word: &str) -> Manner {
        let time = |text: &str| Duration::from_micros(text.parse().expect("microseconds"));
        match word.split_once('=') {
            Some(("thinks", text)) => Manner::Thinks(time(text)),
            Some(("sleeps", text)) => Manner::Sleeps(time(text)),
            _ => Manner::Instant,
        }
    }

    fn take(&self, since: Instant) {
        match self {
            Manner::Instant => {}
            Manner::Thinks(time) => while since.elapsed() < *time {},
            Manner::Sleeps(time) => std::thread::sleep(*time),
        }
    }
}

/// Returns a bot's arguments. Given a folder, the bot writes its measured delays there when it
/// ends, in nanoseconds, to a file named after its process id.
pub fn arguments(tag: &str, script: String, manner: &Manner, delays: Option<PathBuf>) -> Vec<String> {
    let folder = delays.map(|folder| folder.into_os_string().into_string().expect("it is a plain path"));
    [BOT.to_owned(), tag.to_owned(), script, manner.word()].into_iter().chain(folder).collect()
}

/// Answers every `go` with the next move of the script. Only the last line of each
/// read is examined.
pub fn bot(arguments: &[String]) {
    let [_, _, script, manner, ..] = arguments else { panic!("a bot has a script and a manner") };
    let answers: Vec<String> = script.split(',').map(|mv| format!("bestmove {mv}\n")).collect();
    let manner = Manner::of_word(manner);
    let folder = arguments.get(4).map(PathBuf::from);
    let delays = answer(&answers, &manner, folder.is_some());
    if let Some(folder) = folder {
        let text: String = delays.iter().map(|delay| format!("{}\n", delay.as_nanos())).collect();
        std::fs::write(folder.join(std::process::id().to_string()), text).expect("the folder is there");
    }
}

fn answer(answers: &[String], manner: &Manner, counts: bool) -> Vec<Duration> {
    let (mut input, mut output) = (std::io::stdin(), std::io::stdout());
    let (mut next, mut filled) = (0, 0);
    let mut buffer = [0; 16 * 1024];
    let mut delays = Vec::new();
    loop {
        match input.read(&mut buffer[filled..]) {
            Ok(0) | Err(_) => return delays,
            Ok(count) => filled += count,
        }
        let Some(text) = buffer[..filled].strip_suffix(b"\n") else { continue };
        let start = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let answer = match &text[start..] {
            b"ugi" => "ugiok\n",
            b"isready" => {
                next = 0;
                "readyok\n"
            }
            b"quit" => return delays,
            line if line.starts_with(b"go ") => {
                if counts || *manner != Manner::Instant {
                    let heard = Instant::now();
                    manner.take(heard);
                    delays.push(heard.elapsed());
                }
                next += 1;
                answers[next - 1].as_str()
            }
            _ => "",
        };
        filled = 0;
        if !answer.is_empty() && output.write_all(answer.as_bytes()).and_then(|()| output.flush()).is_err() {
            return delays;
        }
    }
}
