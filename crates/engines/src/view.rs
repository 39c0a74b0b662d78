//! The value of positions for one side, as one number.

use linesman_games::Rules;
use linesman_types::seat::{BySeat, Place, Seat, Side, Teams};

/// The value of a game that is won. Evaluations of positions in which the game
/// goes on stay far below.
pub(super) const WIN: i32 = 1_000_000;

/// The greatest value of a position that is not over.
const MOST: i32 = 500_000;

/// The interests of one side, against all others together.
///
/// With two sides that is the usual zero-sum view. With more, the others are
/// taken to play as one (the paranoid assumption): a bound on what the side
/// can hold, and good enough to search by.
#[derive(Clone, Debug)]
pub(super) struct SideView {
    teams: Teams,
    side: Side,
    max_plies: Option<u32>,
    contempt: i32,
}

impl SideView {
    /// The view of the side for which `seat` plays. The game is over at `max_plies`.
    pub(super) fn new(teams: Teams, seat: Seat, max_plies: Option<u32>) -> SideView {
        let side = teams.side(seat);
        SideView { teams, side, max_plies, contempt: 0 }
    }

    /// The same view, in which an endless game is worth this much less than an
    /// even position.
    pub(super) fn with_contempt(self, contempt: i32) -> SideView {
        SideView { contempt, ..self }
    }

    /// True if a seat plays for this side.
    pub(super) fn is_own(&self, seat: Seat) -> bool {
        self.teams.side(seat) == self.side
    }

    /// The value of the end of a game: [`WIN`] if all others are beaten, `-WIN` if none is.
    fn value(&self, places: &BySeat<Place>) -> i32 {
        let seat = self.teams.members(self.side).next().expect("every side has a seat");
        ((places.score(&self.teams, seat) * 2.0 - 1.0) * f64::from(WIN)).round() as i32
    }

    /// The value of the position if the game is over there, by its rules or by its length.
    pub(super) fn ended<R: Rules>(&self, rules: &R, position: &R::Position) -> Option<i32> {
        if rules.is_over(position) {
            return rules.ending(position).map(|ending| self.value(&ending.places));
        }
        (rules.ply(position) >= self.max_plies?).then(|| self.tied(rules, position))
    }

    /// The value of the position if a limit on endless play ends the game there.
    pub(super) fn tied<R: Rules>(&self, rules: &R, position: &R::Position) -> i32 {
        let scores = rules.tie_break_scores(position);
        let value = self.value(&BySeat::by_measure(&self.teams, |seat| scores[seat]));
        if value == 0 { -self.contempt } else { value }
    }

    /// The evaluation of a position that is not over.
    pub(super) fn evaluation<R: Rules>(&self, rules: &R, position: &R::Position) -> i32 {
        let values = rules.evaluate(position);
        let best = |own: bool| {
            let seats = values.iter().filter(|(seat, _)| self.is_own(*seat) == own);
            seats.map(|(_, value)| i64::from(*value)).max().unwrap_or(0)
        };
        let value = (best(true) - best(false)) / 2;
        value.clamp(i64::from(-MOST), i64::from(MOST)) as i32
    }
}
