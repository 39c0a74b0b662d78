//! `linesman sprt`: what a sequential test makes of given results.

mod show;

use clap::{ArgGroup, ValueEnum};

use super::args::FormatArgs;
use super::error::{Exit, Failure};
use super::ui::Ui;
use crate::league::file::DEFAULT_ERROR;
use crate::rating::sprt::{Counts, Design, Model, Status};
use crate::report::sprt::Finding;

pub(crate) use show::show;

/// The most games or pairs of one kind: sums of them are whole numbers in every reader of JSON.
const MOST: u64 = 1_000_000_000_000_000;

/// Say what a sequential test (SPRT) makes of results
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("results").required(true).args(["wdl", "penta"]))]
#[command(before_help = "Examples:
  linesman sprt --wdl 880,1863,759 --elo0 0 --elo1 5
  linesman sprt --penta 379,10170,21828,10640,343 --elo0 0 --elo1 2 --model normalized")]
#[command(after_long_help = "\
The results are the new bot's. By --wdl all games count as independent; games
played in pairs from the same opening with seats exchanged are not, and fewer
of them are needed if they are given as pairs, by --penta.

JSON: an object with `status`, `llr` (null where there is none, with the reason
in `why`), `lower`, `upper`, `elo0`, `elo1`, `alpha`, `beta`, `model`, `elo`,
`interval`, `unbiased`, `unbiased_interval`, `nelo`, `nelo_interval`, `los`,
`games`, `wins`, `draws`, `losses`, `score`, `draw_ratio` (of pairs: the share
in which both had a point), `pairs` (`ll`, `ld`, `even`, `wd`, `ww`),
`variation` and `notes`.
docs/sprt.md has the formulas and their sources.

Exit status: 0 if the test is accepted (elo1), 1 if it is rejected (elo0), 4 if
it is undecided, 2 for wrong usage.")]
pub(crate) struct Args {
    /// Games won, drawn and lost
    #[arg(long, value_name = "W,D,L", value_parser = wins_draws_losses, allow_hyphen_values = true)]
    wdl: Option<Counts>,
    /// Pairs of games by points, from none to two
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
    /// The difference in strength that is not enough
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo0: f64,
    /// The difference in strength that is hoped for
    #[arg(long, value_name = "ELO", allow_hyphen_values = true)]
    elo1: f64,
    /// How often the test may accept although the difference is elo0
    #[arg(long, value_name = "SHARE", default_value_t = DEFAULT_ERROR, allow_hyphen_values = true)]
    alpha: f64,
    /// How often the test may reject although the difference is elo1
    #[arg(long, value_name = "SHARE", default_value_t = DEFAULT_ERROR, allow_hyphen_values = true)]
    beta: f64,
    /// The scale of elo0 and elo1
    #[arg(long, value_name = "MODEL", default_value = "logistic")]
    model: ModelName,
}

#[derive(Copy, Clone, Eq, PartialEq, Debug, ValueEnum)]
enum ModelName {
    /// Usual Elo
    Logistic,
    /// Elo by the standard deviation of the results
    Normalized,
}

impl TestArgs {
    /// The test.
    pub(crate) fn design(&self) -> Result<Design, Failure> {
        let model = match self.model {
            ModelName::Logistic => Model::Logistic,
            ModelName::Normalized => Model::Normalized,
        };
        Design::new(self.elo0, self.elo1, self.alpha, self.beta, model).map_err(|error| {
            Failure::wrong(error).hint(
                "a test tells elo1 from elo0 with errors of alpha and beta: \
                 `--elo0 0 --elo1 5 --alpha 0.05 --beta 0.05`",
            )
        })
    }
}

fn wins_draws_losses(text: &str) -> Result<Counts, String> {
    let [wins, draws, losses] = counts(text, "wins, draws and losses, as in 12,5,8")?;
    Ok(Counts::Games([losses, draws, wins]))
}

fn pairs(text: &str) -> Result<Counts, String> {
    counts(text, "pairs that brought 0, 1/2, 1, 3/2 and 2 points, as in 3,20,41,24,5").map(Counts::Pairs)
}

/// So many whole numbers with commas between them.
fn counts<const N: usize>(text: &str, what: &str) -> Result<[u64; N], String> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    if words.len() != N {
        let there =
            if words.len() == 1 { "there is 1".to_owned() } else { format!("there are {}", words.len()) };
        return Err(format!("it takes {N} numbers ({what}), and {there}"));
    }
    let mut counts = [0; N];
    for (count, word) in counts.iter_mut().zip(words) {
        let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return Err(format!("`{word}` is no whole number; it takes {N} ({what})"));
        }
        // Digits that are no number of ours are too many.
        *count = word
            .parse()
            .ok()
            .filter(|count| *count <= MOST)
            .ok_or_else(|| format!("`{word}` is more than can be counted exactly (at most {MOST})"))?;
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

/// How a command ends whose answer is this.
pub(crate) fn exit_of(status: Status) -> Exit {
    match status {
        Status::Accepted => Exit::Done,
        Status::Rejected => Exit::No,
        Status::Undecided => Exit::Undecided,
    }
}
