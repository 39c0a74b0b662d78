//! Tests of Quixo.

use super::*;
use crate::games::perft::perft;

#[test]
fn perft_from_the_start_begins_as_published() {
    let rules = Quixo::new(5);
    assert_eq!([0, 1, 2].map(|depth| perft(&rules, &rules.start(), depth)), [1, 44, 1836]);
}
