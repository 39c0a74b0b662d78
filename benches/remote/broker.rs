//! A broker for these measurements.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::folder;

/// A broker with its own store, killed on drop.
pub struct Broker {
    pub url: String,
    server: Child,
    _store: TempDir,
}

impl Broker {
    pub fn start(program: &PathBuf) -> Broker {
        let store = folder("broker");
        let free = TcpListener::bind("127.0.0.1:0").expect("there are free ports");
        let port = free.local_addr().expect("it is bound").port();
        drop(free);
        let server = serve(program, port, &store);
        let url = format!("nats://127.0.0.1:{port}");
        Broker { url, server, _store: store }
    }

    pub fn id(&self) -> u32 {
        self.server.id()
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn serve(program: &PathBuf, port: u16, folder: &TempDir) -> Child {
    let mut command = Command::new(program);
    command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder.path());
    let server = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("there is a broker");
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        std::thread::sleep(Duration::from_millis(20));
    }
    server
}
