//! The probe: a bot of ours that tries what bots must not be able to do, so that each guarantee is tested.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::num::NonZeroI32;
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, socket_with};
use rustix::process::{Pid, getpid, test_kill_process};
use serde::{Deserialize, Serialize};

use super::bot_resources::PROBE_PREFIX;
use super::folder_lock::lock;
use super::{Guarantee, Isolation, Layers, Policy};
use crate::bot::{Bot, Interest, wait_for};
use crate::command::Command;
use crate::os_text;
use crate::process::Process as _;
use crate::report::State;

/// The first argument that makes this program a probe.
pub const ARGUMENT: &str = "__probe";

/// Output of the probe when it has tried everything.
const DONE: &str = "done";

/// Maximum number of waits for the probe, and the duration of each.
const MAX_WAITS: u32 = 200;
const WAIT: Duration = Duration::from_millis(50);

#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
struct Targets {
    /// The id of a process that is not the probe's.
    process: NonZeroI32,
    /// The pid namespace in which it has this id.
    #[serde(with = "os_text")]
    namespace: OsString,
    /// A folder in which any user but a bot may write, with a file in it.
    #[serde(with = "os_text")]
    folder: PathBuf,
    /// A port with a listener.
    port: u16,
    /// The abstract name of a socket with a listener.
    #[serde(with = "os_text")]
    socket: OsString,
}

/// Runs a probe in these layers. Returns the guarantees that it broke, or an error if a layer does not work here.
pub(super) fn run(layers: &Layers, launcher: &Path, temporary: &Path) -> Result<Vec<Guarantee>, String> {
    let scene = ProbeScene::new(temporary).map_err(|error| format!("can't prepare the probe: {error}"))?;
    let policy = Policy { read: vec![launcher.to_owned()], ..Policy::default() };
    let targets = serde_json::to_string(&scene.targets).map_err(|error| error.to_string())?;
    let command = Command {
        launcher: launcher.to_owned(),
        program: launcher.into(),
        arguments: vec![ARGUMENT.into(), targets.into()],
        directory: "/".into(),
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        cpus: Vec::new(),
        shares_cpus: false,
        isolation: Some(Isolation { policy, layers: layers.clone() }),
    };
    let bot = Bot::start_here(command).map_err(|error| error.to_string())?;
    let output = listen(&bot).map_err(|error| error.to_string())?;
    let outcome = broken_guarantees(&bot, &output);
    // A plain wait suffices: it has ended, or its supervisor ends it.
    let _ = bot.kill_later().wait();
    outcome
}

/// Reads the whole output of the probe.
fn listen(bot: &Bot) -> io::Result<Vec<u8>> {
    let (mut output, mut buffer) = (Vec::new(), [0; 4096]);
    for _ in 0..MAX_WAITS {
        match bot.read_now(&mut buffer)? {
            Some(0) => break,
            Some(count) => output.extend_from_slice(&buffer[..count]),
            None if matches!(bot.state(), State::Failed(_)) => break,
            None => wait_for([Interest::Output(bot)], WAIT)?,
        }
    }
    Ok(output)
}

fn broken_guarantees(bot: &Bot, output: &[u8]) -> Result<Vec<Guarantee>, String> {
    let output = String::from_utf8_lossy(output);
    if !output.lines().any(|line| line == DONE) {
        // News of its end may arrive a little later than the end of its output.
        for _ in 0..MAX_WAITS {
            if bot.state() != State::Running || bot.breach().is_some() {
                break;
            }
            std::thread::park_timeout(WAIT / 10);
        }
        let stderr = bot.stderr_text();
        let last = stderr.lines().last().unwrap_or_default();
        return Err(match bot.state() {
            State::Failed(error) => error.to_string(),
            _ if !last.is_empty() => last.to_owned(),
            state => format!("the probe did not answer ({state:?})"),
        });
    }
    let broken = |guarantee: &Guarantee| output.lines().any(|line| line == guarantee.word());
    Ok(Guarantee::ALL.into_iter().filter(broken).collect())
}

/// The targets of the probe, as long as it runs.
struct ProbeScene {
    targets: Targets,
    /// Held as long as the folder is in use. Without the lock other referees sweep it.
    _lock: OwnedFd,
    _tcp: TcpListener,
    _unix: UnixListener,
}

impl ProbeScene {
    fn new(temporary: &Path) -> io::Result<ProbeScene> {
        let process = getpid().as_raw_nonzero();
        let name = format!("{PROBE_PREFIX}{process}");
        let (folder, lock) = (0..100)
            .find_map(|number| {
                let folder = temporary.join(format!("{name}-{number}"));
                match std::fs::create_dir(&folder) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
                    Err(error) => Some(Err(error)),
                    Ok(()) => {
                        // A referee in another pid namespace may sweep it before it is locked.
                        let lock = lock(&folder).ok().filter(|_| folder.exists())?;
                        Some(Ok((folder, lock)))
                    }
                }
            })
            .unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))?;
        // From here on the folder is removed if anything fails.
        let [namespace, socket] = [namespace(), OsString::new()];
        let mut targets = Targets { process, namespace, folder, port: 0, socket };
        let listening = (|| {
            std::fs::write(targets.folder.join(SECRET), SECRET)?;
            let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            targets.port = tcp.local_addr()?.port();
            let unix = listen_at_a_free_name()?;
            let address = unix.local_addr()?;
            targets.socket = OsStr::from_bytes(address.as_abstract_name().unwrap_or_default()).to_owned();
            Ok((tcp, unix))
        })();
        match listening {
            Ok((tcp, unix)) => Ok(ProbeScene { targets, _lock: lock, _tcp: tcp, _unix: unix }),
            Err(error) => {
                let _ = std::fs::remove_dir_all(&targets.folder);
                Err(error)
            }
        }
    }
}

/// Listens at an abstract name that the kernel chooses. The name is unique, even among runs that start at the
/// same moment and runs in containers with our process id.
fn listen_at_a_free_name() -> io::Result<UnixListener> {
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    bind(&socket, &SocketAddrUnix::new_unnamed())?;
    rustix::net::listen(&socket, 1)?;
    Ok(UnixListener::from(socket))
}

impl Drop for ProbeScene {
    fn drop(&mut self) {
        // A leftover in a folder for temporary files is not worth an error.
        let _ = std::fs::remove_dir_all(&self.targets.folder);
    }
}

const SECRET: &str = "secret";

/// Tries everything and prints a line for each guarantee that is broken.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let targets = arguments.into_iter().next();
    let Some(targets) = targets.and_then(|targets| serde_json::from_str::<Targets>(targets.to_str()?).ok())
    else {
        return ExitCode::from(2);
    };
    let broken = Guarantee::ALL.into_iter().filter(|guarantee| breaks(*guarantee, &targets));
    let output: String = broken.map(Guarantee::word).chain([DONE]).flat_map(|word| [word, "\n"]).collect();
    match io::stdout().write_all(output.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(74),
    }
}

/// Tries to break a guarantee, and returns true if that succeeded. Limits are not tried.
fn breaks(guarantee: Guarantee, targets: &Targets) -> bool {
    match guarantee {
        Guarantee::Files => {
            let written = std::fs::write(targets.folder.join("written"), "").is_ok();
            written || std::fs::read(targets.folder.join(SECRET)).is_ok()
        }
        Guarantee::Network => {
            let named = SocketAddr::from_abstract_name(targets.socket.as_bytes());
            TcpStream::connect((Ipv4Addr::LOCALHOST, targets.port)).is_ok()
                || named.is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
        }
        Guarantee::Processes => {
            let environment = format!("/proc/{}/environ", targets.process);
            namespace() == targets.namespace && std::fs::read(environment).is_ok()
        }
        Guarantee::Signals => {
            let process = Pid::from_raw(targets.process.get());
            namespace() == targets.namespace
                && process.is_none_or(|process| test_kill_process(process).is_ok())
        }
        Guarantee::Memory | Guarantee::ProcessNumber => false,
    }
}

/// Returns the name of our pid namespace: in another one the same ids mean other processes.
fn namespace() -> OsString {
    std::fs::read_link("/proc/self/ns/pid").unwrap_or_default().into_os_string()
}
