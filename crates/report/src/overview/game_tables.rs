//! The games of a league by what they have in common, as tables.

use super::Report;
use super::groups::Group;
use super::tables::{BARS, Shown};
use crate::fit::Fit;
use crate::plot::Bin;
use crate::sentence::grouped;
use crate::table::{Cell, Column, Table};
use linesman_record::TWELFTHS;

/// How many openings are shown to people.
const MOST_OPENINGS: usize = 20;

/// How many bins the lengths of games are shown in.
const MOST_BINS: usize = 12;

/// How long the longest bar of a text is.
const BAR: usize = 30;

/// What tables of games can do without.
pub(super) const GROUPS: Fit =
    Fit::LeaveOut(&[&["shortest", "longest"], &["mean"], &["share"], &["draws"], &["first_score"]]);

impl Report<'_> {
    pub(super) fn endings(&self, form: Form) -> Option<Table> {
        let groups = self.statistics.endings().by_games();
        if groups.is_empty() {
            return None;
        }
        let mut table = Table::new(group_columns("reason"));
        for (reason, group) in groups {
            let label = match (form, reason) {
                (Form::Full, "") => Cell::Empty,
                (Form::Shown, "") => Cell::Text("not given".to_owned()),
                (Form::Full, reason) => Cell::text(reason),
                (Form::Shown, reason) => Cell::text(&reason.replace('_', " ")),
            };
            table.push(self.group_row(label, group));
        }
        if let Some(others) = self.statistics.endings().others() {
            table.push(self.group_row(Cell::Text("(others)".to_owned()), others));
        }
        Some(table)
    }

    fn group_row(&self, label: Cell, group: Group) -> Vec<Cell> {
        let games = group.games.max(1) as f64;
        vec![
            label,
            Cell::count(group.games),
            Cell::estimate(group.games as f64 / self.statistics.games().max(1) as f64, 3),
            Cell::estimate(group.first_twelfths as f64 / TWELFTHS as f64 / games, 3),
            Cell::count(group.draws),
            Cell::maybe(group.plies.ends(), |(shortest, _)| Cell::count(shortest)),
            Cell::maybe(group.plies.mean(), |mean| Cell::estimate(mean, 1)),
            Cell::maybe(group.plies.ends(), |(_, longest)| Cell::count(longest)),
        ]
    }

    pub(super) fn lengths_shown(&self) -> Option<Shown> {
        let lengths = self.statistics.lengths();
        let bins = lengths.bins(MOST_BINS);
        let most = bins.iter().map(|bin| bin.games).max()?;
        let mut table =
            Table::new(vec![Column::number("plies"), Column::number("games"), Column::text(BARS).titled("")]);
        for Bin { from, to, games } in bins {
            let plies = if from == to { from.to_string() } else { format!("{from} to {to}") };
            let eighths = (games as f64 / most as f64 * (BAR * 8) as f64).round() as usize;
            table.push(vec![Cell::Text(plies), Cell::count(games), Cell::Text(bar(eighths))]);
        }
        let mut below = Vec::new();
        if let (Some((shortest, longest)), Some(mean)) = (lengths.ends(), lengths.mean()) {
            let median =
                lengths.median().map_or_else(String::new, |median| format!(", median {}", grouped(median)));
            below.push(format!(
                "Shortest {}{median}, mean {mean:.1}, longest {} plies, openings included.",
                grouped(shortest),
                grouped(longest)
            ));
        }
        if lengths.beyond() > 0 {
            below.push(match lengths.beyond() {
                1 => "1 game is longer than the table shows.".to_owned(),
                beyond => format!("{} games are longer than the table shows.", grouped(beyond)),
            });
        }
        if lengths.games() < self.statistics.games() {
            let unknown = self.statistics.games() - lengths.games();
            below.push(match unknown {
                1 => "The record of 1 game has no moves.".to_owned(),
                unknown => format!("The records of {} games have no moves.", grouped(unknown)),
            });
        }
        Some(Shown { table, fit: Fit::LeaveOut(&[&[BARS]]), below })
    }

    pub(super) fn lengths_full(&self) -> Table {
        let mut table = Table::new(["plies", "games"].map(Column::number).to_vec());
        let lengths = self.statistics.lengths();
        for (plies, games) in lengths.counted() {
            table.push(vec![Cell::count(plies), Cell::count(games)]);
        }
        if lengths.beyond() > 0 {
            table.push(vec![Cell::Empty, Cell::count(lengths.beyond())]);
        }
        table
    }

    pub(super) fn openings_shown(&self) -> Option<Shown> {
        let openings = self.statistics.openings();
        let all = openings.by_games();
        if all.is_empty() {
            return None;
        }
        let mut table = Table::new(group_columns("opening"));
        let usual = self.statistics.usual_start();
        if usual.games > 0 {
            table.push(self.group_row(Cell::Text("(usual start)".to_owned()), usual));
        }
        for (opening, group) in all.iter().take(MOST_OPENINGS) {
            table.push(self.group_row(Cell::text(opening), *group));
        }
        let mut below = Vec::new();
        if all.len() > MOST_OPENINGS {
            below.push(format!(
                "The {MOST_OPENINGS} most frequent of {} openings are shown; CSV and JSON have all.",
                grouped(all.len() as u64)
            ));
        }
        if let Some(others) = openings.others() {
            below.push(format!(
                "{} games are from other openings, which are not listed separately.",
                grouped(others.games)
            ));
        }
        Some(Shown { table, fit: GROUPS, below })
    }

    pub(super) fn openings_full(&self) -> Table {
        let mut table = Table::new(group_columns("opening"));
        let usual = self.statistics.usual_start();
        if usual.games > 0 {
            table.push(self.group_row(Cell::Empty, usual));
        }
        for (opening, group) in self.statistics.openings().by_games() {
            table.push(self.group_row(Cell::text(opening), group));
        }
        if let Some(others) = self.statistics.openings().others() {
            table.push(self.group_row(Cell::Text("(others)".to_owned()), others));
        }
        table
    }
}

/// For whom a table is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Shown,
    Full,
}

pub(super) fn group_columns(what: &str) -> Vec<Column> {
    vec![
        Column::words_of_others(what),
        Column::number("games"),
        Column::number("share"),
        Column::number("first_score").titled("1st seat"),
        Column::number("draws"),
        Column::number("shortest"),
        Column::number("mean").titled("mean plies"),
        Column::number("longest"),
    ]
}

/// A bar of so many eighths of a letter.
fn bar(eighths: usize) -> String {
    let mut bar = "█".repeat(eighths / 8);
    bar.extend(
        [None, Some('▏'), Some('▎'), Some('▍'), Some('▌'), Some('▋'), Some('▊'), Some('▉')][eighths % 8],
    );
    bar
}
