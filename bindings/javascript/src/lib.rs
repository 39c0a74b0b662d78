//! The rules as functions of a WebAssembly module. `linesman.js` is their only caller and wraps them in classes.
//!
//! Texts and bytes pass through two buffers: the caller writes `input` and reads `output`. Games and positions
//! stay here, and the caller refers to them by handles. A function returns a handle or the length of its
//! output; on a mistake it returns -1, and the output describes the mistake.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use linesman_bindings::{Game, Mistake, Position, json, names, restore};
use serde::Deserialize;

/// The value that a function returns for a mistake, instead of a handle or a length.
const MISTAKE: i32 = -1;

/// Games and positions by their handles, and the buffers.
#[derive(Default)]
struct State {
    input: Vec<u8>,
    output: Vec<u8>,
    last_handle: i32,
    games: HashMap<i32, Arc<Game>>,
    positions: HashMap<i32, Position>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// A game by name and options.
#[derive(Deserialize)]
struct NewGame {
    name: String,
    options: Vec<(String, String)>,
}

/// A list of moves, and the token that it starts from.
#[derive(Deserialize)]
struct History {
    token: Option<String>,
    moves: Vec<String>,
}

impl State {
    /// The caller's text. `linesman.js` writes UTF-8.
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.input).into_owned()
    }

    fn write(&mut self, output: impl Into<Vec<u8>>) -> i32 {
        self.output = output.into();
        self.output.len() as i32
    }

    fn next_handle(&mut self) -> i32 {
        self.last_handle += 1;
        self.last_handle
    }

    fn game(&self, handle: i32) -> &Arc<Game> {
        self.games.get(&handle).expect("linesman.js frees a game when nothing refers to it")
    }

    fn position(&self, handle: i32) -> &Position {
        self.positions.get(&handle).expect("linesman.js frees a position when nothing refers to it")
    }

    fn store(&mut self, position: Result<Position, Mistake>) -> i32 {
        match position {
            Ok(position) => {
                let handle = self.next_handle();
                self.positions.insert(handle, position);
                handle
            }
            Err(mistake) => self.refuse(&mistake),
        }
    }

    fn refuse(&mut self, mistake: &Mistake) -> i32 {
        self.write(json::text(&mistake.description()));
        MISTAKE
    }
}

fn with<T>(act: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(act)
}

/// Declares functions that the module exports.
macro_rules! exports {
    ($($(#[$doc:meta])* fn $name:ident($state:ident $(, $argument:ident: $kind:ty)*) -> $output:ty $body:block)*) => {
        $($(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: $kind),*) -> $output {
            with(|$state| $body)
        })*
    };
}

exports! {
    /// Makes room for `length` bytes of input and returns their address.
    fn input(state, length: usize) -> *mut u8 {
        state.input.clear();
        state.input.resize(length, 0);
        state.input.as_mut_ptr()
    }

    /// The address of the output.
    fn output(state) -> *const u8 {
        state.output.as_ptr()
    }

    /// The length of the output.
    fn output_length(state) -> i32 {
        state.output.len() as i32
    }

    /// The names of all games, joined by spaces.
    fn games(state) -> i32 {
        state.write(names().collect::<Vec<_>>().join(" "))
    }

    /// Makes a game: the input is a `NewGame` as JSON.
    fn game_new(state) -> i32 {
        let new: NewGame = serde_json::from_slice(&state.input).expect("linesman.js writes it");
        let options: Vec<(&str, &str)> =
            new.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        match Game::new(&new.name, &options) {
            Ok(game) => {
                let handle = state.next_handle();
                state.games.insert(handle, game);
                handle
            }
            Err(mistake) => state.refuse(&mistake),
        }
    }

    /// Frees a game.
    fn game_free(state, game: i32) -> i32 {
        state.games.remove(&game).map_or(0, |_| 1)
    }

    /// The description of a game as JSON.
    fn game_description(state, game: i32) -> i32 {
        let text = json::text(&state.game(game).description());
        state.write(text)
    }

    /// The start of a game.
    fn game_start(state, game: i32) -> i32 {
        let position = Position::start(state.game(game));
        state.store(Ok(position))
    }

    /// Restores a position: the input is a `History` as JSON.
    fn game_replay(state, game: i32) -> i32 {
        let History { token, moves } = serde_json::from_slice(&state.input).expect("linesman.js writes it");
        let position = restore(state.game(game), token.as_deref(), &moves);
        state.store(position)
    }

    /// Frees a position.
    fn position_free(state, position: i32) -> i32 {
        state.positions.remove(&position).map_or(0, |_| 1)
    }

    /// A copy of a position.
    fn position_copy(state, position: i32) -> i32 {
        let copy = state.position(position).copy();
        state.store(Ok(copy))
    }

    /// Plays the move of the input.
    fn position_play(state, position: i32) -> i32 {
        let text = state.text();
        let played = state.positions.get_mut(&position).map_or(Ok(()), |position| position.play(&text));
        match played {
            Ok(()) => 0,
            Err(mistake) => state.refuse(&mistake),
        }
    }

    /// The reason why the move of the input can't be played; empty if it can.
    fn position_explain(state, position: i32) -> i32 {
        let why = state.position(position).explain(&state.text());
        state.write(why.map_or_else(String::new, |mistake| mistake.to_string()))
    }

    /// The legal moves, joined by spaces.
    fn position_legal(state, position: i32) -> i32 {
        let mut text = String::new();
        state.position(position).table().legal(&mut |mv| {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(mv);
        });
        state.write(text)
    }

    /// The position's token.
    fn position_token(state, position: i32) -> i32 {
        let token = state.position(position).table().token();
        state.write(token)
    }

    /// The seat to move.
    fn position_seat(state, position: i32) -> i32 {
        state.position(position).table().to_move().number() as i32
    }

    /// The number of plies.
    fn position_ply(state, position: i32) -> u32 {
        state.position(position).table().ply()
    }

    /// 1 if the game has ended, otherwise 0.
    fn position_is_over(state, position: i32) -> i32 {
        state.position(position).table().is_over().into()
    }

    /// The moves that were played, joined by spaces.
    fn position_moves(state, position: i32) -> i32 {
        let moves = state.position(position).moves().join(" ");
        state.write(moves)
    }

    /// The outcome as JSON; null before the end of the game.
    fn position_outcome(state, position: i32) -> i32 {
        let text = json::text(&state.position(position).outcome());
        state.write(text)
    }

    /// The scene as JSON.
    fn position_scene(state, position: i32) -> i32 {
        let text = json::text(&state.position(position).scene());
        state.write(text)
    }

    /// A byte for each action: 1 if it can follow the actions of the input.
    fn position_mask(state, position: i32) -> i32 {
        let mask = state.position(position).mask(&state.text());
        state.write(mask)
    }

    /// The position as a seat sees it: 16-bit numbers, low byte first.
    fn position_observe(state, position: i32, seat: u32) -> i32 {
        match state.position(position).observe(seat as usize) {
            Ok(numbers) => {
                let bytes: Vec<u8> = numbers.into_iter().flat_map(i16::to_le_bytes).collect();
                state.write(bytes)
            }
            Err(mistake) => state.refuse(&mistake),
        }
    }
}
