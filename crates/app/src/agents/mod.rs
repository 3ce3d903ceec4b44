//! Agents on disk: a folder with `agent.toml`, `instructions.md` and skills, read once, checked
//! field by field, and turned into what a session starts with.
//!
//! Everything wrong with a folder is reported at once, each with file, line and a sentence, so that a
//! person can mend it in one go. Nothing in a folder runs while it is read.

mod check;
mod fields;
mod find;
mod manifest;
mod skills;
mod text;

use std::{fmt, path::PathBuf};

pub use find::{Hidden, Places, find, hidden, list, override_problem};
pub use manifest::{BackendWish, GateRule, ModelWish, Renderer, RuleAction};

use alidade_sdk::{
    agent::{Agent, AgentBuilder, Hook, PreToolUse, Skill},
    wire::start::{ServerHook, ServerTool, Voice},
};

use crate::visible;

/// One thing wrong with an agent's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file it stands in.
    pub file: PathBuf,
    /// The line, counted from one, where there is one.
    pub line: Option<usize>,
    /// A sentence that says what to do.
    pub says: String,
}

impl fmt::Display for Fault {
    /// One line, whatever the folder's maker wrote: names and texts are quoted with [`visible::one_line`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible::one_line(&self.file.to_string_lossy()))?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", visible::one_line(&self.says))
    }
}

/// What is wrong with a folder: never empty.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

/// An agent as its folder describes it, checked.
#[derive(Clone, Debug)]
pub struct AgentFolder {
    /// Where it lies.
    pub folder: PathBuf,
    /// Its name, the same as the folder's.
    pub name: String,
    /// One line for a list.
    pub description: String,
    /// What it is told to be.
    pub instructions: String,
    /// What it says first, if anything.
    pub greeting: Option<String>,
    /// The voice's name, if it wishes for one.
    pub voice: Option<String>,
    /// How it speaks, if it wishes for something.
    pub speaking_style: Option<String>,
    /// Server tools, in order.
    pub server_tools: Vec<ServerTool>,
    /// What it may draw.
    pub renderers: Vec<Renderer>,
    /// Silence hooks the backend runs.
    pub hooks: Vec<ServerHook>,
    /// Which backend it would like.
    pub backend: BackendWish,
    /// Which model it would like.
    pub model: ModelWish,
    /// Rules that tighten the gate for its tools.
    pub gate: Vec<GateRule>,
    /// Its skills, sorted by folder.
    pub skills: Vec<Skill>,
    /// What works, but not as its maker may think.
    pub warnings: Vec<Fault>,
}

impl AgentFolder {
    /// Reads and checks a folder.
    ///
    /// # Errors
    /// [`Faults`]: every fault that was found, with file, line and a sentence.
    pub fn load(folder: impl Into<PathBuf>) -> Result<Self, Faults> {
        manifest::load(folder.into())
    }

    /// The agent as the library knows it, its server tools, skills and rules in place; the application
    /// adds what draws and runs.
    pub fn describe(&self) -> AgentBuilder {
        let mut agent = Agent::inline().instructions(&self.instructions);
        if let Some(greeting) = &self.greeting {
            agent = agent.greeting(greeting);
        }
        if self.voice.is_some() || self.speaking_style.is_some() {
            agent = agent.voice(Voice {
                name: self.voice.clone(),
                speaking_style: self.speaking_style.clone(),
            });
        }
        for tool in &self.server_tools {
            agent = agent.tool(*tool);
        }
        for skill in &self.skills {
            agent = agent.skill(skill.clone());
        }
        for hook in &self.hooks {
            agent = agent.hook(Hook::server(hook.clone()));
        }
        for rule in &self.gate {
            let action = rule.action;
            let hook = Hook::pre_tool_use(Some(&rule.tool), move |_| async move {
                match action {
                    RuleAction::Ask => Ok(PreToolUse::ask()),
                    RuleAction::Deny => {
                        Ok(PreToolUse::deny("the agent's own rules forbid this tool"))
                    }
                }
            });
            // The pattern was checked when the folder was read.
            if let Ok(hook) = hook {
                agent = agent.hook(hook);
            }
        }
        agent
    }
}
