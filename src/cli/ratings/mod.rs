//! `linesman ratings`: ratings from any records.

use std::collections::BTreeMap;
use std::path::PathBuf;

use arrayvec::ArrayVec;
use clap::ValueEnum;

use super::args::{Format, FormatArgs};
use super::error::{Exit, Failure, did_you_mean};
use super::ui::Ui;
use crate::rating::{
    Anchor, DEFAULT_MEAN, GameError, IncrementalOptions, LikelihoodOptions, Method, Prior, Rater, RatingError,
};
use crate::record::text::printable;
use crate::record::{LinePlace, Outcome, RecordReader, Selection, Source, Standing};
use crate::report::TeamsOfGames;
use crate::seat::MAX_SEATS;

mod show;

pub(crate) use show::seat_in_words;

/// How much of a name or a game from a record is repeated in a message, in bytes.
const SHOWN_BYTES: usize = 80;

/// Rate bots by the results in records
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman ratings games.jsonl
  linesman ratings runs/*/games.jsonl --anchor greedy=1200
  linesman ratings games.jsonl --method incremental --k 32 --json")]
#[command(after_long_help = "\
By default the ratings under which all results together are most likely, a draw
counted as half a win, with intervals that hold the true rating in 95 of 100
leagues. The order of games plays no part. A bot that won or lost all its games
has no finite rating by its results alone: then each bot connected with it also
gets half a win and half a loss against a phantom at the mean (--prior none
gives a bound instead). Bots not connected by games are rated apart.
Incremental ratings go through the games in the order of the records.

Each game counts once: the first of its records that is not void by the host's
fault. What a record needs: {\"v\":1,\"id\":\"g1\",\"game\":\"quixo\",
\"seats\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"places\":[1,2]}

A game of three or four seats counts once, by the order in which its seats came
in; what each seat is worth beside seat 1 is estimated along. Its score is the
share of the opponents that a bot beat.

JSON: an object with `method`, `mean`, `anchor`, `prior`, `scale`, `game`,
`games`, `groups`, `notes`, `seat_advantages` and `ratings`, an array of objects with `name`,
`elo`, `interval` (an array of the lower and the upper end; null where there is
none), `games`, `score` (0 to 1), `wins`, `draws`, `losses`, `group`, `note`.

Exit status: 2 if a file can't be read or holds something else than records,
if the anchor has no games, or if the records hold several games and --game
does not choose one.")]
pub(crate) struct Args {
    /// Files of records; `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to rate
    #[arg(long, value_name = "METHOD", default_value = "likelihood")]
    method: MethodName,
    /// How much one game can change an incremental rating [default: 20]
    #[arg(long, value_name = "ELO", value_parser = above_zero)]
    k: Option<f64>,
    /// The mean of the ratings; everybody's first rating if incremental
    #[arg(long, value_name = "ELO", default_value_t = DEFAULT_MEAN, value_parser = finite, allow_negative_numbers = true)]
    mean: f64,
    /// A bot whose rating is given, in place of the mean
    #[arg(long, value_name = "NAME[=ELO]")]
    anchor: Option<String>,
    /// What to do for bots without a finite rating [default: auto]
    #[arg(long, value_name = "PRIOR")]
    prior: Option<PriorName>,
    /// Only the records of this game
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
enum MethodName {
    /// The ratings that make all results most likely
    Likelihood,
    /// A running rating, game after game
    Incremental,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
enum PriorName {
    /// A weak prior where it is needed
    Auto,
    /// Bounds in place of such ratings
    None,
}

fn finite(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| "not a number".to_owned())
}

fn above_zero(text: &str) -> Result<f64, String> {
    finite(text).and_then(|value| if value > 0.0 { Ok(value) } else { Err("not above 0".to_owned()) })
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let method = method(args)?;
    let mut read = read(args, &method, ui)?;
    let (game, counted) = choose(args.game.as_deref(), &mut read)?;
    let Counted { rater, games, refused } = match counted {
        Some(counted) => counted,
        None => Counted::new(&method)?,
    };
    if let Some((place, error)) = refused {
        return Err(Failure::wrong(error).at(place));
    }
    let ratings = rater.ratings().map_err(|error| rating_failure(&error, &rater))?;
    match args.format.format() {
        Format::Table => show::table(ui, &ratings)?,
        Format::Csv => show::csv(ui, &ratings)?,
        Format::Json => show::json(ui, &ratings, game.as_deref(), games)?,
    }
    if games == 0 {
        ui.note("no game with a result");
    }
    Ok(Exit::Done)
}

fn method(args: &Args) -> Result<Method, Failure> {
    let only_for = |option: &str, method: &str| {
        Failure::wrong(format_args!("`{option}` is for `--method {method}` only"))
            .hint(format_args!("leave out `{option}`, or choose `--method {method}`"))
    };
    match args.method {
        MethodName::Incremental if args.anchor.is_some() => Err(only_for("--anchor", "likelihood")),
        MethodName::Incremental if args.prior.is_some() => Err(only_for("--prior", "likelihood")),
        MethodName::Likelihood if args.k.is_some() => Err(only_for("--k", "incremental")),
        MethodName::Incremental => Ok(Method::Incremental(IncrementalOptions {
            k: args.k.unwrap_or(IncrementalOptions::default().k),
            start: args.mean,
        })),
        MethodName::Likelihood => Ok(Method::Likelihood(LikelihoodOptions {
            mean: args.mean,
            anchor: args.anchor.as_deref().map(|text| anchor(text, args.mean)).transpose()?,
            prior: match args.prior {
                None | Some(PriorName::Auto) => Prior::Auto,
                Some(PriorName::None) => Prior::None,
            },
        })),
    }
}

/// `NAME=ELO`; without `=ELO` the mean is meant.
fn anchor(text: &str, mean: f64) -> Result<Anchor, Failure> {
    let (name, elo) = match text.rsplit_once('=') {
        None => (text, mean),
        Some((name, number)) => {
            let elo = finite(number).map_err(|error| {
                Failure::wrong(format_args!("the rating `{number}` in `--anchor {text}` is {error}"))
            })?;
            (name, elo)
        }
    };
    Ok(Anchor { name: name.to_owned(), elo })
}

/// What the records say of one game.
struct Counted {
    rater: Rater,
    games: u64,
    /// The first record that can't be rated.
    refused: Option<(LinePlace, GameError)>,
}

impl Counted {
    fn new(method: &Method) -> Result<Counted, Failure> {
        let rater = Rater::new(method.clone()).map_err(Failure::wrong)?;
        Ok(Counted { rater, games: 0, refused: None })
    }

    fn count(&mut self, place: &LinePlace, outcome: &Outcome<'_>, standing: Standing) {
        let names: ArrayVec<&str, MAX_SEATS> = outcome.bots.values().map(AsRef::as_ref).collect();
        match outcome.places() {
            Some(places) if standing == Standing::Counts => match self.rater.add(&names, places.as_slice()) {
                Ok(()) => self.games += 1,
                Err(error) => {
                    self.refused.get_or_insert_with(|| (place.clone(), error));
                }
            },
            // Bots of void games are listed, though they may have no others.
            _ => names.iter().for_each(|name| self.rater.add_bot(name)),
        }
    }
}

fn read(args: &Args, method: &Method, ui: &mut Ui) -> Result<BTreeMap<String, Counted>, Failure> {
    let mut reader = RecordReader::new(args.files.iter().map(|file| Source::from(file.as_path())));
    let mut selection = Selection::new();
    let mut teams = TeamsOfGames::default();
    let mut read: BTreeMap<String, Counted> = BTreeMap::new();
    while let Some(line) = reader.next_line().map_err(|error| Failure::from(&error))? {
        let outcome = line.outcome().map_err(|error| Failure::from(&error))?;
        let standing = selection.judge(&outcome);
        // A team takes the place of a bot, its side that of a seat.
        let teams = teams.of(&outcome.game, outcome.bots.seats());
        let of_sides;
        let outcome = if teams.sides() < teams.seats() {
            of_sides = outcome.by_sides(&teams);
            &of_sides
        } else {
            &outcome
        };
        if standing == Standing::Duplicate {
            continue;
        }
        match read.get_mut(outcome.game.as_ref()) {
            Some(counted) => counted.count(line.place(), outcome, standing),
            None => {
                let mut counted = Counted::new(method)?;
                counted.count(line.place(), outcome, standing);
                read.insert(outcome.game.clone().into_owned(), counted);
            }
        }
    }
    for torn in reader.torn() {
        ui.warn(format_args!(
            "{}: the last line was not written to its end ({} bytes) and is no record",
            torn.place, torn.bytes
        ));
    }
    match selection.duplicates() {
        0 => {}
        1 => ui.warn("one record does not count: an earlier one has the same id"),
        more => ui.warn(format_args!("{more} records do not count: earlier ones have the same ids")),
    }
    Ok(read)
}

/// The game that is to be rated: the one asked for, or the only one.
fn choose(
    asked: Option<&str>,
    read: &mut BTreeMap<String, Counted>,
) -> Result<(Option<String>, Option<Counted>), Failure> {
    let list = |read: &BTreeMap<String, Counted>| {
        let games = read
            .iter()
            .map(|(game, counted)| format!("`{}` ({})", printable(game, SHOWN_BYTES), counted.games));
        games.collect::<Vec<_>>().join(", ")
    };
    match asked {
        Some(game) => match read.remove(game) {
            None if !read.is_empty() => Err(Failure::wrong(format_args!(
                "the records hold no game of `{game}`, but of {}",
                list(read)
            ))
            .hint_if(did_you_mean(game, read.keys().map(String::as_str)))),
            counted => Ok((Some(game.to_owned()), counted)),
        },
        None if read.len() > 1 => {
            Err(Failure::wrong(format_args!("the records hold several games: {}", list(read)))
                .hint("strength at one game says nothing about another; choose one with `--game ID`"))
        }
        None => Ok(match read.pop_first() {
            Some((game, counted)) => (Some(game), Some(counted)),
            None => (None, None),
        }),
    }
}

fn rating_failure(error: &RatingError, rater: &Rater) -> Failure {
    let failure = Failure::wrong(error);
    match error {
        RatingError::AnchorWithoutGames { name } => {
            failure.hint_if(did_you_mean(name, rater.results().names()))
        }
        RatingError::AnchorUnplaced { .. } => {
            failure.hint("choose another anchor, or leave out `--prior none`")
        }
        RatingError::NotFinite { .. } => failure,
        RatingError::NotConverged { .. } => Failure::new(Exit::Bug, error),
    }
}
