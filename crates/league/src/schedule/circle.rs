//! The order of play of one round with two sides, computed in both directions: the pair at a place, and the
//! place of a pair.
//!
//! It uses the circle method: on each day every bot plays once, and the first move alternates; then the same days
//! follow with the sides exchanged.

/// The circle method. All bots except the last form a circle of odd length. On day `d` the bot at `d` plays the
/// last one, and the bots `k` steps to either side of it play each other. With an odd number of bots, all bots
/// form the circle, and the bot at `d` has a day off.
#[derive(Clone, Debug)]
pub(super) struct Circle {
    pub bots: usize,
}

impl Circle {
    /// The length of the circle, which is odd, and the number of days.
    fn days(&self) -> usize {
        if self.bots.is_multiple_of(2) { self.bots - 1 } else { self.bots }
    }

    fn games_per_day(&self) -> usize {
        self.bots / 2
    }

    /// Returns the pair whose bots are `k` steps from the bot at `day`, in the seat order of the first half of the
    /// round. `k` = 0 is the game against the last bot.
    ///
    /// When the day advances by one, a bot's distance from it changes by one, so seats that depend on the
    /// parity of `k` alternate.
    fn pair(&self, day: usize, k: usize) -> (usize, usize) {
        let days = self.days();
        let (ahead, behind) = match k {
            0 => (self.bots - 1, day),
            _ => ((day + k) % days, (day + days - k) % days),
        };
        let ahead_first = if k == 0 { day.is_multiple_of(2) } else { !k.is_multiple_of(2) };
        if ahead_first { (ahead, behind) } else { (behind, ahead) }
    }

    /// The smallest `k` of a day: `k` = 0 has a game only if the number of bots is even.
    fn first_step(&self) -> usize {
        self.bots % 2
    }

    /// Returns the pair at a place of the round, with the bot that begins first.
    pub(super) fn pair_at(&self, place: u64) -> [usize; 2] {
        let index = place as usize;
        let half = self.days() * self.games_per_day();
        let (day, game) = (index % half / self.games_per_day(), index % self.games_per_day());
        let (first, second) = self.pair(day, game + self.first_step());
        if index < half { [first, second] } else { [second, first] }
    }

    /// Returns the place of the game that `first` begins against `second`.
    pub(super) fn place(&self, first: usize, second: usize) -> u64 {
        let days = self.days();
        let last = self.bots - 1;
        let (day, k) = if self.first_step() == 0 && (first == last || second == last) {
            (first.min(second), 0)
        } else {
            // The day is midway between the two: half their sum modulo the odd length of the circle, for which
            // (days + 1) / 2 is the inverse of 2.
            let day = (first + second) % days * days.div_ceil(2) % days;
            let ahead = (first + days - day) % days;
            (day, ahead.min(days - ahead))
        };
        let half = if self.pair(day, k) == (first, second) { 0 } else { days * self.games_per_day() };
        (half + day * self.games_per_day() + k - self.first_step()) as u64
    }
}
