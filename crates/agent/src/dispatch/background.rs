//! Calls whose work outlives them: background tools, and any tool a person must be asked about first.

use std::sync::Arc;

use alidade_wire::{Value, client::ClientFrame, text};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::{
    Dispatcher, Turn,
    run::{PANICKED, StopOnDrop, work_ended},
};
use crate::{
    Failure, SendFailure,
    gate::{self, Approver, Denial, Proposal, Verdict},
    hook::Outcome,
    job::{Job, Outlet, Release},
    tool::Handler,
    transport::ReplySlot,
};

const NEVER_ACKED: &str = "background client tool returned without acking or completing";
const NEVER_COMPLETED: &str = "background client tool returned without completing";
const WAITING: &str = "waiting for the user's approval";
const SESSION_OVER: &str = "the session ended before the tool answered";
/// The summary of an approved plain tool is its compact JSON, at most this many scalars.
const SUMMARY_SCALARS: usize = 2048;

/// Where the outcome of a job of this session goes.
struct JobOutlet {
    dispatcher: Dispatcher,
    turn: Arc<Turn>,
    /// Set where the person or the gate refused: hooks are told *denied*.
    denied: Arc<parking_lot::Mutex<bool>>,
}

#[async_trait]
impl Outlet for JobOutlet {
    fn open(&self) -> bool {
        self.dispatcher.0.floor.open()
    }

    async fn publish(&self, frame: ClientFrame) -> Result<(), SendFailure> {
        self.dispatcher.0.floor.send(frame).await
    }

    async fn finished(&self, outcome: Outcome) {
        let outcome = match outcome {
            Outcome::Error(text) if *self.denied.lock() => Outcome::Denied(text),
            other => other,
        };
        self.dispatcher.post(&self.turn, outcome).await;
    }
}

impl Dispatcher {
    fn job(
        &self,
        turn: &Arc<Turn>,
    ) -> (
        Job,
        tokio::sync::oneshot::Receiver<Release>,
        Arc<parking_lot::Mutex<bool>>,
    ) {
        let denied = Arc::new(parking_lot::Mutex::new(false));
        let outlet = JobOutlet {
            dispatcher: self.clone(),
            turn: Arc::clone(turn),
            denied: Arc::clone(&denied),
        };
        let (job, released) = Job::new(&turn.tool.definition.name, Arc::new(outlet));
        (job, released, denied)
    }

    /// A background tool that may run.
    pub(super) async fn background(
        &self,
        turn: Turn,
        proposal: Proposal,
        verdict: Verdict,
        slot: Box<dyn ReplySlot>,
    ) {
        let turn = Arc::new(turn);
        let (job, released, _) = self.job(&turn);
        let task = self
            .clone()
            .work(Arc::clone(&turn), proposal, verdict, job.clone());
        self.spawn(task);
        self.release(&turn, &job, released, slot).await;
    }

    /// A tool a person is asked about: answered as deferred at once, so that the conversation goes on; the question,
    /// the handler and the outcome live in the job.
    pub(super) async fn deferred_until_approved(
        &self,
        turn: Turn,
        proposal: Proposal,
        approver: Arc<dyn Approver>,
        slot: Box<dyn ReplySlot>,
        withdrawn: CancellationToken,
    ) {
        let turn = Arc::new(turn);
        let (job, released, denied) = self.job(&turn);
        job.ack(WAITING);
        let this = self.clone();
        let (asked, working) = (Arc::clone(&turn), job.clone());
        self.spawn(async move {
            let answer = tokio::select! {
                answer = gate::ask(approver, &proposal) => answer,
                () = withdrawn.cancelled() => Err(Denial::Withdrawn),
            };
            match answer {
                Ok(verdict) if asked.tool.background => {
                    this.work(asked, proposal, verdict, working).await
                }
                Ok(verdict) => match this.open_plain(&asked, &proposal, verdict) {
                    Ok(handler) => {
                        let outcome = work_ended(handler, proposal.arguments).await;
                        settle(&working, outcome).await;
                    }
                    Err(denial) => refuse(&working, &denied, denial).await,
                },
                Err(denial) => refuse(&working, &denied, denial).await,
            }
        });
        self.release(&turn, &job, released, slot).await;
    }

    /// Runs until the session is over, then is dropped with all it holds.
    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let over = self.0.over.clone();
        self.0.background.spawn(async move {
            tokio::select! {
                () = work => {}
                () = over.cancelled() => {}
            }
        });
    }

    /// Writes the one reply as soon as it is released.
    async fn release(
        &self,
        turn: &Turn,
        job: &Job,
        released: tokio::sync::oneshot::Receiver<Release>,
        slot: Box<dyn ReplySlot>,
    ) {
        let release = tokio::select! {
            biased;
            release = released => release.ok(),
            // The handler is being stopped and will not release anything.
            () = self.0.over.cancelled() => None,
        };
        let told = release.is_some();
        let release = release.unwrap_or_else(|| Release::Failed(SESSION_OVER.to_owned()));
        if let (true, Release::Failed(text)) = (told, &release) {
            self.post(turn, Outcome::Error(text.clone())).await;
        }
        slot.reply(Ok(release.reply(job.id()))).await;
        job.replied();
    }

    /// Runs the handler of a background tool and sees to it that the job ends.
    async fn work(self, turn: Arc<Turn>, proposal: Proposal, verdict: Verdict, job: Job) {
        let opened = self.recheck(&proposal).and_then(|now| {
            match turn.tool.handler.open(verdict, &now)? {
                Handler::Background(run) => Ok(run.clone()),
                Handler::Plain(_) => Err(Denial::GateError),
            }
        });
        let ended = match opened {
            Ok(run) => {
                let working = job.clone();
                let task = tokio::spawn(async move { run(proposal.arguments, working).await });
                let _stop = StopOnDrop(task.abort_handle());
                task.await.unwrap_or_else(|_| Err(Failure::new(PANICKED)))
            }
            Err(denial) => Err(Failure::new(denial.sentence())),
        };
        let message = match ended {
            Err(failure) => failure.into_message(),
            Ok(()) if job.acked() => NEVER_COMPLETED.to_owned(),
            Ok(()) => NEVER_ACKED.to_owned(),
        };
        if job.release(Release::Failed(message.clone())) || job.delivered() {
            return;
        }
        if let Err(error) = job.fail(message).await {
            tracing::error!(tool = job.tool_name(), %error, "a job's outcome could not be sent and is lost");
        }
    }
}

/// An approved plain tool: its result for the record, its compact JSON for the model.
async fn settle(job: &Job, outcome: Outcome) {
    let sent = match outcome {
        Outcome::Ok(Some(Value::Object(map))) => {
            let summary = text::capped(&Value::Object(map.clone()).to_string(), SUMMARY_SCALARS);
            job.complete(Some(map), Some(summary)).await
        }
        Outcome::Ok(_) => job.complete(None, Some("done".to_owned())).await,
        Outcome::Error(text) | Outcome::Denied(text) => job.fail(text).await,
    };
    if let Err(error) = sent {
        tracing::error!(tool = job.tool_name(), %error, "a job's outcome could not be sent and is lost");
    }
}

async fn refuse(job: &Job, denied: &parking_lot::Mutex<bool>, denial: Denial) {
    tracing::info!(
        tool = job.tool_name(),
        code = denial.code(),
        "the call is denied"
    );
    *denied.lock() = true;
    if let Err(error) = job.fail(denial.sentence()).await {
        tracing::error!(tool = job.tool_name(), %error, "a denial could not be sent and is lost");
    }
}
