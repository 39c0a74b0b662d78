//! Groups of games with a common property: their ending, their start.

use std::collections::HashMap;

use super::lengths::LengthSpan;
use linesman_record::text::printable;

/// Maximum length of a group's label, in bytes.
const MAX_LABEL: usize = 160;

/// The results of some games.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Group {
    pub(crate) games: u64,
    /// Points of the first seat (or side) in them, in twelfths.
    pub(crate) first_twelfths: u64,
    /// Number of games in which several shared the first place.
    pub(crate) draws: u64,
    /// Their lengths, as far as known.
    pub(crate) plies: LengthSpan,
}

/// The part of a game that groups need.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct GroupedGame {
    /// The points of the first seat, in twelfths.
    pub(crate) first_twelfths: u64,
    /// True if several sides share the first place.
    pub(crate) is_shared: bool,
    /// Its length in plies, if known.
    pub(crate) plies: Option<u64>,
}

impl Group {
    pub(crate) fn add(&mut self, game: GroupedGame) {
        self.games += 1;
        self.first_twelfths += game.first_twelfths;
        self.draws += u64::from(game.is_shared);
        if let Some(plies) = game.plies {
            self.plies.add(plies);
        }
    }
}

/// Games grouped by a common text. The number of different texts is bounded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    /// The key is a digest of the whole text; the label shows less of it.
    numbers: HashMap<u64, usize>,
    groups: Vec<(String, Group)>,
    others: Group,
}

impl Groups {
    /// Counts a game. Games with the same `digest` belong together. At most `max_groups` are distinguished.
    pub(crate) fn add(
        &mut self,
        max_groups: usize,
        digest: u64,
        label: impl FnOnce() -> String,
        game: GroupedGame,
    ) {
        let group = match self.numbers.get(&digest) {
            Some(number) => &mut self.groups[*number].1,
            None if self.groups.len() < max_groups => {
                self.numbers.insert(digest, self.groups.len());
                self.groups.push((printable(&label(), MAX_LABEL), Group::default()));
                let last = self.groups.len() - 1;
                &mut self.groups[last].1
            }
            None => &mut self.others,
        };
        group.add(game);
    }

    /// Returns the groups, ordered by the number of games, the highest first, and then by text.
    pub(crate) fn by_games(&self) -> Vec<(&str, Group)> {
        let mut groups: Vec<(&str, Group)> =
            self.groups.iter().map(|(label, group)| (label.as_str(), *group)).collect();
        groups.sort_by(|one, other| other.1.games.cmp(&one.1.games).then_with(|| one.0.cmp(other.0)));
        groups
    }

    /// Returns the games whose text appeared after the maximum was reached.
    pub(crate) fn others(&self) -> Option<Group> {
        Some(self.others).filter(|group| group.games > 0)
    }
}
