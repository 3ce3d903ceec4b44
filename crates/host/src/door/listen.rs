//! The accept loop: connections are capped, slow headers are cut off, and all of it ends when told to.
//!
//! Where there are too many connections, one that has shown neither the key nor a join token gives way.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use hyper::{
    Request,
    body::Incoming,
    service::{Service as _, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use super::{Door, router};

/// Headers of one request.
const HEADERS_MAX: usize = 64;
/// Bytes hyper buffers for a request's head: the room's query may be 128 KiB.
const HEAD_BYTES: usize = 192 << 10;
/// How long open connections may take to finish once the backend stops.
const DRAIN: Duration = Duration::from_millis(500);

/// One connection, as the accept loop and what answers on it see it.
#[derive(Debug, Default)]
struct State {
    /// A request on it showed the key of this run or a join token of ours.
    proven: AtomicBool,
    /// Raised where it has to give way.
    evicted: CancellationToken,
}

/// Among a request's extensions: says of its connection that whoever is at the other end belongs here.
#[derive(Clone, Debug)]
pub(crate) struct Proof(Arc<State>);

impl Proof {
    pub(crate) fn show(&self) {
        self.0.proven.store(true, Ordering::Relaxed);
    }
}

/// Connections that have proven nothing, the oldest first. Anybody on this machine can open those, so
/// they must not keep out those who belong here.
#[derive(Default)]
struct Strangers {
    /// Weak: who has ended is nobody any more.
    waiting: VecDeque<Weak<State>>,
    evicted: u64,
}

impl Strangers {
    fn add(&mut self, state: &Arc<State>, most: usize) {
        if self.waiting.len() >= most {
            self.waiting.retain(|state| {
                state
                    .upgrade()
                    .is_some_and(|state| !state.proven.load(Ordering::Relaxed))
            });
        }
        self.waiting.push_back(Arc::downgrade(state));
    }

    /// Closes the oldest; false where there is none.
    fn evict(&mut self) -> bool {
        while let Some(state) = self.waiting.pop_front() {
            if let Some(state) = state.upgrade()
                && !state.proven.load(Ordering::Relaxed)
            {
                state.evicted.cancel();
                self.evicted += 1;
                if self.evicted.is_power_of_two() {
                    tracing::warn!(
                        evicted = self.evicted,
                        "too many connections; the oldest that asked nothing was closed"
                    );
                }
                return true;
            }
        }
        false
    }
}

/// Serves until `stop`; then no connection is accepted any more and open ones are closed.
pub(crate) async fn serve(listener: TcpListener, door: Arc<Door>, stop: CancellationToken) {
    let most = door.limits.connections.max(1);
    let header_patience = door.limits.request;
    let service = TowerToHyperService::new(router(door));
    let mut open = JoinSet::new();
    let mut strangers = Strangers::default();
    let mut refused: u64 = 0;
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = open.join_next(), if !open.is_empty() => continue,
            () = stop.cancelled() => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file descriptors, mostly: give what is open time to end.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        while open.try_join_next().is_some() {}
        if open.len() >= most {
            if !strangers.evict() {
                refused += 1;
                tracing::warn!(refused, "too many connections; the newest was closed");
                continue;
            }
            // It ends as soon as it is told; waiting for that keeps their number.
            tokio::select! {
                _ = open.join_next() => {}
                () = stop.cancelled() => break,
            }
        }
        let state = Arc::new(State::default());
        strangers.add(&state, most);
        open.spawn(connection(
            stream,
            service.clone(),
            header_patience,
            state,
            stop.clone(),
        ));
    }
    drop(listener);
    let _ = tokio::time::timeout(DRAIN, async { while open.join_next().await.is_some() {} }).await;
    open.shutdown().await;
}

async fn connection(
    stream: TcpStream,
    service: TowerToHyperService<axum::Router>,
    header_patience: Duration,
    state: Arc<State>,
    stop: CancellationToken,
) {
    let _ = stream.set_nodelay(true);
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(header_patience)
        .max_headers(HEADERS_MAX)
        .max_buf_size(HEAD_BYTES);
    let proof = Proof(Arc::clone(&state));
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(proof.clone());
        service.call(request)
    });
    let served = http
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(served);
    let ended = tokio::select! {
        ended = &mut served => ended,
        () = state.evicted.cancelled() => return,
        () = stop.cancelled() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = ended {
        // The error tells of the connection only: never a header, a path or a token.
        tracing::debug!(%error, "a connection ended early");
    }
}
