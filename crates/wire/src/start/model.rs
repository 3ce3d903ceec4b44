//! The model: a name, or a provider with its options (`session-config.md` §3).

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::{
    limits, number,
    read::{Node, Obj, words},
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

words! {
    /// How hard a `gemini` model thinks.
    pub enum ThinkingLevel {
        /// Least.
        Minimal = "minimal",
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}

words! {
    /// Who finds the end of a turn for a `gemini` model.
    pub enum GeminiTurnDetection {
        /// The server of this protocol.
        CosmoVad = "cosmo_vad",
        /// The provider.
        ServerVad = "server_vad",
    }
}

words! {
    /// How soon speech counts as ended.
    pub enum Sensitivity {
        /// Late.
        Low = "low",
        /// Soon.
        High = "high",
    }
}

words! {
    /// Whether the model waits for a tool.
    pub enum Behavior {
        /// It waits.
        Blocking = "blocking",
        /// It talks on.
        NonBlocking = "non_blocking",
    }
}

words! {
    /// When a late tool answer is heard.
    pub enum Scheduling {
        /// When nobody speaks.
        WhenIdle = "when_idle",
        /// Never aloud.
        Silent = "silent",
        /// At once.
        Interrupt = "interrupt",
    }
}

words! {
    /// Who finds the end of a turn for an `openai` model.
    pub enum OpenAiTurnDetection {
        /// By meaning.
        SemanticVad = "semantic_vad",
        /// By silence.
        ServerVad = "server_vad",
    }
}

words! {
    /// How eagerly an `openai` model takes the turn.
    pub enum Eagerness {
        /// Late.
        Low = "low",
        /// In between.
        Medium = "medium",
        /// Soon.
        High = "high",
        /// The provider's choice.
        Auto = "auto",
    }
}

words! {
    /// How hard an `openai_live` model reasons.
    pub enum ReasoningEffort {
        /// Least.
        Minimal = "minimal",
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}

words! {
    /// How much an `openai_live` model says.
    pub enum Verbosity {
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}

words! {
    /// Whether an `openai_live` model may or must call tools.
    pub enum ToolChoice {
        /// It may.
        Auto = "auto",
        /// It must.
        Required = "required",
        /// It must not.
        None = "none",
    }
}

words! {
    /// Service tier of an `openai_live` model.
    pub enum ServiceTier {
        /// The provider's choice.
        Auto = "auto",
        /// The ordinary one.
        Default = "default",
        /// The cheap one.
        Flex = "flex",
        /// The fast one.
        Priority = "priority",
    }
}

words! {
    /// Who does the work an `openai_live` model hands over.
    pub enum Delegation {
        /// A responses model.
        Responses = "responses",
        /// The client, by `delegation-created` and `delegation-append`.
        Client = "client",
        /// The server.
        Cosmo = "cosmo",
    }
}

words! {
    /// Who finds the end of a turn for a `grok` model.
    pub enum GrokTurnDetection {
        /// The provider.
        ServerVad = "server_vad",
    }
}

words! {
    /// How hard a `grok` model reasons.
    pub enum GrokEffort {
        /// Much.
        High = "high",
        /// Not at all.
        None = "none",
    }
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

impl Model {
    pub(crate) fn read(node: &Node<'_>) -> Option<Self> {
        if let Some(name) = node.value.as_str() {
            return Some(Self::Named(name.to_owned()));
        }
        if !node.value.is_object() {
            return node.wrong(
                "model_type",
                "must be a model name or an object with a provider",
            );
        }
        ModelOptions::read(&node.object()?).map(Self::Options)
    }
}

const MS: (i64, i64) = (0, 5000);

impl ModelOptions {
    /// The provider's name on the wire.
    pub const fn provider(&self) -> &'static str {
        match self {
            Self::Gemini(_) => "gemini",
            Self::OpenAi(_) => "openai",
            Self::OpenAiMini(_) => "openai_mini",
            Self::OpenAiLive(_) => "openai_live",
            Self::Grok(_) => "grok",
        }
    }

    pub(crate) fn read(model: &Obj<'_>) -> Option<Self> {
        match model.need("provider")?.text()?.as_str() {
            "gemini" => gemini(model).map(|options| Self::Gemini(Box::new(options))),
            "openai" => openai(model).map(Self::OpenAi),
            "openai_mini" => {
                model.only(&["provider", "model_id"]);
                Some(Self::OpenAiMini(OpenAiMini {
                    model_id: model.optional("model_id", Node::text)?,
                }))
            }
            "openai_live" => openai_live(model).map(|options| Self::OpenAiLive(Box::new(options))),
            "grok" => grok(model).map(Self::Grok),
            _ => model.wrong(
                "provider",
                "union_tag_invalid",
                "must be one of: gemini, openai, openai_mini, openai_live, grok",
            ),
        }
    }
}

fn gemini(model: &Obj<'_>) -> Option<Gemini> {
    model.only(&[
        "provider",
        "model_id",
        "temperature",
        "max_output_tokens",
        "thinking_level",
        "include_thoughts",
        "turn_detection",
        "end_of_speech_sensitivity",
        "silence_duration_ms",
        "prefix_padding_ms",
        "cosmo_vad",
        "tool_response_policy",
        "tool_response_overrides",
    ]);
    Some(Gemini {
        model_id: model.optional("model_id", Node::text)?,
        temperature: model.optional("temperature", |node| node.number_within((0.0, 2.0)))?,
        max_output_tokens: model
            .optional("max_output_tokens", |node| node.int_within((1, 32_768)))?,
        thinking_level: model.optional("thinking_level", Node::word)?,
        include_thoughts: model.optional("include_thoughts", Node::bool)?,
        turn_detection: model.optional("turn_detection", Node::word)?,
        end_of_speech_sensitivity: model.optional("end_of_speech_sensitivity", Node::word)?,
        silence_duration_ms: model.optional("silence_duration_ms", |node| node.int_within(MS))?,
        prefix_padding_ms: model.optional("prefix_padding_ms", |node| node.int_within(MS))?,
        cosmo_vad: model.optional("cosmo_vad", cosmo_vad)?,
        tool_response_policy: model.optional("tool_response_policy", policy)?,
        tool_response_overrides: model.optional("tool_response_overrides", |node| {
            let overrides = node.object()?;
            let mut read = BTreeMap::new();
            for name in overrides.map.keys() {
                read.insert(name.clone(), policy(&overrides.given(name)?)?);
            }
            Some(read)
        })?,
    })
}

fn cosmo_vad(node: &Node<'_>) -> Option<CosmoVad> {
    let vad = node.object()?;
    vad.only(&["pause_ms", "prefix_ms", "max_hold_ms"]);
    Some(CosmoVad {
        pause_ms: vad.optional("pause_ms", |node| node.int_within(MS))?,
        prefix_ms: vad.optional("prefix_ms", |node| node.int_within(MS))?,
        max_hold_ms: vad.optional("max_hold_ms", |node| node.int_within(MS))?,
    })
}

fn policy(node: &Node<'_>) -> Option<ToolResponsePolicy> {
    let policy = node.object()?;
    policy.only(&["behavior", "scheduling"]);
    Some(ToolResponsePolicy {
        behavior: policy.need("behavior")?.word()?,
        scheduling: policy.optional("scheduling", Node::word)?,
    })
}

fn openai(model: &Obj<'_>) -> Option<OpenAi> {
    model.only(&[
        "provider",
        "model_id",
        "turn_detection",
        "eagerness",
        "silence_duration_ms",
        "prefix_padding_ms",
    ]);
    Some(OpenAi {
        model_id: model.optional("model_id", Node::text)?,
        turn_detection: model.optional("turn_detection", Node::word)?,
        eagerness: model.optional("eagerness", Node::word)?,
        silence_duration_ms: model.optional("silence_duration_ms", |node| node.int_within(MS))?,
        prefix_padding_ms: model.optional("prefix_padding_ms", |node| node.int_within(MS))?,
    })
}

fn openai_live(model: &Obj<'_>) -> Option<OpenAiLive> {
    model.only(&[
        "provider",
        "model_id",
        "responses_model",
        "responses_instructions",
        "reasoning_effort",
        "verbosity",
        "tool_choice",
        "parallel_tool_calls",
        "max_output_tokens",
        "service_tier",
        "delegation",
    ]);
    let instructions =
        |node: &Node<'_>| node.text_within(0, limits::RESPONSES_INSTRUCTIONS_SCALARS);
    Some(OpenAiLive {
        model_id: model.optional("model_id", Node::text)?,
        responses_model: model.optional("responses_model", Node::text)?,
        responses_instructions: model.optional("responses_instructions", instructions)?,
        reasoning_effort: model.optional("reasoning_effort", Node::word)?,
        verbosity: model.optional("verbosity", Node::word)?,
        tool_choice: model.optional("tool_choice", Node::word)?,
        parallel_tool_calls: model.optional("parallel_tool_calls", Node::bool)?,
        max_output_tokens: model
            .optional("max_output_tokens", |node| node.int_within((16, 32_768)))?,
        service_tier: model.optional("service_tier", Node::word)?,
        delegation: model.optional("delegation", Node::word)?,
    })
}

fn grok(model: &Obj<'_>) -> Option<Grok> {
    model.only(&[
        "provider",
        "model_id",
        "turn_detection",
        "silence_duration_ms",
        "prefix_padding_ms",
        "reasoning_effort",
        "speed",
        "idle_timeout_ms",
    ]);
    Some(Grok {
        model_id: model.optional("model_id", Node::text)?,
        turn_detection: model.optional("turn_detection", Node::word)?,
        silence_duration_ms: model.optional("silence_duration_ms", |node| node.int_within(MS))?,
        prefix_padding_ms: model.optional("prefix_padding_ms", |node| node.int_within(MS))?,
        reasoning_effort: model.optional("reasoning_effort", Node::word)?,
        speed: model.optional("speed", |node| node.number_within((0.7, 1.5)))?,
        idle_timeout_ms: model.optional("idle_timeout_ms", |node| node.int_within((0, 120_000)))?,
    })
}
