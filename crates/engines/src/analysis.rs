//! Judges the moves of a finished game by a search.
//!
//! Every search visits the same number of positions and reads no clock, so that a game is always judged in the same
//! way. Expected scores come from [`Mcts`], in which each side plays for itself. Forced wins are proven by
//! [`AlphaBeta`], which assumes that all others play together.

use super::alphabeta::AlphaBeta;
use super::cant_follow::CantFollow;
use super::engine::Engine;
use super::game_state::GameState;
use super::mcts::Mcts;
use super::searcher::Searcher;
use linesman_games::{Rules, RulesVisitor, is_elimination, with_rules};
use linesman_protocol::Position;
use linesman_types::seat::{BySeat, Seat};

/// The minimum loss of expected score that makes a move a blunder.
pub const BLUNDER: f64 = 0.2;

/// A game to analyze.
#[derive(Clone, Debug)]
pub struct AnalyzedGame<'g> {
    /// The game's name.
    pub game: &'g str,
    /// The options, as in a `game` line.
    pub options: String,
    /// The number of seats.
    pub seats: usize,
    /// The token of the position from which the game starts, if that is not the usual one.
    pub token: Option<String>,
    /// The moves, including those of the opening; `!3` where seat 3 was eliminated.
    pub moves: Vec<String>,
    /// The number of moves of the opening, which no bot chose.
    pub opening: usize,
}

/// The moves of a game, judged, and where it turned.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The moves that bots chose, in the order in which they were played.
    pub moves: Vec<JudgedMove>,
    /// The ply of the move with which the winner took the lead for good, if a side won that had not always been ahead.
    pub turning_point: Option<usize>,
}

/// A move, compared with the best move that a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove {
    /// The ply, from 1 for the first move of the game.
    pub ply: usize,
    /// The seat that made it.
    pub seat: Seat,
    /// The move that was played.
    pub played: String,
    /// The best move that was found, which is the played one unless another is better.
    pub best: String,
    /// The expected score of each seat before the move: the share of its opponents that it will beat.
    pub expected: BySeat<f64>,
    /// The mover's expected score after the best move.
    pub after_best: f64,
    /// The mover's expected score after the move that was played.
    pub after_played: f64,
    /// The forced win that the mover gave away.
    pub missed_win: Option<ForcedWin>,
}

/// A win against any defense.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct ForcedWin {
    /// The first move of the win.
    pub mv: String,
    /// The number of plies until the game is won; 1 if the move wins at once.
    pub plies: u32,
}

impl JudgedMove {
    /// The expected score that the move gave away.
    pub fn loss(&self) -> f64 {
        (self.after_best - self.after_played).max(0.0)
    }

    /// Returns true if the move lost [`BLUNDER`] or more.
    pub fn is_blunder(&self) -> bool {
        self.loss() >= BLUNDER
    }
}

/// Analyzes a game with `nodes` positions for each search.
///
/// # Errors
/// The game can't be followed.
pub fn analyze(played: &AnalyzedGame<'_>, nodes: u64) -> Result<Analysis, CantFollow> {
    with_rules(played.game, Analyst { played, nodes })
        .unwrap_or_else(|| Err(CantFollow::Game { game: played.game.to_owned() }))
}

struct Analyst<'a, 'g> {
    played: &'a AnalyzedGame<'g>,
    nodes: u64,
}

impl RulesVisitor for Analyst<'_, '_> {
    type Output = Result<Analysis, CantFollow>;

    fn visit<R: Rules>(self) -> Self::Output {
        let game = GameState::<R>::unplayed(self.played.seats, "", self.played.options.clone())?;
        let settings = |engine: Engine| {
            let mut settings = engine.settings();
            for (name, value) in [("nodes", self.nodes.to_string().as_str()), ("contempt", "0")] {
                settings.set(name, value).expect("searches have these options");
            }
            settings
        };
        let mut examined = Examined {
            played: self.played,
            mcts: Mcts::new(&settings(Engine::Mcts), &game.rules),
            alphabeta: AlphaBeta::new(&settings(Engine::AlphaBeta), &game.rules),
            game,
        };
        let mut moves = Vec::new();
        let all = self.played.moves.len();
        for index in self.played.opening..all {
            if !is_elimination(&self.played.moves[index]) {
                moves.extend(examined.judge(index)?);
            }
        }
        let last = examined.expected_after(all, None)?;
        Ok(Analysis { turning_point: turning_point(&moves, &last), moves })
    }
}

/// A game in the middle of its analysis.
struct Examined<'a, 'g, R: Rules> {
    played: &'a AnalyzedGame<'g>,
    game: GameState<R>,
    mcts: Mcts<R>,
    alphabeta: AlphaBeta<R>,
}

impl<R: Rules> Examined<'_, '_, R> {
    /// Goes to the position after the first `moves` moves, and after another one if it is given.
    fn go_to(&mut self, moves: usize, more: Option<&str>) -> Result<(), CantFollow> {
        let mut moves = self.played.moves[..moves].to_vec();
        moves.extend(more.map(str::to_owned));
        self.game.follow(&Position { token: self.played.token.clone(), moves })
    }

    /// Determines the expected scores of all seats in that position.
    fn expected_after(&mut self, moves: usize, more: Option<&str>) -> Result<BySeat<f64>, CantFollow> {
        self.go_to(moves, more)?;
        Ok(self.mcts.expect(&self.game).0)
    }

    /// Judges a move; `None` if the game was over before it.
    fn judge(&mut self, index: usize) -> Result<Option<JudgedMove>, CantFollow> {
        self.go_to(index, None)?;
        let seat = self.game.to_move();
        let (expected, found) = self.mcts.expect(&self.game);
        let Some(found) = found else { return Ok(None) };
        let mut moves = Vec::new();
        self.game.rules.legal_moves(&self.game.position, &mut moves);
        let played = self.played.moves[index].clone();
        let won = self.alphabeta.forced_win(&self.game, &moves);
        let mut missed_win = None;
        if let Some((mv, plies)) = won
            && let Some(choice) = moves.iter().find(|mv| self.game.rules.text_of(**mv) == played)
            && self.alphabeta.forced_win(&self.game, &[*choice]).is_none()
        {
            missed_win = Some(ForcedWin { mv: self.game.rules.text_of(mv), plies });
        }
        let found = missed_win.as_ref().map_or_else(|| self.game.rules.text_of(found), |win| win.mv.clone());
        let after_played = self.expected_after(index + 1, None)?[seat];
        let after_found = match &missed_win {
            Some(_) => 1.0,
            None if found == played => after_played,
            None => self.expected_after(index, Some(&found))?[seat],
        };
        let better = after_found > after_played;
        Ok(Some(JudgedMove {
            ply: index + 1,
            seat,
            best: if better { found } else { played.clone() },
            played,
            expected,
            after_best: after_found.max(after_played),
            after_played,
            missed_win,
        }))
    }
}

/// The ply of the last move before which the winner was not expected to be ahead.
fn turning_point(moves: &[JudgedMove], last: &BySeat<f64>) -> Option<usize> {
    let highest = last.values().copied().fold(0.0, f64::max);
    // Several seats win together only as a team, and teammates always have the same expected score.
    let winner = last.iter().find(|(_, share)| **share >= 1.0 && **share >= highest)?.0;
    let behind = moves.iter().rposition(|judged| judged.expected[winner] <= 0.5)?;
    Some(moves[behind].ply)
}
