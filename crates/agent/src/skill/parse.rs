//! `SKILL.md`: a line-oriented header between two `---` lines, then the body. Not YAML (`skills.md` §3).

use std::collections::HashSet;

use super::{Skill, SkillCode, SkillError};

/// Reads a `SKILL.md`; `default_name` stands in for an absent name (K1–K6).
///
/// # Errors
/// [`SkillError`], with the line where one is at fault.
pub fn parse(text: &str, default_name: &str) -> Result<Skill, SkillError> {
    let text = text.replace("\r\n", "\n");
    let Some(rest) = text.strip_prefix("---\n") else {
        return Err(SkillError::new(
            SkillCode::MissingFrontmatter,
            "a skill begins with a line of exactly three hyphens, then its header",
        ));
    };
    let Some((header, body)) = split_header(rest) else {
        return Err(SkillError::new(
            SkillCode::UnterminatedFrontmatter,
            "the header needs at least one line and ends with a line of exactly three hyphens",
        ));
    };
    let (mut name, mut description) = (None, None);
    let mut seen = HashSet::new();
    for (at, line) in header.split('\n').enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line == "-" || line.starts_with("- ") {
            continue;
        }
        // The header begins on the file's second line.
        let number = at + 2;
        let Some((key, value)) = line.split_once(':') else {
            return Err(SkillError::new(
                SkillCode::MalformedFrontmatterLine,
                "a header line has the form key: value, on one line",
            )
            .at(number));
        };
        let (key, value) = (key.trim(), value.trim());
        if !seen.insert(key) {
            return Err(SkillError::new(
                SkillCode::DuplicateFrontmatterKey,
                format!("{key} stands twice"),
            )
            .at(number));
        }
        match key {
            "name" => name = Some(value),
            "description" => description = Some(value),
            _ => {}
        }
    }
    let Some(description) = description.filter(|text| !text.is_empty()) else {
        return Err(SkillError::new(
            SkillCode::MissingDescription,
            "the header needs a line description: that says when to load the skill",
        ));
    };
    let name = name.filter(|text| !text.is_empty()).unwrap_or(default_name);
    Ok(Skill::new(name, description, body.trim()))
}

/// Header and body around the closing line, which needs a line before it.
fn split_header(rest: &str) -> Option<(&str, &str)> {
    if let Some(at) = rest.find("\n---\n") {
        return Some((&rest[..at], &rest[at + 5..]));
    }
    rest.strip_suffix("\n---").map(|header| (header, ""))
}
