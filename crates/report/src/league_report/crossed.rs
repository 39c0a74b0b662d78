//! The crosstable for people: every bot against every bot, in cells that fit on a page or in a terminal.

use super::shown::Shown;
use super::{Part, Report};
use crate::layout::{self, Layout};
use crate::table::{Cell, Column, Table};
use linesman_record::{PairTally, Tally};

/// Maximum number of bots in a crosstable for people.
const MAX_CROSSED: usize = 40;

/// Minimum number of bots at which all cells are narrow.
const NARROW_FROM: usize = 12;

/// Columns before the first opponent: the number and the name.
pub(super) const BEFORE_OPPONENTS: usize = 2;

/// Text of the cells on the diagonal, where a bot would meet itself.
const ITSELF: &str = "×";

/// The form of the cells.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Cells {
    /// `1.5 (1-1-0)`.
    Wide,
    /// `1`, `=`, `0`, and `1.5/2` after several games.
    Narrow,
}

/// The bots of a crosstable for people, in the order of the standings.
pub(super) struct Crossed<'r> {
    tally: &'r Tally,
    names: Vec<&'r str>,
    name_column: Column,
    all: usize,
}

impl Report<'_> {
    /// Returns the crosstable; `None` if no two of its bots have met.
    pub(super) fn crossed(&self) -> Option<Crossed<'_>> {
        let names: Vec<&str> = self.standings.names().take(MAX_CROSSED).collect();
        let have_met = |one: &&str| names.iter().any(|other| self.tally.pair(one, other).is_some());
        names.iter().any(have_met).then(|| Crossed {
            tally: self.tally,
            name_column: self.name_column(),
            all: self.standings.names().count(),
            names,
        })
    }

    pub(super) fn crosstable_shown(&self) -> Option<Shown> {
        let crossed = self.crossed()?;
        let cells = crossed.cells();
        Some(Shown {
            table: crossed.table(cells),
            layout: Layout::Part(BEFORE_OPPONENTS),
            below: crossed.below(cells),
        })
    }
}

impl Crossed<'_> {
    /// Returns the form of the cells when their width is not limited.
    pub(super) fn cells(&self) -> Cells {
        if self.names.len() < NARROW_FROM { Cells::Wide } else { Cells::Narrow }
    }

    /// Returns the widest form that fits into a window; `None` if not even the narrow one does.
    pub(super) fn fitting(&self, width: Option<usize>) -> Option<Cells> {
        let Some(width) = width else { return Some(self.cells()) };
        let fits = |cells: &Cells| layout::min_width(&self.table(*cells), width) <= width;
        [self.cells(), Cells::Narrow].into_iter().find(fits)
    }

    pub(super) fn table(&self, cells: Cells) -> Table {
        type Row<'r> = (usize, &'r str);
        let named = [
            Column::number("number").titled("#").of(|(number, _): &Row<'_>| Cell::count(*number)),
            self.name_column.clone().of(|(_, name): &Row<'_>| Cell::text(name)),
        ];
        let against = (1..).zip(&self.names).map(|(number, opponent)| {
            Column::number(format!("against_{number}")).titled(number.to_string()).about(opponent).of(
                move |(_, row): &Row<'_>| match self.tally.pair(row, opponent) {
                    _ if row == opponent => Cell::Text(ITSELF.to_owned()),
                    None => Cell::Empty,
                    Some(pair) => Cell::Text(match cells {
                        Cells::Wide => wide(pair),
                        Cells::Narrow => narrow(pair),
                    }),
                },
            )
        });
        Table::of(named.into_iter().chain(against), (1..).zip(self.names.iter().copied()))
    }

    /// Returns the notes below the table.
    pub(super) fn below(&self, cells: Cells) -> Vec<String> {
        let place = if self.tally.seats() > 2 { "; a better place is a win" } else { "" };
        let mut below = vec![match cells {
            Cells::Wide => format!("Points of the row against the column (wins-draws-losses){place}."),
            Cells::Narrow => format!(
                "Points of the row against the column: 1.5/2 means 1.5 points in 2 games; after a single \
                 game, 1 is a win, = a draw and 0 a loss{place}."
            ),
        }];
        if self.all > self.names.len() {
            below.push(format!(
                "The first {} of {} are shown; CSV and JSON have all.",
                self.names.len(),
                self.all
            ));
        }
        below
    }

    /// Returns the text instead of a table that does not fit into a window.
    pub(super) fn too_wide(&self, width: usize) -> String {
        format!(
            "The crosstable of the first {} needs {} columns, but there are {width}. Use `--format html \
             --out FILE` to write it to a web page, or `--format csv --part {}` to print all pairs.",
            self.names.len(),
            layout::min_width(&self.table(Cells::Narrow), width),
            Part::Crosstable.word()
        )
    }

    pub(super) fn names(&self) -> &[&str] {
        &self.names
    }

    /// Returns the result of a row against a column, both counted from 0, as a class of the page's style.
    pub(super) fn shade(&self, row: usize, column: usize) -> &'static str {
        if row == column {
            return "itself";
        }
        let Some(pair) = self.tally.pair(self.names[row], self.names[column]) else { return "unmet" };
        let (halves, max) = (2 * pair.wins + pair.draws, 2 * pair.games());
        match halves {
            0 => "lost",
            _ if halves == max => "won",
            _ => match (2 * halves).cmp(&max) {
                std::cmp::Ordering::Less => "behind",
                std::cmp::Ordering::Equal => "even",
                std::cmp::Ordering::Greater => "ahead",
            },
        }
    }
}

fn wide(pair: PairTally) -> String {
    let points = Cell::decimal(pair.points(), 1).plain();
    format!("{points} ({}-{}-{})", pair.wins, pair.draws, pair.losses)
}

fn narrow(pair: PairTally) -> String {
    match (pair.games(), pair.wins, pair.draws) {
        (1, 1, _) => "1".to_owned(),
        (1, _, 1) => "=".to_owned(),
        (1, ..) => "0".to_owned(),
        (games, ..) => {
            let digits = usize::from(!pair.draws.is_multiple_of(2));
            format!("{}/{games}", Cell::decimal(pair.points(), digits).plain())
        }
    }
}
