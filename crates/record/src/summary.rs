//! The parts of a record that a league and ratings need, which are parsed several times faster than the whole
//! record.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use arrayvec::ArrayVec;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::evidence::EvidenceRecord;
use crate::fault::FaultRecord;
use crate::format::{GameRecord, SeatRecord, UsageRecord, VoidKind, VoidRecord, first_try};
use crate::outcome::{Ended, LateMove, Malformed, Outcome, ended};
use crate::worker::WorkerRecord;
use linesman_types::seat::{BySeat, MAX_SEATS, Seat};
use linesman_types::time_control::ClockKind;

/// The part of a record that a league counts. Texts are borrowed from the line wherever it spells them
/// without escapes.
#[derive(Clone, Debug)]
pub struct LeagueGame<'a> {
    /// The players and the result.
    pub outcome: Outcome<'a>,
    /// The program at each seat.
    pub programs: BySeat<Program<'a>>,
    /// The time control, as text.
    pub time_control: Option<Cow<'a, str>>,
    /// The game's seed.
    pub seed: Option<u64>,
    /// The game's options, as JSON, if the record has them.
    pub options: Option<&'a str>,
    /// The start of the game, as JSON, if the record has it.
    pub opening: Option<&'a str>,
    /// The moves, as JSON, if the record has them.
    pub moves: Option<&'a str>,
    /// The worker that played it.
    pub worker: Option<WorkerRecord>,
}

/// The program that played at a seat.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Program<'a> {
    /// The command that started it.
    pub command: Option<Cow<'a, str>>,
    /// The digest of the files that the command names.
    pub digest: Option<Cow<'a, str>>,
    /// Its own time control, as text.
    pub time_control: Option<Cow<'a, str>>,
}

/// The part of a record that ratings need. Texts are borrowed from the line wherever it spells them without
/// escapes. The rest of the record is not checked.
#[derive(Clone, Debug)]
pub struct PlayedGame<'a> {
    /// The game's id.
    pub id: Cow<'a, str>,
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
    /// The start of the game, as JSON, if the record has it.
    pub opening: Option<&'a str>,
    /// The moves, as JSON, if the record has them.
    pub moves: Option<&'a str>,
}

impl GameRecord {
    /// The players and the result.
    ///
    /// # Errors
    /// A record that contradicts itself.
    pub fn outcome<'a>(&'a self) -> Result<Outcome<'a>, Malformed> {
        let seat = |seat: &'a SeatRecord| -> SeatSummary<'a> {
            let (name, team) = (Cow::Borrowed(seat.name.as_str()), text(&seat.team));
            SeatSummary { name, team, usage: seat.usage, command: None, digest: None, time_control: None }
        };
        let summary = RecordSummary {
            v: self.v,
            id: Cow::Borrowed(&self.id),
            attempt: self.attempt,
            league: text(&self.league),
            game: Cow::Borrowed(&self.game),
            pair: text(&self.pair),
            time_control: None,
            seed: None,
            clock: text(&self.clock),
            seats: Few {
                first: self.seats.iter().take(MAX_SEATS).map(seat).collect(),
                length: self.seats.len(),
            },
            places: self.places.as_ref().map(|places| Few {
                first: places.iter().copied().take(MAX_SEATS).collect(),
                length: places.len(),
            }),
            void: self.void.clone().map(Box::new),
            reason: text(&self.reason),
            faults: Cow::Borrowed(&self.faults),
            options: None,
            opening: None,
            moves: None,
            worker: None,
        };
        summary.outcome()
    }
}

/// The fields of a line that a league needs; serde skips the others.
#[derive(Deserialize)]
pub(crate) struct RecordSummary<'a> {
    pub(crate) v: u32,
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(rename = "try", default = "first_try")]
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
    seats: Few<SeatSummary<'a>>,
    #[serde(default)]
    places: Option<Few<u8>>,
    #[serde(default)]
    // Boxed: most records have none, and the struct is moved.
    void: Option<Box<VoidRecord>>,
    #[serde(borrow, default)]
    reason: Option<Text<'a>>,
    #[serde(default)]
    faults: Cow<'a, [FaultRecord]>,
    #[serde(borrow, default, deserialize_with = "raw")]
    options: Option<&'a str>,
    #[serde(borrow, default, deserialize_with = "raw")]
    opening: Option<&'a str>,
    #[serde(borrow, default, deserialize_with = "raw")]
    moves: Option<&'a str>,
    // Boxed: records of games that one machine played have none.
    #[serde(default)]
    worker: Option<Box<WorkerRecord>>,
}

#[derive(Deserialize)]
struct SeatSummary<'a> {
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
    #[serde(borrow, default)]
    time_control: Option<Text<'a>>,
}

impl<'a> RecordSummary<'a> {
    pub(crate) fn league_game(mut self) -> Result<LeagueGame<'a>, Malformed> {
        let programs = BySeat::from_fn(self.seats.first.len(), |seat| {
            let seat = &mut self.seats.first[seat.index()];
            let texts = [seat.command.take(), seat.digest.take(), seat.time_control.take()];
            let [command, digest, time_control] = texts.map(|text| text.map(|text| text.0));
            Program { command, digest, time_control }
        });
        let (options, opening, moves) = (self.options, self.opening, self.moves);
        let (time_control, seed) = (self.time_control.take().map(|text| text.0), self.seed);
        let worker = self.worker.take().map(|worker| *worker);
        let outcome = self.outcome()?;
        Ok(LeagueGame { outcome, programs, time_control, seed, options, opening, moves, worker })
    }

    fn outcome(self) -> Result<Outcome<'a>, Malformed> {
        let counts_cpu = self.clock.as_ref().is_some_and(|clock| clock.0 == ClockKind::WORDS[1]);
        // If CPU time counts, waiting for a CPU cost the bot nothing.
        let charged =
            |usage: UsageRecord| if counts_cpu { UsageRecord { wait_us: 0, ..usage } } else { usage };
        let usage: ArrayVec<_, MAX_SEATS> =
            self.seats.first.iter().map(|seat| seat.usage.map(charged)).collect();
        let seats = self.seats.length;
        let (bots, team_names) = names(self.seats, |seat| (seat.name, seat.team))?;
        let void = self.void.as_deref();
        let result =
            ended(seats, self.places.map(|few| (few.length, few.first)), void.map(|void| &void.kind))?;
        let seat_of = |number: u8| Seat::new(usize::from(number)).filter(|seat| seat.number() <= seats);
        let mut faults = Vec::with_capacity(self.faults.len());
        for fault in &*self.faults {
            let seat = seat_of(fault.seat).ok_or(Malformed::FaultSeat { seat: fault.seat, seats })?;
            faults.push((seat, fault.kind()));
        }
        // A seat that does not exist is ignored: the game is void anyway.
        let void_seat = void.and_then(|void| void.seat).and_then(seat_of);
        let late = |seat: Option<Seat>, (wall_us, evidence): (u64, EvidenceRecord)| {
            let EvidenceRecord { cpu_us, wait_us, .. } = evidence;
            Some(LateMove { seat: seat?, wall_us, cpu_us, wait_us: if counts_cpu { 0 } else { wait_us } })
        };
        let of_faults = self.faults.iter().filter_map(|fault| late(seat_of(fault.seat), fault.late()?));
        let of_void = void.iter().filter_map(|void| late(void_seat, void.used_us.zip(void.evidence)?));
        let late = of_faults.chain(of_void).collect();
        Ok(Outcome {
            id: self.id,
            attempt: self.attempt,
            league: self.league.map(|text| text.0),
            game: self.game,
            pair: self.pair.map(|text| text.0),
            bots,
            team_names,
            overloaded: void_seat.filter(|_| result == Ended::VoidHost),
            result,
            reason: self.reason.map(|text| text.0),
            faults,
            late,
            usage: BySeat::from_fn(seats, |seat| usage[seat.index()]),
        })
    }
}

/// The fields of a line that ratings need; serde skips the others.
#[derive(Deserialize)]
pub(crate) struct PlayedRecord<'a> {
    pub(crate) v: u32,
    #[serde(borrow)]
    pub(crate) id: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(crate) league: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) game: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(crate) pair: Option<Text<'a>>,
    #[serde(borrow)]
    pub(crate) seats: Few<PlayedSeat<'a>>,
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(crate) opening: Option<&'a str>,
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(crate) moves: Option<&'a str>,
    #[serde(default)]
    pub(crate) places: Option<Few<u8>>,
    #[serde(default)]
    pub(crate) void: Option<PlayedVoid>,
}

#[derive(Deserialize)]
pub(crate) struct PlayedSeat<'a> {
    #[serde(borrow)]
    pub(crate) name: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(crate) team: Option<Text<'a>>,
}

#[derive(Deserialize)]
pub(crate) struct PlayedVoid {
    kind: VoidKind,
}

impl<'a> PlayedRecord<'a> {
    pub(crate) fn game(self) -> Result<PlayedGame<'a>, Malformed> {
        let seats = self.seats.length;
        let (bots, team_names) = names(self.seats, |seat| (seat.name, seat.team))?;
        let places = self.places.map(|places| (places.length, places.first));
        Ok(PlayedGame {
            id: self.id,
            league: self.league.map(|text| text.0),
            game: self.game,
            pair: self.pair.map(|text| text.0),
            bots,
            team_names,
            result: ended(seats, places, self.void.as_ref().map(|void| &void.kind))?,
            opening: self.opening,
            moves: self.moves,
        })
    }
}

type Names<'a> = (BySeat<Cow<'a, str>>, BySeat<Option<Cow<'a, str>>>);

fn names<'a, S>(
    seats: Few<S>,
    named: impl Fn(S) -> (Cow<'a, str>, Option<Text<'a>>),
) -> Result<Names<'a>, Malformed> {
    let length = seats.length;
    if !(2..=MAX_SEATS).contains(&length) {
        return Err(Malformed::Seats(length));
    }
    let (mut bots, teams): (ArrayVec<_, MAX_SEATS>, ArrayVec<_, MAX_SEATS>) =
        seats.first.into_iter().map(named).unzip();
    if bots.iter().any(|name| name.is_empty()) {
        return Err(Malformed::NoName);
    }
    let mut teams = teams.into_iter();
    // One for each seat, as checked above.
    Ok((
        BySeat::from_fn(length, |seat| std::mem::take(&mut bots[seat.index()])),
        BySeat::from_fn(length, |_| {
            teams.next().flatten().map(|text| text.0).filter(|name| !name.is_empty())
        }),
    ))
}

/// The JSON of a field, unparsed.
fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de str>, D::Error> {
    Ok(Option::<&RawValue>::deserialize(deserializer)?.map(RawValue::get))
}

fn text(text: &Option<String>) -> Option<Text<'_>> {
    text.as_deref().map(plain)
}

pub(crate) fn plain(text: &str) -> Text<'_> {
    Text(Cow::Borrowed(text))
}

// Inside an `Option`, serde does not borrow into a plain `Cow`.
#[derive(Deserialize)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// A list of which only the first elements are kept, at most one for each possible seat.
pub(crate) struct Few<T> {
    pub(crate) first: ArrayVec<T, MAX_SEATS>,
    pub(crate) length: usize,
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
