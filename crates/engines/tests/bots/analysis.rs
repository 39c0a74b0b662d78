//! Analyses of games.

use crate::house::set_up;
use linesman_engines::analysis::{AnalyzedGame, JudgedMove, analyze};
use linesman_games::table::legal_moves;
use linesman_games::{GAMES, Setup, Table};
use linesman_types::random::SplitMix64;

/// Enough positions to find immediate wins.
const NODES: u64 = 2_000;

fn played<'g>(setup: &dyn Setup, game: &'g str, moves: &[String]) -> AnalyzedGame<'g> {
    AnalyzedGame {
        game,
        options: setup.options().to_string(),
        seats: setup.teams().seats(),
        token: None,
        moves: moves.to_vec(),
        opening: 0,
    }
}

/// True if the mover's side wins alone with this move.
fn wins(table: &dyn Table, mv: &str) -> bool {
    let mover = table.to_move();
    let mut next = table.fork();
    next.play(mv).expect("listed moves are legal");
    next.ending().is_some_and(|ending| ending.places.score(next.teams(), mover) >= 1.0)
}

/// Plays random games until a seat misses an immediate win. Returns the moves up to that one, and the winning moves.
fn missed_win(setup: &dyn Setup) -> (Vec<String>, Vec<String>) {
    let mut chance = SplitMix64(7);
    for _ in 0..1_000 {
        let mut table = setup.start();
        let mut moves = Vec::new();
        while !table.is_over() {
            let legal = legal_moves(&*table);
            let (winning, others): (Vec<_>, Vec<_>) = legal.into_iter().partition(|mv| wins(&*table, mv));
            if !winning.is_empty() && !others.is_empty() {
                moves.push(others[chance.below(others.len() as u64) as usize].clone());
                return (moves, winning);
            }
            let all = if others.is_empty() { winning } else { others };
            let mv = all[chance.below(all.len() as u64) as usize].clone();
            table.play(&mv).expect("listed moves are legal");
            moves.push(mv);
        }
    }
    panic!("random games of {} have wins that are missed", setup.id());
}

/// Options under which a win is soon missed in random games: the defaults, unless a game needs others.
fn options_of(game: &str) -> &'static [&'static str] {
    match game {
        "quixo" => &["size=4"],
        "tandem" => &["layout=quick5,line=3,points=1", "layout=quick5,line=3,points=1,players=3"],
        _ => &[""],
    }
}

#[test]
fn a_missed_win_is_found_in_every_game() {
    for (game, options) in
        GAMES.iter().flat_map(|game| options_of(game.id).iter().map(|text| (game.id, text)))
    {
        let setup = set_up(game, options);
        let (moves, winning) = missed_win(&*setup);
        let last = AnalyzedGame { opening: moves.len() - 1, ..played(&*setup, game, &moves) };
        let analysis = analyze(&last, NODES).expect("the game can be followed");
        let [judged] = analysis.moves.as_slice() else { panic!("one move was judged: {analysis:?}") };
        let win = judged.missed_win.as_ref().unwrap_or_else(|| panic!("{game} {options}: {judged:?}"));
        assert_eq!((win.plies, judged.ply), (1, moves.len()), "{game} {options}");
        assert!(winning.contains(&win.mv), "{game} {options}: {win:?}");
        assert_eq!((&judged.played, &judged.best), (&moves[moves.len() - 1], &win.mv));
        assert!(judged.is_blunder() == (judged.loss() >= 0.2) && judged.after_best == 1.0, "{judged:?}");
    }
}

#[test]
fn the_turning_point_is_the_move_that_gave_the_game_away() {
    let setup = set_up("quixo", "size=3");
    // With its second move, seat 2 lets seat 1 complete a line.
    let moves = ["a1a3", "c1c3", "a1a3", "c1c3", "a1a3"].map(str::to_owned);
    let analysis = analyze(&played(&*setup, "quixo", &moves), NODES).expect("the game can be followed");
    let again = analyze(&played(&*setup, "quixo", &moves), NODES).expect("the game can be followed");
    assert_eq!(analysis, again, "the same game is judged alike");
    assert_eq!(analysis.moves.len(), moves.len());
    let last = &analysis.moves[moves.len() - 1];
    assert_eq!((last.after_played, last.missed_win.clone()), (1.0, None), "{last:?}");
    if let Some(ply) = analysis.turning_point {
        let winner = last.seat;
        let ahead = |judged: &&JudgedMove| judged.ply > ply && judged.expected[winner] <= 0.5;
        assert_eq!(analysis.moves.iter().find(ahead), None);
    }
}

#[test]
fn an_elimination_is_not_judged_but_later_moves_are() {
    let setup = set_up("tandem", "players=3,layout=quick5,line=3");
    let moves = ["1a1/2a1", "!2", "1b1/2b1"].map(str::to_owned);
    let analysis = analyze(&played(&*setup, "tandem", &moves), NODES).expect("the game can be followed");
    let plies: Vec<usize> = analysis.moves.iter().map(|judged| judged.ply).collect();
    assert_eq!(plies, [1, 3]);
    assert_eq!(analysis.moves[1].seat.number(), 3);
}
