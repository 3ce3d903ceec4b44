//! The one way a session ends (`session-lifecycle.md` §8).

use std::sync::Arc;

use alidade_wire::client::ClientFrame;

use super::{
    SessionState,
    core::{Core, Over},
};
use crate::{EndReason, Event, SessionOver};

impl Core {
    /// Ends the session unless it has ended; the teardown goes on by itself. Whether this call ended it.
    pub(super) fn finish(
        self: &Arc<Self>,
        reason: EndReason,
        detail: Option<String>,
        say_end: bool,
    ) -> bool {
        {
            let mut state = self.state.lock();
            if state.terminal {
                return false;
            }
            state.terminal = true;
        }
        self.over.send_replace(Over::Ending);
        let core = Arc::clone(self);
        tokio::spawn(async move { core.tear_down(reason, detail, say_end).await });
        true
    }

    /// Ends the session and waits until it is torn down. Returns at once where something else is ending it: a hook
    /// or handler that runs within the teardown must not wait for itself.
    pub(super) async fn end(
        self: &Arc<Self>,
        reason: EndReason,
        detail: Option<String>,
        say_end: bool,
    ) {
        if self.finish(reason, detail, say_end) {
            self.done().await;
        }
    }

    /// Waits until the session is torn down.
    pub(super) async fn done(&self) {
        // The sender lives as long as this.
        let _ = self
            .over
            .subscribe()
            .wait_for(|over| *over == Over::Done)
            .await;
    }

    async fn tear_down(&self, reason: EndReason, detail: Option<String>, say_end: bool) {
        let link = self.link.lock().clone();
        let patience = self.settings.timing.leave;
        if let (true, Some(link)) = (say_end, &link) {
            // A failure to say it is ignored.
            let _ =
                tokio::time::timeout(patience, self.send_over(&**link, &ClientFrame::End)).await;
        }
        self.dispatcher.stop().await;
        let (session_id, joined) = {
            let state = self.state.lock();
            (state.session_id.clone(), state.joined)
        };
        let over = SessionOver {
            reason,
            detail: detail.clone(),
            session_id,
        };
        self.agent.hooks().session_end(over).await;
        {
            let mut state = self.state.lock();
            if state.transcript.close_open() {
                self.events.push(Event::TranscriptUpdated {
                    items: state.transcript.items(),
                });
            }
        }
        let text = detail
            .clone()
            .unwrap_or_else(|| reason.default_text().to_owned());
        // A start that failed before the carrier was up has nothing to end (`session-lifecycle.md` §8).
        self.events
            .finish(joined.then_some(Event::SessionEnded { reason: Some(text) }));
        self.move_to(SessionState::Disconnected { reason, detail });
        if let Some(link) = link {
            if tokio::time::timeout(patience, link.leave()).await.is_err() {
                tracing::warn!("the carrier did not let go in time");
            }
            self.link.lock().take();
        }
        self.over.send_replace(Over::Done);
    }
}
