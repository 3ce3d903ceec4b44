//! Tools on the wire (`session-config.md` §4).

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::read::words;

words! {
    /// A tool the server runs; it takes no configuration.
    pub enum ServerTool {
        /// Searches the web.
        WebSearch = "web_search",
        /// Reads the newest published picture.
        ExamineImage = "examine_image",
        /// Finds things in the picture as boxes.
        DetectObjects = "detect_objects",
        /// Finds things in the picture as points.
        PointAtObject = "point_at_object",
        /// Hangs up after the goodbye.
        EndCall = "end_call",
        /// Who said what.
        SpeakerLog = "speaker_log",
        /// Locates things on the client's screen through its `screen_capture` method.
        ScreenLocate = "screen_locate",
    }
}

impl ServerTool {
    /// The kind of that name.
    pub fn from_kind(kind: &str) -> Option<Self> {
        <Self as crate::read::Word>::ALL
            .iter()
            .copied()
            .find(|tool| tool.as_str() == kind)
    }
}

/// A tool the client runs.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientTool {
    /// At most 64 characters.
    pub name: String,
    /// At most 2048 characters.
    pub description: String,
    /// JSON Schema in the dialect of [`crate::schema`], top-level object.
    pub parameters: Value,
}

/// One entry of `agent.tools`.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolBlock {
    /// Run by the client; a background tool looks the same (R23).
    Client(ClientTool),
    /// Run by the server.
    Server(ServerTool),
}

impl ToolBlock {
    /// The client tool's name or the server kind, as `rejected_tools` names it.
    pub fn name(&self) -> &str {
        match self {
            Self::Client(tool) => &tool.name,
            Self::Server(kind) => kind.as_str(),
        }
    }
}

impl Serialize for ToolBlock {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Client(tool) => json!({
                "kind": "client",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            })
            .serialize(to),
            Self::Server(kind) => json!({ "kind": kind }).serialize(to),
        }
    }
}
