//! Scripted agents: handlers, hooks and jobs that do what a case says, and note what they saw.

use std::sync::Arc;

use alidade_agent::{Failure, Hook, Outcome, Permission, PreToolUse};
use parking_lot::Mutex;
use serde_json::{Map, Value, json};

/// What hooks and handlers saw, in order.
#[derive(Default)]
pub struct Seen {
    pub handler: Mutex<Vec<Value>>,
    pub pre: Mutex<Vec<Value>>,
    pub post: Mutex<Vec<Value>>,
    /// Indexes of observers that ran.
    pub ran: Mutex<Vec<usize>>,
}

pub fn outcome(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Ok(result) => json!({"kind": "ok", "result": result}),
        Outcome::Error(message) => json!({"kind": "error", "message": message}),
        Outcome::Denied(reason) => json!({"kind": "denied", "reason": reason}),
    }
}

fn pre_result(script: &Value, arguments: &Map<String, Value>) -> Result<PreToolUse, Failure> {
    if let Some(words) = script["raises"].as_str() {
        return Err(Failure::new(words));
    }
    if let Some(added) = script["merge"].as_object() {
        let mut merged = arguments.clone();
        merged.extend(added.clone());
        return Ok(PreToolUse::rewrite(merged));
    }
    let said = &script["returns"];
    Ok(PreToolUse {
        permission: said["permission"].as_str().map(|word| match word {
            "allow" => Permission::Allow,
            "deny" => Permission::Deny,
            other => panic!("no permission is called {other}"),
        }),
        reason: said["reason"].as_str().map(str::to_owned),
        updated_arguments: said["updated_arguments"].as_object().cloned(),
    })
}

/// The hook that a script describes; `seam` stands in for one that names none.
pub fn hook(index: usize, script: &Value, seam: Option<&str>, seen: &Arc<Seen>) -> Hook {
    let (script, seen) = (script.clone(), Arc::clone(seen));
    let seam = script["seam"].as_str().or(seam).unwrap().to_owned();
    let matcher = script["matcher"].as_str().map(str::to_owned);
    let raises = script["raises"].as_str().map(str::to_owned);
    let failed = move || {
        raises
            .clone()
            .map_or(Ok(()), |words| Err(Failure::new(words)))
    };
    match seam.as_str() {
        "PreToolUse" => Hook::pre_tool_use(matcher.as_deref(), move |used| {
            let saw = json!({"hook": index, "tool": used.tool_name, "arguments": used.arguments});
            seen.pre.lock().push(saw);
            let result = pre_result(&script, &used.arguments);
            let waits = script["async"] == true;
            async move {
                if waits {
                    tokio::task::yield_now().await;
                }
                result
            }
        })
        .unwrap(),
        "PostToolUse" => Hook::post_tool_use(matcher.as_deref(), move |used| {
            seen.ran.lock().push(index);
            seen.post.lock().push(json!({
                "hook": index, "tool": used.tool_name, "arguments": used.arguments, "outcome": outcome(&used.outcome),
            }));
            let failed = failed();
            async move { failed }
        })
        .unwrap(),
        "SessionStart" => Hook::session_start(move || {
            seen.ran.lock().push(index);
            let context = script["context"].as_str().map(str::to_owned);
            let failed = failed();
            async move { failed.map(|()| context) }
        }),
        "SessionEnd" => Hook::session_end(move |_| {
            seen.ran.lock().push(index);
            let failed = failed();
            async move { failed }
        }),
        other => panic!("no seam is called {other}"),
    }
}
