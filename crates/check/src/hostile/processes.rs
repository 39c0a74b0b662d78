//! Bots that meddle with other processes.

use super::HostileBot;
use super::attempt::{portable, to_supervisor};
use super::environment::to_any;
use super::kernel;

pub(super) const BOTS: &[HostileBot] = &[
    HostileBot::attempts(
        "spies-on-processes",
        "Traces the referee, the supervisor and the opponent, and reads and copies from them.",
        &[
            portable("trace", |around| to_any(&around.everybody(), kernel::trace)),
            portable("read-memory", |around| to_any(&around.everybody(), kernel::read_memory)),
            portable("take-descriptor", |around| to_any(&around.everybody(), kernel::take_descriptor)),
            portable("compare", |around| to_any(&around.everybody(), kernel::compare)),
            portable("hide", |_| kernel::hide()),
            portable("events", |_| kernel::watch_folder(c"/usr/bin")),
            portable("old-events", |_| kernel::notify(&std::fs::File::open("/usr/bin")?)),
        ],
    ),
    HostileBot::attempts(
        "signals-others",
        "Checks whether it could send signals to the referee, the supervisor and the opponent.",
        &[
            portable("referee", |around| {
                to_any(around.referee.as_slice(), |pid| kernel::kill(pid.as_raw_nonzero().get(), 0))
            }),
            to_supervisor("supervisor", |around| {
                to_any(around.supervisor.as_slice(), |pid| kernel::kill(pid.as_raw_nonzero().get(), 0))
            }),
            portable("others", |around| {
                to_any(&around.others, |pid| kernel::kill(pid.as_raw_nonzero().get(), 0))
            }),
            to_supervisor("first", |_| kernel::kill(1, 0)),
        ],
    ),
];
