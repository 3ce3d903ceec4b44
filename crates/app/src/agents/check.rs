//! What the single fields of `agent.toml` may hold.

use std::path::Path;

use alidade_sdk::wire::{
    glob::Glob,
    limits,
    start::{HookAction, ResetMode, ServerHook, ServerTool},
};

use super::{
    GateRule, Renderer, RuleAction,
    fields::{At, Check, Fields, words},
};

/// The server tools an agent may name, in the order they are listed to people. [`ServerTool::ScreenLocate`] is none
/// until something here can capture a screen for it (R24).
const SERVER_TOOLS: [ServerTool; 6] = [
    ServerTool::DetectObjects,
    ServerTool::PointAtObject,
    ServerTool::ExamineImage,
    ServerTool::WebSearch,
    ServerTool::SpeakerLog,
    ServerTool::EndCall,
];

const RENDERERS: [(&str, Renderer); 2] = [
    ("draw_box", Renderer::DrawBox),
    ("draw_point", Renderer::DrawPoint),
];

const ACTIONS: [(&str, RuleAction); 2] = [("ask", RuleAction::Ask), ("deny", RuleAction::Deny)];

pub(super) fn check_name(check: &mut Check<'_>, folder: &Path, name: &At<String>) {
    let text = &name.is;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let well_formed = text.len() <= 100
        && text.starts_with(plain)
        && text.ends_with(plain)
        && text.chars().all(|c| plain(c) || c == '-');
    if !well_formed {
        let says = "`name` takes 1 to 100 lower-case letters, digits and inner hyphens, as in `plant-doctor`.";
        check.fault(name.at, says);
        return;
    }
    // The folder may be given as `.`: its real name counts.
    let real = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    // A link in a place of agents is called what the person called it.
    let named = |path: &Path| path.file_name().is_some_and(|n| n == text.as_str());
    if !named(&real) && !named(folder) {
        let called = real
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        check.fault(
            name.at,
            format!(
                "`name` is `{text}` but the folder is called `{called}`. Give both the same name."
            ),
        );
    }
}

pub(super) fn check_description(check: &mut Check<'_>, description: &At<String>) {
    if description.is.trim().is_empty() {
        check.fault(
            description.at,
            "`description` is empty. Say in one line what the agent does.",
        );
    } else if description.is.trim().contains(['\n', '\r']) {
        check.fault(
            description.at,
            "`description` has several lines. Say in one line what the agent does.",
        );
    }
}

pub(super) fn check_server_tools(check: &mut Check<'_>, tools: Vec<At<String>>) -> Vec<ServerTool> {
    let (later, tools): (Vec<_>, Vec<_>) = tools
        .into_iter()
        .partition(|tool| tool.is == ServerTool::ScreenLocate.as_str());
    for tool in later {
        check.fault(
            tool.at,
            format!("`{}` is not supported yet. Remove it.", tool.is),
        );
    }
    let known = SERVER_TOOLS.map(|tool| (tool.as_str(), tool));
    one_of_each(check, tools, "server tool", &known)
}

pub(super) fn check_renderers(check: &mut Check<'_>, renderers: Vec<At<String>>) -> Vec<Renderer> {
    one_of_each(check, renderers, "renderer", &RENDERERS)
}

/// The entries of a list that names things we know, each at most once.
fn one_of_each<T: Copy + PartialEq>(
    check: &mut Check<'_>,
    entries: Vec<At<String>>,
    what: &str,
    known: &[(&str, T)],
) -> Vec<T> {
    let mut kept = Vec::new();
    for At { at, is: word } in entries {
        match known.iter().find(|(name, _)| *name == word) {
            None => check.fault(
                at,
                format!(
                    "There is no {what} `{word}`. These exist: {}.",
                    words(known)
                ),
            ),
            Some((_, thing)) if kept.contains(thing) => {
                check.fault(at, format!("`{word}` stands here twice. Remove one."));
            }
            Some((_, thing)) => kept.push(*thing),
        }
    }
    kept
}

/// The silence hooks, within the limits of the protocol (H25, H26, H27).
pub(super) fn check_hooks(check: &mut Check<'_>, tables: Vec<Fields<'_>>) -> Vec<ServerHook> {
    let count = tables.len();
    let mut hooks = Vec::new();
    for (index, table) in tables.into_iter().enumerate() {
        if index == limits::HOOKS_MAX {
            check.fault(
                table.at(),
                format!(
                    "There are {count} silence hooks; at most {} are allowed.",
                    limits::HOOKS_MAX
                ),
            );
        }
        hooks.extend(hook(check, table));
    }
    hooks
}

fn hook(check: &mut Check<'_>, mut table: Fields<'_>) -> Option<ServerHook> {
    let timeout = table.number(check, "timeout_seconds", (1.0, 1000.0));
    if !table.has("timeout_seconds") {
        check.fault(
            table.at(),
            "`silence.timeout_seconds` is missing. Add it, as in `timeout_seconds = 30`.",
        );
    }
    let say = table.text(check, "say", limits::HOOK_TEXT_SCALARS);
    let prompt = table.text(check, "prompt", limits::HOOK_TEXT_SCALARS);
    let ends = table.yes(check, "end_call") == Some(true);
    let farewell = table.text(check, "farewell", limits::HOOK_TEXT_SCALARS);
    let max_count = table.whole(check, "max_count", (1, 10));
    let reset = table.yes(check, "reset_on_speech") == Some(true);
    if ends && (say.is_some() || prompt.is_some()) {
        check.fault(
            table.at(),
            "A silence hook either speaks (`say`, `prompt`) or ends the call (`end_call`), not both.",
        );
    }
    if say.is_some() && prompt.is_some() {
        check.fault(
            table.at(),
            "A silence hook takes `say` or `prompt`, not both.",
        );
    }
    if let Some(farewell) = farewell.as_ref().filter(|_| !ends) {
        check.fault(
            farewell.at,
            "`farewell` belongs to a silence hook with `end_call = true`.",
        );
    }
    table.finish(check);

    let text = |found: Option<At<String>>| found.map(|found| found.is);
    let action = if ends {
        HookAction::EndCall {
            farewell: text(farewell),
        }
    } else {
        HookAction::Say {
            text: text(say),
            prompt: text(prompt),
        }
    };
    let mut hook = ServerHook::new(timeout?, action);
    hook.max_count = max_count.unwrap_or(hook.max_count);
    if reset {
        hook.reset_mode = ResetMode::OnUserSpeech;
    }
    Some(hook)
}

pub(super) fn check_rules(check: &mut Check<'_>, tables: Vec<Fields<'_>>) -> Vec<GateRule> {
    let mut rules = Vec::new();
    for mut table in tables {
        let tool = table.text(check, "tool", usize::MAX);
        let tool = table.need(check, "tool", "\"send_*\"", tool);
        if let Some(tool) = &tool
            && Glob::new(&tool.is).is_err()
        {
            check.fault(tool.at, "This pattern has a `[` that is never closed.");
        }
        let action = table.choice(check, "action", &ACTIONS);
        let action = table.need(check, "action", "\"deny\"", action);
        table.finish(check);
        if let (Some(tool), Some(action)) = (tool, action) {
            rules.push(GateRule {
                tool: tool.is,
                action: action.is,
            });
        }
    }
    rules
}
