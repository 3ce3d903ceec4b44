//! Where agents lie, and how one is found by name.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::{AgentFolder, Fault, Faults};

/// The variable of the environment that names a place before all others.
const OVERRIDE: &str = "ALIDADE_AGENTS";
const MANIFEST: &str = "agent.toml";

/// The folders that hold agents, first match wins: an override, the person's own, then the shipped
/// ones beside the executable, in the system's data and in the checkout.
#[derive(Clone, Debug)]
pub struct Places(pub Vec<PathBuf>);

impl Default for Places {
    fn default() -> Self {
        let mut places = Vec::new();
        places.extend(overridden());
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

fn overridden() -> Option<PathBuf> {
    env::var_os(OVERRIDE)
        .filter(|place| !place.is_empty())
        .map(PathBuf::from)
}

/// What is wrong with the place that the environment names, as a sentence; nothing if it names none.
/// The other places are searched all the same.
#[must_use]
pub fn override_problem() -> Option<String> {
    overridden().and_then(|place| {
        let error = std::fs::read_dir(&place).err()?;
        Some(format!(
            "{OVERRIDE} names {}, where no agents can be read: {error}. The other places are searched alone.",
            place.display()
        ))
    })
}

/// An agent that is not reached by its name, because an earlier place has one of the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// Its folder.
    pub folder: PathBuf,
    /// The folder that is taken instead.
    pub by: PathBuf,
}

/// Every agent that an earlier place hides.
#[must_use]
pub fn hidden(places: &Places) -> Vec<Hidden> {
    let mut seen: Vec<(OsString, PathBuf)> = Vec::new();
    let mut hidden = Vec::new();
    for folder in places.0.iter().flat_map(|place| folders(place)) {
        let name = folder.file_name().unwrap_or_default().to_os_string();
        match seen.iter().find(|(known, _)| *known == name) {
            // One folder that two places lead to hides nothing.
            Some((_, by)) if same(by, &folder) => {}
            Some((_, by)) => hidden.push(Hidden {
                folder,
                by: by.clone(),
            }),
            None => seen.push((name, folder)),
        }
    }
    hidden
}

fn same(one: &Path, other: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// The folders of agents in one place, sorted; none where it does not exist.
fn folders(place: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(place) else {
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|folder| is_agent(folder))
        .collect();
    folders.sort();
    folders
}

/// Whether a folder has a manifest, be it a broken link: that is told when it is read.
fn is_agent(folder: &Path) -> bool {
    std::fs::symlink_metadata(folder.join(MANIFEST)).is_ok()
}

/// Every agent of every place, by folder name; one that an earlier place also has is left out. A
/// place that does not exist is skipped.
#[must_use]
pub fn list(places: &Places) -> Vec<(String, Result<AgentFolder, Faults>)> {
    let mut agents: Vec<(String, Result<AgentFolder, Faults>)> = Vec::new();
    for folder in places.0.iter().flat_map(|place| folders(place)) {
        let name = folder
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        if !agents.iter().any(|(known, _)| *known == name) {
            agents.push((name, AgentFolder::load(folder)));
        }
    }
    agents
}

/// The agent of that name, or of that folder where the text holds a path; the path of its `agent.toml`
/// will do. A plain name is never taken for a folder of the working directory, which may be anyone's.
///
/// # Errors
/// [`Faults`] where there is none (the sentence lists those there are) or it has faults.
pub fn find(places: &Places, name: &str) -> Result<AgentFolder, Faults> {
    let looks_like_path =
        name.contains(['/', '\\']) || name == "." || name == ".." || name == MANIFEST;
    if looks_like_path {
        let path = PathBuf::from(name);
        let folder = match path.parent() {
            Some(parent) if path.ends_with(MANIFEST) && !path.is_dir() => parent.to_path_buf(),
            _ => path,
        };
        let here = folder.as_os_str().is_empty();
        return AgentFolder::load(if here { ".".into() } else { folder });
    }
    // One plain folder name: nothing else could leave the place.
    for place in &places.0 {
        let folder = place.join(name);
        if !name.is_empty() && is_agent(&folder) {
            return AgentFolder::load(folder);
        }
    }
    let known: Vec<String> = list(places).into_iter().map(|(name, _)| name).collect();
    let says = if !name.is_empty() && is_agent(Path::new(name)) {
        format!("There is no agent of this name, but a folder here: give it as ./{name}.")
    } else if known.is_empty() {
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
