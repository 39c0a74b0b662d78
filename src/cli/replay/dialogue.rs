//! `linesman replay --dialogue`: prints the lines between the referee and the bots of a game.

use std::io::Write;

use super::super::env;
use super::super::error::{Exit, Failure};
use super::super::play::failure::{directory_failure, plan_failure};
use super::super::ui::Ui;
use super::Args;
use super::rerun::run_directory;
use crate::direction::Direction;
use crate::league::dialogue::{
    Dialogue, DialogueLine, NoDialogue, SeatTerms, dialogue, push_transcript_line,
};
use crate::league::directory::{Plan, RunDirectory};
use crate::league::rerun::is_version_of;
use crate::record::{GameRecord, WorkerRecord};
use crate::report::describe::printable;
use crate::seat::{BySeat, Seat};

/// A kind of line that a bot can ask for in its handshake.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Feature {
    Legal,
    State,
    None,
}

impl Feature {
    pub(super) fn parse(text: &str) -> Result<Feature, String> {
        match text {
            "legal" => Ok(Feature::Legal),
            "state" => Ok(Feature::State),
            "none" => Ok(Feature::None),
            _ => Err("expected `legal`, `state`, `legal,state` or `none`".to_owned()),
        }
    }
}

pub(super) fn run(args: &Args, record: &GameRecord, ui: &Ui) -> Result<Exit, Failure> {
    let seat = args.seat.and_then(|number| Seat::new(usize::from(number)));
    if let Some(seat) = seat.filter(|seat| seat.number() > record.seats.len()) {
        return Err(Failure::wrong(format_args!(
            "there is no seat {seat}: the game has {} seats",
            record.seats.len()
        )));
    }
    if args.feature.contains(&Feature::None) && args.feature.len() > 1 {
        return Err(Failure::wrong("`--feature none` can't be combined with other words"));
    }
    let terms = terms(args, record, ui)?;
    let terms = BySeat::from_values(terms)
        .ok_or_else(|| Failure::wrong(format_args!("a game can't have {} seats", record.seats.len())))?;
    let Dialogue { head, lines } = dialogue(record, &terms).map_err(|error| cant(&error))?;
    if args.feature.is_empty() {
        ui.note(
            "records don't say which lines a bot asked for: here are `state` and `legal` lines; choose with \
             `--feature`",
        );
    }
    if record.options.get("consultation").is_some_and(|value| value == true) {
        ui.note("records don't say what teammates told each other: there are no `told` lines here");
    }
    let lines = up_to(&lines, seat, args.ply)?;
    let mut data = ui.data();
    match seat {
        Some(_) => {
            let to_seat =
                lines.iter().filter(|line| Some(line.seat) == seat && line.direction == Direction::ToBot);
            to_seat.into_iter().try_for_each(|line| writeln!(data, "{}", line.text))?;
        }
        None => {
            let mut text = format!("# {}\n{head}\n", printable(&record.id));
            for line in lines {
                let sign = match line.direction {
                    Direction::ToBot => '>',
                    Direction::FromBot => '<',
                };
                push_transcript_line(&mut text, line.at, line.seat, sign, line.text.as_bytes());
            }
            data.write_all(text.as_bytes())?;
        }
    }
    Ok(Exit::Done)
}

/// The lines up to the request for a ply, or all lines.
fn up_to(lines: &[DialogueLine], seat: Option<Seat>, ply: Option<u32>) -> Result<&[DialogueLine], Failure> {
    let Some(ply) = ply else { return Ok(lines) };
    let max_ply = usize::try_from(ply).unwrap_or(usize::MAX);
    let is_request = |line: &DialogueLine| {
        line.asks_for.is_some_and(|asked| asked <= max_ply) && seat.is_none_or(|seat| line.seat == seat)
    };
    match lines.iter().rposition(is_request) {
        Some(last) => Ok(&lines[..=last]),
        None => {
            let who = seat.map_or_else(|| "no bot".to_owned(), |seat| format!("seat {seat}"));
            let asked = if seat.is_some() { "was not asked" } else { "was asked" };
            Err(Failure::wrong(format_args!("{who} {asked} for a move up to ply {ply}"))
                .hint("choose a later ply; `linesman replay` numbers them, those of the opening included"))
        }
    }
}

/// The terms of the seats according to the plan.
fn terms(args: &Args, record: &GameRecord, ui: &Ui) -> Result<Vec<SeatTerms>, Failure> {
    let is_wanted = |feature| args.feature.is_empty() || args.feature.contains(&feature);
    let common = SeatTerms {
        wants_state: is_wanted(Feature::State),
        wants_legal: is_wanted(Feature::Legal),
        ..SeatTerms::default()
    };
    let Some(plan) = plan(args, ui)? else {
        ui.note(
            "there is no plan beside the records: options of bots and their `limits.move` are not known; give \
             the tournament file with `--plan FILE`",
        );
        return Ok(vec![common; record.seats.len()]);
    };
    let of_seat = |name: &str| {
        // Records have the first name of a bot.
        let bot = plan
            .tournament
            .bots
            .iter()
            .find(|bot| is_version_of(bot.original_name.as_ref().unwrap_or(&bot.name), name));
        let Some(bot) = bot else {
            ui.note(format_args!("bot `{}` is not in the plan: its options are not known", printable(name)));
            return common.clone();
        };
        let scale = record.worker.as_ref().and_then(WorkerRecord::time_scale);
        let max_move_time =
            bot.limits.max_move_time.map(|limit| scale.map_or(limit, |scale| scale.time(limit)));
        SeatTerms { options: bot.options.clone(), max_move_time, ..common.clone() }
    };
    Ok(record.seats.iter().map(|seat| of_seat(&seat.name)).collect())
}

fn plan(args: &Args, ui: &Ui) -> Result<Option<Plan>, Failure> {
    if let Some(file) = &args.plan {
        return Plan::read(file, Some(env::cores())).map(Some).map_err(|error| plan_failure(ui, &error));
    }
    let Some(folder) = run_directory(&args.file) else { return Ok(None) };
    let plan = RunDirectory::at(&folder).plan_in_force();
    plan.map(Some).map_err(|error| directory_failure(ui, &error))
}

fn cant(error: &NoDialogue) -> Failure {
    let failure = Failure::wrong(format_args!("the dialogue can't be made from this record: {error}"));
    match error {
        NoDialogue::Late { .. } => {
            failure.hint("the plan may have changed since the game: give the one of then with `--plan FILE`")
        }
        NoDialogue::Lacks(_) => failure,
        NoDialogue::UnknownGame(_)
        | NoDialogue::Options(_)
        | NoDialogue::Seats { .. }
        | NoDialogue::Position(_)
        | NoDialogue::Move { .. }
        | NoDialogue::End => {
            failure.hint("run `linesman verify` to list everything that is inconsistent in a file")
        }
    }
}
