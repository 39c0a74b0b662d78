//! The order that a Swiss or a knockout has by rules of its own: it is the one that counts, whatever
//! the ratings say.

use super::tables::Shown;
use super::{Part, Report};
use crate::fit::{Fit, TIE_BREAKS};
use crate::standings::swiss_table;
use crate::table::{Cell, Column, Table};

/// Columns that the places of a knockout can leave out.
const PLACES: Fit = Fit::LeaveOut(&[&["seed"], &["round"], &["lost_to"]]);

/// Columns that a bracket can leave out.
const BRACKET: Fit = Fit::LeaveOut(&[&["seed_1", "seed_2"], &["by"], &["winner"], &["round"], &["points"]]);

/// The rules that a schedule has of its own, and the state of its games by them.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Rules {
    /// None: the standings say it all.
    #[default]
    None,
    /// A Swiss; its points and tie-breaks are in the standings.
    Swiss {
        /// Number of rounds that are over.
        over: usize,
        /// Number of rounds in the end.
        rounds: usize,
    },
    /// A knockout: its matches, round by round, the final last; its places are in the standings.
    Knockout(Vec<Vec<Match>>),
}

/// A match of a knockout.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// The two sides, the better seed first; none = not known yet, or nobody.
    pub sides: [Option<Side>; 2],
    /// The points of each so far.
    pub points: [f64; 2],
    /// Which of the two goes on.
    pub winner: Option<usize>,
    /// The decision.
    pub by: Way,
}

/// Somebody in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// The seed, from 1.
    pub seed: usize,
    /// The name.
    pub name: String,
}

/// The decision of a match.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Way {
    /// Points.
    Points,
    /// There was nobody to meet.
    Bye,
    /// It was level to the end, and the better seed goes on.
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

    /// Whose rules they are.
    fn word(&self) -> Option<&'static str> {
        match self {
            Rules::None => None,
            Rules::Swiss { .. } => Some("Swiss"),
            Rules::Knockout(_) => Some("knockout"),
        }
    }
}

impl Match {
    fn loser(&self) -> Option<&Side> {
        self.sides[1 - self.winner?].as_ref()
    }

    fn way(&self) -> Option<&'static str> {
        self.winner?;
        Some(match self.by {
            Way::Points => "points",
            Way::Bye => "bye",
            Way::Seed => "seed",
        })
    }
}

impl Report<'_> {
    /// The remark below the standings, whose order is another one.
    pub(super) fn below_standings(&self) -> Vec<String> {
        let word = self.rules.word().into_iter();
        word.map(|word| {
            format!("This table is ordered by rating. The ranking has the order by the rules of the {word}.")
        })
        .collect()
    }

    pub(super) fn ranking_shown(&self) -> Option<Shown> {
        let (fit, below) = match self.rules {
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
            Rules::Knockout(bracket) => shown_rounds(self.places(bracket), bracket.len()),
            Rules::None | Rules::Swiss { .. } => self.own_order(),
        };
        Some(Shown { table, fit, below: vec![below] })
    }

    /// The ranking by the rules of the schedule; empty if it has none. A column that the standings call
    /// otherwise has both names.
    pub(super) fn ranking_full(&self) -> Table {
        let table = self.own_order();
        match self.rules {
            Rules::None => table,
            Rules::Swiss { .. } => table.with_copy("rank", "swiss_rank").with_copy("points", "swiss_points"),
            Rules::Knockout(_) => table.with_copy("rank", "knockout_place"),
        }
    }

    fn own_order(&self) -> Table {
        match self.rules {
            Rules::None => Table::new(vec![Column::number("rank"), self.name_column()]),
            Rules::Swiss { .. } => {
                // Of teams two sides meet.
                let digits = if self.tally.is_of_teams() { 1 } else { self.digits() };
                swiss_table(self.name_column(), digits, self.standings.swiss())
            }
            Rules::Knockout(bracket) => self.places(bracket),
        }
    }

    fn places(&self, bracket: &[Vec<Match>]) -> Table {
        let mut table = Table::new(vec![
            Column::number("rank").titled("#"),
            self.name_column(),
            Column::number("seed"),
            Column::name("lost_to").titled("lost to"),
            Column::number("round"),
        ]);
        for (name, place) in self.standings.knockout_places() {
            let matches =
                || (1..).zip(bracket).flat_map(|(round, all)| all.iter().map(move |own| (round, own)));
            let is_own = |side: &&Side| side.name == name;
            let seed = matches().flat_map(|(_, own)| own.sides.iter().flatten()).find(is_own);
            let lost = matches().find(|(_, own)| own.loser().as_ref().is_some_and(is_own));
            let winner = lost.and_then(|(_, own)| own.winner.and_then(|winner| own.sides[winner].as_ref()));
            table.push(vec![
                Cell::maybe(place, Cell::count),
                Cell::text(name),
                Cell::maybe(seed, |side| Cell::count(side.seed)),
                Cell::maybe(winner, |side| Cell::text(&side.name)),
                Cell::maybe(lost, |(round, _)| Cell::Integer(round)),
            ]);
        }
        table
    }

    pub(super) fn bracket_shown(&self) -> Option<Shown> {
        let Rules::Knockout(bracket) = self.rules else { return None };
        let mut columns = vec![Column::text("round"), Column::number("seed_1").titled("seed")];
        columns.push(self.side_column(1));
        columns.push(Column::text("points"));
        columns.push(Column::number("seed_2").titled("seed"));
        columns.push(self.side_column(2));
        columns.extend([Column::name("winner"), Column::text("by")]);
        let mut table = Table::new(columns);
        for (number, round) in (1..).zip(bracket) {
            for own in round {
                let [one, other] = &own.sides;
                let seed = |side: &Option<Side>| Cell::maybe(side.as_ref(), |side| Cell::count(side.seed));
                let name = |side: &Option<Side>| Cell::maybe(side.as_ref(), |side| Cell::text(&side.name));
                let has_begun = own.winner.is_some() || own.points.iter().any(|points| *points > 0.0);
                let points = (has_begun && own.by != Way::Bye)
                    .then(|| format!("{:.1} : {:.1}", own.points[0], own.points[1]));
                table.push(vec![
                    Cell::Text(round_in_words(number, bracket.len())),
                    seed(one),
                    name(one),
                    Cell::maybe(points, Cell::Text),
                    seed(other),
                    name(other),
                    Cell::maybe(own.winner, |winner| name(&own.sides[winner])),
                    Cell::maybe(own.way(), |way| {
                        Cell::Text(if way == "seed" { "better seed" } else { way }.to_owned())
                    }),
                ]);
            }
        }
        Some(Shown { table, fit: BRACKET, below: Vec::new() })
    }

    /// All matches; none where there is no bracket.
    pub(super) fn bracket_full(&self) -> Table {
        let numbers = ["round", "match"].map(Column::number);
        let mut columns = numbers.to_vec();
        for side in [1, 2] {
            columns.push(Column::number(format!("seed_{side}")));
            columns.push(self.side_column(side));
            columns.push(Column::number(format!("points_{side}")));
        }
        columns.extend([Column::name("winner"), Column::text("by")]);
        let mut table = Table::new(columns);
        let Rules::Knockout(bracket) = self.rules else { return table };
        for (round, matches) in (1..).zip(bracket) {
            for (number, own) in (1..).zip(matches) {
                let mut cells = vec![Cell::Integer(round), Cell::Integer(number)];
                for (side, points) in own.sides.iter().zip(own.points) {
                    cells.push(Cell::maybe(side.as_ref(), |side| Cell::count(side.seed)));
                    cells.push(Cell::maybe(side.as_ref(), |side| Cell::text(&side.name)));
                    cells.push(Cell::decimal(points, 1));
                }
                let winner = own.winner.and_then(|winner| own.sides[winner].as_ref());
                cells.push(Cell::maybe(winner, |side| Cell::text(&side.name)));
                cells.push(Cell::maybe(own.way(), |way| Cell::Text(way.to_owned())));
                table.push(cells);
            }
        }
        table
    }

    /// The column of one or the other of a match: `bot_1`.
    fn side_column(&self, number: usize) -> Column {
        let word = self.entrant_word();
        Column::name(format!("{word}_{number}")).titled(word)
    }
}

/// The same with rounds as people call them.
fn shown_rounds(table: Table, rounds: usize) -> Table {
    let last = table.columns().len() - 1;
    let words: Vec<Cell> = table
        .rows()
        .iter()
        .map(|row| match &row[last] {
            Cell::Integer(round) => {
                Cell::Text(round_in_words(usize::try_from(*round).unwrap_or(rounds), rounds))
            }
            other => other.clone(),
        })
        .collect();
    table.only(|index, _| index != last).with(Column::text("round").titled("in"), words)
}

fn round_in_words(round: usize, rounds: usize) -> String {
    if round == rounds { "final".to_owned() } else { format!("round {round}") }
}
