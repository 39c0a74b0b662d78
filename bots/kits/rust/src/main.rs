//! my-bot, a bot for linesman. It plays every game; your idea goes into `choose`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io;
use std::str::FromStr;

/// What the bot knows when it is on move.
#[derive(Default)]
#[allow(dead_code)] // until `choose` reads it all
struct Turn {
    /// Its name, such as `quixo`.
    game: String,
    /// Such as `size=5,max_plies=200,repetition=3`.
    options: String,
    /// The bot's own, counted from 1.
    seat: usize,
    seats: usize,
    /// The position as a token.
    state: String,
    /// Every legal move.
    legal: Vec<String>,
    /// Milliseconds left, by seat; empty without clocks.
    clocks: Vec<f64>,
    /// Milliseconds to think about this move.
    time: f64,
}

/// The move to play: here goes your idea. Until then, any legal move.
fn choose(turn: &Turn, random: &mut Random) -> String {
    // Standard output belongs to the referee. Messages of your own go to standard error:
    // eprintln!("position {}", turn.state);
    turn.legal[random.below(turn.legal.len())].clone()
}

fn main() -> io::Result<()> {
    let mut turn = Turn::default();
    let mut random = Random(1);
    for line in io::stdin().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        // `println!` flushes each line.
        match words[..] {
            ["ugi", ..] => println!("id name my-bot\nfeature state legal\nugiok"),
            // game quixo seat 1 seats 2 id a~b~1 options size=5,...
            ["game", name, ..] => {
                random = Random::seeded(line.trim()); // a game that is played again goes the same way
                turn.game = name.to_owned();
                turn.options = after(&words, "options").unwrap_or_default();
                turn.seat = after(&words, "seat").unwrap_or(1);
                turn.seats = after(&words, "seats").unwrap_or(2);
            }
            ["isready", ..] => println!("readyok"),
            ["state", token, ..] => turn.state = token.to_owned(),
            ["legal", ref moves @ ..] => turn.legal = moves.iter().map(|word| word.to_string()).collect(),
            // go movetime 1000, or: go p1time 60000 p2time 60000 p1inc 0 p2inc 0
            ["go", ..] => {
                turn.clocks = (1..=turn.seats).filter_map(|seat| after(&words, &format!("p{seat}time"))).collect();
                turn.time = time_to_think(&words, turn.seat);
                println!("bestmove {}", choose(&turn, &mut random));
            }
            ["quit", ..] => break,
            _ => {}
        }
    }
    Ok(())
}

/// Milliseconds for a move: a share of the clock, and a fifth less than is allowed.
fn time_to_think(words: &[&str], seat: usize) -> f64 {
    let most = after(words, "movetime").unwrap_or(f64::INFINITY);
    let clock = after(words, &format!("p{seat}time")).unwrap_or(f64::INFINITY);
    let increment: f64 = after(words, &format!("p{seat}inc")).unwrap_or(0.0);
    let share = clock / after(words, "movestogo").unwrap_or(30.0) + increment;
    0.8 * most.min(clock).min(share)
}

/// The word that follows a name, such as 1000 in `movetime 1000`.
fn after<T: FromStr>(words: &[&str], name: &str) -> Option<T> {
    let index = words.iter().position(|word| *word == name)?;
    words.get(index + 1)?.parse().ok()
}

/// Random numbers (xorshift), since the standard library has none.
struct Random(u64);

impl Random {
    /// The same text gives the same numbers.
    fn seeded(text: &str) -> Random {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Random(hasher.finish().max(1)) // from 0 it would stay 0
    }

    /// A number from 0 to `end - 1`.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % end
    }
}
