//! What bots are kept in: what was asked for, what a bot may, and what holds on
//! this host.
//!
//! ```text
//! referee
//!   `- [bwrap, and its process 1]     layer `bubblewrap`: a prefix of arguments
//!        `- linesman __cage           forks; watches
//!             `- bot                  joins its cgroup first (layer `cgroup`), changes its user, limits and
//!                                     restricts itself (layer `launcher`), then executes the bot
//! ```
//!
//! # Who does what
//!
//! - [`Sandbox`] is the setting. [`SandboxStatus::find`] makes of it, once a run, what
//!   holds here: it looks for each layer and starts a probe in them all
//!   ([`probe`]), which tries what bots must not be able to do. `auto` takes the strongest that
//!   passes, `strict` needs all of it, `portable` uses nothing but the launcher.
//! - [`Policy`] is what one bot may use, see and read. It comes from the
//!   tournament file and from the bot's command (`read_scope`).
//! - [`Isolation`] is both for one bot, and stands in its
//!   [`Command`](super::Command). Without one a bot is supervised and no more.
//!
//! # How a layer joins in
//!
//! At the start of a bot (on the spawner's thread, `spawner::launch`), its resources are acquired by
//! `BotResources::acquire`, and given back by `BotResources::release` when all its processes have ended:
//!
//! - **bubblewrap**: [`Bubblewrap::prefix`] returns words that stand in front of
//!   the launcher's command, `bwrap` itself first and `--` last, and the files that `bwrap` inherits
//!   to copy them. The launcher's
//!   descriptors (the bot's streams, the report's, the cgroup's, its own program's) come through as
//!   they are. In a namespace of its own the launcher can't compare its parent's number with ours, so
//!   it does not.
//! - **cgroup**: [`Tree::leaf`] makes a folder for one bot. The launcher inherits the first of its
//!   [`Leaf::cgroup_fds`], this folder, and forks its child into it. Where it may not it uses the second, the
//!   folder's `cgroup.procs` opened for writing by us: its child writes `0` there before it does anything
//!   else, for which the kernel has it wait up to some ten milliseconds. The supervisor stays outside, to
//!   tell how the bot ended even when the kernel has killed all in it. [`Leaf::kill`] ends all in it,
//!   dropping it takes it away.
//! - **slot user**: [`SlotUsers::take`] lends a uid, by which the launcher's child
//!   goes before it restricts itself; the supervisor stays who it is. It is free
//!   again when its [`SlotUser`] is dropped.

use serde::{Deserialize, Serialize};

pub(crate) mod bot_resources;
mod bubblewrap;
mod cgroup;
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
pub(crate) use cgroup::{LeafCounts, cpu_of_stat, tells_of_ended};
pub use grants::{Grants, Hidden};
pub use guarantee::{Guarantee, Unavailable};
pub use policy::Policy;
pub(crate) use read_scope::system_settings;
pub use read_scope::{Ownership, ProgramKind, ReadScope, SYSTEM_FILES, is_shared, is_within, plain};
pub use slot_user::{SlotUser, SlotUsers, View};
pub use status::{SandboxPlan, SandboxStatus};

/// The first version of Landlock that holds back signals.
const LANDLOCK_SIGNALS: u32 = 6;

/// What is asked for: the setting `sandbox`.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Sandbox {
    /// The strongest that works on this host; what does not hold is said.
    #[default]
    Auto,
    /// All of it, or no game is played.
    Strict,
    /// What needs no privileges and no packages: the launcher alone.
    Portable,
    /// Nothing: bots may do what their user may. What they use is still watched.
    Off,
}

impl Sandbox {
    /// All of them.
    pub const ALL: [Sandbox; 4] = [Sandbox::Auto, Sandbox::Strict, Sandbox::Portable, Sandbox::Off];

    /// The word for it in files and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Sandbox::Auto => "auto",
            Sandbox::Strict => "strict",
            Sandbox::Portable => "portable",
            Sandbox::Off => "off",
        }
    }
}

/// What one bot is kept in.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Isolation {
    /// What it may.
    pub policy: Policy,
    /// What keeps it from the rest.
    pub layers: Layers,
}

/// The layers that are used, from the inside to the outside.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Layers {
    /// How the launcher restricts the bot; none = not at all.
    pub launcher: Option<Launcher>,
    /// The namespaces around the launcher.
    pub bubblewrap: Option<Bubblewrap>,
    /// The cgroups in which bots are counted and ended.
    pub cgroup: Option<Tree>,
    /// The users as whom bots run.
    pub slot_users: Option<SlotUsers>,
}

/// How the launcher restricts a bot, as far as this kernel can.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launcher {
    /// The version of Landlock: 0 = none, 3 for `truncate`, 4 for TCP, 6 for signals.
    pub landlock: u32,
    /// Which system calls are refused.
    pub calls: Calls,
    /// What keeps the bot from signalling others.
    pub signals: Signals,
}

/// Which system calls are refused to bots.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Calls {
    /// None: this kernel has no filters.
    Allowed,
    /// Those by which a bot could reach others, or get what it may not have.
    Refused,
    /// File locks too, by which two bots could talk.
    RefusedWithLocks,
}

/// What keeps a bot from signalling processes that are not its own.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signals {
    /// Landlock's scope, a namespace, or a user of its own.
    Elsewhere,
    /// The launcher refuses every signal but to oneself: a bot can't signal its own children either.
    OwnOnly,
}

/// What of a bot's supervisor is out of the bot's reach.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(super) enum Guard {
    /// Nothing.
    Nothing,
    /// The process outside of the bot's namespace; the one that forked the bot
    /// stands inside, under the same user.
    Outside,
    /// All of it.
    Whole,
}

impl Layers {
    /// The same for a bot that can't have a user of its own.
    pub fn without_slot_users(&self) -> Layers {
        Layers { slot_users: None, ..self.clone() }.with_signals()
    }

    /// What keeps a bot in them from ending its own supervisor.
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

    /// What a bot in them sees of the host's files.
    pub fn view(&self) -> View {
        if self.bubblewrap.is_some() { View::Mounts } else { View::Host }
    }

    /// The same, with what keeps bots in them from signalling others.
    fn with_signals(mut self) -> Layers {
        let is_elsewhere = self.bubblewrap.is_some() || self.slot_users.is_some();
        if let Some(launcher) = &mut self.launcher {
            let is_held_back = is_elsewhere || launcher.landlock >= LANDLOCK_SIGNALS;
            launcher.signals = if is_held_back { Signals::Elsewhere } else { Signals::OwnOnly };
        }
        self
    }

    /// The names of the layers that are used, as records and messages have them.
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
