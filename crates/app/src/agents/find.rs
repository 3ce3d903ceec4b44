//! Where agents lie, and how one is found by name.

use std::{
    env,
    path::{Path, PathBuf},
};

use super::{AgentFolder, Fault, Faults};

/// The folders that hold agents, first match wins: an override, the person's own, then the shipped
/// ones beside the executable, in the system's data and in the checkout.
#[derive(Clone, Debug)]
pub struct Places(pub Vec<PathBuf>);

impl Default for Places {
    fn default() -> Self {
        let mut places = Vec::new();
        places.extend(env::var_os("ALIDADE_AGENTS").map(PathBuf::from));
        let config = env::var_os("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .filter(|p| p.is_absolute())
            .or_else(|| env::var_os("HOME").map(|home| Path::new(&home).join(".config")));
        places.extend(config.map(|c| c.join("alidade/agents")));
        if let Some(beside) = env::current_exe()
            .ok()
            .and_then(|e| e.parent().map(Path::to_path_buf))
        {
            places.push(beside.join("agents"));
            places.push(beside.join("../share/alidade/agents"));
        }
        places.push("/usr/share/alidade/agents".into());
        places.push(concat!(env!("CARGO_MANIFEST_DIR"), "/../../agents").into());
        Self(places)
    }
}

/// Every agent of every place, by folder name; one that an earlier place also has is left out. A
/// place that does not exist is skipped.
#[must_use]
pub fn list(places: &Places) -> Vec<(String, Result<AgentFolder, Faults>)> {
    let mut agents: Vec<(String, Result<AgentFolder, Faults>)> = Vec::new();
    for place in &places.0 {
        let Ok(entries) = std::fs::read_dir(place) else {
            continue;
        };
        let mut folders: Vec<PathBuf> = entries
            .flatten()
            .map(|e| e.path())
            .filter(|p| p.join("agent.toml").exists())
            .collect();
        folders.sort();
        for folder in folders {
            let name = folder
                .file_name()
                .map(|n| n.to_string_lossy().into_owned())
                .unwrap_or_default();
            if !agents.iter().any(|(known, _)| *known == name) {
                agents.push((name, AgentFolder::load(folder)));
            }
        }
    }
    agents
}

/// The agent of that name, or of that folder where the text holds a path.
///
/// # Errors
/// [`Faults`] where there is none (the sentence lists those there are) or it has faults.
pub fn find(places: &Places, name: &str) -> Result<AgentFolder, Faults> {
    let looks_like_path = name.contains(['/', '\\']) || name == "." || name == "..";
    if looks_like_path {
        return AgentFolder::load(PathBuf::from(name));
    }
    // One plain folder name: nothing else could leave the place.
    for place in &places.0 {
        let folder = place.join(name);
        if !name.is_empty() && folder.join("agent.toml").exists() {
            return AgentFolder::load(folder);
        }
    }
    let known: Vec<String> = list(places).into_iter().map(|(name, _)| name).collect();
    let says = if known.is_empty() {
        "There is no agent of this name, and no other one either. Reinstall Alidade or give the path of an agent's folder.".into()
    } else {
        format!(
            "There is no agent of this name. These exist: {}. A path of a folder works too.",
            known.join(", ")
        )
    };
    Err(Faults(vec![Fault {
        file: name.into(),
        line: None,
        says,
    }]))
}
