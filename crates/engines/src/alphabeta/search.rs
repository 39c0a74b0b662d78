//! The search for one move.

use super::transposition::{BoundKind, TranspositionTable};
use crate::chance::fingerprint;
use crate::game_state::GameState;
use crate::limit::{Limit, Stopped};
use crate::view::{SideView, WIN};
use linesman_games::Rules;

/// Maximum depth of a search, in plies.
pub(super) const MAX_DEPTH: u8 = 64;

/// The minimum absolute value of a certain win or loss.
const DECIDED: i32 = WIN - MAX_DEPTH as i32;

const INFINITE: i32 = WIN + 1;

/// True if a value is a certain win or loss.
pub(super) fn is_decided(value: i32) -> bool {
    value.abs() >= DECIDED
}

pub(super) struct AlphaBetaSearch<'g, R: Rules> {
    game: &'g GameState<R>,
    view: SideView,
    table: &'g mut TranspositionTable<R::Move>,
    limit: Limit,
    /// The fingerprints of the positions from the root to the current one.
    path: Vec<u64>,
    /// Buffers for children by ply, kept so that no node allocates memory.
    children: Vec<Vec<Child<R>>>,
    moves: Vec<R::Move>,
    killers: Vec<[Option<R::Move>; 2]>,
    history: Vec<i32>,
}

/// A move and the position after it.
struct Child<R: Rules> {
    mv: R::Move,
    position: R::Position,
    /// The value of the position for the side that moved: certain if the game is over, otherwise an evaluation.
    value: i32,
    is_over: bool,
    /// Children with a larger rank are searched first.
    rank: i32,
}

/// The legal moves of the position where the search starts, with the best one first.
pub(super) struct Root<R: Rules> {
    children: Vec<Child<R>>,
    value: i32,
}

impl<R: Rules> Root<R> {
    /// The best move so far and its value.
    pub(super) fn best(&self) -> (i32, R::Move) {
        (self.value, self.children[0].mv)
    }
}

/// The number of children that are picked one by one before the rest are sorted.
const PICKED: usize = 8;

/// The size of the history table.
const HISTORY: usize = 1 << 12;

/// Ranks of moves that precede all others.
const RANK_KNOWN: i32 = i32::MAX;
const RANK_KILLER: i32 = 1 << 28;
/// The maximum value in the history table, which is added to the rank of a move.
const MAX_HISTORY: i32 = 1 << 14;

impl<'g, R: Rules> AlphaBetaSearch<'g, R> {
    pub(super) fn new(
        game: &'g GameState<R>,
        view: SideView,
        table: &'g mut TranspositionTable<R::Move>,
        limit: Limit,
    ) -> AlphaBetaSearch<'g, R> {
        let plies = usize::from(MAX_DEPTH) + 1;
        AlphaBetaSearch {
            game,
            view,
            table,
            limit,
            path: vec![fingerprint(game.rules.repetition_key(&game.position))],
            children: std::iter::repeat_with(Vec::new).take(plies).collect(),
            moves: Vec::new(),
            killers: vec![[None; 2]; plies],
            history: vec![0; HISTORY],
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.limit.nodes()
    }

    /// Searches one ply deep. With thousands of moves and little time, only the first moves are searched.
    ///
    /// # Panics
    /// If there are no moves.
    pub(super) fn root(&mut self, moves: &[R::Move]) -> Root<R> {
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            if self.limit.count().is_err() {
                break;
            }
            children.push(self.child(&self.game.position, *mv, 0));
        }
        children.sort_by_key(|child| std::cmp::Reverse(child.value));
        let value = children[0].value;
        Root { children, value }
    }

    /// Searches `depth` plies deep and brings the best move to the front. Returns true if the search was completed. The
    /// best move is valid either way.
    pub(super) fn deepen(&mut self, root: &mut Root<R>, depth: u8) -> bool {
        let mut best: Option<(i32, usize)> = None;
        for (index, child) in root.children.iter().enumerate() {
            let alpha = best.map_or(-INFINITE, |(value, _)| value);
            let searched = if child.is_over {
                Ok(child.value)
            } else {
                self.descend(child, true, depth, 0, alpha, INFINITE, index > 0)
            };
            match searched {
                Ok(value) if best.is_none_or(|(highest, _)| value > highest) => best = Some((value, index)),
                Ok(_) => {}
                Err(Stopped) => {
                    root.raise(best);
                    return false;
                }
            }
        }
        root.raise(best);
        true
    }

    /// The line that the search expects, starting with this move.
    pub(super) fn expected_line(&self, mv: R::Move, depth: u8) -> Vec<R::Move> {
        let rules = &self.game.rules;
        let mut line = vec![mv];
        let mut position = rules.after(&self.game.position, mv);
        while line.len() < usize::from(depth) && self.view.ended(rules, &position).is_none() {
            let key = self.table_key(fingerprint(rules.repetition_key(&position)), &position);
            let known = self.table.find(key).and_then(|entry| entry.mv);
            let Some(mv) = known.filter(|mv| rules.is_legal(&position, *mv, &mut Vec::new())) else { break };
            line.push(mv);
            rules.play(&mut position, mv);
        }
        line
    }

    /// Determines the value of a child for the side that moves to it.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments are a child, its place in the tree and a window"
    )]
    fn descend(
        &mut self,
        child: &Child<R>,
        own: bool,
        depth: u8,
        ply: u8,
        alpha: i32,
        beta: i32,
        is_later: bool,
    ) -> Result<i32, Stopped> {
        // A side may move twice in a row. Then nothing changes its sign.
        let is_same = self.is_own(&child.position) == own;
        let mut search = |alpha: i32, beta: i32| {
            if is_same {
                self.value(&child.position, depth - 1, ply + 1, alpha, beta)
            } else {
                self.value(&child.position, depth - 1, ply + 1, -beta, -alpha).map(|value| -value)
            }
        };
        // Later moves are expected to be worse. A search with a null window can show that.
        if is_later && beta - alpha > 1 {
            let value = search(alpha, alpha + 1)?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        search(alpha, beta)
    }

    /// Determines the value of a position that is not over, for the side to move.
    fn value(
        &mut self,
        position: &R::Position,
        depth: u8,
        ply: u8,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        let own = self.is_own(position);
        let here = fingerprint(self.game.rules.repetition_key(position));
        // A position that has occurred before can be repeated again.
        if self.path.contains(&here) || self.game.would_repeat(here) {
            let tied = self.view.tied(&self.game.rules, position);
            return Ok(if own { tied } else { -tied });
        }
        let key = self.table_key(here, position);
        let known = self.table.find(key);
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            let value = from_table(entry.value, ply);
            let is_enough = match entry.bound {
                BoundKind::Exact => true,
                BoundKind::Lower => value >= beta,
                BoundKind::Upper => value <= alpha,
            };
            if is_enough {
                return Ok(value);
            }
        }
        let floor = alpha;
        let hint = known.and_then(|entry| entry.mv);
        let (value, mv) = match depth {
            1 => self.horizon(position, hint, ply, beta)?,
            _ => {
                self.path.push(here);
                let mut children = std::mem::take(&mut self.children[usize::from(ply)]);
                let searched = self
                    .fill(&mut children, position, hint, ply)
                    .and_then(|()| self.best_of(&mut children, own, depth, ply, alpha, beta));
                self.path.pop();
                children.clear();
                self.children[usize::from(ply)] = children;
                searched?
            }
        };
        let bound = match value {
            _ if value >= beta => BoundKind::Lower,
            _ if value > floor => BoundKind::Exact,
            _ => BoundKind::Upper,
        };
        let mv = mv.filter(|_| bound != BoundKind::Upper);
        self.table.keep(key, mv, to_table(value, ply), depth, bound);
        Ok(value)
    }

    /// Searches for the best move among children, and returns its value and the move. A value of `beta` or more ends
    /// the search.
    fn best_of(
        &mut self,
        children: &mut [Child<R>],
        own: bool,
        depth: u8,
        ply: u8,
        alpha: i32,
        beta: i32,
    ) -> Result<(i32, Option<R::Move>), Stopped> {
        let mut best = (-INFINITE, None);
        let mut alpha = alpha;
        for index in 0..children.len() {
            // Usually the first few moves decide, so the others are sorted only when they are needed.
            if index < PICKED {
                let next =
                    (index..children.len()).max_by_key(|at| (children[*at].rank, std::cmp::Reverse(*at)));
                children.swap(index, next.expect("there is at least the child at `index`"));
            } else if index == PICKED {
                children[index..].sort_by_key(|child| std::cmp::Reverse(child.rank));
            }
            let child = &children[index];
            let value = match child.is_over {
                true => child.value,
                false => self.descend(child, own, depth, ply, alpha, beta, index > 0)?,
            };
            if value > best.0 {
                best = (value, Some(child.mv));
            }
            if value >= beta {
                self.reward(child.mv, depth, ply);
                break;
            }
            alpha = alpha.max(value);
        }
        Ok(best)
    }

    /// Determines the value of a position and its best move, one ply before the end of the search.
    fn horizon(
        &mut self,
        position: &R::Position,
        known: Option<R::Move>,
        ply: u8,
        beta: i32,
    ) -> Result<(i32, Option<R::Move>), Stopped> {
        // A position looks better for the side that has just moved. The mean with the evaluation before the move
        // corrects that, so that odd and even depths agree.
        let before = self.evaluation(position, self.is_own(position));
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.game.rules.legal_moves(position, &mut moves);
        let [killer, other_killer] = self.killers[usize::from(ply)];
        let mut front = 0;
        for good in [known, killer, other_killer].into_iter().flatten() {
            if let Some(place) = moves[front..].iter().position(|mv| *mv == good) {
                moves.swap(front, front + place);
                front += 1;
            }
        }
        let mut best = (-INFINITE, None);
        let mut counted = Ok(());
        for mv in &moves {
            counted = self.limit.count();
            if counted.is_err() {
                break;
            }
            let child = self.child(position, *mv, ply);
            let value = if child.is_over { child.value } else { (child.value + before) / 2 };
            if value > best.0 {
                best = (value, Some(*mv));
            }
            if value >= beta.min(DECIDED) {
                break;
            }
        }
        self.moves = moves;
        counted?;
        if let (value, Some(mv)) = best
            && value >= beta
        {
            self.reward(mv, 1, ply);
        }
        Ok(best)
    }

    /// Creates the children of a position. A move that wins at once becomes the only child, since none can be better.
    fn fill(
        &mut self,
        children: &mut Vec<Child<R>>,
        position: &R::Position,
        known: Option<R::Move>,
        ply: u8,
    ) -> Result<(), Stopped> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.game.rules.legal_moves(position, &mut moves);
        let killers = self.killers[usize::from(ply)];
        let mut filled = Ok(());
        for mv in &moves {
            filled = self.limit.count();
            if filled.is_err() {
                break;
            }
            let mut child = self.child(position, *mv, ply);
            if child.is_over && child.value >= DECIDED {
                children.clear();
                children.push(child);
                break;
            }
            child.rank = match Some(*mv) {
                mv if mv == known => RANK_KNOWN,
                mv if killers.contains(&mv) => RANK_KILLER,
                _ => child.value + self.history[history_slot(*mv)],
            };
            children.push(child);
        }
        self.moves = moves;
        filled
    }

    fn child(&self, position: &R::Position, mv: R::Move, ply: u8) -> Child<R> {
        let rules = &self.game.rules;
        let own = self.is_own(position);
        let next = rules.after(position, mv);
        let ended = self.view.ended(rules, &next);
        let value = match ended.map(|value| if own { value } else { -value }) {
            // An early win is better than a late one, and a late loss is better than an early one.
            Some(WIN) => WIN - i32::from(ply) - 1,
            Some(value) if value == -WIN => i32::from(ply) + 1 - WIN,
            Some(value) => value,
            None => self.evaluation(&next, own),
        };
        Child { mv, position: next, value, is_over: ended.is_some(), rank: value }
    }

    /// The evaluation of a position for the engine's side, or for the others.
    fn evaluation(&self, position: &R::Position, own: bool) -> i32 {
        let value = self.view.evaluation(&self.game.rules, position);
        if own { value } else { -value }
    }

    fn is_own(&self, position: &R::Position) -> bool {
        self.view.is_own(self.game.rules.to_move(position))
    }

    /// Remembers a move that was good enough to end the search of a position.
    fn reward(&mut self, mv: R::Move, depth: u8, ply: u8) {
        let killers = &mut self.killers[usize::from(ply)];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let history = &mut self.history[history_slot(mv)];
        *history += i32::from(depth) * i32::from(depth);
        if *history > MAX_HISTORY {
            self.history.iter_mut().for_each(|history| *history /= 2);
        }
    }

    /// The key of a position in the table. Near the limit on plies, the value of a position also depends on its ply.
    fn table_key(&self, repetition_key: u64, position: &R::Position) -> u64 {
        let ply = self.game.rules.ply(position);
        match self.game.max_plies {
            Some(limit) if ply + u32::from(MAX_DEPTH) >= limit => fingerprint((repetition_key, ply)),
            _ => repetition_key,
        }
    }
}

impl<R: Rules> Root<R> {
    fn raise(&mut self, best: Option<(i32, usize)>) {
        if let Some((value, index)) = best {
            self.value = value;
            self.children[..=index].rotate_right(1);
        }
    }
}

fn history_slot(mv: impl std::hash::Hash) -> usize {
    fingerprint(mv) as usize % HISTORY
}

/// Converts a value for the table. A certain win or loss is kept by its distance from the position, not from the root.
fn to_table(value: i32, ply: u8) -> i32 {
    if is_decided(value) { value + i32::from(ply) * value.signum() } else { value }
}

fn from_table(value: i32, ply: u8) -> i32 {
    if is_decided(value) { value - i32::from(ply) * value.signum() } else { value }
}
