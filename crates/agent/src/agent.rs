//! What an agent is: instructions, tools, skills and hooks, fixed when it is built.

mod config;

use std::{collections::BTreeMap, sync::Arc};

use alidade_wire::{
    names::ToolDefinitionError,
    start::{
        Audio, InterruptionSensitivity, Model, SdkInfo, ServerHook, SessionOptions, StartBody,
        Voice,
    },
};

use crate::{
    Hook, HookError, Hooks, Skill, SkillError, Tool,
    skill::{self, SkillSource},
};
pub use config::ConfigError;

/// Why an agent could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// A skill is wrong.
    #[error(transparent)]
    Skill(#[from] SkillError),
    /// A hook is wrong.
    #[error(transparent)]
    Hook(#[from] HookError),
    /// A tool is wrong.
    #[error(transparent)]
    Tool(#[from] ToolDefinitionError),
    /// Two client tools have one name; the server would refuse the start.
    #[error("duplicate_tool_name: two tools are called {0:?}; rename one")]
    DuplicateTool(String),
    /// A catalog agent takes no skills.
    #[error("a catalog agent takes no skills; remove them or describe the agent inline")]
    SkillsOnCatalog,
}

#[derive(Clone, Debug)]
enum Kind {
    Inline(Inline),
    Catalog {
        name: String,
        inputs: Option<BTreeMap<String, String>>,
    },
}

#[derive(Clone, Debug, Default)]
struct Inline {
    instructions: Option<String>,
    model: Option<Model>,
    audio: Option<Audio>,
    greeting: Option<String>,
    interruption_sensitivity: Option<InterruptionSensitivity>,
}

/// An agent, ready to be started any number of times. Cheap to clone.
///
/// ```
/// use alidade_agent::{Agent, Skill, tool::draw};
/// use alidade_wire::start::ServerTool;
///
/// let agent = Agent::inline()
///     .instructions("Help the user find things in what they show you.")
///     .tool(ServerTool::DetectObjects)
///     .tool(draw::draw_box(|request| async move {
///         println!("a box at {:?}", request.area);
///         Ok(draw::Shown::yes())
///     }))
///     .skill(Skill::new("labels", "How to read labels.", "Read the largest print first."))
///     .build()?;
/// assert_eq!(agent.tools().len(), 3, "load_skill comes last");
/// # Ok::<(), alidade_agent::AgentError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Agent(Arc<Built>);

#[derive(Debug)]
struct Built {
    kind: Kind,
    voice: Option<Voice>,
    tools: Vec<Tool>,
    skills: Vec<Skill>,
    hooks: Hooks,
    folder_digest: Option<String>,
}

/// Collects what an agent is. Nothing is checked before [`AgentBuilder::build`].
#[derive(Clone, Debug)]
#[must_use]
pub struct AgentBuilder {
    kind: Kind,
    voice: Option<Voice>,
    tools: Vec<Tool>,
    skills: Vec<SkillSource>,
    hooks: Vec<Hook>,
    folder_digest: Option<String>,
}

impl Agent {
    /// An agent described in place.
    pub fn inline() -> AgentBuilder {
        AgentBuilder::new(Kind::Inline(Inline::default()))
    }

    /// An agent stored at the server under that name.
    pub fn catalog(name: impl Into<String>) -> AgentBuilder {
        AgentBuilder::new(Kind::Catalog {
            name: name.into(),
            inputs: None,
        })
    }

    /// All tools in wire order: the application's, then `cosmo_sdk_load_skill` where there are skills (R27).
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.0.tools
    }

    /// The skills, in order.
    #[must_use]
    pub fn skills(&self) -> &[Skill] {
        &self.0.skills
    }

    /// The hooks.
    #[must_use]
    pub fn hooks(&self) -> &Hooks {
        &self.0.hooks
    }

    /// The digest of the folder the agent was loaded from, where the application gave one (C3).
    #[must_use]
    pub fn folder_digest(&self) -> Option<&str> {
        self.0.folder_digest.as_deref()
    }

    /// Whether it is stored at the server.
    #[must_use]
    pub fn is_catalog(&self) -> bool {
        matches!(self.0.kind, Kind::Catalog { .. })
    }

    /// The start body, with every limit held (R20–R28). `context` is what SessionStart hooks said; a catalog agent
    /// drops it (R30).
    ///
    /// # Errors
    /// [`ConfigError`]; nothing was sent.
    pub fn start_body(
        &self,
        sdk: SdkInfo,
        session: SessionOptions,
        context: &[String],
    ) -> Result<StartBody, ConfigError> {
        config::start_body(self, sdk, session, context)
    }
}

impl AgentBuilder {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            voice: None,
            tools: Vec::new(),
            skills: Vec::new(),
            hooks: Vec::new(),
            folder_digest: None,
        }
    }

    fn inline(mut self, set: impl FnOnce(&mut Inline)) -> Self {
        match &mut self.kind {
            Kind::Inline(inline) => set(inline),
            // A catalog agent's stored description is not the client's to change.
            Kind::Catalog { .. } => {
                tracing::warn!("a catalog agent ignores instructions, model, audio and greeting")
            }
        }
        self
    }

    /// What the agent is told. The skill menu and SessionStart hooks add to it.
    pub fn instructions(self, text: impl Into<String>) -> Self {
        self.inline(|inline| inline.instructions = Some(text.into()))
    }

    /// Which model runs it.
    pub fn model(self, model: Model) -> Self {
        self.inline(|inline| inline.model = Some(model))
    }

    /// Audio both ways.
    pub fn audio(self, audio: Audio) -> Self {
        self.inline(|inline| inline.audio = Some(audio))
    }

    /// Its first words.
    pub fn greeting(self, text: impl Into<String>) -> Self {
        self.inline(|inline| inline.greeting = Some(text.into()))
    }

    /// How easily the user interrupts.
    pub fn interruption_sensitivity(self, sensitivity: InterruptionSensitivity) -> Self {
        self.inline(|inline| inline.interruption_sensitivity = Some(sensitivity))
    }

    /// Values for a catalog agent's placeholders.
    pub fn inputs(mut self, values: BTreeMap<String, String>) -> Self {
        if let Kind::Catalog { inputs, .. } = &mut self.kind {
            *inputs = Some(values);
        }
        self
    }

    /// How it sounds: a name, or a name and style.
    pub fn voice(mut self, voice: impl Into<Voice>) -> Self {
        self.voice = Some(voice.into());
        self
    }

    /// One more tool.
    pub fn tool(mut self, tool: impl Into<Tool>) -> Self {
        self.tools.push(tool.into());
        self
    }

    /// More tools, in order.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// One more skill, in memory.
    pub fn skill(mut self, skill: Skill) -> Self {
        self.skills.push(SkillSource::Memory(skill));
        self
    }

    /// The skills of a folder, read when the agent is built and never again (K19).
    pub fn skills_from(mut self, folder: impl Into<std::path::PathBuf>) -> Self {
        self.skills.push(SkillSource::Folder(folder.into()));
        self
    }

    /// One more hook: a client hook or a server hook.
    pub fn hook(mut self, hook: impl Into<Hook>) -> Self {
        self.hooks.push(hook.into());
        self
    }

    /// The digest of the folder the agent was loaded from; verdicts bind to it (C3).
    pub fn folder_digest(mut self, digest: impl Into<String>) -> Self {
        self.folder_digest = Some(digest.into());
        self
    }

    /// Resolves skills, checks what can be checked, and fixes the agent.
    ///
    /// # Errors
    /// [`AgentError`].
    pub fn build(self) -> Result<Agent, AgentError> {
        let Self {
            kind,
            voice,
            mut tools,
            skills,
            hooks,
            folder_digest,
        } = self;
        let catalog = matches!(kind, Kind::Catalog { .. });
        let hooks = Hooks::new(hooks);
        if catalog {
            if !hooks.server_hooks().is_empty() {
                return Err(HookError::ServerHookNotAllowed.into());
            }
            if !skills.is_empty() {
                return Err(AgentError::SkillsOnCatalog);
            }
        }
        let skills = skill::resolve(&skills)?;
        if !skills.is_empty() {
            tools.push(skill::load_skill_tool(&skills));
        }
        let mut names = std::collections::HashSet::new();
        for tool in tools.iter().filter(|tool| tool.client().is_some()) {
            if !names.insert(tool.name()) {
                return Err(AgentError::DuplicateTool(tool.name().to_owned()));
            }
        }
        Ok(Agent(Arc::new(Built {
            kind,
            voice,
            tools,
            skills,
            hooks,
            folder_digest,
        })))
    }
}

impl Built {
    fn server_hooks(&self) -> Vec<ServerHook> {
        self.hooks.server_hooks()
    }
}
