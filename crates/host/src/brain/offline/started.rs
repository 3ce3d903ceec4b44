//! Starting a tool that the person's words fit, asking for what it still needs, and saying what came of it.

use serde_json::{Map, Value};

use super::coerce::{self, Coerced};
use super::heard::{Heard, MOST_CHARS, squeezed};
use super::memory::Waiting;
use super::mind::{Mind, SAME};
use super::phrases::{best_fit, callable, phrases};
use super::understand::is_plain;
use super::{naming, words};
use crate::brain::{Desk, ToolDecl, ToolOutcome};

/// Phrases that are compared by meaning.
const MOST_COMPARED: usize = 48;
/// How often in a row a parameter is asked for.
const MOST_TRIES: u8 = 2;

impl Mind {
    /// Starts the tool whose phrase the person used.
    pub(super) async fn tool_by_phrase(&mut self, text: &str, desk: &dyn Desk) -> Option<String> {
        let (tool, fit) = best_fit(text, desk.tools())?;
        let tool = tool.clone();
        let mut known = Map::new();
        let mut refused = None;
        for (name, said) in &fit.slots {
            match coerce::coerce(said, property(&tool.parameters, name)) {
                Coerced::Value(value) => {
                    known.insert(name.clone(), value);
                }
                Coerced::Refused(kind) => refused = refused.or(Some((name.clone(), kind))),
            }
        }
        if let Some((name, kind)) = refused {
            self.memory.waiting = Some(Waiting {
                tool: tool.name.clone(),
                known,
                wanted: name.clone(),
                tries: 1,
            });
            return Some(words::ask_again(&name, &kind));
        }
        Some(self.ask_or_call(&tool, known, desk).await)
    }

    /// Starts a tool whose phrase means the same as what the person said; only one without blanks.
    pub(super) async fn tool_by_meaning(&mut self, text: &str, desk: &dyn Desk) -> Option<String> {
        let mut told = Vec::new();
        let mut tools = Vec::new();
        for tool in desk.tools().iter().filter(|tool| callable(tool)) {
            for phrase in phrases(&tool.description) {
                if told.len() < MOST_COMPARED && !phrase.has_blanks() {
                    told.push(phrase.text);
                    tools.push(tool);
                }
            }
        }
        let text: String = text.chars().take(200).collect();
        let alike = self.meanings(&text, &told).await?;
        let (index, most) = alike
            .into_iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        if most < SAME {
            return None;
        }
        let tool = (*tools.get(index)?).clone();
        Some(self.ask_or_call(&tool, Map::new(), desk).await)
    }

    /// Takes a turn as the parameter that was asked for. None where it is something else.
    pub(super) async fn waited_for(&mut self, text: &str, desk: &dyn Desk) -> Option<String> {
        let waiting = self.memory.waiting.take()?;
        let tool = desk
            .tools()
            .iter()
            .find(|tool| tool.name == waiting.tool)?
            .clone();
        let heard = Heard::new(&text.chars().take(MOST_CHARS).collect::<String>());
        let dropped = heard.len() == 0
            || [
                "cancel|stop|quit|exit|abort|nothing that|it?",
                "never mind",
                "nevermind",
                "forget it|that|about?",
                "no|none thanks?",
                "leave it|that?",
            ]
            .iter()
            .any(|pattern| heard.whole(0, heard.len(), pattern));
        if dropped {
            return Some(words::STOPPED.to_owned());
        }
        let other = best_fit(text, desk.tools()).is_some_and(|(_, fit)| fit.complete);
        if other || is_plain(text, super::intent::Situation::default()) {
            return None;
        }
        match coerce::coerce(&squeezed(text), property(&tool.parameters, &waiting.wanted)) {
            Coerced::Value(value) => {
                let mut known = waiting.known;
                known.insert(waiting.wanted, value);
                Some(self.ask_or_call(&tool, known, desk).await)
            }
            Coerced::Refused(_) if waiting.tries >= MOST_TRIES => None,
            Coerced::Refused(kind) => {
                let answer = words::ask_again(&waiting.wanted, &kind);
                self.memory.waiting = Some(Waiting {
                    tries: waiting.tries + 1,
                    ..waiting
                });
                Some(answer)
            }
        }
    }

    /// Calls a tool, or asks for the first required parameter that is missing.
    async fn ask_or_call(
        &mut self,
        tool: &ToolDecl,
        known: Map<String, Value>,
        desk: &dyn Desk,
    ) -> String {
        let required = tool
            .parameters
            .get("required")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let missing = required
            .iter()
            .filter_map(Value::as_str)
            .find(|name| !known.contains_key(*name))
            .map(str::to_owned);
        if let Some(name) = missing {
            let described = property(&tool.parameters, &name)
                .and_then(|schema| schema.get("description"))
                .and_then(Value::as_str)
                .filter(|text| !text.trim().is_empty() && text.chars().count() <= 120)
                .map(squeezed);
            self.memory.waiting = Some(Waiting {
                tool: tool.name.clone(),
                known,
                wanted: name.clone(),
                tries: 0,
            });
            return match described {
                Some(described) => words::ask_for_described(&name, &described),
                None => words::ask_for(&name),
            };
        }
        match desk.call(&tool.name, known).await {
            ToolOutcome::Ok(result) => told(&result),
            ToolOutcome::Failed(why) => words::tool_failed(why.trim()),
            ToolOutcome::Deferred { note, .. } if note.trim().is_empty() => {
                words::WORKING.to_owned()
            }
            ToolOutcome::Deferred { note, .. } => words::sentence(&note),
        }
    }
}

fn property<'a>(parameters: &'a Value, name: &str) -> Option<&'a Value> {
    parameters.get("properties")?.get(name)
}

/// What a tool's result is worth saying.
fn told(result: &Value) -> String {
    let said = match result {
        Value::String(text) => Some(text.clone()),
        Value::Object(map) => [
            "summary", "message", "text", "answer", "says", "note", "result",
        ]
        .iter()
        .find_map(|key| map.get(*key).and_then(Value::as_str))
        .map(str::to_owned)
        .or_else(|| listed(map)),
        _ => None,
    };
    match said
        .map(|said| super::seen::cut(&squeezed(&said), 400))
        .filter(|said| !said.is_empty())
    {
        Some(said) => words::done(&said),
        None => words::DONE.to_owned(),
    }
}

/// A small result as "name: value" pairs.
fn listed(map: &Map<String, Value>) -> Option<String> {
    let pairs: Vec<String> = map
        .iter()
        .filter_map(|(key, value)| {
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Bool(flag) => words::flag(*flag).to_owned(),
                _ => return None,
            };
            Some(format!("{}: {value}", key.replace('_', " ")))
        })
        .take(4)
        .collect();
    (!pairs.is_empty()).then(|| naming::tidy(&pairs.join(", ")))
}
