//! From the gate to the reply.

use std::time::Duration;

use alidade_wire::{Value, reply};
use tokio_util::sync::CancellationToken;

use super::{Dispatcher, Turn};
use crate::{
    gate::{self, Denial, Proposal, Standing, Verdict},
    hook::Outcome,
    tool::{Arguments, Handler, Plain},
    transport::ReplySlot,
};

/// Where replies cannot be deferred, a person has so long to answer: the server gives a call up after 10 s.
const ANSWER_WITHIN: Duration = Duration::from_secs(8);

/// What is said of a handler that panicked. Its own words may hold anything.
pub(super) const PANICKED: &str = "the tool broke down and did not finish";

impl Dispatcher {
    /// Gate, handler, reply.
    pub(super) async fn run(
        &self,
        turn: Turn,
        proposal: Proposal,
        slot: Box<dyn ReplySlot>,
        withdrawn: CancellationToken,
    ) {
        match gate::judge(&*self.0.gate, &proposal, proposal.asked_by_hook.is_some()) {
            Standing::Denied(denial) => self.deny(&turn, denial, slot).await,
            Standing::Ask(approver) if self.0.floor.defers() => {
                self.deferred_until_approved(turn, proposal, approver, slot, withdrawn)
                    .await;
            }
            Standing::Ask(approver) => {
                let answer = tokio::select! {
                    answer = gate::ask(approver, &proposal) => answer,
                    () = withdrawn.cancelled() => Err(Denial::Withdrawn),
                    () = self.0.over.cancelled() => Err(Denial::Withdrawn),
                    () = tokio::time::sleep(ANSWER_WITHIN) => Err(Denial::TimedOut),
                };
                match answer {
                    Ok(verdict) => {
                        self.permitted(turn, proposal, verdict, slot, withdrawn)
                            .await
                    }
                    Err(denial) => self.deny(&turn, denial, slot).await,
                }
            }
            Standing::Allowed(verdict) => {
                self.permitted(turn, proposal, verdict, slot, withdrawn)
                    .await;
            }
        }
    }

    /// Handler and reply of a call that may run.
    async fn permitted(
        &self,
        turn: Turn,
        proposal: Proposal,
        verdict: Verdict,
        slot: Box<dyn ReplySlot>,
        withdrawn: CancellationToken,
    ) {
        if turn.tool.background {
            return self.background(turn, proposal, verdict, slot).await;
        }
        match self.open_plain(&turn, &proposal, verdict) {
            Ok(handler) => {
                let outcome = tokio::select! {
                    ended = work_ended(handler, proposal.arguments) => ended,
                    // Nobody waits for the reply any more: the handler is stopped (R74).
                    () = withdrawn.cancelled() => return,
                };
                let text = reply_to(&outcome);
                self.post(&turn, outcome).await;
                slot.reply(Ok(text)).await;
            }
            Err(denial) => self.deny(&turn, denial, slot).await,
        }
    }

    /// The handler of a plain tool, if the verdict fits the call as it stands now.
    pub(super) fn open_plain(
        &self,
        turn: &Turn,
        proposal: &Proposal,
        verdict: Verdict,
    ) -> Result<Plain, Denial> {
        let now = self.recheck(proposal)?;
        match turn.tool.handler.open(verdict, &now)? {
            Handler::Plain(run) => Ok(run.clone()),
            Handler::Background(_) => Err(Denial::GateError),
        }
    }

    async fn deny(&self, turn: &Turn, denial: Denial, slot: Box<dyn ReplySlot>) {
        tracing::info!(
            tool = turn.tool.definition.name,
            code = denial.code(),
            "the call is denied"
        );
        self.post(turn, Outcome::Denied(denial.sentence().to_owned()))
            .await;
        slot.reply(Ok(reply::failure(denial.sentence()))).await;
    }
}

/// Runs a handler in a task of its own; whatever happens to it, there is an outcome. Dropping the future stops it.
pub(super) async fn work_ended(handler: Plain, arguments: Arguments) -> Outcome {
    // Called within the task, too: it may panic before it gives a future.
    let work = tokio::spawn(async move { handler(arguments).await });
    let _stop = StopOnDrop(work.abort_handle());
    match work.await {
        Ok(Ok(Value::Null)) => Outcome::Ok(None),
        Ok(Ok(result @ Value::Object(_))) => Outcome::Ok(Some(result)),
        Ok(Ok(_)) => Outcome::Error("the tool returned something other than an object".to_owned()),
        Ok(Err(failure)) => Outcome::Error(failure.into_message()),
        Err(_) => {
            tracing::error!("a tool's handler panicked");
            Outcome::Error(PANICKED.to_owned())
        }
    }
}

/// Stops a task that is no longer waited for.
pub(super) struct StopOnDrop(pub(super) tokio::task::AbortHandle);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn reply_to(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(result) => reply::success(result.as_ref().unwrap_or(&Value::Null)),
        Outcome::Error(text) | Outcome::Denied(text) => reply::failure(text),
    }
}
