//! The entrants that can be rated together, and the computation of their ratings from their games.

use super::confidence_interval::{Interval, error_of_difference};
use super::connection::{comparable_sets, groups, is_one_set, meetings};
use super::covariance::Dependence;
use super::dataset::{Dataset, Duel, Seating, Total};
use super::maximum_likelihood::{MaximumLikelihood, Problem, estimate};
use super::notes::{FieldNote, Note};
use super::one_sided_bounds::{OneSidedBound, OneSidedBounds};
use super::options::{LikelihoodOptions, Prior};
use super::prior::{Group, GroupPrior};
use super::ratings::{Ratings, SeatAdvantage};
use super::{ELO_PER_NATURAL, RatingError};
use linesman_types::seat::Seat;

/// The entrants that are rated together, and their games.
pub(super) struct RatingPlan<'f> {
    dataset: &'f Dataset,
    options: &'f LikelihoodOptions,
    anchors: &'f [(usize, f64)],
    /// Entrants connected by games.
    pub groups: Vec<Vec<usize>>,
    /// For each group, its comparable sets.
    sets: Vec<Vec<Vec<usize>>>,
    /// The number of each entrant among the rated ones.
    pub rated: Vec<Option<u32>>,
    duels: Vec<Duel>,
    tables: Vec<(Seating, f64)>,
    /// The rated entrants of each group, with new numbers.
    rated_groups: Vec<Group>,
    /// The number of seats on a side that each of the rated entrants takes.
    sizes: Vec<f64>,
    has_teams: bool,
    /// Games between rated and unrated entrants.
    bounds: OneSidedBounds,
}

impl<'f> RatingPlan<'f> {
    pub fn new(
        dataset: &'f Dataset,
        anchors: &'f [(usize, f64)],
        options: &'f LikelihoodOptions,
    ) -> Result<RatingPlan<'f>, RatingError> {
        let duels = dataset.duels();
        let groups = groups(dataset, &duels);
        let has_teams = dataset.tables().any(|(table, _)| !table.is_of_singles());
        let sets: Vec<Vec<Vec<usize>>> = if has_teams {
            // For members of teams, points in both directions do not imply finite ratings: the search shows if a
            // maximum exists.
            groups.iter().map(|members| vec![members.clone()]).collect()
        } else {
            sets_of(dataset, &groups, &duels)
        };
        let mut rated = vec![None; dataset.entrants.len()];
        let mut sizes = Vec::new();
        let mut rated_groups = Vec::with_capacity(groups.len());
        for (members, sets) in groups.iter().zip(&sets) {
            let (core, prior) = ratable(members, sets, options.prior);
            let first = sizes.len();
            for bot in core {
                rated[*bot] = Some(sizes.len() as u32);
                sizes.push(dataset.entrants.sizes[*bot]);
            }
            rated_groups.push(Group { members: (first..sizes.len()).collect(), prior });
        }
        for (bot, _) in anchors {
            if rated[*bot].is_none() {
                return Err(RatingError::AnchorUnplaced { name: dataset.entrants.names[*bot].clone() });
            }
        }
        let bounds = OneSidedBounds::new(&duels, dataset.tables(), &rated);
        let renumber = |bot: usize| rated[bot];
        let among = duels.into_iter().filter_map(|duel| {
            let [first, second] = [renumber(duel.first as usize)?, renumber(duel.second as usize)?];
            Some(Duel { first, second, ..duel })
        });
        let tables =
            dataset.tables().filter_map(|(table, games)| Some((table.among(renumber)?, games as f64)));
        Ok(RatingPlan {
            dataset,
            options,
            anchors,
            duels: among.collect(),
            tables: tables.collect(),
            groups,
            sets,
            rated_groups,
            sizes,
            has_teams,
            bounds,
            rated,
        })
    }

    /// The anchors of each group with their new numbers.
    fn anchors_of(&self, group: usize) -> Vec<(usize, f64)> {
        let in_group = self.anchors.iter().filter(|(bot, _)| self.groups[group].binary_search(bot).is_ok());
        in_group.filter_map(|(bot, elo)| Some((self.rated[*bot]? as usize, *elo))).collect()
    }

    /// Finds the strengths. If games of teams have no finite maximum, the groups get a prior. Also
    /// returns the groups with a prior, counted from 1.
    pub fn estimate(&self) -> Result<(MaximumLikelihood, Vec<usize>), RatingError> {
        let mut anchored: Vec<Vec<(usize, f64)>> = Vec::with_capacity(self.groups.len());
        for group in 0..self.groups.len() {
            let anchors = self.anchors_of(group);
            anchored.push(match anchors.as_slice() {
                [] | [_] => Vec::new(),
                _ if self.has_teams => return Err(RatingError::AnchorsOfTeams),
                [(_, base), ..] => {
                    anchors.iter().map(|(bot, elo)| (*bot, (elo - base) / ELO_PER_NATURAL)).collect()
                }
            });
        }
        let sheets: Vec<Option<Seating>> = if self.dataset.clusters.kinds.is_empty() {
            Vec::new()
        } else {
            self.dataset.sheets.iter().map(|sheet| sheet.among(|bot| self.rated[bot])).collect()
        };
        let problem = Problem {
            bots: self.sizes.len(),
            sizes: &self.sizes,
            duels: &self.duels,
            tables: &self.tables,
            groups: &self.rated_groups,
            anchored: &anchored,
            dependence: Dependence {
                clusters: &self.dataset.clusters.kinds,
                sheets: &sheets,
                rated: &self.rated,
            },
        };
        let with_prior = |groups: &[Group]| -> Vec<usize> {
            let numbered = groups.iter().enumerate();
            numbered
                .filter(|(_, group)| group.prior == GroupPrior::DrawAgainstMean)
                .map(|(number, _)| number + 1)
                .collect()
        };
        let failed = |_| RatingError::NotConverged { bots: self.sizes.len() };
        match estimate(&problem) {
            Ok(estimate) => Ok((estimate, with_prior(&self.rated_groups))),
            Err(_) if self.has_teams && self.options.prior == Prior::Auto => {
                let held: Vec<Group> = (self.rated_groups.iter().cloned())
                    .map(|group| Group { prior: GroupPrior::DrawAgainstMean, ..group })
                    .collect();
                let found = estimate(&Problem { groups: &held, ..problem }).map_err(failed)?;
                Ok((found, with_prior(&held)))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Writes the estimates into the rows.
    pub fn write(&self, totals: &[Total], ratings: &mut Ratings) -> Result<(), RatingError> {
        if self.sizes.is_empty() {
            self.write_bounds(None, ratings);
            return Ok(());
        }
        let (estimate, with_prior) = match self.estimate() {
            Err(RatingError::NotConverged { .. }) if self.has_teams && self.options.prior == Prior::None => {
                for bot in self.groups.iter().flatten() {
                    ratings.rows[*bot].note = Some(Note::NotFinite);
                }
                return Ok(());
            }
            found => found?,
        };
        for (number, members) in self.groups.iter().enumerate() {
            let anchors = self.anchors_of(number);
            self.write_group(number, &anchors, &estimate, ratings);
            if anchors.is_empty() && !self.anchors.is_empty() {
                ratings.notes.push(FieldNote::WithoutAnchor { group: number + 1 });
            }
            if with_prior.contains(&(number + 1)) {
                self.note_prior(members, &self.sets[number], totals, ratings);
            }
        }
        if !with_prior.is_empty() {
            let groups = if self.groups.len() > 1 { with_prior.clone() } else { Vec::new() };
            ratings.notes.push(FieldNote::PriorUsed { groups });
        }
        self.write_seats(&estimate, ratings);
        self.write_bounds(Some(&estimate), ratings);
        ratings.with_prior = with_prior;
        ratings.scale = Some(estimate.scaled.scale);
        ratings.ties = estimate.log_ties.iter().map(|tie| tie.is_finite().then(|| tie.exp())).collect();
        ratings.covariance = Some(estimate.scaled.covariance);
        ratings.raw_covariance = Some(estimate.raw_covariance);
        Ok(())
    }

    fn write_group(
        &self,
        number: usize,
        anchors: &[(usize, f64)],
        estimate: &MaximumLikelihood,
        ratings: &mut Ratings,
    ) {
        let covariance = &estimate.scaled.covariance;
        let length: f64 = self.rated_groups[number].members.iter().map(|bot| self.sizes[*bot].powi(2)).sum();
        for bot in &self.groups[number] {
            let Some(index) = self.rated[*bot].map(|number| number as usize) else { continue };
            let row = &mut ratings.rows[*bot];
            // More than the position of the whole group is open.
            let gauge = self.sizes[index].powi(2) / length;
            if estimate.open.as_ref().is_some_and(|open| open.share(index) > gauge + 1e-9) {
                row.note = Some(Note::Indistinguishable);
                continue;
            }
            ratings.located[*bot] = Some(index);
            if let Some((_, given)) = anchors.iter().find(|(anchor, _)| *anchor == index) {
                row.note = Some(Note::Anchor);
                row.elo = Some(*given);
                row.interval = Some(Interval { low: *given, high: *given });
                row.strength = Some(estimate.raw[index] - estimate.raw[anchors[0].0]);
                continue;
            }
            let elo = self.elo_of(index, anchors, estimate);
            let error = match anchors.first() {
                Some((base, _)) => error_of_difference(covariance, index, *base),
                None => covariance[(index, index)].max(0.0).sqrt() * ELO_PER_NATURAL,
            };
            row.elo = Some(elo);
            row.interval = Some(Interval::around(elo, error));
            row.strength =
                Some(estimate.raw[index] - anchors.first().map_or(0.0, |(base, _)| estimate.raw[*base]));
        }
    }

    /// The rating of a rated entrant, relative to the first anchor of its group or to the mean.
    fn elo_of(&self, index: usize, anchors: &[(usize, f64)], estimate: &MaximumLikelihood) -> f64 {
        let values = &estimate.scaled.values;
        match anchors.first() {
            Some((base, given)) => given + (values[index] - values[*base]) * ELO_PER_NATURAL,
            None => self.options.mean + values[index] * ELO_PER_NATURAL,
        }
    }

    /// Rates a resample of the games; `None` if it has no ratings.
    ///
    /// A rating has a meaning only within its group, so bots count only if their group is the same.
    pub fn rate_resample(&self, resample: &Dataset) -> Option<ResampleRatings> {
        let again = RatingPlan::new(resample, self.anchors, self.options).ok()?;
        let (estimate, _) = again.estimate().ok()?;
        let mut elo = vec![None; self.rated.len()];
        for (number, members) in
            again.groups.iter().enumerate().filter(|(_, group)| self.groups.contains(group))
        {
            let is_rated = |plan: &RatingPlan<'_>, bot: &usize| plan.rated[*bot].is_some();
            if members.iter().any(|bot| is_rated(self, bot) != is_rated(&again, bot)) {
                continue;
            }
            let anchors = again.anchors_of(number);
            for bot in members {
                elo[*bot] = again.rated[*bot].map(|index| again.elo_of(index as usize, &anchors, &estimate));
            }
        }
        Some(ResampleRatings { elo, first_seat: again.first_seat(&estimate).map(|(elo, _)| elo) })
    }

    /// The advantage of the first seat over the mean of the others, in Elo, and its standard error; `None` if
    /// games have several numbers of seats.
    fn first_seat(&self, estimate: &MaximumLikelihood) -> Option<(f64, f64)> {
        let (values, covariance) = (&estimate.scaled.values, &estimate.scaled.covariance);
        let mut seat_numbers: Vec<usize> = estimate.effects.iter().map(|(seats, _)| *seats).collect();
        seat_numbers.extend(&estimate.unknown_effects);
        seat_numbers.dedup();
        if seat_numbers.len() != 1 || estimate.effects.is_empty() {
            return None;
        }
        let at = self.sizes.len()..self.sizes.len() + estimate.effects.len();
        let others = estimate.effects.len() as f64;
        let mean = values[at.clone()].iter().sum::<f64>() / others;
        let variance: f64 =
            at.clone().flat_map(|row| at.clone().map(move |column| covariance[(row, column)])).sum();
        Some((-mean * ELO_PER_NATURAL, variance.max(0.0).sqrt() / others * ELO_PER_NATURAL))
    }

    fn write_seats(&self, estimate: &MaximumLikelihood, ratings: &mut Ratings) {
        let bots = self.sizes.len();
        let (values, covariance) = (&estimate.scaled.values, &estimate.scaled.covariance);
        for seats in &estimate.unknown_effects {
            ratings.notes.push(FieldNote::SeatsUnknown { seats: *seats });
        }
        if estimate.held.seats {
            ratings.notes.push(FieldNote::SeatsOneSided);
        }
        if estimate.held.ties {
            ratings.notes.push(FieldNote::TiesOneSided);
        }
        if estimate.held.seats && self.options.prior == Prior::None {
            return;
        }
        for (index, (seats, seat)) in estimate.effects.iter().enumerate() {
            let at = bots + index;
            let elo = values[at] * ELO_PER_NATURAL;
            let interval = Interval::around(elo, covariance[(at, at)].max(0.0).sqrt() * ELO_PER_NATURAL);
            if *seats > 2 {
                ratings.seat_advantages.push(SeatAdvantage {
                    seats: *seats,
                    seat: Seat::from_index(*seat),
                    elo,
                    interval,
                });
            }
        }
        ratings.first_seat_advantage =
            self.first_seat(estimate).map(|(elo, error)| (elo, Interval::around(elo, error)));
    }

    /// Adds notes to bots whose rating, or whose distance from the others, is finite only because of the
    /// prior.
    fn note_prior(&self, members: &[usize], sets: &[Vec<usize>], totals: &[Total], ratings: &mut Ratings) {
        // Bots outside the largest set are apart from the others; if there is no single largest one, all are.
        let main = match sets {
            [first, second, ..] if first.len() == second.len() => None,
            [first, ..] => Some(first),
            [] => None,
        };
        for bot in members {
            let note = if totals[*bot].won_all() {
                Note::PriorWonAll
            } else if totals[*bot].lost_all() {
                Note::PriorLostAll
            } else if main.is_none_or(|main| main.binary_search(bot).is_err()) {
                Note::PriorOneSided
            } else {
                continue;
            };
            let row = &mut ratings.rows[*bot];
            row.note = row.note.or(Some(note));
        }
    }

    /// Adds the bounds of unrated entrants from their games against the rated ones.
    fn write_bounds(&self, estimate: Option<&MaximumLikelihood>, ratings: &mut Ratings) {
        for (number, members) in self.groups.iter().enumerate() {
            let anchors = self.anchors_of(number);
            for bot in members.iter().filter(|bot| self.rated[**bot].is_none()) {
                let bound = estimate.and_then(|estimate| self.bounds.of(*bot, estimate));
                // Converts natural units of the model to Elo, relative to the mean or the first anchor.
                let elo = |natural: f64| {
                    let base = estimate.zip(anchors.first());
                    let (from, given) = base.map_or((0.0, self.options.mean), |(estimate, (bot, elo))| {
                        (estimate.scaled.values[*bot], *elo)
                    });
                    let scale = estimate.map_or(1.0, |estimate| estimate.scaled.scale);
                    given + (scale * natural - from) * ELO_PER_NATURAL
                };
                let row = &mut ratings.rows[*bot];
                (row.note, row.interval) = match bound {
                    None => (Some(Note::Unplaced), None),
                    Some(OneSidedBound::Above(low)) => {
                        (Some(Note::NoUpperBound), Some(Interval { low: elo(low), high: f64::INFINITY }))
                    }
                    Some(OneSidedBound::Below(high)) => {
                        (Some(Note::NoLowerBound), Some(Interval { low: f64::NEG_INFINITY, high: elo(high) }))
                    }
                };
            }
        }
    }
}

pub(super) struct ResampleRatings {
    /// The rating of each entrant.
    pub elo: Vec<Option<f64>>,
    /// The advantage of the first seat, in Elo.
    pub first_seat: Option<f64>,
}

fn sets_of(dataset: &Dataset, groups: &[Vec<usize>], duels: &[Duel]) -> Vec<Vec<Vec<usize>>> {
    let mut sets = Vec::with_capacity(groups.len());
    for members in groups {
        let mut place = vec![None; dataset.entrants.len()];
        for (number, bot) in (0..).zip(members) {
            place[*bot] = Some(number);
        }
        let games = || meetings(duels, dataset.tables(), |bot| place[bot]);
        if is_one_set(members.len(), games()) {
            sets.push(vec![members.clone()]);
            continue;
        }
        let of_group = comparable_sets(members.len(), &games().collect::<Vec<_>>());
        let named = |set: Vec<usize>| set.into_iter().map(|index| members[index]).collect();
        sets.push(of_group.into_iter().map(named).collect());
    }
    sets
}

/// The members of a group that can be rated together, and the prior needed for that.
fn ratable<'g>(members: &'g [usize], sets: &'g [Vec<usize>], prior: Prior) -> (&'g [usize], GroupPrior) {
    match (sets, prior) {
        ([_], _) => (members, GroupPrior::None),
        (_, Prior::Auto) => (members, GroupPrior::DrawAgainstMean),
        // The distance between comparable sets is unknown, so only the largest is rated.
        ([largest, ..], Prior::None) if largest.len() > 1 => (largest, GroupPrior::None),
        (_, Prior::None) => (&[], GroupPrior::None),
    }
}
