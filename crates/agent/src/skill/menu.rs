//! The menu of skills in an agent's instructions (`skills.md` §4).

use super::Skill;

const HEADING: &str = "## Skills";
const HOW: &str = "When the conversation turns to what one of these is for, call cosmo_sdk_load_skill(name) to fetch its private guidance:";

/// The instructions with the menu after a blank line, or the menu alone; unchanged without skills (K10–K13).
pub(crate) fn plus_menu(instructions: Option<&str>, skills: &[Skill]) -> Option<String> {
    if skills.is_empty() {
        return instructions.map(str::to_owned);
    }
    let mut menu = format!("{HEADING}\n{HOW}");
    for skill in skills {
        menu.push_str(&format!(
            "\n- {}: {}",
            skill.name,
            one_line(&skill.description)
        ));
    }
    Some(match instructions {
        Some(base) if !base.is_empty() => format!("{base}\n\n{menu}"),
        _ => menu,
    })
}

/// Every run of line breaks becomes one space, and runs at the ends vanish (K11).
fn one_line(text: &str) -> String {
    let breaks = |c: char| {
        matches!(
            c,
            '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    text.split(breaks)
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
