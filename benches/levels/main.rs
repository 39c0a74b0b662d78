//! Measures the levels of the built-in bot `level`, and matches between built-in bots. Start it with `benches/levels/run`.

mod house;
mod ladder;

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use house::{Contest, Entrant};
use ladder::Way;
use linesman_engines::Engine;
use linesman_engines::levels::{Level, UNMEASURED};
use linesman_rating::Results;

const USAGE: &str = "usage: levels measure SEED [GAME[:OPTIONS] ...]
       levels match GAME[:OPTIONS] BOT BOT GAMES [SEED [MOVETIME_MS]]
BOT is ENGINE[:OPTION=VALUE,...] or mix:RANDOM:GREEDY:ENGINE:NODES";

/// A time limit, in milliseconds, that no search with a limit on positions reaches.
const HOUR: u32 = 3_600_000;

/// A row of the table.
struct LevelsRow {
    game: &'static str,
    way: Way,
    /// The games of a pair of places in a refinement; fewer where games are long.
    games: u32,
}

/// The games of the table. The strongest search answers within some 10 ms, and within a second on a slow machine. The
/// weakest is at least about as strong as the greedy engine: where a position has hundreds of moves, a few hundred
/// positions are less than a one-ply search.
const ROWS: [LevelsRow; 7] = [
    row("quixo", 300, 100_000, 40),
    row("quixo-teams", 300, 60_000, 40),
    row("trexo", 3_000, 10_000, 24),
    row("kengu", 300, 100_000, 40),
    row("tandem", 5_000, 10_000, 12),
    row("tandem:players=3", 3_000, 10_000, 12),
    row("tandem:players=4", 3_000, 10_000, 12),
];

const fn row(game: &'static str, min_nodes: u64, max_nodes: u64, games: u32) -> LevelsRow {
    LevelsRow { game, way: Way { search: Engine::Mcts, min_nodes, max_nodes }, games }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["match", game, one, other, games, rest @ ..] if rest.len() < 3 => {
            let number = |index: usize, usual: u32| rest.get(index).map_or(Ok(usual), |text| text.parse());
            let (seed, movetime) = (number(0, 1)?, number(1, HOUR)?);
            let contest = Contest::new(game)?;
            let (one, other) = (Entrant::new(one, seed)?, Entrant::new(other, seed + 1)?);
            let openings = contest.openings(games.parse()?, seed)?;
            let tally = contest.play([&one, &other], &openings, movetime, &mut Results::new())?;
            let [alone, others] = tally.scores_by_turn().map(|score| 100.0 * score);
            writeln!(
                std::io::stdout(),
                "{game}: {} {:.1} % of {} games against {} ({alone:.1} % at one side, {others:.1} % at all others)",
                one.name,
                100.0 * tally.score(),
                tally.games,
                other.name
            )?;
        }
        ["measure", seed, wanted @ ..] => measure(seed.parse()?, wanted)?,
        _ => return Err(USAGE.into()),
    }
    Ok(())
}

/// Measures the levels of the games wanted, or of all, and writes them into the table.
fn measure(seed: u32, wanted: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    if let Some(unknown) = wanted.iter().find(|name| !ROWS.iter().any(|row| row.game == **name)) {
        return Err(format!("no row of the table is called {unknown}").into());
    }
    for row in ROWS.iter().filter(|row| wanted.is_empty() || wanted.contains(&row.game)) {
        ladder::eprint(row.game);
        let contest = Contest::new(row.game)?;
        let levels = ladder::levels(&contest, row.way, row.games, seed)?;
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/engines/src/levels/version-1.csv");
        let table = with_levels(&std::fs::read_to_string(&path)?, &levels)?;
        std::fs::write(&path, table)?;
    }
    Ok(())
}

/// Returns the table with a game's levels replaced.
fn with_levels(table: &str, levels: &[Level]) -> Result<String, std::fmt::Error> {
    let own =
        |line: &str| levels.iter().any(|level| line.starts_with(&format!("{},{},", level.game, level.seats)));
    let mut lines: Vec<String> = table.lines().filter(|line| !own(line)).map(str::to_owned).collect();
    for level in levels {
        let strength = level.strength;
        let mut line = format!("{},{},{}", level.game, level.seats, level.number);
        let (random, greedy, search, nodes) =
            (strength.random, strength.greedy, strength.search.name(), strength.nodes);
        write!(line, ",{random},{greedy},{search},{nodes}")?;
        let number = |value: Option<f64>, digits: usize| {
            value.map_or(String::new(), |value| format!("{value:.digits$}"))
        };
        let measured = level.measured;
        let elo = number(measured.map(|measured| measured.elo), 0);
        let margin = number(measured.and_then(|measured| measured.margin), 0);
        let score = number(measured.and_then(|measured| measured.score), 3);
        write!(line, ",{elo},{margin},{score}")?;
        lines.push(line);
    }
    // Games in the order of `ROWS`, then the row for all other games.
    let rank = |line: &str| {
        let mut cells = line.split(',');
        let game = cells.next().unwrap_or_default();
        let number = |cell: Option<&str>| cell.and_then(|cell| cell.parse::<u32>().ok()).unwrap_or(0);
        let (seats, level) = (number(cells.next()), number(cells.next()));
        let games = linesman_games::GAMES.iter().position(|known| known.id == game);
        (game != "game", game == UNMEASURED, games, seats, level)
    };
    lines.sort_by_key(|line| rank(line));
    Ok(lines.join("\n") + "\n")
}
