//! Landlock's rules for a bot: files, TCP and signals.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

use crate::isolation::{Policy, SYSTEM_FILES, View, system_settings};

/// Files that a bot may write to, in addition to its folder.
const WRITABLE: [&str; 1] = ["/dev/null"];

/// With its own mounts, all processes that a bot sees are its own, except for those that it can't inspect.
const OWN_PROCESSES: &str = "/proc";

/// Without such mounts, a bot may read its main process's own files in that folder. Left out are the host's
/// network (`net`, and that of each thread in `task`) and the links `root`, `cwd` and `exe`, which lead out.
const OWN_PROCESS: [&str; 25] = [
    "attr",
    "auxv",
    "cgroup",
    "cmdline",
    "comm",
    "coredump_filter",
    "environ",
    "fd",
    "fdinfo",
    "gid_map",
    "io",
    "limits",
    "maps",
    "mem",
    "mountinfo",
    "mounts",
    "numa_maps",
    "oom_score_adj",
    "pagemap",
    "schedstat",
    "smaps",
    "smaps_rollup",
    "stat",
    "statm",
    "status",
];

/// The folder of [`OWN_PROCESS`].
const OWN_PROCESS_FOLDER: &str = "/proc/self";

/// Folders inside its mounts that are the bot's own, and that it may write to.
pub(super) const TEMPORARY: [&str; 2] = ["/dev/shm", "/tmp"];

/// Restricts this process, and what it starts, to reading what the policy names and to writing into the scratch folder.
pub(super) fn shut(policy: &Policy, version: u32, scratch: Option<&Path>, view: View) -> Result<(), String> {
    let own = if view == View::Mounts { TEMPORARY.map(Path::new).to_vec() } else { Vec::new() };
    let processes = if view == View::Mounts { Some(Path::new(OWN_PROCESSES)) } else { None };
    match enforce(policy, abi(version), processes, own.into_iter().chain(scratch)) {
        Ok(RulesetStatus::NotEnforced) => Err("Landlock is no longer available".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(format!("Landlock: {error}")),
    }
}

fn enforce<'a>(
    policy: &Policy,
    abi: ABI,
    processes: Option<&Path>,
    own: impl Iterator<Item = &'a Path>,
) -> Result<RulesetStatus, RulesetError> {
    let mut ruleset = Ruleset::default()
        // The version was determined on this kernel.
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?;
    if abi >= ABI::V4 {
        ruleset = ruleset.handle_access(AccessNet::from_all(abi))?;
    }
    if abi >= ABI::V6 {
        ruleset = ruleset.scope(Scope::from_all(abi))?;
    }
    let read = AccessFs::from_read(abi);
    let writing = read | AccessFs::from_write(abi);
    let own_process = Path::new(OWN_PROCESS_FOLDER);
    let system = SYSTEM_FILES.iter().map(Path::new).filter(|path| *path != own_process);
    let status = ruleset
        .create()?
        .add_rules(path_beneath_rules(system, read))?
        .add_rules(path_beneath_rules([OWN_PROCESS_FOLDER], AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(OWN_PROCESS.map(|file| own_process.join(file)), read))?
        .add_rules(path_beneath_rules(system_settings(), read))?
        .add_rules(path_beneath_rules(&policy.read, read))?
        .add_rules(path_beneath_rules(&policy.list, AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(processes, read))?
        .add_rules(path_beneath_rules(WRITABLE, AccessFs::ReadFile | AccessFs::WriteFile))?
        .add_rules(path_beneath_rules(own, writing & !AccessFs::IoctlDev))?
        .restrict_self()?;
    Ok(status.ruleset)
}

fn abi(version: u32) -> ABI {
    match version {
        0 => ABI::Unsupported,
        1 => ABI::V1,
        2 => ABI::V2,
        3 => ABI::V3,
        4 => ABI::V4,
        5 => ABI::V5,
        6 => ABI::V6,
        7 => ABI::V7,
        8 => ABI::V8,
        9 => ABI::V9,
        _ => ABI::V10,
    }
}
