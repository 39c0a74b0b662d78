//! The analysis of a game by a built-in engine, with remarks in words.

use crate::cli::error::{Exit, Failure};
use crate::engines::analysis::{Analysis, AnalyzedGame, JudgedMove, analyze};
use crate::record::GameRecord;
use crate::report::replay::{PlayedKind, Remark, Replay};

/// The default number of positions for each search.
pub(in crate::cli) const NODES: u64 = 20_000;

/// Analyzes a game, with this number of positions for each search.
pub(in crate::cli) fn analysis_of(
    record: &GameRecord,
    replay: &Replay,
    nodes: u64,
) -> Result<Analysis, Failure> {
    let played = || replay.frames.iter().filter_map(|frame| frame.played.as_ref());
    let game = AnalyzedGame {
        game: replay.game,
        options: replay.options.clone(),
        seats: replay.seats.seats(),
        token: record.opening.as_ref().and_then(|opening| opening.token.clone()),
        moves: played().map(|played| played.text.clone()).collect(),
        opening: played().take_while(|played| played.kind == PlayedKind::Opening).count(),
    };
    analyze(&game, nodes).map_err(|error| {
        Failure::new(Exit::Wrong, format_args!("can't analyze the game {}", replay.id)).cause(error)
    })
}

/// Analyzes a game with `nodes` positions for each search, and adds remarks to its moves.
pub(super) fn mark(replay: &mut Replay, record: &GameRecord, nodes: u64) -> Result<(), Failure> {
    let analysis = analysis_of(record, replay, nodes)?;
    for judged in &analysis.moves {
        let remark = remark_on(replay, &analysis, judged);
        if let Some(played) = &mut replay.frames[judged.ply].played {
            played.remark = remark;
        }
    }
    Ok(())
}

/// The marks of a move as data: `missed-win`, `blunder`, `turning-point`.
pub(in crate::cli) fn marks(analysis: &Analysis, judged: &JudgedMove) -> Vec<&'static str> {
    let is_turning_point = analysis.turning_point == Some(judged.ply);
    [
        ("missed-win", judged.missed_win.is_some()),
        ("blunder", judged.is_blunder()),
        ("turning-point", is_turning_point),
    ]
    .into_iter()
    .filter_map(|(word, applies)| applies.then_some(word))
    .collect()
}

pub(in crate::cli) fn remark_on(replay: &Replay, analysis: &Analysis, judged: &JudgedMove) -> Option<Remark> {
    let (mut signs, mut sentences) = (Vec::new(), Vec::new());
    if let Some(win) = &judged.missed_win {
        signs.push("#?");
        sentences.push(match win.plies {
            1 => format!("Missed win: {} wins at once", win.mv),
            plies => format!("Missed win: {} wins in {plies} plies", win.mv),
        });
    }
    if judged.is_blunder() {
        signs.push("??");
        let better =
            if judged.missed_win.is_some() { String::new() } else { format!("; better {}", judged.best) };
        sentences.push(format!("Blunder: costs {} of the expected score{better}", percent(judged.loss())));
    }
    if analysis.turning_point == Some(judged.ply) {
        signs.push("<>");
        sentences.push(format!("Turning point: {} is ahead from here on", winner(replay)));
    }
    let remark = Remark { sign: signs.join(" "), text: sentences.join(". ") };
    (!remark.sign.is_empty()).then_some(remark)
}

/// A fraction in whole percents.
pub(in crate::cli) fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// The winner: a bot, or the bots of a team.
fn winner(replay: &Replay) -> String {
    let first = replay.seats.values().filter(|player| player.place == Some(1));
    let winners: Vec<&str> = first.map(|player| player.name.as_str()).collect();
    if winners.is_empty() { "the winner".to_owned() } else { winners.join(" + ") }
}
