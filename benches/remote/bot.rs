//! The bot of these measurements: this program itself.

use std::io::{BufRead, Write};
use std::time::Duration;

/// The argument by which this program is a bot; the time follows that it sleeps before each move, in microseconds.
pub const BOT: &str = "--bot";

/// Makes the first legal move each time.
pub fn bot(arguments: &[String]) {
    let sleeps = arguments.first().and_then(|text| text.parse().ok()).map(Duration::from_micros);
    let mut output = std::io::stdout().lock();
    let mut first = String::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let answer = match line.split_ascii_whitespace().next() {
            Some("ugi") => "feature legal\nugiok\n".to_owned(),
            Some("isready") => "readyok\n".to_owned(),
            Some("legal") => {
                line.split_ascii_whitespace().nth(1).unwrap_or_default().clone_into(&mut first);
                continue;
            }
            Some("go") => {
                sleeps.into_iter().for_each(std::thread::sleep);
                format!("bestmove {first}\n")
            }
            Some("quit") => return,
            _ => continue,
        };
        if output.write_all(answer.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}
