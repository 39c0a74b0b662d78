//! Hints: the move that a built-in bot would play.

use std::sync::mpsc::Sender;
use std::time::Duration;

use super::events::{PersonEvent, Suggestion};
use super::game::{PersonGame, Terms};
use crate::engines::{Engine, UgiBot};
use crate::protocol::{FromBot, GameHeader, GoLimit, PositionLine, ToBot};
use crate::time_control::ClockKind;

/// The time limit of the search for a hint.
const TIME: Duration = Duration::from_secs(1);

/// Starts the search for a hint in a separate thread, which sends it as an event.
pub(super) fn begin(game: &PersonGame, terms: &Terms, events: Sender<PersonEvent>) -> std::io::Result<()> {
    // Games of more than two sides need the tree search, where each side plays for itself.
    let engine = if game.teams.sides() == 2 { Engine::AlphaBeta } else { Engine::Mcts };
    let header = GameHeader {
        game: terms.setup.id().to_owned(),
        seat: game.person(),
        seats: game.teams.seats(),
        id: game.beginning.id.clone(),
        clock: ClockKind::Wall,
        ponders: false,
        options: terms.setup.options().to_string(),
    };
    let mut position = PositionLine::new(game.beginning.token.as_deref());
    game.moves.iter().for_each(|mv| position.push(mv));
    let lines = [
        ToBot::Game(header).to_string(),
        position.as_str().to_owned(),
        ToBot::Go(GoLimit::MoveTime(TIME)).to_string(),
    ];
    let moves = game.moves.len();
    let search = move || {
        let suggestion = ask(engine, &lines);
        let _ = events.send(PersonEvent::Suggested { moves, suggestion });
    };
    std::thread::Builder::new().name("hint".to_owned()).spawn(search).map(drop)
}

fn ask(engine: Engine, lines: &[String]) -> Suggestion {
    let mut bot = UgiBot::new(engine, engine.settings());
    let mut output = Vec::new();
    // A bot that can't follow the game suggests no move.
    let _ = lines.iter().try_for_each(|line| bot.hear(line, &mut output).map(drop));
    let mut suggestion = Suggestion { bot: engine.name(), mv: None, score_cp: None };
    for line in output.split(|byte| *byte == b'\n') {
        match FromBot::parse(line) {
            Ok(FromBot::BestMove { mv, .. }) => suggestion.mv = Some(mv.to_string()),
            Ok(FromBot::Info(said)) => suggestion.score_cp = said.score_cp.or(suggestion.score_cp),
            Ok(
                FromBot::IdName(_)
                | FromBot::IdAuthor(_)
                | FromBot::Protocol(_)
                | FromBot::Option(_)
                | FromBot::Feature(_)
                | FromBot::UgiOk
                | FromBot::ReadyOk
                | FromBot::Tell(_)
                | FromBot::Resign
                | FromBot::Unknown,
            )
            | Err(_) => {}
        }
    }
    suggestion
}
