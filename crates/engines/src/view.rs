//! The value of positions for one side.

use linesman_games::Rules;
use linesman_types::seat::{BySeat, Place, Seat, Side, Teams};

/// The value of a won game. Evaluations of positions in which the game is not over are far lower.
pub(super) const WIN: i32 = 1_000_000;

/// The maximum value of a position in which the game is not over.
const MAX_EVALUATION: i32 = 500_000;

/// The interests of one side against all others together.
///
/// With two sides this is the usual zero-sum view. With more, the others are assumed to play together (the paranoid
/// assumption). The resulting value is a lower bound on what the side can achieve, and good enough for a search.
#[derive(Clone, Debug)]
pub(super) struct SideView {
    teams: Teams,
    side: Side,
    max_plies: Option<u32>,
    contempt: i32,
}

impl SideView {
    /// Creates the view of the side for which `seat` plays, in a game that is over at `max_plies`.
    pub(super) fn new(teams: Teams, seat: Seat, max_plies: Option<u32>) -> SideView {
        let side = teams.side(seat);
        SideView { teams, side, max_plies, contempt: 0 }
    }

    /// The same view, in which a draw by endless play is worth this much less than an even position.
    pub(super) fn with_contempt(self, contempt: i32) -> SideView {
        SideView { contempt, ..self }
    }

    /// True if a seat plays for this side.
    pub(super) fn is_own(&self, seat: Seat) -> bool {
        self.teams.side(seat) == self.side
    }

    /// The value of the end of a game: [`WIN`] if the side has beaten all others, `-WIN` if it has beaten none.
    fn value(&self, places: &BySeat<Place>) -> i32 {
        let seat = self.teams.members(self.side).next().expect("every side has a seat");
        ((places.score(&self.teams, seat) * 2.0 - 1.0) * f64::from(WIN)).round() as i32
    }

    /// The value of a position in which the game is over by the rules or by the limit on plies; `None` if it is not
    /// over.
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

    pub(super) fn evaluation<R: Rules>(&self, rules: &R, position: &R::Position) -> i32 {
        let values = rules.evaluate(position);
        let best = |own: bool| {
            let seats = values.iter().filter(|(seat, _)| self.is_own(*seat) == own);
            seats.map(|(_, value)| i64::from(*value)).max().unwrap_or(0)
        };
        let value = (best(true) - best(false)) / 2;
        value.clamp(i64::from(-MAX_EVALUATION), i64::from(MAX_EVALUATION)) as i32
    }
}
