//! The set of games that have been played: one bit per game.

/// The games of a schedule that have been played.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Played {
    words: Vec<u64>,
    games: u64,
    count: u64,
}

/// The state of a game before it was marked.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Marked {
    /// It had not been played.
    New,
    /// It had already been played.
    Again,
}

impl Played {
    /// Marks a game as played.
    ///
    /// # Panics
    /// If the set does not cover this index.
    pub fn mark(&mut self, index: u64) -> Marked {
        assert!(index < self.games, "there is no game {index} of {}", self.games);
        let bit = 1 << (index % 64);
        let word = &mut self.words[(index / 64) as usize];
        if *word & bit != 0 {
            return Marked::Again;
        }
        *word |= bit;
        self.count += 1;
        Marked::New
    }

    /// Makes room for more games, none of which has been played.
    pub fn grow(&mut self, games: u64) {
        if games > self.games {
            let words =
                usize::try_from(games.div_ceil(64)).expect("a schedule's games fit in memory as bits");
            self.words.resize(words, 0);
            self.games = games;
        }
    }

    /// Number of games that the set covers.
    pub fn size(&self) -> u64 {
        self.games
    }

    /// True if a game has been played.
    pub fn contains(&self, index: u64) -> bool {
        index < self.games && self.words[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    /// Number of games that have been played.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the indices of the games that have not been played, in order.
    pub fn missing(&self) -> impl Iterator<Item = u64> + '_ {
        self.words.iter().zip((0..).step_by(64)).filter(|(word, _)| **word != u64::MAX).flat_map(
            move |(_, start)| (start..self.games.min(start + 64)).filter(|index| !self.contains(*index)),
        )
    }
}
