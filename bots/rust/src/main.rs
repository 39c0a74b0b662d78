//! A bot for linesman that plays every game, by looking one move ahead.
//!
//! ```text
//! cargo build --release -p linesman-sample-bot
//! linesman match --game quixo --bot target/release/linesman-sample-bot \
//!                --bot "linesman bot greedy" --games 10 --movetime 200ms
//! ```
//!
//! It reads the referee's lines with `linesman_protocol` and knows the rules of
//! all games from `linesman_games`. It plays a move that wins at once if there is
//! one, avoids moves that lose at once, and chooses among equal moves at random.

use std::error::Error;
use std::io::{self, Write};

use linesman_games::{Refusal, Table, find, legal_moves, options::split_options, replay};
use linesman_protocol::{BotOption, FromBot, OptionType, ToBot};

fn main() -> Result<(), Box<dyn Error>> {
    let mut seed = 1;
    let mut random = Random(seed);
    let mut setup = None; // the game with its options, once `game` has named it
    let mut table = None; // the current position, once `position` has set it
    for line in io::stdin().lines() {
        let line = line?;
        // A bot skips lines that it does not know: they give no message.
        let Some(message) = ToBot::parse(&line)? else { continue };
        match message {
            ToBot::Ugi => {
                say(&FromBot::IdName("One ply (Rust)".to_owned()))?;
                // A tournament file can set it: options = { Seed = 7 }
                let kind = OptionType::Spin { default: Some(1), min: Some(0), max: None };
                say(&FromBot::Option(BotOption { name: "Seed".to_owned(), kind }))?;
                say(&FromBot::UgiOk)?;
            }
            ToBot::SetOption { name, value } if name == "Seed" => seed = value.parse()?,
            ToBot::Game(header) => {
                let game = find(&header.game).ok_or_else(|| format!("no game `{}`", header.game))?;
                setup = Some(game.configure(&split_options(&header.options)?)?);
                random = Random::new(seed, &line); // the same game gives the same random numbers
            }
            ToBot::IsReady => say(&FromBot::ReadyOk)?,
            ToBot::Position(position) => {
                let setup = setup.as_deref().ok_or("`position` came before `game`")?;
                table = Some(replay(setup, position.token.as_deref(), &position.moves)?);
            }
            // The time limit of `go` is ignored: one ply takes almost no time.
            ToBot::Go(_) | ToBot::GoPonder(_) => {
                let table = table.as_deref().ok_or("`go` came before `position`")?;
                let mv = choose(table, &mut random)?;
                say(&mv.map_or(FromBot::Resign, FromBot::best_move))?;
            }
            ToBot::Quit => break,
            _ => {}
        }
    }
    Ok(())
}

/// Prints a line. Without the flush it could stay in a buffer while the referee waits for it.
fn say(message: &FromBot) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{message}")?;
    output.flush()
}

/// Returns one of the best moves at random; none if the game is over.
fn choose(table: &dyn Table, random: &mut Random) -> Result<Option<String>, Refusal> {
    let (mut best, mut choices) = (0.0, Vec::new());
    for mv in legal_moves(table) {
        let value = value(table, &mv)?;
        if value > best {
            best = value;
            choices.clear();
        }
        if value == best {
            choices.push(mv);
        }
    }
    Ok((!choices.is_empty()).then(|| choices.swap_remove(random.below(choices.len()))))
}

/// Evaluates a move for the seat that plays it: the share of its opponents that it
/// beats if the move ends the game, otherwise one half.
fn value(table: &dyn Table, mv: &str) -> Result<f64, Refusal> {
    let mut after = table.fork();
    after.play(mv)?;
    let places = after.ending().map(|ending| ending.places);
    Ok(places.map_or(0.5, |places| places.score(table.teams(), table.to_move())))
}

/// A small random number generator: SplitMix64.
struct Random(u64);

impl Random {
    /// Seeds the generator with a number and a text.
    fn new(seed: u64, text: &str) -> Random {
        let fold = |state: u64, byte: u8| (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Random(text.bytes().fold(seed, fold))
    }

    /// Returns a number from 0 to `end - 1`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }
}
