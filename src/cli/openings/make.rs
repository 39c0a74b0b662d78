//! `linesman openings make`: finds openings of a game.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::super::args::OptionArgs;
use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::live::Steps;
use super::super::output_file::OutputFile;
use super::super::ui::Ui;
use crate::engines::openings::{CantMake, MadeOpenings, Search, Wanted, make};
use crate::games::Setup;
use crate::league::openings::{Opening, file};
use crate::report::describe::counted;

/// Generate openings for a game
///
/// The openings are legal, undecided and roughly even, as judged by a search. No two
/// are equivalent under rotation or reflection of the board.
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman openings make quixo --plies 4 --count 100 --out quixo.openings
  linesman openings make tandem --options players=4 --plies 8 --count 20 --seed 2")]
#[command(after_long_help = "\
The file has one opening per line, followed by its score: the advantage of the seat to
move in hundredths, the unit of `info score cp`. The score comes from `alphabeta`,
which visits --nodes positions. For games of more than two sides it is the static
difference between the best seat and the worst.

The same arguments give the same openings. By default, the largest allowed score is half
of the median lead in games that are played at random.

Exit status: 0 if openings were found (fewer than --count gives a warning), 1 if none
were found.")]
pub(crate) struct Args {
    /// Game; `linesman games` lists them
    #[arg(value_name = "GAME")]
    id: String,
    #[command(flatten)]
    options: OptionArgs,
    /// Length of each opening in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    plies: u32,
    /// Number of openings
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Largest score of an opening, in hundredths [default: depends on the game]
    #[arg(long, value_name = "N")]
    max_score: Option<u32>,
    /// Number of positions that the search visits for each opening
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// File to write [default: stdout]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, help_heading = "Output", requires = "out")]
    force: bool,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let setup = args.options.set_up(&args.id)?;
    let out_file = OutputFile { path: args.out.as_deref().unwrap_or(Path::new("-")), force: args.force };
    out_file.check()?;
    let wanted = Wanted {
        plies: args.plies,
        count: args.count as usize,
        seed: args.seed,
        most: args.max_score,
        nodes: args.nodes,
    };
    let mut progress = Steps::start(ui);
    let made = make(setup.id(), setup.options(), &wanted, &mut |Search { found, judged }| {
        let words = format_args!("{found} of {} openings found, positions evaluated: {judged}", wanted.count);
        progress.at((found, wanted.count as u64), words);
    });
    drop(progress);
    let made = made.map_err(|error| cant_make(&error))?;
    if made.openings.is_empty() {
        return Err(Failure::no(format_args!("no opening was found: {}", shortage(&made, &wanted)))
            .hint(suggestion(&made, &wanted)));
    }
    let text = text(args, &*setup, &made);
    let found = counted(made.openings.len() as u64, "opening");
    let advice = format!("{found}; to play from them, set `[openings] file = ...` in a tournament file");
    out_file.write(&text, &advice, ui)?;
    if made.openings.len() < wanted.count {
        let (why, cure) = (shortage(&made, &wanted), suggestion(&made, &wanted));
        ui.warn(format_args!("found {found} instead of {}: {why}; {cure}", wanted.count));
    }
    Ok(Exit::Done)
}

/// The reason why no more openings were found.
fn shortage(made: &MadeOpenings, wanted: &Wanted) -> String {
    let MadeOpenings { most, judged, .. } = made;
    let plies = in_words(wanted.plies);
    let even = format!("the score is within {most} in {} of these positions", made.openings.len());
    let there_is = match made.all {
        Some(all) => format!(
            "there are {all} different positions after {plies}, not counting reflections and rotations, and {even}"
        ),
        None => format!("{judged} positions after {plies} were evaluated, and {even}"),
    };
    match judged - made.undecided() {
        0 => there_is,
        decided => format!("{there_is}; in {decided}, one side can force a win"),
    }
}

/// A suggestion of settings with which more openings would be found.
fn suggestion(made: &MadeOpenings, wanted: &Wanted) -> String {
    let found = made.openings.len() as u64;
    let mut tries = Vec::new();
    // No more openings can be found than there are undecided positions.
    let count = (wanted.count as u64).min(made.undecided());
    if let Some(most) = made.most_for(count).filter(|_| count > found) {
        tries.push(format!("`--max-score {most}` for {}", counted(count, "opening")));
    }
    if count < wanted.count as u64 {
        tries.push(format!("`--plies {}` for more positions to choose from", wanted.plies + 1));
    }
    if found > 0 {
        tries.push(format!("`--count {found}` for as many as there are"));
    }
    format!("try {}", tries.join(", or "))
}

fn in_words(plies: u32) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

fn text(args: &Args, setup: &dyn Setup, made: &MadeOpenings) -> String {
    let (plies, most, by) = (in_words(args.plies), made.most, env::SOFTWARE);
    let about = match setup.teams().sides() {
        2 => format!(
            "Openings of {plies} with a score within {most}, evaluated by `alphabeta` with {} nodes.\nMade \
             by {by}, seed {}. After each opening: its score for the seat to move.",
            args.nodes, args.seed
        ),
        _ => format!(
            "Openings of {plies} with a score within {most}, evaluated by the game's own measure.\nMade by \
             {by}, seed {}. After each opening: the lead of the best seat over the worst.",
            args.seed
        ),
    };
    let mut text = file::head(setup, &about);
    for made in &made.openings {
        let opening = Opening { token: None, moves: made.moves.clone() };
        writeln!(text, "{opening}  # {:+}", made.score).expect("writing to a string can't fail");
    }
    text
}

fn cant_make(error: &CantMake) -> Failure {
    match error {
        CantMake::TooLong { .. } => Failure::no(error).hint("use fewer `--plies`"),
        CantMake::Follow(_) => Failure::wrong(error),
    }
}
