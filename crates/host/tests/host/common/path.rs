//! A way between client and host that can be cut, and that loses and delays datagrams.
//!
//! Signalling goes through a TCP relay, which puts its own UDP sockets in the place of every address
//! either side tells the other: a port is replaced by one with as many digits, so that no message
//! changes its length. The host learns no address of the client at all; it answers whom it hears.

use std::{
    collections::HashMap,
    net::SocketAddr,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream, UdpSocket, tcp::OwnedReadHalf, tcp::OwnedWriteHalf},
    sync::{mpsc, watch},
};
use tokio_util::sync::{CancellationToken, DropGuard};

/// A port nobody answers on, with as many digits as those it stands for.
const NOWHERE: u16 = 9;
/// What stands before and after a port in a candidate.
const BEFORE: &[u8] = b" 127.0.0.1 ";
const AFTER: &[u8] = b" typ ";
const DIGITS: usize = 5;

/// What befalls the datagrams.
pub(crate) struct Weather {
    lost_of_1000: u64,
    delay: Duration,
    state: AtomicU64,
    /// Datagrams lost so far.
    pub(crate) lost: AtomicU64,
    /// Datagrams that came to the relay so far.
    pub(crate) seen: AtomicU64,
}

impl Weather {
    pub(crate) fn new(lost_of_1000: u64, delay: Duration) -> Self {
        Self {
            lost_of_1000,
            delay,
            state: AtomicU64::new(1),
            lost: AtomicU64::new(0),
            seen: AtomicU64::new(0),
        }
    }

    fn loses(&self) -> bool {
        self.seen.fetch_add(1, Ordering::Relaxed);
        // A linear congruential generator; its high bits are good enough for weather.
        let step = |state: u64| {
            state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407)
        };
        let before = self
            .state
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |state| {
                Some(step(state))
            })
            .unwrap();
        let lost = (step(before) >> 33) % 1000 < self.lost_of_1000;
        self.lost.fetch_add(u64::from(lost), Ordering::Relaxed);
        lost
    }
}

/// The way of one client.
pub(crate) struct Path {
    pub(crate) weather: Arc<Weather>,
    url: String,
    cut: CancellationToken,
    said: mpsc::UnboundedSender<Vec<u8>>,
    answers: watch::Receiver<Vec<u8>>,
    _over: DropGuard,
}

impl Path {
    /// A way to the host at this port.
    pub(crate) async fn to(port: u16, weather: Weather) -> Self {
        let (listener, own) = listen().await;
        let weather = Arc::new(weather);
        let (said, words) = mpsc::unbounded_channel();
        let (heard, answers) = watch::channel(Vec::new());
        let over = CancellationToken::new();
        let cut = over.child_token();
        let way = Way {
            host: port,
            own,
            weather: Arc::clone(&weather),
            ports: tokio::sync::Mutex::default(),
            heard,
            over: over.clone(),
        };
        let serving = serve(listener, Arc::new(way), words);
        tokio::spawn(cut.clone().run_until_cancelled_owned(serving));
        Self {
            weather,
            url: format!("ws://127.0.0.1:{own}"),
            cut,
            said,
            answers,
            _over: over.drop_guard(),
        }
    }

    /// Where the client is to go.
    pub(crate) fn url(&self) -> String {
        self.url.clone()
    }

    /// Breaks the signalling without a word.
    pub(crate) fn cut(&self) {
        self.cut.cancel();
    }

    /// Says something to the host as if the client had: a signalling message.
    pub(crate) fn say(&self, message: &[u8]) {
        assert!(message.len() < 126, "a short message");
        let mut frame = vec![0x82, 0x80 | message.len() as u8, 0, 0, 0, 0];
        frame.extend_from_slice(message);
        self.said.send(frame).unwrap();
    }

    /// Waits until the host has said something with these bytes in it.
    pub(crate) async fn heard(&self, bytes: &[u8]) {
        let mut answers = self.answers.clone();
        let said = answers.wait_for(|all| all.windows(bytes.len()).any(|some| some == bytes));
        tokio::time::timeout(super::PATIENCE, said)
            .await
            .expect("the host never said it")
            .unwrap();
    }
}

struct Way {
    host: u16,
    own: u16,
    weather: Arc<Weather>,
    /// Of each port of the host, the one that stands for it.
    ports: tokio::sync::Mutex<HashMap<u16, u16>>,
    /// All that the host has said.
    heard: watch::Sender<Vec<u8>>,
    over: CancellationToken,
}

async fn listen() -> (TcpListener, u16) {
    loop {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        if port >= 10_000 {
            return (listener, port);
        }
    }
}

async fn serve(listener: TcpListener, way: Arc<Way>, words: mpsc::UnboundedReceiver<Vec<u8>>) {
    let (client, _) = listener.accept().await.unwrap();
    let host = TcpStream::connect(("127.0.0.1", way.host)).await.unwrap();
    let (client_reads, client_writes) = client.into_split();
    let (host_reads, host_writes) = host.into_split();
    tokio::join!(
        up(client_reads, host_writes, &way, words),
        down(host_reads, client_writes, &way)
    );
}

/// From the client to the host.
async fn up(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    way: &Way,
    mut words: mpsc::UnboundedReceiver<Vec<u8>>,
) {
    let mut bytes = Vec::new();
    let head = head(&mut from, &mut bytes).await;
    // The host wants to be called by its own name.
    let called = String::from_utf8(head).unwrap();
    let named = called.replace(
        &format!("127.0.0.1:{}", way.own),
        &format!("127.0.0.1:{}", way.host),
    );
    if to.write_all(named.as_bytes()).await.is_err() {
        return;
    }
    loop {
        while let Some((mut frame, start)) = frame(&mut bytes) {
            let mask: [u8; 4] = frame[start - 4..start].try_into().unwrap();
            let (_, payload) = frame.split_at_mut(start);
            xor(payload, mask);
            for at in ports(payload) {
                payload[at].copy_from_slice(digits(NOWHERE).as_bytes());
            }
            xor(payload, mask);
            if to.write_all(&frame).await.is_err() {
                return;
            }
        }
        tokio::select! {
            read = from.read_buf(&mut bytes) => match read {
                Ok(1..) => {}
                Ok(0) | Err(_) => {
                    let _ = to.shutdown().await;
                    return;
                }
            },
            Some(word) = words.recv() => {
                if to.write_all(&word).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// From the host to the client.
async fn down(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, way: &Way) {
    let mut bytes = Vec::new();
    let head = head(&mut from, &mut bytes).await;
    if to.write_all(&head).await.is_err() {
        return;
    }
    loop {
        while let Some((mut frame, start)) = frame(&mut bytes) {
            let payload = &mut frame[start..];
            for at in ports(payload) {
                let own = way.stands_for(port(&payload[at.clone()])).await;
                payload[at].copy_from_slice(digits(own).as_bytes());
            }
            way.heard
                .send_modify(|all| all.extend_from_slice(&frame[start..]));
            if to.write_all(&frame).await.is_err() {
                return;
            }
        }
        if !matches!(from.read_buf(&mut bytes).await, Ok(1..)) {
            let _ = to.shutdown().await;
            return;
        }
    }
}

/// The head of a request or an answer, with its empty line; what follows stays.
async fn head(from: &mut OwnedReadHalf, bytes: &mut Vec<u8>) -> Vec<u8> {
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            return bytes.drain(..end + 4).collect();
        }
        if !matches!(from.read_buf(bytes).await, Ok(1..)) {
            return std::mem::take(bytes);
        }
    }
}

/// The next whole websocket frame and where its payload begins.
fn frame(bytes: &mut Vec<u8>) -> Option<(Vec<u8>, usize)> {
    let second = *bytes.get(1)?;
    let (long, length) = match second & 0x7f {
        126 => (
            2,
            usize::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().unwrap())),
        ),
        127 => (
            8,
            u64::from_be_bytes(bytes.get(2..10)?.try_into().unwrap()) as usize,
        ),
        short => (0, usize::from(short)),
    };
    let start = 2 + long + if second & 0x80 == 0 { 0 } else { 4 };
    (bytes.len() >= start + length).then(|| (bytes.drain(..start + length).collect(), start))
}

fn xor(payload: &mut [u8], mask: [u8; 4]) {
    for (byte, mask) in payload.iter_mut().zip(mask.into_iter().cycle()) {
        *byte ^= mask;
    }
}

/// Where the ports of candidates stand.
fn ports(payload: &[u8]) -> Vec<Range<usize>> {
    (BEFORE.len()..payload.len().saturating_sub(DIGITS))
        .map(|at| at..at + DIGITS)
        .filter(|digits| {
            payload[..digits.start].ends_with(BEFORE) && payload[digits.end..].starts_with(AFTER)
        })
        .collect()
}

fn port(digits: &[u8]) -> u16 {
    std::str::from_utf8(digits).unwrap().parse().unwrap()
}

fn digits(port: u16) -> String {
    format!("{port:0DIGITS$}")
}

impl Way {
    /// The port of the relay that stands for one of the host.
    async fn stands_for(&self, port: u16) -> u16 {
        let mut ports = self.ports.lock().await;
        if let Some(own) = ports.get(&port) {
            return *own;
        }
        let front = Arc::new(UdpSocket::bind("127.0.0.1:0").await.unwrap());
        let own = front.local_addr().unwrap().port();
        ports.insert(port, own);
        let relaying = relay(front, port, Arc::clone(&self.weather), self.over.clone());
        tokio::spawn(self.over.clone().run_until_cancelled_owned(relaying));
        own
    }
}

/// Carries datagrams between whoever writes to `front` and a port of the host.
async fn relay(front: Arc<UdpSocket>, port: u16, weather: Arc<Weather>, over: CancellationToken) {
    let mut backs: HashMap<SocketAddr, Arc<UdpSocket>> = HashMap::new();
    let mut bytes = vec![0; 1 << 16];
    loop {
        let Ok((length, client)) = front.recv_from(&mut bytes).await else {
            continue;
        };
        let back = match backs.get(&client) {
            Some(back) => Arc::clone(back),
            None => {
                let back = Arc::new(UdpSocket::bind("127.0.0.1:0").await.unwrap());
                back.connect(("127.0.0.1", port)).await.unwrap();
                backs.insert(client, Arc::clone(&back));
                let returning = home(
                    Arc::clone(&back),
                    Arc::clone(&front),
                    client,
                    Arc::clone(&weather),
                );
                tokio::spawn(over.clone().run_until_cancelled_owned(returning));
                back
            }
        };
        let datagram = bytes[..length].to_vec();
        later(&weather, async move {
            let _ = back.send(&datagram).await;
        });
    }
}

async fn home(
    back: Arc<UdpSocket>,
    front: Arc<UdpSocket>,
    client: SocketAddr,
    weather: Arc<Weather>,
) {
    let mut bytes = vec![0; 1 << 16];
    loop {
        let Ok(length) = back.recv(&mut bytes).await else {
            // The host has closed its port; it may be a moment before the relay ends.
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        };
        let (front, datagram) = (Arc::clone(&front), bytes[..length].to_vec());
        later(&weather, async move {
            let _ = front.send_to(&datagram, client).await;
        });
    }
}

/// Sends after the delay, or not at all.
fn later(weather: &Weather, sending: impl Future<Output = ()> + Send + 'static) {
    if weather.loses() {
        return;
    }
    let delay = weather.delay;
    tokio::spawn(async move {
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        sending.await;
    });
}
