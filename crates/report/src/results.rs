//! The list of results: a row a record.

use std::io;
use std::time::Duration;

use crate::sentence::point_digits;
use crate::table::{Cell, Column, CsvRows};
use linesman_games;
use linesman_record::{Ended, GameRecord, LoadRecord, Misshapen};
use linesman_record::{HostTally, TWELFTHS, TeamsOfGames, movers, twelfths};
use linesman_types::seat::{Seat, Teams};

/// Writes records as rows of CSV, one after the other.
pub struct ResultsCsv<W: io::Write> {
    rows: CsvRows<W>,
    teams: TeamsOfGames,
    seats: usize,
    of_teams: bool,
}

impl<W: io::Write> ResultsCsv<W> {
    /// Writes the line of names, with the columns that each seat has; of games of
    /// teams also with the teams' names.
    ///
    /// # Errors
    /// What the output returns.
    pub fn new(output: W, teams: &Teams) -> io::Result<ResultsCsv<W>> {
        let seats = teams.seats();
        let of_teams = teams.sides() < seats;
        let rows = CsvRows::new(output, &columns(seats, of_teams))?;
        Ok(ResultsCsv { rows, teams: TeamsOfGames::default(), seats, of_teams })
    }

    /// Writes a record. Seats beyond those that have columns are left out.
    ///
    /// # Errors
    /// What the output returns, and a record whose parts do not fit together.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        let row = row(record, self.seats, self.of_teams, &mut self.teams)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.rows.push(&row)
    }

    /// Writes what is still held back.
    ///
    /// # Errors
    /// What the output returns.
    pub fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }
}

fn columns(seats: usize, of_teams: bool) -> Vec<Column> {
    let mut columns = ["id", "try", "league", "game", "options"].map(Column::text).to_vec();
    let by_seat = ["bot", "team", "place", "score", "time_ms"];
    for column in by_seat.into_iter().filter(|column| of_teams || *column != "team") {
        columns.extend((1..=seats).map(|seat| Column::text(format!("{column}_{seat}"))));
    }
    columns.extend(
        [
            "reason",
            "void",
            "faults",
            "moves",
            "time_control",
            "margin_ms",
            "opening",
            "duration_ms",
            "started",
        ]
        .map(Column::text),
    );
    // What the host gave, and what was taken out of turn.
    columns.push(Column::text("void_seat"));
    for column in ["cpu_share", "off_move_ms", "paused"] {
        columns.extend((1..=seats).map(|seat| Column::text(format!("{column}_{seat}"))));
    }
    columns.extend(["pressure", "steal_ms"].map(Column::text));
    // The key of the games from one opening, in which seats were exchanged.
    columns.push(Column::text("pair"));
    columns
}

fn row(
    record: &GameRecord,
    seats: usize,
    of_teams: bool,
    teams: &mut TeamsOfGames,
) -> Result<Vec<Cell>, Misshapen> {
    let outcome = record.outcome()?;
    let teams = teams.of(&record.game, record.seats.len());
    let of_seats = |cell: &dyn Fn(Seat) -> Cell| -> Vec<Cell> {
        (0..seats)
            .map(|index| if index < record.seats.len() { cell(Seat::from_index(index)) } else { Cell::Empty })
            .collect()
    };
    let optional = |text: &Option<String>| Cell::maybe(text.as_deref(), Cell::text);
    let mut cells = vec![
        Cell::text(&record.id),
        Cell::count(record.attempt),
        optional(&record.league),
        Cell::text(&record.game),
        Cell::text(&options(record)),
    ];
    cells.extend(of_seats(&|seat| Cell::text(&outcome.bots[seat])));
    if of_teams {
        let sides = outcome.by_sides(&teams);
        let side = |seat| Seat::from_index(teams.side(seat).index());
        cells.extend(of_seats(&|seat| Cell::maybe(sides.bots.get(side(seat)), |name| Cell::text(name))));
    }
    cells
        .extend(of_seats(&|seat| Cell::maybe(outcome.places(), |places| Cell::count(places[seat].number()))));
    let score = |seat| {
        Cell::maybe(outcome.places(), |places| {
            let share = twelfths(places, &teams, seat) as f64 / TWELFTHS as f64;
            Cell::decimal(share, point_digits(seats))
        })
    };
    cells.extend(of_seats(&score));
    let used = times(record);
    cells.extend(of_seats(&|seat| {
        Cell::maybe(used.as_ref(), |used| Cell::decimal(used[seat.index()].as_secs_f64() * 1_000.0, 3))
    }));
    let faults: Vec<String> = outcome.faults.iter().map(|(seat, fault)| format!("{seat}:{fault}")).collect();
    let plies = |moves: &Vec<String>| Cell::count(moves.iter().filter(|text| !text.starts_with('!')).count());
    cells.extend([
        optional(&record.reason),
        match &outcome.result {
            Ended::Places(_) => Cell::Empty,
            Ended::VoidHost | Ended::Void => Cell::maybe(record.void.as_ref(), |void| Cell::text(&void.kind)),
        },
        Cell::text(&faults.join(" ")),
        Cell::maybe(record.moves.as_ref(), plies),
        optional(&record.time_control),
        Cell::maybe(record.margin_ms, Cell::count),
        Cell::text(&opening(record)),
        Cell::maybe(record.duration_ms, Cell::count),
        optional(&record.started),
        Cell::maybe(outcome.overloaded, |seat| Cell::count(seat.number())),
    ]);
    let of_host = |cell: &dyn Fn(&HostTally) -> Cell| {
        of_seats(&|seat| {
            Cell::maybe(outcome.usage[seat], |usage| {
                let mut own = HostTally::default();
                own.add(&usage);
                cell(&own)
            })
        })
    };
    cells.extend(of_host(&|own| Cell::maybe(own.cpu_share(), |share| Cell::estimate(share, 3))));
    cells.extend(of_host(&|own| Cell::maybe(own.off_move_ms(), |ms| Cell::decimal(ms, 3))));
    cells.extend(of_host(&|own| Cell::count(own.paused_games)));
    cells.extend(load(record));
    cells.push(optional(&record.pair));
    Ok(cells)
}

/// How much of the game's time somebody waited for a CPU, and what the host of
/// the machine took, in milliseconds.
fn load(record: &GameRecord) -> [Cell; 2] {
    let share = |load: LoadRecord| Some(load.pressure_us? as f64 / load.span_us.max(1) as f64);
    let taken = record.load.and_then(|load| load.steal_us);
    [
        Cell::maybe(record.load.and_then(share), |share| Cell::estimate(share, 3)),
        Cell::maybe(taken, |taken| Cell::decimal(taken as f64 / 1_000.0, 3)),
    ]
}

/// The options in the order of the game; those that it does not know come last.
fn options(record: &GameRecord) -> String {
    let specs = linesman_games::find(&record.game).map_or(&[][..], |game| game.options());
    let mut texts = record.option_texts();
    texts.sort_by_key(|(name, _)| specs.iter().position(|spec| spec.name == *name).unwrap_or(specs.len()));
    texts.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",")
}

fn opening(record: &GameRecord) -> String {
    let Some(opening) = &record.opening else { return String::new() };
    opening.token.iter().chain(&opening.moves).map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// The time that each seat was charged, if the record says it of all moves.
fn times(record: &GameRecord) -> Option<Vec<Duration>> {
    let times = record.times_us.as_ref()?;
    let by = movers(record)?;
    if by.len() != times.len() {
        return None;
    }
    let mut used = vec![Duration::ZERO; record.seats.len()];
    for (seat, time) in by.iter().zip(times) {
        if let Some(seat) = seat {
            let own = &mut used[seat.index()];
            *own = own.saturating_add(Duration::from_micros(*time));
        }
    }
    Some(used)
}
