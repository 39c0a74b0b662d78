//! Writing records and reading them again.

mod contract;
mod faults;
mod files;
mod reading;

/// The smallest record that tools must read.
pub(crate) const SMALLEST: &str =
    r#"{"v":1,"id":"g1","game":"quixo","seats":[{"name":"A"},{"name":"B"}],"places":[1,2]}"#;
