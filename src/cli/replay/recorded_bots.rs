//! Bots of a recorded game that the plan no longer has or starts with another command. If their files have not changed,
//! the command in the record starts the same bot.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;

use crate::cli::env::identify_here;
use crate::cli::error::Failure;
use crate::league::file::{Bot, Limits, Tournament};
use crate::league::rerun::is_version_of;
use crate::league::version_name::split_version;
use crate::record::{GameRecord, SeatRecord};
use crate::report::describe::printable;

/// Gives the bots of a tournament the commands of the record if their files have not changed, and adds missing bots.
/// Returns a note on each such bot. A bot that the tournament lacks must be startable as in the record.
pub(super) fn find(tournament: &mut Tournament, recorded: &GameRecord) -> Result<Vec<String>, Failure> {
    let mut notes = Vec::new();
    for seat in &recorded.seats {
        match tournament.bots.iter_mut().find(|bot| is_version_of(&bot.name, &seat.name)) {
            Some(bot) => {
                if let Some(command) = recorded_command(bot, seat) {
                    notes.push(format!(
                        "bot `{}` is started with `{}`, the command in the record; the plan now has another \
                         command",
                        bot.name,
                        shell_words::join(&command)
                    ));
                    bot.command = command;
                }
            }
            None => {
                let bot = missing_bot(tournament, seat)?;
                notes.push(format!(
                    "bot `{}` is no longer in the plan: it is started with `{}`, the command in the record, \
                     with the default limits and without options",
                    printable(&seat.name),
                    shell_words::join(&bot.command)
                ));
                tournament.bots.push(bot);
            }
        }
    }
    Ok(notes)
}

/// The command in the record, if it differs from the plan's and starts the recorded bot.
fn recorded_command(bot: &Bot, seat: &SeatRecord) -> Option<Vec<String>> {
    let recorded = seat.command.as_deref()?;
    let now = shell_words::join(&bot.command);
    if now == recorded {
        return None;
    }
    let before = Bot { command: command(seat)?, ..bot.clone() };
    (identify_here(&before).ok()?.digest == seat.digest).then_some(before.command)
}

/// The words of a record's command.
fn command(seat: &SeatRecord) -> Option<Vec<String>> {
    shell_words::split(seat.command.as_deref()?).ok().filter(|words| !words.is_empty())
}

/// A bot that is missing from the plan, as described by its record.
fn missing_bot(tournament: &Tournament, seat: &SeatRecord) -> Result<Bot, Failure> {
    let name = printable(&seat.name);
    let lacks = |why: &str| Failure::wrong(format_args!("bot `{name}` is not in the plan, and {why}"));
    let Some(command) = command(seat) else { return Err(lacks("the record has no command for it")) };
    // Bots without `dir` run in the folder of the tournament file.
    let folder = tournament.bots.iter().find(|bot| bot.dir.is_none()).map(|bot| bot.folder.clone());
    let bot = Bot {
        name: split_version(&seat.name).0.to_owned(),
        original_name: None,
        command,
        dir: None,
        folder: folder.unwrap_or_else(|| PathBuf::from(".")),
        read: Vec::new(),
        scratch: None,
        needs: Vec::new(),
        setup: None,
        made_of: None,
        deterministic: false,
        environment: BTreeMap::new(),
        options: Vec::new(),
        limits: Limits::default(),
        time_control: seat.time_control.as_deref().and_then(|control| control.parse().ok()),
        threads: NonZeroU32::MIN,
        elo: None,
    };
    let identity = identify_here(&bot).map_err(|error| {
        let shown = printable(&shell_words::join(&bot.command));
        lacks(&format!("the command in the record, `{shown}`, can't be started: {error}"))
    })?;
    if identity.digest != seat.digest {
        return Err(lacks("the files of its command have changed since the game"));
    }
    Ok(bot)
}
