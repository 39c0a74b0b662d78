//! The table of all measurements.

use std::fmt;

use crate::players::NotMeasured;

/// A median with the minimum and maximum.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Spread {
    /// The median; for an even number of values the lower of the middle two.
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    /// Returns the spread of at least one value.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Spread {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1).expect("something was measured");
        Spread { median: values[last / 2], min: values[0], max: values[last] }
    }
}

/// Prints a spread with its significant digits.
impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match self.median.abs() {
            0.0..10.0 => 2,
            10.0..100.0 => 1,
            _ => 0,
        };
        let Spread { median, min, max } = self;
        write!(f, "{median:.digits$} ({min:.digits$}..{max:.digits$})")
    }
}

/// A row of the table: a measurement, or the reason why there is none.
pub struct Row {
    /// The measured quantity and its conditions.
    pub what: String,
    pub unit: &'static str,
    /// The value by wall-clock time.
    pub wall: Option<Spread>,
    pub cpu: Option<Spread>,
    /// The aim, or another remark.
    pub aim: String,
}

impl Row {
    pub fn new(what: impl Into<String>, unit: &'static str) -> Row {
        Row { what: what.into(), unit, wall: None, cpu: None, aim: String::new() }
    }

    /// Sets the values by wall-clock time, or those of a quantity other than time.
    pub fn wall(self, values: impl IntoIterator<Item = f64>) -> Row {
        Row { wall: Some(Spread::of(values)), ..self }
    }

    pub fn cpu(self, values: impl IntoIterator<Item = f64>) -> Row {
        Row { cpu: Some(Spread::of(values)), ..self }
    }

    pub fn aim(self, aim: impl Into<String>) -> Row {
        Row { aim: aim.into(), ..self }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |spread: Option<Spread>| spread.map(|spread| spread.to_string()).unwrap_or_default();
        let Row { what, unit, aim, .. } = self;
        write!(f, "| {what} | {unit} | {} | {} | {aim} |", cell(self.wall), cell(self.cpu))
    }
}

/// Prints the measured rows, or the reason why there are none.
pub fn print_or_explain(what: impl Into<String>, measured: Result<Vec<Row>, NotMeasured>) {
    match measured {
        Ok(rows) => print(rows),
        Err(why) => print([Row::new(what, "").aim(why.to_string())]),
    }
}

pub fn print_head() {
    println!("| what | unit | wall: median (least..most) | CPU: median (least..most) | aim |");
    println!("|---|---|---|---|---|");
}

/// Prints rows immediately, so that an interrupted run has printed all of its results.
pub fn print(rows: impl IntoIterator<Item = Row>) {
    for row in rows {
        println!("{row}");
    }
}
