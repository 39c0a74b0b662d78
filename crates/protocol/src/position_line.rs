//! A `position` line that grows with its game.

/// The line [`ToBot::Position`](crate::ToBot::Position), kept as text
/// so that a turn adds one move instead of printing all of them again.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct PositionLine {
    text: String,
    moves: usize,
}

impl PositionLine {
    /// Makes the line for a game without moves, from the usual start or from the
    /// position with this token.
    pub fn new(token: Option<&str>) -> PositionLine {
        let text = match token {
            None => "position startpos".to_owned(),
            Some(token) => format!("position fen {token}"),
        };
        PositionLine { text, moves: 0 }
    }

    /// Adds a move, or `!3` for a seat that was eliminated.
    pub fn push(&mut self, mv: &str) {
        self.text.push_str(if self.moves == 0 { " moves " } else { " " });
        self.text.push_str(mv);
        self.moves += 1;
    }

    /// The line, without its `\n`.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}
