//! `linesman broker config`: writes the configuration of a broker for leagues on many machines.

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use super::env;
use super::error::{Exit, Failure};
use super::ui::Ui;
use crate::league::file::parse_size;
use crate::record::write_atomically;
use crate::remote::broker::certificate::{self, Certified, Month};
use crate::remote::broker::permissions::Permissions;
use crate::remote::broker::secrets::{SecretError, secret_folder, user_key, write_secret};
use crate::remote::broker::{BrokerConfig, BrokerUser, TlsFiles};
use crate::remote::wire::is_token;

/// The default port of NATS servers.
const PORT: u16 = 4222;

const MAX_WORKERS: usize = 10_000;

/// Configure a broker, through which workers on other machines play a league
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: BrokerCommand,
}

#[derive(clap::Subcommand, Debug)]
enum BrokerCommand {
    Config(ConfigArgs),
}

/// Print the configuration of a NATS server for leagues, and make the keys of its users
///
/// Prints the configuration and writes it to `DIR/nats-server.conf`. Each worker and the leader get a folder with
/// the key by which the broker knows them. Run the same command again with more workers: existing keys are kept.
#[derive(clap::Args, Debug)]
#[command(before_help = "\
Examples:
  linesman broker config --out club --host league.example.org --workers anna,ben,carl
  nats-server -c club/nats-server.conf                 start the broker
  linesman broker config --out here --workers 2        without TLS, for this machine alone")]
#[command(after_long_help = "\
With `--host`, the connections are encrypted: the command makes an authority of certificates,
and a certificate for these names and addresses. Workers get `ca.pem`, by which they know the
broker. With `--tls-cert` and `--tls-key`, the broker uses a certificate that you have.

Files with secrets can be read by their owner alone. Give each worker its folder and nothing
else, and keep `DIR/tls/ca-key.pem` to yourself.")]
struct ConfigArgs {
    /// Folder for the configuration and the keys
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Names of the workers, or their number
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    workers: Vec<String>,
    /// Name or address by which workers reach the broker; may be given several times
    #[arg(long, value_name = "HOST", value_delimiter = ',')]
    host: Vec<String>,
    /// Certificate of the broker
    #[arg(long, value_name = "FILE", requires = "tls_key", conflicts_with = "host", help_heading = "TLS")]
    tls_cert: Option<PathBuf>,
    /// Key of that certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = "TLS")]
    tls_key: Option<PathBuf>,
    /// Authority of that certificate, if it is not one that every system knows
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = "TLS")]
    tls_ca: Option<PathBuf>,
    /// Address and port of the broker [default: port 4222, of all addresses with TLS, else of this machine alone]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// Folder of what the broker keeps [default: `DIR/store`]
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Maximum size of what the broker keeps
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = size)]
    disk: u64,
}

fn size(text: &str) -> Result<u64, String> {
    parse_size(text).map_err(|error| error.to_string())
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    match &args.command {
        BrokerCommand::Config(args) => config(args, ui),
    }
}

fn config(args: &ConfigArgs, ui: &mut Ui) -> Result<Exit, Failure> {
    let workers = worker_names(&args.workers)?;
    let has_tls = !args.host.is_empty() || args.tls_cert.is_some();
    let listen = listen(args, has_tls)?;
    secret_folder(&args.out).map_err(secret_failure)?;
    // The paths in the configuration must not depend on the folder in which `nats-server` is started.
    let out = (args.out.canonicalize())
        .map_err(|error| Failure::file(Exit::CantWrite, "find", &args.out, &error))?;
    let (tls, authority) = tls(args, &out)?;
    let mut users =
        vec![user(&out.join("leader"), "leader", Permissions::of_leader(), authority.as_deref())?];
    for name in &workers {
        let folder = out.join("workers").join(name);
        users.push(user(&folder, name, Permissions::of_worker(name), authority.as_deref())?);
    }
    let store = args.store.as_ref().map(std::path::absolute).transpose();
    let store = store.map_err(Failure::wrong)?.unwrap_or_else(|| out.join("store"));
    let text = BrokerConfig { listen: listen.to_string(), store, disk: args.disk, tls, users }.text();
    let path = out.join("nats-server.conf");
    replace(&path, &text)?;
    ui.data().write_all(text.as_bytes())?;
    print_next_steps(args, ui, &workers, listen, authority.is_some());
    Ok(Exit::Done)
}

/// The names of the workers, which may be given as a number.
fn worker_names(given: &[String]) -> Result<Vec<String>, Failure> {
    let names = match given {
        [number] if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            let number = number.parse().ok().filter(|number| (1..=MAX_WORKERS).contains(number));
            let number: usize = number.ok_or_else(|| {
                Failure::wrong(format_args!("the number of workers must be from 1 to {MAX_WORKERS}"))
            })?;
            (1..=number).map(|number| format!("worker-{number}")).collect()
        }
        names => names.to_vec(),
    };
    for (index, name) in names.iter().enumerate() {
        if !is_token(name) {
            return Err(Failure::wrong(format_args!("a worker can't be named `{}`", name.escape_debug()))
                .hint("use letters `a` to `z` and `A` to `Z`, digits, `-` and `_`"));
        }
        if names[..index].contains(name) {
            return Err(Failure::wrong(format_args!("two workers are named `{name}`")));
        }
    }
    Ok(names)
}

fn listen(args: &ConfigArgs, has_tls: bool) -> Result<SocketAddr, Failure> {
    let usual: IpAddr = if has_tls { [0, 0, 0, 0].into() } else { [127, 0, 0, 1].into() };
    let listen = args.listen.unwrap_or(SocketAddr::new(usual, PORT));
    if has_tls || listen.ip().is_loopback() {
        return Ok(listen);
    }
    Err(Failure::wrong(format_args!(
        "without TLS, a broker at {listen} would let everybody on the way read and change what is sent"
    ))
    .hint("add `--host NAME`, the name or address by which workers reach it: a certificate is made for that"))
}

/// The certificate of the broker, and that of its authority unless clients already trust it.
fn tls(args: &ConfigArgs, out: &Path) -> Result<(Option<TlsFiles>, Option<String>), Failure> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| Failure::file(Exit::Wrong, "read", path, &error))
    };
    if let (Some(certificate), Some(key)) = (&args.tls_cert, &args.tls_key) {
        let absolute = |path: &Path| {
            read(path)?;
            path.canonicalize().map_err(|error| Failure::file(Exit::Wrong, "find", path, &error))
        };
        let files = TlsFiles { certificate: absolute(certificate)?, key: absolute(key)? };
        return Ok((Some(files), args.tls_ca.as_deref().map(read).transpose()?));
    }
    if args.host.is_empty() {
        return Ok((None, None));
    }
    let folder = out.join("tls");
    secret_folder(&folder).map_err(secret_failure)?;
    let today = env::now().to_zoned(jiff::tz::TimeZone::UTC);
    let today = Month { year: today.year().into(), month: u8::try_from(today.month()).unwrap_or(1) };
    let (ca, ca_key) = (folder.join("ca.pem"), folder.join("ca-key.pem"));
    if !ca_key.exists() {
        let Certified { certificate, key } = certificate::new_authority(today).map_err(Failure::wrong)?;
        replace(&ca, &certificate)?;
        write_secret(&ca_key, &key).map_err(secret_failure)?;
    }
    let made = certificate::for_broker(&args.host, &read(&ca_key)?, today);
    let Certified { certificate, key } = made.map_err(Failure::wrong)?;
    let files = TlsFiles { certificate: folder.join("server.pem"), key: folder.join("server-key.pem") };
    replace(&files.certificate, &certificate)?;
    match std::fs::remove_file(&files.key) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(Failure::file(Exit::CantWrite, "replace", &files.key, &error));
        }
        Ok(()) | Err(_) => write_secret(&files.key, &key).map_err(secret_failure)?,
    }
    Ok((Some(files), Some(read(&ca)?)))
}

/// Writes a file that others may read.
fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    write_atomically(path, |output| output.write_all(text.as_bytes()))
        .map_err(|error| Failure::file(Exit::CantWrite, "write", path, &error))
}

/// Creates a user of the broker, with a folder for its key and the certificate of the broker's authority.
fn user(
    folder: &Path,
    name: &str,
    permissions: Permissions,
    authority: Option<&str>,
) -> Result<BrokerUser, Failure> {
    secret_folder(folder).map_err(secret_failure)?;
    let public_key = user_key(&folder.join("key")).map_err(secret_failure)?;
    if let Some(authority) = authority {
        replace(&folder.join("ca.pem"), authority)?;
    }
    Ok(BrokerUser { name: name.to_owned(), public_key, permissions })
}

fn secret_failure(error: SecretError) -> Failure {
    match error {
        error @ (SecretError::Read { .. } | SecretError::NoKey { .. }) => Failure::wrong(error),
        SecretError::Write { path, error } => Failure::file(Exit::CantWrite, "write", &path, &error),
    }
}

fn print_next_steps(args: &ConfigArgs, ui: &Ui, workers: &[String], listen: SocketAddr, has_authority: bool) {
    let out = args.out.display();
    let host = match args.host.first() {
        Some(host) if host.contains(':') => format!("[{host}]"),
        Some(host) => host.clone(),
        None if listen.ip().is_unspecified() => "HOST".to_owned(),
        None => listen.ip().to_string(),
    };
    let url = format!("nats://{host}:{}", listen.port());
    let ca = |folder: &str| if has_authority { format!(" --tls-ca {folder}/ca.pem") } else { String::new() };
    let first = workers.first().map_or("worker-1", String::as_str);
    ui.note(format_args!(
        "the configuration is in {out}/nats-server.conf, and the keys of {} workers in {out}/workers",
        workers.len()
    ));
    ui.note(format_args!("start the broker:  nats-server -c {out}/nats-server.conf"));
    ui.note(format_args!("give each worker its folder, such as {out}/workers/{first}; there it runs:"));
    ui.note(format_args!("  linesman worker {url} --name {first} --nkey {first}/key{}", ca(first)));
    let leader = format!("{out}/leader");
    let ca = ca(&leader);
    ui.note(format_args!("lead a league:  linesman league run FILE --via {url} --nkey {leader}/key{ca}"));
}
