//! Skills: the menu in the instructions, loading one that fits, and going through its steps.
//!
//! A loaded skill is guidance by the agent's author. Lines of it that tell how to reach a control are
//! gone through one by one; a skill without such lines is for a model and stays in the background. It
//! starts no tool.

use serde_json::{Map, Value};

use super::hands::{self, LOAD_SKILL};
use super::heard::Heard;
use super::intent::Manner;
use super::marking::and_why_not;
use super::memory::Steps;
use super::mind::Mind;
use super::place::place;
use super::seen::cut;
use super::{handling, naming, words};
use crate::brain::{Desk, ToolOutcome};

/// Skills of a menu that are looked at.
const MOST_SKILLS: usize = 64;
/// Steps of a skill.
const MOST_STEPS: usize = 50;
/// How alike a wish and a skill's description have to be in meaning.
const FITS: f32 = 0.6;

/// A line of the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    pub(super) name: String,
    pub(super) description: String,
}

/// The skills that instructions list under their heading.
pub(super) fn menu(instructions: &str) -> Vec<Skill> {
    let Some(at) = instructions.rfind("## Skills") else {
        return Vec::new();
    };
    instructions
        .get(at..)
        .unwrap_or("")
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with('#'))
        .filter_map(|line| line.strip_prefix("- ")?.split_once(": "))
        .map(|(name, description)| Skill {
            name: name.trim().to_owned(),
            description: description.trim().to_owned(),
        })
        .take(MOST_SKILLS)
        .collect()
}

/// The steps in the text of a skill; none where its numbered lines are not about controls.
pub(super) fn steps(body: &str) -> Vec<String> {
    let lines: Vec<String> = body
        .lines()
        .filter_map(|line| numbered(line.trim()))
        .map(|line| cut(&plain(line), 300))
        .filter(|line| !line.is_empty())
        .take(MOST_STEPS)
        .collect();
    let telling = lines.iter().filter(|line| handling::is_step(line)).count();
    if telling * 2 >= lines.len() && telling > 0 {
        lines
    } else {
        Vec::new()
    }
}

fn numbered(line: &str) -> Option<&str> {
    let line = line
        .strip_prefix("Step ")
        .or_else(|| line.strip_prefix("step "))
        .unwrap_or(line);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 3 {
        return None;
    }
    let rest = line.get(digits..)?;
    rest.strip_prefix(['.', ')', ':'])
        .filter(|rest| rest.starts_with(' '))
        .map(str::trim)
}

/// A line without the signs of Markdown.
fn plain(line: &str) -> String {
    line.replace(['*', '`'], "").trim().to_owned()
}

impl Mind {
    /// Loads a skill that fits a wish, and begins its steps. None where no skill fits, or it has none.
    pub(super) async fn skill_for(
        &mut self,
        phrase: &str,
        text: &str,
        desk: &dyn Desk,
    ) -> Option<String> {
        if !hands::has(desk, LOAD_SKILL) {
            return None;
        }
        let skills = menu(desk.instructions());
        let skill = self.fitting(phrase, text, &skills).await?;
        if self.memory.has_loaded(&skill.name) {
            return None;
        }
        let mut args = Map::new();
        args.insert("name".to_owned(), Value::from(skill.name.clone()));
        let ToolOutcome::Ok(answer) = desk.call(LOAD_SKILL, args).await else {
            return None;
        };
        let lines = steps(
            answer
                .get("instructions")
                .and_then(Value::as_str)
                .unwrap_or(""),
        );
        if lines.is_empty() {
            // Nothing to go through: it need not be fetched again.
            self.memory.load(&skill.name);
            return None;
        }
        self.memory.steps = Some(Steps { lines, at: 0 });
        self.memory.shown = None;
        let answer = self.this_step(desk).await;
        Some(answer)
    }

    async fn fitting(&self, phrase: &str, text: &str, skills: &[Skill]) -> Option<Skill> {
        let heard = Heard::new(text);
        let called = skills.iter().find(|skill| {
            let name = skill.name.replace(['-', '_'], " ");
            (0..heard.len()).any(|at| heard.is(at, "skill")) && naming::overlap(&name, text) >= 1.0
        });
        if let Some(skill) = called {
            return Some(skill.clone());
        }
        let wanted = naming::content(phrase).len();
        let by_words = skills.iter().find(|skill| {
            let told = format!(
                "{} {}",
                skill.name.replace(['-', '_'], " "),
                skill.description
            );
            wanted >= 2 && naming::overlap(phrase, &told) >= 0.99
        });
        if let Some(skill) = by_words {
            return Some(skill.clone());
        }
        let told: Vec<String> = skills
            .iter()
            .map(|skill| skill.description.clone())
            .collect();
        let alike = self.meanings(phrase, &told).await?;
        let (index, most) = alike
            .into_iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        if most < FITS {
            return None;
        }
        skills.get(index).cloned()
    }

    /// Moves to the next step.
    pub(super) async fn next_step(&mut self, desk: &dyn Desk) -> String {
        let Some(steps) = &mut self.memory.steps else {
            return words::NOTHING_NEXT.to_owned();
        };
        if steps.at + 1 >= steps.lines.len() {
            self.memory.steps = None;
            return words::LAST_STEP.to_owned();
        }
        steps.at += 1;
        self.this_step(desk).await
    }

    /// Moves back a step.
    pub(super) async fn previous_step(&mut self, desk: &dyn Desk) -> String {
        let Some(steps) = &mut self.memory.steps else {
            return words::NOTHING_BEFORE.to_owned();
        };
        let Some(at) = steps.at.checked_sub(1) else {
            return words::NOTHING_BEFORE.to_owned();
        };
        steps.at = at;
        self.this_step(desk).await
    }

    /// Says the step at hand and marks its control.
    pub(super) async fn this_step(&mut self, desk: &dyn Desk) -> String {
        let Some((line, at, count)) = self.memory.steps.as_ref().and_then(|steps| {
            Some((
                steps.lines.get(steps.at)?.clone(),
                steps.at,
                steps.lines.len(),
            ))
        }) else {
            return words::NOTHING_NEXT.to_owned();
        };
        let told = words::step(at + 1, count, &line);
        if !handling::is_step(&line) {
            return format!("{told} {}", words::SAY_NEXT);
        }
        let phrase = handling::step(&line);
        self.memory.subject = Some(phrase.clone());
        let sighting = match hands::look(desk, &phrase, Manner::Any).await {
            Ok(sighting) => sighting,
            Err(why) => return format!("{told} {why}"),
        };
        let Some(best) = sighting.found.first() else {
            return format!("{told} {}", words::STEP_NOT_THERE);
        };
        let drawn = self
            .mark_one(best, &phrase, Manner::Any, sighting.frame.as_ref(), desk)
            .await;
        let here = words::step_here(
            &words::name(&best.label, best.way, &phrase),
            words::place(place(best.spot)),
        );
        let mut answer = and_why_not(format!("{told} {here}"), &drawn);
        if at == 0 {
            answer = format!("{answer} {}", words::SAY_NEXT);
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        reason = "tests may"
    )]

    use super::*;

    #[test]
    fn the_menu_is_read_from_the_instructions() {
        let skills = menu(
            "Be brief.\n\n## Skills\nCall it when needed.\n- print: Print a document on paper.\n- two words: Odd: but fine.\n\nMore context.",
        );
        assert_eq!(skills.len(), 2);
        assert_eq!(skills[1].name, "two words");
        assert_eq!(skills[1].description, "Odd: but fine.");
        assert!(menu("no skills: here").is_empty());
    }

    #[test]
    fn only_lines_about_controls_are_steps() {
        let body = "Private.\n\nPrint it.\n\n1. Open the **File** menu.\n2) Choose Print…\n3. Wait for the page.\n\nThen rest.";
        assert_eq!(
            steps(body),
            ["Open the File menu.", "Choose Print…", "Wait for the page."]
        );
        assert!(steps("1. Name the next thing.\n2. Say what it does.\n3. Wait.").is_empty());
        assert!(steps("").is_empty());
    }

    #[test]
    fn a_step_names_its_control() {
        for (line, control) in [
            ("Open the File menu.", "the File menu"),
            ("Choose Print…", "Print"),
            ("Click \"Save As\" so that a copy is kept.", "\"Save As\""),
            ("Then press the green key.", "the green key"),
            ("Type your name in the Title field.", "the Title field"),
            ("Tick Remember me", "Remember me"),
        ] {
            assert_eq!(handling::step(line), control, "{line}");
        }
    }
}
