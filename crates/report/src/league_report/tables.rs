//! The parts of a report as tables: short ones for people, complete ones for programs.

use std::collections::HashMap;

use super::course;
use super::game_tables::{Form, GROUPS};
use super::overhead::Overhead;
use super::shown::Shown;
use super::statistics::{BotStatistics, SeatStatistics};
use super::{Part, Report};
use crate::crosstable::pairs;
use crate::describe::{grouped, point_digits};
use crate::layout::{Layout, STANDINGS};
use crate::standings::{StandingRow, View};
use crate::table::{self, Cell, Column, ColumnOf, Table};
use linesman_rating::Difference;
use linesman_record::{BotTally, TWELFTHS};
use linesman_types::verdict::FaultKind;

/// Maximum number of bots whose course of ratings is shown to people.
const MAX_TRACKED: usize = 12;

/// Number of points in time at which it is shown.
const TRACKED_AT: usize = 5;

/// The layout of tables of which each part repeats the rank and the name.
const NAMED: Layout = Layout::Part(2);

impl Report<'_> {
    /// Returns a part for people; `None` if there is nothing to show.
    pub(super) fn shown(&self, part: Part) -> Option<Shown> {
        let plain = |table: Table, layout| Some(Shown { table, layout, below: Vec::new() });
        match part {
            Part::Ranking => self.ranking_shown(),
            Part::Bracket => self.bracket_shown(),
            Part::Standings => {
                let below = self.below_standings();
                Some(Shown { table: self.standings_shown(), layout: STANDINGS, below })
            }
            Part::Seats => plain(self.seats_shown()?, NAMED),
            Part::Faults => self.faults_shown(),
            Part::Crosstable => self.crosstable_shown(),
            Part::Endings => {
                plain(Some(self.endings(Form::Shown)).filter(|table| !table.rows().is_empty())?, GROUPS)
            }
            Part::Lengths => self.lengths_shown(),
            Part::Openings => self.openings_shown(),
            Part::Course => plain(self.course_shown()?, NAMED),
            Part::Workers => self.workers_shown(),
        }
    }

    /// Returns a complete part, for programs.
    pub fn full(&self, part: Part) -> Table {
        match part {
            Part::Ranking => self.ranking_full(),
            Part::Bracket => self.bracket_full(),
            Part::Standings => self.standings_full(),
            Part::Seats => self.seats_full(),
            Part::Faults => self.faults_full(),
            Part::Crosstable => pairs(self.tally, self.standings),
            Part::Endings => self.endings(Form::Full),
            Part::Lengths => self.lengths_full(),
            Part::Openings => self.openings_full(),
            Part::Course => self.course_full(),
            Part::Workers => self.workers_full(),
        }
    }

    fn standings_shown(&self) -> Table {
        let number = |key, title, cell: fn(BotStatistics) -> Cell| {
            Column::number(key)
                .titled(title)
                .of(move |row: &StandingRow| cell(self.statistics.of(&row.name)))
                .shown(table::Shown::IfFilled)
        };
        let more = [
            number("mean_ms", "ms/move", |bot| {
                Cell::maybe(bot.mean_ms(), |ms| Cell::decimal(ms, if ms < 10.0 { 1 } else { 0 }))
            }),
            number("depth", "depth", |bot| Cell::maybe(bot.mean_depth(), |depth| Cell::decimal(depth, 1))),
            self.overhead(Column::number("overhead_ms").titled("overhead ms"), Overhead::median_ms)
                .shown(table::Shown::IfFilled),
            self.overhead(Column::number("overhead_max_ms").titled("overhead max"), Overhead::maximum_ms)
                .shown(table::Shown::IfFilled),
        ];
        self.standings.table_with(View::Brief, more)
    }

    /// Returns a column about the time of moves beyond what the bots reported.
    fn overhead(&self, column: Column, of: fn(&Overhead) -> Option<f64>) -> ColumnOf<'_, StandingRow> {
        column.of(move |row: &StandingRow| {
            Cell::maybe(self.statistics.overhead(&row.name).and_then(of), |ms| Cell::decimal(ms, 1))
        })
    }

    fn standings_full(&self) -> Table {
        let number = |key, cell: fn(BotStatistics) -> Cell| {
            Column::number(key).of(move |row: &StandingRow| cell(self.statistics.of(&row.name)))
        };
        let next: HashMap<&str, Option<Difference>> =
            self.standings.names().zip(self.differences()).collect();
        let ahead = |key, of: fn(Difference) -> f64| {
            let next = &next;
            Column::number(key).of(move |row: &StandingRow| {
                let difference = next.get(row.name.as_str()).copied().flatten();
                Cell::maybe(difference, |difference| Cell::estimate(of(difference), 1))
            })
        };
        let digits = self.digits();
        let points = Column::number("points_from_faults")
            .of(move |row: &StandingRow| Cell::decimal(self.statistics.of(&row.name).given(), digits));
        let more = [
            number("timed_moves", |bot| Cell::count(bot.timed_moves)),
            number("mean_ms", |bot| Cell::maybe(bot.mean_ms(), |ms| Cell::decimal(ms, 3))),
            number("longest_ms", |bot| Cell::maybe(bot.longest_ms(), |ms| Cell::decimal(ms, 3))),
            number("mean_depth", |bot| Cell::maybe(bot.mean_depth(), |depth| Cell::estimate(depth, 2))),
            points,
            number("lost_by_own_fault", |bot| Cell::count(bot.failed_losses)),
            ahead("above_next", |difference| difference.elo),
            ahead("above_next_low", |difference| difference.interval().low),
            ahead("above_next_high", |difference| difference.interval().high),
            self.overhead(Column::number("overhead_ms"), Overhead::median_ms),
            self.overhead(Column::number("overhead_max_ms"), Overhead::maximum_ms),
        ];
        self.standings.table_with(View::Full, more)
    }

    pub(super) fn digits(&self) -> usize {
        point_digits(self.tally.seats())
    }

    /// Returns `seat`, or `side` in games of teams.
    pub(super) fn seat_word(&self) -> &'static str {
        if self.tally.is_of_teams() { "side" } else { "seat" }
    }

    pub(super) fn name_column(&self) -> Column {
        Column::name(self.entrant_word())
    }

    fn seats_shown(&self) -> Option<Table> {
        let seats: Vec<(usize, SeatStatistics)> = self.statistics.seats().collect();
        if seats.is_empty() {
            return None;
        }
        type Row<'r> = Option<(usize, &'r str, &'r BotTally)>;
        let score = |(games, twelfths): (u64, u64)| {
            let share = twelfths as f64 / (TWELFTHS * games.max(1)) as f64;
            if games == 0 { Cell::Empty } else { Cell::Text(format!("{share:.3} of {}", grouped(games))) }
        };
        let named = [
            (Column::number("rank").titled("#"))
                .of(|row: &Row<'_>| Cell::maybe(*row, |(rank, ..)| Cell::count(rank))),
            (self.name_column()).of(|row: &Row<'_>| {
                row.map_or(Cell::Text("all".to_owned()), |(_, name, _)| Cell::text(name))
            }),
        ];
        let at_seats = seats.iter().map(|(number, all)| {
            Column::number(format!("{} {number}", self.seat_word())).of(move |row: &Row<'_>| {
                score(row.map_or((all.games, all.twelfths), |(.., bot)| bot.by_seat[number - 1]))
            })
        });
        let bots =
            self.standings.ranks().filter_map(|(rank, name)| Some(Some((rank, name, self.tally.bot(name)?))));
        Some(Table::of(named.into_iter().chain(at_seats), std::iter::once(None).chain(bots)))
    }

    fn seats_full(&self) -> Table {
        type Row = (usize, SeatStatistics);
        let share = |key, of: fn(&SeatStatistics) -> Option<f64>| {
            Column::number(key)
                .of(move |(_, seat): &Row| Cell::maybe(of(seat), |share| Cell::estimate(share, 4)))
        };
        let digits = self.digits();
        Table::of(
            [
                Column::number(self.seat_word()).of(|(number, _): &Row| Cell::count(*number)),
                Column::number("games").of(|(_, seat): &Row| Cell::count(seat.games)),
                (Column::number("points"))
                    .of(move |(_, seat): &Row| Cell::decimal(seat.twelfths as f64 / TWELFTHS as f64, digits)),
                share("score", SeatStatistics::score),
                share("score_low", |seat| Some(seat.interval()?.0)),
                share("score_high", |seat| Some(seat.interval()?.1)),
            ],
            self.statistics.seats(),
        )
    }

    /// Returns the faults of the bots in the order of the standings.
    fn faults_of_bots(&self) -> Vec<FaultRow<'_>> {
        let row = |(rank, name)| {
            let bot = self.tally.bot(name);
            FaultRow {
                rank,
                name,
                faults: bot.map(|bot| bot.faults).unwrap_or_default(),
                overload: bot.map_or(0, |bot| bot.host.overload),
                statistics: self.statistics.of(name),
            }
        };
        self.standings.ranks().map(row).collect()
    }

    fn faults_shown(&self) -> Option<Shown> {
        let mut rows = self.faults_of_bots();
        let has_overload = rows.iter().any(|row| row.overload > 0);
        if !has_overload && rows.iter().all(|row| row.all() == 0) {
            return None;
        }
        rows.retain(|row| row.all() > 0 || row.overload > 0 || row.statistics.given_twelfths > 0);
        let digits = self.digits();
        let mut columns = vec![
            Column::number("rank").titled("#").of(|row: &FaultRow<'_>| Cell::count(row.rank)),
            self.name_column().of(|row: &FaultRow<'_>| Cell::text(row.name)),
            FaultRow::count("faults", FaultRow::all),
        ];
        columns.extend(FaultKind::WORDS.iter().enumerate().map(|(kind, word)| {
            let cell = move |row: &FaultRow<'_>| Cell::count(row.faults[kind]);
            Column::number(word.replace('_', " ")).of(cell).shown(table::Shown::IfFilled)
        }));
        columns.extend([
            FaultRow::count(FaultKind::OVERLOAD, |row| row.overload).shown(table::Shown::IfFilled),
            FaultRow::count("games lost", |row| row.statistics.failed_losses),
            FaultRow::points("points got", digits, BotStatistics::given),
        ]);
        let mut below = vec![
            "Games lost: lost by the bot's own faults. Points got: from faults of opponents.".to_owned(),
        ];
        if has_overload {
            below.push(
                "Overload: moves that were late only because the bot waited for a CPU, and that counted. \
                 They are not among the faults."
                    .to_owned(),
            );
        }
        Some(Shown { table: Table::of(columns, rows), layout: NAMED, below })
    }

    fn faults_full(&self) -> Table {
        let digits = self.digits();
        let by_kind = |key: fn(&str) -> String| {
            FaultKind::WORDS.iter().enumerate().map(move |(kind, word)| {
                Column::number(key(word)).of(move |row: &FaultRow<'_>| Cell::count(row.faults[kind]))
            })
        };
        let mut columns = vec![
            self.name_column().of(|row: &FaultRow<'_>| Cell::text(row.name)),
            FaultRow::count("faults", FaultRow::all),
        ];
        columns.extend(by_kind(str::to_owned));
        columns.extend([
            FaultRow::count("lost_by_own_fault", |row| row.statistics.failed_losses),
            FaultRow::points("points_from_faults", digits, BotStatistics::given),
            FaultRow::count(FaultKind::OVERLOAD, |row| row.overload),
            FaultRow::count("lost_by_overload", |row| row.statistics.overload_losses),
            FaultRow::points("points_from_overload", digits, BotStatistics::given_by_host),
        ]);
        // The same names as in the standings.
        columns.extend(by_kind(|word| format!("faults_{word}")));
        Table::of(columns, self.faults_of_bots())
    }

    fn course_shown(&self) -> Option<Table> {
        let stations = self.course.stations(TRACKED_AT);
        if stations.len() < 2 {
            return None;
        }
        type Row<'r> = (usize, &'r str);
        let named = [
            Column::number("rank").titled("#").of(|(rank, _): &Row<'_>| Cell::count(*rank)),
            self.name_column().of(|(_, name): &Row<'_>| Cell::text(name)),
        ];
        let after = stations.iter().map(|station| {
            Column::number(format!("after_{}", station.games))
                .titled(format!("after {}", grouped(station.games)))
                .of(|(_, name): &Row<'_>| {
                    Cell::maybe(station.of(name), |row| {
                        Cell::Text(format!("{} ({})", Cell::decimal(row.elo, 0).plain(), row.rank))
                    })
                })
        });
        Some(Table::of(named.into_iter().chain(after), self.standings.ranks().take(MAX_TRACKED)))
    }

    fn course_full(&self) -> Table {
        type Row<'r> = (u64, &'r course::Row);
        let elo = |key, of: fn(&course::Row) -> Option<f64>| {
            Column::number(key)
                .of(move |(_, row): &Row<'_>| Cell::maybe(of(row), |elo| Cell::estimate(elo, 1)))
        };
        Table::of(
            [
                Column::number("games").of(|(games, _): &Row<'_>| Cell::count(*games)),
                Column::number("rank").of(|(_, row): &Row<'_>| Cell::count(row.rank)),
                self.name_column().of(|(_, row): &Row<'_>| Cell::text(&row.name)),
                elo("elo", |row| Some(row.elo)),
                elo("elo_low", |row| Some(row.interval?.0)),
                elo("elo_high", |row| Some(row.interval?.1)),
            ],
            (self.course.all().iter())
                .flat_map(|station| station.rows.iter().map(|row| (station.games, row))),
        )
    }
}

struct FaultRow<'r> {
    rank: usize,
    name: &'r str,
    faults: [u64; FaultKind::WORDS.len()],
    overload: u64,
    statistics: BotStatistics,
}

impl<'r> FaultRow<'r> {
    /// Returns the number of its own faults of all kinds.
    fn all(&self) -> u64 {
        self.faults.iter().sum()
    }

    fn count<'c>(key: &str, of: fn(&FaultRow<'r>) -> u64) -> ColumnOf<'c, FaultRow<'r>>
    where
        'r: 'c,
    {
        Column::number(key).of(move |row| Cell::count(of(row)))
    }

    fn points<'c>(key: &str, digits: usize, of: fn(&BotStatistics) -> f64) -> ColumnOf<'c, FaultRow<'r>>
    where
        'r: 'c,
    {
        Column::number(key).of(move |row: &FaultRow<'r>| Cell::decimal(of(&row.statistics), digits))
    }
}
