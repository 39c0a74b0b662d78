//! Adjudication of games before their end, when both sides' scores agree on the result.
//!
//! Only games with two sides are adjudicated. The last `info score cp` that a bot prints for
//! each of its moves counts, in hundredths from its own point of view. A move without a score
//! restarts the count.

use crate::seat::{BySeat, Place, Seat, Side, Teams};

/// The rule by which the bots' scores decide a game.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct ScoreRule {
    /// The rule for a win; none if wins are not adjudicated.
    pub win: Option<WinRule>,
    /// The rule for a draw; none if draws are not adjudicated.
    pub draw: Option<DrawRule>,
}

/// The scores with which both sides agree that one of them wins.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct WinRule {
    /// Minimum score of the winners; its negative is the maximum score of the losers.
    pub score: u32,
    /// Number of moves in a row with these scores from each bot; at least 1.
    pub moves: u32,
}

/// The scores with which both sides agree that the game is even.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct DrawRule {
    /// Maximum absolute value of each bot's score.
    pub score: u32,
    /// Number of moves in a row with these scores from each bot; at least 1.
    pub moves: u32,
    /// Minimum number of plies played in the game.
    pub from: u32,
}

impl ScoreRule {
    /// Returns true if there is a rule.
    pub fn is_on(&self) -> bool {
        self.win.is_some() || self.draw.is_some()
    }
}

/// The adjudicated result of a game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Decision {
    /// The place of every seat.
    pub places: BySeat<Place>,
    /// The reason, for people: a clause without a full stop.
    pub why: String,
}

/// The scores that the bots of a game report.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Scores {
    rule: ScoreRule,
    teams: Teams,
    by_seat: BySeat<Streaks>,
}

/// A bot's number of latest moves in a row with a score of each kind.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
struct Streaks {
    winning: u32,
    losing: u32,
    even: u32,
    /// The score of its last move.
    last: Option<i64>,
}

impl Streaks {
    fn count(&mut self, rule: &ScoreRule, score: Option<i64>) {
        let count = |number: &mut u32, holds: bool| {
            *number = if holds { number.saturating_add(1) } else { 0 };
        };
        let holds = |test: fn(i64, i64) -> bool, bound: Option<u32>| {
            score.zip(bound).is_some_and(|(score, bound)| test(score, i64::from(bound)))
        };
        let win = rule.win.map(|rule| rule.score);
        count(&mut self.winning, holds(|score, bound| score >= bound, win));
        count(&mut self.losing, holds(|score, bound| score <= -bound, win));
        let draw = rule.draw.map(|rule| rule.score);
        count(&mut self.even, holds(|score, bound| (-bound..=bound).contains(&score), draw));
        self.last = score;
    }
}

impl Scores {
    /// Makes the state before the first move.
    pub fn new(rule: ScoreRule, teams: &Teams) -> Scores {
        Scores { rule, teams: teams.clone(), by_seat: BySeat::from_fn(teams.seats(), |_| Streaks::default()) }
    }

    /// Adds a seat's move, after which the game has `plies` plies, with its score. Returns the decision if the
    /// scores decide the game.
    pub fn played(&mut self, seat: Seat, score: Option<i64>, plies: u32) -> Option<Decision> {
        if !self.rule.is_on() || self.teams.sides() != 2 {
            return None;
        }
        self.by_seat.get_mut(seat)?.count(&self.rule, score);
        self.won().or_else(|| self.drawn(plies))
    }

    fn won(&self) -> Option<Decision> {
        let rule = self.rule.win?;
        let agrees = |winner: Side, seat: Seat, streaks: &Streaks| {
            let streak = if self.teams.side(seat) == winner { streaks.winning } else { streaks.losing };
            streak >= rule.moves
        };
        let winner = (0..2)
            .map(Side::from_index)
            .find(|side| self.by_seat.iter().all(|(seat, streaks)| agrees(*side, seat, streaks)))?;
        Some(Decision {
            places: BySeat::by_measure(&self.teams, |seat| self.teams.side(seat) == winner),
            why: format!(
                "both sides reported a win by {} or more for {}; {}",
                rule.score,
                in_a_row(rule.moves),
                self.last_scores()
            ),
        })
    }

    fn drawn(&self, plies: u32) -> Option<Decision> {
        let rule = self.rule.draw.filter(|rule| plies >= rule.from)?;
        self.by_seat.values().all(|streaks| streaks.even >= rule.moves).then(|| Decision {
            places: BySeat::all_tied(&self.teams),
            why: format!(
                "both sides reported a lead of at most {} for {}; {}",
                rule.score,
                in_a_row(rule.moves),
                self.last_scores()
            ),
        })
    }

    /// Returns the last scores of all seats, in seat order: `last scores 650, -700`.
    fn last_scores(&self) -> String {
        let scores: Vec<String> =
            self.by_seat.values().filter_map(|streaks| Some(streaks.last?.to_string())).collect();
        format!("last scores {}", scores.join(", "))
    }
}

fn in_a_row(moves: u32) -> String {
    if moves == 1 { "one move".to_owned() } else { format!("{moves} moves in a row") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: ScoreRule = ScoreRule { win: Some(WinRule { score: 500, moves: 2 }), draw: None };
    const DRAW: ScoreRule = ScoreRule { win: None, draw: Some(DrawRule { score: 10, moves: 2, from: 6 }) };

    /// Checks the number of moves after which the game is decided, and the places. The seats
    /// move in turn.
    #[track_caller]
    fn check(rule: ScoreRule, teams: &Teams, scores: &[Option<i64>], expected: Option<(usize, &str)>) {
        let mut state = Scores::new(rule, teams);
        let mut found = None;
        for (index, score) in scores.iter().enumerate() {
            let seat = Seat::from_index(index % teams.seats());
            if let Some(decision) = state.played(seat, *score, index as u32 + 1) {
                let places: Vec<String> = decision.places.values().map(ToString::to_string).collect();
                found = Some((index + 1, places.join(",")));
                break;
            }
        }
        assert_eq!(found, expected.map(|(at, places)| (at, places.to_owned())));
    }

    fn reported(scores: &[i64]) -> Vec<Option<i64>> {
        scores.iter().copied().map(Some).collect()
    }

    #[test]
    fn a_win_takes_both_sides_and_enough_moves_in_a_row() {
        let two = Teams::singles(2);
        check(WIN, &two, &reported(&[500, -500, 600, -700]), Some((4, "1,2")));
        check(WIN, &two, &reported(&[-900, 501, -500, 500]), Some((4, "2,1")));
        // One side alone decides nothing, nor do two that both report a win.
        check(WIN, &two, &reported(&[900, -100, 900, -100, 900, -100]), None);
        check(WIN, &two, &reported(&[900, 900, 900, 900, 900, 900]), None);
        check(WIN, &two, &reported(&[499, -500, 499, -500]), None);
        // A score below the minimum restarts the count.
        check(WIN, &two, &reported(&[500, -500, 500, -499, 500, -500, 500, -500]), Some((8, "1,2")));
        check(WIN, &two, &[Some(500), Some(-500), None, Some(-500), Some(500), Some(-500)], None);
    }

    #[test]
    fn a_draw_takes_both_sides_and_enough_plies() {
        let two = Teams::singles(2);
        check(DRAW, &two, &reported(&[0, 0, 0, 0, 0, 0]), Some((6, "1,1")));
        check(DRAW, &two, &reported(&[90, 90, 90, 10, -10, 10, 3, 0]), Some((7, "1,1")));
        check(DRAW, &two, &reported(&[0, 0, 0, 0, 11, 0, 0, -11]), None);
        check(DRAW, &two, &[Some(0); 5], None);
    }

    #[test]
    fn every_bot_of_a_team_must_agree() {
        let four = Teams::opposite_pairs();
        check(WIN, &four, &reported(&[500, -500, 500, -500, 500, -500, 500, -500]), Some((8, "1,2,1,2")));
        check(WIN, &four, &reported(&[500, -500, 0, -500, 500, -500, 0, -500]), None);
    }

    #[test]
    fn only_two_sides_and_a_rule_decide_a_game() {
        check(WIN, &Teams::singles(3), &reported(&[900, -900, -900, 900, -900, -900]), None);
        check(ScoreRule::default(), &Teams::singles(2), &reported(&[0, 0, 0, 0, 0, 0]), None);
    }

    #[test]
    fn the_reason_lists_the_last_scores_in_seat_order() {
        let two = Teams::singles(2);
        let why = |rule, scores: &[i64]| {
            let mut state = Scores::new(rule, &two);
            let mut decisions = (1..).zip(scores).filter_map(|(ply, score)| {
                state.played(Seat::from_index((ply as usize - 1) % 2), Some(*score), ply)
            });
            decisions.next().unwrap().why
        };
        let expected = "both sides reported a win by 500 or more for 2 moves in a row; last scores 640, -505";
        assert_eq!(why(WIN, &[500, -500, 640, -505]), expected);
        let expected = "both sides reported a lead of at most 10 for 2 moves in a row; last scores 3, -4";
        assert_eq!(why(DRAW, &[0, 0, 0, 0, 3, -4]), expected);
    }

    #[test]
    fn extreme_scores_do_not_overflow() {
        let wide = ScoreRule { win: Some(WinRule { score: u32::MAX, moves: 1 }), draw: None };
        check(wide, &Teams::singles(2), &reported(&[i64::MAX, i64::MIN]), Some((2, "1,2")));
    }
}
