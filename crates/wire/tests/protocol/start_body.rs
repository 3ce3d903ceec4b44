use alidade_wire::{
    names::check_not_reserved,
    start::{SessionOptions, StartBody},
};
use serde_json::{Map, Value, json};

use crate::vectors::{cases, exactly};

/// The wire form of a neutral description, or `None` where it needs what is merged in before (skills, plugins, MCP).
fn wire(input: &Value) -> Option<Value> {
    if !input["mcp"].is_null()
        || !input["agent"]["skills"].is_null()
        || !input["agent"]["plugins"].is_null()
    {
        return None;
    }
    let mut agent = Map::new();
    for (key, value) in input["agent"].as_object().unwrap() {
        match (key.as_str(), value) {
            ("kind", kind) => agent.insert("type".into(), kind.clone()),
            ("voice", Value::String(name)) => agent.insert("voice".into(), json!({ "name": name })),
            _ => agent.insert(key.clone(), value.clone()),
        };
    }
    let mut session = input["session"].as_object().cloned().unwrap_or_default();
    for (key, value) in input["run"].as_object().into_iter().flatten() {
        match key.as_str() {
            "resume_session_id" | "resume" => {
                session.insert("experimental".into(), json!({ "resume_session_id": value }))
            }
            _ => session.insert(key.clone(), value.clone()),
        };
    }
    Some(
        json!({"type": "session-config", "sdk": {"name": "s", "version": "1"}, "agent": agent, "session": session}),
    )
}

#[test]
fn r20_r21_r22_start_bodies_are_written_as_recorded() {
    let mut seen = 0;
    for case in cases("session_config") {
        let Some(body) = wire(&case.input) else {
            continue;
        };
        seen += 1;
        let reserved = body["agent"]["tools"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|tool| {
                tool["name"]
                    .as_str()
                    .is_some_and(|name| check_not_reserved(name).is_err())
            });
        let error = &case.expect["error"];
        if reserved {
            assert_eq!(error["code"], "invalid_tool_name", "{}", case.name);
            continue;
        }
        match StartBody::from_own(&body) {
            Ok(own) => {
                let mut written = own.to_value();
                assert!(
                    written
                        .as_object_mut()
                        .unwrap()
                        .shift_remove("sdk")
                        .is_some()
                );
                assert!(
                    exactly(&written, &case.expect["body"]),
                    "{}: {written:#}",
                    case.name
                );
                own.check_own().unwrap();
                let served: StartBody =
                    serde_json::from_value(own.to_value()).unwrap_or_else(|fault| {
                        panic!(
                            "{}: a server refuses what a client sends: {fault}",
                            case.name
                        )
                    });
                assert_eq!(served, own, "{}", case.name);
            }
            Err(fault) => {
                assert!(!error.is_null(), "{}: {fault}", case.name);
                for field in error["fields"].as_array().into_iter().flatten() {
                    let named = |problem: &alidade_wire::Problem| {
                        problem.loc.join(".").ends_with(field.as_str().unwrap())
                    };
                    assert!(
                        fault.problems.iter().any(named),
                        "{}: {:?}",
                        case.name,
                        fault.problems
                    );
                }
            }
        }
    }
    assert!(seen > 90, "{seen}");
}

#[test]
fn t51_a_client_sends_64_tools_and_not_65() {
    let body = |tools: usize| {
        let tool = |index: usize| json!({"kind": "client", "name": format!("tool_{index}"), "description": "d", "parameters": {"type": "object"}});
        let tools: Vec<Value> = (0..tools).map(tool).collect();
        json!({"type": "session-config", "sdk": {"name": "s", "version": "1"}, "agent": {"type": "inline", "tools": tools}})
    };
    assert!(StartBody::from_own(&body(64)).is_ok());
    assert!(StartBody::from_own(&body(65)).is_err());
    assert!(
        serde_json::from_value::<StartBody>(body(65)).is_ok(),
        "the limit is the client's"
    );
}

#[test]
fn an_id_to_resume_is_written_in_canonical_form() {
    let mut session = SessionOptions::default();
    session
        .resume("2B0C6A8E-0D56-4A0F-9F0A-3F6F2A7D1C11")
        .unwrap();
    let written = serde_json::to_value(&session).unwrap();
    assert_eq!(
        written,
        json!({"experimental": {"resume_session_id": "2b0c6a8e-0d56-4a0f-9f0a-3f6f2a7d1c11"}})
    );
    assert!(session.resume("yesterday").is_err());
}
