//! Games between bots through the protocol, without processes.

use std::sync::Arc;

use linesman_engines::{Attention, CantGoOn, Engine, UgiBot};
use linesman_games::{Setup, Table, options::split_options};
use linesman_protocol::FromBot;
use linesman_types::seat::Seat;

/// Creates a bot with settings such as `Nodes=100,Seed=3`.
pub fn bot(engine: Engine, settings: &str) -> UgiBot {
    let mut values = engine.settings();
    for (name, value) in split_options(settings).expect("names and values") {
        values.set(name, value).expect("the engine has the option");
    }
    UgiBot::new(engine, values)
}

/// Returns the answers of a bot to these lines.
pub fn answers(bot: &mut UgiBot, lines: &[&str]) -> Result<Vec<String>, CantGoOn> {
    let mut output = Vec::new();
    for line in lines {
        assert_eq!(bot.hear(line, &mut output)?, Attention::Listening);
    }
    Ok(String::from_utf8(output).expect("bots write text").lines().map(str::to_owned).collect())
}

/// The move in a bot's last answer.
#[track_caller]
pub fn best_move(answers: &[String]) -> String {
    let last = answers.last().expect("a bot that is to move answers");
    match FromBot::parse(last.as_bytes()) {
        Ok(FromBot::BestMove { mv, .. }) => mv.into(),
        other => panic!("{other:?} instead of a move"),
    }
}

pub fn set_up(game: &str, options: &str) -> Arc<dyn Setup> {
    let game = linesman_games::find(game).expect("the game exists");
    game.configure(&split_options(options).expect("names and values")).expect("the options are right")
}

/// Lets bots play a game, and checks each move by the rules. Returns the final table and the moves.
pub fn play(bots: &mut [&mut UgiBot], setup: &dyn Setup, id: &str) -> (Box<dyn Table>, Vec<String>) {
    let mut table = setup.start();
    let mut moves: Vec<String> = Vec::new();
    let seats = bots.len();
    for (seat, bot) in Seat::all(seats).zip(bots.iter_mut()) {
        let header =
            format!("game {} seat {seat} seats {seats} id {id} options {}", setup.id(), setup.options());
        let ready = answers(bot, &["uginewgame", &header, "isready"]).expect("bots know every game");
        assert_eq!(ready, ["readyok"]);
    }
    while !table.is_over() {
        let position = match moves.is_empty() {
            true => "position startpos".to_owned(),
            false => format!("position startpos moves {}", moves.join(" ")),
        };
        let bot = &mut bots[table.to_move().index()];
        let said = answers(bot, &[&position, "go movetime 3600000"]).expect("bots follow legal games");
        let mv = best_move(&said);
        table.play(&mv).unwrap_or_else(|error| panic!("{id}: {mv} after {moves:?}: {error}"));
        moves.push(mv);
    }
    (table, moves)
}

/// Plays games in which two bots take turns in moving first. Returns the wins, draws and losses of the first bot.
pub fn tally(one: &mut UgiBot, other: &mut UgiBot, setup: &dyn Setup, games: usize) -> [usize; 3] {
    let mut tally = [0; 3];
    for number in 0..games {
        let id = format!("one~other~{number}");
        let one_first = number.is_multiple_of(2);
        let mut bots: [&mut UgiBot; 2] = if one_first { [one, other] } else { [other, one] };
        let (table, _) = play(&mut bots, setup, &id);
        let places = table.ending().expect("the game is over").places;
        let seat = if one_first { Seat::FIRST } else { Seat::SECOND };
        let score = places.score(table.teams(), seat);
        tally[if score > 0.5 {
            0
        } else if score < 0.5 {
            2
        } else {
            1
        }] += 1;
    }
    tally
}
