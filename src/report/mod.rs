//! What people see of games and results: pure functions of records and scenes.

pub mod film;
pub mod page;
pub mod picture;
pub mod sentence;
