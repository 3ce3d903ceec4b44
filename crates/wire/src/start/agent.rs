//! The agent block: inline or catalog (`session-config.md` §1 and §2).

use serde::{Serialize, Serializer};

use super::{Model, ServerHook, ToolBlock};
use crate::read::words;

words! {
    /// What is taken out of the user's audio before the model hears it.
    pub enum NoiseCancellation {
        /// Nothing.
        Off = "off",
        /// Noise.
        Denoise = "denoise",
        /// All but the nearest voice.
        VoiceFocus = "voice_focus",
    }
}

words! {
    /// How easily the user's voice interrupts the agent.
    pub enum InterruptionSensitivity {
        /// The server's choice.
        Default = "default",
        /// Easily.
        High = "high",
        /// Hardly.
        Low = "low",
    }
}

/// How the agent sounds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Voice {
    /// At most 128 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// At most 8192 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speaking_style: Option<String>,
}

impl From<&str> for Voice {
    fn from(name: &str) -> Self {
        Self {
            name: Some(name.to_owned()),
            speaking_style: None,
        }
    }
}

/// Audio both ways.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Audio {
    /// False asks for a session without speech.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<bool>,
    /// What is taken out of the user's audio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise_cancellation: Option<NoiseCancellation>,
}

/// An agent described in place.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct InlineAgent {
    /// At most 16384 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// A name, or a provider with its options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// How it sounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voice: Option<Voice>,
    /// Audio both ways.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<Audio>,
    /// Its first words, at most 4000 characters; absent, it waits for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub greeting: Option<String>,
    /// In declared order; left out when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolBlock>,
    /// How easily the user interrupts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interruption_sensitivity: Option<InterruptionSensitivity>,
    /// In declared order; left out when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<ServerHook>,
}

/// An agent stored at the server.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CatalogAgent {
    /// 1 to 100 lower-case letters, digits and inner hyphens.
    pub name: String,
    /// Values for the stored prompt's placeholders; an empty object is sent as such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<std::collections::BTreeMap<String, String>>,
    /// Used as given; nothing is merged in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolBlock>,
    /// Overrides only how it sounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voice: Option<Voice>,
}

/// What runs.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentBlock {
    /// Described in place.
    Inline(Box<InlineAgent>),
    /// Stored at the server.
    Catalog(Box<CatalogAgent>),
}

impl AgentBlock {
    /// Its tools, whichever kind it is.
    pub fn tools(&self) -> &[ToolBlock] {
        match self {
            Self::Inline(agent) => &agent.tools,
            Self::Catalog(agent) => &agent.tools,
        }
    }
}

impl From<InlineAgent> for AgentBlock {
    fn from(agent: InlineAgent) -> Self {
        Self::Inline(Box::new(agent))
    }
}

impl From<CatalogAgent> for AgentBlock {
    fn from(agent: CatalogAgent) -> Self {
        Self::Catalog(Box::new(agent))
    }
}

impl Serialize for AgentBlock {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(tag = "type", rename_all = "snake_case")]
        enum Written<'a> {
            Inline(&'a InlineAgent),
            Catalog(&'a CatalogAgent),
        }
        match self {
            Self::Inline(agent) => Written::Inline(agent).serialize(to),
            Self::Catalog(agent) => Written::Catalog(agent).serialize(to),
        }
    }
}
