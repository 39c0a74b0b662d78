//! Tests of verdicts.

use super::*;

#[track_caller]
fn check(wall: u64, (cpu, wait, lag): (u64, u64, u64), cpus: u32, excuse: u64) {
    let ms = Duration::from_millis;
    let evidence = Evidence { cpu: ms(cpu), wait: ms(wait), lag: ms(lag) };
    let cpus = NonZeroU32::new(cpus).expect("there is a CPU");
    assert_eq!(evidence.excuse(ms(wall), cpus), ms(excuse));
}

#[test]
fn kinds_and_words_belong_together() {
    for (kind, word) in FaultKind::OWN.iter().zip(Fault::WORDS) {
        assert_eq!((kind.word(), &FaultKind::from_word(word)), (word, kind));
    }
    assert_eq!(FaultKind::from_word(FaultKind::OVERLOAD), FaultKind::Overload);
}

#[test]
fn a_bot_is_excused_for_what_it_waited_and_not_for_what_it_used() {
    check(743, (50, 693, 0), 1, 693);
    // Late all by itself, working or sleeping.
    check(1_060, (1_060, 0, 0), 1, 0);
    check(1_060, (1, 0, 0), 1, 0);
    // Fifty threads that spin keep each other waiting, and nobody else does.
    check(1_060, (1_060, 1_030, 0), 1, 0);
    check(1_060, (2_120, 1_030, 40), 2, 0);
    // They make the referee late too.
    check(1_100, (1_100, 0, 40), 1, 0);
    // A referee that was late alone.
    check(1_060, (1_000, 0, 30), 1, 30);
    // The threads wait at the same time, so both together are no more than what was not used.
    check(100, (20, 70, 30), 1, 80);
}
