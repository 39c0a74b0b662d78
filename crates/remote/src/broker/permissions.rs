//! The permissions of the broker's users, as subjects.
//!
//! A worker gets packs, reports under its own name, and reads the files of bots. It can't see what others report,
//! report under another name, publish packs, or change what the broker keeps.

use crate::bots::STREAM as BOT_STREAM;
use crate::bots::SUBJECTS as BOT_SUBJECTS;

/// The subjects that a user may publish to, and those that it may subscribe to.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Permissions {
    /// The subjects that it may publish to.
    pub publish: Vec<String>,
    /// The subjects that it may subscribe to.
    pub subscribe: Vec<String>,
}

impl Permissions {
    /// Returns the permissions of a leader, for all leagues.
    pub fn of_leader() -> Permissions {
        let bots = format!("{BOT_SUBJECTS}.>");
        // The leader answers workers at their inboxes.
        let publish = ["lm.>", &bots, "$JS.API.>", "$JS.ACK.>", "_INBOX.>"];
        let subscribe = ["lm.>", "_INBOX.>"];
        Permissions {
            publish: publish.map(str::to_owned).to_vec(),
            subscribe: subscribe.map(str::to_owned).to_vec(),
        }
    }

    /// Returns the permissions of the worker with this name, for all leagues.
    pub fn of_worker(name: &str) -> Permissions {
        Permissions {
            publish: vec![
                format!("lm.*.result.{name}"),
                format!("lm.*.word.{name}"),
                format!("lm.*.ask.{name}"),
                // Only the consumer of packs is called `workers`, so results stay out of reach.
                "$JS.API.CONSUMER.MSG.NEXT.*.workers".to_owned(),
                "$JS.ACK.*.workers.>".to_owned(),
                format!("$JS.API.DIRECT.GET.{BOT_STREAM}.{BOT_SUBJECTS}.>"),
            ],
            subscribe: vec!["lm.*.announce".to_owned(), format!("_INBOX.{name}.>")],
        }
    }
}
