//! `linesman sprt`: evaluates a sequential test for given results.

mod show;

use clap::{ArgGroup, ValueEnum};

use super::args::FormatArgs;
use super::error::{Exit, Failure};
use super::ui::Ui;
use crate::league::file::DEFAULT_ERROR;
use crate::rating::sprt::{Counts, Design, Model, Status};
use crate::report::sprt::Finding;

pub(crate) use show::show;

/// Maximum number of games or pairs of one kind. Sums of such numbers are exact in every reader of JSON.
const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// Evaluate a sequential test (SPRT) for given results
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("results").required(true).args(["wdl", "penta"]))]
#[command(before_help = "Examples:
  linesman sprt --wdl 880,1863,759 --elo0 0 --elo1 5
  linesman sprt --penta 379,10170,21828,10640,343 --elo0 0 --elo1 2 --model normalized")]
#[command(after_long_help = "\
The results are those of the new bot. --wdl treats all games as independent. Games
that were played in pairs, from the same opening with exchanged seats, are not
independent; give them as pairs with --penta, which needs fewer games.

JSON: an object with `status`, `llr` (null where there is none, with the reason
in `why`), `lower`, `upper`, `elo0`, `elo1`, `alpha`, `beta`, `model`, `elo`,
`elo_low`, `elo_high`, `unbiased`, `unbiased_low`, `unbiased_high`, `nelo`, `nelo_low`,
`nelo_high`, `los`, `games`, `wins`, `draws`, `losses`, `score`, `draw_ratio` (for pairs:
the share of pairs in which each bot got one point), `pairs` (`ll`, `ld`, `even`, `wd`,
`ww`), `variation` and `notes`. The older names `interval`, `unbiased_interval` and
`nelo_interval` (both ends) stand beside these.

Exit status: 0 if the new bot is accepted (elo1), 1 if it is rejected (elo0), 4 if the test is
undecided, 2 for wrong usage.")]
pub(crate) struct Args {
    /// Number of games won, drawn and lost
    #[arg(long, value_name = "W,D,L", value_parser = wins_draws_losses, allow_hyphen_values = true)]
    wdl: Option<Counts>,
    /// Number of game pairs by points: 0, 0.5, 1, 1.5 and 2
    #[arg(long, value_name = "LL,LD,DD+WL,WD,WW", value_parser = pairs, allow_hyphen_values = true)]
    penta: Option<Counts>,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// The test, on the command line.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct TestArgs {
    /// Null hypothesis: the Elo difference that is not enough
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo0: f64,
    /// Alternative hypothesis: the Elo difference to detect
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo1: f64,
    /// Probability of accepting when the difference is elo0
    #[arg(long, hide_short_help = true, value_name = "SHARE", default_value_t = DEFAULT_ERROR, allow_hyphen_values = true)]
    alpha: f64,
    /// Probability of rejecting when the difference is elo1
    #[arg(long, hide_short_help = true, value_name = "SHARE", default_value_t = DEFAULT_ERROR, allow_hyphen_values = true)]
    beta: f64,
    /// Elo scale of elo0 and elo1
    #[arg(long, hide_short_help = true, value_name = "MODEL", default_value = "logistic")]
    model: ModelName,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
enum ModelName {
    /// Usual (logistic) Elo
    Logistic,
    /// Normalized Elo: relative to the standard deviation of the results
    Normalized,
}

impl TestArgs {
    pub(crate) fn design(&self) -> Result<Design, Failure> {
        let model = match self.model {
            ModelName::Logistic => Model::Logistic,
            ModelName::Normalized => Model::Normalized,
        };
        Design::new(self.elo0, self.elo1, self.alpha, self.beta, model).map_err(|error| {
            Failure::wrong(error).hint(
                "give two different Elo values and two probabilities of error, for example `--elo0 0 --elo1 \
                 5 --alpha 0.05 --beta 0.05`",
            )
        })
    }
}

fn wins_draws_losses(text: &str) -> Result<Counts, String> {
    let [wins, draws, losses] = counts(text, "wins, draws and losses, such as 12,5,8")?;
    Ok(Counts::Games([losses, draws, wins]))
}

fn pairs(text: &str) -> Result<Counts, String> {
    counts(text, "pairs with 0, 1/2, 1, 3/2 and 2 points, such as 3,20,41,24,5").map(Counts::Pairs)
}

/// Parses `N` whole numbers separated by commas.
fn counts<const N: usize>(text: &str, what: &str) -> Result<[u64; N], String> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    if words.len() != N {
        return Err(format!("expected {N} numbers ({what}), but got {}", words.len()));
    }
    let mut counts = [0; N];
    for (count, word) in counts.iter_mut().zip(words) {
        let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return Err(format!("`{word}` is not a whole number; expected {N} ({what})"));
        }
        // Digits that don't fit the type are a number that is too large.
        *count = word
            .parse()
            .ok()
            .filter(|count| *count <= MAX_COUNT)
            .ok_or_else(|| format!("`{word}` is too large (at most {MAX_COUNT})"))?;
    }
    Ok(counts)
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let design = args.test.design()?;
    let counts = args.wdl.or(args.penta).ok_or_else(|| Failure::wrong("there are no results"))?;
    let finding = Finding::new(design, counts);
    show(ui, args.format.format(), &finding)?;
    Ok(exit_of(finding.status))
}

pub(crate) fn exit_of(status: Status) -> Exit {
    match status {
        Status::Accepted => Exit::Done,
        Status::Rejected => Exit::No,
        Status::Undecided => Exit::Undecided,
    }
}
