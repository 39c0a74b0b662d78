//! The vocabulary that all parts of linesman share: seats, teams and places, time controls, and verdicts.
//!
//! ```
//! use std::time::Duration;
//!
//! use linesman_types::seat::{BySeat, Seat, Teams};
//! use linesman_types::time_control::{Charge, Clock, TimeControl};
//!
//! // Two seats with 60 s each and an increment of half a second.
//! let control: TimeControl = "tc=60s+500ms".parse()?;
//! let mut clock = Clock::new(control, 2);
//! let charge = clock.charge(Seat::FIRST, Duration::from_secs(2), Duration::ZERO);
//! assert_eq!(charge, Charge::InTime);
//! assert_eq!(clock.limit(Seat::FIRST), Duration::from_millis(58_500));
//!
//! // Seats 1 and 3 play against seats 2 and 4. The higher measure takes first place.
//! let teams = Teams::opposite_pairs();
//! let places = BySeat::by_measure(&teams, |seat| seat.index() % 2);
//! assert_eq!(places.score(&teams, Seat::SECOND), 1.0);
//! # Ok::<(), linesman_types::time_control::TimeError>(())
//! ```
//!
//! # Modules
//!
//! - [`clause`]: clauses for people, which keep seats and quotations apart from the words.
//! - [`direction`]: the direction of a line between the referee and a bot.
//! - [`random`]: random numbers from a seed.
//! - [`reading`]: a bot's CPU time at one moment.
//! - [`seat`]: seats, teams, places, and one value for each seat.
//! - [`shell`]: the hint for scripts with carriage returns.
//! - [`time_control`]: time controls, clocks as values, and durations as people write them.
//! - [`verdict`]: how a game ended, and each way in which a bot can fail.
//!
//! This crate reads no clock and no file.

pub mod clause;
pub mod direction;
pub mod random;
pub mod reading;
pub mod seat;
pub mod shell;
pub mod time_control;
pub mod verdict;
