//! Tests of each rule of Tandem.

mod endings;
mod evaluation;
mod layouts;
mod moves;
mod notation;
mod scenes;
mod seats;
mod token;

use std::sync::Arc;

use crate::options::split_options;
use crate::tandem::{Move, Position, Tandem};
use crate::testkit;
use crate::{OptionValues, Rules, Setup, Table};

/// Makes the rules with these options.
#[track_caller]
fn rules(options: &str) -> Tandem {
    let given = split_options(options).expect("names and values");
    let values = OptionValues::resolve(Tandem::OPTIONS, given).expect("the options are right");
    Tandem::with_options(&values).expect("the options go together")
}

/// Sets up the game with these options.
#[track_caller]
fn setup(options: &str) -> Arc<dyn Setup> {
    let game = crate::find("tandem").expect("it is registered");
    game.configure(&split_options(options).expect("names and values")).expect("the options are right")
}

/// Makes a table with a position on it.
#[track_caller]
fn table(options: &str, token: &str) -> Box<dyn Table> {
    setup(options).from_token(token).unwrap_or_else(|error| panic!("`{token}`: {error}"))
}

#[track_caller]
fn position(rules: &Tandem, token: &str) -> Position {
    testkit::position(rules, token)
}

fn text(mv: Move) -> String {
    let mut text = String::new();
    Tandem::with_options(&OptionValues::resolve(Tandem::OPTIONS, []).expect("defaults"))
        .expect("defaults go together")
        .write_move(mv, &mut text);
    text
}

/// Plays a move and returns the resulting position.
#[track_caller]
fn after(options: &str, token: &str, mv: &str) -> String {
    let mut table = table(options, token);
    table.play(mv).unwrap_or_else(|refusal| panic!("`{mv}` in `{token}`: {refusal}"));
    table.token()
}

/// Returns the reason why a move is refused.
#[track_caller]
fn refusal(options: &str, token: &str, mv: &str) -> String {
    let mut table = table(options, token);
    table.play(mv).expect_err("the move is not legal").to_string()
}

/// Options for boards of 4 by 4 with a single colour, on which three in a row score.
const PLAIN: &str = "layout=aaaa/aaaa/aaaa/aaaa|aaaa/aaaa/aaaa/aaaa,line=3,tiles=8";

/// Makes the token of boards; the stocks follow from each seat's number of tiles.
fn token(boards: &str, to_move: usize, ply: u32, tiles: usize, points: &[usize], passes: u32) -> String {
    let stock = |(index, points): (usize, &usize)| {
        let symbol = char::from(b'1' + index as u8);
        (tiles - points - boards.matches(symbol).count()).to_string()
    };
    let stocks: Vec<String> = points.iter().enumerate().map(stock).collect();
    let points: Vec<String> = points.iter().map(ToString::to_string).collect();
    format!("{boards}:{to_move}:{ply}:{}:{}:{passes}", stocks.join(","), points.join(","))
}

/// Makes a token under [`PLAIN`] with seat 1 to move and no points.
fn plain(boards: &str) -> String {
    token(boards, 1, 20, 8, &[0, 0], 0)
}

/// Lists the legal moves of a position, in byte order.
#[track_caller]
fn legal(options: &str, token: &str) -> Vec<String> {
    crate::legal_moves(&*table(options, token))
}
