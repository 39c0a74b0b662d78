//! The table `[adjudication]`.

use std::path::Path;

use super::diagnostics::Diagnostic;
use super::keys::{adjudication as keys, top};
use super::reader::Reader;
use super::section::Section;
use super::tournament::{AdjudicationPlan, TablePlan};
use linesman_games::Setup;
use linesman_types::verdict::adjudication::{DrawRule, ScoreRule, WinRule};

/// Returns the names of the keys of `[adjudication]`.
pub fn adjudication_keys() -> Vec<&'static str> {
    keys::TABLE.names().collect()
}

/// Reads `[adjudication]`. The path of the solved game's table is relative to `folder`.
pub(super) fn adjudication(
    reader: &mut Reader,
    top: Section<'_>,
    game: Option<&dyn Setup>,
    folder: &Path,
) -> AdjudicationPlan {
    let Some(section) = reader.table(top, &top::ADJUDICATION, &["adjudication"]) else {
        return AdjudicationPlan::default();
    };
    let sides = game.map_or(2, |game| game.teams().sides());
    if let Some(value) = top.get(&top::ADJUDICATION).filter(|_| sides != 2) {
        let mistake = Diagnostic::new(format!("a game of {sides} sides can't be adjudicated"));
        reader.push(mistake.at(value.span(), "adjudication can't decide who comes second"));
    }
    for (required, dependents) in [
        ("win_score", &["win_moves"][..]),
        ("draw_score", &["draw_moves", "draw_from"]),
        ("table", &["table_from"]),
    ] {
        let strays = dependents.iter().filter(|_| section.named(required).is_none());
        for (key, value) in strays.filter_map(|key| Some((key, section.named(key)?))) {
            let mistake = Diagnostic::new(format!("`{key}` requires `{required}`"));
            reader.push(mistake.at(value.span(), format!("`{required}` is not set")));
        }
    }
    let (win, win_moves) =
        (reader.value(section, &keys::WIN_SCORE), reader.or_default(section, &keys::WIN_MOVES));
    let win = win.map(|score| WinRule { score, moves: win_moves });
    let draw = reader.value(section, &keys::DRAW_SCORE);
    let draw_moves = reader.or_default(section, &keys::DRAW_MOVES);
    let draw_from = reader.or_default(section, &keys::DRAW_FROM);
    let draw = draw.map(|score| DrawRule { score, moves: draw_moves, from: draw_from });
    let table_from = reader.value(section, &keys::TABLE_FROM);
    AdjudicationPlan { scores: ScoreRule { win, draw }, table: table(reader, section, table_from, folder) }
}

fn table(reader: &mut Reader, section: Section<'_>, from: Option<u32>, folder: &Path) -> Option<TablePlan> {
    let name = reader.spanned(section, &keys::TABLE_FILE)?;
    if from.is_none() && section.get(&keys::TABLE_FROM).is_none() {
        let mistake = Diagnostic::new("`table_from` is missing");
        let hint =
            format!("set the first ply at which the table may decide: `{}`", keys::TABLE_FROM.example());
        reader.missing(
            &["table_from"],
            mistake.at(name.span(), "many tables already know the result at the start").hint(hint),
        );
    }
    let path = folder.join(name.get_ref());
    Some(TablePlan { name: name.into_inner(), path, from: from? })
}
