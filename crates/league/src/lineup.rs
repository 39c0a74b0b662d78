//! Determines how the bots of a tournament are started on a host.

use std::num::NonZeroU32;
use std::path::PathBuf;

use crate::bots::Identity;
use crate::file::{Bot, Ponder, Tournament};
use crate::host::Host;
use crate::read_access::ReadAccess;
use linesman_driver::BotSpec;
use linesman_sandbox::Command;
use linesman_sandbox::isolation::{Grants, Isolation, Layers, Policy};

/// The bots of a tournament on a host, in the tournament's order. Everything that depends on files is determined once.
#[derive(Clone, Debug)]
pub struct Lineup {
    /// The specification from which each bot is started.
    pub specs: Vec<BotSpec>,
    /// The files that each bot needs, and those of them that it may read.
    pub read_access: Vec<ReadAccess>,
    /// The bots that can't have a user of their own, each with the file or folder that prevents it.
    pub without_own_user: Vec<(usize, PathBuf)>,
}

impl Lineup {
    /// Determines how the bots are started on this host.
    pub fn of(tournament: &Tournament, identities: &[Identity], host: &Host) -> Lineup {
        let read_access = ReadAccess::of_all(tournament, identities, host);
        let obstacle = |access: &ReadAccess| access.in_the_way(host.layers.as_ref()?);
        let obstacles: Vec<Option<PathBuf>> = read_access.iter().map(obstacle).collect();
        let specs = (tournament.bots.iter().zip(&read_access).zip(&obstacles))
            .map(|((bot, access), obstacle)| {
                let cpus = match tournament.ponder {
                    // The bots think at once, and each can use the cores that others leave idle.
                    Ponder::Allowed => NonZeroU32::new(tournament.cores_per_game()).unwrap_or(bot.threads),
                    Ponder::Refused => bot.threads,
                };
                let layers = host.layers.clone().map(|layers| match obstacle {
                    Some(_) => layers.without_slot_users(),
                    None => layers,
                });
                BotSpec { cpus, ..bot_spec(bot, access, host, layers) }
            })
            .collect();
        let without_own_user = obstacles.into_iter().enumerate();
        let without_own_user = without_own_user.filter_map(|(bot, path)| Some((bot, path?))).collect();
        Lineup { specs, read_access, without_own_user }
    }
}

/// Environment variables that make runtimes avoid what the sandbox refuses.
const FOR_SANDBOX: [(&str, &str); 2] = [
    // .NET: no sockets for debuggers, and no memory that belongs to no process.
    ("DOTNET_EnableDiagnostics", "0"),
    ("DOTNET_EnableWriteXorExecute", "0"),
];

fn bot_spec(bot: &Bot, access: &ReadAccess, host: &Host, layers: Option<Layers>) -> BotSpec {
    let program = match bot.command.first() {
        Some(first) if !access.starts_this_binary() => first.into(),
        _ => host.binary.clone().into_os_string(),
    };
    let is_restricted = host.layers.as_ref().is_some_and(|layers| layers.launcher.is_some());
    let for_sandbox: &[(&str, &str)] = if is_restricted { &FOR_SANDBOX } else { &[] };
    let variables = bot.environment.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let directory = access.directory(layers.as_ref().unwrap_or(&Layers::default())).to_owned();
    let Grants { read, list } = access.grants.clone();
    let policy = Policy { scratch: bot.scratch, read, list, ..bot.limits.for_process() };
    let command = Command {
        launcher: host.binary.clone(),
        program,
        arguments: bot.command.iter().skip(1).map(Into::into).collect(),
        directory,
        environment: host.environment.closed(for_sandbox.iter().copied().chain(variables)),
        cpus: Vec::new(),
        shares_cpus: false,
        isolation: layers.map(|layers| Isolation { policy, layers }),
    };
    BotSpec { quit: bot.limits.quit, ..BotSpec::new(bot.name.clone(), command) }
}
