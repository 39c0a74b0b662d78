//! Rust that uses much of its standard library: threads, timers, child processes, pairs, memory, files.

use std::collections::HashMap;
use std::io::{self, BufRead, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

fn with_threads() {
    let (send, receive) = mpsc::channel();
    for number in 0..8 {
        let send = send.clone();
        thread::Builder::new().name(format!("searcher {number}")).spawn(move || send.send(number)).unwrap();
    }
    assert_eq!(receive.iter().take(8).sum::<i32>(), 28);
    assert!(receive.recv_timeout(Duration::from_millis(5)).is_err());
    thread::sleep(Duration::from_millis(2));
    thread::yield_now();
    thread::scope(|scope| scope.spawn(|| thread::park_timeout(Duration::from_millis(2))).join().unwrap());
    assert!(thread::available_parallelism().unwrap().get() > 0);
}

fn with_children() -> io::Result<()> {
    let mut cat = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    cat.stdin.take().unwrap().write_all(b"7")?;
    assert_eq!(cat.wait_with_output()?.stdout, b"7");
    assert!(Command::new("true").current_dir("/").env("A", "B").status()?.success());
    let mut sleeper = Command::new("sleep").arg("60").spawn()?;
    sleeper.kill()?;
    sleeper.wait()?;
    let (mut ours, mut theirs) = UnixStream::pair()?;
    ours.set_read_timeout(Some(Duration::from_secs(5)))?;
    theirs.write_all(b"7")?;
    let mut got = [0];
    ours.read_exact(&mut got)
}

fn with_system() -> io::Result<()> {
    let own = std::env::current_exe()?;
    let mut kept: Vec<Vec<u8>> = (0..100).map(|number| vec![number; 1 << 20]).collect();
    kept.iter_mut().for_each(|part| part.resize(3 << 20, 1));
    let text = std::fs::read(&own)?;
    assert_eq!(text.len() as u64, own.metadata()?.len());
    assert!(std::fs::read_dir(own.parent().unwrap())?.count() > 0);
    io::copy(&mut std::fs::File::open(&own)?, &mut io::sink())?;
    let random: HashMap<u8, Instant> = [(7, Instant::now())].into();
    assert!(random[&7].elapsed() < Duration::from_secs(9) && SystemTime::now() > SystemTime::UNIX_EPOCH);
    Ok(())
}

fn main() -> io::Result<()> {
    let mut legal = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace().map(str::to_owned);
        match words.next().as_deref() {
            Some("ugi") => println!("feature legal\nugiok"),
            Some("isready") => println!("readyok"),
            Some("legal") => legal = words.collect(),
            Some("go") => {
                with_threads();
                with_children()?;
                with_system()?;
                println!("bestmove {}", legal[legal.len() / 2]);
            }
            Some("quit") => break,
            _ => {}
        }
    }
    Ok(())
}
