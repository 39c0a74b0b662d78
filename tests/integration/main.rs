//! Tests of the real binary and of the crate as a whole. The modules are named
//! after what they test.

mod adapters;
mod adjudication;
mod analyze;
mod bad_input;
mod book;
mod bots;
mod check_bot;
mod circles;
mod cpu_clock;
mod crash_safety;
mod damaged_records;
mod dialogue;
mod driver;
mod events;
mod fair_time;
mod first_bot;
mod foreign_crates;
mod fuzzing;
mod game_lists;
mod golden;
mod hints;
#[path = "../hostile/mod.rs"]
mod hostile;
mod inspect;
mod isolation;
#[path = "../support/kept.rs"]
mod kept;
mod kits;
mod layers;
mod layouts;
mod leagues;
mod live_view;
mod many_seats;
mod matches;
mod openings;
mod perft;
mod play;
mod process;
mod progress;
mod published;
mod ratings;

#[cfg(feature = "nats")]
mod remote;
mod replay;
mod replay_terminal;
mod reports;
mod rerun;
mod sample_bots;
mod schedules;
#[path = "../support/schema.rs"]
mod schema;
mod sequential_tests;
mod sessions;
mod setups;
mod shards;
mod solve;
mod sprt;
mod supervisors;
#[path = "../support/mod.rs"]
mod support;
mod team_games;
mod teams;
mod trexo;
mod type_names;
mod verify;
mod versions;
