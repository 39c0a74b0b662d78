//! The ranking of a Swiss or a knockout by its own rules, which counts regardless of the ratings.

use super::shown::Shown;
use super::{Part, Report};
use crate::layout::{Layout, TIE_BREAKS};
use crate::table::{Cell, Column, ColumnOf, Table};

/// Columns that the places of a knockout can leave out.
const PLACES: Layout = Layout::LeaveOut(&[&["seed"], &["round"], &["lost_to"]]);

/// Columns that a bracket can leave out.
const BRACKET: Layout =
    Layout::LeaveOut(&[&["seed_1", "seed_2"], &["by"], &["winner"], &["round"], &["points"]]);

/// The ranking rules of a schedule, and the state of the rounds or matches.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Rules {
    /// No rules: the standings are the ranking.
    #[default]
    None,
    /// A Swiss; its points and tie-breaks are in the standings.
    Swiss {
        /// Number of rounds that are over.
        over: usize,
        /// Total number of rounds.
        rounds: usize,
    },
    /// A knockout: its matches, round by round, the final last; its places are in the standings.
    Knockout(Vec<Vec<Match>>),
}

/// A match of a knockout.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// The two sides, the better seed first; `None` = not known yet, or a bye.
    pub sides: [Option<Side>; 2],
    /// The points of each so far.
    pub points: [f64; 2],
    /// Index of the side that advances.
    pub winner: Option<usize>,
    /// The way in which it was decided.
    pub by: DecidedBy,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// The seed, from 1.
    pub seed: usize,
    pub name: String,
}

/// The way in which a match was decided.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum DecidedBy {
    Points,
    /// There was no opponent.
    Bye,
    /// It was level to the end, and the better seed advances.
    Seed,
}

impl Rules {
    /// True if a report of such a league has this part.
    pub fn give(&self, part: Part) -> bool {
        match part {
            Part::Ranking => *self != Rules::None,
            Part::Bracket => matches!(self, Rules::Knockout(_)),
            _ => true,
        }
    }

    /// Returns the word for a schedule with these rules.
    fn word(&self) -> Option<&'static str> {
        match self {
            Rules::None => None,
            Rules::Swiss { .. } => Some("Swiss"),
            Rules::Knockout(_) => Some("knockout"),
        }
    }
}

impl Match {
    fn winner(&self) -> Option<&Side> {
        self.sides[self.winner?].as_ref()
    }

    fn loser(&self) -> Option<&Side> {
        self.sides[1 - self.winner?].as_ref()
    }

    fn decided_by(&self) -> Option<&'static str> {
        self.winner?;
        Some(match self.by {
            DecidedBy::Points => "points",
            DecidedBy::Bye => "bye",
            DecidedBy::Seed => "seed",
        })
    }
}

impl Report<'_> {
    /// Returns the note below the standings, which are in another order.
    pub(super) fn below_standings(&self) -> Vec<String> {
        let word = self.rules.word().into_iter();
        word.map(|word| {
            format!("This table is ordered by rating. The ranking has the order by the rules of the {word}.")
        })
        .collect()
    }

    pub(super) fn ranking_shown(&self) -> Option<Shown> {
        let (layout, below) = match self.rules {
            Rules::None => return None,
            Rules::Swiss { over, rounds } => (
                TIE_BREAKS,
                format!(
                    "Order by the rules of the Swiss, after {over} of {rounds} rounds: points, then \
                     Buchholz cut 1, Buchholz and Sonneborn-Berger. Those that are equal in all of them \
                     share a rank."
                ),
            ),
            Rules::Knockout(_) => (
                PLACES,
                "Order by the rules of the knockout: those that lost in the same round share a place; those \
                 without a place are still in."
                    .to_owned(),
            ),
        };
        let table = match self.rules {
            Rules::Knockout(bracket) => self.places(bracket, Column::text("round").titled("in"), |round| {
                Cell::Text(round_in_words(round, bracket.len()))
            }),
            Rules::None | Rules::Swiss { .. } => self.ranking_table(),
        };
        Some(Shown { table, layout, below: vec![below] })
    }

    /// Returns the ranking by the rules of the schedule; empty if it has none. A column that has another name in the
    /// standings appears under both names.
    pub(super) fn ranking_full(&self) -> Table {
        let table = self.ranking_table();
        match self.rules {
            Rules::None => table,
            Rules::Swiss { .. } => table.with_copy("rank", "swiss_rank").with_copy("points", "swiss_points"),
            Rules::Knockout(_) => table.with_copy("rank", "knockout_place"),
        }
    }

    fn ranking_table(&self) -> Table {
        match self.rules {
            Rules::None => {
                let columns = [Column::number("rank"), self.name_column()];
                Table::of(columns.map(|column| column.of(|(): &()| Cell::Empty)), [(); 0])
            }
            Rules::Swiss { .. } => self.standings.swiss_table(),
            Rules::Knockout(bracket) => self.places(bracket, Column::number("round"), Cell::count),
        }
    }

    /// Returns the places of a knockout. The caller formats the rounds in which bots lost.
    fn places(&self, bracket: &[Vec<Match>], round: Column, in_round: impl Fn(usize) -> Cell) -> Table {
        type Row<'r> = (Option<usize>, &'r str, Option<&'r Side>, Option<(usize, &'r Match)>);
        let rows = self.standings.knockout_places().into_iter().map(|(name, place)| {
            let matches =
                || (1..).zip(bracket).flat_map(|(round, all)| all.iter().map(move |match_| (round, match_)));
            let is_named = |side: &&Side| side.name == name;
            let seed = matches().flat_map(|(_, match_)| match_.sides.iter().flatten()).find(is_named);
            (place, name, seed, matches().find(|(_, match_)| match_.loser().as_ref().is_some_and(is_named)))
        });
        Table::of(
            [
                Column::number("rank").titled("#").of(|row: &Row<'_>| Cell::maybe(row.0, Cell::count)),
                self.name_column().of(|row: &Row<'_>| Cell::text(row.1)),
                Column::number("seed").of(|row: &Row<'_>| Cell::maybe(row.2, |side| Cell::count(side.seed))),
                Column::name("lost_to").titled("lost to").of(|row: &Row<'_>| {
                    Cell::maybe(row.3.and_then(|(_, match_)| match_.winner()), |side| Cell::text(&side.name))
                }),
                round.of(move |row: &Row<'_>| Cell::maybe(row.3, |(round, _)| in_round(round))),
            ],
            rows,
        )
    }

    pub(super) fn bracket_shown(&self) -> Option<Shown> {
        let Rules::Knockout(bracket) = self.rules else { return None };
        let points = |match_: &Match| {
            let has_started = match_.winner.is_some() || match_.points.iter().any(|points| *points > 0.0);
            let is_played = has_started && match_.by != DecidedBy::Bye;
            is_played.then(|| Cell::Text(format!("{:.1} : {:.1}", match_.points[0], match_.points[1])))
        };
        let way = |match_: &Match| match match_.by {
            DecidedBy::Seed if match_.winner.is_some() => Cell::Text("better seed".to_owned()),
            _ => Cell::maybe(match_.decided_by(), |way| Cell::Text(way.to_owned())),
        };
        let [seed, name] = self.sides(0);
        let [other_seed, other_name] = self.sides(1);
        let columns = [
            (Column::text("round"))
                .of(|row: &NumberedMatch<'_>| Cell::Text(round_in_words(row.round, bracket.len()))),
            seed,
            name,
            Column::text("points").of(|row: &NumberedMatch<'_>| points(row.match_).unwrap_or(Cell::Empty)),
            other_seed,
            other_name,
            winner(),
            Column::text("by").of(|row: &NumberedMatch<'_>| way(row.match_)),
        ];
        Some(Shown { table: Table::of(columns, numbered(bracket)), layout: BRACKET, below: Vec::new() })
    }

    /// Returns all matches; empty without a bracket.
    pub(super) fn bracket_full(&self) -> Table {
        let bracket = if let Rules::Knockout(bracket) = self.rules { &bracket[..] } else { &[] };
        let mut columns = vec![
            Column::number("round").of(|row: &NumberedMatch<'_>| Cell::count(row.round)),
            Column::number("match").of(|row: &NumberedMatch<'_>| Cell::count(row.number)),
        ];
        for side in 0..2 {
            columns.extend(self.sides(side));
            columns.push(
                Column::number(format!("points_{}", side + 1))
                    .of(move |row: &NumberedMatch<'_>| Cell::decimal(row.match_.points[side], 1)),
            );
        }
        columns.push(winner());
        columns.push(Column::text("by").of(|row: &NumberedMatch<'_>| {
            Cell::maybe(row.match_.decided_by(), |way| Cell::Text(way.to_owned()))
        }));
        Table::of(columns, numbered(bracket))
    }

    /// Returns the seed and the name of one side of a match: `seed_1`, `bot_1`.
    fn sides<'r>(&self, index: usize) -> [ColumnOf<'r, NumberedMatch<'r>>; 2] {
        let word = self.entrant_word();
        let side = move |row: &NumberedMatch<'r>| row.match_.sides[index].as_ref();
        [
            Column::number(format!("seed_{}", index + 1))
                .titled_alike("seed")
                .of(move |row| Cell::maybe(side(row), |side| Cell::count(side.seed))),
            Column::name(format!("{word}_{}", index + 1))
                .titled_alike(word)
                .of(move |row| Cell::maybe(side(row), |side| Cell::text(&side.name))),
        ]
    }
}

/// A match with its round and its number in the round, both from 1.
struct NumberedMatch<'r> {
    round: usize,
    number: usize,
    match_: &'r Match,
}

fn numbered(bracket: &[Vec<Match>]) -> impl Iterator<Item = NumberedMatch<'_>> {
    (1..).zip(bracket).flat_map(|(round, matches)| {
        (1..).zip(matches).map(move |(number, match_)| NumberedMatch { round, number, match_ })
    })
}

fn winner<'r>() -> ColumnOf<'r, NumberedMatch<'r>> {
    Column::name("winner")
        .of(|row: &NumberedMatch<'r>| Cell::maybe(row.match_.winner(), |side| Cell::text(&side.name)))
}

fn round_in_words(round: usize, rounds: usize) -> String {
    if round == rounds { "final".to_owned() } else { format!("round {round}") }
}
