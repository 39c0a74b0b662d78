//! `linesman league plan`, `run-shard` and `merge`: a league in parts, on many machines.

pub(super) mod merge;
pub(super) mod plan;
pub(super) mod run_shard;
