//! When games are decided before their rules do.

use std::path::Path;

use toml::Spanned;

use super::diagnostics::Diagnostic;
use super::reader::{ADJUDICATION, Reader, Section};
use super::tournament::{AdjudicationPlan, TablePlan};
use linesman_games::Setup;
use linesman_types::verdict::adjudication::{DrawRule, ScoreRule, WinRule};

/// With how many moves in a row bots say that one of them has won, if nothing else is said.
const WIN_MOVES: u32 = 4;
/// The same where nobody has.
const DRAW_MOVES: u32 = 8;
/// Before this ply no game is a draw so, if nothing else is said.
const DRAW_FROM: u32 = 40;

/// The keys of `[adjudication]`.
pub fn adjudication_keys() -> &'static [&'static str] {
    ADJUDICATION.keys
}

/// Reads `[adjudication]`; a table is seen from a folder.
pub(super) fn adjudication(
    reader: &mut Reader,
    top: Section<'_>,
    game: Option<&dyn Setup>,
    folder: &Path,
) -> AdjudicationPlan {
    let Some(section) = reader.table(top, "adjudication", &ADJUDICATION) else {
        return AdjudicationPlan::default();
    };
    reader.check_keys(section);
    for key in ADJUDICATION.keys {
        if let Some(value) = section.get(key) {
            reader.spans.insert(format!("adjudication.{key}"), value.span());
        }
    }
    let sides = game.map_or(2, |game| game.teams().sides());
    if let Some(value) = top.get("adjudication").filter(|_| sides != 2) {
        let mistake = Diagnostic::new(format!("a game of {sides} sides can't be adjudicated"));
        reader.push(mistake.at(value.span(), "adjudication can't decide who comes second"));
    }
    for (needed, belong) in [
        ("win_score", &["win_moves"][..]),
        ("draw_score", &["draw_moves", "draw_from"]),
        ("table", &["table_from"]),
    ] {
        let strays = belong.iter().filter(|_| section.get(needed).is_none());
        for (key, value) in strays.filter_map(|key| Some((key, section.get(key)?))) {
            let mistake = Diagnostic::new(format!("`{key}` requires `{needed}`"));
            reader.push(mistake.at(value.span(), format!("`{needed}` is not set")));
        }
    }
    let mut number = |key, least, default| {
        let number = reader.integer(section, key, least..=i64::from(u32::MAX)).map(Spanned::into_inner);
        number.and_then(|number| u32::try_from(number).ok()).or(default)
    };
    let win = number("win_score", 1, None);
    let win_moves = number("win_moves", 1, Some(WIN_MOVES));
    let draw = number("draw_score", 0, None);
    let draw_moves = number("draw_moves", 1, Some(DRAW_MOVES));
    let draw_from = number("draw_from", 0, Some(DRAW_FROM));
    let table_from = number("table_from", 0, None);
    AdjudicationPlan {
        scores: ScoreRule {
            win: win.zip(win_moves).map(|(score, moves)| WinRule { score, moves }),
            draw: draw.zip(draw_moves).zip(draw_from).map(|((score, moves), from)| DrawRule {
                score,
                moves,
                from,
            }),
        },
        table: table(reader, section, table_from, folder),
    }
}

fn table(reader: &mut Reader, section: Section<'_>, from: Option<u32>, folder: &Path) -> Option<TablePlan> {
    let name = reader.string(section, "table")?;
    if from.is_none() && section.get("table_from").is_none() {
        let mistake = Diagnostic::new("`table_from` is missing");
        let hint = "set the first ply at which the table may decide: `table_from = 20`";
        reader.missing(
            &["table_from"],
            mistake.at(name.span(), "many tables already know the result at the start").hint(hint),
        );
    }
    let path = folder.join(*name.get_ref());
    Some(TablePlan { name: (*name.get_ref()).to_owned(), path, from: from? })
}
