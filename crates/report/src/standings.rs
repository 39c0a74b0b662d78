//! The standings: a row a bot (a row a team in games of teams), the best first.

use std::cmp::Ordering;

use crate::notes::starving_note;
use crate::sentence::point_digits;
use crate::sentence::{grouped, printable, several};
use crate::table::{Cell, Column, Table};
use linesman_rating::Note;
use linesman_record::{BotTally, HostTally, TWELFTHS, Tally};
use linesman_types::seat::balance::Uneven;
use linesman_types::verdict::Fault;

/// What is known of a bot's strength; beside its results.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rated {
    /// Its rating.
    pub elo: Option<f64>,
    /// Where the rating is with 95 % confidence; infinite where there is no bound.
    pub interval: Option<(f64, f64)>,
    /// A remark on the number.
    pub note: Option<Note>,
}

/// How a Swiss stands for somebody: by points, and what decides between equals.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct SwissStanding {
    /// The rank by all of these; equals share one.
    pub rank: usize,
    /// A point for each game that was won and half a one for each draw, with more than two seats
    /// the share of the opponents that was beaten; a bye counts as won, with more than two
    /// seats as half won.
    pub points: f64,
    /// The sum of the opponents' points but for the lowest.
    pub buchholz_cut_1: f64,
    /// The sum of the opponents' points.
    pub buchholz: f64,
    /// The points of the opponents that were beaten, and half of those of draws.
    pub sonneborn_berger: f64,
}

/// How a Swiss stands as a table: what its rules count, the best first as they come. Names stand in
/// the column that is given, points have so many digits.
pub fn swiss_table<'n>(
    name: Column,
    digits: usize,
    rows: impl IntoIterator<Item = (&'n str, SwissStanding)>,
) -> Table {
    let mut table = Table::new(vec![
        Column::number("rank").titled("#"),
        name,
        Column::number("points"),
        Column::number("buchholz_cut_1").titled("Buchholz cut 1"),
        Column::number("buchholz").titled("Buchholz"),
        Column::number("sonneborn_berger").titled("Sonneborn-Berger"),
    ]);
    for (name, own) in rows {
        table.push(vec![
            Cell::count(own.rank),
            Cell::text(name),
            Cell::decimal(own.points, digits),
            Cell::decimal(own.buchholz_cut_1, digits),
            Cell::decimal(own.buchholz, digits),
            Cell::decimal(own.sonneborn_berger, 2),
        ]);
    }
    table
}

/// How much is shown.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum View {
    /// What people want to see first.
    Brief,
    /// Everything, for files and programs.
    Full,
}

/// Bots in the order of their success.
#[derive(Clone, Debug)]
pub struct Standings {
    rows: Vec<Row>,
    seats: usize,
    of_teams: bool,
    uneven: Option<Uneven>,
    games: u64,
    /// Number of games that an overloaded host spoiled and that have no final record.
    open: u64,
    ordered_by: OrderedBy,
}

/// Results by which bots are ordered.
#[derive(Copy, Clone, Debug)]
pub struct Merit {
    /// Number of its games.
    pub games: u64,
    /// Its points in twelfths.
    pub twelfths: u64,
    /// Its rating.
    pub elo: Option<f64>,
}

/// The first criterion of an order.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum OrderedBy {
    /// The rating: every bot that has played has one.
    Rating,
    /// The share of points.
    Share,
}

impl OrderedBy {
    /// The criterion for these bots.
    pub fn of(merits: impl IntoIterator<Item = Merit>) -> OrderedBy {
        let is_rated = |own: Merit| own.games == 0 || own.elo.is_some();
        if merits.into_iter().all(is_rated) { OrderedBy::Rating } else { OrderedBy::Share }
    }
}

impl Merit {
    /// The order of two bots, the better one first.
    pub fn order(self, other: Merit, by: OrderedBy) -> Ordering {
        let played = |own: Merit| own.games > 0;
        // To a tenth, so that a last digit that differs by chance decides nothing.
        let tenths = |own: Merit| own.elo.map_or(i64::MIN, |elo| (elo * 10.0).round() as i64);
        // Shares of points, compared as fractions without rounding.
        let fraction = |own: Merit, of: Merit| u128::from(own.twelfths) * u128::from(of.games);
        let by_rating = match by {
            OrderedBy::Rating => tenths(other).cmp(&tenths(self)),
            OrderedBy::Share => Ordering::Equal,
        };
        (played(other).cmp(&played(self)).then(by_rating))
            .then_with(|| fraction(other, self).cmp(&fraction(self, other)))
            .then_with(|| other.twelfths.cmp(&self.twelfths))
    }
}

#[derive(Clone, Debug)]
struct Row {
    rank: usize,
    name: String,
    tally: BotTally,
    rated: Rated,
    swiss: Option<SwissStanding>,
    knockout_place: Option<usize>,
}

impl Standings {
    /// Ranks the bots: by rating if every bot that has played has one, else by
    /// their share of points; then by points. Equals share a rank and stand in
    /// the order of their names.
    pub fn new(tally: &Tally, rated: impl Fn(&str) -> Rated) -> Standings {
        let mut rows: Vec<Row> = tally
            .bots()
            .map(|(name, tally)| Row {
                rank: 0,
                name: name.to_owned(),
                tally: tally.clone(),
                rated: rated(name),
                swiss: None,
                knockout_place: None,
            })
            .collect();
        let ordered_by = OrderedBy::of(rows.iter().map(Row::merit));
        let better = |one: &Row, other: &Row| one.merit().order(other.merit(), ordered_by);
        // Names are in order already, and the sort keeps equals as they are.
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

    /// The order in words: `by rating`.
    pub fn order_in_words(&self) -> &'static str {
        match self.ordered_by {
            OrderedBy::Rating => "by rating",
            OrderedBy::Share => "by share of points",
        }
    }

    /// True if a Swiss has given its own standing to somebody.
    fn is_swiss(&self) -> bool {
        self.rows.iter().any(|row| row.swiss.is_some())
    }

    /// The same of a Swiss, with how it stands by its own rules beside the ratings; that
    /// goes into the full [table](Standings::table).
    #[must_use]
    pub fn of_swiss(mut self, standing: impl Fn(&str) -> Option<SwissStanding>) -> Standings {
        for row in &mut self.rows {
            row.swiss = standing(&row.name);
        }
        self
    }

    /// The same of a knockout, with the places that its bracket gives to those
    /// who are out or have won; that goes into the full [table](Standings::table).
    #[must_use]
    pub fn of_knockout(mut self, place: impl Fn(&str) -> Option<usize>) -> Standings {
        for row in &mut self.rows {
            row.knockout_place = place(&row.name);
        }
        self
    }

    /// How a Swiss stands by its own rules, the best first; equals in the order of their names.
    pub(crate) fn swiss(&self) -> Vec<(&str, SwissStanding)> {
        let mut rows: Vec<(&str, SwissStanding)> =
            self.rows.iter().filter_map(|row| Some((row.name.as_str(), row.swiss?))).collect();
        rows.sort_by_key(|(name, own)| (own.rank, *name));
        rows
    }

    /// The places in a knockout: first those who are still in and have none, then
    /// the best first; equals in the order of their names.
    pub(crate) fn knockout_places(&self) -> Vec<(&str, Option<usize>)> {
        let mut rows: Vec<(&str, Option<usize>)> =
            self.rows.iter().map(|row| (row.name.as_str(), row.knockout_place)).collect();
        rows.sort_by_key(|(name, place)| (*place, *name));
        rows
    }

    /// The bots' names in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.name.as_str())
    }

    /// The ranks with the bots' names, in their order; equals share a rank.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = (usize, &str)> {
        self.rows.iter().map(|row| (row.rank, row.name.as_str()))
    }

    /// Remarks on ratings, one for each kind of note: `greedy: won all its games ...`, or
    /// `won all games, ...: ada, bob, cleo and 4 others`.
    pub fn notes(&self) -> impl Iterator<Item = String> + '_ {
        self.notes_by_kind().into_iter().map(|(note, names)| match names.as_slice() {
            [name] => format!("{}: {note}", printable(name)),
            names => format!("{}: {}", note.of_several(), several(names)),
        })
    }

    /// The notes with the bots to which they apply, both in the order of the standings. Bots
    /// without games are left out: a note on the whole field names them.
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

    /// A sentence about a host that gives its bots too little CPU.
    pub fn host_note(&self) -> Option<String> {
        starving_note(self.rows.iter().map(|row| &row.tally.host))
    }

    /// A sentence about the bots that used much CPU out of turn; for runs in which
    /// bots may not ponder and nobody is paused.
    pub fn off_move_note(&self) -> Option<String> {
        const REMEDY: &str = "and no bot is paused: set `pause = \"auto\"` to stop that, or `ponder = true` \
                              to allow it";
        let much = |row: &Row| Some((printable(&row.name), row.tally.host.much_off_move_ms()?));
        let users: Vec<(String, f64)> = self.rows.iter().filter_map(much).collect();
        match users.as_slice() {
            [] => None,
            [(name, ms)] => Some(format!(
                "{name} used {ms:.0} ms of CPU time per move while it was not on move, {REMEDY}"
            )),
            _ => {
                let told: Vec<String> =
                    users.iter().map(|(name, ms)| format!("{name} ({ms:.0} ms per move)")).collect();
                let told: Vec<&str> = told.iter().map(String::as_str).collect();
                Some(format!("{} used much CPU time while they were not on move, {REMEDY}", several(&told)))
            }
        }
    }

    /// Annulled games and late moves on an overloaded host in numbers.
    pub fn overload_note(&self) -> Option<String> {
        let sum = |of: fn(&HostTally) -> u64| self.rows.iter().map(|row| of(&row.tally.host)).sum::<u64>();
        let annulled = match sum(|host| host.voids) {
            0 => None,
            1 => Some("1 try of a game was annulled".to_owned()),
            tries => Some(format!("{} tries of games were annulled", grouped(tries))),
        };
        let open = match self.open {
            0 => None,
            1 => Some("1 game is open".to_owned()),
            games => Some(format!("{} games are open", grouped(games))),
        };
        let late = match sum(|host| host.overload) {
            0 => None,
            1 => Some("1 late move counted".to_owned()),
            moves => Some(format!("{} late moves counted", grouped(moves))),
        };
        let told: Vec<String> = [annulled, open, late].into_iter().flatten().collect();
        (!told.is_empty()).then(|| format!("bots waited for a CPU: {}", told.join(", ")))
    }

    /// A sentence about seats or opponents if the games so far don't balance
    /// them, and so favour somebody.
    pub fn balance_note(&self, games_in_all: u64) -> Option<String> {
        let uneven = self.uneven.as_ref()?;
        if self.games >= games_in_all {
            return Some(format!("after all {} games, {uneven}", grouped(self.games)));
        }
        // In the middle of a round two sides are never far from balance.
        let after = format!("after {} of {} games", grouped(self.games), grouped(games_in_all));
        (self.seats > 2).then(|| format!("{after}, {uneven}"))
    }

    /// The points of each bot by seat, where there are more than two.
    pub fn by_seat(&self) -> Option<Table> {
        if self.seats == 2 {
            return None;
        }
        let mut columns = vec![self.name_column()];
        columns.extend((1..=self.seats).map(|seat| Column::number(format!("seat {seat}"))));
        let mut table = Table::new(columns);
        for row in &self.rows {
            let at_seat = |(games, twelfths): &(u64, u64)| {
                let share = format!("{:.*} of {games}", point_digits(self.seats), points(*twelfths));
                if *games == 0 { Cell::Empty } else { Cell::Text(share) }
            };
            let own = row.tally.by_seat[..self.seats].iter().map(at_seat);
            table.push(std::iter::once(Cell::text(&row.name)).chain(own).collect());
        }
        Some(table)
    }

    /// The standings as a table. The brief one leaves out the [notes](Standings::notes).
    pub fn table(&self, view: View) -> Table {
        match view {
            View::Brief => self.brief(),
            View::Full => self.full(),
        }
    }

    fn brief(&self) -> Table {
        let has_ratings = self.rows.iter().any(|row| row.rated.elo.is_some());
        let has_faults = self.rows.iter().any(|row| row.faults() > 0);
        let of_host = |shown: fn(&HostTally) -> bool| self.rows.iter().any(|row| shown(&row.tally.host));
        let has_shares = of_host(|host| host.cpu_share().is_some());
        let has_off_move = of_host(|host| host.notable_off_move_ms().is_some());
        let has_open = self.rows.iter().any(|row| row.tally.open > 0);
        let has_voids = of_host(|host| host.voids > 0);
        let has_overload = of_host(|host| host.overload > 0);
        let mut columns = vec![
            Column::number("rank").titled("#"),
            self.name_column(),
            Column::number("games"),
            // In a Swiss a bye gives points without a game; these are of games alone.
            Column::number("points").titled(if self.is_swiss() { "in games" } else { "points" }),
            Column::number("score"),
        ];
        if self.seats == 2 {
            columns.extend(["wins", "draws", "losses"].map(Column::number));
        } else {
            let places = ["1st", "2nd", "3rd", "4th"].into_iter().take(self.seats).zip(1..);
            columns
                .extend(places.map(|(title, place)| Column::number(format!("place_{place}")).titled(title)));
        }
        if has_ratings {
            columns.extend([Column::number("elo").titled("Elo"), Column::number("interval").titled("95 %")]);
        }
        if has_faults {
            columns.push(Column::number("faults"));
        }
        if has_overload {
            columns.push(Column::number(Fault::OVERLOAD));
        }
        if has_open {
            columns.push(Column::number("open"));
        }
        if has_voids {
            columns.push(Column::number("voids"));
        }
        if has_shares {
            columns.push(Column::number("cpu_share").titled("CPU"));
        }
        if has_off_move {
            columns.push(Column::number("off_move_ms").titled("off move"));
        }
        let mut table = Table::new(columns);
        for row in &self.rows {
            let mut cells = row.first_cells(self.seats);
            if self.seats == 2 {
                cells.extend(row.won_and_lost());
            } else {
                cells.extend(row.places(self.seats));
            }
            if has_ratings {
                cells.push(Cell::maybe(row.rated.elo, |elo| Cell::decimal(elo, 0)));
                cells.push(Cell::maybe(row.rated.interval, interval));
            }
            if has_faults {
                cells.push(Cell::count(row.faults()));
            }
            let host = &row.tally.host;
            if has_overload {
                cells.push(Cell::count(host.overload));
            }
            if has_open {
                cells.push(Cell::count(row.tally.open));
            }
            if has_voids {
                cells.push(Cell::count(host.voids));
            }
            if has_shares {
                let percent = |share: f64| Cell::Text(format!("{:.0} %", share * 100.0));
                cells.push(Cell::maybe(host.cpu_share(), percent));
            }
            if has_off_move {
                let paused = if host.paused_games > 0 { ", paused" } else { "" };
                let a_move = |ms: f64| Cell::Text(format!("{ms:.1} ms{paused}"));
                cells.push(Cell::maybe(host.notable_off_move_ms(), a_move));
            }
            table.push(cells);
        }
        table
    }

    fn full(&self) -> Table {
        let mut columns: Vec<Column> = vec![Column::number("rank"), self.name_column()];
        let numbers = ["games", "points", "score", "wins", "draws", "losses"];
        columns.extend(numbers.map(Column::number));
        if self.seats > 2 {
            columns.extend((1..=self.seats).map(|place| Column::number(format!("place_{place}"))));
        }
        columns.extend(["elo", "elo_low", "elo_high"].map(Column::number));
        let what = if self.of_teams { "side" } else { "seat" };
        for seat in 1..=self.seats {
            columns.push(Column::number(format!("games_{what}_{seat}")));
            columns.push(Column::number(format!("points_{what}_{seat}")));
        }
        columns.push(Column::number("faults"));
        columns.extend(Fault::WORDS.map(|word| Column::number(format!("faults_{word}"))));
        let host = [
            "open",
            "voids",
            Fault::OVERLOAD,
            "cpu_share",
            "cpu_s",
            "off_move_ms",
            "off_move_games",
            "paused_games",
            "peak_kib",
        ];
        columns.extend(host.map(Column::number));
        columns.push(Column::text("note"));
        let is_swiss = self.is_swiss();
        if is_swiss {
            let own = ["swiss_rank", "swiss_points", "buchholz_cut_1", "buchholz", "sonneborn_berger"];
            columns.extend(own.map(Column::number));
        }
        let is_knockout = self.rows.iter().any(|row| row.knockout_place.is_some());
        if is_knockout {
            columns.push(Column::number("knockout_place"));
        }
        let mut table = Table::new(columns);
        for row in &self.rows {
            let mut cells = row.first_cells(self.seats);
            cells.extend(row.won_and_lost());
            if self.seats > 2 {
                cells.extend(row.places(self.seats));
            }
            cells.push(Cell::maybe(row.rated.elo, |elo| Cell::estimate(elo, 1)));
            cells.push(Cell::maybe(row.rated.interval, |(low, _)| Cell::estimate(low, 1)));
            cells.push(Cell::maybe(row.rated.interval, |(_, high)| Cell::estimate(high, 1)));
            for (games, twelfths) in &row.tally.by_seat[..self.seats] {
                cells.push(Cell::count(*games));
                cells.push(Cell::decimal(points(*twelfths), point_digits(self.seats)));
            }
            cells.push(Cell::count(row.faults()));
            cells.extend(row.tally.faults.map(Cell::count));
            let host = &row.tally.host;
            cells.extend([
                Cell::count(row.tally.open),
                Cell::count(host.voids),
                Cell::count(host.overload),
                Cell::maybe(host.cpu_share(), |share| Cell::estimate(share, 3)),
                Cell::maybe(host.total_cpu_s(), |seconds| Cell::decimal(seconds, 3)),
                Cell::maybe(host.off_move_ms(), |ms| Cell::decimal(ms, 3)),
                Cell::count(host.off_move_games),
                Cell::count(host.paused_games),
                Cell::maybe(host.peak_kib(), Cell::count),
            ]);
            cells.push(row.note());
            if is_swiss {
                cells.extend(row.swiss_cells(if self.of_teams { 1 } else { point_digits(self.seats) }));
            }
            if is_knockout {
                cells.push(Cell::maybe(row.knockout_place, Cell::count));
            }
            table.push(cells);
        }
        table
    }

    fn name_column(&self) -> Column {
        Column::name(if self.of_teams { "team" } else { "bot" })
    }
}

impl Row {
    fn first_cells(&self, seats: usize) -> Vec<Cell> {
        let share = (self.tally.games > 0).then(|| points(self.tally.twelfths) / self.tally.games as f64);
        vec![
            Cell::count(self.rank),
            Cell::text(&self.name),
            Cell::count(self.tally.games),
            Cell::decimal(points(self.tally.twelfths), point_digits(seats)),
            Cell::maybe(share, |share| Cell::estimate(share, 3)),
        ]
    }

    fn won_and_lost(&self) -> [Cell; 3] {
        [self.tally.wins, self.tally.draws, self.tally.losses].map(Cell::count)
    }

    fn places(&self, seats: usize) -> impl Iterator<Item = Cell> + '_ {
        self.tally.places[..seats].iter().map(|times| Cell::count(*times))
    }

    fn faults(&self) -> u64 {
        self.tally.faults.iter().sum()
    }

    fn swiss_cells(&self, digits: usize) -> [Cell; 5] {
        let decimal = |of: fn(&SwissStanding) -> f64, digits| {
            Cell::maybe(self.swiss.as_ref(), |own| Cell::decimal(of(own), digits))
        };
        [
            Cell::maybe(self.swiss, |own| Cell::count(own.rank)),
            decimal(|own| own.points, digits),
            decimal(|own| own.buchholz_cut_1, digits),
            decimal(|own| own.buchholz, digits),
            decimal(|own| own.sonneborn_berger, 2),
        ]
    }

    fn note(&self) -> Cell {
        Cell::Text(self.rated.note.map(|note| note.to_string()).unwrap_or_default())
    }

    fn merit(&self) -> Merit {
        Merit { games: self.tally.games, twelfths: self.tally.twelfths, elo: self.rated.elo }
    }
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
