//! `linesman league plan`, `run-shard` and `merge`: play a league in shards on many machines.

pub(super) mod merge;
pub(super) mod plan;
pub(super) mod run_shard;
