//! The tournament file: read, checked, and compared with another by meaning.
//!
//! [`parse()`] turns the text into a [`Tournament`] or into all of its
//! [`Mistakes`], each with its places in the text. How mistakes look is not
//! known here.

mod adjudication;
mod bot;
mod differences;
mod limit;
mod mistake;
mod openings;
mod option_file;
mod options;
mod pairing;
mod parse;
mod reader;
pub mod schema;
#[cfg(test)]
mod schema_page;
mod size;
mod sprt;
mod teams;
mod tournament;

#[cfg(test)]
mod tests;

pub use adjudication::adjudication_keys;
pub use bot::{CommandError, LONGEST_NAME, split_command};
pub use differences::{Comparison, compare};
pub use limit::limit_line;
pub use mistake::nearest;
pub use mistake::{Mistake, Mistakes, Place, Source};
pub use option_file::{OptionFile, OptionFileError};
pub use parse::{Context, VERSION, parse};
pub use size::{Size, SizeError, parse_size};
pub use sprt::DEFAULT_ERROR;
pub use tournament::{
    AdjudicationPlan, Affinity, Bot, Concurrency, Entrant, Limits, Method, OverloadPolicy, Oversubscribe,
    PairingOptions, Pause, Places, Ponder, RatingPlan, ReadFromFile, ScheduleKind, TablePlan, Tournament,
};
