//! Reading of model options: members of each provider, ranges, nothing else.

use std::collections::BTreeMap;

use super::{
    CosmoVad, Gemini, Grok, Model, ModelOptions, OpenAi, OpenAiLive, OpenAiMini, ToolResponsePolicy,
};
use crate::{
    fault::Problem,
    limits,
    read::{self, Node, Obj},
};

impl Model {
    /// Reads a model as it stands in a start body: a name, or an object with a `provider`.
    pub fn from_value(value: &serde_json::Value) -> Result<Self, Problem> {
        read::first_problem(|problems| Self::read(&Node::top(value, problems)))
    }

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
