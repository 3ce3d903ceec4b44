//! Bad weather for tests: datagrams lost and delayed on their way out.

use std::collections::BinaryHeap;
use std::io::{self, IoSliceMut};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use webrtc::runtime::{AsyncUdpSocket, RecvMeta, Transmit};

/// What befalls the datagrams of a socket.
#[derive(Debug)]
pub(crate) struct Weather {
    /// How many of a thousand datagrams are lost.
    pub(crate) lost_of_1000: AtomicU64,
    /// How long the others are under way.
    pub(crate) delay: Duration,
    state: AtomicU64,
    pub(crate) lost: AtomicU64,
    pub(crate) sent: AtomicU64,
}

impl Weather {
    pub(crate) fn new(lost_of_1000: u64, delay: Duration, seed: u64) -> Arc<Self> {
        Arc::new(Self {
            lost_of_1000: AtomicU64::new(lost_of_1000),
            delay,
            state: AtomicU64::new(seed),
            lost: AtomicU64::new(0),
            sent: AtomicU64::new(0),
        })
    }

    fn loses(&self) -> bool {
        // SplitMix64: one addition and a mix, reproducible from the seed.
        let mut z = self
            .state
            .fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed)
            .wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let lost = (z ^ (z >> 31)) % 1_000 < self.lost_of_1000.load(Ordering::Relaxed);
        self.sent.fetch_add(1, Ordering::Relaxed);
        if lost {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
        lost
    }
}

#[derive(Debug, PartialEq, Eq)]
struct UnderWay {
    due: Instant,
    number: u64,
    to: SocketAddr,
    contents: Vec<u8>,
}

impl Ord for UnderWay {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (other.due, other.number).cmp(&(self.due, self.number))
    }
}

impl PartialOrd for UnderWay {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// A socket in bad weather.
#[derive(Debug)]
pub(crate) struct Stormy {
    socket: Arc<dyn AsyncUdpSocket>,
    weather: Arc<Weather>,
    under_way: Arc<Mutex<BinaryHeap<UnderWay>>>,
    number: AtomicU64,
}

impl Stormy {
    pub(crate) fn new(socket: Arc<dyn AsyncUdpSocket>, weather: Arc<Weather>) -> Self {
        Self {
            socket,
            weather,
            under_way: Arc::default(),
            number: AtomicU64::new(0),
        }
    }
}

impl AsyncUdpSocket for Stormy {
    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    fn poll_send(&self, cx: &mut Context<'_>, transmit: &Transmit<'_>) -> Poll<io::Result<usize>> {
        let length = transmit.contents.len();
        if self.weather.loses() {
            return Poll::Ready(Ok(length));
        }
        if self.weather.delay.is_zero() {
            return self.socket.poll_send(cx, transmit);
        }
        self.under_way.lock().push(UnderWay {
            due: Instant::now() + self.weather.delay,
            number: self.number.fetch_add(1, Ordering::Relaxed),
            to: transmit.destination,
            contents: transmit.contents.to_vec(),
        });
        let (socket, heap, delay) = (
            self.socket.clone(),
            self.under_way.clone(),
            self.weather.delay,
        );
        tokio::spawn(async move {
            tokio::time::sleep(delay).await;
            let next = heap.lock().pop();
            if let Some(next) = next {
                let _ = socket.send_to(&next.contents, next.to).await;
            }
        });
        Poll::Ready(Ok(length))
    }

    fn poll_recv(
        &self,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
        meta: &mut [RecvMeta],
    ) -> Poll<io::Result<usize>> {
        self.socket.poll_recv(cx, bufs, meta)
    }

    fn max_gro_segments(&self) -> usize {
        self.socket.max_gro_segments()
    }
}
