//! What people see of games and results: pure functions of records and scenes.

pub mod picture;
