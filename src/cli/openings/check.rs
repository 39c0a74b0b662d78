//! `linesman openings check`: checks a file of openings.

use std::io::Write;
use std::path::PathBuf;

use super::super::args::{Format, FormatArgs};
use super::super::diagnostics;
use super::super::error::{Exit, Failure};
use super::super::json::{self, Object, value};
use super::super::ui::Ui;
use crate::games::Setup;
use crate::league::file::{Diagnostic, Diagnostics, Source};
use crate::league::openings::file::{self, Alike, OpeningFile};

/// Maximum number of openings equivalent to earlier ones that are named.
const MAX_NAMED: usize = 10;

/// Check a file of openings
///
/// Every mistake is reported with its line. An opening that leads to the same
/// position as an earlier one, or to an equivalent position, gives a warning.
#[derive(clap::Args, Debug)]
#[command(before_help = "Example:\n  linesman openings check quixo.openings")]
#[command(
    after_long_help = "Exit status: 0 if all openings are valid, 1 if not, 2 if the file can't be read."
)]
pub(crate) struct Args {
    /// File of openings
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let shown = args.file.display().to_string();
    let text =
        file::read(&args.file).map_err(|error| Failure::file(Exit::Wrong, "read", &args.file, &error))?;
    match file::parse(&text, None) {
        Ok(read) => good(args, ui, &shown, &read),
        Err(diagnostics) => {
            let diagnostics = Diagnostics::new(Source { name: shown, text }, diagnostics);
            bad(args, ui, &diagnostics)
        }
    }
}

fn good(args: &Args, ui: &mut Ui, shown: &str, read: &OpeningFile) -> Result<Exit, Failure> {
    let equivalent = file::alike(read);
    for Alike { line, first } in equivalent.iter().take(MAX_NAMED) {
        ui.warn(format_args!("{shown}:{line}: this opening is equivalent to the one in line {first}"));
    }
    if let Some(more) = equivalent.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) {
        ui.warn(format_args!("{shown}: {more} more openings are equivalent to earlier ones"));
    }
    let setup: &dyn Setup = &*read.setup;
    let openings = read.openings.len();
    match args.format.format() {
        Format::Json => {
            let alike =
                |Alike { line, first }: &Alike| Object(vec![("line", value(line)), ("first", value(first))]);
            let object = vec![
                ("file", value(shown)),
                ("game", value(setup.id())),
                ("options", value(json::Options(setup.options()))),
                ("openings", value(openings)),
                ("alike", json::array(equivalent.iter().map(alike))),
                ("mistakes", json::array(Vec::<Object>::new())),
            ];
            ui.print_json(&Object(object))?;
        }
        Format::Csv => writeln!(ui.data(), "openings,alike,mistakes\n{openings},{},0", equivalent.len())?,
        Format::Table => {
            let what = if openings == 1 { "opening" } else { "openings" };
            writeln!(ui.data(), "{openings} {what} of {} {}: all valid", setup.id(), setup.options())?;
        }
    }
    Ok(Exit::Done)
}

fn bad(args: &Args, ui: &mut Ui, diagnostics: &Diagnostics) -> Result<Exit, Failure> {
    let source = &diagnostics.sources[0];
    match args.format.format() {
        Format::Json => {
            let mistake = |diagnostic: &Diagnostic| {
                let start = diagnostic.annotations.first().map_or(0, |place| place.span.start);
                let (line, column) = source.position(start);
                let why = value(&diagnostic.message);
                Object(vec![("line", value(line)), ("column", value(column)), ("why", why)])
            };
            let object = vec![
                ("file", value(&source.name)),
                ("game", value(())),
                ("options", value(())),
                ("openings", value(0)),
                ("alike", json::array(Vec::<Object>::new())),
                ("mistakes", json::array(diagnostics.list.iter().map(mistake))),
            ];
            ui.print_json(&Object(object))?;
        }
        Format::Csv => writeln!(ui.data(), "openings,alike,mistakes\n0,0,{}", diagnostics.list.len())?,
        Format::Table => {}
    }
    let colours = if ui.stderr_in_colour() { diagnostics::Colours::On } else { diagnostics::Colours::Off };
    Err(Failure::diagnostics(Exit::No, diagnostics, colours))
}
