//! Tie-breaks among entrants with equal points, as exact numbers.
//!
//! - **Buchholz** (Bruno Buchholz, 1932): the sum of the opponents' points.
//! - **Buchholz cut 1**: Buchholz without the opponent that has the fewest points.
//! - **Sonneborn-Berger** (Oscar Gelbfuhs, 1873): the sum over all opponents of their points times the
//!   fraction won against them: all points of beaten opponents, and half the points of opponents in drawn games.
//!
//! With three or four seats, every other entrant at a table is an opponent, and the points won from each are
//! counted separately. A bye counts as one opponent for each that a table would have had.
//!
//! Each opponent in a bye counts as having the entrant's own final points, as in FIDE's handbook C.07 since
//! 2023, so that a bye neither helps nor harms. Opponents count with all their points, including those of byes.
//! The Swiss determines the points of a bye.

/// The result against one opponent in a round. Points are counted in halves.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Met {
    /// The opponent's number; `None` for a bye.
    pub opponent: Option<usize>,
    /// The points won, in halves.
    pub halves: u32,
}

/// The points and tie-breaks of an entrant.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug, Default)]
pub struct TieBreaks {
    /// The points, in halves.
    pub halves: u32,
    /// Buchholz without the lowest opponent, in halves.
    pub cut_one_halves: u32,
    pub buchholz_halves: u32,
    /// Sonneborn-Berger, in fractions of a point whose denominator is four times the number of games in a
    /// round: quarters for one game.
    pub sonneborn_berger_parts: u64,
}

/// Computes the points and tie-breaks of all entrants: `rounds[entrant]` lists the opponents of an entrant, round by
/// round.
///
/// The derived order of [`TieBreaks`] is that of the standings: points, Buchholz cut 1, Buchholz,
/// Sonneborn-Berger.
pub(super) fn tie_breaks(rounds: &[Vec<Met>]) -> Vec<TieBreaks> {
    let halves: Vec<u32> = rounds.iter().map(|met| met.iter().map(|one| one.halves).sum()).collect();
    let of_entrant = |(entrant, met): (usize, &Vec<Met>)| {
        let points = |one: &Met| halves[one.opponent.unwrap_or(entrant)];
        let buchholz = met.iter().map(points).sum();
        let min_points = met.iter().map(points).min().unwrap_or(0);
        TieBreaks {
            halves: halves[entrant],
            cut_one_halves: buchholz - min_points,
            buchholz_halves: buchholz,
            sonneborn_berger_parts: met
                .iter()
                .map(|one| u64::from(points(one)) * u64::from(one.halves))
                .sum(),
        }
    };
    rounds.iter().enumerate().map(of_entrant).collect()
}

impl TieBreaks {
    /// Buchholz in points.
    pub fn buchholz(&self) -> f64 {
        f64::from(self.buchholz_halves) / 2.0
    }

    /// Buchholz cut 1 in points.
    pub fn cut_one(&self) -> f64 {
        f64::from(self.cut_one_halves) / 2.0
    }

    /// Sonneborn-Berger in points, if a round has this number of games.
    pub fn sonneborn_berger(&self, games: u32) -> f64 {
        self.sonneborn_berger_parts as f64 / f64::from(4 * games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a crosstable: `1`, `=`, `0`, and `.` on the diagonal.
    fn from_crosstable(rows: &[&str]) -> Vec<Vec<Met>> {
        let met = |(opponent, result): (usize, char)| {
            let halves = ['0', '=', '1'].iter().position(|symbol| *symbol == result)?;
            Some(Met { opponent: Some(opponent), halves: halves as u32 })
        };
        rows.iter().map(|row| row.chars().enumerate().filter_map(met).collect()).collect()
    }

    #[test]
    fn a_crosstable_of_five_has_the_values_that_lichess_computes() {
        // The crosstable in the tests of lichess's library scalachess: player A has 2.5 points,
        // Sonneborn-Berger 4, Buchholz 7.5, and 6 without the lowest.
        let all = tie_breaks(&from_crosstable(&[".1=01", "0.1=0", "=0.1=", "1=0.1", "01=0."]));
        let points: Vec<u32> = all.iter().map(|entrant| entrant.halves).collect();
        assert_eq!(points, [5, 3, 4, 5, 3]);
        let first = all[0];
        assert_eq!((first.sonneborn_berger(1), first.buchholz(), first.cut_one()), (4.0, 7.5, 6.0));
    }

    #[test]
    fn a_bye_counts_as_an_opponent_with_the_points_of_the_entrant() {
        let met = |opponent, halves| Met { opponent, halves };
        // Three entrants, three rounds, everyone has one bye: a beats b and c, b beats c.
        let rounds = vec![
            vec![met(Some(1), 2), met(Some(2), 2), met(None, 2)],
            vec![met(Some(0), 0), met(None, 2), met(Some(2), 2)],
            vec![met(None, 2), met(Some(0), 0), met(Some(1), 0)],
        ];
        let all = tie_breaks(&rounds);
        // a: 3 points; b with 2, c with 1, and itself with 3.
        assert_eq!((all[0].buchholz(), all[0].cut_one(), all[0].sonneborn_berger(1)), (6.0, 5.0, 6.0));
        // b: lost to a (3), had a bye (2), beat c (1).
        assert_eq!((all[1].buchholz(), all[1].cut_one(), all[1].sonneborn_berger(1)), (6.0, 5.0, 3.0));
        assert_eq!((all[2].buchholz(), all[2].cut_one(), all[2].sonneborn_berger(1)), (6.0, 5.0, 1.0));
    }

    #[test]
    fn rounds_of_two_games_count_by_the_fraction_won() {
        let met = |opponent, halves| Met { opponent: Some(opponent), halves };
        // a beats b by 1.5 to 0.5.
        let all = tie_breaks(&[vec![met(1, 3)], vec![met(0, 1)]]);
        assert_eq!(all[0].sonneborn_berger(2), 0.75 * 0.5);
        assert_eq!(all[1].sonneborn_berger(2), 0.25 * 1.5);
    }
}
