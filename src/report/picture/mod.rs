//! Pictures of positions: a [`Scene`](crate::games::scene::Scene) as text for
//! a terminal and as SVG.
//!
//! Both tell everything without colour: whose a piece is by its symbol, the
//! last move and finished lines by brackets or strokes.

mod marks;
pub mod svg;
pub mod terminal;

#[cfg(test)]
mod tests;
