//! Tests of the configuration, most of them with a real `nats-server`. If `PATH` has none, these pass without testing
//! anything.

use std::future::Future;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use async_nats::jetstream::{self, consumer, stream};
use async_nats::{Client, ConnectOptions, Event};
use futures_util::StreamExt;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::certificate::{Month, for_broker, new_authority};
use super::permissions::Permissions;
use super::secrets::{user_key, write_secret};
use super::*;
use crate::bots::BrokerStore;
use linesman_league::content::ContentDigest;
use linesman_league::content::archive::{ContentEntry, pack};
use linesman_league::content::cache::ContentCache;

/// Long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

const TODAY: Month = Month { year: 2026, month: 11 };

/// A broker with the users `leader`, `anna` and `ben`, which ends with the test.
struct Broker {
    folder: tempfile::TempDir,
    process: Child,
    port: u16,
}

impl Drop for Broker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Broker {
    /// Starts a broker. Returns `None` if there is no `nats-server`.
    fn start() -> Option<Broker> {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let authority = new_authority(TODAY).unwrap();
        let certified =
            for_broker(&["localhost".to_owned(), "127.0.0.1".to_owned()], &authority.key, TODAY).unwrap();
        std::fs::write(at("ca.pem"), authority.certificate).unwrap();
        std::fs::write(at("server.pem"), certified.certificate).unwrap();
        write_secret(&at("server-key.pem"), &certified.key).unwrap();
        let user = |name: &str, permissions| {
            let public_key = user_key(&at(name)).unwrap();
            assert_eq!(user_key(&at(name)).unwrap(), public_key, "an existing key is kept");
            BrokerUser { name: name.to_owned(), public_key, permissions }
        };
        let workers = ["anna", "ben"].map(|name| user(name, Permissions::of_worker(name)));
        let users = [user("leader", Permissions::of_leader())].into_iter().chain(workers).collect();
        let tls = Some(TlsFiles { certificate: at("server.pem"), key: at("server-key.pem") });
        let listen = "127.0.0.1:-1".to_owned();
        let config = BrokerConfig { listen, store: at("store \"1\""), disk: 4 << 30, tls, users };
        std::fs::write(at("nats-server.conf"), config.text()).unwrap();
        let mut process = match Command::new("nats-server")
            .arg("-c")
            .arg(at("nats-server.conf"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
        {
            Ok(process) => process,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => panic!("{error}"),
        };
        let mut log = BufReader::new(process.stderr.take().unwrap());
        let (mut port, mut output, mut line) = (None, String::new(), String::new());
        while !line.contains("Server is ready") {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "the broker ended: {output}");
            output.push_str(&line);
            if let Some((_, address)) = line.split_once("client connections on ") {
                port = address.trim().rsplit_once(':').map(|(_, port)| port.parse().unwrap());
            }
        }
        // The broker would block on a full pipe.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Some(Broker { folder, process, port: port.unwrap() })
    }

    fn address(&self) -> String {
        format!("tls://localhost:{}", self.port)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Connects as this user. The channel receives the broker's later refusals.
    async fn connect(&self, name: &str) -> (Client, UnboundedReceiver<String>) {
        let (sender, refusals) = unbounded_channel();
        let options = ConnectOptions::new()
            .add_root_certificates(self.at("ca.pem"))
            .require_tls(true)
            .nkey(std::fs::read_to_string(self.at(name)).unwrap().trim().to_owned())
            .custom_inbox_prefix(format!("_INBOX.{name}"))
            .connection_timeout(TIMEOUT)
            .request_timeout(Some(TIMEOUT))
            .event_callback(move |event| {
                if let Event::ServerError(error) = event {
                    let _ = sender.send(error.to_string());
                }
                async {}
            });
        (options.connect(self.address()).await.unwrap(), refusals)
    }
}

fn with_broker<F: Future<Output = ()>>(test: impl FnOnce(Broker) -> F) {
    let Some(broker) = Broker::start() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(TIMEOUT, test(broker)).await.unwrap() });
}

/// Returns the JetStream context of a connection, with a timeout long enough for a busy machine.
fn streams(client: &Client) -> jetstream::Context {
    let mut context = jetstream::new(client.clone());
    context.set_timeout(TIMEOUT);
    context
}

async fn create_stream(client: &Client, name: &str, subjects: &str, reader: &str) {
    let subjects = vec![subjects.to_owned()];
    let retention = stream::RetentionPolicy::WorkQueue;
    let config = stream::Config { name: name.to_owned(), subjects, retention, ..Default::default() };
    let made = streams(client).create_stream(config).await.unwrap();
    let durable = Some(reader.to_owned());
    made.create_consumer(consumer::pull::Config { durable_name: durable, ..Default::default() })
        .await
        .unwrap();
}

/// Returns an archive of one file of this size.
fn archive(folder: &Path, bytes: usize) -> Vec<u8> {
    let source = folder.join("net");
    // It can't be compressed.
    let noise: Vec<u8> =
        (0..bytes as u64 / 8).flat_map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15)).to_le_bytes()).collect();
    std::fs::write(&source, noise).unwrap();
    pack(&[("net".into(), ContentEntry::File { source, is_executable: false })].into()).unwrap()
}

#[test]
fn a_worker_has_the_permissions_that_it_needs_and_no_others() {
    with_broker(|broker| async move {
        let (leader, _) = broker.connect("leader").await;
        create_stream(&leader, "LM_JOBS_cup_1", "lm.cup.job.1", "workers").await;
        create_stream(&leader, "LM_RESULTS_cup", "lm.cup.result.*", "collector").await;
        let store = BrokerStore::of(leader.clone());
        store.prepare().await.unwrap();
        let archive = archive(broker.folder.path(), 3 << 20);
        let digest = store.publish(&archive).await.unwrap();
        assert_eq!(store.publish(&archive).await.unwrap(), digest);
        let context = streams(&leader);
        context.publish("lm.cup.job.1", "a pack".into()).await.unwrap().await.unwrap();

        let (anna, mut refusals) = broker.connect("anna").await;
        // The files of bots.
        let cache = ContentCache::at(broker.at("cache"));
        let bots = BrokerStore::of(anna.clone());
        bots.fetch(digest, &cache).await.unwrap();
        assert!(cache.content(digest).is_some());
        let other = ContentDigest::of(b"other");
        assert!(matches!(bots.get(other).await, Err(crate::bots::StoreError::Missing(_))));
        // A pack, and its acknowledgement.
        let next = "$JS.API.CONSUMER.MSG.NEXT.LM_JOBS_cup_1.workers";
        let inbox = anna.new_inbox();
        let mut delivered = anna.subscribe(inbox.clone()).await.unwrap();
        let request = "{\"batch\":1,\"expires\":5000000000}";
        anna.publish_with_reply(next, inbox, request.into()).await.unwrap();
        let pack = delivered.next().await.unwrap();
        assert_eq!(&*pack.payload, b"a pack");
        anna.request(pack.reply.unwrap(), "+ACK".into()).await.unwrap();
        // Its own result, which the broker keeps.
        let kept = streams(&anna).publish("lm.cup.result.anna", "mine".into()).await.unwrap();
        kept.await.unwrap();
        // The broker has refused none of this.
        anna.flush().await.unwrap();
        assert!(refusals.try_recv().is_err());

        for subject in [
            "lm.cup.job.1",
            "lm.cup.result.ben",
            "lm.cup.word.ben",
            "lm.cup.announce",
            "lmbots.x.1",
            "_INBOX.ben.1",
            "$JS.API.STREAM.DELETE.LM_JOBS_cup_1",
            "$JS.API.STREAM.PURGE.LM_RESULTS_cup",
            "$JS.API.STREAM.CREATE.MINE",
            "$JS.API.STREAM.MSG.GET.LM_RESULTS_cup",
            "$JS.API.DIRECT.GET.LM_RESULTS_cup.lm.cup.result.anna",
            "$JS.API.CONSUMER.CREATE.LM_RESULTS_cup",
            "$JS.API.CONSUMER.DELETE.LM_JOBS_cup_1.workers",
            "$JS.API.CONSUMER.MSG.NEXT.LM_RESULTS_cup.collector",
            "$JS.ACK.LM_RESULTS_cup.collector.1.1.1.1.0",
        ] {
            anna.publish(subject, "{}".into()).await.unwrap();
            let refusal = refusals.recv().await.unwrap();
            assert!(
                refusal.contains("Permissions Violation for Publish") && refusal.contains(subject),
                "{refusal}"
            );
        }
        for subject in ["lm.cup.result.*", "lm.cup.job.1", "_INBOX.>", "_INBOX.ben.>", ">"] {
            let _subscriber = anna.subscribe(subject).await.unwrap();
            let refusal = refusals.recv().await.unwrap();
            assert!(
                refusal.contains("Permissions Violation for Subscription") && refusal.contains(subject),
                "{refusal}"
            );
        }
        // Nothing has changed: the pack is done, and the only result is its own.
        let count = async |name: &str| {
            context.get_stream(name).await.unwrap().get_info().await.unwrap().state.messages
        };
        assert_eq!(count("LM_JOBS_cup_1").await, 0);
        assert_eq!(count("LM_RESULTS_cup").await, 1);
        assert!(context.get_stream("MINE").await.is_err());
    });
}

#[test]
fn broker_and_clients_refuse_unauthorized_peers() {
    with_broker(|broker| async move {
        let address = broker.address();
        let trusting = || ConnectOptions::new().add_root_certificates(broker.at("ca.pem")).require_tls(true);
        assert!(trusting().connect(&address).await.is_err(), "no key");
        user_key(&broker.at("mallory")).unwrap();
        let seed = std::fs::read_to_string(broker.at("mallory")).unwrap();
        assert!(trusting().nkey(seed.trim().to_owned()).connect(&address).await.is_err(), "another key");
        let seed = std::fs::read_to_string(broker.at("anna")).unwrap();
        let without_authority = ConnectOptions::new().require_tls(true).nkey(seed.trim().to_owned());
        assert!(without_authority.connect(&address).await.is_err(), "a broker with an untrusted certificate");
        std::fs::write(broker.at("ca.pem"), new_authority(TODAY).unwrap().certificate).unwrap();
        assert!(
            trusting().nkey(seed.trim().to_owned()).connect(&address).await.is_err(),
            "another authority"
        );
    });
}

#[test]
fn an_invalid_host_name_is_refused() {
    let authority = new_authority(TODAY).unwrap();
    for name in ["", "a b", "http://x", "x:4222", "*.club", "a..b"] {
        let made = for_broker(&[name.to_owned()], &authority.key, TODAY);
        assert!(
            made.is_err_and(|error| error.to_string().contains("can't be put into a certificate")),
            "{name}"
        );
    }
    assert!(for_broker(&["::1".to_owned(), "club.example.org".to_owned()], &authority.key, TODAY).is_ok());
    assert!(for_broker(&["club".to_owned()], "no key", TODAY).is_err());
}
