//! Counts of move sequences, which check move generation.

use crate::rules::Rules;

/// Counts the legal move sequences of exactly `depth` plies. Limits on endless play have no effect, and the
/// moves of the last ply are not played.
pub fn perft<R: Rules>(rules: &R, position: &R::Position, depth: u32) -> u64 {
    descend(rules, position, &mut vec![Vec::new(); depth as usize])
}

/// Counts the sequences after each first move, in byte order of the moves' spelling.
/// Empty at depth 0.
pub fn divide<R: Rules>(rules: &R, position: &R::Position, depth: u32) -> Vec<(String, u64)> {
    let mut moves = Vec::new();
    if depth > 0 {
        rules.legal_moves(position, &mut moves);
    }
    let mut rows: Vec<(String, u64)> = moves
        .into_iter()
        .map(|mv| (rules.text_of(mv), perft(rules, &rules.after(position, mv), depth - 1)))
        .collect();
    rows.sort();
    rows
}

/// Known counts for one position.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Known<'t> {
    /// The options, in the form of the command line. All others have their defaults.
    pub options: &'t str,
    /// The position's token; `None` for the start.
    pub token: Option<&'t str>,
    /// The number of sequences of 0, 1, 2, ... plies.
    pub nodes: Vec<u64>,
}

/// Reads a table of known counts: lines `OPTIONS | POSITION | 1 44 1836`, with blanks around the bars and
/// `startpos` for the start; `#` begins a comment.
///
/// # Errors
/// The first line of a different form.
pub fn known(table: &str) -> Result<Vec<Known<'_>>, String> {
    let lines = table.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|line| read_known(line).ok_or_else(|| format!("`{line}` is no line of counts"))).collect()
}

fn read_known(line: &str) -> Option<Known<'_>> {
    let parts: Vec<&str> = line.split(" | ").map(str::trim).collect();
    let [options, position, nodes] = parts[..] else { return None };
    let nodes = nodes.split_whitespace().map(|number| number.parse().ok()).collect::<Option<_>>()?;
    Some(Known { options, token: (position != "startpos").then_some(position), nodes })
}

/// Counts sequences, with a buffer for each ply.
fn descend<R: Rules>(rules: &R, position: &R::Position, buffers: &mut [Vec<R::Move>]) -> u64 {
    match buffers {
        [] => 1,
        [last] => rules.count_legal_moves(position, last),
        [moves, deeper @ ..] => {
            moves.clear();
            rules.legal_moves(position, moves);
            let mut nodes = 0;
            for mv in moves.iter() {
                let next = rules.after(position, *mv);
                nodes += match deeper {
                    [last] => rules.count_legal_moves(&next, last),
                    _ => descend(rules, &next, deeper),
                };
            }
            nodes
        }
    }
}
