//! The parts of a report as tables: short ones for people, whole ones for programs.

use super::game_tables::{Form, GROUPS, group_columns};
use super::statistics::{SeatStatistics, wilson};
use super::{Part, Report};
use crate::crosstable::pairs;
use crate::fit::{Fit, STANDINGS};
use crate::sentence::grouped;
use crate::sentence::point_digits;
use crate::standings::View;
use crate::table::{Cell, Column, Table};
use linesman_record::TWELFTHS;
use linesman_types::verdict::Fault;

/// Of how many bots people see how their ratings went.
const MOST_TRACKED: usize = 12;

/// After how many parts of the games.
const TRACKED_AT: usize = 5;

/// The column of bars, which only a terminal needs.
pub(super) const BARS: &str = "bar";

/// Each part of such a table has the rank and the name.
const NAMED: Fit = Fit::Part(2);

/// A table for people.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Shown {
    pub(super) table: Table,
    pub(super) fit: Fit,
    /// What must be known about it.
    pub(super) below: Vec<String>,
}

impl Shown {
    /// The same with at most so many rows; what was left out is counted below.
    pub(super) fn of_most(mut self, rows: usize) -> Shown {
        let all = self.table.rows().len();
        if all > rows {
            self.table = self.table.first(rows);
            self.below
                .push(format!("The first {rows} of {all} rows are shown; HTML, CSV and JSON have all."));
        }
        self
    }
}

impl Report<'_> {
    /// A part for people; none if there is nothing to see.
    pub(super) fn shown(&self, part: Part) -> Option<Shown> {
        let plain = |table: Table, fit| Some(Shown { table, fit, below: Vec::new() });
        match part {
            Part::Ranking => self.ranking_shown(),
            Part::Bracket => self.bracket_shown(),
            Part::Standings => {
                let below = self.below_standings();
                Some(Shown { table: self.standings_shown(), fit: STANDINGS, below })
            }
            Part::Seats => plain(self.seats_shown()?, NAMED),
            Part::Faults => self.faults_shown(),
            Part::Crosstable => self.crosstable_shown(),
            Part::Endings => plain(self.endings(Form::Shown)?, GROUPS),
            Part::Lengths => self.lengths_shown(),
            Part::Openings => self.openings_shown(),
            Part::Course => plain(self.course_shown()?, NAMED),
        }
    }

    /// A part with everything there is, for programs.
    pub fn full(&self, part: Part) -> Table {
        match part {
            Part::Ranking => self.ranking_full(),
            Part::Bracket => self.bracket_full(),
            Part::Standings => self.standings_full(),
            Part::Seats => self.seats_full(),
            Part::Faults => self.faults_full(),
            Part::Crosstable => pairs(self.tally, self.standings),
            Part::Endings => self.endings(Form::Full).unwrap_or_else(|| Table::new(group_columns("reason"))),
            Part::Lengths => self.lengths_full(),
            Part::Openings => self.openings_full(),
            Part::Course => self.course_full(),
        }
    }

    fn standings_shown(&self) -> Table {
        let mut table = self.standings.table(View::Brief);
        let of = |cell: fn(&super::statistics::BotStatistics) -> Cell| {
            self.standings.names().map(|name| cell(&self.statistics.of(name))).collect::<Vec<_>>()
        };
        let times =
            of(|bot| Cell::maybe(bot.mean_ms(), |ms| Cell::decimal(ms, if ms < 10.0 { 1 } else { 0 })));
        let depths = of(|bot| Cell::maybe(bot.mean_depth(), |depth| Cell::decimal(depth, 1)));
        for (column, cells) in [("mean_ms", times), ("depth", depths)] {
            if cells.iter().any(|cell| *cell != Cell::Empty) {
                let title = if column == "mean_ms" { "ms/move" } else { "depth" };
                table = table.with(Column::number(column).titled(title), cells);
            }
        }
        table
    }

    fn standings_full(&self) -> Table {
        let of = |cell: &dyn Fn(&str) -> Cell| self.standings.names().map(cell).collect::<Vec<_>>();
        let statistics = |name: &str| self.statistics.of(name);
        let next: Vec<_> = self.differences();
        let ahead = |cell: &dyn Fn(&super::ranking::Ahead) -> Cell| {
            let last = self.standings.names().next().map(|_| Cell::Empty);
            next.iter().map(cell).chain(last).collect::<Vec<_>>()
        };
        let elo = |value: Option<f64>| Cell::maybe(value, |elo| Cell::estimate(elo, 1));
        self.standings
            .table(View::Full)
            .with(Column::number("timed_moves"), of(&|name| Cell::count(statistics(name).timed_moves)))
            .with(
                Column::number("mean_ms"),
                of(&|name| Cell::maybe(statistics(name).mean_ms(), |ms| Cell::decimal(ms, 3))),
            )
            .with(
                Column::number("longest_ms"),
                of(&|name| Cell::maybe(statistics(name).longest_ms(), |ms| Cell::decimal(ms, 3))),
            )
            .with(
                Column::number("mean_depth"),
                of(&|name| Cell::maybe(statistics(name).mean_depth(), |depth| Cell::estimate(depth, 2))),
            )
            .with(
                Column::number("points_from_faults"),
                of(&|name| Cell::decimal(statistics(name).given(), self.digits())),
            )
            .with(
                Column::number("lost_by_own_fault"),
                of(&|name| Cell::count(statistics(name).failed_losses)),
            )
            .with(Column::number("above_next"), ahead(&|next| elo(next.difference.map(|own| own.elo))))
            .with(
                Column::number("above_next_low"),
                ahead(&|next| elo(next.difference.map(|own| own.interval().low))),
            )
            .with(
                Column::number("above_next_high"),
                ahead(&|next| elo(next.difference.map(|own| own.interval().high))),
            )
    }

    pub(super) fn digits(&self) -> usize {
        point_digits(self.tally.seats())
    }

    /// `seat`, or `side` in games of teams.
    fn seat_word(&self) -> &'static str {
        if self.tally.is_of_teams() { "side" } else { "seat" }
    }

    pub(super) fn name_column(&self) -> Column {
        Column::name(if self.tally.is_of_teams() { "team" } else { "bot" })
    }

    fn seats_shown(&self) -> Option<Table> {
        let seats: Vec<(usize, SeatStatistics)> = self.statistics.seats().collect();
        if seats.is_empty() {
            return None;
        }
        let mut columns = vec![Column::number("rank").titled("#"), self.name_column()];
        columns
            .extend(seats.iter().map(|(number, _)| Column::number(format!("{} {number}", self.seat_word()))));
        let mut table = Table::new(columns);
        let score = |games: u64, twelfths: u64| {
            let share = twelfths as f64 / (TWELFTHS * games.max(1)) as f64;
            if games == 0 { Cell::Empty } else { Cell::Text(format!("{share:.3} of {}", grouped(games))) }
        };
        let all = seats.iter().map(|(_, seat)| score(seat.games, seat.twelfths));
        table.push([Cell::Empty, Cell::Text("all".to_owned())].into_iter().chain(all).collect());
        for (rank, name) in self.standings.ranks() {
            let Some(bot) = self.tally.bot(name) else { continue };
            let own = seats.iter().map(|(number, _)| {
                let (games, twelfths) = bot.by_seat[number - 1];
                score(games, twelfths)
            });
            table.push([Cell::count(rank), Cell::text(name)].into_iter().chain(own).collect());
        }
        Some(table)
    }

    fn seats_full(&self) -> Table {
        let names = [self.seat_word(), "games", "points", "score", "score_low", "score_high"];
        let mut table = Table::new(names.map(Column::number).to_vec());
        for (number, seat) in self.statistics.seats() {
            let share = |value: Option<f64>| Cell::maybe(value, |share| Cell::estimate(share, 4));
            table.push(vec![
                Cell::count(number),
                Cell::count(seat.games),
                Cell::decimal(seat.twelfths as f64 / TWELFTHS as f64, self.digits()),
                share(seat.score()),
                share(seat.interval().map(|(low, _)| low)),
                share(seat.interval().map(|(_, high)| high)),
            ]);
        }
        table
    }

    fn faults_shown(&self) -> Option<Shown> {
        let faults = |name: &str| self.tally.bot(name).map(|bot| bot.faults).unwrap_or_default();
        let names: Vec<&str> = self.standings.names().collect();
        let occurs: Vec<usize> =
            (0..Fault::WORDS.len()).filter(|kind| names.iter().any(|name| faults(name)[*kind] > 0)).collect();
        let overload = |name: &str| self.tally.bot(name).map_or(0, |bot| bot.host.overload);
        let has_overload = names.iter().any(|name| overload(name) > 0);
        if occurs.is_empty() && !has_overload {
            return None;
        }
        let mut columns = vec![Column::number("rank").titled("#"), self.name_column()];
        columns.push(Column::number("faults"));
        columns.extend(occurs.iter().map(|kind| Column::number(Fault::WORDS[*kind].replace('_', " "))));
        if has_overload {
            columns.push(Column::number(Fault::OVERLOAD));
        }
        columns.push(Column::number("games lost"));
        columns.push(Column::number("points got"));
        let mut table = Table::new(columns);
        for (rank, name) in self.standings.ranks() {
            let (own, more) = (faults(name), self.statistics.of(name));
            if own.iter().all(|count| *count == 0) && overload(name) == 0 && more.given_twelfths == 0 {
                continue;
            }
            let mut cells = vec![Cell::count(rank), Cell::text(name), Cell::count(own.iter().sum::<u64>())];
            cells.extend(occurs.iter().map(|kind| Cell::count(own[*kind])));
            if has_overload {
                cells.push(Cell::count(overload(name)));
            }
            cells.push(Cell::count(more.failed_losses));
            cells.push(Cell::decimal(more.given(), self.digits()));
            table.push(cells);
        }
        let mut below = vec![
            "Games lost are those lost by own faults. Points got are those from faults of opponents."
                .to_owned(),
        ];
        if has_overload {
            below.push(
                "Overload: moves that were late only because the bot waited for a CPU, and that counted. \
                 They are not among the faults."
                    .to_owned(),
            );
        }
        Some(Shown { table, fit: NAMED, below })
    }

    fn faults_full(&self) -> Table {
        let mut columns = vec![self.name_column(), Column::number("faults")];
        columns.extend(Fault::WORDS.map(Column::number));
        columns.extend(["lost_by_own_fault", "points_from_faults"].map(Column::number));
        columns.extend([Fault::OVERLOAD, "lost_by_overload", "points_from_overload"].map(Column::number));
        let mut table = Table::new(columns);
        for name in self.standings.names() {
            let own = self.tally.bot(name).map(|bot| bot.faults).unwrap_or_default();
            let overload = self.tally.bot(name).map_or(0, |bot| bot.host.overload);
            let more = self.statistics.of(name);
            let mut cells = vec![Cell::text(name), Cell::count(own.iter().sum::<u64>())];
            cells.extend(own.map(Cell::count));
            cells.push(Cell::count(more.failed_losses));
            cells.push(Cell::decimal(more.given(), self.digits()));
            cells.push(Cell::count(overload));
            cells.push(Cell::count(more.overload_losses));
            cells.push(Cell::decimal(more.given_by_host(), self.digits()));
            table.push(cells);
        }
        // As the standings call them.
        Fault::WORDS.iter().fold(table, |table, word| table.with_copy(word, &format!("faults_{word}")))
    }

    fn course_shown(&self) -> Option<Table> {
        let stations = self.course.stations(TRACKED_AT);
        if stations.len() < 2 {
            return None;
        }
        let mut columns = vec![Column::number("rank").titled("#"), self.name_column()];
        columns.extend(stations.iter().map(|station| {
            Column::number(format!("after_{}", station.games))
                .titled(format!("after {}", grouped(station.games)))
        }));
        let mut table = Table::new(columns);
        for (rank, name) in self.standings.ranks().take(MOST_TRACKED) {
            let mut cells = vec![Cell::count(rank), Cell::text(name)];
            cells.extend(stations.iter().map(|station| {
                Cell::maybe(station.standing(name), |(rank, elo)| {
                    Cell::Text(format!("{} ({rank})", Cell::decimal(elo, 0).plain()))
                })
            }));
            table.push(cells);
        }
        Some(table)
    }

    fn course_full(&self) -> Table {
        let mut table = Table::new(vec![
            Column::number("games"),
            Column::number("rank"),
            self.name_column(),
            Column::number("elo"),
            Column::number("elo_low"),
            Column::number("elo_high"),
        ]);
        for station in self.course.all() {
            for (rank, row) in station.ranked() {
                let end = |value: Option<f64>| Cell::maybe(value, |elo| Cell::estimate(elo, 1));
                table.push(vec![
                    Cell::count(station.games),
                    Cell::count(rank),
                    Cell::text(&row.name),
                    Cell::estimate(row.elo, 1),
                    end(row.interval.map(|(low, _)| low)),
                    end(row.interval.map(|(_, high)| high)),
                ]);
            }
        }
        table
    }
}

/// Shares as percents with their interval: `54.2 % (51.4 to 57.0)`.
pub(super) fn percents(share: f64, games: u64) -> String {
    let (low, high) = wilson(share, games);
    format!("{:.1} % (95 %: {:.1} to {:.1})", share * 100.0, low * 100.0, high * 100.0)
}
