//! Conversion between verdicts and records.

use std::time::Duration;

use proptest::prelude::*;

use crate::testing::played;
use crate::{FaultFields, FaultRecord, GameRecord, UnreadableVerdict};
use linesman_games::{GAMES, limits};
use linesman_types::seat::{BySeat, Seat, Teams};
use linesman_types::verdict::{
    Assistance, Cause, Evidence, ExitStatus, Fault, Limit, Overload, SeatFault, Stage, Verdict, Void,
};

fn duration() -> impl Strategy<Value = Duration> {
    (0_u64..10_000_000).prop_map(Duration::from_micros)
}

fn an_evidence() -> impl Strategy<Value = Evidence> {
    (duration(), duration(), duration()).prop_map(|(cpu, wait, lag)| Evidence { cpu, wait, lag })
}

fn a_void() -> impl Strategy<Value = Void> {
    let times = (duration(), duration(), duration(), an_evidence(), duration());
    let lines = proptest::collection::vec("[ -~]{0,50}", 0..4);
    let overload = (0_usize..2, times, any::<bool>(), lines).prop_map(
        |(seat, (limit, used, margin, evidence, excuse), moved, stray_lines)| {
            let seat = Seat::from_index(seat);
            Void::Overload(Box::new(Overload {
                seat,
                limit,
                used,
                margin,
                evidence,
                excuse,
                moved,
                stray_lines,
            }))
        },
    );
    let assisted = (0_u32.., 0_u32..).prop_map(|(undos, hints)| Void::Assisted(Assistance { undos, hints }));
    prop_oneof!["[ -~]{0,50}".prop_map(Void::Host), overload, Just(Void::NoBotPlayed), assisted]
}

fn a_fault() -> impl Strategy<Value = Fault> {
    let text = || "[ -~\u{a1}-\u{ac}]{0,60}";
    prop_oneof![
        (
            text(),
            proptest::option::of(prop_oneof![
                any::<i32>().prop_map(ExitStatus::Code),
                any::<i32>().prop_map(ExitStatus::Signal)
            ]),
            text()
        )
            .prop_map(|(error, status, stderr_tail)| Fault::NotStarted {
                error,
                status,
                stderr_tail
            }),
        (prop_oneof![Just(Stage::Handshake), Just(Stage::Ready)], duration(), duration())
            .prop_map(|(stage, limit, granted)| Fault::NotReady { stage, limit, granted }),
        (
            duration(),
            duration(),
            duration(),
            proptest::option::of((an_evidence(), duration())),
            any::<(Option<bool>, bool)>()
        )
            .prop_map(|(limit, used, margin, excused, (moved, overload))| Fault::Time {
                moved,
                overload,
                limit,
                used,
                margin,
                evidence: excused.map(|(evidence, _)| evidence),
                excuse: excused.map_or(Duration::ZERO, |(_, excuse)| excuse),
            }),
        (duration(), duration(), an_evidence(), duration(), duration()).prop_map(
            |(limit, margin, evidence, wall, wall_bound)| Fault::CpuClock {
                limit,
                margin,
                evidence,
                wall,
                wall_bound
            }
        ),
        (
            prop_oneof![
                any::<i32>().prop_map(ExitStatus::Code),
                any::<i32>().prop_map(ExitStatus::Signal),
                Just(ExitStatus::Unknown)
            ],
            text()
        )
            .prop_map(|(status, stderr_tail)| Fault::Crash { status, stderr_tail }),
        text().prop_map(|stderr_tail| Fault::ClosedOutput { stderr_tail }),
        (text(), text()).prop_map(|(text, why)| Fault::IllegalMove { text, why }),
        (text(), text()).prop_map(|(text, why)| Fault::NotAMove { text, why }),
        (text(), text()).prop_map(|(line, expected)| Fault::Protocol { line, expected }),
        (proptest::sample::select(Limit::ALL.to_vec()), any::<u64>(), any::<u64>())
            .prop_map(|(which, limit, used)| Fault::Limit { which, limit, used }),
    ]
}

fn a_verdict() -> impl Strategy<Value = Verdict> {
    let fault = || {
        (0_usize..2, a_fault(), proptest::collection::vec("[ -~]{0,50}", 0..4), any::<bool>()).prop_map(
            |(seat, fault, stray_lines, without_legal)| SeatFault {
                seat: Seat::from_index(seat),
                fault,
                stray_lines,
                without_legal,
            },
        )
    };
    let faults = || proptest::collection::vec(fault(), 0..3);
    let reasons: Vec<_> =
        GAMES.iter().flat_map(|game| game.reasons).chain(limits::REASONS).copied().collect();
    let cause = prop_oneof![
        proptest::sample::select(reasons).prop_map(Cause::Rules),
        Just(Cause::Resignation),
        "[ -~]{0,50}".prop_map(Cause::Adjudication),
        Just(Cause::Failure),
    ];
    let places = (0_i32..2, 0_i32..2).prop_map(|(first, second)| {
        BySeat::by_measure(&Teams::singles(2), |seat| [first, second][seat.index()])
    });
    prop_oneof![
        (places, cause, faults()).prop_map(|(places, cause, faults)| Verdict::Finished {
            places,
            cause,
            faults
        }),
        (a_void(), faults()).prop_map(|(void, faults)| Verdict::Void { void, faults }),
    ]
}

proptest! {
    #[test]
    fn a_verdict_survives_its_record(verdict in a_verdict()) {
        let mut record = played(1);
        record.set_verdict(&verdict, &[], &Teams::singles(2));
        let text = serde_json::to_string(&record).unwrap();
        let read: GameRecord = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&read, &record);
        prop_assert_eq!(read.verdict(), Ok(verdict));
    }

    #[test]
    fn any_output_of_a_bot_becomes_one_bounded_line(text in proptest::collection::vec(any::<char>(), 0..3_000)) {
        let text: String = text.into_iter().collect();
        let fault = SeatFault {
            seat: Seat::FIRST,
            fault: Fault::Protocol { line: text.clone(), expected: text.clone() },
            stray_lines: vec![text; 20],
            without_legal: true,
        };
        let record = FaultRecord::from(&fault);
        let line = serde_json::to_string(&record).unwrap();
        prop_assert!(line.len() < 10_000);
        prop_assert!(!line.chars().any(char::is_control));
        prop_assert_eq!(record.stray_lines.len(), 8);
    }
}

#[test]
fn a_fault_that_lacks_a_field_is_refused() {
    let record = FaultFields { seat: 1, fault: "time".to_owned(), ..FaultFields::default() }.into();
    assert_eq!(
        SeatFault::try_from(&record),
        Err(UnreadableVerdict::Missing { fault: "time".to_owned(), field: "limit_us" })
    );
    let record = FaultFields { seat: 1, fault: "bored".to_owned(), ..FaultFields::default() }.into();
    assert_eq!(SeatFault::try_from(&record).unwrap_err().to_string(), "`faults.fault` can't be `bored`");
}
