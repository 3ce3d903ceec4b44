//! From an upgraded socket to a stay, and what is tidied up after it.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use axum::extract::ws::WebSocket;
use livekit_protocol as proto;
use proto::leave_request::Action;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::session::{End, SOCKET_PATIENCE, Session};
use super::state::{Live, Shared};
use super::tracks::Tracks;
use super::welcome::dismiss;
use super::{AgentEvent, JoinQuery};
use crate::DisconnectReason;
use crate::data::{Inlet, Sink};
use crate::media::{Receiving, receive};
use crate::peer::{Candidates, Peer, PeerOptions, Reach};

/// Longest wait for the stay before this one to end.
const REPLACE_PATIENCE: Duration = Duration::from_secs(3);

/// Serves a client until its stay ends.
pub(super) async fn serve(
    shared: Arc<Shared>,
    mut socket: WebSocket,
    query: JoinQuery,
    abandoned: CancellationToken,
) {
    let closed = *shared.closed.borrow();
    if let Some(reason) = closed {
        dismiss(&mut socket, reason, Action::Disconnect).await;
        return;
    }
    let Some(offer) = query
        .request
        .publisher_offer
        .filter(|_| !query.request.reconnect)
    else {
        // Nothing is kept of an earlier stay: the client comes back as a new one.
        dismiss(&mut socket, DisconnectReason::Unknown, Action::Reconnect).await;
        return;
    };
    // One join at a time, so that two cannot take the same place.
    let joining = shared.joining.lock().await;
    replace_previous(&shared).await;

    let options = PeerOptions {
        reach: Some(Reach::Loopback),
        ice_servers: Vec::new(),
        #[cfg(test)]
        weather: shared.weather.lock().clone(),
    };
    let peer = match Peer::open(options).await {
        Ok(peer) => peer,
        Err(error) => {
            tracing::error!(%error, "no peer connection could be opened");
            dismiss(
                &mut socket,
                DisconnectReason::JoinFailure,
                Action::Disconnect,
            )
            .await;
            return;
        }
    };
    let (orders, order_reader) = mpsc::unbounded_channel();
    let over = CancellationToken::new();
    let live = Live {
        orders: orders.clone(),
        replaced: CancellationToken::new(),
        gone: CancellationToken::new(),
    };
    let (replaced, gone) = (live.replaced.clone(), live.gone.clone());
    *shared.live.lock() = Some(live);
    drop(joining);
    let tasks = TaskTracker::new();
    tasks.spawn(receive(Receiving {
        packets: peer.media,
        lost: peer.media_dropped,
        orders: order_reader,
        again: orders.clone(),
        events: shared.events.clone(),
        tasks: tasks.clone(),
        over: over.clone(),
    }));
    let inlet = Arc::new(Inlet {
        sink: Sink::Agent(shared.events.clone()),
        roster: shared.clone(),
        own_identity: shared.options.agent_identity.clone(),
        only_sender: Some(shared.options.client_identity.clone()),
        calls: shared.calls.clone(),
        outbox: shared.outbox.clone(),
        seen: Default::default(),
        streams: Default::default(),
        serving: Arc::new(AtomicUsize::new(0)),
        tasks: tasks.clone(),
        over: over.clone(),
    });
    let mut session = Session {
        shared: shared.clone(),
        socket,
        connection: peer.connection,
        candidates: Candidates::default(),
        tracks: Tracks::default(),
        orders,
        inlet,
        tasks: tasks.clone(),
        over: over.clone(),
        data_ready: false,
        opened: over.child_token(),
        stay: shared.outbox.next_stay(),
        unreadable: 0,
        reading: None,
    };
    let end = session.run(offer, peer.events, &replaced, &abandoned).await;
    let reason = match end {
        End::Left(reason) => {
            tokio::select! {
                () = session.hear_out() => {}
                () = replaced.cancelled() => {}
                () = abandoned.cancelled() => {}
            }
            reason
        }
        End::Lost => DisconnectReason::SignalClose,
        End::Dismiss(reason, action) => {
            dismiss(&mut session.socket, reason, action).await;
            reason
        }
    };
    over.cancel();
    shared.client.lock().take();
    shared.calls.disconnected(None);
    // The event first: closing the connection takes its time.
    let told = shared.events.send(AgentEvent::ClientLeft { reason });
    if tokio::time::timeout(SOCKET_PATIENCE, told).await.is_err() {
        tracing::warn!("nobody takes the events of the agent");
    }
    if let Err(error) = session.connection.close().await {
        tracing::debug!(%error, "a peer connection did not close cleanly");
    }
    tasks.close();
    if tokio::time::timeout(REPLACE_PATIENCE, tasks.wait())
        .await
        .is_err()
    {
        tracing::warn!("a task outlives its session");
    }
    shared.live.lock().take_if(|live| live.gone == gone);
    gone.cancel();
}

async fn replace_previous(shared: &Shared) {
    let previous = shared
        .live
        .lock()
        .as_ref()
        .map(|live| (live.replaced.clone(), live.gone.clone()));
    if let Some((replaced, gone)) = previous {
        replaced.cancel();
        let _ = tokio::time::timeout(REPLACE_PATIENCE, gone.cancelled()).await;
    }
}
