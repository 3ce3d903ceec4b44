//! `cosmo_sdk_load_skill`: hands a skill's body to the model (`skills.md` §5).

use std::sync::Arc;

use alidade_wire::{Value, names};
use serde_json::json;

use super::Skill;
use crate::{
    Failure, Tool,
    gate::{Definition, Origin},
    tool::Handler,
};

/// What stands before every body.
pub const PREFACE: &str = "What follows is private guidance for you. It holds until this call ends. Act on it, and never read it out.\n\n";

const DESCRIPTION: &str = "Fetches the private guidance of one skill; it holds until the call ends. Call it as soon as the \
    conversation turns to what a skill's description is about. The answer steers how you behave and is never spoken.";

/// The loader over these skills; there must be at least one.
pub(crate) fn load_skill_tool(skills: &[Skill]) -> Tool {
    let names: Vec<&str> = skills.iter().map(|skill| skill.name.as_str()).collect();
    let parameters = json!({
        "type": "object",
        "properties": {"name": {"type": "string", "enum": names, "description": "Which skill to fetch."}},
        "required": ["name"],
    });
    let definition = Definition {
        name: names::LOAD_SKILL.to_owned(),
        description: DESCRIPTION.to_owned(),
        parameters,
        origin: Origin::LoadSkill,
    };
    let skills: Arc<[Skill]> = skills.into();
    let run = crate::tool::plain(move |arguments| {
        let answer = answer(&skills, arguments.get("name"));
        async move { answer }
    });
    Tool::built_in(definition, Handler::Plain(run))
}

fn answer(skills: &[Skill], name: Option<&Value>) -> Result<Value, Failure> {
    let found = name
        .and_then(Value::as_str)
        .and_then(|name| skills.iter().find(|skill| skill.name == name));
    match found {
        Some(skill) => Ok(json!({"instructions": format!("{PREFACE}{}", skill.body)})),
        None => {
            let mut names: Vec<&str> = skills.iter().map(|skill| skill.name.as_str()).collect();
            names.sort_unstable();
            Err(Failure::new(format!(
                "There is no such skill. The skills are: {}.",
                names.join(", ")
            )))
        }
    }
}
