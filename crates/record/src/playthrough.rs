//! A game, usually that of a record, played through by the rules.

use std::sync::Arc;
use std::time::Duration;

use crate::format::GameRecord;
use linesman_games::{Eliminations, NotAPosition, OptionError, Refusal, Setup, Table, is_elimination};
use linesman_types::seat::{BySeat, Seat};
use linesman_types::time_control::{Charge, Clock, TimeControl, TimeError};

/// The reason why the game of a record can't be set up.
#[derive(Clone, PartialEq, Debug)]
pub enum NoSetup {
    /// There is no game of this name.
    UnknownGame,
    /// The game does not accept these options.
    Options(OptionError),
}

/// Sets up the game of a record with the record's options.
///
/// # Errors
/// An unknown game, or options that it does not accept.
pub fn set_up(record: &GameRecord) -> Result<Arc<dyn Setup>, NoSetup> {
    let game = linesman_games::find(&record.game).ok_or(NoSetup::UnknownGame)?;
    let options = record.option_texts();
    let given: Vec<(&str, &str)> = options.iter().map(|(name, text)| (*name, text.as_str())).collect();
    game.configure(&given).map_err(NoSetup::Options)
}

/// The time control of each seat; `None` if the record does not have them all.
///
/// # Errors
/// A time control that can't be parsed.
pub fn time_controls(record: &GameRecord) -> Result<Option<BySeat<TimeControl>>, TimeError> {
    let read = |text: &Option<String>| text.as_deref().map(str::parse::<TimeControl>).transpose();
    let common = read(&record.time_control)?;
    let by_seat = record.seats.iter().map(|seat| read(&seat.time_control)).collect::<Result<Vec<_>, _>>()?;
    let controls: Option<Vec<TimeControl>> = by_seat.into_iter().map(|control| control.or(common)).collect();
    Ok(controls.and_then(BySeat::from_values))
}

/// A game during replay: its position, clocks and eliminations.
pub struct Playthrough {
    /// The position.
    pub table: Box<dyn Table>,
    /// The clocks of the seats, if the record has a time control.
    pub clock: Option<Clock>,
    /// The margin; without one no time is charged.
    pub margin: Option<Duration>,
    eliminations: Eliminations,
}

/// A move that was played, or a seat that was eliminated.
pub struct Made {
    /// The seat that moved or was eliminated.
    pub seat: Seat,
    /// The seat's limit before a move that exceeded it.
    pub exceeded: Option<Duration>,
}

impl Playthrough {
    /// Starts at the position of a record's opening.
    ///
    /// # Errors
    /// A token that can't be parsed.
    pub fn new(setup: &dyn Setup, record: &GameRecord) -> Result<Playthrough, NotAPosition> {
        let token = record.opening.as_ref().and_then(|opening| opening.token.as_deref());
        let controls = time_controls(record).ok().flatten();
        Ok(Playthrough {
            clock: controls.filter(|controls| controls.seats() == setup.teams().seats()).map(Clock::by_seat),
            margin: record.margin_ms.map(Duration::from_millis),
            ..Playthrough::without_clocks(setup, token)?
        })
    }

    /// Starts at the position of a token, or at the start of the game without one. No time is charged.
    ///
    /// # Errors
    /// A token that can't be parsed.
    pub fn without_clocks(setup: &dyn Setup, token: Option<&str>) -> Result<Playthrough, NotAPosition> {
        let table = token.map_or_else(|| Ok(setup.start()), |token| setup.from_token(token))?;
        Ok(Playthrough { table, clock: None, margin: None, eliminations: Eliminations::default() })
    }

    /// Plays the opening. `after` is called after each of its moves, with the mover.
    ///
    /// # Errors
    /// The index and the text of the first move that can't be played.
    pub fn play_opening<'r>(
        &mut self,
        record: &'r GameRecord,
        mut after: impl FnMut(&Playthrough, Seat, &str),
    ) -> Result<(), (usize, &'r str, Refusal)> {
        let moves = record.opening.iter().flat_map(|opening| &opening.moves);
        for (index, text) in moves.enumerate() {
            let seat = self.table.to_move();
            self.table.play(text).map_err(|refusal| (index, text.as_str(), refusal))?;
            after(self, seat, text);
        }
        Ok(())
    }

    /// Plays a move and charges its time; `!3` eliminates seat 3.
    ///
    /// # Errors
    /// A move or elimination that is not possible here. Nothing has changed then.
    pub fn play(&mut self, text: &str, used: Option<Duration>) -> Result<Made, Refusal> {
        let seat = self.eliminations.play(&mut *self.table, text)?;
        let (Some(clock), Some(used), Some(margin), false) =
            (&mut self.clock, used, self.margin, is_elimination(text))
        else {
            return Ok(Made { seat, exceeded: None });
        };
        let limit = clock.limit(seat);
        let exceeded = match clock.charge(seat, used, margin) {
            Charge::InTime => None,
            Charge::Late => Some(limit),
        };
        Ok(Made { seat, exceeded })
    }

    /// The eliminated seats, in order.
    pub fn out(&self) -> &[Seat] {
        self.eliminations.seats()
    }
}
