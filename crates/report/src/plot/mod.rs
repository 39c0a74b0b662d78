//! Plots as SVG: pure functions of data, the same data the same bytes.
//!
//! Each has a title, axes with their units, and a description for those who
//! do not see it. Nothing is told by colour alone: lines carry names, marks and
//! dashes too. A plot stands alone as a file, with its style in it for light
//! and dark, or in a page that has [`STYLE`], once for wide and once for
//! narrow windows.

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

/// How plots look; a page that shows some needs it.
pub const STYLE: &str = include_str!("plot.css");

/// What a plot is drawn for.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Canvas<'i> {
    /// A file of its own.
    File,
    /// A page that has [`STYLE`].
    Page {
        /// What the ids in the plot begin with; no two plots of a page share one.
        id: &'i str,
        /// How much room there is.
        room: Room,
    },
}

/// How much room a plot has.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Room {
    /// That of a window on a desk.
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

    /// How wide the sheet is.
    fn width(&self) -> f64 {
        match self.room() {
            Room::Wide => 760.0,
            Room::Narrow => 350.0,
        }
    }

    /// How many numbers stand below it at most.
    fn ticks(&self) -> usize {
        match self.room() {
            Room::Wide => 8,
            Room::Narrow => 4,
        }
    }
}
