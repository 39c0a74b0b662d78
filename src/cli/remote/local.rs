//! A broker and workers on this machine, for one run.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::super::env;
use super::super::error::Failure;
use super::failure;
use crate::process::cpus_by_core;
use crate::remote::nats::BrokerAddress;

/// The variable with the path of the broker program.
const SERVER: &str = "LINESMAN_NATS_SERVER";

/// The name of the broker program in the search path.
const NATS_SERVER: &str = "nats-server";

/// The variable that passes the address to workers. The address has a password, so it is not an argument.
const BROKER: &str = "LINESMAN_BROKER";

/// Maximum number of checks whether a broker listens or workers have ended, and the interval between two checks.
const MAX_CHECKS: u32 = 500;
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// A broker and its workers. They end when this value is dropped or this process ends.
pub(crate) struct LocalWorkers {
    folder: PathBuf,
    server: Child,
    workers: Vec<Child>,
    address: BrokerAddress,
}

impl LocalWorkers {
    /// Starts a broker and `workers` workers. The bots' paths start from this folder.
    pub(crate) fn start(workers: u32, folder: &Path) -> Result<LocalWorkers, Failure> {
        let program = server_program()?;
        let failed = |error: io::Error| {
            Failure::wrong(format_args!("can't start a broker with `{}`", program.display())).cause(error)
        };
        let private = private_folder().map_err(failed)?;
        let started = start_server(&program, &private).map_err(failed).and_then(|(server, url)| {
            let address = BrokerAddress::parse(&url).map_err(|error| failure(&error))?;
            Ok((server, url, address))
        });
        let (server, url, address) = started.inspect_err(|_| drop(fs::remove_dir_all(&private)))?;
        let mut local = LocalWorkers { folder: private, server, workers: Vec::new(), address };
        let (workers, cpus) = (workers as usize, cpus_by_core());
        for number in 0..workers {
            // With as many workers as CPUs or more, each gets one.
            let first = number % cpus.len().max(1);
            let own_cpus: Vec<String> =
                cpus.iter().skip(first).step_by(workers).map(ToString::to_string).collect();
            let name = format!("w{}", number + 1);
            let words = ["worker", "--quiet", "--slots", "1", "--name", &name, "--folder"];
            let worker = with_parent(&own_cpus.join(","))
                .and_then(|mut command| {
                    command.arg(env::own_binary()?).args(words).arg(folder);
                    command.env(BROKER, &url).spawn()
                })
                .map_err(failed)?;
            local.workers.push(worker);
        }
        Ok(local)
    }

    pub(crate) fn address(&self) -> BrokerAddress {
        self.address.clone()
    }
}

impl Drop for LocalWorkers {
    fn drop(&mut self) {
        for worker in &self.workers {
            let pid = i32::try_from(worker.id()).ok().and_then(Pid::from_raw);
            // Fails for a worker that has already ended.
            let _ = pid.map(|pid| kill_process(pid, Signal::TERM));
        }
        for _ in 0..MAX_CHECKS {
            if self.workers.iter_mut().all(|worker| worker.try_wait().is_ok_and(|ended| ended.is_some())) {
                break;
            }
            std::thread::park_timeout(CHECK_INTERVAL);
        }
        for child in self.workers.iter_mut().chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The start of a command that ends with this process and runs on these CPUs. The caller adds the program.
fn with_parent(cpus: &str) -> io::Result<Command> {
    let mut command = Command::new(env::own_binary()?);
    command.arg("with-parent").arg("--parent").arg(std::process::id().to_string());
    if !cpus.is_empty() {
        command.arg("--cpus").arg(cpus);
    }
    // Ctrl-C must reach only this process, which then ends the others.
    command.arg("--").process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(command)
}

fn server_program() -> Result<PathBuf, Failure> {
    if let Some(path) = env::variable(SERVER).map(PathBuf::from) {
        if path.is_file() {
            return Ok(path);
        }
        return Err(Failure::wrong(format_args!("can't start a broker with `{}`", path.display()))
            .cause("there is no such program")
            .hint(format_args!("correct the variable {SERVER}, or unset it to use `nats-server`")));
    }
    let path = env::path();
    // Debian installs it in `/usr/sbin`.
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin"), "/usr/local/bin".into()]);
    let found = folders.map(|folder| folder.join(NATS_SERVER)).find(|path| path.is_file());
    found.ok_or_else(|| {
        Failure::wrong("there is no `nats-server` on this machine, which workers get their games from").hint(
            format_args!(
                "install it with `apt install nats-server`, or name the program in the variable {SERVER}"
            ),
        )
    })
}

/// Creates a folder that no other user can read.
fn private_folder() -> io::Result<PathBuf> {
    let temporary = PathBuf::from(env::for_bots().temporary);
    for number in 0..1_000 {
        let path = temporary.join(format!("linesman-broker-{}-{number}", std::process::id()));
        match fs::DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no free name for a temporary folder"))
}

/// Starts a broker with its store in a folder, and waits until it listens. Returns its address with the password.
fn start_server(program: &Path, folder: &Path) -> io::Result<(Child, String)> {
    let password = password()?;
    let configuration = folder.join("nats.conf");
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&configuration)?;
    let store = folder.display();
    write!(
        file,
        "listen: \"127.0.0.1:-1\"\nports_file_dir: \"{store}\"\nlog_file: \"{store}/log\"\n\
         jetstream {{ store_dir: \"{store}\" }}\n\
         authorization {{ user: \"linesman\", password: \"{password}\" }}\n"
    )?;
    let mut server = with_parent("")?.arg(program).arg("-c").arg(&configuration).spawn()?;
    for _ in 0..MAX_CHECKS {
        if let Some(status) = server.try_wait()? {
            let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
            let last = log.lines().last().unwrap_or_default();
            return Err(io::Error::other(format!("it ended with {status} {last}")));
        }
        if let Some(port) = port(folder) {
            return Ok((server, format!("nats://linesman:{password}@127.0.0.1:{port}")));
        }
        std::thread::park_timeout(CHECK_INTERVAL);
    }
    let _ = server.kill();
    let _ = server.wait();
    Err(io::Error::new(io::ErrorKind::TimedOut, "it does not listen"))
}

/// The port of a broker, once it has written its ports file.
fn port(folder: &Path) -> Option<u16> {
    let entries = fs::read_dir(folder).ok()?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let ports = paths.find(|path| path.extension().is_some_and(|extension| extension == "ports"))?;
    let ports: serde_json::Value = serde_json::from_str(&fs::read_to_string(ports).ok()?).ok()?;
    ports["nats"].as_array()?.iter().find_map(|url| url.as_str()?.rsplit(':').next()?.parse().ok())
}

fn password() -> io::Result<String> {
    use std::io::Read;
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(data_encoding::HEXLOWER.encode(&bytes))
}
