//! The standings after a run, with notes and warnings.

use std::io::Write;
use std::path::Path;

use super::super::args::Format;
use super::super::error::Failure;
use super::super::events;
use super::super::ui::Ui;
use super::failure::rating_failure;
use super::results::{
    adjudicated_note, finding, has_unwanted_pondering, own_note, past_bots_note, standings_by,
};
use crate::cli::ratings::seat_in_words;
use crate::cli::schedule::{heading_text, ranking_text, with_schedule};
use crate::league::file::{ScheduleKind, Tournament};
use crate::league::schedule::Schedule;
use crate::league::session::Results;
use crate::rating::{FieldNote, Ratings};
use crate::report::layout::{self, Layout};
use crate::report::notes;
use crate::report::standings::{Standings, View};

/// Maximum number of lines below the tables.
const MAX_LINES: usize = 10;

/// Prints the standings and warnings. The table for people begins with the ranking by the rules of the schedule, if it
/// has its own rules, and notes on the numbers follow.
/// `directory` is the run directory as the user named it, if there is one.
pub(crate) fn show_standings(
    ui: &mut Ui,
    format: Format,
    results: &Results,
    tournament: &Tournament,
    schedule: &Schedule,
    directory: Option<&Path>,
) -> Result<(), Failure> {
    let ratings = results.ratings().map_err(|error| rating_failure(&error))?;
    let standings = with_schedule(standings_by(results, &ratings), schedule);
    if let Some(events) = ui.events() {
        let standings = events::standings(&results.points_ranked(), results.teams(), Some(&ratings));
        events.emit(&events::Event::Standings(standings));
    }
    let width = ui.data_width();
    match format {
        Format::Table => {
            let text = standings_text(&standings, results, schedule, width)?;
            ui.data().write_all(text.as_bytes())?;
        }
        Format::Csv => standings.table(View::Full).write_csv(ui.data())?,
        Format::Json => ui.print_json(&standings.table(View::Full))?,
    }
    let the_rest = match directory.map(Path::display) {
        Some(directory) => format!("`linesman league report {directory}` shows everything"),
        None => {
            "use `--out DIR` to keep the games, and `linesman league report` to see everything".to_owned()
        }
    };
    let warnings = warnings(&standings, results, tournament);
    // Earlier warnings have scrolled off the screen during the games.
    let earlier = if results.own().games > 0 { ui.warnings().to_vec() } else { Vec::new() };
    // Programs find the notes in the data. Warnings are printed with every format, so that `--strict` always has the
    // same effect.
    let notes = match format {
        Format::Table => notes(&standings, (results, &ratings), tournament, directory)?,
        Format::Csv | Format::Json => Vec::new(),
    };
    print_lines(ui, &warnings, &earlier, &notes, &the_rest);
    Ok(())
}

/// Prints lines below the tables: warnings, `earlier` warnings once more, and notes. If there are too many, the last
/// line has their number and `the_rest`, which names the command that shows them.
fn print_lines(ui: &mut Ui, warnings: &[String], earlier: &[String], notes: &[String], the_rest: &str) {
    let all_warnings = warnings.len() + earlier.len();
    let all = all_warnings + notes.len();
    let shown = if all <= MAX_LINES { all } else { MAX_LINES - 1 };
    for (index, line) in warnings.iter().chain(earlier).chain(notes).take(shown).enumerate() {
        match index {
            _ if index < warnings.len() => ui.warn_once(line),
            _ if index < all_warnings => ui.print_warning(line),
            _ => ui.note(line),
        }
    }
    if all > shown {
        ui.note(format_args!("and {} more notes; {the_rest}", all - shown));
    }
}

/// The table of the standings, below the ranking if the schedule has its own rules.
fn standings_text(
    standings: &Standings,
    results: &Results,
    schedule: &Schedule,
    width: Option<usize>,
) -> Result<String, Failure> {
    let mut text = String::new();
    if let Some(ranking) = ranking_text(schedule, width)? {
        text.push_str(&ranking);
        let order = standings.order_in_words();
        let heading = format!("Results and ratings from the games played, ordered {order}");
        text.push_str(&format!("\n{}", heading_text(&heading, width)));
    }
    text.push_str(&layout::text(&standings.table(View::Brief), layout::STANDINGS, width));
    if let Some(by_seat) = standings.by_seat() {
        text.push('\n');
        text.push_str(&layout::text(&by_seat, Layout::Part(1), width));
    }
    if let Some(test) = results.test() {
        text.push('\n');
        text.push_str(&finding(test).block());
    }
    Ok(text)
}

fn notes(
    standings: &Standings,
    (results, ratings): (&Results, &Ratings),
    tournament: &Tournament,
    directory: Option<&Path>,
) -> Result<Vec<String>, Failure> {
    let mut notes = Vec::new();
    notes.extend(standings.overload_note().map(|note| match directory.map(Path::display) {
        Some(shown) => format!("{note} (`linesman league show {shown} BOT` lists those of one bot)"),
        None => note,
    }));
    notes.extend(own_note(results));
    notes.extend(past_bots_note(results));
    notes.extend(adjudicated_note(results));
    notes.extend(standings.notes());
    // A warning already covers repeated games.
    let is_new = |note: &&FieldNote| !matches!(note, FieldNote::Repeated { .. });
    notes.extend(ratings.notes.iter().filter(is_new).map(ToString::to_string));
    notes.extend(ratings.seat_advantages.iter().map(seat_in_words));
    // In other schedules, bots need not meet equally often.
    if tournament.schedule == ScheduleKind::RoundRobin && results.past_bots().games == 0 {
        let games = Schedule::of(tournament).map_err(Failure::wrong)?.games();
        notes.extend(standings.balance_note(games).map(|note| note.to_string()));
    }
    Ok(notes)
}

fn warnings(standings: &Standings, results: &Results, tournament: &Tournament) -> Vec<String> {
    let off_move = has_unwanted_pondering(tournament).then(|| standings.off_move_note()).flatten();
    let [host, off_move] = [standings.host_note(), off_move].map(|note| note.map(|note| note.to_string()));
    [host, notes::repeats_note(results.repeats()), off_move].into_iter().flatten().collect()
}
