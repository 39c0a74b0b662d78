//! Tests of the core without any process: they supply the bots' output.

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
