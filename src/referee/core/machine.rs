//! The machine itself: what the outside sees of it, and who handles which event.

use crate::games::Table;
use crate::referee::core::{Action, GameSetup, GameTime, Input, PlayedMove};
use crate::seat::Seat;

/// One game from the start of its bots to its verdict.
///
/// Exactly one [`Action::Finish`] comes in the end, whatever the bots do, if
/// only [`Input`]s with [`Event::Tick`](crate::referee::core::Event::Tick) are
/// handed over at the [deadlines](Core::deadline). Nothing comes after it.
pub struct Core {
    setup: GameSetup,
    table: Box<dyn Table>,
    moves: Vec<PlayedMove>,
}

impl Core {
    /// A game at a table on which the opening stands: the position of
    /// `setup.opening_token` with `setup.opening_moves` played.
    ///
    /// # Panics
    /// If the table has another number of seats than the setup.
    pub fn new(setup: GameSetup, table: Box<dyn Table>) -> Core {
        assert_eq!(setup.seats.seats(), table.teams().seats(), "table and setup have the same seats");
        Core { setup, table, moves: Vec::new() }
    }

    /// Begins the game: the moment that times are counted from.
    pub fn start(&mut self, actions: &mut Vec<Action>) {
        let _ = (&self.setup, actions);
    }

    /// Takes in what happened and appends what has to be done. Stamps may
    /// come in any order; a seat's own events must come in theirs.
    pub fn handle(&mut self, input: Input, actions: &mut Vec<Action>) {
        let _ = (input, actions);
    }

    /// A line of a bot, without its `\n`: [`Core::handle`] for
    /// [`Event::Line`](crate::referee::core::Event::Line) without a buffer of its own.
    pub fn line(&mut self, at: GameTime, seat: Seat, line: &[u8], actions: &mut Vec<Action>) {
        let _ = (at, seat, line, actions);
    }

    /// When a tick is due: the first moment that is too late for what is being
    /// waited for. There is always one until the game is finished.
    pub fn deadline(&self) -> Option<GameTime> {
        None
    }

    /// The seat that is being asked for a move.
    pub fn on_move(&self) -> Option<Seat> {
        None
    }

    /// The table as it stands.
    pub fn table(&self) -> &dyn Table {
        &*self.table
    }

    /// The moves since the opening, as they will be in the record.
    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }
}
