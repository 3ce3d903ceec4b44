//! Names and descriptions of tools (`tools.md` §2).

use crate::{limits, read::words, text};

words! {
    /// Why a tool definition was refused. Closed; `schema_too_large` is this project's own addition.
    pub enum ToolDefinitionCode {
        /// `additionalProperties` other than true.
        AdditionalPropertiesForbidden = "additional_properties_forbidden",
        /// A key outside the dialect, or a reference that leads nowhere.
        ForbiddenKey = "forbidden_key",
        /// A `type` outside the seven names.
        ForbiddenType = "forbidden_type",
        /// `anyOf` is no list.
        InvalidAnyOf = "invalid_any_of",
        /// A bound is no number.
        InvalidBound = "invalid_bound",
        /// A default is no scalar.
        InvalidDefault = "invalid_default",
        /// `enum` is no list of scalars.
        InvalidEnum = "invalid_enum",
        /// `properties` is no object.
        InvalidProperties = "invalid_properties",
        /// `required` is no list of texts.
        InvalidRequired = "invalid_required",
        /// A text with control characters or a line of hyphens.
        InvalidText = "invalid_text",
        /// Deeper than six levels.
        MaxDepthExceeded = "max_depth_exceeded",
        /// More than 64 properties.
        MaxPropertiesExceeded = "max_properties_exceeded",
        /// A node that is no object.
        NodeNotObject = "node_not_object",
        /// A definition that reaches itself.
        RecursiveSchema = "recursive_schema",
        /// The top is no object schema.
        TopLevelNotObject = "top_level_not_object",
        /// The name does not fit the pattern or is reserved.
        InvalidToolName = "invalid_tool_name",
        /// No description.
        MissingDescription = "missing_description",
        /// A description of more than 2048 characters.
        DescriptionTooLong = "description_too_long",
        /// The schema does not fit the handler's type.
        SchemaTypeMismatch = "schema_type_mismatch",
        /// More than 8 KiB of schema (T12).
        SchemaTooLarge = "schema_too_large",
    }
}

/// A tool definition that was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct ToolDefinitionError {
    /// Safe to switch on.
    pub code: ToolDefinitionCode,
    /// For people.
    pub message: String,
}

impl ToolDefinitionError {
    pub(crate) fn new(code: ToolDefinitionCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// Names that begin so belong to tools the SDK ships.
pub const SDK_PREFIX: &str = "cosmo_sdk_";
/// Names that begin so are reserved by the server.
pub const SERVER_PREFIX: &str = "cosmo_";

/// Loads the body of a skill.
pub const LOAD_SKILL: &str = "cosmo_sdk_load_skill";
/// Draws a box over the user's live view.
pub const DRAW_BOX: &str = "cosmo_sdk_draw_box";
/// Draws a point over the user's live view.
pub const DRAW_POINT: &str = "cosmo_sdk_draw_point";
/// Clicks an element that the screen locator found.
pub const SCREEN_CLICK_ELEMENT: &str = "cosmo_sdk_screen_click_element";
/// Highlights an element that the screen locator found.
pub const SCREEN_HIGHLIGHT_ELEMENT: &str = "cosmo_sdk_screen_highlight_element";
/// Highlights a box on the shared screen.
pub const SCREEN_HIGHLIGHT_BOX: &str = "cosmo_sdk_screen_highlight_box";

/// All tools the SDK ships.
pub const SDK_TOOLS: [&str; 6] = [
    LOAD_SKILL,
    DRAW_BOX,
    DRAW_POINT,
    SCREEN_CLICK_ELEMENT,
    SCREEN_HIGHLIGHT_ELEMENT,
    SCREEN_HIGHLIGHT_BOX,
];

/// Checks an application tool's name: `^[a-z][a-z0-9_]{2,63}$` and not the SDK's prefix (T1, T2).
pub fn check_tool_name(name: &str) -> Result<(), ToolDefinitionError> {
    let plain = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_';
    let fits = (3..=limits::TOOL_NAME_SCALARS).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(plain);
    if !fits {
        return Err(ToolDefinitionError::new(
            ToolDefinitionCode::InvalidToolName,
            "a tool's name has 3 to 64 characters: lower-case letters, digits and underscores, a letter first",
        ));
    }
    check_not_reserved(name)
}

/// Refuses the SDK's prefix for an application tool, again when the session is assembled (R25, T2).
pub fn check_not_reserved(name: &str) -> Result<(), ToolDefinitionError> {
    if name.starts_with(SDK_PREFIX) {
        return Err(ToolDefinitionError::new(
            ToolDefinitionCode::InvalidToolName,
            format!(
                "{name}: names beginning {SDK_PREFIX} belong to the tools that come with the SDK"
            ),
        ));
    }
    Ok(())
}

/// Checks a tool's description: there, at most 2048 scalars, clean text with newlines (T3, T4).
pub fn check_description(name: &str, description: &str) -> Result<(), ToolDefinitionError> {
    let (code, message) = if description.trim().is_empty() {
        (ToolDefinitionCode::MissingDescription, "has no description")
    } else if text::longer_than(description, limits::DESCRIPTION_SCALARS) {
        (
            ToolDefinitionCode::DescriptionTooLong,
            "has a description of more than 2048 characters",
        )
    } else if !text::is_clean(description, true) {
        (
            ToolDefinitionCode::InvalidText,
            "has a description with a control character or a line beginning with ---",
        )
    } else {
        return Ok(());
    };
    Err(ToolDefinitionError::new(
        code,
        format!("the tool {name} {message}"),
    ))
}

/// Why a server refuses the name of a client tool on the wire (S4), or nothing.
///
/// Wider than [`check_tool_name`]: tools of MCP servers keep their letter case.
pub(crate) fn refused_on_wire(name: &str) -> Option<&'static str> {
    let plain = |c: u8| c.is_ascii_alphanumeric() || c == b'_' || c == b'-';
    if name.is_empty() || !name.bytes().all(plain) {
        return Some("a tool's name consists of letters, digits and underscores");
    }
    if name.starts_with(SERVER_PREFIX) && !SDK_TOOLS.contains(&name) {
        return Some("names beginning cosmo_ are reserved");
    }
    None
}
