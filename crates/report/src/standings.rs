//! The standings: a row for each bot (each team in games of teams), the best first.

use std::cmp::Ordering;

use crate::describe::{grouped, point_digits, printable, several};
use crate::notes::starving_note;
use crate::table::{Cell, Column, ColumnOf, Shown, Table};
use linesman_rating::Note;
use linesman_record::{BotTally, HostTally, TWELFTHS, Tally};
use linesman_types::clause::Clause;
use linesman_types::seat::balance::Uneven;
use linesman_types::verdict::FaultKind;

/// The rating of a bot, in addition to its results.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rated {
    pub elo: Option<f64>,
    /// The 95 % confidence interval of the rating; infinite if there is no bound.
    pub interval: Option<(f64, f64)>,
    /// A remark on the number.
    pub note: Option<Note>,
}

/// The standing of a bot or team in a Swiss: its points, and the tie-breaks.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct SwissStanding {
    /// The rank by all of these; equals share one.
    pub rank: usize,
    /// A point for each win and half a point for each draw; with more than two seats, the fraction of the
    /// opponents that were beaten. A bye counts as a win, with more than two seats as half a win.
    pub points: f64,
    /// The sum of the opponents' points without the lowest.
    pub buchholz_cut_1: f64,
    /// The sum of the opponents' points.
    pub buchholz: f64,
    /// The points of beaten opponents, and half of those of opponents with whom it drew.
    pub sonneborn_berger: f64,
}

/// Returns the standings of a Swiss as a table with the figures of its rules, in the given order.
/// `name` is the column of names, `digits` the number of decimals of points.
pub fn swiss_table<'n>(
    name: Column,
    digits: usize,
    rows: impl IntoIterator<Item = (&'n str, SwissStanding)>,
) -> Table {
    type StandingRow<'r> = (&'r str, SwissStanding);
    let decimal = |column: Column, digits, of: fn(&SwissStanding) -> f64| {
        column.of(move |(_, standing): &StandingRow<'_>| Cell::decimal(of(standing), digits))
    };
    Table::of(
        [
            Column::number("rank")
                .titled("#")
                .of(|(_, standing): &StandingRow<'_>| Cell::count(standing.rank)),
            name.of(|(name, _): &StandingRow<'_>| Cell::text(name)),
            decimal(Column::number("points"), digits, |standing| standing.points),
            decimal(Column::number("buchholz_cut_1").titled("Buchholz cut 1"), digits, |standing| {
                standing.buchholz_cut_1
            }),
            decimal(Column::number("buchholz").titled("Buchholz"), digits, |standing| standing.buchholz),
            decimal(Column::number("sonneborn_berger").titled("Sonneborn-Berger"), 2, |standing| {
                standing.sonneborn_berger
            }),
        ],
        rows,
    )
}

/// The level of detail.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum View {
    /// The figures that people want to see first.
    Brief,
    /// Everything, for files and programs.
    Full,
}

/// The bots, ordered by success.
#[derive(Clone, Debug)]
pub struct Standings {
    rows: Vec<StandingRow>,
    seats: usize,
    of_teams: bool,
    uneven: Option<Uneven>,
    games: u64,
    /// Number of games that an overloaded host spoiled and that have no final record.
    open: u64,
    ordered_by: OrderedBy,
}

/// The figures by which bots are ordered.
#[derive(Copy, Clone, Debug)]
pub struct Merit {
    pub games: u64,
    /// Its points in twelfths.
    pub twelfths: u64,
    pub elo: Option<f64>,
}

/// The first criterion of an order.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum OrderedBy {
    /// The rating: every bot that has played has one.
    Rating,
    /// Fraction of the points.
    Share,
}

impl OrderedBy {
    /// Returns the criterion for these bots.
    pub fn of(merits: impl IntoIterator<Item = Merit>) -> OrderedBy {
        let is_rated = |merit: Merit| merit.games == 0 || merit.elo.is_some();
        if merits.into_iter().all(is_rated) { OrderedBy::Rating } else { OrderedBy::Share }
    }
}

impl Merit {
    /// Compares two bots; the better one is less.
    pub fn order(self, other: Merit, by: OrderedBy) -> Ordering {
        let played = |merit: Merit| merit.games > 0;
        let rating = |merit: Merit| merit.elo.map_or(i64::MIN, tenths);
        // Fractions of the points, compared without rounding.
        let fraction = |merit: Merit, of: Merit| u128::from(merit.twelfths) * u128::from(of.games);
        let by_rating = match by {
            OrderedBy::Rating => rating(other).cmp(&rating(self)),
            OrderedBy::Share => Ordering::Equal,
        };
        (played(other).cmp(&played(self)).then(by_rating))
            .then_with(|| fraction(other, self).cmp(&fraction(self, other)))
            .then_with(|| other.twelfths.cmp(&self.twelfths))
    }
}

/// Rounds a rating to tenths, by which bots are ranked, so that a random difference in the last digit decides nothing.
pub(crate) fn tenths(elo: f64) -> i64 {
    (elo * 10.0).round() as i64
}

/// A bot or a team at its place.
#[derive(Clone, Debug)]
pub(crate) struct StandingRow {
    rank: usize,
    pub(crate) name: String,
    tally: BotTally,
    rated: Rated,
    swiss: Option<SwissStanding>,
    knockout_place: Option<usize>,
}

impl Standings {
    /// Ranks the bots: by rating if every bot that has played has one, otherwise by their fraction of the
    /// points; then by points. Equals share a rank and are sorted by name.
    pub fn new(tally: &Tally, rated: impl Fn(&str) -> Rated) -> Standings {
        let mut rows: Vec<StandingRow> = tally
            .bots()
            .map(|(name, tally)| StandingRow {
                rank: 0,
                name: name.to_owned(),
                tally: tally.clone(),
                rated: rated(name),
                swiss: None,
                knockout_place: None,
            })
            .collect();
        let ordered_by = OrderedBy::of(rows.iter().map(StandingRow::merit));
        let better = |one: &StandingRow, other: &StandingRow| one.merit().order(other.merit(), ordered_by);
        // Names are sorted already, and the sort is stable.
        rows.sort_by(better);
        for index in 0..rows.len() {
            rows[index].rank = match index.checked_sub(1).map(|before| &rows[before]) {
                Some(before) if better(before, &rows[index]) == Ordering::Equal => before.rank,
                _ => index + 1,
            };
        }
        Standings {
            rows,
            seats: tally.seats(),
            of_teams: tally.is_of_teams(),
            uneven: tally.uneven(),
            games: tally.games(),
            open: tally.open_games(),
            ordered_by,
        }
    }

    /// Returns the order in words: `by rating`.
    pub fn order_in_words(&self) -> &'static str {
        match self.ordered_by {
            OrderedBy::Rating => "by rating",
            OrderedBy::Share => "by share of points",
        }
    }

    /// True if the standings have those of a Swiss.
    fn is_swiss(&self) -> bool {
        self.rows.iter().any(|row| row.swiss.is_some())
    }

    /// Adds the standings of a Swiss, which are part of the full [table](Standings::table).
    #[must_use]
    pub fn of_swiss(mut self, standing: impl Fn(&str) -> Option<SwissStanding>) -> Standings {
        for row in &mut self.rows {
            row.swiss = standing(&row.name);
        }
        self
    }

    /// Adds the places in a knockout of those that are out or have won. They are part of the full
    /// [table](Standings::table).
    #[must_use]
    pub fn of_knockout(mut self, place: impl Fn(&str) -> Option<usize>) -> Standings {
        for row in &mut self.rows {
            row.knockout_place = place(&row.name);
        }
        self
    }

    /// Returns the standings of a Swiss by its own rules, the best first; equals are sorted by name.
    pub(crate) fn swiss_table(&self) -> Table {
        let mut rows: Vec<(&str, SwissStanding)> =
            self.rows.iter().filter_map(|row| Some((row.name.as_str(), row.swiss?))).collect();
        rows.sort_by_key(|(name, standing)| (standing.rank, *name));
        swiss_table(self.name_column(), self.swiss_digits(), rows)
    }

    /// Returns the places in a knockout: first the bots that are still in and have no place, then the best first;
    /// equals are sorted by name.
    pub(crate) fn knockout_places(&self) -> Vec<(&str, Option<usize>)> {
        let mut rows: Vec<(&str, Option<usize>)> =
            self.rows.iter().map(|row| (row.name.as_str(), row.knockout_place)).collect();
        rows.sort_by_key(|(name, place)| (*place, *name));
        rows
    }

    /// Returns the bots' names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.name.as_str())
    }

    /// Returns the ranks with the bots' names, in order; equals share a rank.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = (usize, &str)> {
        self.rows.iter().map(|row| (row.rank, row.name.as_str()))
    }

    /// Returns remarks on ratings, one for each kind of note: `greedy: won all its games ...`, or
    /// `won all games, ...: ada, bob, cleo and 4 others`.
    pub fn notes(&self) -> impl Iterator<Item = String> + '_ {
        self.notes_by_kind().into_iter().map(|(note, names)| match names.as_slice() {
            [name] => format!("{}: {note}", printable(name)),
            names => format!("{}: {}", note.of_several(), several(names)),
        })
    }

    /// Returns the notes with the bots that they apply to, both in the order of the standings. Bots without games are
    /// left out: a note on the whole field names them.
    pub(crate) fn notes_by_kind(&self) -> Vec<(Note, Vec<&str>)> {
        let mut kinds: Vec<(Note, Vec<&str>)> = Vec::new();
        for row in self.rows.iter().filter(|row| row.tally.games > 0) {
            let Some(note) = row.rated.note else { continue };
            match kinds.iter_mut().find(|(known, _)| *known == note) {
                Some((_, names)) => names.push(&row.name),
                None => kinds.push((note, vec![&row.name])),
            }
        }
        kinds
    }

    /// Returns a sentence about a host that gives its bots too little CPU time.
    pub fn host_note(&self) -> Option<Clause> {
        starving_note(self.rows.iter().map(|row| &row.tally.host))
    }

    /// Returns a sentence about the bots that used much CPU time out of turn, for runs in which bots may not ponder
    /// and are not paused.
    pub fn off_move_note(&self) -> Option<Clause> {
        let much = |row: &StandingRow| Some((printable(&row.name), row.tally.host.much_off_move_ms()?));
        let users: Vec<(String, f64)> = self.rows.iter().filter_map(much).collect();
        let used = match users.as_slice() {
            [] => return None,
            [(name, ms)] => format!("{name} used {ms:.0} ms of CPU time per move while it was not on move"),
            _ => {
                let listed: Vec<String> =
                    users.iter().map(|(name, ms)| format!("{name} ({ms:.0} ms per move)")).collect();
                let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
                format!("{} used much CPU time while they were not on move", several(&listed))
            }
        };
        let remedy = Clause::from(used).words(", and no bot is paused: set ").quoted("pause = \"auto\"");
        Some(remedy.words(" to stop that, or ").quoted("ponder = true").words(" to allow it"))
    }

    /// Returns a sentence with the numbers of annulled games, open games and late moves on an overloaded host.
    pub fn overload_note(&self) -> Option<String> {
        let sum = |of: fn(&HostTally) -> u64| self.rows.iter().map(|row| of(&row.tally.host)).sum::<u64>();
        let counted = |number: u64, one: &str, several: &str| match number {
            0 => None,
            1 => Some(one.to_owned()),
            number => Some(format!("{} {several}", grouped(number))),
        };
        let tries = sum(|host| host.voids);
        let annulled = counted(tries, "1 try of a game was annulled", "tries of games were annulled");
        let open = counted(self.open, "1 game is open", "games are open");
        let late = counted(sum(|host| host.overload), "1 late move counted", "late moves counted");
        let parts: Vec<String> = [annulled, open, late].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| format!("bots waited for a CPU: {}", parts.join(", ")))
    }

    /// Returns a sentence about seats or opponents if the games so far don't balance them, and so favour some bots.
    pub fn balance_note(&self, games_in_all: u64) -> Option<Clause> {
        let uneven = self.uneven.as_ref()?;
        let after = match self.games >= games_in_all {
            true => format!("after all {} games, ", grouped(self.games)),
            // In the middle of a round, two sides are never far from balance.
            false if self.seats <= 2 => return None,
            false => format!("after {} of {} games, ", grouped(self.games), grouped(games_in_all)),
        };
        Some(Clause::from(after).clause(&uneven.clause()))
    }

    /// Returns the points of each bot by seat, if there are more than two.
    pub fn by_seat(&self) -> Option<Table> {
        if self.seats == 2 {
            return None;
        }
        let at_seat = |seat: usize| {
            Column::number(format!("seat {seat}")).of(move |row: &StandingRow| {
                match row.tally.by_seat[seat - 1] {
                    (0, _) => Cell::Empty,
                    (games, twelfths) => {
                        Cell::Text(format!("{:.*} of {games}", point_digits(self.seats), points(twelfths)))
                    }
                }
            })
        };
        let name = self.name_column().of(|row: &StandingRow| Cell::text(&row.name));
        Some(Table::of(std::iter::once(name).chain((1..=self.seats).map(at_seat)), &self.rows))
    }

    /// Returns the standings as a table. The brief table leaves out the [notes](Standings::notes).
    pub fn table(&self, view: View) -> Table {
        self.table_with(view, [])
    }

    /// Returns the standings as a table with additional columns at its end.
    pub(crate) fn table_with<'c>(
        &'c self,
        view: View,
        more: impl IntoIterator<Item = ColumnOf<'c, StandingRow>>,
    ) -> Table {
        Table::of(self.columns(view, more), &self.rows)
    }

    /// Returns the columns in order, `more` among them. Programs rely on the order of the full view, so a new column
    /// comes last, after `more`.
    fn columns<'c>(
        &'c self,
        view: View,
        more: impl IntoIterator<Item = ColumnOf<'c, StandingRow>>,
    ) -> Vec<ColumnOf<'c, StandingRow>> {
        let (brief, full) = (view == View::Brief, view == View::Full);
        let digits = point_digits(self.seats);
        // People see only columns with information; programs see all.
        let counts = if brief { Shown::IfFilled } else { Shown::Always };
        let is_rated = self.rows.iter().any(|row| row.rated.elo.is_some());
        let number = |key: &str| Column::number(key);
        let mut columns = vec![
            count(number("rank").titled("#"), |row| row.rank as u64),
            self.name_column().of(|row: &StandingRow| Cell::text(&row.name)),
            count(number("games"), |row| row.tally.games),
            // In a Swiss, a bye gives points without a game; these points are from games only.
            (number("points").titled(if self.is_swiss() { "in games" } else { "points" }))
                .of(move |row: &StandingRow| Cell::decimal(points(row.tally.twelfths), digits)),
            maybe(number("score"), StandingRow::score, |share| Cell::estimate(share, 3)),
            count(number("wins"), |row| row.tally.wins).only_if(full || self.seats == 2),
            count(number("draws"), |row| row.tally.draws).only_if(full || self.seats == 2),
            count(number("losses"), |row| row.tally.losses).only_if(full || self.seats == 2),
        ];
        let places = ["1st", "2nd", "3rd", "4th"].into_iter().take(self.seats).enumerate();
        columns.extend(places.filter(|_| self.seats > 2).map(|(index, title)| {
            Column::number(format!("place_{}", index + 1))
                .titled(title)
                .of(move |row: &StandingRow| Cell::count(row.tally.places[index]))
        }));
        columns.extend([
            maybe(number("elo").titled("Elo"), |row| row.rated.elo, |elo| Cell::estimate(elo, 0))
                .only_if(full || is_rated),
            (number("interval").titled("95 %"))
                .of(|row: &StandingRow| Cell::maybe(row.rated.interval, interval))
                .only_if(brief && is_rated),
            maybe(number("elo_low"), |row| Some(row.rated.interval?.0), |low| Cell::estimate(low, 1))
                .only_if(full),
            maybe(number("elo_high"), |row| Some(row.rated.interval?.1), |high| Cell::estimate(high, 1))
                .only_if(full),
        ]);
        let seat = if self.of_teams { "side" } else { "seat" };
        columns.extend((0..self.seats).filter(|_| full).flat_map(|index| {
            let [games, points_at] =
                ["games", "points"].map(|what| Column::number(format!("{what}_{seat}_{}", index + 1)));
            [
                games.of(move |row: &StandingRow| Cell::count(row.tally.by_seat[index].0)),
                points_at
                    .of(move |row: &StandingRow| Cell::decimal(points(row.tally.by_seat[index].1), digits)),
            ]
        }));
        columns.push(count(number("faults"), StandingRow::faults).shown(counts));
        columns.extend(FaultKind::WORDS.iter().enumerate().filter(|_| full).map(|(kind, word)| {
            Column::number(format!("faults_{word}"))
                .of(move |row: &StandingRow| Cell::count(row.tally.faults[kind]))
        }));
        columns.extend(host_columns(view, counts));
        columns.push(Column::text("note").of(StandingRow::note).only_if(full));
        columns.extend(self.schedule_columns().into_iter().map(|column| column.only_if(full)));
        columns.extend(more);
        columns
    }

    /// Returns the columns of a schedule with rules of its own.
    fn schedule_columns(&self) -> Vec<ColumnOf<'_, StandingRow>> {
        let swiss = |key, digits, of: fn(&SwissStanding) -> f64| {
            let cell = move |row: &StandingRow| {
                Cell::maybe(row.swiss.as_ref(), |standing| Cell::decimal(of(standing), digits))
            };
            Column::number(key).of(cell).only_if(self.is_swiss())
        };
        vec![
            (Column::number("swiss_rank"))
                .of(|row: &StandingRow| Cell::maybe(row.swiss, |standing| Cell::count(standing.rank)))
                .only_if(self.is_swiss()),
            swiss("swiss_points", self.swiss_digits(), |standing| standing.points),
            swiss("buchholz_cut_1", self.swiss_digits(), |standing| standing.buchholz_cut_1),
            swiss("buchholz", self.swiss_digits(), |standing| standing.buchholz),
            swiss("sonneborn_berger", 2, |standing| standing.sonneborn_berger),
            (Column::number("knockout_place"))
                .of(|row: &StandingRow| Cell::maybe(row.knockout_place, Cell::count))
                .only_if(self.rows.iter().any(|row| row.knockout_place.is_some())),
        ]
    }

    /// Returns the number of decimals of the points of a Swiss; in games of teams, two sides meet.
    fn swiss_digits(&self) -> usize {
        if self.of_teams { 1 } else { point_digits(self.seats) }
    }

    fn name_column(&self) -> Column {
        Column::name(if self.of_teams { "team" } else { "bot" })
    }
}

impl StandingRow {
    /// Returns the fraction of the points.
    fn score(&self) -> Option<f64> {
        (self.tally.games > 0).then(|| points(self.tally.twelfths) / self.tally.games as f64)
    }

    fn faults(&self) -> u64 {
        self.tally.faults.iter().sum()
    }

    /// Returns the CPU time out of turn; people see it if it is worth mentioning.
    fn off_move(&self, view: View) -> Cell {
        let host = &self.tally.host;
        match view {
            View::Brief => Cell::maybe(host.notable_off_move_ms(), |ms| {
                let paused = if host.paused_games > 0 { ", paused" } else { "" };
                Cell::Text(format!("{ms:.1} ms{paused}"))
            }),
            View::Full => Cell::maybe(host.off_move_ms(), |ms| Cell::decimal(ms, 3)),
        }
    }

    fn note(&self) -> Cell {
        Cell::Text(self.rated.note.map(|note| note.to_string()).unwrap_or_default())
    }

    fn merit(&self) -> Merit {
        Merit { games: self.tally.games, twelfths: self.tally.twelfths, elo: self.rated.elo }
    }
}

fn count(column: Column, of: fn(&StandingRow) -> u64) -> ColumnOf<'static, StandingRow> {
    column.of(move |row| Cell::count(of(row)))
}

/// Returns a column of numbers that some rows lack.
fn maybe(
    column: Column,
    of: fn(&StandingRow) -> Option<f64>,
    cell: fn(f64) -> Cell,
) -> ColumnOf<'static, StandingRow> {
    column.of(move |row| Cell::maybe(of(row), cell))
}

/// Returns the columns about the host and the bots' use of it.
fn host_columns(view: View, counts: Shown) -> [ColumnOf<'static, StandingRow>; 10] {
    let full = view == View::Full;
    let number = |key: &str| Column::number(key);
    let overload = || count(number(FaultKind::OVERLOAD), |row| row.tally.host.overload).shown(counts);
    [
        overload().only_if(view == View::Brief),
        count(number("open"), |row| row.tally.open).shown(counts),
        count(number("voids"), |row| row.tally.host.voids).shown(counts),
        overload().only_if(full),
        maybe(
            number("cpu_share").titled("CPU"),
            |row| row.tally.host.cpu_share(),
            match view {
                View::Brief => |share| Cell::Text(format!("{:.0} %", share * 100.0)),
                View::Full => |share| Cell::estimate(share, 3),
            },
        )
        .shown(counts),
        maybe(number("cpu_s"), |row| row.tally.host.total_cpu_s(), |seconds| Cell::decimal(seconds, 3))
            .only_if(full),
        number("off_move_ms")
            .titled("off move")
            .of(move |row: &StandingRow| row.off_move(view))
            .shown(counts),
        count(number("off_move_games"), |row| row.tally.host.off_move_games).only_if(full),
        count(number("paused_games"), |row| row.tally.host.paused_games).only_if(full),
        (number("peak_kib"))
            .of(|row: &StandingRow| Cell::maybe(row.tally.host.peak_kib(), Cell::count))
            .only_if(full),
    ]
}

fn points(twelfths: u64) -> f64 {
    twelfths as f64 / TWELFTHS as f64
}

fn interval((low, high): (f64, f64)) -> Cell {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => Cell::Text(format!("{low:.0}..{high:.0}")),
        (true, false) => Cell::Text(format!("> {low:.0}")),
        (false, true) => Cell::Text(format!("< {high:.0}")),
        (false, false) => Cell::Empty,
    }
}
