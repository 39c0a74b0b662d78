//! Games that the referee decides before their rules do, because both sides agree
//! on the result.
//!
//! Only games of two sides are decided in this way. The last `info score cp` that a bot
//! prints for each of its moves counts, from its own point of view, in hundredths.
//! A move without a score ends an agreement.

use crate::seat::{BySeat, Place, Seat, Side, Teams};

/// The rule by which the bots' scores decide a game.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct ScoreRule {
    /// The rule for a win; none = never.
    pub win: Option<WinRule>,
    /// The rule for a draw; none = never.
    pub draw: Option<DrawRule>,
}

/// A side has won once both sides say so.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct WinRule {
    /// Minimum score of the winners. The losers report at most its negative.
    pub score: u32,
    /// Number of moves in a row for which each bot reports such a score; at least 1.
    pub moves: u32,
}

/// The game is drawn once both sides say that they are even.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct DrawRule {
    /// Maximum distance from 0 of each bot's score.
    pub score: u32,
    /// Number of moves in a row for which each bot reports such a score; at least 1.
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

/// A game that is decided.
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
    by_seat: BySeat<InARow>,
}

/// The number of a bot's latest moves in a row with a score of each kind.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
struct InARow {
    winning: u32,
    losing: u32,
    even: u32,
    /// The score with its last move.
    last: Option<i64>,
}

impl InARow {
    fn count(&mut self, rule: &ScoreRule, score: Option<i64>) {
        let count = |number: &mut u32, holds: bool| {
            *number = if holds { number.saturating_add(1) } else { 0 };
        };
        let holds = |is_so: fn(i64, i64) -> bool, bound: Option<u32>| {
            score.zip(bound).is_some_and(|(score, bound)| is_so(score, i64::from(bound)))
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
    /// The state before the first move.
    pub fn new(rule: ScoreRule, teams: &Teams) -> Scores {
        Scores { rule, teams: teams.clone(), by_seat: BySeat::from_fn(teams.seats(), |_| InARow::default()) }
    }

    /// Adds a seat's move, after which the game has `plies` plies, and the score reported with it. Returns the
    /// decision, if the scores decide the game.
    pub fn played(&mut self, seat: Seat, score: Option<i64>, plies: u32) -> Option<Decision> {
        if !self.rule.is_on() || self.teams.sides() != 2 {
            return None;
        }
        self.by_seat.get_mut(seat)?.count(&self.rule, score);
        self.won().or_else(|| self.drawn(plies))
    }

    fn won(&self) -> Option<Decision> {
        let rule = self.rule.win?;
        let says = |side: Side, seat: Seat, said: &InARow| {
            let own = if self.teams.side(seat) == side { said.winning } else { said.losing };
            own >= rule.moves
        };
        let winner = (0..2)
            .map(Side::from_index)
            .find(|side| self.by_seat.iter().all(|(seat, said)| says(*side, seat, said)))?;
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
        self.by_seat.values().all(|said| said.even >= rule.moves).then(|| Decision {
            places: BySeat::all_tied(&self.teams),
            why: format!(
                "both sides reported a lead of at most {} for {}; {}",
                rule.score,
                in_a_row(rule.moves),
                self.last_scores()
            ),
        })
    }

    /// The last scores of all seats, in seat order: `last scores 650, -700`.
    fn last_scores(&self) -> String {
        let scores: Vec<String> =
            self.by_seat.values().filter_map(|said| Some(said.last?.to_string())).collect();
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

    /// After which of these moves the game is decided, and how. The seats move
    /// in turn; the first move is ply 1.
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

    fn said(scores: &[i64]) -> Vec<Option<i64>> {
        scores.iter().copied().map(Some).collect()
    }

    #[test]
    fn a_win_takes_both_sides_and_so_many_moves_in_a_row() {
        let two = Teams::singles(2);
        check(WIN, &two, &said(&[500, -500, 600, -700]), Some((4, "1,2")));
        check(WIN, &two, &said(&[-900, 501, -500, 500]), Some((4, "2,1")));
        // One alone decides nothing, and neither do two who both think they win.
        check(WIN, &two, &said(&[900, -100, 900, -100, 900, -100]), None);
        check(WIN, &two, &said(&[900, 900, 900, 900, 900, 900]), None);
        check(WIN, &two, &said(&[499, -500, 499, -500]), None);
        // Who doubts begins anew.
        check(WIN, &two, &said(&[500, -500, 500, -499, 500, -500, 500, -500]), Some((8, "1,2")));
        check(WIN, &two, &[Some(500), Some(-500), None, Some(-500), Some(500), Some(-500)], None);
    }

    #[test]
    fn a_draw_takes_both_sides_and_is_not_too_early() {
        let two = Teams::singles(2);
        check(DRAW, &two, &said(&[0, 0, 0, 0, 0, 0]), Some((6, "1,1")));
        check(DRAW, &two, &said(&[90, 90, 90, 10, -10, 10, 3, 0]), Some((7, "1,1")));
        check(DRAW, &two, &said(&[0, 0, 0, 0, 11, 0, 0, -11]), None);
        check(DRAW, &two, &[Some(0); 5], None);
    }

    #[test]
    fn of_teams_every_bot_has_its_word() {
        let four = Teams::opposite_pairs();
        check(WIN, &four, &said(&[500, -500, 500, -500, 500, -500, 500, -500]), Some((8, "1,2,1,2")));
        check(WIN, &four, &said(&[500, -500, 0, -500, 500, -500, 0, -500]), None);
    }

    #[test]
    fn more_than_two_sides_decide_nothing() {
        check(WIN, &Teams::singles(3), &said(&[900, -900, -900, 900, -900, -900]), None);
        check(ScoreRule::default(), &Teams::singles(2), &said(&[0, 0, 0, 0, 0, 0]), None);
    }

    #[test]
    fn the_scores_that_agreed_are_told_in_seat_order() {
        let two = Teams::singles(2);
        let why = |rule, scores: &[i64]| {
            let mut state = Scores::new(rule, &two);
            let mut decisions = (1..).zip(scores).filter_map(|(ply, score)| {
                state.played(Seat::from_index((ply as usize - 1) % 2), Some(*score), ply)
            });
            decisions.next().unwrap().why
        };
        let said = "both sides reported a win by 500 or more for 2 moves in a row; last scores 640, -505";
        assert_eq!(why(WIN, &[500, -500, 640, -505]), said);
        let said = "both sides reported a lead of at most 10 for 2 moves in a row; last scores 3, -4";
        assert_eq!(why(DRAW, &[0, 0, 0, 0, 3, -4]), said);
    }

    #[test]
    fn extreme_scores_are_scores() {
        let wide = ScoreRule { win: Some(WinRule { score: u32::MAX, moves: 1 }), draw: None };
        check(wide, &Teams::singles(2), &said(&[i64::MAX, i64::MIN]), Some((2, "1,2")));
    }
}
