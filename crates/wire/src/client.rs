//! Frames from the client to the server.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    chunk::{Assembled, Assembler},
    fault::BadFrame,
    limits,
    read::{self, Node, Obj, words},
    rest::Timings,
    text,
};

words! {
    /// What a `delegation-append` does with its text.
    pub enum Channel {
        /// Kept by the model.
        Thinking = "thinking",
        /// Said now, in the model's own words.
        Commentary = "commentary",
        /// Changes the model's behaviour.
        Instructions = "instructions",
    }
}

words! {
    /// How a background job ended.
    pub enum JobStatus {
        /// It has done its work.
        Completed = "completed",
        /// It has not.
        Failed = "failed",
    }
}

/// The picture type a `send-image` has when none is said.
pub const IMAGE_MIME_TYPE: &str = "image/jpeg";
/// The label a `send-image` has when none is said.
pub const IMAGE_STREAM_ID: &str = "video.input.default";

/// A frame from the client to the server. A member without a value is left out; null is never written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type")]
pub enum ClientFrame {
    /// A user turn; the agent answers. May be empty.
    #[serde(rename = "send-text")]
    SendText {
        /// What the user wrote.
        content: String,
    },
    /// Background text: no turn, no speech, no interruption.
    #[serde(rename = "send-context")]
    SendContext {
        /// 1 to 4096 scalars.
        content: String,
    },
    /// Steers the voice model or answers a hand-off.
    #[serde(rename = "delegation-append")]
    DelegationAppend {
        /// What is done with the text.
        channel: Channel,
        /// 1 to 4096 scalars.
        content: String,
        /// The hand-off it answers; absent, it concerns the session as a whole.
        #[serde(skip_serializing_if = "Option::is_none")]
        delegation_id: Option<String>,
    },
    /// Opens or closes the server-side gate on this client's audio.
    #[serde(rename = "mute")]
    Mute {
        /// Whether the gate is closed.
        muted: bool,
    },
    /// Listen to this participant from now on.
    #[serde(rename = "bind-input")]
    BindInput,
    /// Manual end of the user's turn.
    #[serde(rename = "activity-end")]
    ActivityEnd,
    /// Answered with `pong`.
    #[serde(rename = "ping")]
    Ping,
    /// One still image.
    #[serde(rename = "send-image")]
    SendImage {
        /// Type of the picture, [`IMAGE_MIME_TYPE`] by default.
        mime_type: String,
        /// Base64, at most 12,000,000 characters.
        data: String,
        /// Label that keeps concurrent sources apart, [`IMAGE_STREAM_ID`] by default.
        stream_id: String,
    },
    /// Outcome of a background client tool. Build it with [`crate::job::result_frame`], which caps it.
    #[serde(rename = "tool_job_result")]
    ToolJobResult(JobResult),
    /// How long the parts of connecting took.
    #[serde(rename = "connect-timings")]
    ConnectTimings(ConnectTimings),
    /// A piece of a large frame.
    #[serde(rename = "envelope-chunk")]
    EnvelopeChunk(crate::chunk::Chunk),
    /// The user ended the session.
    #[serde(rename = "end")]
    End,
}

/// Outcome of a background client tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JobResult {
    /// The id of the deferred reply.
    pub job_id: String,
    /// The tool that was called.
    pub tool_name: String,
    /// How it ended.
    pub status: JobStatus,
    /// For the record; never heard by the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Map<String, Value>>,
    /// What the model hears of a completed job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What the model hears of a failed job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// How long the parts of connecting took, in whole milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ConnectTimings {
    /// The start request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_ms: Option<i64>,
    /// Joining the room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_ms: Option<i64>,
    /// The microphone, when it is part of the join.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mic_ms: Option<i64>,
    /// From the start request to `ready`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready_ms: Option<i64>,
    /// The `timings` of the start answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<Timings>,
}

/// A frame that must not be sent as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadContent {
    /// The text is empty where one is needed.
    #[error("the text is empty; write at least one character")]
    Empty,
    /// The text is too long.
    #[error("the text is longer than {most} characters; shorten it")]
    TooLong {
        /// Most scalars allowed.
        most: usize,
    },
}

impl ClientFrame {
    /// A `send-context`, checked (1 to 4096 scalars).
    pub fn context(content: impl Into<String>) -> Result<Self, BadContent> {
        Ok(Self::SendContext {
            content: checked(content.into())?,
        })
    }

    /// A `delegation-append`, checked (1 to 4096 scalars).
    pub fn append(
        channel: Channel,
        content: impl Into<String>,
        delegation_id: Option<String>,
    ) -> Result<Self, BadContent> {
        Ok(Self::DelegationAppend {
            channel,
            content: checked(content.into())?,
            delegation_id,
        })
    }

    /// A `send-image` with the defaults for what is not said.
    pub fn image(
        data: impl Into<String>,
        mime_type: Option<String>,
        stream_id: Option<String>,
    ) -> Self {
        Self::SendImage {
            mime_type: mime_type.unwrap_or_else(|| IMAGE_MIME_TYPE.to_owned()),
            data: data.into(),
            stream_id: stream_id.unwrap_or_else(|| IMAGE_STREAM_ID.to_owned()),
        }
    }

    /// The frame as JSON text, compact, non-ASCII not escaped.
    pub fn encode(&self) -> String {
        crate::encode(self)
    }

    /// Reads a frame as a server does: unknown members are ignored, limits are those a server enforces.
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

/// Reads a client's frames in arrival order and puts chunks together (S32).
#[derive(Debug, Default)]
pub struct Reader {
    assembler: Assembler,
}

impl Reader {
    /// Nothing has arrived.
    pub fn new() -> Self {
        Self::default()
    }

    /// The next frame; nothing while a large one is incomplete or a guard dropped a chunk. An unreadable one is no
    /// reason to close (S37).
    pub fn read(&mut self, bytes: &[u8]) -> Result<Option<ClientFrame>, BadFrame> {
        let mut frame = ClientFrame::decode(bytes)?;
        // A chunk may carry a chunk. Each level is a quarter smaller, so this ends soon.
        while let ClientFrame::EnvelopeChunk(chunk) = frame {
            match self.assembler.push(chunk) {
                Assembled::Nothing => return Ok(None),
                Assembled::Frame(whole) => frame = ClientFrame::decode(&whole)?,
                Assembled::Undecodable => return Err(BadFrame::Undecodable),
            }
        }
        Ok(Some(frame))
    }

    /// Chunks and sets dropped so far.
    pub fn dropped(&self) -> u64 {
        self.assembler.dropped()
    }
}

fn checked(content: String) -> Result<String, BadContent> {
    if content.is_empty() {
        Err(BadContent::Empty)
    } else if text::longer_than(&content, limits::CONTEXT_SCALARS) {
        Err(BadContent::TooLong {
            most: limits::CONTEXT_SCALARS,
        })
    } else {
        Ok(content)
    }
}

/// The outer `None` says that no client frame has this type.
fn from_object(raw_type: &str, frame: &Obj<'_>) -> Option<Option<ClientFrame>> {
    Some(match raw_type {
        "send-text" => frame
            .text("content")
            .map(|content| ClientFrame::SendText { content }),
        "send-context" => content(frame).map(|content| ClientFrame::SendContext { content }),
        "delegation-append" => append(frame),
        "mute" => frame.bool("muted").map(|muted| ClientFrame::Mute { muted }),
        "bind-input" => Some(ClientFrame::BindInput),
        "activity-end" => Some(ClientFrame::ActivityEnd),
        "ping" => Some(ClientFrame::Ping),
        "send-image" => image(frame),
        "tool_job_result" => job_result(frame).map(ClientFrame::ToolJobResult),
        "connect-timings" => connect_timings(frame).map(ClientFrame::ConnectTimings),
        "envelope-chunk" => crate::chunk::Chunk::read(frame).map(ClientFrame::EnvelopeChunk),
        "end" => Some(ClientFrame::End),
        _ => return None,
    })
}

fn content(frame: &Obj<'_>) -> Option<String> {
    frame
        .need("content")?
        .text_within(1, limits::CONTEXT_SCALARS)
}

fn append(frame: &Obj<'_>) -> Option<ClientFrame> {
    let channel = frame.need("channel").and_then(|node| node.word());
    let content = content(frame);
    let delegation_id = frame.optional("delegation_id", Node::text)?;
    Some(ClientFrame::DelegationAppend {
        channel: channel?,
        content: content?,
        delegation_id,
    })
}

fn image(frame: &Obj<'_>) -> Option<ClientFrame> {
    let text_or = |key: &str, default: &str| {
        frame
            .given(key)
            .map_or(Some(default.to_owned()), |node| node.text())
    };
    let mime_type = text_or("mime_type", IMAGE_MIME_TYPE);
    let stream_id = text_or("stream_id", IMAGE_STREAM_ID);
    let data = frame.need("data")?.text_within(0, limits::IMAGE_CHARS)?;
    Some(ClientFrame::SendImage {
        mime_type: mime_type?,
        data,
        stream_id: stream_id?,
    })
}

fn job_result(frame: &Obj<'_>) -> Option<JobResult> {
    Some(JobResult {
        job_id: frame.text("job_id")?,
        tool_name: frame.text("tool_name")?,
        status: frame.need("status")?.word()?,
        result: frame.optional("result", Node::map)?,
        summary: frame.optional("summary", Node::text)?,
        error: frame.optional("error", Node::text)?,
    })
}

fn connect_timings(frame: &Obj<'_>) -> Option<ConnectTimings> {
    Some(ConnectTimings {
        request_ms: frame.optional("request_ms", Node::int)?,
        room_ms: frame.optional("room_ms", Node::int)?,
        mic_ms: frame.optional("mic_ms", Node::int)?,
        ready_ms: frame.optional("ready_ms", Node::int)?,
        server: frame.optional("server", Timings::read)?,
    })
}
