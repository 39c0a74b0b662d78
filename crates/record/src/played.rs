//! What ratings need of a record, and no more: who played, and how it ended.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::outcome::{Ended, Few, Misshapen, Text, ended};
use crate::format::VoidKind;
use linesman_types::seat::{BySeat, MAX_SEATS};

/// Who played a game and how it ended. Texts are borrowed from the line that was read
/// wherever it spells them plainly; what else is in the record was not looked at.
#[derive(Clone, Debug)]
pub struct PlayedGame<'a> {
    /// The game's id.
    pub id: Cow<'a, str>,
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
    /// What it started from, as JSON, if the record says so.
    pub opening: Option<&'a str>,
    /// The moves, as JSON, if the record has them.
    pub moves: Option<&'a str>,
}

/// What is read of a line; everything else in it is skipped.
#[derive(Deserialize)]
pub(super) struct PlayedRecord<'a> {
    pub(super) v: u32,
    #[serde(borrow)]
    pub(super) id: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) league: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) game: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) pair: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) seats: Few<PlayedSeat<'a>>,
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(super) opening: Option<&'a str>,
    #[serde(borrow, default, deserialize_with = "raw")]
    pub(super) moves: Option<&'a str>,
    #[serde(default)]
    pub(super) places: Option<Few<u8>>,
    #[serde(default)]
    pub(super) void: Option<PlayedVoid>,
}

#[derive(Deserialize)]
pub(super) struct PlayedSeat<'a> {
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) team: Option<Text<'a>>,
}

#[derive(Deserialize)]
pub(super) struct PlayedVoid {
    pub(super) kind: VoidKind,
}

impl<'a> PlayedRecord<'a> {
    pub(super) fn game(self) -> Result<PlayedGame<'a>, Misshapen> {
        let seats = self.seats.length;
        if !(2..=MAX_SEATS).contains(&seats) {
            return Err(Misshapen::Seats(seats));
        }
        if self.seats.first.iter().any(|seat| seat.name.is_empty()) {
            return Err(Misshapen::NoName);
        }
        let places = self.places.map(|places| (places.length, places.first));
        let result = ended(seats, places, self.void.as_ref().map(|void| &void.kind))?;
        let mut named = self.seats.first.into_iter();
        let mut team_names = ArrayVec::<_, MAX_SEATS>::new();
        // As many as seats: they were counted above.
        let bots = BySeat::from_fn(seats, |_| {
            let (name, team) = named.next().map(|seat| (seat.name, seat.team)).unwrap_or_default();
            team_names.push(team.map(|text| text.0).filter(|name| !name.is_empty()));
            name
        });
        let mut team_names = team_names.into_iter();
        Ok(PlayedGame {
            id: self.id,
            league: self.league.map(|text| text.0),
            game: self.game,
            pair: self.pair.map(|text| text.0),
            bots,
            team_names: BySeat::from_fn(seats, |_| team_names.next().flatten()),
            result,
            opening: self.opening,
            moves: self.moves,
        })
    }
}

/// The JSON of a field as it stands there.
pub(super) fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de str>, D::Error> {
    Ok(Option::<&RawValue>::deserialize(deserializer)?.map(RawValue::get))
}
