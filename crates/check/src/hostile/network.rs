//! Bots that try to communicate with anyone but the referee.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::OwnedFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::time::Duration;

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, socketpair};

use super::HostileBot;
use super::attempt::portable;
use super::kernel;

pub(super) const BOTS: &[HostileBot] = &[HostileBot::attempts(
    "uses-network",
    "Opens sockets of every kind and contacts a listener on this machine.",
    &[
        portable("tcp", |_| {
            let address = (Ipv4Addr::LOCALHOST, listener_port()?).into();
            TcpStream::connect_timeout(&address, Duration::from_millis(200)).map(drop)
        }),
        portable("tcp-listen", |_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map(drop)),
        portable("udp", |_| {
            let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
            socket.send_to(b"hostile", (Ipv4Addr::LOCALHOST, listener_port()?)).map(drop)
        }),
        portable("dns", |_| UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.connect((Ipv4Addr::LOCALHOST, 53))),
        portable("raw", |_| kernel::socket(libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP)),
        portable("packet", |_| kernel::socket(libc::AF_PACKET, libc::SOCK_RAW, 0)),
        portable("netlink", |_| kernel::socket(libc::AF_NETLINK, libc::SOCK_RAW, 0)),
        portable("vsock", |_| kernel::socket(libc::AF_VSOCK, libc::SOCK_STREAM, 0)),
        portable("abstract", |_| {
            let name = format!("hostile-{}", std::process::id());
            UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?).map(drop)
        }),
        portable("pathname", |_| UnixStream::connect("../listener").map(drop)),
        portable("io-uring", |_| kernel::io_ring()),
        // A socket of a pair could be given a name, listen there, or send elsewhere.
        portable("name-of-a-pair", |_| name_a_pair()),
        portable("datagrams", |_| pair(SocketType::DGRAM).map(drop)),
        portable("hosts-sockets", |_| list_sockets()),
    ],
)];

fn pair(kind: SocketType) -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, kind, SocketFlags::empty(), None)?)
}

/// Gives one socket of a pair a name, at which others could find it.
fn name_a_pair() -> io::Result<()> {
    let name = format!("hostile-{}", std::process::id());
    Ok(bind(pair(SocketType::STREAM)?.0, &SocketAddrUnix::new_abstract_name(name.as_bytes())?)?)
}

/// Lists the sockets of the host. In a network namespace of its own, a bot finds none.
fn list_sockets() -> io::Result<()> {
    let read = |file: &&str| fs::read_to_string(file).unwrap_or_default();
    let files = ["/proc/self/net/unix", "/proc/thread-self/net/unix", "/proc/self/net/tcp"];
    let sockets: usize = files.iter().map(|file| read(file).lines().skip(1).count()).sum();
    if sockets == 0 { Err(io::ErrorKind::PermissionDenied.into()) } else { Ok(()) }
}

/// The port on which the suite listens.
fn listener_port() -> io::Result<u16> {
    fs::read_to_string("port")?.trim().parse().map_err(io::Error::other)
}
