//! The linesman program.
fn main() {}
