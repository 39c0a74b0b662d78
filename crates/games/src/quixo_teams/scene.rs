//! The scene of a position, and its end in words.

use crate::quixo::board;
use crate::quixo::scene::marks_of;
use crate::quixo_teams::notation::symbol;
use crate::quixo_teams::position::{SEATS, SIZE, opponents};
use crate::quixo_teams::{Dot, Move, Position, QuixoTeams};
use crate::scene::{self, Mark, Piece, Pointer, Scene};
use linesman_types::clause::Clause;
use linesman_types::seat::{Seat, Side};

impl QuixoTeams {
    pub(super) fn why_won(&self, position: &Position, winner: Side, lines: &[Mark]) -> Clause {
        let mover = Seat::from_index((position.to_move().index() + SEATS - 1) % SEATS);
        let teammate = mover.next(SEATS).next(SEATS);
        let (shown, own) = (symbol(winner), scene::lines_in_words(lines));
        if winner != position.side_to_move() {
            let made = format_args!(" has made a full line of `{shown}` ({own}) for itself and ");
            return Clause::default().seat(mover).words(made).seat(teammate);
        }
        let movers = opponents(winner);
        let too = scene::even_with(&self.board.full_lines(position.cubes(movers), movers), "their");
        Clause::default()
            .seat(mover)
            .words(format_args!(
                " has made a full line of the opponents' `{shown}` ({own}) and so has lost, together with "
            ))
            .seat(teammate)
            .words(too)
    }

    pub(super) fn draw(&self, position: &Position, last: Option<Move>) -> Scene {
        let pieces = Dot::ALL.into_iter().flat_map(|dot| {
            let pointer = Some(Pointer::Dot(dot.direction()));
            let piece = Piece { pointer, ..Piece::plain(symbol(dot.side()), dot.side()) };
            board::squares(position.dotted(dot)).map(move |index| (board::square(index), piece.clone()))
        });
        let drawn = scene::Board::with_pieces(SIZE, SIZE, pieces);
        let pushed = last.and_then(|mv| match mv {
            Move::Push(push) => Some(push.cube),
            Move::Pass => None,
        });
        let marks = pushed.map(marks_of).into_iter().flatten().collect();
        let mut captions = vec!["seat 1 south, 2 west, 3 north, 4 east".to_owned()];
        if last == Some(Move::Pass) {
            captions.push("the last move was a pass".to_owned());
        }
        if position.is_first_round() {
            captions.push("first round: blank cubes only".to_owned());
        } else if self.takeable(position) == 0 && self.winner(position).is_none() {
            captions.push(format!("seat {} has no cube to take and must pass", position.to_move()));
        }
        Scene { boards: vec![drawn], marks, captions }
    }
}
