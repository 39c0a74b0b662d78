//! The direction of a line of a game's dialogue.

/// Direction of a line.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Direction {
    /// From the referee to a bot.
    ToBot,
    /// From a bot to the referee.
    FromBot,
}

impl Direction {
    /// The word for it in records.
    pub fn word(self) -> &'static str {
        match self {
            Direction::ToBot => "to_bot",
            Direction::FromBot => "from_bot",
        }
    }

    /// Returns the direction with this word.
    pub fn from_word(word: &str) -> Option<Direction> {
        [Direction::ToBot, Direction::FromBot].into_iter().find(|direction| direction.word() == word)
    }
}
