//! `linesman ratings`: rates bots from records.

use std::collections::BTreeMap;
use std::path::PathBuf;

use arrayvec::ArrayVec;
use clap::ValueEnum;

use super::args::{Format, FormatArgs};
use super::error::{Exit, Failure};
use super::paths;
use super::ui::Ui;
use crate::league::file::did_you_mean;
use crate::random::digest;
use crate::rating::{
    Anchor, DEFAULT_MEAN, GameError, IncrementalOptions, Intervals, LikelihoodOptions, Method, OnlineOptions,
    Prior, RatedGame, Rater, RatingError,
};
use crate::record::text::printable;
use crate::record::{Ended, LinePlace, PlayedGame, RecordReader, Selection, Standing, TeamsOfGames};
use crate::seat::{MAX_SEATS, Place, Teams};

mod json;
mod show;

pub(crate) use show::seat_in_words;

/// Maximum length of a text from a record in a message, in bytes.
const SHOWN_BYTES: usize = 80;

/// Rate bots from records of games
#[derive(clap::Args, Debug)]
#[command(before_help = "Examples:
  linesman ratings games.jsonl
  linesman ratings runs/*/games.jsonl --anchor greedy=1200
  linesman ratings games.jsonl --los --bootstrap 1000 --seed 7
  linesman ratings games.jsonl --method incremental --k 32 --json")]
#[command(after_long_help = "\
The default method computes the maximum-likelihood ratings, with 95 % confidence
intervals. It also estimates the draw rate between equal bots and the advantage of the
first seat. The order of the games does not matter. A bot that won or lost every game
has no finite rating; each bot connected to it by games is then credited half a win
and half a loss against an imaginary average bot (--prior none prints a bound instead).
Groups of bots that are not connected by games are rated separately. The intervals
treat games of one opening `pair` as one observation and ignore games that
repeat earlier ones move by move. Incremental and online (weng-lin) ratings process the
games in the order of the records.

Each game counts once: its first record that an overloaded machine did not annul.
A minimal record: {\"v\":1,\"id\":\"g1\",\"game\":\"quixo\",
\"seats\":[{\"name\":\"A\"},{\"name\":\"B\"}],\"places\":[1,2]}

A game of three or four seats counts once, by the finishing order of its seats. Its
score is the share of opponents that a bot beat. The strength of a team is the sum of
its members; bots that always played together are rated as one.

JSON: an object with `method`, `mean`, `anchors`, `prior`, `scale`, `game`,
`games`, `groups`, `notes`, `intervals`, `first_seat_advantage` (`elo`, `elo_low` and
`elo_high`, or null), `seat_advantages`, `draw_parameters` (of two, three and four seats,
or null), with --los `los` (a row for each bot: the likelihood that it is stronger than each
other bot), and `ratings`, an array of objects with `bot`, `elo`, `elo_low` and `elo_high`
(or null), `strength` (in the unit of the model), `games`, `score` (0 to 1), `wins`,
`draws`, `losses`, `group`, `note`. The older names `name`, `interval` (both ends),
`draw_parameter` (of two seats) and `tie_parameters` stand beside these.

Exit status: 2 if a file can't be read or contains anything but records, if an anchor
has no games, or if the records are of several games and --game does not select one.")]
pub(crate) struct Args {
    /// Files of records or run directories (`-` for stdin)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Rating method
    #[arg(long, value_name = "METHOD", default_value = "likelihood")]
    method: MethodName,
    /// Largest change of an incremental rating by one game [default: 20]
    #[arg(long, hide_short_help = true, value_name = "ELO", value_parser = above_zero)]
    k: Option<f64>,
    /// Mean of the ratings; the initial rating if incremental
    #[arg(long, value_name = "ELO", default_value_t = DEFAULT_MEAN, value_parser = finite, allow_negative_numbers = true)]
    mean: f64,
    /// Bot with a fixed rating, instead of a fixed mean; may be repeated
    #[arg(long, value_name = "NAME[=ELO]")]
    anchor: Vec<String>,
    /// Treatment of bots without a finite rating [default: auto]
    #[arg(long, value_name = "PRIOR")]
    prior: Option<PriorName>,
    /// Print the likelihood of superiority for each pair of bots
    #[arg(long)]
    los: bool,
    /// Compute the intervals by bootstrap, with this number of resamples
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    bootstrap: Option<u32>,
    /// Seed of the bootstrap [default: 1]
    #[arg(long, value_name = "S", requires = "bootstrap")]
    seed: Option<u64>,
    /// Use only the records of this game
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
enum MethodName {
    /// Maximum likelihood over all games
    Likelihood,
    /// Classic Elo, updated after each game
    Incremental,
    /// Bayesian online rating with an uncertainty (Weng and Lin 2011)
    WengLin,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
enum PriorName {
    /// Weak prior where it is needed
    Auto,
    /// No prior; print bounds instead
    None,
}

fn finite(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| "not a number".to_owned())
}

fn above_zero(text: &str) -> Result<f64, String> {
    finite(text).and_then(|value| if value > 0.0 { Ok(value) } else { Err("must be above 0".to_owned()) })
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let method = method(args)?;
    if args.los && args.format.format() == Format::Csv {
        return Err(
            Failure::wrong("`--los` can't be printed as CSV").hint("use `--format json` or `--format table`")
        );
    }
    let mut read = read(args, &method, ui)?;
    let (game, counted) = choose(args.game.as_deref(), &mut read)?;
    let CountedGames { rater, games, refused } = match counted {
        Some(counted) => counted,
        None => CountedGames::new(&method)?,
    };
    if let Some((place, error)) = refused {
        return Err(Failure::wrong(error).at(place));
    }
    let names: Vec<String> = match args.anchor.as_slice() {
        [] => Vec::new(),
        _ => rater.results().names().map(str::to_owned).collect(),
    };
    let ratings = rater.into_ratings().map_err(|error| rating_failure(&error, &names))?;
    let shown = if args.los { show::ShownRatings::WithLikelihoods } else { show::ShownRatings::Ratings };
    match args.format.format() {
        Format::Table => show::table(ui, &ratings, shown)?,
        Format::Csv => show::csv(ui, &ratings)?,
        Format::Json => json::print(ui, &ratings, shown, game.as_deref(), games)?,
    }
    if games == 0 {
        ui.note("there is no game with a result");
    }
    Ok(Exit::Done)
}

fn method(args: &Args) -> Result<Method, Failure> {
    let given = [
        ("--anchor", !args.anchor.is_empty(), MethodName::Likelihood),
        ("--prior", args.prior.is_some(), MethodName::Likelihood),
        ("--los", args.los, MethodName::Likelihood),
        ("--bootstrap", args.bootstrap.is_some(), MethodName::Likelihood),
        ("--k", args.k.is_some(), MethodName::Incremental),
    ];
    if let Some((option, _, only)) = given.iter().find(|(_, given, only)| *given && *only != args.method) {
        let method = if *only == MethodName::Likelihood { "likelihood" } else { "incremental" };
        return Err(Failure::wrong(format_args!("`{option}` works only with `--method {method}`"))
            .hint(format_args!("leave out `{option}`, or use `--method {method}`")));
    }
    Ok(match args.method {
        MethodName::Incremental => Method::Incremental(IncrementalOptions {
            k: args.k.unwrap_or(IncrementalOptions::default().k),
            start: args.mean,
        }),
        MethodName::WengLin => Method::Online(OnlineOptions { start: args.mean, ..OnlineOptions::default() }),
        MethodName::Likelihood => Method::Likelihood(LikelihoodOptions {
            mean: args.mean,
            anchors: args.anchor.iter().map(|text| anchor(text, args.mean)).collect::<Result<_, _>>()?,
            prior: match args.prior {
                None | Some(PriorName::Auto) => Prior::Auto,
                Some(PriorName::None) => Prior::None,
            },
            intervals: match args.bootstrap {
                None => Intervals::Covariance,
                Some(resamples) => Intervals::Bootstrap { resamples, seed: args.seed.unwrap_or(1) },
            },
        }),
    })
}

/// Parses an anchor: `NAME=ELO`, or `NAME` for a rating equal to the mean.
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

/// The records of one game, counted.
struct CountedGames {
    rater: Rater,
    games: u64,
    /// The first record that can't be rated.
    refused: Option<(LinePlace, GameError)>,
}

impl CountedGames {
    fn new(method: &Method) -> Result<CountedGames, Failure> {
        let rater = Rater::new(method.clone()).map_err(Failure::wrong)?;
        Ok(CountedGames { rater, games: 0, refused: None })
    }

    fn count(&mut self, place: &LinePlace, game: &PlayedGame<'_>, teams: &Teams, standing: Standing) {
        let names: ArrayVec<&str, MAX_SEATS> = game.bots.values().map(AsRef::as_ref).collect();
        let team_names: ArrayVec<Option<&str>, MAX_SEATS> =
            game.team_names.values().map(Option::as_deref).collect();
        match &game.result {
            Ended::Places(places) if standing == Standing::Counts => {
                match self.rater.count(&rated_game(game, &names, places.as_slice(), teams, &team_names)) {
                    Ok(()) => self.games += 1,
                    Err(error) => {
                        self.refused.get_or_insert_with(|| (place.clone(), error));
                    }
                }
            }
            // Bots are also listed if all their games are void.
            _ => names.iter().for_each(|name| self.rater.add_bot(name)),
        }
    }
}

fn rated_game<'a>(
    game: &'a PlayedGame<'a>,
    names: &'a [&'a str],
    places: &'a [Place],
    teams: &'a Teams,
    team_names: &'a [Option<&'a str>],
) -> RatedGame<'a> {
    let mut rated = RatedGame::new(names, places).in_teams(teams, team_names);
    if let Some(pair) = &game.pair {
        rated = rated.in_pair(game.league.as_deref().unwrap_or_default(), pair);
    }
    // Games without a move were lost before the first move, so equal ones don't repeat each other.
    if let Some(moves) = game.moves.filter(|moves| moves.contains('"')) {
        let opening = game.opening.unwrap_or_default();
        rated = rated.with_moves(digest(0, moves.as_bytes()) ^ digest(0, opening.as_bytes()).rotate_left(1));
    }
    rated
}

fn read(args: &Args, method: &Method, ui: &mut Ui) -> Result<BTreeMap<String, CountedGames>, Failure> {
    let sources = args.files.iter().map(|path| paths::records(path)).collect::<Result<Vec<_>, _>>()?;
    let mut reader = RecordReader::new(sources);
    let mut selection = Selection::default();
    let mut teams = TeamsOfGames::default();
    let mut read: BTreeMap<String, CountedGames> = BTreeMap::new();
    while let Some(line) = reader.next_line().map_err(|error| Failure::from(&error))? {
        let game = line.played_game().map_err(|error| Failure::from(&error))?;
        let standing = selection.judge_game(game.league.as_deref(), &game.id, &game.result);
        if standing == Standing::Duplicate {
            continue;
        }
        let teams = teams.of(&game.game, game.bots.seats());
        let counted = match read.get_mut(game.game.as_ref()) {
            Some(counted) => counted,
            None => read.entry(game.game.to_string()).or_insert(CountedGames::new(method)?),
        };
        counted.count(line.place(), &game, &teams, standing);
    }
    ui.warn_of_torn_lines(reader.torn());
    match selection.duplicates() {
        0 => {}
        1 => ui.warn("1 record does not count: an earlier one has the same id"),
        more => ui.warn(format_args!("{more} records don't count: earlier ones have the same ids")),
    }
    Ok(read)
}

/// The game to rate: the requested one, or the only one.
fn choose(
    asked: Option<&str>,
    read: &mut BTreeMap<String, CountedGames>,
) -> Result<(Option<String>, Option<CountedGames>), Failure> {
    let list = |read: &BTreeMap<String, CountedGames>| {
        let shown = |(game, counted): (&String, &CountedGames)| {
            format!("`{}` ({})", printable(game, SHOWN_BYTES), counted.games)
        };
        read.iter().map(shown).collect::<Vec<_>>().join(", ")
    };
    match asked {
        Some(game) => match read.remove(game) {
            None if !read.is_empty() => {
                let what = format!("the records have no games of `{game}`, but of {}", list(read));
                Err(Failure::wrong(what).hint_if(did_you_mean(game, read.keys().map(String::as_str))))
            }
            counted => Ok((Some(game.to_owned()), counted)),
        },
        None if read.len() > 1 => {
            Err(Failure::wrong(format_args!("the records are of several games: {}", list(read)))
                .hint("choose one with `--game ID`, since strength at one game says nothing about another"))
        }
        None => Ok(read.pop_first().unzip()),
    }
}

/// The failure for an error of the ratings. `names` are those of the bots if anchors were given.
fn rating_failure(error: &RatingError, names: &[String]) -> Failure {
    let failure = Failure::wrong(error);
    match error {
        RatingError::AnchorWithoutGames { name } => {
            failure.hint_if(did_you_mean(name, names.iter().map(String::as_str)))
        }
        RatingError::AnchorUnplaced { .. } => {
            failure.hint("choose another anchor, or leave out `--prior none`")
        }
        RatingError::NotFinite { .. } => failure,
        RatingError::AnchorTwice { .. } | RatingError::AnchorsOfTeams => {
            failure.hint("leave out one `--anchor`")
        }
        RatingError::NotConverged { .. } => Failure::new(Exit::Bug, error),
    }
}
