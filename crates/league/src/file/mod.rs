//! The tournament file: reads it, checks it, and compares it with another by meaning.
//!
//! [`parse()`] turns the text into a [`Tournament`], or into [`Diagnostics`] of all mistakes with their spans in the
//! text. The command line formats these.
//!
//! `keys.rs` lists every key. The reader, the [`schema`], the [`mod@reference`] and [`compare()`] are derived from it.

mod adjudication;
mod bot;
mod command;
mod diagnostics;
mod differences;
mod key;
mod keys;
mod kinds;
mod limit;
mod need;
mod openings;
mod option_file;
mod options;
mod pairing;
mod parse;
mod reader;
pub mod reference;
pub mod schema;
mod section;
mod size;
mod spans;
mod sprt;
mod suggestion;
mod teams;
mod tournament;
mod workers;

#[cfg(test)]
mod tests;

pub use adjudication::adjudication_keys;
pub use command::{CommandError, split_command};
pub use diagnostics::{Annotation, Diagnostic, Diagnostics, Difference, Source};
pub use differences::{Comparison, compare};
pub use keys::DEFAULT_ERROR;
pub use kinds::MAX_NAME_LENGTH;
pub use limit::limit_line;
pub use need::{Need, NeedError, ProgramVersion};
pub use option_file::{OptionFile, OptionFileError};
pub(crate) use options::find_game;
pub use parse::{Context, VERSION, parse};
pub use size::{Size, SizeError, parse_size};
pub use spans::Spans;
pub(crate) use suggestion::suggestion_of_many;
pub use suggestion::{did_you_mean, suggestion};
pub use tournament::{
    AdjudicationPlan, Affinity, Bot, Concurrency, Entrant, Limits, Method, OverloadPolicy, Oversubscribe,
    PairingOptions, Pause, Ponder, RatingPlan, ReadFromFile, ScheduleKind, TablePlan, Tournament,
    WorkersPlan,
};
