//! Frames from the server to the client, and a reader that never fails.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::{
    chunk::Chunk,
    number,
    read::{self, BadFrame, Node, Obj, words},
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
            from_object(&raw_type, &frame).unwrap_or_else(|| {
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

/// What a reader makes of one input; reading never fails (R61).
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// A frame of the protocol. Chunks are given to a [`crate::chunk::Assembler`].
    Frame(ServerFrame),
    /// Anything else.
    Unknown(Unknown),
}

/// An input that is no frame of the protocol, as the application sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unknown {
    /// Its `type` if it has one.
    pub raw_type: Option<String>,
    /// The object if it was one.
    pub payload: Option<Map<String, Value>>,
    /// The text when no type could be read.
    pub raw_text: Option<String>,
}

impl Incoming {
    /// Reads one input as `frames.md` §4 says, chunks aside: they come out as [`ServerFrame::EnvelopeChunk`].
    pub fn read(bytes: &[u8]) -> Self {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Self::Unknown(Unknown::default());
        };
        let payload = match serde_json::from_str(text) {
            Ok(Value::Object(map)) => map,
            _ => {
                return Self::Unknown(Unknown {
                    raw_text: Some(text.to_owned()),
                    ..Unknown::default()
                });
            }
        };
        let Some(Value::String(raw_type)) = payload.get("type") else {
            return Self::Unknown(Unknown {
                payload: Some(payload),
                raw_text: Some(text.to_owned()),
                raw_type: None,
            });
        };
        match ServerFrame::from_map(raw_type.clone(), &payload) {
            Ok(frame) => Self::Frame(frame),
            Err(_) => Self::Unknown(Unknown {
                raw_type: Some(raw_type.clone()),
                payload: Some(payload),
                raw_text: None,
            }),
        }
    }
}

/// The outer `None` says that no server frame has this type.
fn from_object(raw_type: &str, frame: &Obj<'_>) -> Option<Option<ServerFrame>> {
    Some(match raw_type {
        "ready" => ready(frame).map(ServerFrame::Ready),
        "transcript" => transcript(frame),
        "model-text" => model_text(frame),
        "turn-complete" => frame
            .need("role")
            .and_then(|node| Role::read(&node))
            .map(|role| ServerFrame::TurnComplete { role }),
        "user-started-speaking" => Some(ServerFrame::UserStartedSpeaking),
        "user-stopped-speaking" => Some(ServerFrame::UserStoppedSpeaking),
        "bot-started-speaking" => Some(ServerFrame::BotStartedSpeaking),
        "bot-stopped-speaking" => Some(ServerFrame::BotStoppedSpeaking),
        "bot-llm-started" => Some(ServerFrame::BotLlmStarted),
        "bot-llm-stopped" => Some(ServerFrame::BotLlmStopped),
        "bot-tts-started" => Some(ServerFrame::BotTtsStarted),
        "bot-tts-stopped" => Some(ServerFrame::BotTtsStopped),
        "tool-call" => {
            call(frame).map(|(tool_call_id, name)| ServerFrame::ToolCall { tool_call_id, name })
        }
        "tool-dispatch-started" => call(frame)
            .map(|(tool_call_id, name)| ServerFrame::ToolDispatchStarted { tool_call_id, name }),
        "tool-result" => tool_result(frame),
        "tool-invocation" => tool_invocation(frame).map(ServerFrame::ToolInvocation),
        "user-speech-timeout" => user_speech_timeout(frame),
        "delegation-created" => delegation_created(frame),
        "reconnecting" => frame
            .optional("seconds_remaining", Node::number)
            .map(|seconds_remaining| ServerFrame::Reconnecting { seconds_remaining }),
        "session-ending-soon" => session_ending_soon(frame),
        "session-ended" => frame
            .optional("reason", Node::text)
            .map(|reason| ServerFrame::SessionEnded { reason }),
        "error" => error(frame),
        "cosmo.usage" => usage(frame).map(ServerFrame::Usage),
        "cosmo.session-state" => session_state(frame),
        "pong" => Some(ServerFrame::Pong),
        "server-envelope-chunk" => Chunk::read(frame).map(ServerFrame::EnvelopeChunk),
        _ => return None,
    })
}

fn ready(frame: &Obj<'_>) -> Option<Ready> {
    Some(Ready {
        session_id: frame.text("session_id")?,
        rejected_tools: frame.list_or_empty("rejected_tools", |node| {
            let tool = node.object()?;
            Some(RejectedTool {
                name: tool.text("name")?,
                reason: tool.text("reason")?,
            })
        })?,
        max_session_seconds: frame.optional("max_session_seconds", Node::number)?,
        agent: frame.optional("agent", |node| {
            let agent = node.object()?;
            Some(ReadyAgent {
                name: agent.text("name")?,
                tools: agent.list_or_empty("tools", Node::text)?,
            })
        })?,
    })
}

fn transcript(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::Transcript {
        role: Role::read(&frame.need("role")?)?,
        text: frame.text("text")?,
        is_final: frame.bool("is_final")?,
    })
}

fn model_text(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::ModelText {
        text: frame.text("text")?,
        is_final: frame.bool_or("is_final", false)?,
    })
}

fn call(frame: &Obj<'_>) -> Option<(String, String)> {
    Some((frame.text("tool_call_id")?, frame.text("name")?))
}

fn tool_result(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::ToolResult {
        tool_call_id: frame.text("tool_call_id")?,
        ok: frame.bool("ok")?,
        summary: frame.optional("summary", Node::text)?,
    })
}

fn tool_invocation(frame: &Obj<'_>) -> Option<ToolInvocation> {
    Some(ToolInvocation {
        request_id: frame.text("request_id")?,
        tool_call_id: frame.text("tool_call_id")?,
        name: frame.text("name")?,
        args: frame.map_or_empty("args")?,
        origin: frame
            .given("origin")
            .map_or(Some(Origin::Realtime), |node| node.word())?,
        executable: frame.bool_or("executable", true)?,
    })
}

fn user_speech_timeout(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::UserSpeechTimeout {
        session_id: frame.text("session_id")?,
        silence_ms: frame.int("silence_ms")?,
        trigger_count: frame.int("trigger_count")?,
        max_count: frame.int("max_count")?,
        action: HookAction::read(&frame.need("action")?, false)?,
    })
}

fn delegation_created(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::DelegationCreated {
        delegation_id: frame.text("delegation_id")?,
        transcript: frame.text("transcript")?,
    })
}

fn session_ending_soon(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::SessionEndingSoon {
        seconds_remaining: frame.need("seconds_remaining")?.number()?,
        reason: frame.text("reason")?,
    })
}

fn error(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::Error {
        code: frame.text("code")?,
        message: frame.text("message")?,
        fatal: frame.bool_or("fatal", false)?,
    })
}

fn usage(frame: &Obj<'_>) -> Option<Usage> {
    Some(Usage {
        input_text_tokens: frame.int_or("input_text_tokens", 0)?,
        input_image_tokens: frame.int_or("input_image_tokens", 0)?,
        input_audio_tokens: frame.int_or("input_audio_tokens", 0)?,
        input_cached_tokens: frame.int_or("input_cached_tokens", 0)?,
        output_text_tokens: frame.int_or("output_text_tokens", 0)?,
        output_audio_tokens: frame.int_or("output_audio_tokens", 0)?,
        total_tokens: frame.int_or("total_tokens", 0)?,
    })
}

fn session_state(frame: &Obj<'_>) -> Option<ServerFrame> {
    Some(ServerFrame::SessionState {
        state: frame.map_or_empty("state")?,
        updated_keys: frame.list_or_empty("updated_keys", Node::text)?,
        warnings: frame.list_or_empty("warnings", Node::text)?,
        stage: frame.optional("stage", Node::text)?,
    })
}
