//! The legal turns of a position: listing, counting and checking them.

use arrayvec::ArrayVec;

use crate::tandem::board::{self, BITS, MAX_SIZE, Window};
use crate::tandem::moves::Half;
use crate::tandem::{Move, Position, Tandem};

/// Maximum number of tiles on one board.
const MAX_TILES: usize = MAX_SIZE * MAX_SIZE;

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum StepKind {
    /// It lays a tile from the stock.
    Lay,
    /// It moves a tile on its board.
    Slide,
}

/// Lists the permitted kinds of the steps on boards 1 and 2, by the stock at the start of the turn.
pub(super) fn kinds(stock: u8) -> &'static [[StepKind; 2]] {
    match stock {
        0 => &[[StepKind::Slide, StepKind::Slide]],
        1 => &[[StepKind::Lay, StepKind::Slide], [StepKind::Slide, StepKind::Lay]],
        _ => &[[StepKind::Lay, StepKind::Lay]],
    }
}

/// A tile that can be laid or slid.
#[derive(Copy, Clone)]
struct StepSource {
    /// The square that a slide leaves.
    from: Option<u8>,
    /// The mover's other tiles on the board.
    others: u128,
    /// The squares where it completes a window.
    completing: u128,
}

/// The steps that can be made on one board.
struct Steps<'r> {
    rules: &'r Tandem,
    board: usize,
    empty: u128,
    sources: ArrayVec<StepSource, MAX_TILES>,
}

impl<'r> Steps<'r> {
    fn new(rules: &'r Tandem, position: &Position, board: usize, kind: StepKind) -> Steps<'r> {
        let own = position.tiles[position.to_move().index()][board];
        let empty = rules.area & position.empty(board);
        let completing = |tiles| board::completing(tiles, rules.line) & empty;
        // If no square completes a window now, none does after a tile leaves its square.
        let threats = completing(own);
        let mut sources = ArrayVec::new();
        match kind {
            StepKind::Lay => sources.push(StepSource { from: None, others: own, completing: threats }),
            StepKind::Slide => sources.extend(board::squares(own).map(|from| {
                let others = own & !board::bit(from);
                let completing = if threats == 0 { 0 } else { completing(others) };
                StepSource { from: Some(from), others, completing }
            })),
        }
        Steps { rules, board, empty, sources }
    }

    /// Returns the empty squares of a colour.
    fn goals(&self, colour: usize) -> u128 {
        self.rules.layout.colours[colour].1[self.board] & self.empty
    }

    /// Counts the steps that reach a colour, once for each window that they can score.
    fn count(&self, colour: usize) -> u64 {
        let goals = self.goals(colour);
        let choices = |source: &StepSource| {
            let more = board::squares(goals & source.completing).map(|to| {
                board::windows_through(source.others | board::bit(to), to, self.rules.line).len() as u64 - 1
            });
            u64::from(goals.count_ones()) + more.sum::<u64>()
        };
        self.sources.iter().map(choices).sum()
    }

    /// Visits the steps that reach a colour, once for each window that they can score.
    fn visit(&self, colour: usize, mut visit: impl FnMut(Half)) {
        let goals = self.goals(colour);
        for source in &self.sources {
            for to in board::squares(goals) {
                if source.completing & board::bit(to) == 0 {
                    visit(Half::new(source.from, to, None));
                } else {
                    let tiles = source.others | board::bit(to);
                    for window in board::windows_through(tiles, to, self.rules.line) {
                        visit(Half::new(source.from, to, Some(window)));
                    }
                }
            }
        }
    }

    /// Returns the step of this number, from 0, among those that reach a colour.
    fn nth(&self, colour: usize, number: u64) -> Option<Half> {
        let (mut passed, mut found) = (0, None);
        self.visit(colour, |half| {
            found = found.or((passed == number).then_some(half));
            passed += 1;
        });
        found
    }
}

impl Tandem {
    /// Returns the steps on both boards, for each permitted pair of kinds.
    fn ways<'r>(&'r self, position: &'r Position) -> impl Iterator<Item = [Steps<'r>; 2]> {
        let stock = position.stock(position.to_move());
        kinds(stock).iter().map(move |[first, second]| {
            [Steps::new(self, position, 0, *first), Steps::new(self, position, 1, *second)]
        })
    }

    fn colours(&self) -> std::ops::Range<usize> {
        0..self.layout.colours.len()
    }

    /// Appends all turns except the pass.
    pub(super) fn list_turns(&self, position: &Position, moves: &mut Vec<Move>) {
        for [first, second] in self.ways(position) {
            for colour in self.colours() {
                first.visit(colour, |one| {
                    second.visit(colour, |other| moves.push(Move([one, other])));
                });
            }
        }
    }

    /// Returns the turn of this number, from 0, in the order of [`Tandem::list_turns`], without listing all of the
    /// thousands of turns.
    pub(super) fn turn(&self, position: &Position, number: u64) -> Option<Move> {
        let mut left = number;
        for [first, second] in self.ways(position) {
            for colour in self.colours() {
                let others = second.count(colour);
                let here = first.count(colour) * others;
                if left < here {
                    let [one, other] = [first.nth(colour, left / others), second.nth(colour, left % others)];
                    return Some(Move([one?, other?]));
                }
                left -= here;
            }
        }
        None
    }

    /// Counts the turns, without the pass.
    pub(super) fn count_turns(&self, position: &Position) -> u64 {
        let ways = self.ways(position);
        let number = |[first, second]: [Steps<'_>; 2]| {
            self.colours().map(|colour| first.count(colour) * second.count(colour)).sum::<u64>()
        };
        ways.map(number).sum()
    }

    /// Returns true if there is any turn except the pass.
    pub(super) fn has_turn(&self, position: &Position) -> bool {
        let own = &position.tiles[position.to_move().index()];
        let movable = |[first, second]: &[StepKind; 2]| {
            (*first == StepKind::Lay || own[0] != 0) && (*second == StepKind::Lay || own[1] != 0)
        };
        let empty = [position.empty(0), position.empty(1)];
        let stock = position.stock(position.to_move());
        kinds(stock).iter().any(movable)
            && self
                .layout
                .colours
                .iter()
                .any(|(_, [one, other])| one & empty[0] != 0 && other & empty[1] != 0)
    }

    /// Returns true if a turn is legal in a game that is not over.
    pub(super) fn allows(&self, position: &Position, mv: Move) -> bool {
        let Some(halves) = mv.halves() else { return !self.has_turn(position) };
        let step_kinds =
            halves.map(|half| if half.from().is_none() { StepKind::Lay } else { StepKind::Slide });
        let stock = position.stock(position.to_move());
        let [one, other] = halves;
        kinds(stock).contains(&step_kinds)
            && self.allows_half(position, 0, one)
            && self.allows_half(position, 1, other)
            && self.layout.tint(0, one.to()) == self.layout.tint(1, other.to())
    }

    /// Returns true if a step is possible and scores if it must.
    fn allows_half(&self, position: &Position, board: usize, half: Half) -> bool {
        let own = position.tiles[position.to_move().index()][board];
        let to = board::bit(half.to());
        if self.area & position.empty(board) & to == 0 {
            return false;
        }
        let left = half.from().map_or(0, board::bit);
        if own & left != left {
            return false;
        }
        let tiles = own & !left | to;
        match half.window() {
            // There was no window before the step, so each one contains the square reached.
            Some(window) => self.is_window(window) && tiles & window.set() == window.set(),
            None => board::completing(tiles & !to, self.line) & to == 0,
        }
    }

    /// Returns true if a window has the length required in this game.
    pub(super) fn is_window(&self, window: Window) -> bool {
        window.length() == self.line
    }

    /// Returns the windows on a board after a step of the mover.
    pub(super) fn windows_after(
        &self,
        position: &Position,
        board: usize,
        half: Half,
    ) -> ArrayVec<Window, { board::MAX_WINDOWS }> {
        let own = position.tiles[position.to_move().index()][board];
        let left = half.from().map_or(0, board::bit);
        let tiles = own & !left | board::bit(half.to());
        board::windows_through(tiles, half.to(), self.line)
    }
}

const _: () = assert!(BITS <= u128::BITS as usize, "a board's squares fit into a set");
