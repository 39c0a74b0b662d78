//! The setups and the records of a tournament's games.

use std::sync::Arc;

use crate::dispatcher::Assignment;
use crate::fair_play::FairPlay;
use crate::file::{Ponder, Tournament};
use crate::openings::{BadOpening, Drawer, Opening};
use crate::recorder::Recorder;
use crate::schedule::Pairing;
use linesman_driver::{BotSpec, Game, GameNote, Played};
use linesman_games::Consultation;
use linesman_games::solvable::Oracle;
use linesman_record::GameRecord;
use linesman_referee::{
    Adjudication, BotState, Fairness, GameSetup, IgnoredLines, Pondering, SeatSetup, TableRule,
};
use linesman_sandbox::Leaked;
use linesman_types::seat::BySeat;

/// Makes the games of a tournament, and their records.
pub(crate) struct LeagueGames {
    pub(crate) tournament: Tournament,
    pub(crate) recorder: Recorder,
    /// The specifications from which the bots are started, in the tournament's order.
    specs: Vec<Arc<BotSpec>>,
    /// The openings of the games, if they don't start from the usual position.
    drawer: Option<Drawer>,
    adjudication: Adjudication,
}

/// A game that has ended, with its record.
#[derive(Debug)]
pub struct EndedGame {
    pub record: Box<GameRecord>,
    /// Remarks on the course of the game.
    pub notes: Vec<GameNote>,
    /// Processes and folders of its bots that could not be removed.
    pub leaked: Leaked,
    /// The lines of each bot that were ignored.
    pub ignored: BySeat<IgnoredLines>,
}

impl LeagueGames {
    /// Makes the source of a tournament's games. The oracle adjudicates them if the tournament names a table.
    pub(crate) fn new(
        tournament: Tournament,
        specs: Vec<BotSpec>,
        recorder: Recorder,
        oracle: Option<Arc<dyn Oracle>>,
    ) -> LeagueGames {
        let table_plan = tournament.adjudication.table.as_ref();
        let table_rule = table_plan.zip(oracle).map(|(plan, oracle)| TableRule { oracle, from: plan.from });
        LeagueGames {
            adjudication: Adjudication { scores: tournament.adjudication.scores, table: table_rule },
            drawer: Drawer::of(&tournament),
            specs: specs.into_iter().map(Arc::new).collect(),
            recorder,
            tournament,
        }
    }

    /// Makes the game of an assignment, from the opening that is drawn for it.
    pub(crate) fn game(&self, assignment: &Assignment, fair: &FairPlay) -> Game {
        let opening = self.drawer.as_ref().map(|drawer| drawer.draw(&assignment.pairing).opening.clone());
        let fairness = |bot| fair.fairness(bot, assignment.try_of_run);
        self.game_from(opening.unwrap_or_default(), &assignment.pairing, fairness)
            .expect("the openings were played when the tournament was read")
    }

    /// Makes the game of a pairing, from this opening. `fairness` is called with the index of each bot.
    pub(crate) fn game_from(
        &self,
        opening: Opening,
        pairing: &Pairing,
        fairness: impl Fn(usize) -> Fairness,
    ) -> Result<Game, BadOpening> {
        let tournament = &self.tournament;
        let seats = pairing.bots.map(|_, index| {
            let bot = &tournament.bots[*index];
            SeatSetup {
                bot: BotState::Cold,
                options: bot.options.clone(),
                limits: bot.limits.for_core(),
                fairness: fairness(*index),
                time_control: bot.time_control,
            }
        });
        let table = opening.table(&*tournament.game)?;
        Ok(Game {
            setup: GameSetup {
                game: tournament.game.id().to_owned(),
                options: tournament.game.options().to_string(),
                consultation: Consultation::of(tournament.game.options()),
                id: pairing.id.clone(),
                opening_token: opening.token,
                opening_moves: opening.moves,
                time_control: tournament.time_control,
                clock: tournament.clock,
                margin: tournament.margin,
                pondering: match tournament.ponder {
                    Ponder::Allowed => Pondering::On,
                    Ponder::Refused => Pondering::Off,
                },
                adjudication: self.adjudication.clone(),
                seats,
            },
            table,
            bots: pairing.bots.map(|_, bot| Arc::clone(&self.specs[*bot])),
            on_move: None,
            dialogue: None,
        })
    }

    /// Makes the record of a game that was played.
    pub(crate) fn ended(&self, assignment: &Assignment, played: Played, started: String) -> EndedGame {
        let record = Box::new(self.recorder.record(assignment, &played, started));
        let Played { notes, leaked, finished, .. } = played;
        EndedGame { record, notes, leaked, ignored: finished.ignored }
    }
}
