//! The players of a game and its result.

use std::borrow::Cow;

use arrayvec::ArrayVec;

use crate::format::{UsageRecord, VoidKind};
use linesman_types::seat::{BySeat, MAX_SEATS, Place, Seat, Side, Teams};
use linesman_types::verdict::{CauseKind, FaultKind};

/// The players of a game and its result. Texts are borrowed from the line wherever it spells them without
/// escapes.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome<'a> {
    /// The game's id.
    pub id: Cow<'a, str>,
    /// The number of the attempt at the game, from 1.
    pub attempt: u32,
    /// The league's name.
    pub league: Option<Cow<'a, str>>,
    /// The name of the game that was played.
    pub game: Cow<'a, str>,
    /// The key shared by the games that the same bots or teams played from the same opening, one from each
    /// seat.
    pub pair: Option<Cow<'a, str>>,
    /// The bots' names.
    pub bots: BySeat<Cow<'a, str>>,
    /// The names of the teams that they play for, where the record has them.
    pub team_names: BySeat<Option<Cow<'a, str>>>,
    /// The result.
    pub result: Ended,
    /// The reason for the end.
    pub reason: Option<Cow<'a, str>>,
    /// The seats that failed, and how.
    pub faults: Vec<(Seat, FaultKind)>,
    /// The seat whose late move made the game void, if an overloaded host caused that.
    pub overloaded: Option<Seat>,
    /// The late moves that ended the game or eliminated a bot, if the host's load was examined for them.
    pub late: Vec<LateMove>,
    /// The resources that each bot used, as far as the record has them.
    pub usage: BySeat<Option<UsageRecord>>,
}

/// A move that came late or not at all, and the host's account of its time.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct LateMove {
    /// The seat that was on move.
    pub seat: Seat,
    /// The time that it took, in microseconds.
    pub wall_us: u64,
    /// The CPU time used for it, in microseconds.
    pub cpu_us: u64,
    /// The time for which the bot was ready to run and waited for a CPU, in microseconds.
    pub wait_us: u64,
}

/// The result of a game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Ended {
    /// Every seat has a place.
    Places(BySeat<Place>),
    /// No result, and the game is to be played again.
    VoidHost,
    /// No result, and the game is not played again.
    Void,
}

impl Outcome<'_> {
    /// The kind of the cause of the end; `None` if the record has no reason.
    pub fn cause(&self) -> Option<CauseKind<'_>> {
        self.reason.as_deref().map(CauseKind::from_word)
    }

    /// The places, if the game has a result.
    pub fn places(&self) -> Option<&BySeat<Place>> {
        match &self.result {
            Ended::Places(places) => Some(places),
            Ended::VoidHost | Ended::Void => None,
        }
    }

    /// Returns the game with its sides as players: each side takes the seat of its number, with the name of
    /// its team, its place and its faults.
    ///
    /// A side of two bots whose team has no name is named after both: `ada+bob`. Nothing changes if every bot
    /// plays for itself, or if the game has another number of seats.
    pub fn by_sides(&self, teams: &Teams) -> Outcome<'_> {
        if teams.sides() == teams.seats() || teams.seats() != self.bots.seats() {
            return self.clone();
        }
        let first =
            |side: Seat| teams.members(Side::from_index(side.index())).next().expect("a side has a member");
        let at_side = |seat: Seat| Seat::from_index(teams.side(seat).index());
        let name = |side: Seat| self.side_name(teams, Side::from_index(side.index()));
        let bots = BySeat::from_fn(teams.sides(), name);
        let result = match &self.result {
            Ended::Places(places) => {
                Ended::Places(BySeat::from_fn(teams.sides(), |side| places[first(side)]))
            }
            void => void.clone(),
        };
        let faults = self.faults.iter().map(|(seat, kind)| (at_side(*seat), kind.clone()));
        let usage = |side: Seat| {
            let usages = teams.members(Side::from_index(side.index())).filter_map(|seat| self.usage[seat]);
            usages.reduce(UsageRecord::and)
        };
        Outcome {
            team_names: bots.map(|_, _| None),
            bots,
            result,
            faults: faults.collect(),
            overloaded: self.overloaded.map(at_side),
            late: self.late.iter().map(|late| LateMove { seat: at_side(late.seat), ..*late }).collect(),
            usage: BySeat::from_fn(teams.sides(), usage),
            ..self.clone()
        }
    }

    fn side_name(&self, teams: &Teams, side: Side) -> Cow<'_, str> {
        if let Some(name) = teams.members(side).find_map(|seat| self.team_names[seat].as_deref()) {
            return Cow::Borrowed(name);
        }
        let mut names: Vec<&str> = teams.members(side).map(|seat| &*self.bots[seat]).collect();
        names.sort_unstable();
        names.dedup();
        match names.as_slice() {
            [name] => Cow::Borrowed(name),
            names => Cow::Owned(names.join("+")),
        }
    }
}

/// A contradiction between the parts of a record.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum Malformed {
    /// A number of seats that no game has.
    #[error("`seats` has {0} bots (a game has 2 to {MAX_SEATS})")]
    Seats(usize),
    /// A bot without a name.
    #[error("`seats` has a bot without a name")]
    NoName,
    /// More or fewer places than seats.
    #[error("`places` has {places} places for {seats} seats")]
    PlacesLength {
        /// The number of places.
        places: usize,
        /// The number of seats.
        seats: usize,
    },
    /// A place that no seat can have.
    #[error("`places` has the place {place} (with {seats} seats there are 1 to {seats})")]
    Place {
        /// The place.
        place: u8,
        /// The number of seats.
        seats: usize,
    },
    /// Neither a result nor the reason why there is none.
    #[error("`places` and `void` are both missing")]
    NoResult,
    /// A result, and a reason why there is none.
    #[error("`places` and `void` are both present")]
    TwoResults,
    /// A fault of a seat that does not exist.
    #[error("`faults` names seat {seat}, but there are {seats} seats")]
    FaultSeat {
        /// The seat.
        seat: u8,
        /// The number of seats.
        seats: usize,
    },
}

/// The result of a game with this number of seats, from its places and their number, or from the kind of its
/// void.
pub(super) fn ended(
    seats: usize,
    places: Option<(usize, ArrayVec<u8, MAX_SEATS>)>,
    void: Option<&VoidKind>,
) -> Result<Ended, Malformed> {
    Ok(match (places, void) {
        (Some((length, _)), _) if length != seats => {
            return Err(Malformed::PlacesLength { places: length, seats });
        }
        (Some((_, numbers)), None) => {
            let mut places = ArrayVec::<Place, MAX_SEATS>::new();
            for number in numbers {
                let place = Place::new(usize::from(number)).filter(|place| place.number() <= seats);
                places.push(place.ok_or(Malformed::Place { place: number, seats })?);
            }
            Ended::Places(BySeat::from_fn(seats, |seat| places[seat.index()]))
        }
        (None, Some(VoidKind::Host)) => Ended::VoidHost,
        (None, Some(VoidKind::NoBotPlayed | VoidKind::Assisted | VoidKind::Other(_))) => Ended::Void,
        (None, None) => return Err(Malformed::NoResult),
        (Some(_), Some(_)) => return Err(Malformed::TwoResults),
    })
}
