//! The observer that shows a run in the live view, or as a line from time to time.

use std::time::Duration;

use anstream::ColorChoice;

use super::messages::{ViewMessage, send};
use super::model::{Elo, Elos, Leads, LiveStanding, Model};
use super::reporter::{ProgressForm, Subject};
use super::{Live, form};
use crate::cli::play::results::{in_a_word, test_lines};
use crate::cli::play::signals::{ABORTING, FINISHING};
use crate::cli::ui::{Progress, Ui};
use crate::league::file::{ScheduleKind, Tournament};
use crate::league::session::{EndedGameEvent, Observer, RunEvent, Started, Stop, Wants};
use crate::rating::{Rating, Ratings};
use crate::record::FaultRecord;
use crate::report::describe;

/// Minimum time between two computations of the ratings.
const BETWEEN_RATINGS: Duration = Duration::from_millis(500);

pub(crate) struct LiveView {
    /// The form of the view, until it begins.
    form: Option<ProgressForm>,
    colour: ColorChoice,
    wants: Wants,
    leads: Leads,
    shown: Option<Live>,
}

impl LiveView {
    pub(crate) fn new(ui: &Ui, tournament: &Tournament) -> LiveView {
        let standing = Wants { standing: true, ..Wants::default() };
        let ratings = Wants { ratings: Some(BETWEEN_RATINGS), ..standing };
        let wants = match ui.progress() {
            // A test has its own estimate of the strength.
            Progress::Bar if tournament.test.is_none() => ratings,
            // Ratings determine the leader.
            Progress::Lines | Progress::Auto
                if tournament.test.is_none() && tournament.entrants.len() > 2 =>
            {
                ratings
            }
            Progress::Bar | Progress::Lines | Progress::Auto => standing,
            Progress::None => Wants::default(),
        };
        let leads = match tournament.schedule {
            ScheduleKind::RoundRobin | ScheduleKind::Gauntlet | ScheduleKind::Ladder => Leads::Standings,
            ScheduleKind::Swiss | ScheduleKind::Knockout => Leads::OwnRules,
        };
        LiveView { form: Some(form(ui)), colour: ui.stderr_colour(), wants, leads, shown: None }
    }

    fn begin(&mut self, started: &Started<'_>) {
        let Some(form) = self.form.take() else { return };
        let model = Model::new(started.length, started.done, started.windows.len());
        let model = model.with_faults(started.results.faults().clone());
        let subject = Subject::Games(Box::new(model), started.windows.to_vec());
        // If the thread can't be started, the games are still played.
        self.shown = Live::in_form(form, self.colour, subject).ok();
    }
}

fn changing(change: impl FnOnce(&mut Model) + Send + 'static) -> ViewMessage {
    ViewMessage::Change(Box::new(change))
}

fn played(game: &EndedGameEvent<'_>) -> ViewMessage {
    let fault = |fault: &FaultRecord| (describe::name(game.record, fault.seat), fault.kind());
    let faults: Vec<_> = game.record.faults.iter().map(fault).collect();
    let (id, sentence) = (game.record.id.clone(), describe::verdict(game.record));
    changing(move |model| {
        faults.into_iter().for_each(|(bot, kind)| model.failed(&bot, kind));
        model.played(&id, &sentence);
    })
}

fn rated(done: u64, ratings: Option<&Ratings>) -> ViewMessage {
    let elo = |rating: &Rating| {
        let interval = rating.interval.map(|ends| [ends.low, ends.high]);
        Some((rating.name.clone(), Elo { elo: rating.elo?, interval }))
    };
    let rows = ratings.iter().flat_map(|ratings| &ratings.rows);
    let elos = Elos { after: done, by_name: rows.filter_map(elo).collect() };
    changing(move |model| model.elos = elos)
}

impl LiveView {
    fn message(&self, event: &RunEvent<'_>) -> Option<ViewMessage> {
        Some(match event {
            RunEvent::Began { slot, id, attempt, bots, entrants } => {
                let (slot, id, attempt) = (*slot, id.clone(), *attempt);
                let (bots, entrants) = (bots.clone(), entrants.clone());
                changing(move |model| {
                    let bots: Vec<&str> = bots.values().map(String::as_str).collect();
                    let entrants: Vec<&str> = entrants.values().map(String::as_str).collect();
                    model.began(slot, &id, attempt, &bots, &entrants);
                })
            }
            RunEvent::Played(game) => played(game),
            RunEvent::Annulled { game, .. } => {
                let (id, sentence) = (game.record.id.clone(), describe::verdict(game.record));
                changing(move |model| model.ended(&id, &sentence))
            }
            RunEvent::BrokenOff(id) => {
                let id = id.clone();
                changing(move |model| drop(model.remove(&id)))
            }
            RunEvent::TakenUp(records) => {
                let games = records.len() as u64;
                changing(move |model| model.done += games)
            }
            RunEvent::Cancelled(games) => {
                let games = *games;
                changing(move |model| model.cancelled(games))
            }
            RunEvent::Standing { done, results } => ViewMessage::Standing(LiveStanding {
                done: *done,
                summary: in_a_word(results),
                rows: results.points_ranked(),
                leads: self.leads,
                test: test_lines(results),
            }),
            RunEvent::Rated { done, ratings, .. } => rated(*done, *ratings),
            RunEvent::Stopping(Stop::Finish) => changing(|model| model.stopping = Some(FINISHING)),
            RunEvent::Stopping(Stop::Abort) => changing(|model| model.stopping = Some(ABORTING)),
            RunEvent::Elsewhere(notice) => {
                let worker = notice.worker()?.clone();
                changing(move |model| model.workers.update(worker))
            }
            RunEvent::Preparing(_)
            | RunEvent::Started(_)
            | RunEvent::Moved(_)
            | RunEvent::AtOnce { .. }
            | RunEvent::Waiting { .. }
            | RunEvent::Paused(_)
            | RunEvent::Withdrawn { .. }
            | RunEvent::DrawnOtherwise(_)
            | RunEvent::Repeats(_)
            | RunEvent::LeftBehind { .. }
            | RunEvent::WriteFailed
            | RunEvent::Over { .. }
            | RunEvent::Finished(_)
            | RunEvent::Recorded { .. } => return None,
        })
    }
}

impl Observer for LiveView {
    fn on(&mut self, event: &RunEvent<'_>) {
        if let RunEvent::Started(started) = event {
            self.begin(started);
        } else if let RunEvent::Over { .. } = event {
            self.shown = None;
        } else if self.shown.is_some()
            && let Some(message) = self.message(event)
        {
            // A reporter that panicked receives no messages.
            let _ = send(message);
        }
    }

    fn wants(&self) -> Wants {
        self.wants
    }
}
