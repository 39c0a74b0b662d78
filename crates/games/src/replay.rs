//! Games replayed from a list of moves.

use crate::eliminations::Eliminations;
use crate::notation::{NotAPosition, Refusal};
use crate::table::{Setup, Table};

/// Plays moves from the usual start or from the position of a token, as a `position` line lists them. `!3` puts
/// seat 3 out.
///
/// # Errors
/// A token that can't be read, and the first move that can't be played.
pub fn replay<T: AsRef<str>>(
    setup: &dyn Setup,
    token: Option<&str>,
    moves: impl IntoIterator<Item = T>,
) -> Result<Box<dyn Table>, CantReplay> {
    let mut table = match token {
        None => setup.start(),
        Some(token) => setup
            .from_token(token)
            .map_err(|error| CantReplay::Position { token: token.to_owned(), error })?,
    };
    let mut eliminations = Eliminations::default();
    for (index, text) in moves.into_iter().enumerate() {
        let text = text.as_ref();
        eliminations.play(&mut *table, text).map_err(|error| CantReplay::Move {
            number: index + 1,
            text: text.to_owned(),
            error,
        })?;
    }
    Ok(table)
}

/// The reason why a list of moves can't be played.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum CantReplay {
    /// The position that it starts from can't be read.
    #[error("can't read position `{token}`")]
    Position {
        /// The token.
        token: String,
        /// The reason.
        #[source]
        error: NotAPosition,
    },
    /// A move can't be played.
    #[error("move {number}, `{text}`, can't be played")]
    Move {
        /// The move's number, from 1.
        number: usize,
        /// The move.
        text: String,
        /// The reason.
        #[source]
        error: Refusal,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Illegal;

    fn tandem() -> std::sync::Arc<dyn Setup> {
        let three = crate::find("tandem").expect("it is in the registry").configure(&[("players", "3")]);
        three.expect("there are three players")
    }

    #[test]
    fn a_replay_from_the_start_or_a_token_leads_to_the_same_position() {
        let setup = tandem();
        let mut table = setup.start();
        let mut moves = Vec::new();
        for _ in 0..3 {
            let mv = crate::legal_moves(&*table).swap_remove(0);
            table.play(&mv).expect("it is legal");
            moves.push(mv);
        }
        let after = replay(&*setup, None, &moves).expect("all are legal");
        assert_eq!(after.token(), table.token());
        moves.push("!2".to_owned());
        let after = replay(&*setup, None, &moves).expect("seat 2 is in");
        table.eliminate(linesman_types::seat::Seat::SECOND);
        assert_eq!(after.token(), table.token());
        let after = replay(&*setup, Some(&table.token()), [""; 0]).expect("the token can be read");
        assert_eq!(after.token(), table.token());
    }

    #[test]
    fn errors_name_the_token_or_the_move() {
        let setup = tandem();
        let error = replay(&*setup, Some("x"), [""; 0]).err().expect("it is no token");
        assert_eq!(error.to_string(), "can't read position `x`");
        let error = replay(&*setup, None, ["!2", "!2"]).err().expect("seat 2 goes out once");
        let why = "seat 2 is already out".to_owned();
        let expected = CantReplay::Move {
            number: 2,
            text: "!2".to_owned(),
            error: Illegal::new("departure", why).into(),
        };
        assert_eq!(error, expected);
    }
}
