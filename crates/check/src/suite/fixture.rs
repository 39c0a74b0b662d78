//! The folder in which a hostile bot plays, with everything that it might attack.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::SuitePlan;
use crate::hostile::{Behaviour, ExpectedEnding, HostileBot, WITNESS};
use linesman_sandbox::isolation::Sandbox;
use linesman_types::verdict::FaultKind;

/// A league's folder.
///
/// ```text
/// tournament.toml  listener  run/     read and written by the referee
/// hostile/         own.txt  port      the hostile bot's folder
/// other/           secret.txt         another bot's folder
/// temporary/                          TMPDIR
/// ```
#[derive(Debug)]
pub(super) struct Fixture {
    pub(super) folder: PathBuf,
    tournament: String,
    listeners: (TcpListener, UdpSocket, UnixListener),
}

const SECRET: &str = "a table of winning moves\n";

impl Fixture {
    /// Creates the folder for a bot with a sandbox setting.
    pub(super) fn create(plan: &SuitePlan, setting: Sandbox, bot: &HostileBot) -> io::Result<Fixture> {
        let folder = plan.folder.join(format!("{}-{}", bot.name, setting.word()));
        let hostile = folder.join("hostile");
        fs::create_dir_all(&hostile)?;
        fs::create_dir_all(folder.join("other"))?;
        fs::create_dir_all(folder.join("temporary"))?;
        fs::write(folder.join("other/secret.txt"), SECRET)?;
        fs::write(hostile.join("own.txt"), SECRET)?;
        if let Behaviour::File { content, mode } = bot.behaviour {
            let program = hostile.join("program");
            match content {
                Some(content) => fs::write(&program, content)?,
                None => fs::create_dir_all(&program)?,
            }
            fs::set_permissions(&program, fs::Permissions::from_mode(mode))?;
        }
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = tcp.local_addr()?.port();
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, port))?;
        let unix = UnixListener::bind(folder.join("listener"))?;
        tcp.set_nonblocking(true)?;
        udp.set_nonblocking(true)?;
        unix.set_nonblocking(true)?;
        fs::write(hostile.join("port"), port.to_string())?;
        let tournament = tournament(bot, setting);
        fs::write(folder.join("tournament.toml"), &tournament)?;
        Ok(Fixture { folder, tournament, listeners: (tcp, udp, unix) })
    }

    /// True if something contacted one of the listeners.
    pub(super) fn was_contacted(&self) -> bool {
        let (tcp, udp, unix) = &self.listeners;
        tcp.accept().is_ok() || udp.recv(&mut [0; 16]).is_ok() || unix.accept().is_ok()
    }

    /// Removes a file that the hostile bot left. Returns true if it existed.
    pub(super) fn remove_left(&self, file: &str) -> bool {
        fs::remove_file(self.folder.join("hostile").join(file)).is_ok()
    }

    /// Lists the files that were changed or are new.
    pub(super) fn changes(&self) -> Vec<String> {
        let mut changes = Vec::new();
        let mut compare = |name: &str, text: &str| {
            if fs::read_to_string(self.folder.join(name)).ok().as_deref() != Some(text) {
                changes.push(format!("`{name}` was changed"));
            }
        };
        compare("tournament.toml", &self.tournament);
        compare("other/secret.txt", SECRET);
        compare("hostile/own.txt", SECRET);
        for (folder, known) in [
            ("", &["tournament.toml", "listener", "run", "hostile", "other", "temporary"][..]),
            ("hostile", &["own.txt", "port", "program"]),
            ("other", &["secret.txt"]),
            ("temporary", &[]),
        ] {
            for name in names_in(&self.folder.join(folder)) {
                if !known.contains(&name.as_str()) {
                    changes.push(format!("`{folder}/{name}` is new"));
                }
            }
        }
        changes
    }
}

pub(super) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Removes the files that hostile bots that have ended left in shared folders, and lists them.
pub(super) fn remove_shared_leftovers() -> Vec<String> {
    let home = std::env::home_dir();
    let folders = ["/tmp", "/var/tmp", "/dev/shm", "/dev", "/"].map(PathBuf::from);
    let mut left = Vec::new();
    for folder in folders.into_iter().chain(home) {
        for name in names_in(&folder) {
            let Some(pid) = name.strip_prefix("hostile-").and_then(|pid| pid.parse::<u32>().ok()) else {
                continue;
            };
            // A bot that still runs may be using the file.
            if !Path::new("/proc").join(pid.to_string()).exists() {
                let path = folder.join(name);
                // If two threads find the same file, only the one that removes it reports it.
                if fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)).is_ok() {
                    left.push(format!("`{}` was left", path.display()));
                }
            }
        }
    }
    left
}

/// The time for a move of a bot that must not lose on time: more than any bot needs, even on a busy host.
const PLENTY: Duration = Duration::from_secs(20);

fn tournament(bot: &HostileBot, setting: Sandbox) -> String {
    let command = match bot.behaviour {
        Behaviour::Program(_) | Behaviour::Attempts(_) | Behaviour::Fills(_) => {
            format!("linesman bot hostile {}", bot.name)
        }
        Behaviour::File { .. } => "./program".to_owned(),
        Behaviour::Missing if bot.name == WITNESS => format!("linesman bot hostile {WITNESS}"),
        Behaviour::Missing => "./no-such-program".to_owned(),
    };
    let may_be_late = bot.expected_in(setting).contains(&ExpectedEnding::Fails(FaultKind::Time));
    let movetime = if may_be_late { bot.movetime } else { PLENTY }.as_millis();
    let mut text = format!(
        "version = 1\nname = \"hostile\"\ngame = \"quixo\"\noptions = {{ size = 3 }}\nmovetime = \"20s\"\n\
         margin = \"250ms\"\ngames = 4\nconcurrency = 1\naffinity = \"off\"\n\n\
         [[bots]]\nname = \"hostile\"\ncommand = \"{command}\"\ndir = \"hostile\"\n\
         limits = {{ start = \"2s\", ready = \"2s\", move = \"{movetime}ms\", memory = \"128MiB\", processes = 60 }}\n"
    );
    if bot.has_scratch {
        text.push_str("scratch = \"16MiB\"\n");
    }
    for name in ["good-1", "good-2"] {
        text.push_str(&format!(
            "\n[[bots]]\nname = \"{name}\"\ncommand = \"linesman bot hostile {WITNESS}\"\ndir = \"other\"\n"
        ));
    }
    text
}
