//! `agent.toml`: what may stand in it, and what is wrong with what does.

use std::path::{Path, PathBuf};

use alidade_sdk::{
    agent::{
        Agent, AgentBuilder, Hook, Skill, SkillError,
        skill::{SkillSource, resolve},
    },
    wire::{
        glob::Glob,
        limits,
        start::{HookAction, ResetMode, ServerHook, ServerTool, SessionOptions},
    },
};
use serde::Deserialize;
use toml::Spanned;

use super::{
    AgentFolder, Fault, Faults,
    text::{line_of, read_beneath},
};

/// The server tools an agent may name, in the order they are listed to people.
const SERVER_TOOLS: [ServerTool; 7] = [
    ServerTool::DetectObjects,
    ServerTool::PointAtObject,
    ServerTool::ExamineImage,
    ServerTool::WebSearch,
    ServerTool::SpeakerLog,
    ServerTool::ScreenLocate,
    ServerTool::EndCall,
];

/// A tool that draws over the live view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Renderer {
    /// A box around a thing.
    DrawBox,
    /// A point on a spot.
    DrawPoint,
}

/// Which backend an agent would like; the person's choice wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BackendWish {
    /// The one in this program.
    #[default]
    Local,
    /// The hosted service.
    Cosmo,
    /// A server somewhere else.
    SelfHosted,
}

/// Which kind of model an agent would like; the person's choice wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelWish {
    /// No model hub, no network.
    #[default]
    Offline,
    /// A chat endpoint.
    Chat,
    /// A speech-to-speech provider.
    Realtime,
}

/// What a rule asks of the gate. There is no "allow": only the person's settings allow (C4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    name: Spanned<String>,
    description: Spanned<String>,
    greeting: Option<Spanned<String>>,
    #[serde(default)]
    voice: VoiceTable,
    #[serde(default)]
    server_tools: Vec<Spanned<String>>,
    #[serde(default)]
    renderers: Vec<Spanned<Renderer>>,
    #[serde(default)]
    backend: BackendTable,
    #[serde(default)]
    model: ModelTable,
    #[serde(default)]
    silence: Vec<Spanned<SilenceTable>>,
    #[serde(default)]
    gate: Vec<RuleTable>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct VoiceTable {
    name: Option<Spanned<String>>,
    speaking_style: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct BackendTable {
    #[serde(default)]
    prefer: BackendWish,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelTable {
    #[serde(default)]
    prefer: ModelWish,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SilenceTable {
    timeout_seconds: f64,
    say: Option<String>,
    prompt: Option<String>,
    end_call: Option<bool>,
    farewell: Option<String>,
    max_count: Option<u32>,
    #[serde(default)]
    reset_on_speech: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleTable {
    tool: Spanned<String>,
    action: RuleAction,
}

/// The checks of one `agent.toml`, collecting what is wrong.
struct Check<'a> {
    file: PathBuf,
    text: &'a str,
    faults: Vec<Fault>,
}

impl Check<'_> {
    fn fault(&mut self, at: usize, says: impl Into<String>) {
        self.faults.push(Fault {
            file: self.file.clone(),
            line: Some(line_of(self.text.as_bytes(), at)),
            says: says.into(),
        });
    }

    /// Text of at most `most` characters (Unicode scalars).
    fn text(&mut self, field: &str, value: Option<Spanned<String>>, most: usize) -> Option<String> {
        let value = value?;
        let length = value.as_ref().chars().count();
        if length > most {
            self.fault(
                value.span().start,
                format!("`{field}` has {length} characters; at most {most} are allowed."),
            );
        }
        Some(value.into_inner())
    }
}

pub(super) fn load(folder: PathBuf) -> Result<AgentFolder, Faults> {
    let text = read_beneath(&folder, "agent.toml").map_err(|f| Faults(vec![f]))?;
    let file = folder.join("agent.toml");
    let manifest: Manifest = toml::from_str(&text).map_err(|error| {
        let line = error
            .span()
            .map(|span| line_of(text.as_bytes(), span.start));
        Faults(vec![Fault {
            file: file.clone(),
            line,
            says: sentence(error.message()),
        }])
    })?;
    let mut check = Check {
        file,
        text: &text,
        faults: Vec::new(),
    };

    check_name(&mut check, &folder, &manifest.name);
    let at = manifest.description.span().start;
    if manifest.description.as_ref().trim().is_empty() {
        check.fault(
            at,
            "`description` is empty. Say in one line what the agent does.",
        );
    }
    let description = check
        .text("description", Some(manifest.description), 2048)
        .unwrap_or_default();
    let greeting = check.text("greeting", manifest.greeting, limits::GREETING_SCALARS);
    let voice = check.text(
        "voice.name",
        manifest.voice.name,
        limits::VOICE_NAME_SCALARS,
    );
    let speaking_style = check.text(
        "voice.speaking_style",
        manifest.voice.speaking_style,
        limits::SPEAKING_STYLE_SCALARS,
    );
    let server_tools = check_server_tools(&mut check, manifest.server_tools);
    let renderers = check_renderers(&mut check, manifest.renderers);
    let hooks = check_hooks(&mut check, manifest.silence);
    let gate = check_rules(&mut check, manifest.gate);

    let mut faults = check.faults;
    let instructions = read_beneath(&folder, "instructions.md").unwrap_or_else(|fault| {
        faults.push(fault);
        String::new()
    });
    let instructions = instructions.trim().to_owned();
    let skills = load_skills(&folder, &mut faults);
    if !faults.is_empty() {
        return Err(Faults(faults));
    }
    let agent = AgentFolder {
        warnings: warnings(&folder),
        name: manifest.name.into_inner(),
        folder,
        description,
        instructions,
        greeting,
        voice,
        speaking_style,
        server_tools,
        renderers,
        hooks,
        backend: manifest.backend.prefer,
        model: manifest.model.prefer,
        gate,
        skills,
    };
    // What no single field shows, such as instructions and list of skills together being too long.
    match acceptable(agent.describe()) {
        Ok(()) => Ok(agent),
        Err(says) => Err(Faults(vec![Fault {
            file: agent.folder.join("agent.toml"),
            line: None,
            says,
        }])),
    }
}

/// Whether a session could start with it: the library knows every limit of the protocol.
fn acceptable(agent: AgentBuilder) -> Result<(), String> {
    let agent = agent.build().map_err(|e| sentence(&e.to_string()))?;
    agent
        .start_body(crate::sdk_info(), SessionOptions::default(), &[])
        .map_err(|e| sentence(&e.to_string()))?;
    Ok(())
}

/// The parser's message as a sentence of one line.
fn sentence(message: &str) -> String {
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

fn check_name(check: &mut Check<'_>, folder: &Path, name: &Spanned<String>) {
    let text = name.as_ref();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let well_formed = text.len() <= 100
        && text.starts_with(plain)
        && text.ends_with(plain)
        && text.chars().all(|c| plain(c) || c == '-');
    if !well_formed {
        let says = "`name` takes 1 to 100 lower-case letters, digits and inner hyphens, as in `plant-doctor`.";
        check.fault(name.span().start, says);
        return;
    }
    // The folder may be given as `.`: its real name counts.
    let real = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let called = real
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    if called != *text {
        check.fault(
            name.span().start,
            format!(
                "`name` is `{text}` but the folder is called `{called}`. Give both the same name."
            ),
        );
    }
}

fn check_server_tools(check: &mut Check<'_>, tools: Vec<Spanned<String>>) -> Vec<ServerTool> {
    let mut kinds: Vec<ServerTool> = Vec::new();
    for tool in tools {
        let at = tool.span().start;
        let kind = tool.into_inner();
        match ServerTool::from_kind(&kind) {
            None => {
                let known = SERVER_TOOLS.map(ServerTool::as_str).join(", ");
                check.fault(
                    at,
                    format!("There is no server tool `{kind}`. These exist: {known}."),
                );
            }
            Some(kind) if kinds.contains(&kind) => {
                check.fault(
                    at,
                    format!("`{}` stands here twice. Remove one.", kind.as_str()),
                );
            }
            Some(kind) => kinds.push(kind),
        }
    }
    kinds
}

fn check_renderers(check: &mut Check<'_>, renderers: Vec<Spanned<Renderer>>) -> Vec<Renderer> {
    let mut kept = Vec::new();
    for renderer in renderers {
        let at = renderer.span().start;
        let renderer = renderer.into_inner();
        if kept.contains(&renderer) {
            check.fault(at, "This renderer stands here twice. Remove one.");
        }
        kept.push(renderer);
    }
    kept
}

fn check_hooks(check: &mut Check<'_>, tables: Vec<Spanned<SilenceTable>>) -> Vec<ServerHook> {
    let mut hooks = Vec::new();
    for table in tables {
        let at = table.span().start;
        let table = table.into_inner();
        let ends = table.end_call == Some(true);
        if ends && (table.say.is_some() || table.prompt.is_some()) {
            check.fault(at, "A silence hook either speaks (`say`, `prompt`) or ends the call (`end_call`), not both.");
            continue;
        }
        if !ends && table.farewell.is_some() {
            check.fault(
                at,
                "`farewell` belongs to a silence hook with `end_call = true`.",
            );
            continue;
        }
        let action = if ends {
            HookAction::EndCall {
                farewell: table.farewell,
            }
        } else {
            HookAction::Say {
                text: table.say,
                prompt: table.prompt,
            }
        };
        let mut hook = ServerHook::new(table.timeout_seconds, action);
        hook.max_count = table.max_count.map_or(hook.max_count, i64::from);
        if table.reset_on_speech {
            hook.reset_mode = ResetMode::OnUserSpeech;
        }
        match acceptable(Agent::inline().hook(Hook::server(hook.clone()))) {
            Ok(()) => hooks.push(hook),
            Err(says) => check.fault(at, says),
        }
    }
    if hooks.len() > limits::HOOKS_MAX {
        check.fault(
            0,
            format!(
                "There are {} silence hooks; at most {} are allowed.",
                hooks.len(),
                limits::HOOKS_MAX
            ),
        );
    }
    hooks
}

fn check_rules(check: &mut Check<'_>, tables: Vec<RuleTable>) -> Vec<GateRule> {
    let mut rules = Vec::new();
    for RuleTable { tool, action } in tables {
        if Glob::new(tool.as_ref()).is_err() {
            check.fault(
                tool.span().start,
                "This pattern has a `[` that is never closed.",
            );
        }
        rules.push(GateRule {
            tool: tool.into_inner(),
            action,
        });
    }
    rules
}

fn load_skills(folder: &Path, faults: &mut Vec<Fault>) -> Vec<Skill> {
    let place = folder.join("skills");
    if !place.exists() {
        return Vec::new();
    }
    resolve(&[SkillSource::Folder(place.clone())]).unwrap_or_else(|error| {
        faults.push(skill_fault(&place, error));
        Vec::new()
    })
}

/// The library names the file inside its sentence; here it stands before it.
fn skill_fault(place: &Path, error: SkillError) -> Fault {
    let (file, says) = match error.message.split_once("SKILL.md") {
        Some((before, after)) => {
            let after =
                after.trim_start_matches(|c: char| c == ':' || c == ' ' || c.is_ascii_digit());
            (PathBuf::from(format!("{before}SKILL.md")), after.to_owned())
        }
        None => (place.to_path_buf(), error.message),
    };
    Fault {
        file,
        line: error.line,
        says: sentence(&says),
    }
}

/// Parts of a folder that are not read yet: said, so that nobody waits for them to work.
fn warnings(folder: &Path) -> Vec<Fault> {
    ["tools", "mcp.json", "hooks.toml"]
        .iter()
        .map(|name| folder.join(name))
        .filter(|path| path.exists())
        .map(|file| Fault {
            file,
            line: None,
            says: "This version of Alidade does not read this yet; the agent works without it."
                .into(),
        })
        .collect()
}
