//! Plots as SVG: pure functions of their data, so the same data give the same bytes.
//!
//! Each has a title, axes with their units, and a description for screen readers. No information is conveyed
//! by colour alone: lines also have names, marks and dashes. A plot is either a file of its own, with a style
//! for light and dark themes, or part of a page that has [`STYLE`], once for wide and once for narrow
//! windows.

mod axis;
mod course;
mod histogram;
mod intervals;
mod sheet;

#[cfg(test)]
mod tests;

pub use course::{CoursePlot, Track};
pub use histogram::{Bin, HistogramPlot};
pub use intervals::{Estimate, IntervalPlot};

/// The style of plots, which a page with plots needs.
pub const STYLE: &str = include_str!("plot.css");

/// The target of a plot.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Canvas<'i> {
    /// A file of its own.
    File,
    /// A page that has [`STYLE`].
    Page {
        /// Prefix of the ids in the plot; no two plots of a page share one.
        id: &'i str,
        /// The available room.
        room: Room,
    },
}

/// The room for a plot.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Room {
    /// That of a desktop window.
    Wide,
    /// That of a phone.
    Narrow,
}

impl Canvas<'_> {
    fn room(&self) -> Room {
        match self {
            Canvas::File => Room::Wide,
            Canvas::Page { room, .. } => *room,
        }
    }

    /// Returns the width of the sheet.
    fn width(&self) -> f64 {
        match self.room() {
            Room::Wide => 760.0,
            Room::Narrow => 350.0,
        }
    }

    /// Returns the maximum number of ticks below it.
    fn ticks(&self) -> usize {
        match self.room() {
            Room::Wide => 8,
            Room::Narrow => 4,
        }
    }
}
