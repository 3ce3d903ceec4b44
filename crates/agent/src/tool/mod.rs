//! Tools an agent carries: the application's own, the built-in ones, and those the server runs (`tools.md`).

mod define;
pub mod draw;
mod handler;

use std::sync::Arc;

use alidade_wire::{
    Map, Value,
    schema::Schema,
    start::{self, ServerTool, ToolBlock},
};

use crate::gate::{Definition, Sealed};
pub use handler::Arguments;
pub(crate) use handler::plain;
pub(crate) use handler::{Background, Plain};

/// How a tool checks what the model sent.
pub(crate) enum Check {
    /// Against its schema, before gate and handler.
    Schema(Schema),
    /// By itself, as the built-in tools do.
    Own,
}

/// The two shapes of a handler.
pub(crate) enum Handler {
    Plain(Plain),
    Background(Background),
}

/// A tool that runs in this process.
pub(crate) struct Client {
    pub(crate) definition: Arc<Definition>,
    pub(crate) check: Check,
    pub(crate) background: bool,
    /// Nothing reaches the handler without a verdict (C2).
    pub(crate) handler: Sealed<Handler>,
}

#[derive(Clone)]
pub(crate) enum Kind {
    Client(Arc<Client>),
    Server(ServerTool),
}

/// One entry of an agent's tool list. Cheap to clone.
#[derive(Clone)]
pub struct Tool(pub(crate) Kind);

impl Tool {
    /// A tool the server runs. `screen_locate` needs a capture handler, which an agent cannot have yet: a start with
    /// it is refused (R24).
    #[must_use]
    pub const fn server(kind: ServerTool) -> Self {
        Self(Kind::Server(kind))
    }

    /// The client tool's name or the server kind.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.0 {
            Kind::Client(tool) => &tool.definition.name,
            Kind::Server(kind) => kind.as_str(),
        }
    }

    /// Whether the server would ask this side for a capture of the screen to run it.
    pub(crate) fn needs_capture(&self) -> bool {
        matches!(&self.0, Kind::Server(ServerTool::ScreenLocate))
    }

    /// What the tool is, where it runs in this process.
    #[must_use]
    pub fn definition(&self) -> Option<&Definition> {
        match &self.0 {
            Kind::Client(tool) => Some(&tool.definition),
            Kind::Server(_) => None,
        }
    }

    /// Whether it is a background tool.
    #[must_use]
    pub fn is_background(&self) -> bool {
        matches!(&self.0, Kind::Client(tool) if tool.background)
    }

    /// The wire form; a background tool looks like a plain one (R23, T50).
    #[must_use]
    pub fn block(&self) -> ToolBlock {
        match &self.0 {
            Kind::Client(tool) => ToolBlock::Client(start::ClientTool {
                name: tool.definition.name.clone(),
                description: tool.definition.description.clone(),
                parameters: tool.definition.parameters.clone(),
            }),
            Kind::Server(kind) => ToolBlock::Server(*kind),
        }
    }

    pub(crate) fn client(&self) -> Option<&Arc<Client>> {
        match &self.0 {
            Kind::Client(tool) => Some(tool),
            Kind::Server(_) => None,
        }
    }
}

impl From<ServerTool> for Tool {
    fn from(kind: ServerTool) -> Self {
        Self::server(kind)
    }
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tool({})", self.name())
    }
}

/// What a handler returns: an object for the model, or null for nothing. Anything else is a fault of the handler
/// and becomes an error reply (T23).
pub type ToolResult = Result<Value, crate::Failure>;

impl Client {
    /// What the model sent, as the handler may see it; the text for the model otherwise.
    pub(crate) fn validate(
        &self,
        arguments: &Map<String, Value>,
    ) -> Result<Map<String, Value>, String> {
        match &self.check {
            Check::Schema(schema) => schema
                .validate(&self.definition.name, arguments)
                .map_err(|invalid| invalid.to_string()),
            Check::Own => Ok(arguments.clone()),
        }
    }
}
