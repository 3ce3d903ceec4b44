//! A background tool's work: acknowledged within the call, finished later (R72, R73, `tools.md` §7).

use std::sync::Arc;

use alidade_wire::{Map, Value, job as wire, reply};
use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};

use crate::{SendFailure, hook::Outcome};

/// Where a job's outcome goes.
#[async_trait]
pub(crate) trait Outlet: Send + Sync {
    /// Whether the session still runs.
    fn open(&self) -> bool;
    /// Sends the `tool_job_result` frame.
    async fn publish(&self, frame: alidade_wire::client::ClientFrame) -> Result<(), SendFailure>;
    /// Tells PostToolUse hooks.
    async fn finished(&self, outcome: Outcome);
}

/// What releases the reply of a background call.
#[derive(Debug, PartialEq)]
pub(crate) enum Release {
    /// A deferred reply with this note.
    Deferred(String),
    /// The handler never acknowledged.
    Failed(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    Delivering,
    Delivered,
}

struct State {
    phase: Phase,
    release: Option<oneshot::Sender<Release>>,
}

struct Inner {
    id: String,
    tool_name: String,
    state: Mutex<State>,
    /// True once the deferred reply is on the wire (T45).
    replied: watch::Sender<bool>,
    outlet: Arc<dyn Outlet>,
}

/// The handle of one background call. Clones share it; the first terminal call wins (T39).
#[derive(Clone)]
pub struct Job(Arc<Inner>);

impl Job {
    pub(crate) fn new(
        tool_name: &str,
        outlet: Arc<dyn Outlet>,
    ) -> (Self, oneshot::Receiver<Release>) {
        let (release, released) = oneshot::channel();
        let state = Mutex::new(State {
            phase: Phase::Open,
            release: Some(release),
        });
        let inner = Inner {
            id: wire::new_id(),
            tool_name: tool_name.to_owned(),
            state,
            replied: watch::Sender::new(false),
            outlet,
        };
        (Self(Arc::new(inner)), released)
    }

    /// The id in the deferred reply and in the result: 32 hex characters.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The tool.
    #[must_use]
    pub fn tool_name(&self) -> &str {
        &self.0.tool_name
    }

    /// Whether the reply was released.
    #[must_use]
    pub fn acked(&self) -> bool {
        self.0.state.lock().release.is_none()
    }

    /// Releases the reply: the work has begun, with a note for the model that may be empty (T35). Only the first
    /// one counts.
    pub fn ack(&self, note: impl Into<String>) {
        self.release(Release::Deferred(note.into()));
    }

    /// The work is done. `result` is for the record; only `summary` reaches the model.
    ///
    /// # Errors
    /// [`SendFailure`] when it did not leave: the job is open again and may be finished once more (T40). After the
    /// session ended nothing is sent and nothing fails (T41).
    pub async fn complete(
        &self,
        result: Option<Map<String, Value>>,
        summary: Option<String>,
    ) -> Result<(), SendFailure> {
        self.deliver(wire::Outcome::Completed { result, summary })
            .await
    }

    /// The work failed; the model reads why.
    ///
    /// # Errors
    /// As [`Job::complete`].
    pub async fn fail(&self, error: impl Into<String>) -> Result<(), SendFailure> {
        self.deliver(wire::Outcome::Failed(error.into())).await
    }

    pub(crate) fn release(&self, release: Release) -> bool {
        let sender = self.0.state.lock().release.take();
        // Nobody waits any more when the call was given up: the work goes on.
        sender.map(|sender| sender.send(release)).is_some()
    }

    pub(crate) fn delivered(&self) -> bool {
        self.0.state.lock().phase == Phase::Delivered
    }

    /// The deferred reply is on the wire: results may follow (T45).
    pub(crate) fn replied(&self) {
        self.0.replied.send_replace(true);
    }

    async fn deliver(&self, outcome: wire::Outcome) -> Result<(), SendFailure> {
        if !self.begin_delivery() {
            tracing::debug!(
                tool = self.tool_name(),
                "the job is finished already; this outcome is ignored"
            );
            return Ok(());
        }
        // Whatever interrupts the delivery, also a dropped future, opens the job again.
        let mut opened = Reopen {
            job: self,
            armed: true,
        };
        self.release(Release::Deferred(String::new()));
        let mut replied = self.0.replied.subscribe();
        // The sender lives in this very job.
        let _ = replied.wait_for(|written| *written).await;
        if !self.0.outlet.open() {
            tracing::debug!(
                tool = self.tool_name(),
                "the session is over; the job's outcome is dropped"
            );
            return Ok(());
        }
        self.0
            .outlet
            .publish(wire::result_frame(self.id(), self.tool_name(), &outcome))
            .await?;
        opened.armed = false;
        self.0.state.lock().phase = Phase::Delivered;
        self.0.outlet.finished(told(outcome)).await;
        Ok(())
    }

    fn begin_delivery(&self) -> bool {
        let mut state = self.0.state.lock();
        let open = state.phase == Phase::Open;
        if open {
            state.phase = Phase::Delivering;
        }
        open
    }
}

struct Reopen<'a> {
    job: &'a Job,
    armed: bool,
}

impl Drop for Reopen<'_> {
    fn drop(&mut self) {
        if self.armed {
            self.job.0.state.lock().phase = Phase::Open;
        }
    }
}

/// What PostToolUse sees: the uncapped values, and an empty object where there was no result.
fn told(outcome: wire::Outcome) -> Outcome {
    match outcome {
        wire::Outcome::Completed { result, .. } => {
            Outcome::Ok(Some(Value::Object(result.unwrap_or_default())))
        }
        wire::Outcome::Failed(message) => Outcome::Error(message),
    }
}

impl Release {
    /// The reply text.
    pub(crate) fn reply(&self, job_id: &str) -> String {
        match self {
            Self::Deferred(note) => reply::deferred(note, job_id),
            Self::Failed(message) => reply::failure(message),
        }
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job")
            .field("id", &self.0.id)
            .field("tool", &self.0.tool_name)
            .finish_non_exhaustive()
    }
}
