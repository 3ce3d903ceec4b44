//! Tools on the wire (`session-config.md` §4).

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::check::Side;
use crate::{
    limits, names,
    read::{Node, Obj, Word, words},
    schema::Schema,
};

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

/// Reads the tools of an agent. Kinds that are never run here are told in `tool_faults`.
pub(super) fn tools(
    agent: &Obj<'_>,
    side: Side,
    tool_faults: &mut Vec<String>,
) -> Option<Vec<ToolBlock>> {
    let Some(node) = agent.maybe("tools") else {
        return Some(Vec::new());
    };
    let most = if side == Side::Server {
        limits::SERVER_TOOLS_MAX
    } else {
        limits::TOOLS_MAX
    };
    let items = node.items()?;
    if items.len() > most {
        return node.wrong("too_long", format!("must have at most {most} entries"));
    }
    let mut tools = Vec::with_capacity(items.len());
    let mut complete = true;
    for item in &items {
        match tool(item, tool_faults) {
            Some(tool) => tools.push(tool),
            None => complete = false,
        }
    }
    complete.then_some(tools)
}

fn tool(node: &Node<'_>, tool_faults: &mut Vec<String>) -> Option<ToolBlock> {
    let tool = node.object()?;
    let kind = tool.text("kind")?;
    if let Some(kind) = ServerTool::from_kind(&kind) {
        tool.only(&["kind"]);
        return Some(ToolBlock::Server(kind));
    }
    if kind != "client" {
        let index = node.loc.last().map_or("", String::as_str);
        let kinds: Vec<_> = ServerTool::ALL.iter().map(|kind| kind.as_str()).collect();
        tool_faults.push(format!(
            "tool {index} is of a kind that is not run here; the kinds are client, {}",
            kinds.join(", ")
        ));
        return None;
    }
    tool.only(&["kind", "name", "description", "parameters"]);
    let name = tool
        .need("name")
        .and_then(|node| node.text_within(1, limits::TOOL_NAME_SCALARS));
    let description = tool
        .need("description")
        .and_then(|node| node.text_within(0, limits::DESCRIPTION_SCALARS));
    let parameters = tool.need("parameters").and_then(|node| node.map());
    Some(ToolBlock::Client(ClientTool {
        name: name?,
        description: description?,
        parameters: Value::Object(parameters?),
    }))
}

/// Names, duplicates and schemas of tools whose form is right (S4).
pub(super) fn tools_fit(tools: &[ToolBlock], faults: &mut Vec<String>) {
    let mut seen = std::collections::HashSet::new();
    for tool in tools {
        if !seen.insert((matches!(tool, ToolBlock::Client(_)), tool.name())) {
            faults.push(format!("the tool {} is declared twice", tool.name()));
        }
        let ToolBlock::Client(tool) = tool else {
            continue;
        };
        if let Some(fault) = names::refused_on_wire(&tool.name) {
            faults.push(format!("the tool {}: {fault}", tool.name));
        }
        if let Err(fault) = Schema::build(tool.parameters.clone()) {
            faults.push(format!(
                "the parameters of the tool {} are refused: {fault}",
                tool.name
            ));
        }
    }
}
