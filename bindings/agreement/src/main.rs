//! Writes seeded random games as lines of JSON, for bindings to replay and compare.
//!
//! `linesman-agreement PLIES [SEED]` writes games of all kinds to stdout until they have `PLIES` plies in all.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use linesman_games::{Refusal, Setup, Table, find, legal_moves};
use linesman_types::random::SplitMix64;
use linesman_types::seat::Seat;
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// A game and its options.
struct Kind {
    /// The number of games in a round.
    times: usize,
    game: &'static str,
    options: &'static [(&'static str, &'static str)],
}

const fn kind(times: usize, game: &'static str, options: &'static [(&'static str, &'static str)]) -> Kind {
    Kind { times, game, options }
}

/// The games of a round. Short games occur more often. Unusual layouts, lines and limits lead to all kinds of endings.
const ROUND: &[Kind] = &[
    kind(2, "quixo", &[]),
    kind(2, "quixo-teams", &[]),
    kind(2, "trexo", &[]),
    kind(12, "kengu", &[]),
    kind(1, "tandem", &[]),
    kind(2, "quixo", &[("size", "3"), ("repetition", "2")]),
    kind(1, "quixo", &[("size", "8"), ("max_plies", "60")]),
    kind(3, "quixo-teams", &[("max_plies", "30"), ("consultation", "true")]),
    kind(1, "trexo", &[("size", "16"), ("tiles", "40"), ("line", "7")]),
    kind(3, "trexo", &[("size", "6"), ("line", "3")]),
    kind(1, "tandem", &[("players", "3"), ("layout", "quick5"), ("tiles", "6"), ("line", "3")]),
    kind(1, "tandem", &[("players", "4"), ("tiles", "3"), ("line", "2"), ("max_plies", "50")]),
    kind(1, "tandem", &[("layout", "blocks8"), ("tiles", "5"), ("points", "1"), ("line", "3")]),
];

/// A game, written as a line.
#[derive(Serialize)]
struct GameLine {
    game: &'static str,
    /// The options that were given.
    options: Map<String, Value>,
    /// The token that it starts from; none for the usual start.
    start: Option<String>,
    plies: Vec<PlyLine>,
    outcome: OutcomeLine,
}

/// The first position, or the position after a move.
#[derive(Serialize)]
struct PlyLine {
    /// The move that led here.
    #[serde(rename = "move")]
    mv: Option<String>,
    token: String,
    seat: usize,
    ply: u32,
    /// The number of legal moves, and the digest of their texts, joined by spaces.
    legal: (usize, String),
    /// A refused text, the rule that it breaks if it is a move, and the explanation.
    refused: (String, Option<&'static str>, String),
}

#[derive(Serialize)]
struct OutcomeLine {
    places: Vec<usize>,
    scores: Vec<f64>,
    reason: &'static str,
    why: String,
    /// The squares of each line that decided the game.
    lines: Vec<Vec<String>>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let plies = arguments.next().and_then(|text| text.parse().ok());
    let seed = arguments.next().map_or(Some(1), |text| text.parse().ok());
    let written = match (plies, seed) {
        (Some(plies), Some(seed)) => write_games(plies, SplitMix64(seed)),
        _ => Err("usage: linesman-agreement PLIES [SEED]".into()),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write_games(plies: usize, mut random: SplitMix64) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut written = 0;
    let round: Vec<&Kind> = ROUND.iter().flat_map(|kind| std::iter::repeat_n(kind, kind.times)).collect();
    for (number, Kind { game, options, .. }) in round.iter().cycle().enumerate() {
        if written >= plies {
            break;
        }
        let setup = find(game).ok_or("there is no such game")?.configure(options)?;
        // Every third round starts its games from tokens of later positions.
        let starts_later = (number / round.len()) % 3 == 2;
        let line = random_game(game, options, &*setup, starts_later, &mut random)?;
        written += line.plies.len() - 1;
        serde_json::to_writer(&mut out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

fn random_game(
    game: &'static str,
    options: &[(&str, &str)],
    setup: &dyn Setup,
    starts_later: bool,
    random: &mut SplitMix64,
) -> Result<GameLine, Box<dyn std::error::Error>> {
    let mut table = setup.start();
    let mut start = None;
    if starts_later {
        for _ in 0..random.below(8) {
            let Some(mv) = draw(legal_moves(&*table), random) else { break };
            table.play(&mv)?;
        }
        let token = table.token();
        table = setup.from_token(&token)?;
        start = Some(token);
    }
    let mut tried = "none".to_owned();
    let mut legal = legal_moves(&*table);
    let mut plies = vec![ply(&*table, None, &legal, &tried)?];
    while let Some(mv) = draw(legal, random) {
        table.play(&mv)?;
        legal = legal_moves(&*table);
        plies.push(ply(&*table, Some(mv.clone()), &legal, &tried)?);
        tried = mv;
    }
    let ending = table.ending().ok_or("a game without legal moves has not ended")?;
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
    let squares = ending.marks.iter().map(|mark| mark.squares.iter().map(ToString::to_string).collect());
    let outcome = OutcomeLine {
        places: ending.places.values().map(|place| place.number()).collect(),
        scores: Seat::all(table.teams().seats())
            .map(|seat| ending.places.score(table.teams(), seat))
            .collect(),
        reason: ending.reason.word(),
        why: ending.why.to_string(),
        lines: squares.collect(),
    };
    Ok(GameLine { game, options, start, plies, outcome })
}

fn draw(mut moves: Vec<String>, random: &mut SplitMix64) -> Option<String> {
    let chosen = random.below(moves.len() as u64) as usize;
    (chosen < moves.len()).then(|| moves.swap_remove(chosen))
}

/// Makes the data of a position to compare. The refused text is `tried`, an earlier move, or `none` if that is legal.
fn ply(
    table: &dyn Table,
    mv: Option<String>,
    legal: &[String],
    tried: &str,
) -> Result<PlyLine, Box<dyn std::error::Error>> {
    let refusal = |text: &str| table.fork().play(text).err().map(|refusal| (text.to_owned(), refusal));
    let (text, refusal) = refusal(tried).or_else(|| refusal("none")).ok_or("`none` is a move")?;
    let rule = match &refusal {
        Refusal::Illegal(illegal) => Some(illegal.rule),
        Refusal::NotAMove(_) => None,
    };
    let digest = Sha256::digest(legal.join(" "));
    let digest: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Ok(PlyLine {
        mv,
        token: table.token(),
        seat: table.to_move().number(),
        ply: table.ply(),
        legal: (legal.len(), digest),
        refused: (text, rule, refusal.to_string()),
    })
}
