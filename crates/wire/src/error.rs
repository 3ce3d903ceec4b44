//! Codes of errors. Closed codes are made by the client and safe to switch on; slugs of a server are open text.

use crate::read::words;

words! {
    /// Why a session did not start (`errors.md` §1).
    pub enum StartCode {
        /// The request could not be sent or timed out.
        Transport = "transport",
        /// The answer is unusable.
        InvalidResponse = "invalid_response",
        /// The configuration was refused.
        Config = "config",
        /// Too many sessions run.
        Busy = "busy",
        /// The plan does not include it.
        Entitlement = "entitlement",
        /// This SDK is below the supported floor.
        VersionMismatch = "version_mismatch",
        /// Voice is not available here.
        VoiceDisabled = "voice_disabled",
        /// Refused for another reason.
        Rejected = "rejected",
        /// The join failed.
        JoinFailed = "join_failed",
        /// The carrier closed before `ready`.
        HandshakeFailed = "handshake_failed",
        /// No `ready` came in time.
        ReadyTimeout = "ready_timeout",
    }
}

words! {
    /// Why a credential cannot be used.
    pub enum CredentialCode {
        /// None was found.
        NoCredential = "no_credential",
        /// The file has no such profile.
        ProfileNotFound = "profile_not_found",
        /// The file is unreadable or wrong.
        FileInvalid = "file_invalid",
        /// It is out of date.
        Expired = "expired",
        /// The environment names another server than the file.
        BaseUrlMismatch = "base_url_mismatch",
        /// Both a key and a token were given.
        ConflictingCredentials = "conflicting_credentials",
        /// A key stands where a token belongs.
        ApiKeyInTokenSlot = "api_key_in_token_slot",
        /// The base URL is neither https nor local.
        InsecureBaseUrl = "insecure_base_url",
    }
}

words! {
    /// Why an operation does not fit the state of the session.
    pub enum StateCode {
        /// The carrier is not up, or the session has ended.
        NotConnected = "not_connected",
        /// Start was called twice.
        AlreadyStarted = "already_started",
        /// Audio is being published.
        AudioPublishAlreadyActive = "audio_publish_already_active",
        /// Video is being published.
        VideoPublishAlreadyActive = "video_publish_already_active",
        /// The screen cannot be shared.
        ScreenShareUnavailable = "screen_share_unavailable",
        /// What was to be sent is wrong.
        InvalidPayload = "invalid_payload",
    }
}

words! {
    /// Why another call failed (mint, token source, verify, usage, dial).
    pub enum CallCode {
        /// No answer, or one that redirects.
        RequestFailed = "request_failed",
        /// A status of 400 or more.
        RequestRejected = "request_rejected",
        /// The answer is unusable.
        InvalidResponse = "invalid_response",
        /// An argument is wrong; nothing was sent.
        InvalidRequest = "invalid_request",
        /// Minting needs an API key.
        MissingApiKey = "missing_api_key",
        /// The application's own token function failed.
        FetcherFailed = "fetcher_failed",
    }
}

words! {
    /// Why a hook was refused where it was declared.
    pub enum HookCode {
        /// The matcher's set never closes.
        MalformedMatcher = "malformed_matcher",
        /// Neither kind of hook.
        InvalidHook = "invalid_hook",
        /// A server hook on a catalog agent.
        ServerHookNotAllowed = "server_hook_not_allowed",
    }
}

words! {
    /// Why plugins cannot be merged.
    pub enum PluginCode {
        /// Two plugins have one name.
        DuplicatePluginName = "duplicate_plugin_name",
        /// Two skills have one name.
        DuplicateSkillName = "duplicate_skill_name",
        /// Two tools have one name.
        DuplicateToolName = "duplicate_tool_name",
    }
}

words! {
    /// Why a session ended (`errors.md` §7).
    pub enum EndReason {
        /// The user ended it.
        ClientEnded = "client_ended",
        /// The client closed it.
        ClientClosed = "client_closed",
        /// It never became ready.
        HandshakeFailed = "handshake_failed",
        /// The server ended it.
        ServerEnded = "server_ended",
        /// The carrier failed.
        TransportError = "transport_error",
    }
}

impl EndReason {
    /// The text shown when no detail is known.
    pub const fn default_text(self) -> &'static str {
        match self {
            Self::ClientEnded => "client ended",
            Self::ClientClosed => "client closed",
            Self::HandshakeFailed => "handshake failed",
            Self::ServerEnded => "server ended",
            Self::TransportError => "transport error",
        }
    }
}

/// Slugs of servers that clients know; the set is open.
pub mod slug {
    /// Too many sessions run.
    pub const CONCURRENT_SESSION_LIMIT: &str = "concurrent_session_limit";
    /// The free minutes are used up.
    pub const FREE_MINUTES_EXHAUSTED: &str = "free_minutes_exhausted";
    /// The plan does not include the provider.
    pub const PROVIDER_NOT_ENTITLED: &str = "provider_not_entitled";
    /// The SDK is below the supported floor.
    pub const VERSION_MISMATCH: &str = "version_mismatch";
    /// A tool of the start body is malformed.
    pub const INVALID_TOOL_CONFIG: &str = "invalid_tool_config";
    /// The start body is malformed, in the form without an envelope.
    pub const INVALID_SESSION_CONFIG: &str = "invalid_session_config";
    /// The model cannot run here.
    pub const MODEL_UNAVAILABLE: &str = "model_unavailable";
    /// One turn detector is named and another tuned.
    pub const TURN_DETECTION_KNOB_MISMATCH: &str = "turn_detection_knob_mismatch";
    /// Voice is not available.
    pub const VOICE_DISABLED: &str = "voice_disabled";
    /// A frame could not be understood.
    pub const INVALID_MESSAGE: &str = "invalid_message";
    /// A fault of the server.
    pub const INTERNAL_ERROR: &str = "internal_error";
    /// Background tools on the websocket lane.
    pub const BACKGROUND_TOOLS_UNSUPPORTED: &str = "background_tools_unsupported";
    /// A screen locator on the websocket lane.
    pub const SCREEN_LOCATE_UNSUPPORTED: &str = "screen_locate_unsupported";
    /// Video on the websocket lane.
    pub const VIDEO_UNSUPPORTED: &str = "video_unsupported";
}

/// RPC error codes of the room carrier (`errors.md` §6). This protocol raises only [`rpc::APPLICATION`] itself.
pub mod rpc {
    /// The method is not registered.
    pub const METHOD_UNKNOWN: u32 = 1400;
    /// The recipient is not there.
    pub const RECIPIENT_UNKNOWN: u32 = 1401;
    /// The request is too large.
    pub const REQUEST_TOO_LARGE: u32 = 1402;
    /// The server is too old.
    pub const SERVER_TOO_OLD: u32 = 1403;
    /// The version is not supported.
    pub const VERSION_UNSUPPORTED: u32 = 1404;
    /// The application refused, such as a caller that is not the agent (R69).
    pub const APPLICATION: u32 = 1500;
    /// No acknowledgement came.
    pub const NO_ACKNOWLEDGEMENT: u32 = 1501;
    /// No response came.
    pub const NO_RESPONSE: u32 = 1502;
    /// The recipient left.
    pub const RECIPIENT_LEFT: u32 = 1503;
    /// The response is too large.
    pub const RESPONSE_TOO_LARGE: u32 = 1504;
    /// It could not be sent.
    pub const SEND_FAILED: u32 = 1505;
}
