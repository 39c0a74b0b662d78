//! Second implementations of the games, slow and obvious, written from the
//! rules alone: nothing of the crate is used here.

pub mod quixo;
