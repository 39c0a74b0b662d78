//! Tables of games, grouped by a common property.

use super::Report;
use super::groups::Group;
use super::shown::{BARS, Shown};
use crate::describe::grouped;
use crate::layout::Layout;
use crate::plot::Bin;
use crate::table::{Cell, Column, Table};
use linesman_record::TWELFTHS;

/// Maximum number of openings shown to people.
const MAX_OPENINGS: usize = 20;

/// Maximum number of bins of the lengths of games.
const MAX_BINS: usize = 12;

/// Length of the longest bar in a text, in columns.
const BAR: usize = 30;

/// Columns that tables of games can leave out.
pub(super) const GROUPS: Layout =
    Layout::LeaveOut(&[&["shortest", "longest"], &["mean"], &["share"], &["draws"], &["first_score"]]);

impl Report<'_> {
    pub(super) fn endings(&self, form: Form) -> Table {
        let label = |reason: &str| match (form, reason) {
            (Form::Full, "") => Cell::Empty,
            (Form::Shown, "") => Cell::Text("not given".to_owned()),
            (Form::Full, reason) => Cell::text(reason),
            (Form::Shown, reason) => Cell::text(&reason.replace('_', " ")),
        };
        let endings = &self.statistics.endings;
        let known = endings.by_games().into_iter().map(|(reason, group)| (label(reason), group));
        self.groups("reason", known.chain(others(endings.others())))
    }

    /// Returns a table of groups of games, with the figures of each.
    fn groups(&self, what: &str, groups: impl Iterator<Item = (Cell, Group)>) -> Table {
        type Row = (Cell, Group);
        let games = self.statistics.games().max(1) as f64;
        let estimate = |column: Column, digits, of: fn(&Group) -> Option<f64>| {
            column.of(move |(_, group): &Row| Cell::maybe(of(group), |value| Cell::estimate(value, digits)))
        };
        let maybe = |key, of: fn(&Group) -> Option<u64>| {
            Column::number(key).of(move |(_, group): &Row| Cell::maybe(of(group), Cell::count))
        };
        Table::of(
            [
                Column::words_of_others(what).of(|(label, _): &Row| label.clone()),
                maybe("games", |group| Some(group.games)),
                (Column::number("share"))
                    .of(move |(_, group): &Row| Cell::estimate(group.games as f64 / games, 3)),
                estimate(Column::number("first_score").titled("1st seat"), 3, |group| {
                    Some(group.first_twelfths as f64 / TWELFTHS as f64 / group.games.max(1) as f64)
                }),
                maybe("draws", |group| Some(group.draws)),
                maybe("shortest", |group| Some(group.plies.ends?.0)),
                estimate(Column::number("mean").titled("mean plies"), 1, |group| group.plies.mean()),
                maybe("longest", |group| Some(group.plies.ends?.1)),
            ],
            groups,
        )
    }

    pub(super) fn lengths_shown(&self) -> Option<Shown> {
        let lengths = &self.statistics.lengths;
        let bins = lengths.bins(MAX_BINS);
        let highest = bins.iter().map(|bin| bin.games).max()?;
        let plies = |bin: &Bin| match (bin.from, bin.to) {
            (from, to) if from == to => from.to_string(),
            (from, to) => format!("{from} to {to}"),
        };
        let eighths = |bin: &Bin| (bin.games as f64 / highest as f64 * (BAR * 8) as f64).round() as usize;
        let columns = [
            Column::number("plies").of(|bin: &Bin| Cell::Text(plies(bin))),
            Column::number("games").of(|bin: &Bin| Cell::count(bin.games)),
            Column::text(BARS).titled("").of(|bin: &Bin| Cell::Text(bar(eighths(bin)))),
        ];
        let table = Table::of(columns, bins);
        let mut below = Vec::new();
        if let (Some((shortest, longest)), Some(mean)) = (lengths.span.ends, lengths.span.mean()) {
            let median =
                lengths.median().map_or_else(String::new, |median| format!(", median {}", grouped(median)));
            below.push(format!(
                "Shortest {}{median}, mean {mean:.1}, longest {} plies, openings included.",
                grouped(shortest),
                grouped(longest)
            ));
        }
        if lengths.beyond > 0 {
            below.push(match lengths.beyond {
                1 => "1 game is longer than the table shows.".to_owned(),
                beyond => format!("{} games are longer than the table shows.", grouped(beyond)),
            });
        }
        if lengths.span.games < self.statistics.games() {
            let unknown = self.statistics.games() - lengths.span.games;
            below.push(match unknown {
                1 => "The record of 1 game has no moves.".to_owned(),
                unknown => format!("The records of {} games have no moves.", grouped(unknown)),
            });
        }
        Some(Shown { table, layout: Layout::LeaveOut(&[&[BARS]]), below })
    }

    pub(super) fn lengths_full(&self) -> Table {
        type Row = (Option<u64>, u64);
        let lengths = &self.statistics.lengths;
        let counted = lengths.counted().map(|(plies, games)| (Some(plies), games));
        let beyond = Some((None, lengths.beyond)).filter(|(_, games)| *games > 0);
        Table::of(
            [
                Column::number("plies").of(|(plies, _): &Row| Cell::maybe(*plies, Cell::count)),
                Column::number("games").of(|(_, games): &Row| Cell::count(*games)),
            ],
            counted.chain(beyond),
        )
    }

    pub(super) fn openings_shown(&self) -> Option<Shown> {
        let openings = &self.statistics.openings;
        let all = openings.by_games();
        if all.is_empty() {
            return None;
        }
        let shown = all.iter().take(MAX_OPENINGS).map(|(opening, group)| (Cell::text(opening), *group));
        let table =
            self.groups("opening", self.usual_start(Cell::Text("(usual start)".to_owned())).chain(shown));
        let mut below = Vec::new();
        if all.len() > MAX_OPENINGS {
            below.push(format!(
                "The {MAX_OPENINGS} most frequent of {} openings are shown; CSV and JSON have all.",
                grouped(all.len() as u64)
            ));
        }
        if let Some(others) = openings.others() {
            below.push(format!(
                "{} games are from other openings, which are not listed separately.",
                grouped(others.games)
            ));
        }
        Some(Shown { table, layout: GROUPS, below })
    }

    pub(super) fn openings_full(&self) -> Table {
        let openings = &self.statistics.openings;
        let known = openings.by_games().into_iter().map(|(opening, group)| (Cell::text(opening), group));
        self.groups("opening", self.usual_start(Cell::Empty).chain(known).chain(others(openings.others())))
    }

    /// Returns the games from the usual start, if there are any.
    fn usual_start(&self, label: Cell) -> impl Iterator<Item = (Cell, Group)> {
        Some((label, self.statistics.usual_start)).filter(|(_, usual)| usual.games > 0).into_iter()
    }
}

/// Returns the games of the groups that are not counted separately.
fn others(group: Option<Group>) -> impl Iterator<Item = (Cell, Group)> {
    group.map(|group| (Cell::Text("(others)".to_owned()), group)).into_iter()
}

/// The readers of a table: people or programs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Shown,
    Full,
}

/// Draws a bar of this number of eighths of a character.
fn bar(eighths: usize) -> String {
    let mut bar = "█".repeat(eighths / 8);
    bar.extend(
        [None, Some('▏'), Some('▎'), Some('▍'), Some('▌'), Some('▋'), Some('▊'), Some('▉')][eighths % 8],
    );
    bar
}
