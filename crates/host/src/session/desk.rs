//! Where the brain works: what it says becomes transcript, what it calls becomes the tool timeline.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use alidade_room::{Agent, rpc::code};
use alidade_wire::{
    limits::REPLY_BYTES,
    reply::{self, Reply},
    server::{Origin, Role, ServerFrame, ToolInvocation, Usage},
};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::{Map, Value};

use super::{
    Session,
    jobs::Jobs,
    outbox::Outbox,
    talk::{Item, Queue},
};
use crate::{
    Limits,
    brain::{Desk, END_CALL, ToolDecl, ToolOutcome},
    sight::Sight,
};

/// The desk of one session, for one turn after the other.
pub(super) struct SessionDesk {
    pub(super) tools: Vec<ToolDecl>,
    pub(super) instructions: String,
    pub(super) limits: Limits,
    pub(super) session: Arc<Session>,
    pub(super) agent: Agent,
    pub(super) out: Outbox,
    pub(super) sight: Arc<Sight>,
    pub(super) jobs: Arc<Jobs>,
    pub(super) queue: Queue,
    pub(super) turn: Turn,
}

/// What the turn that runs has done so far.
#[derive(Default)]
pub(super) struct Turn {
    said: Mutex<String>,
    hangs_up: AtomicBool,
    /// Between how many things this turn asks the person to choose; 0 where it does not.
    asks: AtomicUsize,
    /// Whether the client was told of a question that the person has not taken up.
    open: AtomicBool,
}

fn call_id() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

impl SessionDesk {
    /// Closes the turn's transcript with the whole text, or retracts it where only blanks were said
    /// (S27). Answers whether the brain hung up.
    pub(super) async fn finish_turn(&self) -> bool {
        let said = std::mem::take(&mut *self.turn.said.lock());
        if !said.is_empty() {
            let text = if said.trim().is_empty() {
                String::new()
            } else {
                said
            };
            self.out
                .send(&ServerFrame::Transcript {
                    role: Role::Assistant,
                    text,
                    is_final: true,
                })
                .await;
        }
        let choices = self.turn.asks.swap(0, Ordering::Relaxed);
        if choices > 0 {
            self.turn.open.store(true, Ordering::Relaxed);
            let mut state = Map::new();
            state.insert("asked".to_owned(), Value::from("which"));
            state.insert("choices".to_owned(), Value::from(choices));
            self.state(state).await;
        }
        self.turn.hangs_up.swap(false, Ordering::Relaxed)
    }

    /// The person's next turn takes up, or passes over, what was asked: nothing is open any more.
    pub(super) async fn take_up_question(&self) {
        self.turn.asks.store(0, Ordering::Relaxed);
        if self.turn.open.swap(false, Ordering::Relaxed) {
            self.state(Map::new()).await;
        }
    }

    /// Tells the client the full state; a question is all there ever is in it.
    async fn state(&self, state: Map<String, Value>) {
        let frame = ServerFrame::SessionState {
            state,
            updated_keys: vec!["asked".to_owned(), "choices".to_owned()],
            warnings: Vec::new(),
            stage: None,
        };
        self.out.send(&frame).await;
    }

    /// Tells the client that one thing failed and the session goes on.
    pub(super) async fn error(&self, code: &str, message: String) {
        self.out
            .send(&ServerFrame::Error {
                code: code.to_owned(),
                message,
                fatal: false,
            })
            .await;
    }

    async fn call_client(
        &self,
        tool_call_id: &str,
        name: &str,
        args: Map<String, Value>,
    ) -> ToolOutcome {
        let payload = Value::Object(args.clone()).to_string();
        let invocation = ToolInvocation {
            request_id: call_id(),
            tool_call_id: tool_call_id.to_owned(),
            name: name.to_owned(),
            args,
            origin: Origin::Realtime,
            executable: true,
        };
        self.out
            .send(&ServerFrame::ToolInvocation(invocation))
            .await;
        self.dispatched(tool_call_id, name).await;
        if payload.len() > REPLY_BYTES {
            return ToolOutcome::Failed(format!(
                "The arguments for {name} are too long to be sent."
            ));
        }
        let limit = self.limits.client_tool;
        let calling = self.jobs.calling();
        let called = tokio::time::timeout(limit, self.agent.call(name, payload, limit)).await;
        let outcome = match called {
            Err(_) => ToolOutcome::Failed(no_answer(name, limit)),
            Ok(Err(error)) => ToolOutcome::Failed(match error.code {
                code::RESPONSE_TIMEOUT => no_answer(name, limit),
                code::CONNECTION_TIMEOUT | code::RECIPIENT_DISCONNECTED => {
                    self.jobs.cut_off(name);
                    format!(
                        "The connection was lost while {name} ran; whether it was done is not known."
                    )
                }
                code::RECIPIENT_NOT_FOUND => {
                    format!("The app is not connected just now, so {name} was not run.")
                }
                code::UNSUPPORTED_METHOD => format!("The app offers no tool named {name}."),
                _ => format!("The app could not run {name}: {}", error.message),
            }),
            Ok(Ok(answer)) => match reply::parse(&answer) {
                Ok(Reply::Success(result)) => {
                    ToolOutcome::Ok(result.map_or(Value::Null, Value::Object))
                }
                Ok(Reply::Failure(why)) => ToolOutcome::Failed(why),
                Ok(Reply::Deferred { note, job_id }) => {
                    if let Some(early) = self.jobs.deferred(&job_id, name) {
                        self.queue.give(Item::Job(early));
                    }
                    ToolOutcome::Deferred { note, job_id }
                }
                Err(bad) => ToolOutcome::Failed(bad.to_string()),
            },
        };
        for late in calling.over() {
            self.queue.give(Item::Job(late));
        }
        outcome
    }

    async fn call_server(
        &self,
        tool_call_id: &str,
        name: &str,
        args: &Map<String, Value>,
    ) -> ToolOutcome {
        self.dispatched(tool_call_id, name).await;
        if name == END_CALL {
            self.turn.hangs_up.store(true, Ordering::Relaxed);
            return ToolOutcome::Ok(Value::Null);
        }
        match self.sight.tool(name, args).await {
            Ok(result) => ToolOutcome::Ok(result),
            Err(why) => ToolOutcome::Failed(why),
        }
    }

    async fn dispatched(&self, tool_call_id: &str, name: &str) {
        let frame = ServerFrame::ToolDispatchStarted {
            tool_call_id: tool_call_id.to_owned(),
            name: name.to_owned(),
        };
        self.out.send(&frame).await;
    }
}

fn no_answer(name: &str, limit: std::time::Duration) -> String {
    format!(
        "{name} did not answer within {} seconds, so I stopped waiting for it.",
        limit.as_secs_f64()
    )
}

#[async_trait]
impl Desk for SessionDesk {
    fn tools(&self) -> &[ToolDecl] {
        &self.tools
    }

    fn instructions(&self) -> &str {
        &self.instructions
    }

    async fn say(&self, delta: &str) {
        if delta.is_empty() {
            return;
        }
        self.turn.said.lock().push_str(delta);
        let frame = ServerFrame::Transcript {
            role: Role::Assistant,
            text: delta.to_owned(),
            is_final: false,
        };
        self.out.send(&frame).await;
    }

    async fn call(&self, name: &str, args: Map<String, Value>) -> ToolOutcome {
        let Some(tool) = self.tools.iter().find(|tool| tool.name == name) else {
            return ToolOutcome::Failed(format!("There is no tool named {name} in this session."));
        };
        let tool_call_id = call_id();
        self.out
            .send(&ServerFrame::ToolCall {
                tool_call_id: tool_call_id.clone(),
                name: name.to_owned(),
            })
            .await;
        let outcome = if tool.server {
            self.call_server(&tool_call_id, name, &args).await
        } else {
            self.call_client(&tool_call_id, name, args).await
        };
        let (ok, summary) = match &outcome {
            ToolOutcome::Ok(result) => (true, found_summary(result)),
            ToolOutcome::Deferred { note, .. } => (true, (!note.is_empty()).then(|| note.clone())),
            ToolOutcome::Failed(why) => (false, Some(why.clone())),
        };
        self.out
            .send(&ServerFrame::ToolResult {
                tool_call_id,
                ok,
                summary,
            })
            .await;
        outcome
    }

    fn asked_which(&self, choices: usize) {
        self.turn.asks.store(choices, Ordering::Relaxed);
    }

    fn used(&self, tokens: Usage) {
        let totals = self.session.record.used(tokens);
        self.out.try_send(&ServerFrame::Usage(totals));
    }
}

/// A few words about what a locator answered, for the timeline.
fn found_summary(result: &Value) -> Option<String> {
    let found = result.get("found")?.as_array()?.len();
    Some(match found {
        0 => "nothing found".to_owned(),
        1 => "1 place found".to_owned(),
        more => format!("{more} places found"),
    })
}
