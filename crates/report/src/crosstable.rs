//! The crosstable: every bot against every bot.

use crate::standings::Standings;
use crate::table::{Cell, Column, Table};
use linesman_record::Tally;

/// A row and a column a bot (a team, in games of teams), both in the order of
/// the standings. A cell holds the row's wins, draws and losses against the
/// column, `3W 0D 1L`, which no spreadsheet takes for a date; it is empty where
/// two have not met. With more than two seats a win is a better place than the
/// other's, whoever else came in before the two.
pub fn crosstable(tally: &Tally, standings: &Standings) -> Table {
    let names: Vec<&str> = standings.names().collect();
    let mut columns = vec![Column::text(if tally.is_of_teams() { "team" } else { "bot" })];
    columns.extend(names.iter().map(|name| Column::number(*name)));
    let mut table = Table::new(columns);
    for row in &names {
        let mut cells = vec![Cell::text(row)];
        for column in &names {
            cells.push(Cell::maybe(tally.pair(row, column), |pair| {
                Cell::Text(format!("{}W {}D {}L", pair.wins, pair.draws, pair.losses))
            }));
        }
        table.push(cells);
    }
    table
}

/// The same as a list: a row for each bot and each opponent that it has met.
pub fn pairs(tally: &Tally, standings: &Standings) -> Table {
    let mut columns = vec![Column::text("bot"), Column::text("opponent")];
    columns.extend(["games", "points", "wins", "draws", "losses"].map(Column::number));
    let mut table = Table::new(columns);
    for bot in standings.names() {
        for opponent in standings.names() {
            if let Some(pair) = tally.pair(bot, opponent) {
                table.push(vec![
                    Cell::text(bot),
                    Cell::text(opponent),
                    Cell::count(pair.games()),
                    Cell::decimal(pair.points(), 1),
                    Cell::count(pair.wins),
                    Cell::count(pair.draws),
                    Cell::count(pair.losses),
                ]);
            }
        }
    }
    table
}
