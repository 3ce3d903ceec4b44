//! The model: a name, or a provider with its options (`session-config.md` §3).

mod decode;
mod fit;
mod words;

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::number;

pub use words::{
    Behavior, Delegation, Eagerness, GeminiTurnDetection, GrokEffort, GrokTurnDetection,
    OpenAiTurnDetection, ReasoningEffort, Scheduling, Sensitivity, ServiceTier, ThinkingLevel,
    ToolChoice, Verbosity,
};

/// Which model runs the agent.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// A family alias or a concrete id; checked by the server only.
    Named(String),
    /// A provider and its options.
    Options(ModelOptions),
}

impl From<&str> for Model {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

/// A provider and its options. Every member is optional and left out when unset.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "provider")]
pub enum ModelOptions {
    /// `gemini`.
    #[serde(rename = "gemini")]
    Gemini(Box<Gemini>),
    /// `openai`.
    #[serde(rename = "openai")]
    OpenAi(OpenAi),
    /// `openai_mini`.
    #[serde(rename = "openai_mini")]
    OpenAiMini(OpenAiMini),
    /// `openai_live`.
    #[serde(rename = "openai_live")]
    OpenAiLive(Box<OpenAiLive>),
    /// `grok`.
    #[serde(rename = "grok")]
    Grok(Grok),
}

/// What a model does while a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ToolResponsePolicy {
    /// Whether it waits.
    pub behavior: Behavior,
    /// When a late answer is heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheduling: Option<Scheduling>,
}

/// Turn detection by this protocol's server; each 0 to 5000 ms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CosmoVad {
    /// Silence that ends a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause_ms: Option<i64>,
    /// Audio kept from before speech was noticed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix_ms: Option<i64>,
    /// Longest wait for an unfinished sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_hold_ms: Option<i64>,
}

/// Options of `gemini`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Gemini {
    /// A concrete model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// 0 to 2.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "number::plain_option"
    )]
    pub temperature: Option<f64>,
    /// 1 to 32768.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<i64>,
    /// How hard it thinks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_level: Option<ThinkingLevel>,
    /// Whether thoughts come along.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include_thoughts: Option<bool>,
    /// Who finds the end of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_detection: Option<GeminiTurnDetection>,
    /// How soon speech counts as ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_of_speech_sensitivity: Option<Sensitivity>,
    /// 0 to 5000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silence_duration_ms: Option<i64>,
    /// 0 to 5000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix_padding_ms: Option<i64>,
    /// Tunes `cosmo_vad`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cosmo_vad: Option<CosmoVad>,
    /// What it does while a tool runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_response_policy: Option<ToolResponsePolicy>,
    /// The same for single tools, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_response_overrides: Option<BTreeMap<String, ToolResponsePolicy>>,
}

/// Options of `openai`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OpenAi {
    /// A concrete model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// Who finds the end of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_detection: Option<OpenAiTurnDetection>,
    /// How eagerly it takes the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eagerness: Option<Eagerness>,
    /// 0 to 5000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silence_duration_ms: Option<i64>,
    /// 0 to 5000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix_padding_ms: Option<i64>,
}

/// Options of `openai_mini`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OpenAiMini {
    /// A concrete model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
}

/// Options of `openai_live`, which is audio only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OpenAiLive {
    /// A concrete model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// The model that does the work handed over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub responses_model: Option<String>,
    /// Its instructions, at most 16384 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub responses_instructions: Option<String>,
    /// How hard it reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<ReasoningEffort>,
    /// How much it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbosity: Option<Verbosity>,
    /// Whether it may or must call tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// Whether several tools may run at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// 16 to 32768.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<i64>,
    /// Service tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_tier: Option<ServiceTier>,
    /// Who does the work handed over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delegation: Option<Delegation>,
}

/// Options of `grok`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Grok {
    /// A concrete model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// Who finds the end of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_detection: Option<GrokTurnDetection>,
    /// 0 to 5000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silence_duration_ms: Option<i64>,
    /// 0 to 5000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix_padding_ms: Option<i64>,
    /// How hard it reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<GrokEffort>,
    /// 0.7 to 1.5.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "number::plain_option"
    )]
    pub speed: Option<f64>,
    /// 0 to 120000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_timeout_ms: Option<i64>,
}

impl Serialize for Model {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Named(name) => to.serialize_str(name),
            Self::Options(options) => options.serialize(to),
        }
    }
}
