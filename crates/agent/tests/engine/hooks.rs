//! Folds of hooks (`hooks.md` §4, H1–H11, H18–H23, H31).

use std::sync::Arc;

use crate::support::script::{self, Seen};
use alidade_agent::{Agent, EndReason, Hook, Hooks, Outcome, PreToolUse, SessionOver, ToolUsed};
use alidade_wire::start::{AgentBlock, SdkInfo, SessionOptions};
use serde_json::{Value, json};

fn sdk() -> SdkInfo {
    SdkInfo {
        name: "test".into(),
        version: "1".into(),
    }
}

async fn folded(input: &Value) -> Value {
    let seam = input["seam"].as_str().unwrap();
    let seen = Arc::new(Seen::default());
    let scripts = input["hooks"].as_array().unwrap();
    let list: Vec<Hook> = scripts
        .iter()
        .enumerate()
        .map(|(index, script)| script::hook(index, script, Some(seam), &seen))
        .collect();
    let hooks = Hooks::new(list.clone());
    let tool = input["tool"].as_str().unwrap_or_default();
    match seam {
        "PreToolUse" => {
            let arguments = input["arguments"].as_object().unwrap().clone();
            let folded = hooks.pre_tool_use(tool, "s", arguments).await;
            json!({
                "denied": folded.denied.is_some(), "reason": folded.denied, "arguments": folded.arguments,
                "seen": *seen.pre.lock(),
            })
        }
        "SessionStart" => {
            let builder = if input["catalog"] == true {
                Agent::catalog("desk")
            } else {
                Agent::inline()
            };
            let builder = match input["instructions"].as_str() {
                Some(text) if input["catalog"] != true => builder.instructions(text),
                _ => builder,
            };
            let agent = list
                .into_iter()
                .fold(builder, alidade_agent::AgentBuilder::hook)
                .build()
                .unwrap();
            let context = agent.hooks().session_start().await;
            let body = agent
                .start_body(sdk(), SessionOptions::default(), &context)
                .unwrap();
            let instructions = match body.agent {
                AgentBlock::Inline(inline) => inline.instructions,
                AgentBlock::Catalog(_) => None,
            };
            json!({"ran": *seen.ran.lock(), "instructions": instructions})
        }
        "PostToolUse" => {
            let used = ToolUsed {
                tool_name: tool.to_owned(),
                arguments: serde_json::Map::new(),
                outcome: Outcome::Ok(None),
                session_id: "s".to_owned(),
            };
            hooks.post_tool_use(used).await;
            json!({"ran": *seen.ran.lock()})
        }
        "SessionEnd" => {
            hooks
                .session_end(SessionOver {
                    reason: EndReason::ClientEnded,
                    detail: None,
                    session_id: None,
                })
                .await;
            json!({"ran": *seen.ran.lock()})
        }
        other => panic!("no seam is called {other}"),
    }
}

#[tokio::test]
async fn h1_to_h11_and_h18_hooks_fold_as_the_golden_data_says() {
    for (name, input, expect) in crate::support::cases("hook_fold.json") {
        crate::support::same(&name, &expect, &folded(&input).await);
    }
}

fn asking(permissions: &[&str]) -> Hooks {
    let hook = |word: &&str| {
        let said = match *word {
            "ask" => PreToolUse {
                reason: Some("why".into()),
                ..PreToolUse::ask()
            },
            "deny" => PreToolUse::deny("no"),
            "allow" => PreToolUse {
                permission: Some(alidade_agent::Permission::Allow),
                ..PreToolUse::pass()
            },
            _ => PreToolUse::pass(),
        };
        Hook::pre_tool_use(None, move |_| {
            let said = said.clone();
            async move { Ok(said) }
        })
        .unwrap()
    };
    Hooks::new(permissions.iter().map(hook).collect())
}

#[tokio::test]
async fn c4_an_ask_stays_through_later_hooks_and_deny_beats_it() {
    let fold = |words: &'static [&'static str]| async move {
        asking(words)
            .pre_tool_use("t", "s", serde_json::Map::new())
            .await
    };
    assert_eq!(
        fold(&["ask", "allow", "pass"]).await.ask.as_deref(),
        Some("why")
    );
    assert_eq!(fold(&["allow", "pass"]).await.ask, None);
    let denied = fold(&["ask", "deny"]).await;
    assert_eq!(denied.denied.as_deref(), Some("no"));
    assert_eq!(
        fold(&["deny", "ask"]).await.ask,
        None,
        "the fold stopped before it"
    );
}

#[tokio::test]
async fn h11_a_hook_that_panics_is_skipped_at_every_seam() {
    fn boom<T>() -> T {
        panic!("a hook broke")
    }
    type Said = std::future::Ready<Result<PreToolUse, alidade_agent::Failure>>;
    let list = vec![
        Hook::pre_tool_use(None, |_| async { boom() }).unwrap(),
        Hook::pre_tool_use(None, |_| boom::<Said>()).unwrap(),
        Hook::pre_tool_use(None, |_| async { Ok(PreToolUse::deny("the last one ran")) }).unwrap(),
        Hook::session_start(|| async { boom() }),
        Hook::session_start(|| async { Ok(Some("said".to_owned())) }),
        Hook::session_end(|_| async { boom() }),
    ];
    let hooks = Hooks::new(list);
    let folded = hooks.pre_tool_use("t", "s", serde_json::Map::new()).await;
    assert_eq!(folded.denied.as_deref(), Some("the last one ran"));
    assert_eq!(hooks.session_start().await, ["said"]);
    hooks
        .session_end(SessionOver {
            reason: EndReason::ClientEnded,
            detail: None,
            session_id: None,
        })
        .await;
}

#[tokio::test]
async fn h31_changing_what_a_hook_was_handed_changes_nothing() {
    let hook = Hook::pre_tool_use(None, |mut used| async move {
        used.arguments.insert("planted".into(), json!(true));
        Ok(PreToolUse::pass())
    });
    let folded = Hooks::new(vec![hook.unwrap()])
        .pre_tool_use("t", "s", serde_json::Map::new())
        .await;
    assert!(folded.arguments.is_empty());
}

#[test]
fn h3_a_malformed_matcher_fails_where_it_is_declared() {
    let error = Hook::pre_tool_use(Some("[ab"), |_| async { Ok(PreToolUse::pass()) }).unwrap_err();
    assert_eq!(error.code(), "malformed_matcher");
    assert!(Hook::post_tool_use(Some("]"), |_| async { Ok(()) }).is_ok());
}
