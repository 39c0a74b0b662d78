//! Checks that every name had every seat, and met every other name, about equally often.

use std::fmt;

use crate::clause::Clause;

/// The assignment whose balance is checked.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Seated {
    /// Seats to bots.
    Seats,
    /// Sides to teams.
    Sides,
}

/// An imbalance, shown by its clearest example.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Uneven {
    /// Seats or sides were assigned unevenly.
    Seats {
        /// Seats or sides.
        what: Seated,
        /// The seat's or side's number, from 1.
        number: usize,
        /// The name that had it most often, and its number of games.
        most: (String, u64),
        /// The name that had it least often, and its number of games.
        fewest: (String, u64),
    },
    /// Opponents met unevenly.
    Meetings {
        /// The pair that met most often, and its number of games.
        most: ([String; 2], u64),
        /// The pair that met least often, and its number of games.
        fewest: ([String; 2], u64),
    },
}

impl Uneven {
    /// Describes the imbalance.
    pub fn clause(&self) -> Clause {
        match self {
            Uneven::Seats { what, number, most: (one, often), fewest: (other, seldom) } => {
                let what = if *what == Seated::Seats { "seat" } else { "side" };
                Clause::from("seats are not balanced: ")
                    .quoted(one)
                    .words(format_args!(" has {what} {number} in {}, ", in_games(*often)))
                    .quoted(other)
                    .words(format_args!(" in {}", in_words(*seldom)))
            }
            Uneven::Meetings { most: ([a, b], often), fewest: ([c, d], seldom) } => {
                Clause::from("opponents are not balanced: ")
                    .quoted(a)
                    .words(" and ")
                    .quoted(b)
                    .words(format_args!(" meet in {}, ", in_games(*often)))
                    .quoted(c)
                    .words(" and ")
                    .quoted(d)
                    .words(format_args!(" in {}", in_words(*seldom)))
            }
        }
    }
}

impl fmt::Display for Uneven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.clause().fmt(f)
    }
}

/// `1 game`, `3 games`
fn in_games(games: u64) -> String {
    format!("{games} game{}", if games == 1 { "" } else { "s" })
}

/// A number, or `none` for 0.
fn in_words(number: u64) -> String {
    if number == 0 { "none".to_owned() } else { number.to_string() }
}

/// Returns true if the counts differ by more than one game and by more than a quarter.
fn is_uneven(most: u64, fewest: u64) -> bool {
    most > fewest + 1 && most * 4 > fewest * 5
}

/// Replaces the most or the fewest games if this count is beyond them.
fn widen<N>([most, fewest]: &mut [(N, u64); 2], name: N, count: u64) {
    if count > most.1 {
        *most = (name, count);
    } else if count < fewest.1 {
        *fewest = (name, count);
    }
}

/// Returns the most unevenly assigned seat, if any is uneven. `counts` holds each name's counts by seat.
pub fn max_uneven<'c>(
    what: Seated,
    counts: impl IntoIterator<Item = (&'c str, &'c [u64])>,
) -> Option<Uneven> {
    let mut extremes: Vec<[(&str, u64); 2]> = Vec::new();
    for (name, counts) in counts {
        for (number, count) in counts.iter().enumerate() {
            if extremes.len() == number {
                extremes.push([(name, *count); 2]);
            }
            widen(&mut extremes[number], name, *count);
        }
    }
    let uneven = extremes.into_iter().zip(1..).filter(|([most, fewest], _)| is_uneven(most.1, fewest.1));
    // The clearest example has the lowest ratio of the fewest games to the most.
    let ratio = |[most, fewest]: [(&str, u64); 2]| fewest.1 as f64 / most.1 as f64;
    let ([most, fewest], number) = uneven.min_by(|one, other| ratio(one.0).total_cmp(&ratio(other.0)))?;
    let owned = |(name, count): (&str, u64)| (name.to_owned(), count);
    Some(Uneven::Seats { what, number, most: owned(most), fewest: owned(fewest) })
}

/// Returns the pairs that met most and least often, if their counts are uneven.
pub fn max_uneven_meetings<'c>(counts: impl IntoIterator<Item = ([&'c str; 2], u64)>) -> Option<Uneven> {
    let mut extreme: Option<[([&str; 2], u64); 2]> = None;
    for (pair, count) in counts {
        widen(extreme.get_or_insert([(pair, count); 2]), pair, count);
    }
    let [most, fewest] = extreme.filter(|[most, fewest]| is_uneven(most.1, fewest.1))?;
    let owned = |([one, other], count): ([&str; 2], u64)| ([one.to_owned(), other.to_owned()], count);
    Some(Uneven::Meetings { most: owned(most), fewest: owned(fewest) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(counts: &[(&str, [u64; 3])], expected: &str) {
        let uneven = max_uneven(Seated::Seats, counts.iter().map(|(name, counts)| (*name, &counts[..])));
        assert_eq!(uneven.map_or_else(String::new, |uneven| uneven.to_string()), expected);
    }

    #[test]
    fn the_clearest_example_of_an_uneven_seat_is_reported() {
        check(&[("a", [4, 4, 4]), ("b", [4, 4, 4])], "");
        check(&[("a", [4, 3, 4]), ("b", [3, 4, 4])], "");
        check(
            &[("a", [8, 4, 5]), ("b", [5, 3, 4]), ("c", [6, 6, 4])],
            "seats are not balanced: `c` has seat 2 in 6 games, `b` in 3",
        );
        check(
            &[("a", [2, 0, 0]), ("b", [0, 2, 2])],
            "seats are not balanced: `a` has seat 1 in 2 games, `b` in none",
        );
        // Three games in a thousand are no advantage.
        check(&[("a", [1_003, 1_000, 1_000]), ("b", [1_000, 1_003, 1_000])], "");
    }

    #[test]
    fn uneven_meetings_of_opponents_are_reported() {
        let counts = [(["a", "b"], 6), (["a", "c"], 2), (["b", "c"], 4)];
        assert_eq!(
            max_uneven_meetings(counts).map(|uneven| uneven.to_string()).as_deref(),
            Some("opponents are not balanced: `a` and `b` meet in 6 games, `a` and `c` in 2")
        );
        assert_eq!(max_uneven_meetings([(["a", "b"], 6), (["a", "c"], 5)]), None);
    }
}
