//! What the gate decides on.

use std::sync::Arc;

use alidade_wire::{Map, Value};

use super::digest::{Digest, canonical, canonical_map};

/// Where a tool comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// Built in: draws over the person's own view.
    Draw,
    /// Built in: hands a skill's text to the model.
    LoadSkill,
    /// The application or its agent folder.
    Application,
    /// An MCP server.
    Mcp {
        /// The server's name.
        server: String,
    },
}

/// What a tool is: what the model was told and where it comes from.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Name on the wire.
    pub name: String,
    /// Its maker's words.
    pub description: String,
    /// The schema as sent.
    pub parameters: Value,
    /// Where it comes from.
    pub origin: Origin,
}

impl Definition {
    /// The digest of the definition: it changes when anything the person might have read does.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let (origin, server) = match &self.origin {
            Origin::Draw => ("draw", ""),
            Origin::LoadSkill => ("load_skill", ""),
            Origin::Application => ("application", ""),
            Origin::Mcp { server } => ("mcp", server.as_str()),
        };
        Digest::of(&[
            ("name", self.name.as_bytes()),
            ("description", self.description.as_bytes()),
            ("parameters", canonical(&self.parameters).as_bytes()),
            ("origin", origin.as_bytes()),
            ("server", server.as_bytes()),
        ])
    }
}

/// A call as it will run, once: after hooks and validation, nothing rewrites it any more.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The session; empty while there is none.
    pub session_id: String,
    /// This call, fresh for each.
    pub call_id: String,
    /// The tool.
    pub definition: Arc<Definition>,
    /// Digest of the folder the agent was loaded from, where it was.
    pub agent_folder: Option<String>,
    /// The arguments exactly as the handler will see them.
    pub arguments: Map<String, Value>,
    /// The version of the policy at the time of the decision.
    pub policy_version: u64,
    /// Why a hook wants a person asked; empty where it gave no reason.
    pub asked_by_hook: Option<String>,
}

impl Proposal {
    /// What a verdict binds to (C3).
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&[
            ("session", self.session_id.as_bytes()),
            ("call", self.call_id.as_bytes()),
            (
                "definition",
                self.definition.digest().to_string().as_bytes(),
            ),
            (
                "folder",
                self.agent_folder.as_deref().unwrap_or_default().as_bytes(),
            ),
            ("arguments", canonical_map(&self.arguments).as_bytes()),
            ("policy", &self.policy_version.to_le_bytes()),
        ])
    }
}
