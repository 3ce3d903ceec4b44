//! Every number of the protocol that both ends count against. Text limits count Unicode scalars.

/// A room frame of at most this many bytes is sent whole; a longer one is chunked (R63, S33).
pub const WHOLE_FRAME_BYTES: usize = 12_000;
/// Bytes of the frame in one chunk, before base64 (R63).
pub const CHUNK_SLICE_BYTES: usize = 8_000;
/// Most chunks a frame may be announced in (R62).
pub const CHUNK_TOTAL_MAX: i64 = 1_024;
/// Most chunk sets open at once; the oldest is discarded for a new one (R62).
pub const CHUNK_SETS_MAX: usize = 64;
/// Most base64 characters one set may receive, repeats included (R62).
pub const CHUNK_SET_CHARS_MAX: usize = 4_194_304;

/// A client-tool reply envelope is at most this many UTF-8 bytes (R71, T25).
pub const REPLY_BYTES: usize = 15_360;
/// A `tool_job_result` frame is at most this many bytes (R73).
pub const JOB_FRAME_BYTES: usize = 12_288;
/// What the reference counts on top of a job frame for a message id that it does not send.
pub const JOB_FRAME_ID_BYTES: usize = 40;
/// A job's `result` is at most this many bytes of spaced, ASCII-escaped JSON (R73).
pub const JOB_RESULT_BYTES: usize = 8_192;
/// `summary`, `error` and the note of an ack are cut at this many scalars (R73, T42).
pub const JOB_TEXT_SCALARS: usize = 2_048;
/// The `error` text of a websocket rpc answer is cut at this many characters (R75).
pub const RPC_ERROR_SCALARS: usize = 512;

/// Content of `send-context` and `delegation-append`: 1 to this many scalars.
pub const CONTEXT_SCALARS: usize = 4_096;
/// Base64 characters of a `send-image`; the bound of the server.
pub const IMAGE_CHARS: usize = 12_000_000;

/// `sdk.name` of a start body.
pub const SDK_NAME_SCALARS: usize = 64;
/// `sdk.version` of a start body.
pub const SDK_VERSION_SCALARS: usize = 32;
/// `agent.instructions`.
pub const INSTRUCTIONS_SCALARS: usize = 16_384;
/// `agent.greeting`.
pub const GREETING_SCALARS: usize = 4_000;
/// `agent.voice.name`.
pub const VOICE_NAME_SCALARS: usize = 128;
/// `agent.voice.speaking_style`.
pub const SPEAKING_STYLE_SCALARS: usize = 8_192;
/// Tools of one agent, counted by the client (T51).
pub const TOOLS_MAX: usize = 64;
/// Tools of one agent, counted by our server, whose schema is wider than the client's.
pub const SERVER_TOOLS_MAX: usize = 512;
/// Server hooks of one agent (H26).
pub const HOOKS_MAX: usize = 16;
/// Name of a catalog agent.
pub const CATALOG_NAME_SCALARS: usize = 100;
/// Name of a client tool on the wire.
pub const TOOL_NAME_SCALARS: usize = 64;
/// Description of a client tool (T3).
pub const DESCRIPTION_SCALARS: usize = 2_048;
/// Serialised schema of a tool, compact JSON in bytes (T12).
pub const SCHEMA_BYTES: usize = 8_192;
/// Deepest level of a schema; the top node is 1 (T7).
pub const SCHEMA_DEPTH: usize = 6;
/// Properties of one schema in all (T8).
pub const SCHEMA_PROPERTIES: usize = 64;
/// `name` of a server hook.
pub const HOOK_NAME_SCALARS: usize = 256;
/// `text`, `prompt` and `farewell` of a hook's action.
pub const HOOK_TEXT_SCALARS: usize = 4_096;
/// `responses_instructions` of an `openai_live` model.
pub const RESPONSES_INSTRUCTIONS_SCALARS: usize = 16_384;
/// `session.max_session_seconds`, least and most.
pub const SESSION_SECONDS: (i64, i64) = (60, 14_400);

/// Whole INVALID_INPUT text, in bytes (T14).
pub const INVALID_INPUT_BYTES: usize = 1_024;
/// Issue lines an INVALID_INPUT text shows (T14).
pub const INVALID_INPUT_LINES: usize = 5;
/// The first scalars of a raw body that stand in for a missing message.
pub const RAW_BODY_SCALARS: usize = 500;
