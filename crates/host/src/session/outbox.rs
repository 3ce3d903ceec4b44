//! The one way frames leave a session: in order, cut where they are too long for a packet (S33).

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use alidade_room::{Agent, SendError};
use alidade_wire::{chunk, server::ServerFrame};
use tokio::sync::{mpsc, oneshot};

/// Frames that may wait for the room.
const WAITING: usize = 512;

enum Out {
    Frame(String),
    Flush(oneshot::Sender<()>),
}

/// Where frames are put. Clones share one queue.
#[derive(Clone)]
pub(super) struct Outbox {
    queue: mpsc::Sender<Out>,
    dropped: Arc<AtomicU64>,
}

impl Outbox {
    /// An outbox and the task that empties it; the task ends with the last clone.
    pub(super) fn new(agent: Agent) -> (Self, impl Future<Output = ()> + Send) {
        let (queue, waiting) = mpsc::channel(WAITING);
        let dropped = Arc::new(AtomicU64::new(0));
        let outbox = Self {
            queue,
            dropped: Arc::clone(&dropped),
        };
        (outbox, write(agent, waiting, dropped))
    }

    /// Puts a frame in, waiting where the room is slow: what a brain says is not lost.
    pub(super) async fn send(&self, frame: &ServerFrame) {
        if self.queue.send(Out::Frame(frame.encode())).await.is_err() {
            self.count();
        }
    }

    /// Puts a frame in if there is room; else it is dropped and counted.
    pub(super) fn try_send(&self, frame: &ServerFrame) {
        if self.queue.try_send(Out::Frame(frame.encode())).is_err() {
            self.count();
        }
    }

    /// Waits until all that was put in before has gone to the room, at most `patience`.
    pub(super) async fn flush(&self, patience: Duration) {
        let (done, flushed) = oneshot::channel();
        let all = async {
            if self.queue.send(Out::Flush(done)).await.is_ok() {
                let _ = flushed.await;
            }
        };
        let _ = tokio::time::timeout(patience, all).await;
    }

    fn count(&self) {
        let dropped = self.dropped.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::warn!(dropped, "a frame to the client was dropped");
    }
}

async fn write(agent: Agent, mut waiting: mpsc::Receiver<Out>, dropped: Arc<AtomicU64>) {
    while let Some(out) = waiting.recv().await {
        let frame = match out {
            Out::Frame(frame) => frame,
            Out::Flush(done) => {
                let _ = done.send(());
                continue;
            }
        };
        for piece in chunk::split_server(&frame) {
            if let Err(error) = agent.send_user(piece.into(), None).await {
                let dropped = dropped.fetch_add(1, Ordering::Relaxed) + 1;
                tracing::warn!(%error, dropped, "a frame to the client was dropped");
                if error == SendError::Closed {
                    return;
                }
                // The rest of a frame that is torn is of no use.
                break;
            }
        }
    }
}
