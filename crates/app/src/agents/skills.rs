//! The skills of an agent's folder: each is read on its own, so that one that is broken hides no other.

use std::{fs, path::Path};

use alidade_sdk::agent::{
    Skill,
    skill::{SKILL_FILE_BYTES_MAX, parse},
};

use super::{
    Fault,
    manifest::sentence,
    text::{leads_beneath, read_beneath},
};
use crate::visible;

/// Most entries of `skills` that are looked at.
const ENTRIES_MAX: usize = 4096;
const FILE: &str = "SKILL.md";

/// The skills of an agent's folder, sorted by folder name; what is wrong goes to `faults`, what is
/// passed over to `warnings`.
pub(super) fn load(agent: &Path, faults: &mut Vec<Fault>, warnings: &mut Vec<Fault>) -> Vec<Skill> {
    let place = agent.join("skills");
    let said = |says: String| Fault {
        file: place.clone(),
        line: None,
        says,
    };
    // Not `exists`: that follows links, and one that leads nowhere is a fault to be told.
    if fs::symlink_metadata(&place).is_err() {
        return Vec::new();
    }
    if let Err(says) = leads_beneath(agent, &place) {
        faults.push(said(says));
        return Vec::new();
    }
    let entries = match fs::read_dir(&place) {
        Ok(entries) => entries,
        Err(error) => {
            faults.push(said(format!(
                "This folder of skills cannot be read: {error}."
            )));
            return Vec::new();
        }
    };
    let mut names: Vec<_> = entries
        .take(ENTRIES_MAX + 1)
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    if names.len() > ENTRIES_MAX {
        faults.push(said(format!(
            "This folder has more than the {ENTRIES_MAX} entries that are looked at. Take some out."
        )));
        return Vec::new();
    }
    names.sort();
    let mut skills = Vec::new();
    for name in names {
        let folder = place.join(&name);
        match one(&place, &folder, &name.to_string_lossy()) {
            Found::Skill(skill) => skills.push(skill),
            Found::Broken(found) => faults.extend(found),
            Found::Nothing(warning) => warnings.extend(warning),
        }
    }
    skills
}

enum Found {
    Skill(Skill),
    Broken(Vec<Fault>),
    /// Not a skill, and what to say about that.
    Nothing(Option<Fault>),
}

fn one(place: &Path, folder: &Path, name: &str) -> Found {
    let said = |says: String| Fault {
        file: folder.to_path_buf(),
        line: None,
        says,
    };
    // Before anything is asked about what it leads to.
    if let Err(says) = leads_beneath(place, folder) {
        return Found::Broken(vec![said(says)]);
    }
    if !folder.is_dir() {
        let misplaced = name == FILE;
        return if misplaced {
            Found::Broken(vec![said(
                "A skill has a folder of its own. Move this to skills/<name>/SKILL.md.".into(),
            )])
        } else {
            Found::Nothing(None)
        };
    }
    let file = folder.join(FILE);
    if fs::symlink_metadata(&file).is_err() {
        return Found::Nothing(Some(said(
            "This folder has no SKILL.md, so it is no skill and is passed over.".into(),
        )));
    }
    let text = match read_beneath(folder, FILE, SKILL_FILE_BYTES_MAX) {
        Ok(text) => text,
        Err(fault) => return Found::Broken(vec![fault]),
    };
    let at = |line: Option<usize>, says: String| Fault {
        file: file.clone(),
        line,
        says,
    };
    let skill = match parse(&text, name) {
        Ok(skill) => skill,
        Err(error) => return Found::Broken(vec![at(error.line, sentence(&error.message))]),
    };
    let line = |key: &str| {
        text.lines()
            .position(|line| line.trim_start().starts_with(key))
            .map(|index| index + 1)
    };
    let mut faults = Vec::new();
    if skill.name != name {
        faults.push(at(
            line("name"),
            format!(
                "The skill is called `{}` but its folder `{name}`. Give both the same name.",
                skill.name
            ),
        ));
    }
    for (key, text) in [("name", &skill.name), ("description", &skill.description)] {
        if text.chars().any(visible::acts) {
            faults.push(at(
                line(key),
                format!(
                    "`{key}` holds a control character. Take it out: `{}`.",
                    visible::one_line(text)
                ),
            ));
        }
    }
    if faults.is_empty() {
        Found::Skill(skill)
    } else {
        Found::Broken(faults)
    }
}
