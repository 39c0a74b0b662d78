//! Those who watch a run: people by the live view, programs by events.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use super::super::env::{self, Stopwatch};
use super::super::events::{
    AtOnceChanged, BotWithdrawn, Event, Events, Fault, GameFinished, GameStarted, GameVoid, Games,
    GamesTakenUp, OfBot, OfGame, RunStarted, Standing, Standings, VERSION, Waiting,
};
use super::super::json::{EloEnds, option_value, rounded, rounded_to};
use super::super::live::{self, Elo, Elos, Live, Scope, Update};
use super::super::ui::{Progress, Ui};
use super::{Ear, Heard, Watcher};
use crate::league::fair_play::AtOnce;
use crate::league::file::Tournament;
use crate::league::schedule::{self, Schedule};
use crate::rating::Rater;
use crate::record::GameRecord;
use crate::referee::driver::StatusProbe;
use crate::report::describe::{self, point_digits};
use crate::seat::{BySeat, Teams};

/// Minimum time between two lines on the standing.
const BETWEEN_STANDINGS: Duration = Duration::from_millis(250);

/// The same for programs, which may want to keep what they are told.
const BETWEEN_EVENTS: Duration = Duration::from_secs(2);

/// Minimum time between two ratings of the bots, and before the first.
const BETWEEN_RATINGS: Duration = Duration::from_millis(500);

/// Minimum time between two computations, in multiples of the time that one takes.
const SHARE: u32 = 50;

/// The tournament and the schedule that are watched.
pub(super) struct Play<'p> {
    pub(super) tournament: &'p Tournament,
    pub(super) length: schedule::Length,
    pub(super) done: u64,
    pub(super) faults: &'p live::Faults,
    pub(super) windows: &'p [StatusProbe],
}

/// Those who watch.
pub(super) struct Audience {
    live: Live,
    events: Option<Events>,
    /// Where a rating comes back.
    ear: Ear,
    watch: Stopwatch,
    done: u64,
    most: u64,
    /// The teams.
    teams: Teams,
    wants: Wants,
    /// True if something has happened since the standing was last told.
    is_behind: bool,
    /// True if something has happened since the bots were last rated.
    is_unrated: bool,
    /// True if a game of this run has ended.
    has_played: bool,
    next_standing: Duration,
    next_event: Duration,
    next_rating: Duration,
    /// The results that are being rated.
    rating: Option<Snapshot>,
}

/// The standing when the bots were to be rated: with points of another moment
/// their ratings would be those of other games.
struct Snapshot {
    /// After how many games.
    after: u64,
    /// For programs, if it is time to tell them.
    rows: Option<Vec<live::Row>>,
}

/// The detail that the observers want.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Wants {
    /// Nothing of how it stands.
    Nothing,
    /// The standing in a few words.
    Word,
    /// The ratings of the bots, too.
    Ratings,
}

impl Audience {
    pub(super) fn gather(ui: &Ui, play: &Play<'_>, ear: Ear) -> io::Result<Audience> {
        let Play { tournament, length, done, faults, windows } = *play;
        let live = Live::start(ui, &Scope { length, done, faults: faults.clone(), windows })?;
        let events = ui.events().cloned();
        if let Some(events) = &events {
            events.tell(&Event::RunStarted(run_started(play)));
        }
        let wants = match ui.progress() {
            _ if events.is_some() => Wants::Ratings,
            // A test says itself how strong the new bot is.
            Progress::Bar if tournament.test.is_none() => Wants::Ratings,
            // Who leads is decided by ratings.
            Progress::Lines | Progress::Auto
                if tournament.test.is_none() && tournament.entrants.len() > 2 =>
            {
                Wants::Ratings
            }
            Progress::Bar | Progress::Lines | Progress::Auto => Wants::Word,
            Progress::None => Wants::Nothing,
        };
        Ok(Audience {
            live,
            events,
            ear,
            watch: Stopwatch::start(),
            done,
            most: length.most(),
            teams: tournament.game.teams(),
            wants,
            is_behind: wants != Wants::Nothing,
            is_unrated: wants == Wants::Ratings,
            has_played: false,
            next_standing: Duration::ZERO,
            next_event: BETWEEN_EVENTS,
            next_rating: BETWEEN_RATINGS,
            rating: None,
        })
    }

    /// After how long it is to be said how it stands if nothing else happens.
    pub(super) fn patience(&self) -> Option<Duration> {
        let standing = self.is_behind.then_some(self.next_standing);
        let rating = (self.is_unrated && self.rating.is_none()).then(|| self.rating_due());
        let next = standing.into_iter().chain(rating).min()?;
        Some(next.saturating_sub(self.watch.elapsed()))
    }

    fn tell(&self, event: impl FnOnce() -> Event) {
        if let Some(events) = &self.events {
            events.tell(&event());
        }
    }

    pub(super) fn began(&self, slot: usize, id: String, attempt: u32, bots: &BySeat<String>) {
        let seats: Vec<String> = bots.values().cloned().collect();
        self.tell(|| {
            let slot = slot as u64 + 1;
            Event::GameStarted(GameStarted { id: id.clone(), attempt, seats: seats.clone(), slot })
        });
        self.live.update(Update::Began { slot, id, attempt, bots: seats });
    }

    /// A game has its final record, which the watcher has seen.
    pub(super) fn played(&mut self, record: &GameRecord, watcher: &dyn Watcher) {
        self.done += 1;
        self.has_played = true;
        self.tell_faults(record);
        let sentence = describe::verdict(record);
        self.tell(|| {
            Event::GameFinished(GameFinished {
                id: record.id.clone(),
                attempt: record.attempt,
                seats: names(record),
                places: record.places.clone(),
                reason: record.reason.clone(),
                void: record.void.as_ref().map(|void| void.kind.clone()),
                sentence: sentence.clone(),
                faults: faults(record),
                duration_ms: record.duration_ms,
                done: self.done,
            })
        });
        self.is_behind = self.wants != Wants::Nothing;
        self.is_unrated = self.wants == Wants::Ratings;
        // What is said with the number of games is true of that number at the end.
        if self.done >= self.most {
            self.next_standing = Duration::ZERO;
        }
        self.live.update(Update::Played { id: record.id.clone(), sentence });
        self.show_standing_if_due(watcher);
    }

    /// A game was made void by the host.
    pub(super) fn void(&self, record: &GameRecord, why: &str) {
        self.tell(|| {
            let (id, attempt) = (record.id.clone(), record.attempt);
            Event::GameVoid(GameVoid { id, attempt, why: describe::with_names(record, why) })
        });
        self.live.update(Update::Void { id: record.id.clone(), sentence: describe::verdict(record) });
    }

    fn tell_faults(&self, record: &GameRecord) {
        for fault in &record.faults {
            let bot = describe::name(record, fault.seat);
            self.live.update(Update::Fault { bot, kind: fault.word().to_owned() });
        }
    }

    pub(super) fn broken_off(&self, id: String) {
        self.tell(|| Event::GameBrokenOff(OfGame { id: id.clone() }));
        self.live.update(Update::BrokenOff { id });
    }

    pub(super) fn at_once(&self, change: AtOnce, id: &str) {
        let changed = |games: usize| AtOnceChanged { at_once: games as u64, id: id.to_owned() };
        self.tell(|| match change {
            AtOnce::Fewer(games) => Event::FewerAtOnce(changed(games)),
            AtOnce::More(games) => Event::MoreAtOnce(changed(games)),
        });
    }

    pub(super) fn waiting(&self, games: u64, at_most: Duration) {
        let at_most_ms = u64::try_from(at_most.as_millis()).unwrap_or(u64::MAX);
        self.tell(|| Event::Waiting(Waiting { games, at_most_ms }));
    }

    pub(super) fn paused(&self, bot: &str) {
        self.tell(|| Event::BotPaused(OfBot::from(bot.to_owned())));
    }

    pub(super) fn withdrawn(&self, bot: &str, games: u64) {
        self.tell(|| Event::BotWithdrawn(BotWithdrawn { bot: bot.to_owned().into(), games }));
    }

    /// So many games of an earlier run count again, which the watcher has seen.
    pub(super) fn taken_up(&mut self, games: u64, watcher: &dyn Watcher) {
        self.done += games;
        self.is_behind = self.wants != Wants::Nothing;
        self.is_unrated = self.wants == Wants::Ratings;
        self.tell(|| Event::GamesTakenUp(GamesTakenUp { games, done: self.done }));
        self.live.update(Update::TakenUp(games));
        self.show_standing_if_due(watcher);
    }

    pub(super) fn spared(&mut self, games: u64) {
        self.most = self.most.saturating_sub(games);
        self.tell(|| Event::GamesSpared(Games { games }));
        self.live.update(Update::Spared(games));
    }

    pub(super) fn stopping(&self, how: &'static str) {
        self.live.update(Update::Stopping(how));
    }

    /// The bots have been rated, which took so long.
    pub(super) fn rated(&mut self, elos: HashMap<String, Elo>, took: Duration) {
        self.next_rating = self.watch.elapsed() + (took * SHARE).max(BETWEEN_RATINGS);
        let Some(Snapshot { after, rows }) = self.rating.take() else { return };
        if let Some(rows) = rows {
            let rating = |name: &str| {
                let rated = elos.get(name);
                (rated.map(|rated| rated.elo), rated.and_then(|rated| rated.interval))
            };
            self.tell(|| Event::Standings(standings(rows, &self.teams, rating)));
        }
        self.live.update(Update::Elos(Elos { after, by_name: elos }));
    }

    /// Says how it stands, if that is due.
    pub(super) fn show_standing_if_due(&mut self, watcher: &dyn Watcher) {
        let now = self.watch.elapsed();
        self.rate_if_due(watcher, now);
        if !self.is_behind || now < self.next_standing {
            return;
        }
        self.is_behind = false;
        let computing = Stopwatch::start();
        let standing = live::Standing { done: self.done, ..watcher.standing() };
        if let Some(test) = watcher.test()
            && self.is_time_for_event(now)
        {
            self.tell(|| Event::Test(test));
        }
        self.live.update(Update::Standing(standing));
        let took = computing.elapsed();
        // The first result is waited for most.
        if self.has_played {
            self.next_standing = now + (took * SHARE).max(BETWEEN_STANDINGS);
        }
    }

    /// True if programs are to be told the standing, which they then are.
    fn is_time_for_event(&mut self, now: Duration) -> bool {
        let is_time = self.events.is_some() && now >= self.next_event;
        if is_time {
            self.next_event = now + BETWEEN_EVENTS;
        }
        is_time
    }

    /// Programs are told of every rating, so that none is the last without it.
    fn rating_due(&self) -> Duration {
        if self.events.is_some() { self.next_rating.max(self.next_event) } else { self.next_rating }
    }

    fn rate_if_due(&mut self, watcher: &dyn Watcher, now: Duration) {
        if !self.is_unrated || self.rating.is_some() || now < self.rating_due() {
            return;
        }
        self.is_unrated = false;
        let is_told = watcher.test().is_none() && self.is_time_for_event(now);
        let rows = is_told.then(|| watcher.standing().rows);
        self.rating = Some(Snapshot { after: self.done, rows });
        self.rate(watcher.rater().clone());
    }

    /// Rates the bots elsewhere: it may take long.
    fn rate(&mut self, rater: Rater) {
        let ear = self.ear.clone();
        let thread = std::thread::Builder::new().name("rating".to_owned()).spawn(move || {
            let computing = Stopwatch::start();
            let ratings = rater.ratings().map(|ratings| {
                let elo = |rating: &crate::rating::Rating| {
                    let interval = rating.interval.map(|ends| [ends.low, ends.high]);
                    Some((rating.name.clone(), Elo { elo: rating.elo?, interval }))
                };
                ratings.rows().iter().filter_map(elo).collect()
            });
            ear.tell(Heard::Rated(ratings.unwrap_or_default(), computing.elapsed()));
        });
        // Without one nobody is rated before the end.
        if thread.is_err() {
            self.rated(HashMap::new(), Duration::ZERO);
        }
    }

    /// Nothing more is played.
    pub(super) fn end(mut self, watcher: &dyn Watcher) {
        self.next_standing = Duration::ZERO;
        self.show_standing_if_due(watcher);
    }
}

/// The standing, for programs; `rating` gives the Elo of a name and the ends of its interval.
pub(super) fn standings(
    rows: Vec<live::Row>,
    teams: &Teams,
    rating: impl Fn(&str) -> (Option<f64>, Option<[f64; 2]>),
) -> Standings {
    let (of_teams, digits) = (teams.sides() < teams.seats(), point_digits(teams.sides()));
    let row = |row: live::Row| {
        let (elo, interval) = rating(&row.name);
        Standing {
            bot: (!of_teams).then(|| row.name.clone()),
            team: of_teams.then(|| row.name.clone()),
            name: row.name,
            points: rounded_to(row.points, digits).unwrap_or_default(),
            games: row.games,
            elo: elo.and_then(rounded),
            ends: EloEnds::of(interval),
        }
    };
    Standings { standings: rows.into_iter().map(row).collect() }
}

fn names(record: &GameRecord) -> Vec<String> {
    record.seats.iter().map(|seat| seat.name.clone()).collect()
}

fn faults(record: &GameRecord) -> Vec<Fault> {
    let fault = |fault: &crate::record::FaultRecord| {
        let seat = usize::from(fault.seat).checked_sub(1).and_then(|index| record.seats.get(index));
        let name = seat.map_or_else(String::new, |seat| seat.name.clone());
        Fault { seat: fault.seat, bot: name.into(), fault: fault.fault.clone(), overload: fault.overload }
    };
    record.faults.iter().map(fault).collect()
}

fn run_started(play: &Play<'_>) -> RunStarted {
    let Play { tournament, length, done, windows, .. } = *play;
    let game = &tournament.game;
    let options = game.options().iter().map(|(name, value)| (name.to_owned(), option_value(value)));
    RunStarted {
        v: VERSION,
        software: env::SOFTWARE.to_owned(),
        league: tournament.name.clone(),
        game: game.id().to_owned(),
        options: options.collect(),
        time_control: tournament.time_control.to_string(),
        clock: tournament.clock.word().to_owned(),
        schedule: tournament.schedule.word().to_owned(),
        entrants: tournament.entrants.iter().map(|entrant| entrant.name.clone()).collect(),
        games: (length != schedule::Length::Endless).then(|| length.most()),
        length: length.into(),
        done,
        at_once: windows.len() as u64,
        pid: std::process::id(),
    }
}

/// The length that is shown: a test ends when it is decided.
pub(crate) fn length(tournament: &Tournament, schedule: &Schedule) -> schedule::Length {
    match schedule.length() {
        schedule::Length::Exactly(games) if tournament.test.is_some() => schedule::Length::AtMost(games),
        length => length,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_rounded_numbers_and_both_ends_by_name() {
        let rating = |_: &str| (Some(1500.0000004), Some([f64::NEG_INFINITY, 1600.12345678]));
        let told = |teams: &Teams| {
            let row = live::Row { name: "ada".to_owned(), points: 2.0 / 3.0, games: 1 };
            let told = standings(vec![row], teams, rating);
            serde_json::to_value(&told.standings[0]).expect("it has only text for keys")
        };
        let quixo_teams = crate::games::find("quixo-teams").and_then(|game| game.configure(&[]).ok());
        let of_team = told(&quixo_teams.expect("there is that game").teams());
        assert_eq!((&of_team["team"], of_team.get("bot")), (&"ada".into(), None));
        assert_eq!(of_team["points"], 0.7, "of two sides");
        assert_eq!(
            told(&Teams::singles(4)),
            serde_json::json!({
                "name": "ada", "bot": "ada", "points": 0.67, "games": 1, "elo": 1500.0,
                "interval": [null, 1600.123457], "elo_low": null, "elo_high": 1600.123457,
            })
        );
    }
}
