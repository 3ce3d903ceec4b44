//! Frames from the server to the client, and a reader that never fails.

mod decode;
mod incoming;

pub use incoming::{Incoming, Reader, Unknown};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::{
    chunk::Chunk,
    fault::BadFrame,
    number,
    read::{self, Node, Obj, words},
    start::HookAction,
};

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The person.
    User,
    /// The agent.
    Assistant,
}

impl Role {
    /// Lower case, as applications see it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }

    /// Upper case, as servers write it (S28).
    pub const fn on_wire(self) -> &'static str {
        match self {
            Self::User => "USER",
            Self::Assistant => "ASSISTANT",
        }
    }

    fn read(node: &Node<'_>) -> Option<Self> {
        let text = node.text()?;
        [Self::User, Self::Assistant]
            .into_iter()
            .find(|role| role.as_str().eq_ignore_ascii_case(&text))
            .or_else(|| node.wrong("literal_error", "must be USER or ASSISTANT"))
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.on_wire())
    }
}

words! {
    /// Which runtime made a tool call.
    pub enum Origin {
        /// The voice model.
        Realtime = "realtime",
        /// A server-side runtime.
        Server = "server",
    }
}

/// A tool the session started without.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RejectedTool {
    /// The client tool's name or the server kind.
    pub name: String,
    /// Why, for people.
    pub reason: String,
}

/// The catalog agent a session runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadyAgent {
    /// Its name.
    pub name: String,
    /// Names of its tools.
    pub tools: Vec<String>,
}

/// Running totals of tokens; the newest frame replaces the previous.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Text tokens read.
    pub input_text_tokens: i64,
    /// Image tokens read.
    pub input_image_tokens: i64,
    /// Audio tokens read.
    pub input_audio_tokens: i64,
    /// Of the tokens read, those that came from a cache.
    pub input_cached_tokens: i64,
    /// Text tokens written.
    pub output_text_tokens: i64,
    /// Audio tokens written.
    pub output_audio_tokens: i64,
    /// All of them.
    pub total_tokens: i64,
}

/// A frame from the server to the client. Members whose value is absent are left out when written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type")]
pub enum ServerFrame {
    /// The agent can work.
    #[serde(rename = "ready")]
    Ready(Ready),
    /// A piece of what was said, or the whole of it.
    #[serde(rename = "transcript")]
    Transcript {
        /// Who said it.
        role: Role,
        /// A delta, or the whole turn when final.
        text: String,
        /// Whether this closes the turn's text.
        is_final: bool,
    },
    /// Text of the model that is not spoken.
    #[serde(rename = "model-text")]
    ModelText {
        /// A delta, or the whole.
        text: String,
        /// Whether it is the whole.
        is_final: bool,
    },
    /// A turn is over.
    #[serde(rename = "turn-complete")]
    TurnComplete {
        /// Whose.
        role: Role,
    },
    /// Voice activity began.
    #[serde(rename = "user-started-speaking")]
    UserStartedSpeaking,
    /// Voice activity ended.
    #[serde(rename = "user-stopped-speaking")]
    UserStoppedSpeaking,
    /// The agent's audio began to leave.
    #[serde(rename = "bot-started-speaking")]
    BotStartedSpeaking,
    /// The agent's audio stopped leaving.
    #[serde(rename = "bot-stopped-speaking")]
    BotStoppedSpeaking,
    /// Generation began.
    #[serde(rename = "bot-llm-started")]
    BotLlmStarted,
    /// Generation ended.
    #[serde(rename = "bot-llm-stopped")]
    BotLlmStopped,
    /// Synthesis began.
    #[serde(rename = "bot-tts-started")]
    BotTtsStarted,
    /// Synthesis ended.
    #[serde(rename = "bot-tts-stopped")]
    BotTtsStopped,
    /// The model decided to call a tool.
    #[serde(rename = "tool-call")]
    ToolCall {
        /// Ties the frames of one call together.
        tool_call_id: String,
        /// Model-facing name of the tool.
        name: String,
    },
    /// Its execution began.
    #[serde(rename = "tool-dispatch-started")]
    ToolDispatchStarted {
        /// Ties the frames of one call together.
        tool_call_id: String,
        /// Model-facing name of the tool.
        name: String,
    },
    /// Its outcome, for display.
    #[serde(rename = "tool-result")]
    ToolResult {
        /// Ties the frames of one call together.
        tool_call_id: String,
        /// Whether it worked.
        ok: bool,
        /// A short text.
        #[serde(skip_serializing_if = "Option::is_none")]
        summary: Option<String>,
    },
    /// Mirrors the call of a client tool with its arguments.
    #[serde(rename = "tool-invocation")]
    ToolInvocation(ToolInvocation),
    /// A silence hook fired.
    #[serde(rename = "user-speech-timeout")]
    UserSpeechTimeout {
        /// The session.
        session_id: String,
        /// Silence since the last firing or speech, in milliseconds.
        silence_ms: i64,
        /// Counts from 1.
        trigger_count: i64,
        /// The hook's bound.
        max_count: i64,
        /// What the server did.
        action: HookAction,
    },
    /// The voice model hands a task over.
    #[serde(rename = "delegation-created")]
    DelegationCreated {
        /// The hand-off.
        delegation_id: String,
        /// What the user asked for; may be blank.
        transcript: String,
    },
    /// The server is reconnecting to the model.
    #[serde(rename = "reconnecting")]
    Reconnecting {
        /// Seconds until it gives up.
        #[serde(
            skip_serializing_if = "Option::is_none",
            serialize_with = "number::plain_option"
        )]
        seconds_remaining: Option<f64>,
    },
    /// A countdown to the end.
    #[serde(rename = "session-ending-soon")]
    SessionEndingSoon {
        /// Seconds left.
        #[serde(serialize_with = "number::plain")]
        seconds_remaining: f64,
        /// An open slug.
        reason: String,
    },
    /// Supplies the reason of the end; never shown as it stands.
    #[serde(rename = "session-ended")]
    SessionEnded {
        /// An open slug.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Something failed.
    #[serde(rename = "error")]
    Error {
        /// An open slug.
        code: String,
        /// A sentence.
        message: String,
        /// Whether the session is over and the close follows.
        fatal: bool,
    },
    /// Running totals of tokens.
    #[serde(rename = "cosmo.usage")]
    Usage(Usage),
    /// The full state after the agent wrote to it.
    #[serde(rename = "cosmo.session-state")]
    SessionState {
        /// All of it.
        state: Map<String, Value>,
        /// What changed.
        updated_keys: Vec<String>,
        /// Advice.
        warnings: Vec<String>,
        /// Repeats `state.stage`.
        #[serde(skip_serializing_if = "Option::is_none")]
        stage: Option<String>,
    },
    /// The answer to a `ping`.
    #[serde(rename = "pong")]
    Pong,
    /// A piece of a large frame.
    #[serde(rename = "server-envelope-chunk")]
    EnvelopeChunk(Chunk),
}

/// What the agent says once it can work.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ready {
    /// The session.
    pub session_id: String,
    /// Tools the session runs without.
    pub rejected_tools: Vec<RejectedTool>,
    /// The cap in force, in seconds.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "number::plain_option"
    )]
    pub max_session_seconds: Option<f64>,
    /// The catalog agent, when it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<ReadyAgent>,
}

/// Mirrors the call of a client tool; nothing to reply to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolInvocation {
    /// The request that carries the call.
    pub request_id: String,
    /// Ties the frames of one call together.
    pub tool_call_id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub args: Map<String, Value>,
    /// Who called.
    pub origin: Origin,
    /// False when it runs elsewhere.
    pub executable: bool,
}

impl ServerFrame {
    /// The frame as JSON text, compact, non-ASCII not escaped.
    pub fn encode(&self) -> String {
        crate::encode(self)
    }

    /// Reads a frame, strictly in type, ignoring unknown members (R60).
    pub fn decode(bytes: &[u8]) -> Result<Self, BadFrame> {
        let (raw_type, map) = read::frame_object(bytes)?;
        Self::from_map(raw_type, &map)
    }

    /// Reads a frame that is already a JSON object with that `type`.
    pub fn from_map(raw_type: String, map: &Map<String, Value>) -> Result<Self, BadFrame> {
        let mut known = true;
        let read = read::first_problem(|problems| {
            let frame = Obj::top(map, problems);
            decode::from_object(&raw_type, &frame).unwrap_or_else(|| {
                known = false;
                None
            })
        });
        match read {
            Ok(frame) => Ok(frame),
            Err(_) if !known => Err(BadFrame::UnknownType { raw_type }),
            Err(problem) => Err(BadFrame::Wrong { raw_type, problem }),
        }
    }
}
