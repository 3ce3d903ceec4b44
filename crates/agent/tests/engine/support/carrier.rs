//! A fake at the outermost edges: the network and the carrier.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

use alidade_agent::{
    Backend, Endpoint, JoinFailure, SendFailure, Transport,
    rest::{Answer, Http, Request, Unreachable},
    transport::{Call, Inbound, Inbox, JoinRequest, Lane, Link, ReplySlot, RpcFailure, Sender},
};
use async_trait::async_trait;
use bytes::Bytes;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;

/// A network that gives one answer to everything and remembers what was asked.
pub struct OneAnswer {
    pub status: u16,
    pub body: String,
    pub asked: Mutex<Vec<Request>>,
}

impl OneAnswer {
    pub fn new(status: u16, body: &Value) -> Arc<Self> {
        Arc::new(Self {
            status,
            body: body.to_string(),
            asked: Mutex::default(),
        })
    }

    pub fn backend(self: &Arc<Self>) -> Backend {
        Backend::over(
            Endpoint::new("https://cosmo.example", "canary-key").unwrap(),
            Arc::clone(self) as Arc<dyn Http>,
        )
    }
}

#[async_trait]
impl Http for OneAnswer {
    async fn post(&self, request: Request) -> Result<Answer, Unreachable> {
        self.asked.lock().push(request);
        Ok(Answer {
            status: self.status,
            retry_after: None,
            body: self.body.clone().into(),
        })
    }
}

/// A carrier that does what a test says.
#[derive(Clone)]
pub struct Fake(Arc<Inner>);

struct Inner {
    lane: Lane,
    /// What happens before the join returns.
    during: Mutex<Vec<Inbound>>,
    join_failure: Mutex<Option<String>>,
    /// The join waits for this, where it must.
    join_held: Mutex<Option<Arc<Notify>>>,
    inbox: Mutex<Option<Inbox>>,
    sent: Mutex<Vec<Value>>,
    packets: Mutex<Vec<usize>>,
    pub methods: Mutex<Vec<String>>,
    pub fail_sends: AtomicBool,
    /// So many further sends fail.
    pub fail_next: AtomicU32,
    pub left: AtomicBool,
    attributes: Mutex<Vec<String>>,
}

impl Fake {
    pub fn new(lane: Lane) -> Self {
        Self(Arc::new(Inner {
            lane,
            during: Mutex::default(),
            join_failure: Mutex::default(),
            join_held: Mutex::default(),
            inbox: Mutex::default(),
            sent: Mutex::default(),
            packets: Mutex::default(),
            methods: Mutex::default(),
            fail_sends: AtomicBool::new(false),
            fail_next: AtomicU32::new(0),
            left: AtomicBool::new(false),
            attributes: Mutex::default(),
        }))
    }

    pub fn during_join(&self, inbound: Inbound) {
        self.0.during.lock().push(inbound);
    }

    pub fn fail_join(&self, words: &str) {
        *self.0.join_failure.lock() = Some(words.to_owned());
    }

    pub fn hold_join(&self) -> Arc<Notify> {
        let held = Arc::new(Notify::new());
        *self.0.join_held.lock() = Some(Arc::clone(&held));
        held
    }

    pub fn fail_sends(&self, fail: bool) {
        self.0.fail_sends.store(fail, Ordering::SeqCst);
    }

    pub fn fail_next_sends(&self, count: u32) {
        self.0.fail_next.store(count, Ordering::SeqCst);
    }

    pub fn set_attributes(&self, values: Vec<String>) {
        *self.0.attributes.lock() = values;
    }

    /// Frames that left, in order, put together where they were cut.
    pub fn sent(&self) -> Vec<Value> {
        self.0.sent.lock().clone()
    }

    /// Bytes of each packet that left.
    pub fn packets(&self) -> Vec<usize> {
        self.0.packets.lock().clone()
    }

    pub fn methods(&self) -> Vec<String> {
        self.0.methods.lock().clone()
    }

    pub fn left(&self) -> bool {
        self.0.left.load(Ordering::SeqCst)
    }

    /// Something comes in, if anybody still reads.
    pub async fn comes(&self, inbound: Inbound) {
        let inbox = self.0.inbox.lock().clone();
        if let Some(inbox) = inbox {
            inbox.put(inbound).await;
        }
    }

    pub async fn frame(&self, frame: &Value) {
        self.comes(data(frame)).await;
    }

    /// A call of the agent; what it is answered.
    pub async fn calls(&self, method: &str, payload: &str) -> Result<String, RpcFailure> {
        self.call_of(Sender::Agent, method, payload)
            .await
            .await
            .expect("every call is answered")
    }

    pub async fn call_of(
        &self,
        caller: Sender,
        method: &str,
        payload: &str,
    ) -> oneshot::Receiver<Result<String, RpcFailure>> {
        let (call, answer) = call(caller, method, payload);
        self.comes(Inbound::Call(call)).await;
        answer
    }
}

pub fn data(frame: &Value) -> Inbound {
    Inbound::Data {
        sender: Sender::Agent,
        payload: frame.to_string().into(),
    }
}

pub fn call(
    caller: Sender,
    method: &str,
    payload: &str,
) -> (Call, oneshot::Receiver<Result<String, RpcFailure>>) {
    let (reply, answer) = oneshot::channel();
    let call = Call {
        caller,
        method: method.to_owned(),
        payload: payload.to_owned(),
        slot: Box::new(Slot(reply)),
        withdrawn: CancellationToken::new(),
    };
    (call, answer)
}

struct Slot(oneshot::Sender<Result<String, RpcFailure>>);

#[async_trait]
impl ReplySlot for Slot {
    async fn reply(self: Box<Self>, reply: Result<String, RpcFailure>) {
        let _ = self.0.send(reply);
    }
}

#[async_trait]
impl Transport for Fake {
    fn lane(&self) -> Lane {
        self.0.lane
    }

    async fn join(&self, request: JoinRequest, inbox: Inbox) -> Result<Box<dyn Link>, JoinFailure> {
        *self.0.methods.lock() = request.methods;
        let during = std::mem::take(&mut *self.0.during.lock());
        for inbound in during {
            inbox.put(inbound).await;
        }
        let held = self.0.join_held.lock().clone();
        if let Some(held) = held {
            held.notified().await;
        }
        if let Some(words) = self.0.join_failure.lock().clone() {
            return Err(JoinFailure(words));
        }
        *self.0.inbox.lock() = Some(inbox);
        Ok(Box::new(self.clone()))
    }
}

#[async_trait]
impl Link for Fake {
    async fn send(&self, frame: Bytes) -> Result<(), SendFailure> {
        let lowered = self
            .0
            .fail_next
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                left.checked_sub(1)
            });
        if self.0.fail_sends.load(Ordering::SeqCst) || lowered.is_ok() {
            return Err(SendFailure("the cable is cut".to_owned()));
        }
        self.0.packets.lock().push(frame.len());
        self.0
            .sent
            .lock()
            .push(serde_json::from_slice(&frame).unwrap());
        Ok(())
    }

    fn ready_attributes(&self) -> Vec<String> {
        self.0.attributes.lock().clone()
    }

    async fn leave(&self) {
        self.0.left.store(true, Ordering::SeqCst);
        self.0.inbox.lock().take();
    }
}

/// The job results that left.
pub fn job_results(carrier: &Fake) -> Vec<Value> {
    carrier
        .sent()
        .into_iter()
        .filter(|frame| frame["type"] == "tool_job_result")
        .collect()
}
