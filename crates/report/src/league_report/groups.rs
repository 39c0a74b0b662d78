//! Games that have something in common: how they end, what they start from.

use std::collections::HashMap;

use super::lengths::LengthSpan;
use linesman_record::text::printable;

/// How much of what games have in common is kept, in bytes.
const MOST_LABEL: usize = 160;

/// What came of some games.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Group {
    /// Number of games.
    pub(crate) games: u64,
    /// The points of the first seat (or side) in them, in twelfths.
    pub(crate) first_twelfths: u64,
    /// In how many of them the first place was shared.
    pub(crate) draws: u64,
    /// How long they are, as far as that is known.
    pub(crate) plies: LengthSpan,
}

/// One game, as far as groups ask.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct GroupedGame {
    /// The points of the first seat, in twelfths.
    pub(crate) first_twelfths: u64,
    /// Whether the first place is shared.
    pub(crate) top: Top,
    /// How long it is, if that is known.
    pub(crate) plies: Option<u64>,
}

/// Who has the first place.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Top {
    /// One.
    Alone,
    /// Several.
    Shared,
}

impl Group {
    pub(crate) fn add(&mut self, game: GroupedGame) {
        self.games += 1;
        self.first_twelfths += game.first_twelfths;
        self.draws += u64::from(game.top == Top::Shared);
        if let Some(plies) = game.plies {
            self.plies.add(plies);
        }
    }
}

/// Games by a text that they have in common, a bounded number of such texts.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    most: usize,
    /// By the whole text; what is shown of it is shorter.
    numbers: HashMap<u64, usize>,
    groups: Vec<(String, Group)>,
    others: Group,
}

impl Groups {
    /// No games; so many texts are told apart.
    pub(crate) fn of_most(most: usize) -> Groups {
        Groups { most, numbers: HashMap::new(), groups: Vec::new(), others: Group::default() }
    }

    /// Counts a game that has this in common with others of the same `digest`.
    pub(crate) fn add(&mut self, digest: u64, label: impl FnOnce() -> String, game: GroupedGame) {
        let group = match self.numbers.get(&digest) {
            Some(number) => &mut self.groups[*number].1,
            None if self.groups.len() < self.most => {
                self.numbers.insert(digest, self.groups.len());
                self.groups.push((printable(&label(), MOST_LABEL), Group::default()));
                let last = self.groups.len() - 1;
                &mut self.groups[last].1
            }
            None => &mut self.others,
        };
        group.add(game);
    }

    /// The groups, those of most games first, then by their texts.
    pub(crate) fn by_games(&self) -> Vec<(&str, Group)> {
        let mut groups: Vec<(&str, Group)> =
            self.groups.iter().map(|(label, group)| (label.as_str(), *group)).collect();
        groups.sort_by(|one, other| other.1.games.cmp(&one.1.games).then_with(|| one.0.cmp(other.0)));
        groups
    }

    /// The games whose text came when there were too many already.
    pub(crate) fn others(&self) -> Option<Group> {
        Some(self.others).filter(|group| group.games > 0)
    }
}
