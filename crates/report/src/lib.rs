//! What people see of games and results: pure functions of records and scenes.

pub mod crosstable;
pub mod data;
pub mod dossier;
pub mod film;
pub mod fit;
mod host;
mod markup;
pub mod overview;
pub mod page;
pub mod picture;
pub mod plot;
pub mod repeats;
pub mod results;
pub mod sentence;
pub mod shorten;
pub mod sprt;
pub mod standings;
pub mod table;
mod tally;
pub mod trf;

#[cfg(test)]
mod tests;

pub use tally::Tally;
pub use tally::{TWELFTHS, TeamsOfGames, point_digits, twelfths};
