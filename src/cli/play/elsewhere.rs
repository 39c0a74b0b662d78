//! Notes and warnings for the notices of a leader.

use super::super::ui::Ui;
use crate::league::leader_notice::{LeaderNotice, Presence, Stall, WorkerSeen};
use crate::record::text::printable;
use crate::report::describe::{counted, grouped, several};

/// Maximum length of a shown text from a worker, in bytes.
const MAX_SHOWN: usize = 200;

/// The reason why nothing is played, with a hint.
fn stall_in_words(cause: &Stall) -> String {
    match cause {
        Stall::NoBroker => "the broker can't be reached; trying again".to_owned(),
        Stall::NoWorker => "no worker is connected; start one with `linesman worker`".to_owned(),
        Stall::CantPlay { workers, reasons } => {
            let reason = |(worker, why): &(String, String)| {
                format!("`{}`: {}", printable(worker, MAX_SHOWN), printable(why, MAX_SHOWN))
            };
            let reasons: Vec<String> = reasons.iter().map(reason).collect();
            format!("none of {} can play them ({})", counted(*workers as u64, "worker"), reasons.join("; "))
        }
        Stall::Idle(1) => "a worker is connected, but has not started".to_owned(),
        Stall::Idle(workers) => format!("{workers} workers are connected, but have not started"),
    }
}

/// The warning that workers played a game of deterministic bots differently.
fn disagreement(id: &str, workers: &[String], odd: Option<&str>) -> String {
    let names: Vec<&str> = workers.iter().map(String::as_str).collect();
    let finding = match odd {
        Some(odd) => format!("`{odd}` differs from the others"),
        None => "a worker of a third owner would show which one is right".to_owned(),
    };
    format!(
        "workers {} came to different games in `{}`, whose bots are `deterministic`; {finding}",
        several(&names),
        printable(id, MAX_SHOWN)
    )
}

fn report_worker(ui: &mut Ui, WorkerSeen { name, presence, slots, speed, .. }: &WorkerSeen) {
    match presence {
        Presence::New => ui.note(format_args!(
            "worker `{name}` joins and plays {} at once{}",
            counted(u64::from(*slots), "game"),
            speed.map(|speed| format!(", {} positions per second", grouped(speed.get()))).unwrap_or_default()
        )),
        Presence::There => {}
        Presence::Gone => ui.note(format_args!("worker `{name}` is gone")),
    }
}

pub(super) fn report(ui: &mut Ui, notice: &LeaderNotice) {
    match notice {
        LeaderNotice::StoreLost(packs) => ui.warn(format_args!(
            "the broker has lost its store; {} {} published again, and no result is lost",
            counted(*packs as u64, "pack"),
            if *packs == 1 { "is" } else { "are" }
        )),
        LeaderNotice::Worker(seen) => report_worker(ui, seen),
        LeaderNotice::CantSendBots(why) => ui.warn_once(format_args!(
            "the files of the bots can't be sent to the workers: {}; trying again",
            printable(why, MAX_SHOWN)
        )),
        LeaderNotice::CantPlay { worker, why } => {
            ui.warn(format_args!("worker `{worker}` gives games back: {}", printable(why, MAX_SHOWN)));
        }
        LeaderNotice::Overloaded { worker, why } => ui.warn(format_args!(
            "worker `{worker}` plays fewer games, and others play what it has not begun: {}",
            printable(why, MAX_SHOWN)
        )),
        LeaderNotice::WrongClock { worker, off_by, is_ahead } => ui.warn(format_args!(
            "the clock of worker `{worker}` is {} s {} this machine's, and so are the times of its games",
            off_by.as_secs(),
            if *is_ahead { "ahead of" } else { "behind" }
        )),
        LeaderNotice::OtherSpeed { worker, announced, recorded } => ui.warn(format_args!(
            "a record of worker `{worker}` has a speed of {} positions per second, and the worker announces {}: \
             the times of its games may not be those of its machine",
            grouped(recorded.get()),
            grouped(announced.get())
        )),
        LeaderNotice::Disagreed { id, workers, odd } => ui.warn(disagreement(id, workers, odd.as_deref())),
        LeaderNotice::RepeatsLost(why) => {
            ui.warn(format_args!("repeats of games are not kept any more: {}", printable(why, MAX_SHOWN)));
        }
        LeaderNotice::Refused { worker, id, why } => ui.warn(format_args!(
            "worker `{worker}` sent a false result of `{}`: {}; its results are refused from now on",
            printable(id, MAX_SHOWN),
            printable(why, MAX_SHOWN)
        )),
        LeaderNotice::Duplicate { worker, id } => {
            let id = printable(id, MAX_SHOWN);
            ui.detail(format_args!("`{id}` came twice; the second record, from `{worker}`, is dropped"));
        }
        LeaderNotice::SetAside { worker, voids } => ui.warn(format_args!(
            "worker `{worker}` annulled {voids} games in a row and plays no more; start it again when its machine is \
             in order"
        )),
        LeaderNotice::Stalled { games, cause } => ui.warn(format_args!(
            "nothing is being played, and {} {}: {}",
            counted(*games, "game"),
            if *games == 1 { "waits" } else { "wait" },
            stall_in_words(cause)
        )),
        LeaderNotice::GivenUp { id, deliveries } => ui.warn(format_args!(
            "`{id}` was given to workers {deliveries} times and never came back; it stays missing"
        )),
    }
}
