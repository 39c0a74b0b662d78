//! The failure for a command whose `--out` holds other games, in terms of the options that the user gave.

use std::path::PathBuf;

use super::super::error::Failure;
use crate::league::directory::RunDirectory;
use crate::league::file::{Diagnostic, Diagnostics, Difference, Tournament};
use crate::report::describe::several;

/// The failure for a directory whose run has these differences from the plan of a command.
pub(super) fn failure(path: PathBuf, differences: &Diagnostics) -> Failure {
    let directory = RunDirectory::at(path);
    let shown = directory.path().display();
    let Ok(stored) = directory.stored_plan() else {
        return Failure::wrong(format_args!("`{shown}` holds other games")).hint(CHOOSE);
    };
    let tournament = &stored.tournament;
    let kind = match tournament.name.as_str() {
        _ if tournament.test.is_some() => "test",
        "match" | "play" => "match",
        _ => return Failure::wrong(format_args!("`{shown}` holds a league")).hint(CHOOSE),
    };
    let differs = |key: &str| {
        let mut differences = differences.list.iter().filter_map(|mistake| mistake.difference.as_ref());
        differences.any(|difference| difference.key == [key])
    };
    if differs("game") {
        let game = tournament.game.id();
        return Failure::wrong(format_args!("`{shown}` holds a {kind} of another game, {game}")).hint(CHOOSE);
    }
    if differs("bots") {
        let bots: Vec<&str> = tournament.bots.iter().map(|bot| bot.name.as_str()).collect();
        let bots = several(&bots);
        return Failure::wrong(format_args!("`{shown}` holds a {kind} of other bots, {bots}")).hint(CHOOSE);
    }
    let what = format!("`{shown}` holds a {kind} of these bots with other options");
    let mut lines: Vec<String> = Vec::new();
    for line in differences.list.iter().filter_map(|mistake| line(mistake, tournament)) {
        // A limit for all bots differs for each of them.
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let failure = lines.into_iter().fold(Failure::wrong(what), Failure::cause);
    failure.hint(format_args!("{CHOOSE}, or give the options with which the {kind} was started"))
}

const CHOOSE: &str = "choose another `--out`";

/// A difference in terms of options; `None` if another one says it.
fn line(mistake: &Diagnostic, tournament: &Tournament) -> Option<String> {
    let Some(Difference { key, values }) = mistake.difference.as_deref() else {
        return Some(mistake.message.clone());
    };
    let key: Vec<&str> = key.iter().map(String::as_str).collect();
    let option = match key[..] {
        // A test has two games a round, and a match has as many rounds as its games need.
        ["rounds"] => {
            let limit = || format!("`--max-games` can't be less than {}", 2 * tournament.rounds);
            return tournament.test.is_some().then(limit);
        }
        ["movetime" | "tc" | "nodes" | "depth"] => "the time control".to_owned(),
        ["options", option] => format!("`--options {option}`"),
        ["limits", limit] | ["bots", _, "limits", limit] => format!("`--limit {limit}`"),
        ["adjudication", rule] => format!("`--adjudicate {rule}`"),
        ["openings", "order"] => "`--opening-order`".to_owned(),
        ["openings", ..] => "`--openings`".to_owned(),
        ["test", option] => format!("`--{option}`"),
        ["bots", bot, "command"] => format!("the command of `{bot}`"),
        ["bots", bot, "dir"] => format!("the directory in which `{bot}` is started"),
        ["bots", bot, "movetime" | "tc" | "nodes" | "depth"] => format!("the time control of `{bot}`"),
        ["bots", _, option] | [option] => format!("`--{}`", option.replace('_', "-")),
        _ => format!("`{}`", key.join(".")),
    };
    let (values, message) = (values.as_ref(), &mistake.message);
    Some(values.map_or_else(|| message.clone(), |[is, was]| format!("{option} is `{is}`, was `{was}`")))
}
