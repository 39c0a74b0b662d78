use super::*;

#[track_caller]
fn check(wall: u64, (cpu, wait, lag): (u64, u64, u64), cpus: u32, excuse: u64) {
    let ms = Duration::from_millis;
    let evidence = Evidence { cpu: ms(cpu), wait: ms(wait), lag: ms(lag) };
    let cpus = NonZeroU32::new(cpus).expect("there is a CPU");
    assert_eq!(evidence.excuse(ms(wall), cpus), ms(excuse));
}

#[test]
fn kinds_and_words_match() {
    for (kind, word) in FaultKind::OWN.iter().zip(FaultKind::WORDS) {
        assert_eq!((kind.word(), &FaultKind::from_word(word)), (word, kind));
    }
    assert_eq!(FaultKind::from_word(FaultKind::OVERLOAD), FaultKind::Overload);
}

#[test]
fn kinds_are_ordered_by_their_words() {
    let mut words = [FaultKind::WORDS.as_slice(), &[FaultKind::OVERLOAD, "bored"]].concat();
    let mut kinds: Vec<FaultKind> = words.iter().map(|word| FaultKind::from_word(word)).collect();
    words.sort_unstable();
    kinds.sort_unstable();
    assert_eq!(kinds.iter().map(FaultKind::word).collect::<Vec<_>>(), words);
}

#[test]
fn waits_are_excused_but_used_cpu_time_is_not() {
    check(743, (50, 693, 0), 1, 693);
    // Late without any wait, working or sleeping.
    check(1_060, (1_060, 0, 0), 1, 0);
    check(1_060, (1, 0, 0), 1, 0);
    // Fifty spinning threads keep only each other waiting.
    check(1_060, (1_060, 1_030, 0), 1, 0);
    check(1_060, (2_120, 1_030, 40), 2, 0);
    // They delay the referee too.
    check(1_100, (1_100, 0, 40), 1, 0);
    // Only the referee was delayed.
    check(1_060, (1_000, 0, 30), 1, 30);
    // The waits overlap, so their sum is at most the time that was not used.
    check(100, (20, 70, 30), 1, 80);
}
