//! The part of a record that ratings and tables need: who played and what came of it.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use arrayvec::ArrayVec;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::league_game::{LeagueGame, Program};
use super::played::raw;
use crate::fault::FaultRecord;
use crate::format::{EvidenceRecord, GameRecord, UsageRecord, VoidKind, VoidRecord};
use linesman_types::seat::{BySeat, MAX_SEATS, Place, Seat, Side, Teams};
use linesman_types::time_control::ClockKind;
use linesman_types::verdict::FaultKind;

/// Who played a game and what came of it. Texts are borrowed from the line
/// that was read wherever it spells them plainly.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome<'a> {
    /// The game's id.
    pub id: Cow<'a, str>,
    /// The how-manieth try at it.
    pub attempt: u32,
    /// The league's name.
    pub league: Option<Cow<'a, str>>,
    /// The name of what was played.
    pub game: Cow<'a, str>,
    /// The key that the games have in common that were played from the same
    /// opening by the same bots or teams, from every seat once.
    pub pair: Option<Cow<'a, str>>,
    /// The bots' names.
    pub bots: BySeat<Cow<'a, str>>,
    /// The names of the teams that they play for, where the record has them.
    pub team_names: BySeat<Option<Cow<'a, str>>>,
    /// What came of it.
    pub result: Ended,
    /// What ended it.
    pub reason: Option<Cow<'a, str>>,
    /// The seats that failed, and how.
    pub faults: Vec<(Seat, FaultKind)>,
    /// Whose late move made the game void, where an overloaded host did.
    pub overloaded: Option<Seat>,
    /// The late moves that ended it or put a bot out, where the host was asked about them.
    pub late: Vec<LateMove>,
    /// What each bot used, as far as the record says.
    pub usage: BySeat<Option<UsageRecord>>,
}

/// A move that came too late or not at all, and what the host says of its time.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct LateMove {
    /// Whose it was.
    pub seat: Seat,
    /// The time that it took, in microseconds.
    pub wall_us: u64,
    /// The CPU time used for it, in microseconds.
    pub cpu_us: u64,
    /// How long its bot was ready to run and had to wait, in microseconds.
    pub wait_us: u64,
}

/// What came of a game.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Ended {
    /// Everyone has a place.
    Places(BySeat<Place>),
    /// No result, and the game is to be played again.
    VoidHost,
    /// No result for good.
    Void,
}

impl Outcome<'_> {
    /// The places, if the game has a result.
    pub fn places(&self) -> Option<&BySeat<Place>> {
        match &self.result {
            Ended::Places(places) => Some(places),
            Ended::VoidHost | Ended::Void => None,
        }
    }

    /// The game as one of its sides: each side stands at the seat of its
    /// number, under the name of its team, and has its place and its faults.
    ///
    /// A side of two bots whose team has no name is called by theirs: `ada+bob`.
    /// Nothing changes where everyone plays for himself, or if the game has
    /// another number of seats.
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
            let own = teams.members(Side::from_index(side.index())).filter_map(|seat| self.usage[seat]);
            own.reduce(UsageRecord::and)
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

impl GameRecord {
    /// Who played and what came of it.
    ///
    /// # Errors
    /// A record whose parts do not fit together.
    pub fn outcome(&self) -> Result<Outcome<'_>, Misshapen> {
        let names = self.seats.iter().map(|seat| Cow::Borrowed(seat.name.as_str()));
        shaped(Parts {
            id: Cow::Borrowed(&self.id),
            attempt: self.attempt,
            league: self.league.as_deref().map(Cow::Borrowed),
            game: Cow::Borrowed(&self.game),
            pair: self.pair.as_deref().map(Cow::Borrowed),
            seat_count: self.seats.len(),
            bots: names.take(MAX_SEATS).collect(),
            team_names: self
                .seats
                .iter()
                .map(|seat| seat.team.as_deref().map(Cow::Borrowed))
                .take(MAX_SEATS)
                .collect(),
            places: self
                .places
                .as_ref()
                .map(|places| (places.len(), places.iter().copied().take(MAX_SEATS).collect())),
            void: self.void.as_ref(),
            usage: self.seats.iter().map(|seat| seat.usage).take(MAX_SEATS).collect(),
            counts_cpu: counts_cpu(self.clock.as_deref()),
            reason: self.reason.as_deref().map(Cow::Borrowed),
            faults: &self.faults,
        })
    }
}

/// How the parts of a record do not fit together.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum Misshapen {
    /// A number of seats that no game has.
    #[error("`seats` has {0} bots (a game has 2 to {MAX_SEATS})")]
    Seats(usize),
    /// A bot without a name.
    #[error("`seats` has a bot without a name")]
    NoName,
    /// More or fewer places than seats.
    #[error("`places` has {places} places for {seats} seats")]
    PlacesLength {
        /// How many places.
        places: usize,
        /// How many seats.
        seats: usize,
    },
    /// A place that nobody can have.
    #[error("`places` has the place {place} (with {seats} seats there are 1 to {seats})")]
    Place {
        /// The place.
        place: u8,
        /// How many seats.
        seats: usize,
    },
    /// Neither a result nor the reason why there is none.
    #[error("`places` and `void` are both missing")]
    NoResult,
    /// A result, and a reason why there is none.
    #[error("`places` and `void` are both present")]
    TwoResults,
    /// A fault of somebody who does not play.
    #[error("`faults` names seat {seat}, but there are {seats} seats")]
    FaultSeat {
        /// The seat.
        seat: u8,
        /// How many seats.
        seats: usize,
    },
}

/// The parts of an outcome before they are known to fit together.
struct Parts<'a, 'f> {
    id: Cow<'a, str>,
    attempt: u32,
    league: Option<Cow<'a, str>>,
    game: Cow<'a, str>,
    pair: Option<Cow<'a, str>>,
    seat_count: usize,
    bots: ArrayVec<Cow<'a, str>, MAX_SEATS>,
    team_names: ArrayVec<Option<Cow<'a, str>>, MAX_SEATS>,
    places: Option<(usize, ArrayVec<u8, MAX_SEATS>)>,
    void: Option<&'f VoidRecord>,
    reason: Option<Cow<'a, str>>,
    faults: &'f [FaultRecord],
    usage: ArrayVec<Option<UsageRecord>, MAX_SEATS>,
    counts_cpu: bool,
}

fn shaped<'a>(parts: Parts<'a, '_>) -> Result<Outcome<'a>, Misshapen> {
    let seats = parts.seat_count;
    if !(2..=MAX_SEATS).contains(&seats) {
        return Err(Misshapen::Seats(seats));
    }
    if parts.bots.iter().any(|name| name.is_empty()) {
        return Err(Misshapen::NoName);
    }
    let result = ended(seats, parts.places, parts.void.map(|void| &void.kind))?;
    let seat_of = |number: u8| Seat::new(usize::from(number)).filter(|seat| seat.number() <= seats);
    let mut faults = Vec::with_capacity(parts.faults.len());
    for own in parts.faults {
        let seat = seat_of(own.seat).ok_or(Misshapen::FaultSeat { seat: own.seat, seats })?;
        faults.push((seat, own.fault.kind()));
    }
    // A seat that there is not is nobody's: the game is void all the same.
    let void_seat = parts.void.and_then(|void| void.seat).and_then(seat_of);
    let overloaded = void_seat.filter(|_| result == Ended::VoidHost);
    let late = |seat: Option<Seat>, (used_us, evidence): (u64, EvidenceRecord)| {
        let EvidenceRecord { cpu_us, wait_us, .. } = evidence;
        let wait_us = if parts.counts_cpu { 0 } else { wait_us };
        Some(LateMove { seat: seat?, wall_us: used_us, cpu_us, wait_us })
    };
    let of_faults = parts.faults.iter().filter_map(|own| late(seat_of(own.seat), own.fault.late()?));
    let of_void = parts.void.iter().filter_map(|own| late(void_seat, own.used_us.zip(own.evidence)?));
    let mut usage = parts.usage.into_iter();
    // Where CPU time counts, what a bot waited for a CPU cost it nothing.
    let that_matters =
        |own: UsageRecord| if parts.counts_cpu { UsageRecord { wait_us: 0, ..own } } else { own };
    let mut names = parts.bots.into_iter();
    let mut team_names = parts.team_names.into_iter();
    Ok(Outcome {
        id: parts.id,
        attempt: parts.attempt,
        league: parts.league,
        game: parts.game,
        pair: parts.pair,
        // As many names as seats: both were counted above.
        bots: BySeat::from_fn(seats, |_| names.next().unwrap_or_default()),
        team_names: BySeat::from_fn(seats, |_| team_names.next().flatten().filter(|name| !name.is_empty())),
        result,
        reason: parts.reason,
        faults,
        overloaded,
        late: of_faults.chain(of_void).collect(),
        usage: BySeat::from_fn(seats, |_| usage.next().flatten().map(that_matters)),
    })
}

/// True if a record's `clock` says that CPU time counts.
fn counts_cpu(clock: Option<&str>) -> bool {
    clock == Some(ClockKind::WORDS[1])
}

/// What came of a game of so many seats: places with their number, or a void
/// that is the host's or not.
pub(super) fn ended(
    seats: usize,
    places: Option<(usize, ArrayVec<u8, MAX_SEATS>)>,
    void: Option<&VoidKind>,
) -> Result<Ended, Misshapen> {
    Ok(match (places, void) {
        (Some((length, _)), _) if length != seats => {
            return Err(Misshapen::PlacesLength { places: length, seats });
        }
        (Some((_, numbers)), None) => {
            let mut places = ArrayVec::<Place, MAX_SEATS>::new();
            for number in numbers {
                let place = Place::new(usize::from(number)).filter(|place| place.number() <= seats);
                places.push(place.ok_or(Misshapen::Place { place: number, seats })?);
            }
            Ended::Places(BySeat::from_fn(seats, |seat| places[seat.index()]))
        }
        (None, Some(VoidKind::Host)) => Ended::VoidHost,
        (None, Some(VoidKind::NoBotPlayed | VoidKind::Other(_))) => Ended::Void,
        (None, None) => return Err(Misshapen::NoResult),
        (Some(_), Some(_)) => return Err(Misshapen::TwoResults),
    })
}

/// What is read of a line; everything else in it is skipped.
#[derive(Deserialize)]
pub(crate) struct LeanRecord<'a> {
    pub(crate) v: u32,
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(rename = "try", default = "super::format::first_try")]
    attempt: u32,
    #[serde(borrow, default)]
    league: Option<Text<'a>>,
    #[serde(borrow)]
    game: Cow<'a, str>,
    #[serde(borrow, default)]
    pair: Option<Text<'a>>,
    #[serde(borrow, default)]
    time_control: Option<Text<'a>>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(borrow, default)]
    clock: Option<Text<'a>>,
    #[serde(borrow)]
    seats: Few<LeanSeat<'a>>,
    #[serde(default)]
    places: Option<Few<u8>>,
    #[serde(default)]
    // Boxed: records without one are many, and are moved.
    void: Option<Box<VoidRecord>>,
    #[serde(borrow, default)]
    reason: Option<Text<'a>>,
    #[serde(default)]
    faults: Vec<FaultRecord>,
    #[serde(borrow, default, deserialize_with = "raw")]
    options: Option<&'a str>,
    #[serde(borrow, default, deserialize_with = "raw")]
    opening: Option<&'a str>,
    #[serde(borrow, default, deserialize_with = "raw")]
    moves: Option<&'a str>,
}

impl<'a> LeanRecord<'a> {
    pub(crate) fn league_game(mut self) -> Result<LeagueGame<'a>, Misshapen> {
        let programs = BySeat::from_fn(self.seats.first.len(), |seat| {
            let own = &mut self.seats.first[seat.index()];
            let [command, digest] = [own.command.take(), own.digest.take()].map(|own| own.map(|text| text.0));
            Program { command, digest }
        });
        let (options, opening, moves) = (self.options, self.opening, self.moves);
        let (time_control, seed) = (self.time_control.take().map(|text| text.0), self.seed);
        Ok(LeagueGame { outcome: self.outcome()?, programs, time_control, seed, options, opening, moves })
    }

    pub(crate) fn outcome(self) -> Result<Outcome<'a>, Misshapen> {
        let usage = self.seats.first.iter().map(|seat| seat.usage).collect();
        let (names, team_names) =
            self.seats.first.into_iter().map(|seat| (seat.name, seat.team.map(|text| text.0))).unzip();
        shaped(Parts {
            id: self.id,
            attempt: self.attempt,
            league: self.league.map(|text| text.0),
            game: self.game,
            pair: self.pair.map(|text| text.0),
            seat_count: self.seats.length,
            bots: names,
            team_names,
            places: self.places.map(|places| (places.length, places.first)),
            usage,
            counts_cpu: counts_cpu(self.clock.as_ref().map(|clock| &*clock.0)),
            void: self.void.as_deref(),
            reason: self.reason.map(|text| text.0),
            faults: &self.faults,
        })
    }
}

// Behind an `Option` serde borrows nothing of a plain `Cow`.
#[derive(Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

#[derive(Deserialize)]
struct LeanSeat<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    team: Option<Text<'a>>,
    #[serde(default)]
    usage: Option<UsageRecord>,
    #[serde(borrow, default)]
    command: Option<Text<'a>>,
    #[serde(borrow, default)]
    digest: Option<Text<'a>>,
}

/// A list of which only as much is kept as a table has seats.
pub(super) struct Few<T> {
    pub(super) first: ArrayVec<T, MAX_SEATS>,
    pub(super) length: usize,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Few<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Few<T>, D::Error> {
        struct Elements<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Elements<T> {
            type Value = Few<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Few<T>, A::Error> {
                let mut few = Few { first: ArrayVec::new(), length: 0 };
                while few.first.len() < MAX_SEATS {
                    match elements.next_element()? {
                        Some(element) => few.first.push(element),
                        None => break,
                    }
                }
                few.length = few.first.len();
                if few.length == MAX_SEATS {
                    while elements.next_element::<de::IgnoredAny>()?.is_some() {
                        few.length += 1;
                    }
                }
                Ok(few)
            }
        }

        deserializer.deserialize_seq(Elements(PhantomData))
    }
}
