//! Remote procedure calls, version 1, on both sides.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use livekit_protocol as proto;
use parking_lot::Mutex;
use proto::data_packet::Value;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::outbox::{Outbox, packet};
use crate::RpcError;
use crate::limits::{MAX_OPEN_CALLS, MAX_RPC_PAYLOAD_BYTES, RPC_ACK_TIMEOUT, RPC_DEFAULT_TIMEOUT};
use crate::rpc::Answer;

struct Pending {
    identity: String,
    method: String,
    ack: Option<oneshot::Sender<()>>,
    answer: oneshot::Sender<Result<String, RpcError>>,
}

/// Calls remembered that were cut off; the oldest is forgotten for a new one.
const CUT_OFF: usize = 64;

/// A call that has failed because the other side was lost (1503) or seemed to be (1501). Whether it was
/// run is not known.
struct CutOff {
    id: String,
    identity: String,
    method: String,
}

/// What came after all of a call that was cut off.
#[derive(Debug)]
pub(crate) struct Late {
    pub(crate) method: String,
    pub(crate) answer: Result<String, RpcError>,
}

/// Calls of this side that wait for their answers.
#[derive(Default)]
pub(crate) struct Calls {
    pending: Mutex<HashMap<String, Pending>>,
    /// Oldest first. A client that comes back may still answer them.
    cut_off: Mutex<VecDeque<CutOff>>,
}

impl std::fmt::Debug for Calls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Calls")
            .field("pending", &self.pending.lock().len())
            .finish()
    }
}

/// Forgets a call when its caller goes away.
struct Forget<'a> {
    calls: &'a Calls,
    id: String,
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.calls.pending.lock().remove(&self.id);
    }
}

impl Calls {
    /// Calls `method` at `identity` and waits for the answer. `present` says whether that one is
    /// there: who went just before the call was noted would leave it without an end.
    pub(crate) async fn call(
        &self,
        outbox: &Outbox,
        identity: &str,
        method: &str,
        payload: String,
        timeout: Duration,
        present: impl Fn() -> bool,
    ) -> Result<String, RpcError> {
        if payload.len() > MAX_RPC_PAYLOAD_BYTES {
            return Err(RpcError::request_too_large());
        }
        let id = uuid::Uuid::new_v4().to_string();
        let (ack_sender, ack) = oneshot::channel();
        let (answer_sender, mut answer) = oneshot::channel();
        {
            let mut pending = self.pending.lock();
            if pending.len() >= MAX_OPEN_CALLS {
                return Err(RpcError::send_failed());
            }
            pending.insert(
                id.clone(),
                Pending {
                    identity: identity.to_owned(),
                    method: method.to_owned(),
                    ack: Some(ack_sender),
                    answer: answer_sender,
                },
            );
        }
        let forget = Forget {
            calls: self,
            id: id.clone(),
        };
        if !present() {
            return Err(RpcError::recipient_disconnected());
        }
        let started = Instant::now();
        let request = proto::RpcRequest {
            id,
            method: method.to_owned(),
            payload,
            response_timeout_ms: u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX),
            version: 1,
            ..Default::default()
        };
        let to = [identity.to_owned()];
        outbox
            .send(packet(Value::RpcRequest(request), &to))
            .await
            .map_err(|_| RpcError::send_failed())?;

        // Whatever comes first: the acknowledgement, an answer that makes it needless, or the
        // end of one of the two times.
        let ack_deadline = started + RPC_ACK_TIMEOUT;
        let deadline = started + timeout;
        tokio::select! {
            biased;
            answer = &mut answer => return answer.unwrap_or_else(|_| Err(RpcError::recipient_disconnected())),
            Ok(()) = ack => {}
            () = tokio::time::sleep_until(deadline.min(ack_deadline)) => {
                if deadline < ack_deadline {
                    return Err(RpcError::response_timeout());
                }
                self.remember(CutOff {
                    id: forget.id.clone(),
                    identity: identity.to_owned(),
                    method: method.to_owned(),
                });
                return Err(RpcError::connection_timeout());
            }
        }
        match tokio::time::timeout_at(deadline, answer).await {
            Ok(answer) => answer.unwrap_or_else(|_| Err(RpcError::recipient_disconnected())),
            Err(_) => Err(RpcError::response_timeout()),
        }
    }

    /// An acknowledgement came from `identity`.
    pub(crate) fn acknowledged(&self, identity: &str, ack: &proto::RpcAck) {
        let mut pending = self.pending.lock();
        if let Some(call) = pending.get_mut(&ack.request_id)
            && call.is_from(identity)
            && let Some(sender) = call.ack.take()
        {
            let _ = sender.send(());
        }
    }

    /// A response came from `identity`. What answers no call that waits, but one that was cut off,
    /// is given back.
    pub(crate) fn answered(&self, identity: &str, response: proto::RpcResponse) -> Option<Late> {
        let mut pending = self.pending.lock();
        let waits = pending
            .get(&response.request_id)
            .is_some_and(|call| call.is_from(identity));
        let call = if waits {
            pending.remove(&response.request_id)
        } else {
            None
        };
        drop(pending);
        match call {
            Some(call) => {
                // Who called may have gone away meanwhile.
                let _ = call.answer.send(answer(response));
                None
            }
            None => {
                let mut cut_off = self.cut_off.lock();
                let place = cut_off
                    .iter()
                    .position(|call| call.id == response.request_id && call.identity == identity)?;
                let CutOff { method, .. } = cut_off.remove(place)?;
                Some(Late {
                    method,
                    answer: answer(response),
                })
            }
        }
    }

    fn remember(&self, call: CutOff) {
        let mut cut_off = self.cut_off.lock();
        if cut_off.len() >= CUT_OFF {
            cut_off.pop_front();
        }
        cut_off.push_back(call);
    }

    /// The ids of the calls that wait.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> Vec<String> {
        self.pending.lock().keys().cloned().collect()
    }

    /// Ends the calls to `identity`, or all, with error 1503.
    pub(crate) fn disconnected(&self, identity: Option<&str>) {
        let mut pending = self.pending.lock();
        let gone: Vec<String> = pending
            .iter()
            .filter(|(_, call)| identity.is_none_or(|identity| call.identity == identity))
            .map(|(id, _)| id.clone())
            .collect();
        for id in gone {
            if let Some(call) = pending.remove(&id) {
                self.remember(CutOff {
                    id,
                    identity: call.identity,
                    method: call.method,
                });
                let _ = call.answer.send(Err(RpcError::recipient_disconnected()));
            }
        }
    }
}

impl Pending {
    fn is_from(&self, identity: &str) -> bool {
        identity.is_empty() || identity == self.identity
    }
}

/// What a response says.
fn answer(response: proto::RpcResponse) -> Result<String, RpcError> {
    use proto::rpc_response::Value;
    match response.value {
        Some(Value::Payload(payload)) => Ok(payload),
        Some(Value::Error(error)) => Err(RpcError {
            code: error.code,
            message: error.message,
            data: Some(error.data).filter(|data| !data.is_empty()),
        }
        .fit()),
        _ => Err(RpcError::application("The response has no content")),
    }
}

/// The response time a request grants.
pub(super) fn granted(request: &proto::RpcRequest) -> Duration {
    match request.response_timeout_ms {
        0 => RPC_DEFAULT_TIMEOUT,
        ms => Duration::from_millis(u64::from(ms)),
    }
}

/// Acknowledges a request.
pub(super) async fn acknowledge(outbox: &Outbox, caller: &str, request_id: &str) {
    let ack = proto::RpcAck {
        request_id: request_id.to_owned(),
    };
    // When the room is gone, so is the caller.
    let _ = outbox
        .send(packet(Value::RpcAck(ack), &[caller.to_owned()]))
        .await;
}

/// Answers a request.
pub(super) async fn respond(outbox: &Outbox, caller: &str, request_id: String, answer: Answer) {
    let Answer { result, written } = answer;
    let result = result.and_then(|payload| {
        if payload.len() > MAX_RPC_PAYLOAD_BYTES {
            Err(RpcError::response_too_large())
        } else {
            Ok(payload)
        }
    });
    use proto::rpc_response::Value as Wire;
    let value = match result {
        Ok(payload) => Wire::Payload(payload),
        Err(error) => {
            let error = error.fit();
            Wire::Error(proto::RpcError {
                code: error.code,
                message: error.message,
                data: error.data.unwrap_or_default(),
            })
        }
    };
    let response = proto::RpcResponse {
        request_id,
        value: Some(value),
    };
    let response = packet(Value::RpcResponse(response), &[caller.to_owned()]);
    let _ = outbox.send_noting(response, written).await;
}

/// Shared by the sessions of a side.
pub(crate) type SharedCalls = Arc<Calls>;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{CUT_OFF, Calls};
    use crate::data::Outbox;
    use crate::rpc::code;

    #[tokio::test]
    async fn who_left_while_the_call_was_noted_is_told_at_once_and_nothing_is_sent() {
        let (calls, (outbox, mut line)) = (Calls::default(), Outbox::new());
        let long = Duration::from_secs(3_600);
        let called = calls.call(&outbox, "user:1", "m", String::new(), long, || false);
        assert_eq!(
            called.await.map_err(|error| error.code),
            Err(code::RECIPIENT_DISCONNECTED)
        );
        assert!(line.try_recv().is_err() && calls.waiting().is_empty());
    }

    #[tokio::test]
    async fn calls_that_were_cut_off_are_remembered_within_bounds() {
        let (calls, (outbox, _line)) = (Calls::default(), Outbox::new());
        let long = Duration::from_secs(3_600);
        for _ in 0..CUT_OFF + 5 {
            let calling = calls.call(&outbox, "user:1", "m", String::new(), long, || true);
            let losing = async {
                while calls.waiting().is_empty() {
                    tokio::task::yield_now().await;
                }
                calls.disconnected(Some("user:1"));
            };
            let (called, ()) = tokio::join!(calling, losing);
            assert_eq!(
                called.map_err(|error| error.code),
                Err(code::RECIPIENT_DISCONNECTED)
            );
        }
        assert_eq!(calls.cut_off.lock().len(), CUT_OFF);
    }
}
