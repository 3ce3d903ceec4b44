//! One call of a client tool, from the wire to the reply (`tools.md` §5, `consent.md`).
//!
//! The order is fixed: caller guard → decode → hooks → validate → gate → re-check → handler → PostToolUse → reply.
//! Every call gets exactly one reply, also when the handler panics; every handler runs in a task of its own.

mod background;
mod run;

use std::{collections::HashMap, sync::Arc};

use alidade_wire::{Map, Value, client::ClientFrame, reply};
use async_trait::async_trait;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    Agent, SendFailure,
    gate::{Denial, Gate, Proposal},
    hook::{Folded, Outcome, ToolUsed},
    tool::Client,
    transport::{Call, RpcFailure, rules},
};

/// What the dispatcher needs of its session.
#[async_trait]
pub(crate) trait Floor: Send + Sync {
    /// The session's id, once there is one.
    fn session_id(&self) -> Option<String>;
    /// Whether the session still runs.
    fn open(&self) -> bool;
    /// Whether a call may be answered as deferred.
    fn defers(&self) -> bool;
    /// Sends a frame.
    async fn send(&self, frame: ClientFrame) -> Result<(), SendFailure>;
}

/// Answers the calls of one session.
#[derive(Clone)]
pub(crate) struct Dispatcher(Arc<Inner>);

struct Inner {
    agent: Agent,
    tools: HashMap<String, Arc<Client>>,
    gate: Arc<dyn Gate>,
    floor: Arc<dyn Floor>,
    /// Cancelled when the session is over: background handlers stop, open questions close.
    over: CancellationToken,
    background: TaskTracker,
}

/// A call past decoding.
struct Turn {
    tool: Arc<Client>,
    session_id: Option<String>,
    call_id: String,
    /// As hooks left them; what PostToolUse sees.
    arguments: Map<String, Value>,
}

impl Dispatcher {
    pub(crate) fn new(agent: Agent, gate: Arc<dyn Gate>, floor: Arc<dyn Floor>) -> Self {
        let named = |tool: &Arc<Client>| (tool.definition.name.clone(), Arc::clone(tool));
        let tools = agent
            .tools()
            .iter()
            .filter_map(|tool| tool.client().map(named))
            .collect();
        Self(Arc::new(Inner {
            agent,
            tools,
            gate,
            floor,
            over: CancellationToken::new(),
            background: TaskTracker::new(),
        }))
    }

    /// Every method to register before the join, in tool order (R32).
    pub(crate) fn methods(&self) -> Vec<String> {
        let client = |tool: &crate::Tool| tool.client().map(|tool| tool.definition.name.clone());
        self.0.agent.tools().iter().filter_map(client).collect()
    }

    /// Stops background handlers and waits until they are gone (T41).
    pub(crate) async fn stop(&self) {
        self.0.over.cancel();
        self.0.background.close();
        self.0.background.wait().await;
    }

    /// Answers one call, in the task of the caller.
    pub(crate) async fn answer(&self, call: Call) {
        let Call {
            caller,
            method,
            payload,
            slot,
            withdrawn,
        } = call;
        if let Err(refusal) = rules::check_caller(caller) {
            tracing::warn!(method, "a call that is not the agent's is refused");
            return slot.reply(Err(refusal)).await;
        }
        let Some(tool) = self.0.tools.get(&method).cloned() else {
            let code = alidade_wire::error::rpc::METHOD_UNKNOWN;
            return slot
                .reply(Err(RpcFailure {
                    code,
                    message: "there is no such tool here".to_owned(),
                }))
                .await;
        };
        let arguments = match reply::arguments(&payload) {
            Ok(arguments) => arguments,
            Err(text) => return slot.reply(Ok(reply::failure(text))).await,
        };
        // Hooks see sessions only: before there is an id they are left out.
        let session_id = self.0.floor.session_id();
        let folded = match &session_id {
            Some(id) => {
                self.0
                    .agent
                    .hooks()
                    .pre_tool_use(&method, id, arguments.clone())
                    .await
            }
            None => Folded {
                denied: None,
                ask: None,
                arguments: arguments.clone(),
            },
        };
        let rewritten = folded.arguments != arguments;
        let call_id = uuid::Uuid::new_v4().simple().to_string();
        let turn = Turn {
            tool,
            session_id,
            call_id,
            arguments: folded.arguments,
        };
        if let Some(reason) = folded.denied {
            self.post(&turn, Outcome::Denied(reason.clone())).await;
            return slot.reply(Ok(reply::failure(&reason))).await;
        }
        let valid = match turn.tool.validate(&turn.arguments) {
            Ok(valid) => valid,
            Err(text) => {
                if rewritten {
                    tracing::warn!(
                        tool = method,
                        "arguments are invalid after a hook rewrote them"
                    );
                }
                self.post(&turn, Outcome::Error(text.clone())).await;
                return slot.reply(Ok(reply::failure(&text))).await;
            }
        };
        let proposal = self.propose(&turn, valid, folded.ask);
        self.run(turn, proposal, slot, withdrawn).await;
    }

    fn propose(
        &self,
        turn: &Turn,
        arguments: Map<String, Value>,
        asked_by_hook: Option<String>,
    ) -> Proposal {
        Proposal {
            session_id: turn.session_id.clone().unwrap_or_default(),
            call_id: turn.call_id.clone(),
            definition: Arc::clone(&turn.tool.definition),
            agent_folder: self.0.agent.folder_digest().map(str::to_owned),
            arguments,
            policy_version: self.0.gate.policy_version(),
            asked_by_hook,
        }
    }

    /// The proposal as things stand now (C3): what changed since the decision makes the verdict void.
    fn recheck(&self, proposal: &Proposal) -> Result<Proposal, Denial> {
        if !self.0.floor.open() {
            return Err(Denial::Withdrawn);
        }
        let tool = self
            .0
            .tools
            .get(&proposal.definition.name)
            .ok_or(Denial::GateError)?;
        Ok(Proposal {
            definition: Arc::clone(&tool.definition),
            agent_folder: self.0.agent.folder_digest().map(str::to_owned),
            policy_version: self.0.gate.policy_version(),
            ..proposal.clone()
        })
    }

    async fn post(&self, turn: &Turn, outcome: Outcome) {
        let Some(session_id) = &turn.session_id else {
            return;
        };
        let used = ToolUsed {
            tool_name: turn.tool.definition.name.clone(),
            arguments: turn.arguments.clone(),
            outcome,
            session_id: session_id.clone(),
        };
        self.0.agent.hooks().post_tool_use(used).await;
    }
}
