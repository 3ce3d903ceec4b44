//! The session-start body: its types, how it is written, and how each end checks it.
//!
//! [`StartBody`] is what both ends hold. A client fills it, checks it with [`StartBody::check_own`] and sends
//! [`StartBody::to_value`]; a server reads one with [`check`], which answers every fault as the refusal it must
//! send.

mod agent;
mod build;
mod check;
mod hook;
mod model;
mod session;
mod tool;

pub use agent::{
    AgentBlock, Audio, CatalogAgent, InlineAgent, InterruptionSensitivity, NoiseCancellation, Voice,
};
pub use build::ConfigFault;
pub use check::{StartRefusal, check};
pub use hook::{HookAction, ResetMode, ServerHook};
pub use model::{
    Behavior, CosmoVad, Delegation, Eagerness, Gemini, GeminiTurnDetection, Grok, GrokEffort,
    GrokTurnDetection, Model, ModelOptions, OpenAi, OpenAiLive, OpenAiMini, OpenAiTurnDetection,
    ReasoningEffort, Scheduling, Sensitivity, ServiceTier, ThinkingLevel, ToolChoice,
    ToolResponsePolicy, Verbosity,
};
pub use session::{Avatar, Experimental, SessionOptions};
pub use tool::{ClientTool, ServerTool, ToolBlock};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

/// Name and version of the SDK, also sent as `X-Cosmo-SDK`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SdkInfo {
    /// At most 64 characters.
    pub name: String,
    /// At most 32 characters.
    pub version: String,
}

/// The JSON body of either start endpoint (R20).
#[derive(Clone, Debug, PartialEq)]
pub struct StartBody {
    /// Who speaks the protocol.
    pub sdk: SdkInfo,
    /// What runs.
    pub agent: AgentBlock,
    /// How it runs.
    pub session: SessionOptions,
}

impl StartBody {
    /// The body as it is sent: discriminators always, unset options never, `agent` and `session` even when
    /// empty (R20, R21).
    pub fn to_value(&self) -> Value {
        json!({ "type": "session-config", "sdk": self.sdk, "agent": self.agent, "session": self.session })
    }

    /// The body as JSON text.
    pub fn encode(&self) -> String {
        self.to_value().to_string()
    }

    /// Every limit a client must hold before it sends anything (R22).
    pub fn check_own(&self) -> Result<(), ConfigFault> {
        build::check_own(self)
    }
}

impl StartBody {
    /// Reads a body by the client's own rules: closed, with today's words only, at most 64 tools. For
    /// configuration that comes from a file.
    pub fn from_own(body: &Value) -> Result<Self, ConfigFault> {
        build::read_own(body)
    }
}

impl Serialize for StartBody {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(to)
    }
}

impl<'de> Deserialize<'de> for StartBody {
    /// Reads a body by the server's rules ([`check`]).
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        check(&Value::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}
