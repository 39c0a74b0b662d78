//! Counting move sequences: the proof that move generation is right.

use crate::games::rules::Rules;

/// The number of legal move sequences of length exactly `depth`. Limits on
/// endless play don't count; the last ply is counted without being played.
pub fn perft<R: Rules>(rules: &R, position: &R::Position, depth: u32) -> u64 {
    let mut buffers = vec![Vec::new(); depth as usize];
    descend(rules, position, &mut buffers)
}

/// The sequences under each first move, in byte order of the moves' spelling.
/// Empty at depth 0.
pub fn divide<R: Rules>(rules: &R, position: &R::Position, depth: u32) -> Vec<(String, u64)> {
    let mut moves = Vec::new();
    if depth > 0 {
        rules.legal_moves(position, &mut moves);
    }
    let mut rows: Vec<(String, u64)> = moves
        .into_iter()
        .map(|mv| {
            let mut text = String::new();
            rules.write_move(mv, &mut text);
            let mut next = position.clone();
            rules.play(&mut next, mv);
            (text, perft(rules, &next, depth - 1))
        })
        .collect();
    rows.sort();
    rows
}

fn descend<R: Rules>(rules: &R, position: &R::Position, buffers: &mut [Vec<R::Move>]) -> u64 {
    let Some((moves, deeper)) = buffers.split_first_mut() else { return 1 };
    if deeper.is_empty() {
        return rules.count_legal_moves(position);
    }
    moves.clear();
    rules.legal_moves(position, moves);
    let mut nodes = 0;
    for mv in moves.iter() {
        let mut next = position.clone();
        rules.play(&mut next, *mv);
        nodes += descend(rules, &next, deeper);
    }
    nodes
}
