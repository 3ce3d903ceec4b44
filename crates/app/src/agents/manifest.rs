//! `agent.toml`: what may stand in it, and the agent it makes together with the files beside it.

use std::path::{Path, PathBuf};

use alidade_sdk::{
    agent::AgentBuilder,
    wire::{limits, start::SessionOptions},
};
use toml::de::DeTable;

use super::{
    AgentFolder, Fault, Faults,
    check::{
        check_description, check_hooks, check_name, check_renderers, check_rules,
        check_server_tools,
    },
    fields::{Check, Fields},
    skills,
    text::{LARGEST, read_beneath},
};

/// A tool that draws over the live view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renderer {
    /// A box around a thing.
    DrawBox,
    /// A point on a spot.
    DrawPoint,
}

/// Which backend an agent would like; the person's choice wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackendWish {
    /// The one in this program.
    #[default]
    Local,
    /// The hosted service.
    Cosmo,
    /// A server somewhere else.
    SelfHosted,
}

const BACKENDS: [(&str, BackendWish); 3] = [
    ("local", BackendWish::Local),
    ("cosmo", BackendWish::Cosmo),
    ("self-hosted", BackendWish::SelfHosted),
];

/// Which kind of model an agent would like; the person's choice wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelWish {
    /// No model hub, no network.
    #[default]
    Offline,
    /// A chat endpoint.
    Chat,
    /// A speech-to-speech provider.
    Realtime,
}

const MODELS: [(&str, ModelWish); 3] = [
    ("offline", ModelWish::Offline),
    ("chat", ModelWish::Chat),
    ("realtime", ModelWish::Realtime),
];

/// What a rule asks of the gate. There is no "allow": only the person's settings allow (C4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleAction {
    /// The person is asked.
    Ask,
    /// It is refused.
    Deny,
}

/// A rule that tightens the gate for the tools its pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateRule {
    /// A glob over tool names.
    pub tool: String,
    /// What happens to a call.
    pub action: RuleAction,
}

/// Reads a folder: every part is read whatever is wrong with the others, so that all faults come at once.
pub(super) fn load(folder: PathBuf) -> Result<AgentFolder, Faults> {
    let mut faults = Vec::new();
    let mut agent = empty(&folder);
    match read_beneath(&folder, "agent.toml", LARGEST) {
        Ok(text) => faults.extend(read(&mut agent, &text)),
        Err(fault) => faults.push(fault),
    }
    match read_beneath(&folder, "instructions.md", LARGEST) {
        Ok(text) => text.trim().clone_into(&mut agent.instructions),
        Err(fault) => faults.push(fault),
    }
    let mut warnings = warnings(&agent);
    agent.skills = skills::load(&folder, &mut faults, &mut warnings);
    agent.warnings = warnings;
    if !faults.is_empty() {
        return Err(Faults(faults));
    }
    // What no single field shows, such as instructions and list of skills together being too long.
    match acceptable(agent.describe()) {
        Ok(()) => Ok(agent),
        Err(says) => Err(Faults(vec![Fault {
            file: folder.join("agent.toml"),
            line: None,
            says,
        }])),
    }
}

fn empty(folder: &Path) -> AgentFolder {
    AgentFolder {
        folder: folder.to_path_buf(),
        name: String::new(),
        description: String::new(),
        instructions: String::new(),
        greeting: None,
        voice: None,
        speaking_style: None,
        server_tools: Vec::new(),
        renderers: Vec::new(),
        hooks: Vec::new(),
        backend: BackendWish::default(),
        model: ModelWish::default(),
        gate: Vec::new(),
        skills: Vec::new(),
        warnings: Vec::new(),
    }
}

/// Reads the text of `agent.toml` into the agent and says what is wrong with it. Where the text is not
/// TOML, that alone is said of it: what its fields were meant to be is a guess.
fn read(agent: &mut AgentFolder, text: &str) -> Vec<Fault> {
    let mut check = Check {
        file: agent.folder.join("agent.toml"),
        text,
        faults: Vec::new(),
    };
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut is_toml = true;
    for error in errors {
        let span = error.span().unwrap_or_default();
        let says = if error.message().starts_with("duplicate key") {
            let key = text.get(span.clone()).unwrap_or_default();
            format!("`{key}` stands here twice. Remove one.")
        } else {
            is_toml = false;
            sentence(error.message())
        };
        check.fault(span.start, says);
    }
    // One mistake often confuses the parser several times over.
    check.faults.sort_by_key(|fault| fault.line);
    check.faults.dedup_by_key(|fault| fault.line);
    if !is_toml {
        return check.faults;
    }

    let mut top = Fields::new("", table.get_ref(), 0);
    let check = &mut check;
    let name = top.text(check, "name", usize::MAX);
    if let Some(name) = top.need(check, "name", "\"my-agent\"", name) {
        check_name(check, &agent.folder, &name);
        agent.name = name.is;
    }
    let description = top.text(check, "description", limits::DESCRIPTION_SCALARS);
    if let Some(description) = top.need(check, "description", "\"Finds things.\"", description) {
        check_description(check, &description);
        agent.description = description.is;
    }
    let greeting = top.text(check, "greeting", limits::GREETING_SCALARS);
    agent.greeting = greeting.map(|greeting| greeting.is);
    let tools = top.list(check, "server_tools");
    agent.server_tools = check_server_tools(check, tools);
    let renderers = top.list(check, "renderers");
    agent.renderers = check_renderers(check, renderers);

    let mut voice = top.table(check, "voice", "voice.");
    let name = voice.text(check, "name", limits::VOICE_NAME_SCALARS);
    agent.voice = name.map(|name| name.is);
    let style = voice.text(check, "speaking_style", limits::SPEAKING_STYLE_SCALARS);
    agent.speaking_style = style.map(|style| style.is);
    voice.finish(check);

    let mut backend = top.table(check, "backend", "backend.");
    let wish = backend.choice(check, "prefer", &BACKENDS);
    agent.backend = wish.map_or_else(BackendWish::default, |wish| wish.is);
    backend.finish(check);
    let mut model = top.table(check, "model", "model.");
    let wish = model.choice(check, "prefer", &MODELS);
    agent.model = wish.map_or_else(ModelWish::default, |wish| wish.is);
    model.finish(check);

    let silences = top.tables(check, "silence", "silence.");
    agent.hooks = check_hooks(check, silences);
    let rules = top.tables(check, "gate", "gate.");
    agent.gate = check_rules(check, rules);
    top.finish(check);
    check.faults.sort_by_key(|fault| fault.line);
    std::mem::take(&mut check.faults)
}

/// Whether a session could start with it: the library knows every limit of the protocol.
fn acceptable(agent: AgentBuilder) -> Result<(), String> {
    let agent = agent.build().map_err(|e| sentence(&e.to_string()))?;
    agent
        .start_body(crate::sdk_info(), SessionOptions::default(), &[])
        .map_err(|e| sentence(&e.to_string()))?;
    Ok(())
}

/// A library's message as a sentence of one line.
pub(super) fn sentence(message: &str) -> String {
    let one_line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = one_line.chars();
    match letters.next() {
        Some(first) => format!(
            "{}{}.",
            first.to_uppercase(),
            letters.as_str().trim_end_matches('.')
        ),
        None => "This file is not TOML.".into(),
    }
}

/// What works, but not as its maker may think; parts that are not read yet are said too, so that nobody
/// waits for them to work.
fn warnings(agent: &AgentFolder) -> Vec<Fault> {
    let said = |name: &str, says: &str| Fault {
        file: agent.folder.join(name),
        line: None,
        says: says.into(),
    };
    let mut warnings = Vec::new();
    if agent.server_tools.is_empty() {
        warnings.push(said(
            "agent.toml",
            "This agent can look at nothing: `server_tools` is empty.",
        ));
    }
    if agent.instructions.is_empty() {
        warnings.push(said(
            "instructions.md",
            "This agent is told nothing: the file is empty.",
        ));
    }
    for name in ["tools", "mcp.json", "hooks.toml"] {
        if std::fs::symlink_metadata(agent.folder.join(name)).is_ok() {
            warnings.push(said(
                name,
                "This version of Alidade does not read this yet; the agent works without it.",
            ));
        }
    }
    warnings
}
