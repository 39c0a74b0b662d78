//! The folder in which a hostile bot plays, with all that it might want.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::SuitePlan;
use super::watch::RECORDS;
use crate::hostile::{Behaviour, ExpectedEnding, HostileBot, WITNESS};
use linesman_sandbox::isolation::Sandbox;

/// A league's folder.
///
/// ```text
/// tournament.toml  listener  run/     what the referee reads and writes
/// hostile/         own.txt  port      where the hostile bot runs
/// other/           secret.txt         another bot's
/// temporary/                          TMPDIR
/// ```
#[derive(Debug)]
pub(super) struct Fixture {
    folder: PathBuf,
    tournament: String,
    listeners: (TcpListener, UdpSocket, UnixListener),
}

const SECRET: &str = "a table of winning moves\n";

impl Fixture {
    /// Makes the folder for a bot in a layer.
    pub(super) fn set(plan: &SuitePlan, layer: Sandbox, bot: &HostileBot) -> io::Result<Fixture> {
        let folder = plan.folder.join(format!("{}-{}", bot.name, layer.word()));
        let own = folder.join("hostile");
        fs::create_dir_all(&own)?;
        fs::create_dir_all(folder.join("other"))?;
        fs::create_dir_all(folder.join("temporary"))?;
        fs::write(folder.join("other/secret.txt"), SECRET)?;
        fs::write(own.join("own.txt"), SECRET)?;
        if let Behaviour::File { content, mode } = bot.behaviour {
            let program = own.join("program");
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
        fs::write(own.join("port"), port.to_string())?;
        let tournament = tournament(bot, layer);
        fs::write(folder.join("tournament.toml"), &tournament)?;
        Ok(Fixture { folder, tournament, listeners: (tcp, udp, unix) })
    }

    /// Removes the folder.
    pub(super) fn strike(&self) -> io::Result<()> {
        fs::remove_dir_all(&self.folder)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn records(&self) -> PathBuf {
        self.folder.join(RECORDS)
    }

    /// True if something reached our listeners.
    pub(super) fn heard_something(&self) -> bool {
        let (tcp, udp, unix) = &self.listeners;
        tcp.accept().is_ok() || udp.recv(&mut [0; 16]).is_ok() || unix.accept().is_ok()
    }

    /// Removes a file that the hostile bot left. Returns true if there was one.
    pub(super) fn take_away(&self, file: &str) -> bool {
        fs::remove_file(self.folder.join("hostile").join(file)).is_ok()
    }

    /// The files that changed or are new.
    pub(super) fn changes(&self) -> Vec<String> {
        let mut changes = Vec::new();
        let mut same = |name: &str, text: &str| {
            if fs::read_to_string(self.folder.join(name)).ok().as_deref() != Some(text) {
                changes.push(format!("`{name}` was changed"));
            }
        };
        same("tournament.toml", &self.tournament);
        same("other/secret.txt", SECRET);
        same("hostile/own.txt", SECRET);
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

/// Removes what ended hostile bots left in shared folders, and names it.
pub(super) fn left_elsewhere() -> Vec<String> {
    let home = std::env::home_dir();
    let folders = ["/tmp", "/var/tmp", "/dev/shm", "/dev", "/"].map(PathBuf::from);
    let mut left = Vec::new();
    for folder in folders.into_iter().chain(home) {
        for name in names_in(&folder) {
            let Some(pid) = name.strip_prefix("hostile-").and_then(|pid| pid.parse::<u32>().ok()) else {
                continue;
            };
            // A bot that still runs may be using it.
            if !Path::new("/proc").join(pid.to_string()).exists() {
                let path = folder.join(name);
                // Of two threads that find it at once, one reports it.
                if fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)).is_ok() {
                    left.push(format!("`{}` was left", path.display()));
                }
            }
        }
    }
    left
}

/// The time that a bot has for a move unless its time may run out: more than any needs on a busy host.
const PLENTY: Duration = Duration::from_secs(20);

fn tournament(bot: &HostileBot, layer: Sandbox) -> String {
    let command = match bot.behaviour {
        Behaviour::Program(_) | Behaviour::Attempts(_) | Behaviour::Fills(_) => {
            format!("linesman bot hostile {}", bot.name)
        }
        Behaviour::File { .. } => "./program".to_owned(),
        Behaviour::Missing if bot.name == WITNESS => format!("linesman bot hostile {WITNESS}"),
        Behaviour::Missing => "./no-such-program".to_owned(),
    };
    let may_be_late = bot.right(layer).contains(&ExpectedEnding::Fails("time"));
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
