//! The crosstable: every bot against every bot.

use crate::standings::Standings;
use crate::table::{Cell, Column, Table};
use linesman_record::{PairTally, Tally};

/// Returns a table with a row and a column for each bot (each team, in games of teams), both in the order of the
/// standings. A cell holds the row's wins, draws and losses against the column, `3W 0D 1L`, which no
/// spreadsheet takes for a date. It is empty if the two have not met. With more than two seats, a win is a
/// better place than the other's, regardless of the places of the other bots.
pub fn crosstable(tally: &Tally, standings: &Standings) -> Table {
    let names: Vec<&str> = standings.names().collect();
    let name = Column::text(if tally.is_of_teams() { "team" } else { "bot" });
    let columns = std::iter::once(name.of(|row: &&str| Cell::text(row)));
    let opponents = names.iter().map(|opponent| {
        Column::number(*opponent).named_by_others().of(move |row: &&str| {
            Cell::maybe(tally.pair(row, opponent), |pair| {
                Cell::Text(format!("{}W {}D {}L", pair.wins, pair.draws, pair.losses))
            })
        })
    });
    Table::of(columns.chain(opponents), &names)
}

/// Returns the same results as a list: a row for each bot and each opponent that it has met.
pub fn pairs(tally: &Tally, standings: &Standings) -> Table {
    type Row<'r> = (&'r str, &'r str, PairTally);
    let count = |key, of: fn(&PairTally) -> u64| {
        Column::number(key).of(move |(.., pair): &Row<'_>| Cell::count(of(pair)))
    };
    let met = |bot| standings.names().filter_map(move |other| Some((bot, other, tally.pair(bot, other)?)));
    Table::of(
        [
            Column::text("bot").of(|(bot, ..): &Row<'_>| Cell::text(bot)),
            Column::text("opponent").of(|(_, opponent, _): &Row<'_>| Cell::text(opponent)),
            count("games", |pair| pair.games()),
            Column::number("points").of(|(.., pair): &Row<'_>| Cell::decimal(pair.points(), 1)),
            count("wins", |pair| pair.wins),
            count("draws", |pair| pair.draws),
            count("losses", |pair| pair.losses),
        ],
        standings.names().flat_map(met),
    )
}
