//! The end of a session, in bounded time.

use std::time::Duration;

use alidade_room::{AgentEvent, DisconnectReason};
use alidade_wire::server::ServerFrame;
use tokio::sync::mpsc;

use super::{Ending, life::Life};

/// Longest wait for what was said last to leave.
const FLUSH: Duration = Duration::from_millis(500);
/// Longest wait for the room to close.
const CLOSE: Duration = Duration::from_secs(2);

impl Life {
    /// The end: the turn that runs is cut off, the client hears why, the room closes (S34).
    pub(super) async fn close(mut self, why: Ending, mut events: mpsc::Receiver<AgentEvent>) {
        if let Some(talk) = self.talk.take() {
            talk.abort();
            let _ = talk.await;
        }
        self.sight.close();
        if self.agent.client().is_some() {
            self.out.try_send(&ServerFrame::SessionEnded {
                reason: Some(why.slug().to_owned()),
            });
            self.out.flush(FLUSH).await;
            // The frame goes another way than the close; one who has gone need not be waited for.
            let _ = tokio::time::timeout(self.limits.farewell, gone(&mut events)).await;
        }
        drop(events);
        let reason = match why {
            Ending::Shutdown => DisconnectReason::ServerShutdown,
            _ => DisconnectReason::RoomDeleted,
        };
        if tokio::time::timeout(CLOSE, self.agent.close(reason))
            .await
            .is_err()
        {
            tracing::warn!("the room did not close in time");
        }
    }
}

/// Waits until the client has left.
async fn gone(events: &mut mpsc::Receiver<AgentEvent>) {
    while let Some(event) = events.recv().await {
        if matches!(event, AgentEvent::ClientLeft { .. }) {
            return;
        }
    }
}
