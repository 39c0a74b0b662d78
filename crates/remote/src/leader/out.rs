//! The games that are out, by number, by key, and by the place in which they are shown.
//!
//! The maps are trees, since a hash table with many removals would grow to twice its size.

use std::collections::BTreeMap;

use crate::wire::{GameKey, PackedGame};

struct OutGame {
    game: PackedGame,
    /// The place in which it is shown.
    place: Option<usize>,
    /// True if a worker is known to have started it.
    has_started: bool,
}

pub(super) struct OutGames {
    games: BTreeMap<u64, OutGame>,
    numbers: BTreeMap<GameKey, u64>,
    /// The game shown in each place.
    places: Vec<Option<u64>>,
}

impl OutGames {
    pub(super) fn new(shown: usize) -> OutGames {
        OutGames { games: BTreeMap::new(), numbers: BTreeMap::new(), places: vec![None; shown] }
    }

    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    pub(super) fn add(&mut self, number: u64, game: PackedGame) {
        self.numbers.insert(game.key(), number);
        self.games.insert(number, OutGame { game, place: None, has_started: false });
    }

    pub(super) fn number(&self, key: &GameKey) -> Option<u64> {
        self.numbers.get(key).copied()
    }

    pub(super) fn game(&self, number: u64) -> Option<&PackedGame> {
        self.games.get(&number).map(|out| &out.game)
    }

    /// Removes a game. Returns false if it was not out.
    pub(super) fn remove(&mut self, number: u64) -> bool {
        let Some(OutGame { game, place, .. }) = self.games.remove(&number) else { return false };
        self.numbers.remove(&game.key());
        if let Some(place) = place {
            self.places[place] = None;
        }
        true
    }

    /// Marks a game as started. Returns its place; `None` if it is not out, was marked before, or there are no places.
    pub(super) fn start(&mut self, number: u64) -> Option<usize> {
        let out = self.games.get_mut(&number).filter(|out| !out.has_started)?;
        out.has_started = true;
        // If all places are taken, the last one shows the latest game.
        let last = self.places.len().checked_sub(1)?;
        let free = self.places.iter().position(Option::is_none);
        if let Some(free) = free {
            self.places[free] = Some(number);
            out.place = Some(free);
        }
        Some(free.unwrap_or(last))
    }
}
