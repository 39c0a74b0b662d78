//! From results to ratings: groups, prior, gauge, intervals.

use super::ELO_PER_NATURAL;
use super::connection::{comparable_sets, groups};
use super::likelihood::{Fit, NotConverged, Phantom, fit, log_logistic};
use super::options::{LikelihoodOptions, Prior};
use super::ratings::{
    FieldNote, Interval, Located, Method, Note, Rating, Ratings, SeatAdvantage, around, error,
    normal_quantile,
};
use super::results::{Field, Meeting, Results, Table, Tally, Total};
use super::tables::{self, TableFit};

/// Why there are no ratings.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RatingError {
    /// The anchor plays in no game.
    #[error("the anchor `{name}` has no games")]
    AnchorWithoutGames {
        /// The anchor.
        name: String,
    },
    /// The anchor's results give no finite rating, and there is no prior.
    #[error("the results of the anchor `{name}` give no finite distance to the others")]
    AnchorUnplaced {
        /// The anchor.
        name: String,
    },
    /// A number that must be finite is not.
    #[error("{what} must be a finite number, not `{value}`")]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// What it is.
        value: f64,
    },
    /// The search for the maximum did not end.
    #[error("the ratings of {bots} bots did not converge")]
    NotConverged {
        /// How many bots were being rated together.
        bots: usize,
    },
}

/// Rates all bots by maximum likelihood.
///
/// Bots not connected by games are rated apart, each group around
/// [its own mean](LikelihoodOptions::mean). The mean of the rated bots of a group
/// is exactly that, or the anchor's rating exactly what was given.
///
/// # Errors
/// If the anchor can't serve as one, a number is not finite, or the search does not end.
///
/// ```
/// use linesman::rating::{LikelihoodOptions, Results, Tally, rate};
///
/// let mut results = Results::new();
/// results.add_tally("Ada", "Bob", Tally { wins: 30, draws: 0, losses: 10 });
/// let ratings = rate(&results, &LikelihoodOptions::default())?;
/// let difference = ratings.difference(0, 1).expect("both are rated");
/// // Three points in four: 400 log10 3.
/// assert!((difference.elo - 190.85).abs() < 0.01);
/// # Ok::<(), linesman::rating::RatingError>(())
/// ```
pub fn rate(results: &Results, options: &LikelihoodOptions) -> Result<Ratings, RatingError> {
    finite("the mean", options.mean)?;
    if let Some(anchor) = &options.anchor {
        finite("the anchor's rating", anchor.elo)?;
    }
    let field = results.field();
    let totals = field.totals();
    let mut ratings = unrated(&field, &totals, Method::Likelihood(options.clone()), results.self_games());
    let anchor = match &options.anchor {
        Some(anchor) => match field.names.binary_search(&anchor.name) {
            Ok(bot) if totals[bot].tally.games() > 0 => Some(bot),
            _ => return Err(RatingError::AnchorWithoutGames { name: anchor.name.clone() }),
        },
        None => None,
    };
    for (number, members) in groups(&field).iter().enumerate() {
        let group = Group::new(number + 1, members, &field);
        group.rate(options, anchor, &totals, &mut ratings)?;
    }
    ratings.sort();
    Ok(ratings)
}

fn finite(what: &'static str, value: f64) -> Result<(), RatingError> {
    if value.is_finite() { Ok(()) } else { Err(RatingError::NotFinite { what, value }) }
}

/// Rows in the order of the field, with all that is known without a method.
pub(super) fn unrated(field: &Field, totals: &[Total], method: Method, self_games: u64) -> Ratings {
    let groups = groups(field);
    let mut group_of = vec![None; field.names.len()];
    for (number, members) in groups.iter().enumerate() {
        for &bot in members {
            group_of[bot] = Some(number + 1);
        }
    }
    let mut notes = Vec::new();
    let named = |members: &[usize]| members.iter().map(|bot| field.names[*bot].clone()).collect();
    for (number, members) in groups.iter().enumerate().skip(1) {
        notes.push(FieldNote::Unconnected { group: number + 1, bots: named(members) });
    }
    let idle: Vec<usize> = (0..totals.len()).filter(|bot| totals[*bot].tally.games() == 0).collect();
    if !idle.is_empty() {
        notes.push(FieldNote::NoGames { bots: named(&idle) });
    }
    if self_games > 0 {
        notes.push(FieldNote::SelfPlay { games: self_games });
    }
    let rows = (field.names.iter().zip(totals).zip(&group_of))
        .map(|((name, total), group)| Rating {
            name: name.clone(),
            elo: None,
            interval: None,
            tally: total.tally,
            points: total.points,
            group: *group,
            note: group.is_none().then_some(Note::NoGames),
        })
        .collect::<Vec<_>>();
    Ratings {
        located: vec![None; rows.len()],
        rows,
        covariances: Vec::new(),
        method,
        groups: groups.len(),
        notes,
        seats: Vec::new(),
    }
}

/// Bots connected by games; within, a bot is known by its index among `members`.
struct Group<'a> {
    number: usize,
    members: &'a [usize],
    meetings: Vec<Meeting>,
    tables: Vec<Table>,
}

impl<'a> Group<'a> {
    fn new(number: usize, members: &'a [usize], field: &Field) -> Group<'a> {
        let meetings = within(members, &field.meetings);
        let place = places_of(members);
        let tables = field.tables.iter().filter_map(|table| table.among(&place)).collect();
        Group { number, members, meetings, tables }
    }

    fn rate(
        &self,
        options: &LikelihoodOptions,
        anchor: Option<usize>,
        totals: &[Total],
        ratings: &mut Ratings,
    ) -> Result<(), RatingError> {
        let own_anchor = anchor.and_then(|anchor| self.members.binary_search(&anchor).ok());
        if anchor.is_some() && own_anchor.is_none() {
            ratings.notes.push(FieldNote::WithoutAnchor { group: self.number });
        }
        let sets = comparable_sets(self.members.len(), &self.meetings);
        let everybody: Vec<usize> = (0..self.members.len()).collect();
        match (sets.as_slice(), options.prior) {
            // With more seats points both ways are necessary, but not always enough.
            ([_], Prior::Auto) if !self.tables.is_empty() => {
                match self.write(&everybody, Phantom::Absent, options, own_anchor, ratings) {
                    Err(RatingError::NotConverged { .. }) => {
                        ratings.notes.push(FieldNote::PriorUsed { group: self.number });
                        self.write(&everybody, Phantom::AtMean, options, own_anchor, ratings)
                    }
                    written => written,
                }
            }
            ([_], _) => self.write(&everybody, Phantom::Absent, options, own_anchor, ratings),
            (sets, Prior::Auto) => {
                ratings.notes.push(FieldNote::PriorUsed { group: self.number });
                self.write(&everybody, Phantom::AtMean, options, own_anchor, ratings)?;
                self.note_prior(sets, totals, ratings);
                Ok(())
            }
            (sets, Prior::None) => {
                // The distance between comparable sets is unknown: the largest is rated.
                let core: &[usize] = if sets[0].len() > 1 { &sets[0] } else { &[] };
                if let (Some(anchor), Some(given)) = (own_anchor, &options.anchor)
                    && core.binary_search(&anchor).is_err()
                {
                    return Err(RatingError::AnchorUnplaced { name: given.name.clone() });
                }
                if !core.is_empty() {
                    self.write(core, Phantom::Absent, options, own_anchor, ratings)?;
                }
                self.write_bounds(core, ratings);
                Ok(())
            }
        }
    }

    /// Rates some of the group by their games among themselves.
    fn write(
        &self,
        rated: &[usize],
        phantom: Phantom,
        options: &LikelihoodOptions,
        anchor: Option<usize>,
        ratings: &mut Ratings,
    ) -> Result<(), RatingError> {
        let Fit { strengths, covariance } =
            self.fit(rated, phantom, ratings).map_err(|_| RatingError::NotConverged { bots: rated.len() })?;
        let anchor = anchor.and_then(|anchor| rated.binary_search(&anchor).ok()).zip(options.anchor.as_ref());
        for (index, &bot) in rated.iter().enumerate() {
            let (elo, error) = match anchor {
                Some((at, given)) => (
                    given.elo + (strengths[index] - strengths[at]) * ELO_PER_NATURAL,
                    error(&covariance, index, at),
                ),
                None => (
                    options.mean + strengths[index] * ELO_PER_NATURAL,
                    covariance[(index, index)].max(0.0).sqrt() * ELO_PER_NATURAL,
                ),
            };
            let row = &mut ratings.rows[self.members[bot]];
            row.elo = Some(elo);
            row.interval = Some(around(elo, error));
            row.note = anchor.filter(|(at, _)| *at == index).map(|_| Note::Anchor);
            ratings.located[self.members[bot]] =
                Some(Located { matrix: ratings.covariances.len(), row: index });
        }
        ratings.covariances.push(covariance);
        Ok(())
    }

    /// Fits some of the group to their games among themselves, and notes what seats are worth.
    fn fit(&self, rated: &[usize], phantom: Phantom, ratings: &mut Ratings) -> Result<Fit, NotConverged> {
        if self.tables.is_empty() {
            return fit(rated.len(), &within(rated, &self.meetings), phantom);
        }
        let place = places_of(rated);
        let among: Vec<Table> = self.tables.iter().filter_map(|table| table.among(&place)).collect();
        let TableFit { fit, seats, seats_unknown } = tables::fit(rated.len(), &among, phantom)?;
        if seats_unknown {
            ratings.notes.push(FieldNote::SeatsUnknown { group: self.number });
        }
        ratings.seats.extend(seats.into_iter().map(|seat| {
            let elo = seat.worth * ELO_PER_NATURAL;
            let interval = around(elo, seat.error * ELO_PER_NATURAL);
            SeatAdvantage { group: self.number, seats: seat.seats, seat: seat.seat, elo, interval }
        }));
        Ok(fit)
    }

    /// Notes whose rating is finite, or how far from the others, by the prior only.
    fn note_prior(&self, sets: &[Vec<usize>], totals: &[Total], ratings: &mut Ratings) {
        // The largest set is what the others are apart from, if there is a largest.
        let main = (sets[0].len() > sets[1].len()).then(|| &sets[0]);
        for (index, &bot) in self.members.iter().enumerate() {
            let note = if totals[bot].won_all() {
                Note::PriorWonAll
            } else if totals[bot].lost_all() {
                Note::PriorLostAll
            } else if main.is_none_or(|main| main.binary_search(&index).is_err()) {
                Note::PriorOneSided
            } else {
                continue;
            };
            ratings.rows[bot].note = Some(note);
        }
    }

    /// Gives bots outside `core` the bound that their games against it allow.
    ///
    /// Such games are all won or all lost. The bound is where their likelihood has
    /// fallen to what a one-sided 95 % limit allows, half the square of the normal quantile
    /// (S. S. Wilks, "The large-sample distribution of the likelihood ratio",
    /// Annals of Mathematical Statistics 9, 1938), with the core's ratings taken as they are.
    fn write_bounds(&self, core: &[usize], ratings: &mut Ratings) {
        for (index, &bot) in self.members.iter().enumerate() {
            if core.binary_search(&index).is_ok() {
                continue;
            }
            let against: Vec<(f64, Tally)> = (self.meetings.iter())
                .filter_map(|meeting| match (meeting.first == index, meeting.second == index) {
                    (true, _) => Some((meeting.second, meeting.tally)),
                    (_, true) => Some((meeting.first, meeting.tally.reversed())),
                    _ => None,
                })
                .filter(|(opponent, _)| core.binary_search(opponent).is_ok())
                .filter_map(|(opponent, tally)| Some((ratings.rows[self.members[opponent]].elo?, tally)))
                .collect();
            let row = &mut ratings.rows[bot];
            let wins: u64 = against.iter().map(|(_, tally)| tally.wins).sum();
            (row.note, row.interval) = match (against.is_empty(), wins > 0) {
                (true, _) => (Some(Note::Unplaced), None),
                // The pairs of one game of more seats are not independent, and
                // nothing as simple as this bound is true of them.
                (_, true) if !self.tables.is_empty() => (Some(Note::NoUpperBound), None),
                (_, false) if !self.tables.is_empty() => (Some(Note::NoLowerBound), None),
                (_, true) => {
                    let low = lower_bound(&against);
                    (Some(Note::NoUpperBound), Some(Interval { low, high: f64::INFINITY }))
                }
                (_, false) => {
                    let mirrored: Vec<(f64, Tally)> =
                        against.iter().map(|(elo, tally)| (-elo, tally.reversed())).collect();
                    let high = -lower_bound(&mirrored);
                    (Some(Note::NoLowerBound), Some(Interval { low: f64::NEG_INFINITY, high }))
                }
            };
        }
    }
}

/// The least rating at which winning all these games is not too unlikely.
fn lower_bound(won: &[(f64, Tally)]) -> f64 {
    let allowed = -normal_quantile(0.95).powi(2) / 2.0;
    let log_likelihood = |elo: f64| -> f64 {
        won.iter()
            .map(|(opponent, tally)| tally.wins as f64 * log_logistic((elo - opponent) / ELO_PER_NATURAL))
            .sum()
    };
    let weakest = won.iter().fold(f64::INFINITY, |least, (elo, _)| least.min(*elo));
    let strongest = won.iter().fold(f64::NEG_INFINITY, |most, (elo, _)| most.max(*elo));
    // At the one end not even one of the games is likely enough, at the other all are.
    let (mut low, mut high) = (weakest - 1000.0, strongest + 10_000.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if log_likelihood(middle) < allowed { low = middle } else { high = middle }
    }
    high
}

/// The place of each bot among some.
fn places_of(bots: &[usize]) -> impl Fn(usize) -> Option<usize> {
    let known = bots.iter().max().map_or(0, |last| last + 1);
    let mut places: Vec<Option<usize>> = vec![None; known];
    for (place, &bot) in bots.iter().enumerate() {
        places[bot] = Some(place);
    }
    move |bot| places.get(bot).copied().flatten()
}

/// The meetings among some bots, renumbered by their places there.
fn within(bots: &[usize], meetings: &[Meeting]) -> Vec<Meeting> {
    let place = places_of(bots);
    meetings
        .iter()
        .filter_map(|meeting| {
            Some(Meeting {
                first: place(meeting.first)?,
                second: place(meeting.second)?,
                tally: meeting.tally,
            })
        })
        .collect()
}
