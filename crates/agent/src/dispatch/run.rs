//! From the gate to the reply.

use alidade_wire::{Value, reply};
use tokio_util::sync::CancellationToken;

use super::{Dispatcher, Turn};
use crate::{
    gate::{self, Denial, Proposal, Standing, Verdict},
    hook::Outcome,
    tool::{Handler, Plain},
    transport::ReplySlot,
};

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
            Standing::Ask(approver) => {
                self.deferred_until_approved(turn, proposal, approver, slot, withdrawn)
                    .await
            }
            Standing::Allowed(verdict) if turn.tool.background => {
                self.background(turn, proposal, verdict, slot).await;
            }
            Standing::Allowed(verdict) => match self.open_plain(&turn, &proposal, verdict) {
                Ok(handler) => {
                    let work = tokio::spawn(handler(proposal.arguments));
                    let outcome = tokio::select! {
                        ended = work_ended(work) => ended,
                        // Nobody waits for the reply any more: the handler was stopped.
                        () = withdrawn.cancelled() => return,
                    };
                    let text = reply_to(&outcome);
                    self.post(&turn, outcome).await;
                    slot.reply(Ok(text)).await;
                }
                Err(denial) => self.deny(&turn, denial, slot).await,
            },
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

/// Waits for a handler's task; whatever happens to it, there is an outcome.
pub(super) async fn work_ended(work: tokio::task::JoinHandle<crate::tool::ToolResult>) -> Outcome {
    struct Stop(tokio::task::AbortHandle);
    impl Drop for Stop {
        fn drop(&mut self) {
            self.0.abort();
        }
    }
    // A dropped wait stops the handler; one that has ended is not there to be stopped.
    let _stop = Stop(work.abort_handle());
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

fn reply_to(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(result) => reply::success(result.as_ref().unwrap_or(&Value::Null)),
        Outcome::Error(text) | Outcome::Denied(text) => reply::failure(text),
    }
}
