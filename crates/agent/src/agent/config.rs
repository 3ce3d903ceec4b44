//! From an agent to the start body.

use alidade_wire::{
    names::{self, ToolDefinitionError},
    start::{
        AgentBlock, CatalogAgent, ConfigFault, InlineAgent, SdkInfo, SessionOptions, StartBody,
        ToolBlock,
    },
};

use super::{Agent, Kind};
use crate::{Tool, gate::Origin, skill};

/// Why a start body could not be built; nothing was sent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A limit does not hold (R22).
    #[error(transparent)]
    Fault(#[from] ConfigFault),
    /// A tool of the application has a reserved name (R25).
    #[error(transparent)]
    Tool(#[from] ToolDefinitionError),
    /// `screen_locate` without anything that captures the screen (R24).
    #[error(
        "screen_locate needs a capture handler, and this agent has none; leave the tool out, or use detect_objects or \
         point_at_object on a published picture"
    )]
    NoCaptureHandler,
}

pub(super) fn start_body(
    agent: &Agent,
    sdk: SdkInfo,
    session: SessionOptions,
    context: &[String],
) -> Result<StartBody, ConfigError> {
    let built = &agent.0;
    let mut tools: Vec<ToolBlock> = Vec::with_capacity(built.tools.len());
    for tool in &built.tools {
        check_reserved(tool)?;
        if tool.needs_capture() {
            return Err(ConfigError::NoCaptureHandler);
        }
        tools.push(tool.block());
    }
    let block: AgentBlock = match &built.kind {
        Kind::Inline(inline) => InlineAgent {
            instructions: skill::plus_menu(inline.instructions.as_deref(), &built.skills),
            model: inline.model.clone(),
            voice: built.voice.clone(),
            audio: inline.audio.clone(),
            greeting: inline.greeting.clone(),
            tools,
            interruption_sensitivity: inline.interruption_sensitivity,
            hooks: built.server_hooks(),
        }
        .into(),
        Kind::Catalog { name, inputs } => CatalogAgent {
            name: name.clone(),
            inputs: inputs.clone(),
            tools,
            voice: built.voice.clone(),
        }
        .into(),
    };
    let mut body = StartBody {
        sdk,
        agent: block,
        session,
    };
    body.check_own()?;
    // What SessionStart hooks add is not measured again (`hooks.md` §4).
    match &mut body.agent {
        AgentBlock::Inline(inline) => add_context(&mut inline.instructions, context),
        AgentBlock::Catalog(_) if !context.is_empty() => {
            tracing::warn!(
                "what SessionStart hooks said is dropped: a catalog agent's instructions are not ours"
            );
        }
        AgentBlock::Catalog(_) => {}
    }
    Ok(body)
}

/// A second check of the prefix: a tool by any other route than our own constructors cannot carry it (T2).
fn check_reserved(tool: &Tool) -> Result<(), ToolDefinitionError> {
    let ours = tool
        .definition()
        .is_none_or(|definition| matches!(definition.origin, Origin::Draw | Origin::LoadSkill));
    if !ours && tool.name().starts_with(names::SDK_PREFIX) {
        return names::check_tool_name(tool.name());
    }
    Ok(())
}

/// Joined by a blank line, after a blank line; the joined text alone where there were no instructions (H18).
fn add_context(instructions: &mut Option<String>, context: &[String]) {
    if context.is_empty() {
        return;
    }
    let added = context.join("\n\n");
    *instructions = Some(match instructions.take() {
        Some(base) if !base.is_empty() => format!("{base}\n\n{added}"),
        _ => added,
    });
}
