//! How the application's tools are made, and what is refused.

use std::{future::Future, sync::Arc};

use alidade_wire::{
    Value,
    names::{self, ToolDefinitionError},
    schema::Schema,
};

use super::{Arguments, Check, Client, Handler, Kind, Tool, ToolResult, handler};
use crate::{
    Failure,
    gate::{Definition, Origin, Sealed},
    job::Job,
};

impl Tool {
    /// A tool that answers within its call.
    ///
    /// `parameters` is a JSON Schema in the dialect of `tools.md` §3; what the model sends is validated against it
    /// before the handler runs, so that a handler only sees valid input (T13).
    ///
    /// ```
    /// use alidade_agent::{Tool, Failure};
    /// use serde_json::json;
    ///
    /// let tool = Tool::plain(
    ///     "count_words",
    ///     "Counts the words of a text.",
    ///     json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}),
    ///     |arguments| async move {
    ///         let text = arguments["text"].as_str().ok_or_else(|| Failure::new("no text"))?;
    ///         Ok(json!({"words": text.split_whitespace().count()}))
    ///     },
    /// )?;
    /// assert_eq!(tool.name(), "count_words");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ToolDefinitionError`]: name, then description, then schema (T5).
    pub fn plain<F, Fut>(
        name: &str,
        description: &str,
        parameters: Value,
        run: F,
    ) -> Result<Self, ToolDefinitionError>
    where
        F: Fn(Arguments) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ToolResult> + Send + 'static,
    {
        names::check_tool_name(name)?;
        Self::declared(name, description, parameters, run)
    }

    /// A tool whose work outlives its call: it acknowledges, and reports the outcome through its [`Job`] later.
    /// On the wire it looks like any other (R23).
    ///
    /// # Errors
    /// As [`Tool::plain`].
    pub fn background<F, Fut>(
        name: &str,
        description: &str,
        parameters: Value,
        run: F,
    ) -> Result<Self, ToolDefinitionError>
    where
        F: Fn(Arguments, Job) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), Failure>> + Send + 'static,
    {
        names::check_tool_name(name)?;
        Self::define(
            name,
            description,
            parameters,
            Handler::Background(handler::background(run)),
        )
    }

    /// A plain tool whose name someone else chose, such as an MCP server; the name is checked when the start body
    /// is built.
    ///
    /// # Errors
    /// [`ToolDefinitionError`] of description or schema.
    pub fn declared<F, Fut>(
        name: &str,
        description: &str,
        parameters: Value,
        run: F,
    ) -> Result<Self, ToolDefinitionError>
    where
        F: Fn(Arguments) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ToolResult> + Send + 'static,
    {
        Self::define(
            name,
            description,
            parameters,
            Handler::Plain(handler::plain(run)),
        )
    }

    fn define(
        name: &str,
        description: &str,
        parameters: Value,
        handler: Handler,
    ) -> Result<Self, ToolDefinitionError> {
        names::check_description(name, description)?;
        let schema = Schema::build(parameters)?;
        let definition = Definition {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters: schema.as_value().clone(),
            origin: Origin::Application,
        };
        Ok(Self::assemble(definition, Check::Schema(schema), handler))
    }

    /// A tool of our own. Private, so that an application cannot claim a reserved name (R25).
    pub(crate) fn built_in(definition: Definition, handler: Handler) -> Self {
        Self::assemble(definition, Check::Own, handler)
    }

    fn assemble(definition: Definition, check: Check, handler: Handler) -> Self {
        let background = matches!(handler, Handler::Background(_));
        Self(Kind::Client(Arc::new(Client {
            definition: Arc::new(definition),
            check,
            background,
            handler: Sealed::new(handler),
        })))
    }
}
