//! The observer that emits the events of a run for programs.

use std::num::NonZeroU64;
use std::time::Duration;

use super::super::elo_ends::EloEnds;
use super::super::env::{self, Stopwatch};
use super::super::json::{option_value, rounded, rounded_to};
use super::format::{
    AtOnceChanged, BotWithdrawn, Event, Fault, GameFinished, GameStarted, GameVoid, Games, GamesTakenUp,
    Move, OfBot, OfGame, RunStarted, Standing, Standings, VERSION, Waiting, WorkerState,
};
use super::{Events, Test};
use crate::cli::play::results::test_event;
use crate::league::fair_play::AtOnce;
use crate::league::leader_notice::{Presence, WorkerSeen};
use crate::league::recorder::said_record;
use crate::league::schedule;
use crate::league::session::{EndedGameEvent, Observer, Points, RunEvent, Started, Wants};
use crate::rating::{Interval, Ratings};
use crate::record::{FaultRecord, GameRecord, microseconds};
use crate::referee::driver::MoveMade;
use crate::report::describe::{self, point_digits};
use crate::seat::Teams;

/// Minimum time between two standings or two states of a test: programs may keep all of them.
const BETWEEN_STANDINGS: Duration = Duration::from_secs(2);

/// Emits a run as events.
pub(crate) struct EventStream {
    events: Events,
    watch: Stopwatch,
    next_test: Duration,
    done: u64,
    teams: Option<Teams>,
}

impl EventStream {
    pub(crate) fn new(events: Events) -> EventStream {
        let watch = Stopwatch::start();
        EventStream { events, watch, next_test: BETWEEN_STANDINGS, done: 0, teams: None }
    }

    /// The event for an event of the run; `None` if programs don't receive it.
    fn event(&mut self, event: &RunEvent<'_>) -> Option<Event> {
        Some(match event {
            RunEvent::Started(started) => {
                self.done = started.done;
                self.teams = Some(started.tournament.game.teams());
                Event::RunStarted(run_started(started))
            }
            RunEvent::Began { slot, id, attempt, bots, .. } => Event::GameStarted(GameStarted {
                id: id.clone(),
                attempt: *attempt,
                seats: bots.values().cloned().collect(),
                slot: *slot as u64 + 1,
            }),
            RunEvent::Moved(made) => Event::Move(moved(made)),
            RunEvent::Played(game) => {
                self.done = game.done;
                Event::GameFinished(game_finished(game))
            }
            RunEvent::Annulled { game: EndedGameEvent { record, .. }, why, .. } => {
                Event::GameVoid(GameVoid {
                    id: record.id.clone(),
                    attempt: record.attempt,
                    why: describe::with_names(record, why),
                })
            }
            RunEvent::BrokenOff(id) => Event::GameBrokenOff(OfGame { id: id.clone() }),
            RunEvent::AtOnce { change, id } => at_once(*change, id.clone()),
            RunEvent::Waiting { games, at_most } => Event::Waiting(Waiting {
                games: *games as u64,
                at_most_ms: u64::try_from(at_most.as_millis()).unwrap_or(u64::MAX),
            }),
            RunEvent::Paused(bot) => Event::BotPaused(OfBot::from(bot.clone())),
            RunEvent::Withdrawn { bot, row } => Event::BotWithdrawn(BotWithdrawn {
                bot: bot.clone().into(),
                games: row.map_or(0, |row| row.games),
            }),
            RunEvent::TakenUp(records) => {
                let games = records.len() as u64;
                self.done += games;
                Event::GamesTakenUp(GamesTakenUp { games, done: self.done })
            }
            RunEvent::Cancelled(games) => Event::GamesSpared(Games { games: *games }),
            RunEvent::Standing { results, .. } => Event::Test(self.test_if_due(test_event(results)?)?),
            RunEvent::Rated { points, ratings, .. } => {
                Event::Standings(standings(points, self.teams.as_ref()?, *ratings))
            }
            RunEvent::Elsewhere(notice) => Event::Worker(worker_state(notice.worker()?)),
            RunEvent::Preparing(_)
            | RunEvent::DrawnOtherwise(_)
            | RunEvent::Repeats(_)
            | RunEvent::LeftBehind { .. }
            | RunEvent::Stopping(_)
            | RunEvent::WriteFailed
            | RunEvent::Over { .. }
            | RunEvent::Finished(_)
            | RunEvent::Recorded { .. } => return None,
        })
    }

    fn test_if_due(&mut self, test: Test) -> Option<Test> {
        let now = self.watch.elapsed();
        if now < self.next_test {
            return None;
        }
        self.next_test = now + BETWEEN_STANDINGS;
        Some(test)
    }
}

impl Observer for EventStream {
    fn on(&mut self, event: &RunEvent<'_>) {
        if let Some(event) = self.event(event) {
            self.events.emit(&event);
        }
    }

    fn wants(&self) -> Wants {
        Wants { standing: true, ratings: Some(BETWEEN_STANDINGS), moves: true }
    }
}

pub(crate) fn standings(points: &[Points], teams: &Teams, ratings: Option<&Ratings>) -> Standings {
    standings_by(points, teams, |name| {
        let rating = ratings.and_then(|ratings| ratings.of(name));
        (rating.and_then(|rating| rating.elo), rating.and_then(|rating| rating.interval))
    })
}

/// The standings; `rating` gives the Elo of a name and the ends of its interval.
fn standings_by(
    points: &[Points],
    teams: &Teams,
    rating: impl Fn(&str) -> (Option<f64>, Option<Interval>),
) -> Standings {
    let (of_teams, digits) = (teams.sides() < teams.seats(), point_digits(teams.sides()));
    let row = |row: &Points| {
        let (elo, interval) = rating(&row.name);
        Standing {
            bot: (!of_teams).then(|| row.name.clone()),
            team: of_teams.then(|| row.name.clone()),
            name: row.name.clone(),
            points: rounded_to(row.points, digits).unwrap_or_default(),
            games: row.games,
            elo: elo.and_then(rounded),
            ends: EloEnds::of(interval),
        }
    };
    Standings { standings: points.iter().map(row).collect() }
}

fn moved(made: &MoveMade) -> Move {
    let MoveMade { id, number, played, clock } = made;
    Move {
        id: id.clone(),
        ply: *number as u64,
        seat: played.seat.number() as u64,
        text: played.text.to_string(),
        time_us: microseconds(played.used),
        clock_us: microseconds(*clock),
        said: played.said.as_deref().map(said_record),
        ponder: played.ponder.as_ref().map(|moves| moves.moves().map(str::to_owned).collect()),
    }
}

fn worker_state(seen: &WorkerSeen) -> WorkerState {
    WorkerState {
        worker: seen.name.clone(),
        instance: seen.instance,
        presence: match seen.presence {
            Presence::New => "new",
            Presence::There => "there",
            Presence::Gone => "gone",
        },
        slots: seen.slots,
        running: seen.running,
        games: seen.played,
        broken_off: seen.faults,
        speed: seen.speed.map(NonZeroU64::get),
        silent_ms: u64::try_from(seen.silent.as_millis()).unwrap_or(u64::MAX),
    }
}

fn at_once(change: AtOnce, id: String) -> Event {
    match change {
        AtOnce::Fewer(games) => Event::FewerAtOnce(AtOnceChanged { at_once: games as u64, id }),
        AtOnce::More(games) => Event::MoreAtOnce(AtOnceChanged { at_once: games as u64, id }),
    }
}

fn game_finished(game: &EndedGameEvent<'_>) -> GameFinished {
    let record = game.record;
    GameFinished {
        id: record.id.clone(),
        attempt: record.attempt,
        seats: record.seats.iter().map(|seat| seat.name.clone()).collect(),
        places: record.places.clone(),
        reason: record.reason.clone(),
        void: record.void.as_ref().map(|void| void.kind.word().to_owned()),
        sentence: describe::verdict(record),
        faults: faults(record),
        duration_ms: record.duration_ms,
        done: game.done,
    }
}

fn faults(record: &GameRecord) -> Vec<Fault> {
    let fault = |fault: &FaultRecord| {
        let seat = usize::from(fault.seat).checked_sub(1).and_then(|index| record.seats.get(index));
        let name = seat.map_or_else(String::new, |seat| seat.name.clone());
        Fault {
            seat: fault.seat,
            bot: name.into(),
            fault: fault.word().to_owned(),
            overload: fault.is_overload(),
        }
    };
    record.faults.iter().map(fault).collect()
}

fn run_started(started: &Started<'_>) -> RunStarted {
    let Started { tournament, length, done, windows, .. } = *started;
    let game = &tournament.game;
    let options = game.options().iter().map(|(name, value)| (name.to_owned(), option_value(value)));
    RunStarted {
        v: VERSION,
        software: env::SOFTWARE.to_owned(),
        league: tournament.name.clone(),
        game: game.id().to_owned(),
        options: options.collect(),
        time_control: tournament.time_control.to_string(),
        own_time_controls: (tournament.bots.iter())
            .filter_map(|bot| Some((bot.name.clone(), bot.time_control?.to_string())))
            .collect(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_rounded_numbers_and_named_interval_ends() {
        let rating =
            |_: &str| (Some(1500.0000004), Some(Interval { low: f64::NEG_INFINITY, high: 1600.12345678 }));
        let standing = |teams: &Teams| {
            let row = Points { name: "ada".to_owned(), points: 2.0 / 3.0, games: 1 };
            let standings = standings_by(&[row], teams, rating);
            serde_json::to_value(&standings.standings[0]).expect("it has only text for keys")
        };
        let quixo_teams = crate::games::find("quixo-teams").and_then(|game| game.configure(&[]).ok());
        let of_team = standing(&quixo_teams.expect("there is that game").teams());
        assert_eq!((&of_team["team"], of_team.get("bot")), (&"ada".into(), None));
        assert_eq!(of_team["points"], 0.7, "of two sides");
        assert_eq!(
            standing(&Teams::singles(4)),
            serde_json::json!({
                "name": "ada", "bot": "ada", "points": 0.67, "games": 1, "elo": 1500.0,
                "interval": [null, 1600.123457], "elo_low": null, "elo_high": 1600.123457,
            })
        );
    }
}
