//! The findings of a sequential test, as a block of text that can be pasted anywhere, and in a few words.

use std::fmt;

use crate::data::{ESTIMATE_DIGITS, decimal};
use crate::table::{Cell, Column, Table};
use linesman_rating::sprt::{Counts, Design, EloEstimate, Estimate, NoLlr, NotCorrected, Status};
use linesman_rating::{Interval, Tally};
use linesman_record::text::printable;

/// Maximum length of a name, in bytes.
const NAME_BYTES: usize = 60;

/// The findings of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The test.
    pub design: Design,
    /// The results that count.
    pub counts: Counts,
    /// The log-likelihood ratio, or the reason why there is none.
    pub llr: Result<f64, NoLlr>,
    /// The state of the test.
    pub status: Status,
    /// The estimate from the results; `None` without games.
    pub estimate: Option<Estimate>,
    /// The estimate that is corrected for the stop, if it exists and the test is decided.
    pub corrected: Option<EloEstimate>,
    /// The games that count, from the new bot's point of view; `None` if only pairs are known.
    pub games: Option<Tally>,
    /// The names of the new bot and its base, if they have any.
    pub names: Option<[String; 2]>,
    /// Number of games that repeat earlier ones and don't count; `None` if unknown.
    pub repeated: Option<u64>,
    /// Further remarks, a sentence each.
    pub notes: Vec<String>,
}

impl Finding {
    /// Returns the findings of a test from these results.
    pub fn new(design: Design, counts: Counts) -> Finding {
        let llr = design.llr(&counts);
        let status = llr.as_ref().map_or(Status::Undecided, |llr| design.status(*llr));
        let estimate = Estimate::of(&counts);
        let is_decided = status != Status::Undecided;
        let after_stop = is_decided.then(|| Estimate::after_stop(&design, &counts));
        let games = match counts {
            Counts::Games([losses, draws, wins]) => Some(Tally { wins, draws, losses }),
            Counts::Pairs(_) => None,
        };
        let mut notes = Vec::new();
        if estimate.as_ref().is_some_and(|estimate| estimate.normalized.is_none()) {
            let what = if matches!(counts, Counts::Games(_)) { "games" } else { "pairs" };
            notes.push(format!("no variation: all {what} ended alike, so only their number counts"));
        }
        if let Some(after_stop) = &after_stop {
            let exaggerated = "Elo, nElo and LOS are slightly exaggerated, because the test stopped once it was \
                          decided";
            notes.push(match after_stop {
                Ok(_) => format!("{exaggerated}; `unbiased` corrects for that"),
                // The exaggeration of such results depends on when the test really stopped.
                Err(why @ NotCorrected::StoppedBefore) => {
                    format!("no `unbiased` estimate corrects for the early stop, because {why}")
                }
                Err(why) => {
                    format!("{exaggerated}; no `unbiased` estimate corrects for that, because {why}")
                }
            });
        }
        Finding {
            design,
            counts,
            llr,
            status,
            estimate,
            corrected: after_stop.and_then(Result::ok),
            games,
            names: None,
            repeated: None,
            notes,
        }
    }

    #[must_use]
    pub fn noting(mut self, note: impl fmt::Display) -> Finding {
        self.notes.push(note.to_string());
        self
    }

    /// Returns the fraction of drawn games, or of pairs in which each side scored a point if only pairs are known.
    pub fn draw_ratio(&self) -> Option<f64> {
        let share = |games: Tally| games.draws as f64 / games.games() as f64;
        match self.games.filter(|games| games.games() > 0) {
            Some(games) => Some(share(games)),
            None => self.estimate.map(|estimate| estimate.even),
        }
    }

    /// Formats all findings as a few lines, each with a `\n`.
    pub fn block(&self) -> String {
        self.lines().iter().map(|line| format!("{line}\n")).collect()
    }

    pub fn lines(&self) -> Vec<BlockLine> {
        let design = &self.design;
        let mut block = Block(Vec::new());
        if let Some(names) = &self.names {
            let [new, base] = [0, 1].map(|index| printable(&names[index], NAME_BYTES));
            block.line("test", format_args!("{new} against {base}"));
        }
        let decided = match self.status {
            Status::Accepted => format!(": Elo {} rather than {}", design.elo1, design.elo0),
            Status::Rejected => format!(": Elo {} rather than {}", design.elo0, design.elo1),
            Status::Undecided => String::new(),
        };
        block.line("status", format_args!("{}{decided}", self.status.word()));
        block.line(
            "LLR",
            format_args!(
                "{} ({:.2}, {:.2})  [{}, {}] {}, alpha {}, beta {}",
                self.llr.map_or_else(|_| "none".to_owned(), |llr| decimal(llr, 2)),
                design.lower(),
                design.upper(),
                short(design.elo0),
                short(design.elo1),
                design.model.word(),
                short(design.alpha),
                short(design.beta),
            ),
        );
        if let Some(estimate) = &self.estimate {
            block.line("Elo", range(estimate.elo, estimate.interval));
            if let Some(corrected) = &self.corrected {
                block.line("unbiased", range(corrected.elo, corrected.interval));
            }
            if let Some(normalized) = &estimate.normalized {
                block.line("nElo", range(normalized.elo, normalized.interval));
            }
            block.line("LOS", sureness(estimate.los));
        }
        self.lines_of_counts(&mut block);
        match self.repeated {
            None | Some(0) => {}
            Some(1) => block.line("repeats", "1 more game repeats an earlier one and does not count"),
            Some(games) => {
                block.line("repeats", format_args!("{games} more games repeat earlier ones and don't count"));
            }
        }
        if let Err(why) = &self.llr {
            block.line("note", why);
        }
        for note in &self.notes {
            block.line("note", note);
        }
        block.0
    }

    fn lines_of_counts(&self, block: &mut Block) {
        let score = self.counts.score().map_or_else(String::new, |score| format!(", {:.1} %", 100.0 * score));
        match self.games {
            Some(Tally { wins, draws, losses }) => {
                let drawn = self.draw_ratio().filter(|_| draws > 0);
                let drawn = drawn.map_or_else(String::new, |ratio| format!(" ({:.1} %)", 100.0 * ratio));
                block.line(
                    "games",
                    format_args!(
                        "{}: {wins} won, {draws} drawn{drawn}, {losses} lost{score}",
                        self.counts.games()
                    ),
                );
            }
            None => block.line("games", format_args!("{}{score}", self.counts.games())),
        }
        if let Counts::Pairs([ll, ld, even, wd, ww]) = self.counts {
            block.line(
                "pairs",
                format_args!("{}: {ll} LL, {ld} LD, {even} DD or WL, {wd} WD, {ww} WW", self.counts.total()),
            );
        }
    }

    /// Describes the state in a few words: `LLR 1.2 (-2.94, 2.94), Elo 12 (-5 to 29), 10 won, 4 drawn, 7 lost`.
    pub fn in_a_word(&self) -> String {
        let (lower, upper) = (self.design.lower(), self.design.upper());
        let llr = self.llr.map_or_else(|_| "none".to_owned(), |llr| decimal(llr, 2));
        let mut word = format!("LLR {llr} ({lower:.2}, {upper:.2})");
        if let Some(estimate) = &self.estimate {
            let Interval { low, high } = estimate.interval;
            let limits = match (low.is_finite(), high.is_finite()) {
                (true, true) => format!(", Elo {:.0} ({:.0} to {:.0})", estimate.elo, low, high),
                (true, false) => format!(", Elo above {low:.0}"),
                (false, true) => format!(", Elo below {high:.0}"),
                (false, false) => String::new(),
            };
            word.push_str(&limits);
        }
        if let Some(Tally { wins, draws, losses }) = self.games {
            word.push_str(&format!(", {wins} won, {draws} drawn, {losses} lost"));
        }
        word
    }

    /// Returns a table with all findings in one row.
    pub fn table(&self) -> Table {
        let number = |value: Option<f64>| Cell::maybe(value, |value| Cell::decimal(value, ESTIMATE_DIGITS));
        let limits = |interval: Option<Interval>| {
            [interval.map(|interval| interval.low), interval.map(|interval| interval.high)].map(number)
        };
        let estimate = self.estimate.as_ref();
        let normalized = estimate.and_then(|estimate| estimate.normalized);
        let count = |value: Option<u64>| Cell::maybe(value, Cell::count);
        let name = |index: usize| Cell::maybe(self.names.as_ref(), |names| Cell::text(&names[index]));
        let pairs = match self.counts {
            Counts::Pairs(pairs) => pairs.map(Some),
            Counts::Games(_) => [None; 5],
        };
        let [low, high] = limits(estimate.map(|estimate| estimate.interval));
        let [normalized_low, normalized_high] = limits(normalized.map(|estimate| estimate.interval));
        let [unbiased_low, unbiased_high] = limits(self.corrected.map(|estimate| estimate.interval));
        let [ll, ld, even, wd, ww] = pairs.map(count);
        let design = &self.design;
        let row = [
            (Column::text("new"), name(0)),
            (Column::text("base"), name(1)),
            (Column::text("status"), Cell::text(self.status.word())),
            (Column::number("llr"), number(self.llr.ok())),
            (Column::number("lower"), number(Some(design.lower()))),
            (Column::number("upper"), number(Some(design.upper()))),
            (Column::number("elo0"), number(Some(design.elo0))),
            (Column::number("elo1"), number(Some(design.elo1))),
            (Column::number("alpha"), number(Some(design.alpha))),
            (Column::number("beta"), number(Some(design.beta))),
            (Column::text("model"), Cell::text(design.model.word())),
            (Column::number("elo"), number(estimate.map(|estimate| estimate.elo))),
            (Column::number("low"), low),
            (Column::number("high"), high),
            (Column::number("unbiased"), number(self.corrected.map(|estimate| estimate.elo))),
            (Column::number("unbiased_low"), unbiased_low),
            (Column::number("unbiased_high"), unbiased_high),
            (Column::number("nelo"), number(normalized.map(|estimate| estimate.elo))),
            (Column::number("nelo_low"), normalized_low),
            (Column::number("nelo_high"), normalized_high),
            (Column::number("los"), number(estimate.map(|estimate| estimate.los))),
            (Column::number("games"), count(Some(self.counts.games()))),
            (Column::number("wins"), count(self.games.map(|games| games.wins))),
            (Column::number("draws"), count(self.games.map(|games| games.draws))),
            (Column::number("losses"), count(self.games.map(|games| games.losses))),
            (Column::number("score"), number(self.counts.score())),
            (Column::number("draw_ratio"), number(self.draw_ratio())),
            (Column::number("ll"), ll),
            (Column::number("ld"), ld),
            (Column::number("even"), even),
            (Column::number("wd"), wd),
            (Column::number("ww"), ww),
            (Column::number("repeated"), count(self.repeated)),
        ];
        let columns = row.map(|(column, cell)| column.of(move |(): &()| cell.clone()));
        let table = Table::of(columns, [()]);
        // Columns that have other names in other tables.
        [("low", "elo_low"), ("high", "elo_high"), ("repeated", "games_repeated")]
            .into_iter()
            .fold(table, |table, (key, name)| table.with_copy(key, name))
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockLine {
    /// Its subject, the word in front of it.
    pub key: &'static str,
    /// The rest of it.
    pub text: String,
}

impl fmt::Display for BlockLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<8} {}", self.key, self.text)
    }
}

struct Block(Vec<BlockLine>);

impl Block {
    fn line(&mut self, key: &'static str, text: impl fmt::Display) {
        self.0.push(BlockLine { key, text: text.to_string() });
    }
}

/// Formats a number with its 95 % interval.
fn range(elo: f64, Interval { low, high }: Interval) -> String {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{} (95 %: {} to {})", decimal(elo, 1), decimal(low, 1), decimal(high, 1)),
        (true, false) => format!("above {} (95 %)", decimal(low, 1)),
        (false, true) => format!("below {} (95 %)", decimal(high, 1)),
        (false, false) => "unknown".to_owned(),
    }
}

/// Formats a probability, never as certain.
fn sureness(share: f64) -> String {
    match share {
        share if share >= 0.9995 => "> 99.9 %".to_owned(),
        share if share < 0.0005 => "< 0.1 %".to_owned(),
        share => format!("{:.1} %", 100.0 * share),
    }
}

/// Formats a number as it was given, without long runs of zeros.
fn short(number: f64) -> String {
    match number.abs() {
        1e-6..1e15 | 0.0 => number.to_string(),
        _ => format!("{number:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linesman_rating::sprt::Model;

    fn finding(counts: Counts, model: Model) -> Finding {
        Finding::new(Design::new(0.0, 5.0, 0.05, 0.05, model).expect("a test"), counts)
    }

    #[test]
    fn a_decided_test_of_games() {
        insta::assert_snapshot!(finding(Counts::Games([759, 1863, 880]), Model::Logistic).block(), @r"
        status   accepted: Elo 5 rather than 0
        LLR      2.95 (-2.94, 2.94)  [0, 5] logistic, alpha 0.05, beta 0.05
        Elo      12.0 (95 %: 4.1 to 19.9)
        unbiased 11.2 (95 %: 3.1 to 19.2)
        nElo     17.6 (95 %: 6.0 to 29.1)
        LOS      99.9 %
        games    3502: 880 won, 1863 drawn (53.2 %), 759 lost, 51.7 %
        note     Elo, nElo and LOS are slightly exaggerated, because the test stopped once it was decided; `unbiased` corrects for that
        ");
    }

    #[test]
    fn an_undecided_test_of_pairs_between_bots_with_names() {
        let finding = Finding {
            games: Some(Tally { wins: 6000, draws: 11_726, losses: 6000 }),
            names: Some(["tuned", "base"].map(str::to_owned)),
            ..finding(Counts::Pairs([440, 2910, 5170, 2888, 455]), Model::Normalized)
        };
        insta::assert_snapshot!(finding.block(), @r"
        test     tuned against base
        status   undecided
        LLR      -2.27 (-2.94, 2.94)  [0, 5] normalized, alpha 0.05, beta 0.05
        Elo      0.1 (95 %: -2.7 to 2.9)
        nElo     0.2 (95 %: -4.2 to 4.6)
        LOS      53.3 %
        games    23726: 6000 won, 11726 drawn (49.4 %), 6000 lost, 50.0 %
        pairs    11863: 440 LL, 2910 LD, 5170 DD or WL, 2888 WD, 455 WW
        ");
        insta::assert_snapshot!(finding.in_a_word(), @"LLR -2.27 (-2.94, 2.94), Elo 0 (-3 to 3), 6000 won, 11726 drawn, 6000 lost");
    }

    #[test]
    fn equal_results_and_no_results() {
        insta::assert_snapshot!(finding(Counts::Games([0, 0, 12]), Model::Logistic).block(), @r"
        status   undecided
        LLR      0.17 (-2.94, 2.94)  [0, 5] logistic, alpha 0.05, beta 0.05
        Elo      above 303.3 (95 %)
        LOS      > 99.9 %
        games    12: 12 won, 0 drawn, 0 lost, 100.0 %
        note     no variation: all games ended alike, so only their number counts
        ");
        insta::assert_snapshot!(finding(Counts::Pairs([0; 5]), Model::Logistic).block(), @r"
        status   undecided
        LLR      0.00 (-2.94, 2.94)  [0, 5] logistic, alpha 0.05, beta 0.05
        games    0
        pairs    0: 0 LL, 0 LD, 0 DD or WL, 0 WD, 0 WW
        ");
        assert_eq!(
            finding(Counts::Games([0, 0, 0]), Model::Logistic).in_a_word(),
            "LLR 0.00 (-2.94, 2.94), 0 won, 0 drawn, 0 lost"
        );
    }

    #[test]
    fn a_decided_test_without_an_unbiased_estimate_says_why() {
        let note = |elo1: f64, counts| {
            let design = Design::new(0.0, elo1, 0.05, 0.05, Model::Logistic).expect("a test");
            let finding = Finding::new(design, Counts::Games(counts));
            assert_eq!(finding.corrected, None);
            finding.notes.last().cloned().expect("it is decided")
        };
        // Far beyond the bounds, where no test would have continued.
        assert_eq!(
            note(5.0, [7590, 18_630, 8800]),
            "no `unbiased` estimate corrects for the early stop, because a test with these bounds would have \
             stopped before it reached these results"
        );
        assert_eq!(
            note(200.0, [1, 0, 12]),
            "Elo, nElo and LOS are slightly exaggerated, because the test stopped once it was decided; \
             no `unbiased` estimate corrects for that, because a single result moves the LLR by more than \
             0.25 on average"
        );
    }

    #[test]
    fn tiny_error_rates_are_written_as_they_were_given() {
        let design = Design::new(0.0, 5.0, 1e-300, 0.05, Model::Logistic).expect("a test");
        let block = Finding::new(design, Counts::Games([1, 1, 1])).block();
        assert!(block.contains("[0, 5] logistic, alpha 1e-300, beta 0.05\n"), "{block}");
    }

    #[test]
    fn a_test_without_a_ratio_says_why() {
        let design = Design::new(0.0, 1e9, 0.05, 0.05, Model::Logistic).expect("a test");
        insta::assert_snapshot!(Finding::new(design, Counts::Games([1, 2, 3])).block(), @r"
        status   undecided
        LLR      none (-2.94, 2.94)  [0, 1000000000] logistic, alpha 0.05, beta 0.05
        Elo      120.4 (95 %: -113.9 to 383.0)
        nElo     155.4 (95 %: -165.5 to 476.2)
        LOS      84.7 %
        games    6: 3 won, 2 drawn (33.3 %), 1 lost, 66.7 %
        note     with an Elo of 1000000000, every game would have the same result, so there is no distribution of results
        ");
    }
}
