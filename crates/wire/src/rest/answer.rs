//! Successful answers, written by a server and read by a client. Unknown members are ignored.

use serde::Serialize;
use serde_json::Value;

use super::{Secret, unix_micros};
use crate::read::{self, Node, Obj};

/// A 2xx body that lacks something or has it wrong: the code `invalid_response` (R13).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid_response: the server's answer is not usable: {0}")]
pub struct BadAnswer(pub String);

fn read_answer<T>(body: &[u8], read: impl Fn(&Obj<'_>) -> Option<T>) -> Result<T, BadAnswer> {
    let value: Value =
        serde_json::from_slice(body).map_err(|_| BadAnswer("it is not JSON".to_owned()))?;
    let Value::Object(map) = value else {
        return Err(BadAnswer("it is no JSON object".to_owned()));
    };
    read::first_problem(|problems| read(&Obj::top(&map, problems)))
        .map_err(|problem| BadAnswer(problem.to_string()))
}

/// How long the parts of starting took, in whole milliseconds. A phase a server does not have is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Timings {
    /// Checking the SDK's version.
    pub version_check_ms: i64,
    /// Checking the project.
    pub project_check_ms: i64,
    /// Choosing the provider.
    pub provider_resolve_ms: i64,
    /// Recording the session.
    pub db_insert_ms: i64,
    /// Making tokens.
    pub mint_tokens_ms: i64,
    /// Sending an agent.
    pub dispatch_ms: i64,
    /// All of it; not the sum of the others.
    pub total_ms: i64,
    /// Resolving the configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolve_ms: Option<i64>,
}

impl Timings {
    pub(crate) fn read(node: &Node<'_>) -> Option<Self> {
        let timings = node.object()?;
        Some(Self {
            version_check_ms: timings.int("version_check_ms")?,
            project_check_ms: timings.int("project_check_ms")?,
            provider_resolve_ms: timings.int("provider_resolve_ms")?,
            db_insert_ms: timings.int("db_insert_ms")?,
            mint_tokens_ms: timings.int("mint_tokens_ms")?,
            dispatch_ms: timings.int("dispatch_ms")?,
            total_ms: timings.int("total_ms")?,
            resolve_ms: timings.optional("resolve_ms", Node::int)?,
        })
    }
}

/// A session was started in a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StartAnswer {
    /// Where the room is.
    pub livekit_url: String,
    /// What lets the client in.
    pub token: Secret,
    /// Which room.
    pub room_name: String,
    /// Opaque.
    pub session_id: String,
    /// How long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timings: Option<Timings>,
}

impl StartAnswer {
    /// Reads a 2xx body.
    pub fn parse(body: &[u8]) -> Result<Self, BadAnswer> {
        read_answer(body, |answer| {
            Some(Self {
                livekit_url: answer.text("livekit_url")?,
                token: answer.text("token")?.into(),
                room_name: answer.text("room_name")?,
                session_id: answer.text("session_id")?,
                timings: answer.optional("timings", Timings::read)?,
            })
        })
    }
}

/// A session was started on a websocket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WsStartAnswer {
    /// Opaque.
    pub session_id: String,
    /// Where the socket is.
    pub ws_url: String,
    /// The credential for the socket.
    pub ws_subprotocol: Secret,
    /// How long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timings: Option<Timings>,
}

impl WsStartAnswer {
    /// Reads a 2xx body.
    pub fn parse(body: &[u8]) -> Result<Self, BadAnswer> {
        read_answer(body, |answer| {
            Some(Self {
                session_id: answer.text("session_id")?,
                ws_url: answer.text("ws_url")?,
                ws_subprotocol: answer.text("ws_subprotocol")?.into(),
                timings: answer.optional("timings", Timings::read)?,
            })
        })
    }
}

/// A room was reserved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PreparedRoom {
    /// Where the room is.
    pub livekit_url: String,
    /// What lets the client in.
    pub token: Secret,
    /// Which room.
    pub room_name: String,
    /// What proves the reservation, bound to who asked.
    pub room_grant: Secret,
}

impl PreparedRoom {
    /// Reads a 2xx body.
    pub fn parse(body: &[u8]) -> Result<Self, BadAnswer> {
        read_answer(body, |answer| {
            Some(Self {
                livekit_url: answer.text("livekit_url")?,
                token: answer.text("token")?.into(),
                room_name: answer.text("room_name")?,
                room_grant: answer.text("room_grant")?.into(),
            })
        })
    }
}

/// The workspace of an API key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Workspace {
    /// For people.
    pub name: String,
    /// For addresses.
    pub slug: String,
}

/// What a credential is and may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerifyAnswer {
    /// `api_key`, `user_token`, or something newer.
    pub credential: String,
    /// For an API key only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<Workspace>,
    /// What it may do.
    pub scopes: Vec<String>,
    /// Whether it may start sessions.
    pub can_start_sessions: bool,
    /// Whether voice is available.
    pub realtime_voice_available: bool,
    /// For a user token only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_user_id: Option<String>,
}

impl VerifyAnswer {
    /// Reads a 2xx body.
    pub fn parse(body: &[u8]) -> Result<Self, BadAnswer> {
        read_answer(body, |answer| {
            Some(Self {
                credential: answer.text("credential")?,
                workspace: answer.optional("workspace", |node| {
                    let workspace = node.object()?;
                    Some(Workspace {
                        name: workspace.text("name")?,
                        slug: workspace.text("slug")?,
                    })
                })?,
                scopes: answer.need("scopes")?.list(Node::text)?,
                can_start_sessions: answer.bool("can_start_sessions")?,
                realtime_voice_available: answer.bool("realtime_voice_available")?,
                external_user_id: answer.optional("external_user_id", Node::text)?,
            })
        })
    }
}

/// A user token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MintedToken {
    /// The token.
    pub jwt: Secret,
    /// When it ends, in microseconds since 1970.
    pub expires_at_unix_us: i64,
    /// What names it.
    pub token_id: Option<String>,
}

impl MintedToken {
    /// Reads a 2xx body of the mint endpoint (R14).
    pub fn parse(body: &[u8]) -> Result<Self, BadAnswer> {
        read_answer(body, |answer| minted(answer, "expires_at"))
    }

    /// Reads a 2xx body of an application's token endpoint: `expiresAt` stands in for an absent `expires_at`.
    pub fn parse_endpoint(body: &[u8]) -> Result<Self, BadAnswer> {
        read_answer(body, |answer| {
            minted(
                answer,
                if answer.given("expires_at").is_some() {
                    "expires_at"
                } else {
                    "expiresAt"
                },
            )
        })
    }
}

fn minted(answer: &Obj<'_>, expiry: &str) -> Option<MintedToken> {
    let jwt = answer.need("jwt")?.text_within(1, usize::MAX)?;
    let node = answer.need(expiry)?;
    let Some(expires_at_unix_us) = unix_micros(&node.text()?) else {
        return node.wrong(
            "datetime",
            "must be a time stamp such as 2031-01-01T00:00:00Z",
        );
    };
    Some(MintedToken {
        jwt: jwt.into(),
        expires_at_unix_us,
        token_id: answer.optional("token_id", Node::text)?,
    })
}

/// Tokens a session used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Read.
    pub input_tokens: i64,
    /// Written.
    pub output_tokens: i64,
    /// Both.
    pub total_tokens: i64,
    /// Audio read.
    pub input_audio_tokens: i64,
    /// Text read.
    pub input_text_tokens: i64,
    /// Images read.
    pub input_image_tokens: i64,
    /// Of those read, from a cache.
    pub input_cached_tokens: i64,
    /// Audio written.
    pub output_audio_tokens: i64,
    /// Text written.
    pub output_text_tokens: i64,
}

/// Usage of a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UsageAnswer {
    /// `active`, `completed`, `error`, or something newer.
    pub status: String,
    /// `pending`, `recorded`, `unavailable`, or something newer.
    pub usage_status: String,
    /// Length of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_seconds: Option<f64>,
    /// Turns taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_count: Option<i64>,
    /// How long the user spoke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_speaking_seconds: Option<f64>,
    /// How long the agent spoke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_speaking_seconds: Option<f64>,
    /// Who ran the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Which model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
}

impl UsageAnswer {
    /// Reads a 2xx body.
    pub fn parse(body: &[u8]) -> Result<Self, BadAnswer> {
        read_answer(body, |answer| {
            Some(Self {
                status: answer.text("status")?,
                usage_status: answer.text("usage_status")?,
                duration_seconds: answer.optional("duration_seconds", Node::number)?,
                turn_count: answer.optional("turn_count", Node::int)?,
                user_speaking_seconds: answer.optional("user_speaking_seconds", Node::number)?,
                agent_speaking_seconds: answer.optional("agent_speaking_seconds", Node::number)?,
                provider: answer.optional("provider", Node::text)?,
                model: answer.optional("model", Node::text)?,
                tokens: answer.optional("tokens", tokens)?,
            })
        })
    }
}

fn tokens(node: &Node<'_>) -> Option<Tokens> {
    let tokens = node.object()?;
    Some(Tokens {
        input_tokens: tokens.int_or("input_tokens", 0)?,
        output_tokens: tokens.int_or("output_tokens", 0)?,
        total_tokens: tokens.int_or("total_tokens", 0)?,
        input_audio_tokens: tokens.int_or("input_audio_tokens", 0)?,
        input_text_tokens: tokens.int_or("input_text_tokens", 0)?,
        input_image_tokens: tokens.int_or("input_image_tokens", 0)?,
        input_cached_tokens: tokens.int_or("input_cached_tokens", 0)?,
        output_audio_tokens: tokens.int_or("output_audio_tokens", 0)?,
        output_text_tokens: tokens.int_or("output_text_tokens", 0)?,
    })
}

/// A call was queued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DialAnswer {
    /// A UUID in lower case.
    pub dial_id: String,
}

impl DialAnswer {
    /// Reads a 2xx body.
    pub fn parse(body: &[u8]) -> Result<Self, BadAnswer> {
        read_answer(body, |answer| {
            let node = answer.need("dial_id")?;
            match uuid::Uuid::try_parse(&node.text()?) {
                Ok(id) => Some(Self {
                    dial_id: id.hyphenated().to_string(),
                }),
                Err(_) => node.wrong("uuid_parsing", "must be a UUID"),
            }
        })
    }
}
