//! In-process games between built-in bots, over their protocol.

use std::sync::Arc;

use linesman_engines::Strength;
use linesman_engines::openings::{Wanted, make};
use linesman_engines::{Engine, Settings, UgiBot};
use linesman_games::options::split_options;
use linesman_games::{Setup, legal_moves};
use linesman_protocol::FromBot;
use linesman_rating::{RatedGame, Results};
use linesman_types::seat::{BySeat, Place, Seat, Side, Teams};

/// The number of plies of an opening for each seat.
pub const PLIES_PER_SEAT: u32 = 2;

/// The number of positions searched to judge whether an opening is balanced.
const JUDGED_BY: u64 = 2_000;

/// A game with options, as in a row of the table.
#[derive(Clone)]
pub struct Contest {
    pub game: String,
    pub setup: Arc<dyn Setup>,
    pub teams: Teams,
}

/// The opening moves of a game.
pub struct GameOpening(Vec<String>);

/// A strength under a name.
#[derive(Clone)]
pub struct Entrant {
    pub name: String,
    pub engine: Engine,
    pub settings: Settings,
}

/// The games of two entrants.
#[derive(Clone, Default)]
pub struct Tally {
    pub games: u32,
    /// Points and comparisons with the first entrant on one side, and on all other sides.
    by_turn: [(f64, u32); 2],
}

impl Tally {
    /// Returns the share of opponents beaten by the first entrant; a shared place counts half.
    pub fn score(&self) -> f64 {
        let [alone, others] = self.by_turn;
        (alone.0 + others.0) / f64::from((alone.1 + others.1).max(1))
    }

    /// Returns that score with the first entrant on one side, and on all other sides.
    pub fn scores_by_turn(&self) -> [f64; 2] {
        self.by_turn.map(|(points, compared)| points / f64::from(compared.max(1)))
    }
}

impl Contest {
    /// Parses a game such as `quixo` or `tandem:players=3`.
    pub fn new(text: &str) -> Result<Contest, String> {
        let (game, options) = text.split_once(':').unwrap_or((text, ""));
        let known = linesman_games::find(game).ok_or_else(|| format!("there is no game `{game}`"))?;
        let options = split_options(options).map_err(|error| error.to_string())?;
        let setup = known.configure(&options).map_err(|error| error.to_string())?;
        Ok(Contest { game: game.to_owned(), teams: setup.teams(), setup })
    }

    /// Returns balanced openings for at least `games` games, one per opening and side, or all there are.
    pub fn openings(&self, games: u32, seed: u32) -> Result<Vec<GameOpening>, String> {
        let wanted = Wanted {
            plies: PLIES_PER_SEAT * self.teams.seats() as u32,
            count: (games as usize).div_ceil(self.teams.sides()),
            seed: seed.into(),
            most: None,
            nodes: JUDGED_BY,
        };
        let made = make(&self.game, self.setup.options(), &wanted, &mut |_| {});
        let openings = made.map_err(|error| error.to_string())?.openings;
        if openings.is_empty() {
            return Err(format!("{}: no opening of {} plies is even", self.game, wanted.plies));
        }
        Ok(openings.into_iter().map(|opening| GameOpening(opening.moves)).collect())
    }

    /// Plays games between two entrants. From each opening one entrant plays each side in turn, against the other on
    /// all other sides; with the next opening they swap roles.
    pub fn play(
        &self,
        entrants: [&Entrant; 2],
        openings: &[GameOpening],
        movetime: u32,
        results: &mut Results,
    ) -> Result<Tally, String> {
        let mut pools = entrants.map(|entrant| {
            let bots = (0..self.teams.seats()).map(|_| UgiBot::new(entrant.engine, entrant.settings.clone()));
            bots.collect::<Vec<_>>()
        });
        let mut tally = Tally::default();
        let sides = self.teams.sides();
        for number in 0..openings.len() * sides {
            let turn = number % (2 * sides);
            let is_alone = |side: Side| side.index() == turn % sides;
            let who: BySeat<usize> = BySeat::from_fn(self.teams.seats(), |seat| {
                usize::from(is_alone(self.teams.side(seat)) != (turn < sides))
            });
            let id = format!("{}~{}~{number}", entrants[0].name, entrants[1].name);
            let opening = &openings[number / sides];
            let places = self.game(&mut pools, &who, &id, opening, movetime)?;
            self.count(entrants, &who, &places, opening, results)?;
            tally.games += 1;
            let (points, compared) = &mut tally.by_turn[usize::from(turn >= sides)];
            for (one, own) in who.iter().filter(|(_, own)| **own == 0) {
                for (other, _) in who.iter().filter(|(_, other)| **other != *own) {
                    *compared += 1;
                    *points += match places[one].cmp(&places[other]) {
                        std::cmp::Ordering::Less => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Greater => 0.0,
                    };
                }
            }
        }
        Ok(tally)
    }

    /// Counts a game. The games of one opening are a pair, since they are not independent.
    fn count(
        &self,
        entrants: [&Entrant; 2],
        who: &BySeat<usize>,
        places: &BySeat<Place>,
        opening: &GameOpening,
        results: &mut Results,
    ) -> Result<(), String> {
        // A team is rated as one bot; the first seats belong to different teams.
        let seats = Seat::all(self.teams.sides());
        let (names, places): (Vec<&str>, Vec<Place>) =
            seats.map(|seat| (entrants[who[seat]].name.as_str(), places[seat])).unzip();
        let pair = format!("{}~{}~{}", entrants[0].name, entrants[1].name, opening.0.join(" "));
        results.count(&RatedGame::new(&names, &places).in_pair("", &pair)).map_err(|error| error.to_string())
    }

    /// Plays a game and returns the places.
    fn game(
        &self,
        pools: &mut [Vec<UgiBot>; 2],
        who: &BySeat<usize>,
        id: &str,
        opening: &GameOpening,
        movetime: u32,
    ) -> Result<BySeat<Place>, String> {
        let mut table = self.setup.start();
        let seats = self.teams.seats();
        for (seat, own) in who.iter() {
            let header = format!(
                "game {} seat {seat} seats {seats} id {id} options {}",
                self.game,
                self.setup.options()
            );
            send(&mut pools[*own][seat.index()], &[&header, "isready"])?;
        }
        let mut position = "position startpos moves".to_owned();
        let go = format!("go movetime {movetime}");
        let mut opening = opening.0.iter();
        while !table.is_over() {
            let seat = table.to_move();
            let mv = if let Some(mv) = opening.next() {
                mv.clone()
            } else if let [only] = legal_moves(&*table).as_slice() {
                only.clone()
            } else {
                let line = position.strip_suffix(" moves").unwrap_or(&position);
                best_move(&send(&mut pools[who[seat]][seat.index()], &[line, &go])?)?
            };
            table.play(&mv).map_err(|error| format!("{id}: {error}"))?;
            position.push(' ');
            position.push_str(&mv);
        }
        Ok(table.ending().ok_or("a game is over and has no end")?.places)
    }
}

fn send(bot: &mut UgiBot, lines: &[&str]) -> Result<String, String> {
    let mut output = Vec::new();
    for line in lines {
        bot.hear(line, &mut output).map_err(|error| error.to_string())?;
    }
    String::from_utf8(output).map_err(|error| error.to_string())
}

fn best_move(output: &str) -> Result<String, String> {
    match output.lines().next_back().map(|line| FromBot::parse(line.as_bytes())) {
        Some(Ok(FromBot::BestMove { mv, .. })) => Ok(mv.into()),
        other => Err(format!("{other:?} instead of a move")),
    }
}

impl Entrant {
    /// Parses an entrant: `mcts:Nodes=2000`, `level:Level=3` or `mix:RANDOM:GREEDY:SEARCH:NODES`.
    pub fn new(text: &str, seed: u32) -> Result<Entrant, String> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        if name == "mix" {
            let [random, greedy, search, nodes]: [&str; 4] = options
                .split(':')
                .collect::<Vec<_>>()
                .try_into()
                .map_err(|_| "expected mix:RANDOM:GREEDY:SEARCH:NODES".to_owned())?;
            let strength = Strength {
                random: random.parse().map_err(|_| "RANDOM is a number of thousandths")?,
                greedy: greedy.parse().map_err(|_| "GREEDY is a number of thousandths")?,
                search: Engine::find(search).ok_or("SEARCH is an engine")?,
                nodes: nodes.parse().map_err(|_| "NODES is a number")?,
            };
            return Ok(Entrant::of(text.to_owned(), strength, seed));
        }
        let engine = Engine::find(name).ok_or_else(|| format!("there is no engine `{name}`"))?;
        let mut settings = engine.settings();
        settings.set("seed", &seed.to_string()).map_err(|error| error.to_string())?;
        for (name, value) in split_options(options).map_err(|error| error.to_string())? {
            settings.set(name, value).map_err(|error| error.to_string())?;
        }
        Ok(Entrant { name: text.to_owned(), engine, settings })
    }

    /// Creates an entrant of a given strength.
    pub fn of(name: String, strength: Strength, seed: u32) -> Entrant {
        let mut settings = Engine::Level.settings().with_strength(strength);
        settings.set("seed", &seed.to_string()).expect("every engine has a seed");
        Entrant { name, engine: Engine::Level, settings }
    }
}
