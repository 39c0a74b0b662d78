//! The observer that passes events of the run to the person.

use std::sync::mpsc::Sender;

use super::events::{PersonEvent, TableEvent};
use crate::league::session::{Again, Observer, Preparation, RunEvent};

/// Sends the events of the run that concern the person to the person's thread.
pub(super) struct PersonObserver(pub(super) Sender<PersonEvent>);

impl PersonObserver {
    fn send(&self, event: TableEvent) {
        // The channel has no receiver after the person has left.
        let _ = self.0.send(PersonEvent::Table(event));
    }

    fn note(&self, text: impl std::fmt::Display) {
        self.send(TableEvent::Note(text.to_string()));
    }

    fn preparing(&self, preparation: &Preparation<'_>) {
        match preparation {
            Preparation::Sandbox(status) => self.note(status),
            Preparation::PreflightWaits { seconds, .. } => {
                self.note(format_args!("the bots are not ready yet after {seconds} s"));
            }
            Preparation::TornLine { bytes, .. } => {
                self.note(format_args!("the last record was incomplete ({bytes} bytes) and was removed"));
            }
            Preparation::AlreadyOver { .. } => {
                self.note("all games of this run have been played; for more, raise `--games`");
            }
            Preparation::Version(note) => self.note(note),
            Preparation::SetsUp { bot, setup } => self.note(format_args!("setting up `{bot}`: {setup}")),
            Preparation::RunsAsRoot { bot, .. } => {
                self.note(format_args!("`{bot}` runs as root: a user of its own can't read its files"));
            }
            // A match reports these, but they don't concern the person.
            Preparation::OpeningsReused { .. }
            | Preparation::FewerGames { .. }
            | Preparation::MayRepeat(_)
            | Preparation::Changed(_)
            | Preparation::Resumed { .. }
            | Preparation::Continues { .. }
            | Preparation::CpuClock(_)
            | Preparation::Imbalanced(_)
            | Preparation::SharedFolder { .. }
            | Preparation::PreflightBegins(_)
            | Preparation::PreflightEnds(_)
            | Preparation::PreflightFailed(_) => {}
        }
    }
}

impl Observer for PersonObserver {
    fn on(&mut self, event: &RunEvent<'_>) {
        match event {
            RunEvent::Preparing(preparation) => self.preparing(preparation),
            RunEvent::Played(ended) => self.send(TableEvent::Recorded(Box::new(ended.record.clone()))),
            RunEvent::Annulled { game, why, again } => {
                let again = match again {
                    Again::Soon | Again::Later => "it is played again",
                    Again::Never => "it is not played again",
                };
                self.note(format_args!("the game has no result: {why}; {again}"));
                self.send(TableEvent::Recorded(Box::new(game.record.clone())));
            }
            RunEvent::LeftBehind { leaked, .. } | RunEvent::Over { leaked, .. } => {
                leaked.warning().into_iter().for_each(|warning| self.note(warning));
            }
            RunEvent::WriteFailed => self.note("the records can't be written"),
            RunEvent::Withdrawn { bot, .. } => {
                self.note(format_args!("`{bot}` failed and plays no more games"));
            }
            RunEvent::Waiting { .. } => self.note("waiting until the machine is less busy"),
            RunEvent::Started(_)
            | RunEvent::Began { .. }
            | RunEvent::Moved(_)
            | RunEvent::AtOnce { .. }
            | RunEvent::Elsewhere(_)
            | RunEvent::Paused(_)
            | RunEvent::BrokenOff(_)
            | RunEvent::TakenUp(_)
            | RunEvent::DrawnOtherwise(_)
            | RunEvent::Cancelled(_)
            | RunEvent::Repeats(_)
            | RunEvent::Standing { .. }
            | RunEvent::Rated { .. }
            | RunEvent::Stopping(_)
            | RunEvent::Finished(_)
            | RunEvent::Recorded { .. } => {}
        }
    }
}
