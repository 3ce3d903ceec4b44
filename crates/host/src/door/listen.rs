//! The accept loop: connections are capped, slow headers are cut off, and all of it ends when told to.

use std::{sync::Arc, time::Duration};

use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
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

/// Serves until `stop`; then no connection is accepted any more and open ones are closed.
pub(crate) async fn serve(listener: TcpListener, door: Arc<Door>, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(door.limits.connections));
    let header_patience = door.limits.request;
    let service = TowerToHyperService::new(router(door));
    let mut open = JoinSet::new();
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
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            refused += 1;
            tracing::warn!(refused, "too many connections; one was closed");
            continue;
        };
        let service = service.clone();
        let stop = stop.clone();
        open.spawn(async move {
            connection(stream, service, header_patience, stop).await;
            drop(place);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(DRAIN, async { while open.join_next().await.is_some() {} }).await;
    open.shutdown().await;
}

async fn connection(
    stream: TcpStream,
    service: TowerToHyperService<axum::Router>,
    header_patience: Duration,
    stop: CancellationToken,
) {
    let _ = stream.set_nodelay(true);
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(header_patience)
        .max_headers(HEADERS_MAX)
        .max_buf_size(HEAD_BYTES);
    let served = http
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(served);
    let ended = tokio::select! {
        ended = &mut served => ended,
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
