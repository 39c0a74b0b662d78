//! The isolation of bots: what is requested, what a bot may do, and what holds on this host.
//!
//! ```text
//! referee
//!   `- [bwrap, and its process 1]     layer `bubblewrap`: a prefix of arguments
//!        `- linesman __launcher           forks; watches
//!             `- bot                  joins its cgroup first (layer `cgroup`), changes its user, limits and
//!                                     restricts itself (layer `launcher`), then executes the bot
//! ```
//!
//! # The parts
//!
//! - [`Sandbox`] is the setting. Once per run, it is turned into what holds here: [`SandboxPlan::find`] looks
//!   for each layer, and [`SandboxPlan::confirm`] starts a probe in all of them ([`probe`]), which tries what
//!   bots must not be able to do. `auto` uses the strongest layers that pass, `strict` requires all of them,
//!   `portable` uses only the launcher.
//! - [`Policy`] is what one bot may use, see and read. It follows from the tournament file and from the bot's
//!   command (`read_scope`).
//! - [`Isolation`] is both for one bot, and part of its [`Command`](super::Command). A bot without one is
//!   only supervised.
//!
//! # The work of the layers
//!
//! `BotResources::acquire` acquires a bot's resources at its start (on the spawner's thread, in
//! `spawner::launch`), and `BotResources::release` releases them when all its processes have ended:
//!
//! - **bubblewrap**: [`Bubblewrap::prefix`] returns the words in front of the launcher's command, `bwrap`
//!   itself first and `--` last, and the files that `bwrap` inherits in order to copy them. The launcher's
//!   descriptors (the bot's streams, the report's, the cgroup's, its own program's) are passed through
//!   unchanged. In another namespace the launcher can't compare its parent's process id with ours, so it does
//!   not.
//! - **cgroup**: [`Tree::leaf`] makes a folder for one bot. The launcher inherits the first of its
//!   [`Leaf::cgroup_fds`], this folder, and forks its child into it. Where that is not permitted it uses the
//!   second, the folder's `cgroup.procs`, which we opened for writing: its child writes `0` to it before it
//!   does anything else, for which the kernel makes it wait up to some ten milliseconds. The supervisor stays
//!   outside, to report how the bot ended even if the kernel has killed everything inside. [`Leaf::kill`]
//!   kills everything inside; dropping the leaf removes it.
//! - **slot user**: [`SlotUsers::take`] lends a uid, which the launcher's child adopts before it restricts
//!   itself; the supervisor keeps its own. The uid is free again when its [`SlotUser`] is dropped.

use serde::{Deserialize, Serialize};

pub(crate) mod bot_resources;
mod bubblewrap;
mod cgroup;
mod folder_lock;
pub mod grants;
mod guarantee;
mod kernel;
mod policy;
pub mod probe;
mod read_scope;
mod slot_user;
mod status;

pub(crate) use bot_resources::BotResources;
pub use bubblewrap::Bubblewrap;
pub(crate) use bubblewrap::Prefix;
pub use cgroup::{Leaf, Tree, leaves_of};
pub(crate) use cgroup::{LeafCounts, cpu_of_stat, reports_oom_kill};
pub use grants::{Grants, Hidden};
pub use guarantee::{Guarantee, Means, Unavailable};
pub use policy::Policy;
pub use read_scope::{Ownership, ProgramKind, ReadScope, SYSTEM_FILES, is_shared, is_within, plain};
pub(crate) use read_scope::{interpreter, interpreter_line, system_settings};
pub(crate) use slot_user::become_user;
pub use slot_user::{SlotUser, SlotUsers, View};
pub use status::{SandboxPlan, SandboxStatus};

/// The first version of Landlock that restricts signals.
const LANDLOCK_SIGNALS: u32 = 6;

/// The isolation that the user requests, the weakest first: the setting `sandbox`.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, Default)]
pub enum Sandbox {
    /// No isolation: bots may do what their user may. Their resources are still watched.
    Off,
    /// Isolation that needs no privileges and no packages: the launcher alone.
    Portable,
    /// The strongest isolation that works on this host; missing guarantees are reported.
    #[default]
    Auto,
    /// Full isolation, or no game is played.
    Strict,
}

impl Sandbox {
    /// All settings, as they are listed for users.
    pub const ALL: [Sandbox; 4] = [Sandbox::Auto, Sandbox::Strict, Sandbox::Portable, Sandbox::Off];

    /// Returns the name of the setting in files and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Sandbox::Auto => "auto",
            Sandbox::Strict => "strict",
            Sandbox::Portable => "portable",
            Sandbox::Off => "off",
        }
    }
}

/// The isolation of one bot.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Isolation {
    /// The resources and files that the bot may use.
    pub policy: Policy,
    /// The layers that enforce the policy.
    pub layers: Layers,
}

/// The layers that are used, from the inside to the outside.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Layers {
    /// Restrictions that the launcher applies to the bot; `None` = none.
    pub launcher: Option<Launcher>,
    /// The namespaces around the launcher.
    pub bubblewrap: Option<Bubblewrap>,
    /// The cgroups in which bots are accounted and ended.
    pub cgroup: Option<Tree>,
    /// The users that bots run as.
    pub slot_users: Option<SlotUsers>,
}

/// Restrictions that the launcher applies to a bot, as far as this kernel can.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launcher {
    /// The version of Landlock: 0 = none, 3 for `truncate`, 4 for TCP, 6 for signals.
    pub landlock: u32,
    /// The system calls that are refused.
    pub calls: Calls,
    /// The mechanism that keeps the bot from signalling others.
    pub signals: Signals,
}

/// The set of system calls that bots are refused.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Calls {
    /// None: this kernel has no filters.
    Allowed,
    /// Those with which a bot could reach others or get what it may not have.
    Refused,
    /// Also file locks, through which two bots could communicate.
    RefusedWithLocks,
}

/// The mechanism that keeps a bot from signalling processes that are not its own.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signals {
    /// Landlock's scope, a namespace, or the bot's own user.
    Elsewhere,
    /// The launcher refuses every signal except to the process itself, so a bot can't signal its own children either.
    OwnOnly,
}

/// The part of a bot's supervisor that the bot can't reach.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(super) enum Guard {
    Nothing,
    /// The process outside the bot's namespace. The one that forked the bot is inside, under the same user.
    Outside,
    Whole,
}

impl Layers {
    /// Returns the same layers for a bot that can't have its own user.
    pub fn without_slot_users(&self) -> Layers {
        Layers { slot_users: None, ..self.clone() }.with_signals()
    }

    /// Returns the part of its own supervisor that a bot in these layers can't end.
    pub(super) fn guard(&self) -> Guard {
        let is_scoped = self.launcher.is_some_and(|launcher| {
            let is_refused = launcher.calls != Calls::Allowed && launcher.signals == Signals::OwnOnly;
            launcher.landlock >= LANDLOCK_SIGNALS || is_refused
        });
        if is_scoped || self.slot_users.is_some() {
            Guard::Whole
        } else if self.bubblewrap.is_some() {
            Guard::Outside
        } else {
            Guard::Nothing
        }
    }

    /// Returns the view that a bot in these layers has of the host's files.
    pub fn view(&self) -> View {
        if self.bubblewrap.is_some() { View::Mounts } else { View::Host }
    }

    /// Returns the same layers, with the mechanism that keeps bots in them from signalling others.
    fn with_signals(mut self) -> Layers {
        let is_elsewhere = self.bubblewrap.is_some() || self.slot_users.is_some();
        if let Some(launcher) = &mut self.launcher {
            let is_held_back = is_elsewhere || launcher.landlock >= LANDLOCK_SIGNALS;
            launcher.signals = if is_held_back { Signals::Elsewhere } else { Signals::OwnOnly };
        }
        self
    }

    /// Returns the names of the layers in use, as they appear in records and messages.
    pub fn names(&self) -> Vec<&'static str> {
        let all = [
            ("launcher", self.launcher.is_some()),
            ("bubblewrap", self.bubblewrap.is_some()),
            ("cgroup", self.cgroup.is_some()),
            ("slot_user", self.slot_users.is_some()),
        ];
        all.into_iter().filter(|(_, is_used)| *is_used).map(|(name, _)| name).collect()
    }
}
