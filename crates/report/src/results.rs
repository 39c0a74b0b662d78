//! The list of results: a row for each record.

use std::io;
use std::time::Duration;

use crate::describe::point_digits;
use crate::table::{Cell, Column, CsvRows};
use linesman_record::{
    Ended, GameRecord, HostTally, LoadRecord, Outcome, TWELFTHS, TeamsOfGames, movers, twelfths,
};
use linesman_types::seat::{Seat, Teams};

/// Writes records as rows of CSV, one after the other.
pub struct ResultsCsv<W: io::Write> {
    rows: CsvRows<W>,
    columns: Vec<ResultColumn>,
    teams: TeamsOfGames,
}

/// A column with its cells: a function of a record.
struct ResultColumn(Column, Box<dyn Fn(&ResultRow<'_>) -> Cell>);

/// A record with the facts that its columns share.
struct ResultRow<'r> {
    record: &'r GameRecord,
    outcome: Outcome<'r>,
    teams: Teams,
    /// The time charged to each seat, if the record has it for all moves.
    used: Option<Vec<Duration>>,
}

impl<W: io::Write> ResultsCsv<W> {
    /// Writes the header. It has the columns of each seat, in games of teams the teams' names, too, and at the end the
    /// seats' own time controls if `has_own_times`.
    ///
    /// # Errors
    /// The error of the output.
    pub fn new(output: W, teams: &Teams, has_own_times: bool) -> io::Result<ResultsCsv<W>> {
        let mut columns = columns(teams.seats(), teams.sides() < teams.seats());
        if has_own_times {
            let control =
                |row: &ResultRow<'_>, seat: Seat| optional(&row.record.seats[seat.index()].time_control);
            columns.extend(each(teams.seats(), "time_control", control));
        }
        let names: Vec<Column> = columns.iter().map(|ResultColumn(column, _)| column.clone()).collect();
        Ok(ResultsCsv { rows: CsvRows::new(output, &names)?, columns, teams: TeamsOfGames::default() })
    }

    /// Writes a record. Seats without columns are left out.
    ///
    /// # Errors
    /// Any error of the output, and a record that contradicts itself.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        let outcome = record.outcome().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        let teams = self.teams.of(&record.game, record.seats.len());
        let row = ResultRow { record, outcome, teams, used: times(record) };
        self.rows.push(&self.columns.iter().map(|ResultColumn(_, cell)| cell(&row)).collect::<Vec<_>>())
    }

    /// Writes buffered rows.
    ///
    /// # Errors
    /// Any error of the output.
    pub fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }
}

/// Returns the columns in their order, which programs rely on.
fn columns(seats: usize, of_teams: bool) -> Vec<ResultColumn> {
    let by_seat = |key, cell: fn(&ResultRow<'_>, Seat) -> Cell| each(seats, key, cell);
    let of_host = |key, cell: fn(&HostTally) -> Cell| {
        each(seats, key, move |row, seat| Cell::maybe(row.host(seat), |tally| cell(&tally)))
    };
    let score = move |row: &ResultRow<'_>, seat| {
        Cell::maybe(row.outcome.places(), |places| {
            let share = twelfths(places, &row.teams, seat) as f64 / TWELFTHS as f64;
            Cell::decimal(share, point_digits(seats))
        })
    };
    let teams = if of_teams { by_seat("team", |row, seat| row.team(seat)) } else { Vec::new() };
    [
        vec![
            one("id", |row| Cell::text(&row.record.id)),
            one("try", |row| Cell::count(row.record.attempt)),
            one("league", |row| optional(&row.record.league)),
            one("game", |row| Cell::text(&row.record.game)),
            one("options", |row| Cell::text(&options(row.record))),
        ],
        by_seat("bot", |row, seat| Cell::text(&row.outcome.bots[seat])),
        teams,
        by_seat("place", |row, seat| {
            Cell::maybe(row.outcome.places(), |places| Cell::count(places[seat].number()))
        }),
        each(seats, "score", score),
        by_seat("time_ms", |row, seat| {
            let milliseconds = |used: &Vec<Duration>| used[seat.index()].as_secs_f64() * 1_000.0;
            Cell::maybe(row.used.as_ref(), |used| Cell::decimal(milliseconds(used), 3))
        }),
        course_columns(),
        of_host("cpu_share", |tally| Cell::maybe(tally.cpu_share(), |share| Cell::estimate(share, 3))),
        of_host("off_move_ms", |tally| Cell::maybe(tally.off_move_ms(), |ms| Cell::decimal(ms, 3))),
        of_host("paused", |tally| Cell::count(tally.paused_games)),
        vec![
            // Fraction of the game's time in which some process waited for a CPU.
            one("pressure", |row| {
                let share = |load: LoadRecord| Some(load.pressure_us? as f64 / load.span_us.max(1) as f64);
                Cell::maybe(row.record.load.and_then(share), |share| Cell::estimate(share, 3))
            }),
            // CPU time that the host of the machine took.
            one("steal_ms", |row| {
                let taken = row.record.load.and_then(|load| load.steal_us);
                Cell::maybe(taken, |taken| Cell::decimal(taken as f64 / 1_000.0, 3))
            }),
            // The key of the games from one opening with exchanged seats.
            one("pair", |row| optional(&row.record.pair)),
        ],
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns a column of the game as a whole.
fn one(key: &str, cell: fn(&ResultRow<'_>) -> Cell) -> ResultColumn {
    ResultColumn(Column::text(key), Box::new(cell))
}

/// Returns the columns of the end and the conditions of a game.
fn course_columns() -> Vec<ResultColumn> {
    vec![
        one("reason", |row| optional(&row.record.reason)),
        one("void", |row| match &row.outcome.result {
            Ended::Places(_) => Cell::Empty,
            Ended::VoidHost | Ended::Void => {
                Cell::maybe(row.record.void.as_ref(), |void| Cell::text(void.kind.word()))
            }
        }),
        one("faults", |row| {
            let faults = row.outcome.faults.iter().map(|(seat, fault)| format!("{seat}:{fault}"));
            Cell::text(&faults.collect::<Vec<_>>().join(" "))
        }),
        one("moves", |row| Cell::maybe(row.record.count_moves(), Cell::count)),
        one("time_control", |row| optional(&row.record.time_control)),
        one("margin_ms", |row| Cell::maybe(row.record.margin_ms, Cell::count)),
        one("opening", |row| Cell::text(&opening(row.record))),
        one("duration_ms", |row| Cell::maybe(row.record.duration_ms, Cell::count)),
        one("started", |row| optional(&row.record.started)),
        // The host's effect on the game.
        one("void_seat", |row| Cell::maybe(row.outcome.overloaded, |seat| Cell::count(seat.number()))),
    ]
}

/// Returns a column for each seat; empty if a record has fewer seats.
fn each(
    seats: usize,
    key: &str,
    cell: impl Fn(&ResultRow<'_>, Seat) -> Cell + Clone + 'static,
) -> Vec<ResultColumn> {
    let column = |index: usize| {
        let cell = cell.clone();
        let of_seat = move |row: &ResultRow<'_>| {
            let has_seat = index < row.record.seats.len();
            if has_seat { cell(row, Seat::from_index(index)) } else { Cell::Empty }
        };
        ResultColumn(Column::text(format!("{key}_{}", index + 1)), Box::new(of_seat))
    };
    (0..seats).map(column).collect()
}

fn optional(text: &Option<String>) -> Cell {
    Cell::maybe(text.as_deref(), Cell::text)
}

impl ResultRow<'_> {
    fn team(&self, seat: Seat) -> Cell {
        let sides = self.outcome.by_sides(&self.teams);
        let side = Seat::from_index(self.teams.side(seat).index());
        Cell::maybe(sides.bots.get(side), |name| Cell::text(name))
    }

    /// Returns the figures of this game alone.
    fn host(&self, seat: Seat) -> Option<HostTally> {
        let mut tally = HostTally::default();
        tally.add(&self.outcome.usage[seat]?);
        Some(tally)
    }
}

/// Formats the options in the order of the game; unknown options are last.
fn options(record: &GameRecord) -> String {
    let specs = linesman_games::find(&record.game).map_or(&[][..], |game| game.options);
    let mut texts = record.option_texts();
    texts.sort_by_key(|(name, _)| specs.iter().position(|spec| spec.name == *name).unwrap_or(specs.len()));
    texts.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",")
}

fn opening(record: &GameRecord) -> String {
    let Some(opening) = &record.opening else { return String::new() };
    opening.token.iter().chain(&opening.moves).map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Returns the time charged to each seat, if the record has it for all moves.
fn times(record: &GameRecord) -> Option<Vec<Duration>> {
    let times = record.times_us.as_ref()?;
    let by = movers(record)?;
    if by.len() != times.len() {
        return None;
    }
    let mut used = vec![Duration::ZERO; record.seats.len()];
    for (seat, time) in by.iter().zip(times) {
        if let Some(seat) = seat {
            let total = &mut used[seat.index()];
            *total = total.saturating_add(Duration::from_micros(*time));
        }
    }
    Some(used)
}
