//! Random games: the cached values of a position agree with its board.

use proptest::prelude::*;

use super::*;

/// Returns the positions of a game in which each number picks a move.
pub(super) fn game(rules: &Trexo, picks: &[u16]) -> Vec<Position> {
    let mut positions = vec![rules.start()];
    let mut position = rules.start();
    let mut moves = Vec::new();
    for pick in picks {
        moves.clear();
        rules.legal_moves(&position, &mut moves);
        let Some(mv) = moves.get(usize::from(*pick) % moves.len().max(1)) else { break };
        rules.play(&mut position, *mv);
        positions.push(position);
    }
    positions
}

/// Rules of any size, with short and with long lines.
pub(super) fn any_rules() -> impl Strategy<Value = Trexo> {
    (6usize..=16).prop_flat_map(|size| {
        (Just(size), prop_oneof![Just(512u32), 1u32..=90], prop_oneof![Just(size), 3..=size])
            .prop_map(|(size, tiles, line)| Trexo::new(size, tiles, line))
    })
}

proptest! {
    #[test]
    fn a_position_after_moves_equals_that_of_its_token(
        rules in any_rules(), picks in proptest::collection::vec(any::<u16>(), 0..150)
    ) {
        for position in game(&rules, &picks) {
            // Reading computes all cached values from the squares.
            prop_assert_eq!(rules.parse_position(&token(&rules, &position)), Ok(position));
        }
    }

    #[test]
    fn legal_moves_are_those_listed(
        rules in any_rules(), picks in proptest::collection::vec(any::<u16>(), 0..60)
    ) {
        let positions = game(&rules, &picks);
        let position = positions[positions.len() - 1];
        let mut moves = Vec::new();
        rules.legal_moves(&position, &mut moves);
        prop_assert_eq!(rules.count_legal_moves(&position, &mut Vec::new()), moves.len() as u64);
        for (cross, nought) in (0..=255u8).flat_map(|cross| (0..=255u8).map(move |nought| (cross, nought))) {
            let mv = Move::new(board::square(cross), board::square(nought)).expect("both are within a1 to p16");
            prop_assert_eq!(rules.is_legal(&position, mv, &mut Vec::new()), moves.contains(&mv));
        }
    }
}

#[test]
fn the_order_of_moves_does_not_change_a_position() {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let rules = rules(10);
    let hash = |position: Position| {
        let mut hasher = DefaultHasher::new();
        position.hash(&mut hasher);
        hasher.finish()
    };
    let one = after(&rules, "a1b1 c1d1 b1c1 e5e6");
    let other = after(&rules, "e5e6 c1d1 a1b1 b1c1");
    assert_eq!((one, hash(one)), (other, hash(other)));
    let turned = after(&rules, "e5e6 c1d1 a1b1 c1b1");
    assert!(one != turned && hash(one) != hash(turned));
    // The view from above is the same, but the levels are not.
    let flat = after(&rules, "a1a2 c1c2 d1d2 b1b2");
    let raised = after(&rules, "a1a2 d1d2 b2c2 b1c1 c1c2 b1b2");
    assert!(flat != raised);
}
