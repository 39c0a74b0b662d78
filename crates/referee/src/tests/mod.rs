//! The core without any process: bots are what the tests say that they print.

mod conduct;
mod consultation;
mod count;
mod cpu_clock;
mod fairness;
mod player;
mod properties;
mod seats;
mod transcripts;
mod verdicts;
