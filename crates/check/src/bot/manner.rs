//! Manners of writing lines that the protocol allows and this program's referee never uses.

use linesman_protocol::ToBot;

/// The way in which lines to the bot are written.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(super) enum Manner {
    /// As the referee writes them.
    #[default]
    Plain,
    /// Several spaces and tabs separate words, and some follow the last.
    Spaced,
    /// Unknown lines before known ones, and unknown words after them.
    Wordy,
    /// Lines end with `\r\n`.
    CarriageReturns,
}

/// Separators of words, used in turn.
const BLANKS: [&str; 4] = ["  ", "\t", " \t ", "   "];

impl Manner {
    /// Rewrites whole lines of the referee in this manner.
    pub(super) fn apply(self, text: &str) -> String {
        let lines = text.lines();
        match self {
            Manner::Plain => text.to_owned(),
            Manner::Spaced => lines.map(spaced).collect(),
            Manner::Wordy => lines.map(wordy).collect(),
            Manner::CarriageReturns => lines.map(|line| format!("{line}\r\n")).collect(),
        }
    }
}

fn spaced(line: &str) -> String {
    let mut text = String::new();
    for (index, word) in line.split(' ').enumerate() {
        if index > 0 {
            text.push_str(BLANKS[index % BLANKS.len()]);
        }
        text.push_str(word);
    }
    text + " \t \n"
}

fn wordy(line: &str) -> String {
    // A word after a list of moves would be a move, and one after a text would be a part of it.
    let more = match ToBot::parse(line) {
        Ok(Some(
            ToBot::Ugi
            | ToBot::NewGame
            | ToBot::Game(_)
            | ToBot::IsReady
            | ToBot::Go(_)
            | ToBot::GoPonder(_)
            | ToBot::PonderHit
            | ToBot::GameOver { .. },
        )) => " later words 7",
        Ok(Some(
            ToBot::Quit
            | ToBot::Stop
            | ToBot::SetOption { .. }
            | ToBot::Position(_)
            | ToBot::State(_)
            | ToBot::Legal(_)
            | ToBot::Told { .. },
        ))
        | Ok(None)
        | Err(_) => "",
    };
    format!("latest news from afar\n\n{line}{more}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: &str = "position startpos moves a1a5 b1b5\nlegal a1a5 c1c5\ngo movetime 200\n";

    fn read(text: &str) -> Vec<ToBot> {
        text.lines().filter_map(|line| ToBot::parse(line).expect("it is a line")).collect()
    }

    #[test]
    fn lines_mean_the_same_in_every_manner() {
        for manner in [Manner::Plain, Manner::Spaced, Manner::Wordy, Manner::CarriageReturns] {
            assert_eq!(read(&manner.apply(TURN)), read(TURN), "{manner:?}");
        }
        assert!(Manner::Spaced.apply("go movetime 200\n").contains("go\tmovetime \t 200 \t \n"));
        assert!(Manner::Wordy.apply("go movetime 200\n").ends_with("\ngo movetime 200 later words 7\n"));
    }
}
