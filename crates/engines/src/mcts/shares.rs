//! The value of a position for all sides.

use arrayvec::ArrayVec;

use linesman_games::Rules;
use linesman_types::seat::{BySeat, MAX_SEATS, Place, Seat, Side, Teams};

/// The value of a position for each side: the share of its opponents that it has beaten or is expected to beat, from 0
/// to 1.
///
/// With two sides the shares add up to 1, with more sides they need not.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub(super) struct Shares([f32; MAX_SEATS]);

impl Shares {
    pub(super) fn of(&self, side: Side) -> f32 {
        self.0[side.index()]
    }

    pub(super) fn plus(self, other: Shares) -> Shares {
        Shares(std::array::from_fn(|index| self.0[index] + other.0[index]))
    }

    pub(super) fn times(self, factor: f32) -> Shares {
        Shares(self.0.map(|share| share * factor))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Judge {
    teams: Teams,
    max_plies: Option<u32>,
    /// The lead that means odds of e to 1, in hundredths.
    scale: f32,
    /// The side that avoids draws by endless play, and its share in one.
    contempt: (Side, f32),
}

impl Judge {
    /// Creates a judge of games that are over at `max_plies`.
    pub(super) fn new(teams: Teams, max_plies: Option<u32>, scale: f32) -> Judge {
        Judge { teams, max_plies, scale, contempt: (Side::from_index(0), 0.5) }
    }

    /// The same judge with this share for the side of `seat` in a draw by endless play.
    pub(super) fn with_contempt(self, seat: Seat, share: f32) -> Judge {
        Judge { contempt: (self.teams.side(seat), share), ..self }
    }

    /// These shares with another share for one side. The difference is divided equally among the others.
    pub(super) fn shifted(&self, shares: Shares, side: Side, share: f32) -> Shares {
        let sides = self.teams.sides();
        let rest = (shares.of(side) - share) / (sides - 1).max(1) as f32;
        let mut shifted = shares;
        shifted.0[..sides].iter_mut().for_each(|share| *share += rest);
        shifted.0[side.index()] = share;
        shifted
    }

    pub(super) fn side(&self, seat: Seat) -> Side {
        self.teams.side(seat)
    }

    /// The shares in a position in which the game is over by the rules or by the limit on plies; `None` if it is not
    /// over.
    pub(super) fn ended<R: Rules>(&self, rules: &R, position: &R::Position) -> Option<Shares> {
        if rules.is_over(position) {
            return rules.ending(position).map(|ending| self.placed(&ending.places));
        }
        (rules.ply(position) >= self.max_plies?).then(|| self.tied(rules, position))
    }

    /// The shares if a limit on endless play ends the game here.
    pub(super) fn tied<R: Rules>(&self, rules: &R, position: &R::Position) -> Shares {
        let scores = rules.tie_break_scores(position);
        let shares = self.placed(&BySeat::by_measure(&self.teams, |seat| scores[seat]));
        let (side, share) = self.contempt;
        // The others are assumed to seek the draw that this side avoids.
        if shares.of(side) == 0.5 { self.shifted(shares, side, share) } else { shares }
    }

    fn placed(&self, places: &BySeat<Place>) -> Shares {
        let mut shares = Shares::default();
        for (seat, _) in places.iter() {
            shares.0[self.teams.side(seat).index()] = places.score(&self.teams, seat) as f32;
        }
        shares
    }

    /// The expected shares in a position that is not over, by the rules' evaluation.
    pub(super) fn outlook<R: Rules>(&self, rules: &R, position: &R::Position) -> Shares {
        let values = self.values(rules, position);
        let mut shares = Shares::default();
        for one in 0..values.len() {
            for other in 0..one {
                let share = expected_share((values[one] - values[other]) / (2.0 * self.scale));
                shares.0[one] += share;
                shares.0[other] += 1.0 - share;
            }
        }
        shares.times(1.0 / (values.len() - 1).max(1) as f32)
    }

    /// The lead between each pair of sides, in hundredths.
    pub(super) fn leads<R: Rules>(&self, rules: &R, position: &R::Position) -> impl Iterator<Item = f32> {
        let values = self.values(rules, position);
        let pairs = (0..values.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        pairs.map(move |(one, other)| (values[one] - values[other]).abs() / 2.0)
    }

    /// The odds of each side, or its evaluation if the rules do not know odds. A side has the value of its best seat.
    fn values<R: Rules>(&self, rules: &R, position: &R::Position) -> ArrayVec<f32, MAX_SEATS> {
        let mut values: ArrayVec<f32, MAX_SEATS> =
            std::iter::repeat_n(f32::NEG_INFINITY, self.teams.sides()).collect();
        let judged = rules.odds(position).unwrap_or_else(|| rules.evaluate(position));
        for (seat, value) in judged.iter() {
            let best = &mut values[self.teams.side(seat).index()];
            *best = best.max(*value as f32);
        }
        values
    }

    /// Converts a share into hundredths of an evaluation.
    pub(super) fn hundredths(&self, share: f32) -> f32 {
        let share = share.clamp(1e-6, 1.0 - 1e-6);
        self.scale * (share / (1.0 - share)).ln()
    }
}

/// The logistic function, which converts a lead into an expected share.
fn expected_share(lead: f32) -> f32 {
    1.0 / (1.0 + (-lead).exp())
}
