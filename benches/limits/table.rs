//! The one table that all measurements go into.

use std::fmt;

use crate::players::NotMeasured;

/// A median with the least and the most.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Spread {
    /// The median; of an even number of values the lower one of the middle two.
    pub median: f64,
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
}

impl Spread {
    /// Of values, of which there must be some.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Spread {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1).expect("something was measured");
        Spread { median: values[last / 2], least: values[0], most: values[last] }
    }
}

/// A spread with as many digits as tell something.
impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match self.median.abs() {
            0.0..10.0 => 2,
            10.0..100.0 => 1,
            _ => 0,
        };
        let Spread { median, least, most } = self;
        write!(f, "{median:.digits$} ({least:.digits$}..{most:.digits$})")
    }
}

/// A row: something that was measured, or why it was not.
pub struct Row {
    /// What, and under which circumstances.
    pub what: String,
    /// In what it is told.
    pub unit: &'static str,
    /// By the clock.
    pub wall: Option<Spread>,
    /// By CPU time.
    pub cpu: Option<Spread>,
    /// What is aimed at, or another remark.
    pub aim: String,
}

impl Row {
    /// A row that tells nothing yet.
    pub fn new(what: impl Into<String>, unit: &'static str) -> Row {
        Row { what: what.into(), unit, wall: None, cpu: None, aim: String::new() }
    }

    /// With values by the clock, or of what has no time.
    pub fn wall(self, values: impl IntoIterator<Item = f64>) -> Row {
        Row { wall: Some(Spread::of(values)), ..self }
    }

    /// With values by CPU time.
    pub fn cpu(self, values: impl IntoIterator<Item = f64>) -> Row {
        Row { cpu: Some(Spread::of(values)), ..self }
    }

    /// With what is aimed at.
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

/// Prints what was measured of something, or why it was not.
pub fn print_or_say(what: impl Into<String>, measured: Result<Vec<Row>, NotMeasured>) {
    match measured {
        Ok(rows) => print(rows),
        Err(why) => print([Row::new(what, "").aim(why.to_string())]),
    }
}

/// Prints the head of the table.
pub fn print_head() {
    println!("| what | unit | wall: median (least..most) | CPU: median (least..most) | aim |");
    println!("|---|---|---|---|---|");
}

/// Prints rows at once, so that a run that is broken off has told what it knows.
pub fn print(rows: impl IntoIterator<Item = Row>) {
    for row in rows {
        println!("{row}");
    }
}
