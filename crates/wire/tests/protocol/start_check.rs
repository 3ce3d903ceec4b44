use alidade_wire::{
    rest,
    start::{AgentBlock, Model, ModelOptions, NoiseCancellation, StartRefusal, check},
};
use serde_json::{Value, json};

fn body(agent: Value) -> Value {
    json!({"type": "session-config", "sdk": {"name": "s", "version": "1"}, "agent": agent, "session": {}})
}

fn inline(members: Value) -> Value {
    let mut agent = json!({"type": "inline"});
    agent
        .as_object_mut()
        .unwrap()
        .extend(members.as_object().unwrap().clone());
    body(agent)
}

fn refused(body: &Value) -> StartRefusal {
    match check(body) {
        Ok(_) => panic!("accepted: {body}"),
        Err(refusal) => {
            assert_eq!(refusal.status, 422);
            let failure = rest::read_failure(422, refusal.body.to_value().to_string().as_bytes());
            assert_eq!(
                (failure.server_code.as_str(), failure.message.as_str()),
                (refusal.slug(), refusal.to_string().as_str())
            );
            refusal
        }
    }
}

#[test]
fn s2_malformed_starts_are_refused_with_their_places_and_never_their_values() {
    let secret = "canary-5d1e";
    for (body, loc) in [
        (json!([secret]), json!(["body"])),
        (json!({}), json!(["body", "type"])),
        (
            json!({"type": secret, "sdk": {"name": "s", "version": "1"}, "agent": {"type": "inline"}}),
            json!(["body", "type"]),
        ),
        (
            json!({"type": "session-config", "agent": {"type": "inline"}}),
            json!(["body", "sdk"]),
        ),
        (
            json!({"type": "session-config", "sdk": {"name": secret.repeat(9), "version": "1"}, "agent": {"type": "inline"}}),
            json!(["body", "sdk", "name"]),
        ),
        (body(json!(secret)), json!(["body", "agent"])),
        (
            body(json!({"type": secret})),
            json!(["body", "agent", "type"]),
        ),
        (
            inline(json!({"instructions": secret.repeat(2000)})),
            json!(["body", "agent", "instructions"]),
        ),
        (
            inline(json!({"greeting": secret.repeat(500)})),
            json!(["body", "agent", "greeting"]),
        ),
        (
            inline(json!({"voice": secret})),
            json!(["body", "agent", "voice"]),
        ),
        (
            inline(json!({"voice": {"pitch": secret}})),
            json!(["body", "agent", "voice", "pitch"]),
        ),
        (
            inline(json!({"audio": {"volume": secret}})),
            json!(["body", "agent", "audio", "volume"]),
        ),
        (
            inline(json!({"model": {"provider": "gemini", "eagerness": secret}})),
            json!(["body", "agent", "model", "eagerness"]),
        ),
        (
            inline(json!({"model": {"provider": secret}})),
            json!(["body", "agent", "model", "provider"]),
        ),
        (
            inline(json!({"mood": secret})),
            json!(["body", "agent", "mood"]),
        ),
        (
            inline(json!({"tools": [{"kind": "web_search", "depth": secret}]})),
            json!(["body", "agent", "tools", 0, "depth"]),
        ),
        (
            inline(json!({"tools": [{"kind": "client", "name": "abc", "description": "d"}]})),
            json!(["body", "agent", "tools", 0, "parameters"]),
        ),
        (
            inline(
                json!({"tools": [{"kind": "client", "name": secret.repeat(9), "description": "d", "parameters": {"type": "object"}}]}),
            ),
            json!(["body", "agent", "tools", 0, "name"]),
        ),
        (
            inline(
                json!({"hooks": [{"trigger": secret, "timeout_seconds": 5, "action": {"type": "say"}}]}),
            ),
            json!(["body", "agent", "hooks", 0, "trigger"]),
        ),
        (
            inline(
                json!({"hooks": vec![json!({"timeout_seconds": 5, "action": {"type": "say"}}); 17]}),
            ),
            json!(["body", "agent", "hooks"]),
        ),
        (
            body(json!({"type": "catalog", "name": "Desk"})),
            json!(["body", "agent", "name"]),
        ),
        (
            body(json!({"type": "catalog", "name": "desk", "instructions": secret})),
            json!(["body", "agent", "instructions"]),
        ),
        (
            body(json!({"type": "catalog", "name": "desk", "inputs": {"a": [secret]}})),
            json!(["body", "agent", "inputs", "a"]),
        ),
    ] {
        let refusal = refused(&body);
        assert_eq!(refusal.slug(), "validation_error", "{body}");
        let written = refusal.body.to_value();
        assert!(!written.to_string().contains(secret), "{written}");
        let locs: Vec<&Value> = written["error"]["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|fault| &fault["loc"])
            .collect();
        assert!(locs.contains(&&loc), "{loc} is not in {written}");
        assert!(
            written["error"]["errors"]
                .as_array()
                .unwrap()
                .iter()
                .all(|fault| fault["msg"].is_string() && fault["type"].is_string())
        );
    }
}

#[test]
fn session_options_out_of_range_are_refused() {
    for session in [
        json!({"max_session_seconds": 59}),
        json!({"max_session_seconds": 14401}),
        json!({"max_session_seconds": "900"}),
        json!({"store_audio": "no"}),
        json!({"experimental": {"resume_session_id": "yesterday"}}),
        json!({"experimental": {"avatar": {"provider": "tavus", "face_id": ""}}}),
        json!({"experimental": {"avatar": {"provider": "other", "face_id": "f"}}}),
        json!({"colour": 1}),
        json!([]),
    ] {
        let mut body = inline(json!({}));
        body["session"] = session.clone();
        assert_eq!(refused(&body).slug(), "validation_error", "{session}");
    }
}

fn client_tool(name: &str, parameters: Value) -> Value {
    json!({"kind": "client", "name": name, "description": "Does it.", "parameters": parameters})
}

#[test]
fn s4_tools_that_are_not_run_reserved_double_or_outside_the_dialect_fail_the_whole_start() {
    let object = || json!({"type": "object"});
    for tools in [
        json!([{"kind": "server", "name": "x"}]),
        json!([{"kind": "catalog", "name": "x"}]),
        json!([{"kind": "teleport"}]),
        json!([client_tool("cosmo_paint", object())]),
        json!([client_tool("cosmo_sdk_paint", object())]),
        json!([
            client_tool("paint", object()),
            client_tool("paint", object())
        ]),
        json!([{"kind": "end_call"}, {"kind": "end_call"}]),
        json!([client_tool("has space", object())]),
        json!([client_tool("paint", json!({"type": "object", "oneOf": []}))]),
        json!([client_tool("paint", json!({}))]),
        json!([client_tool(
            "paint",
            json!({"type": "object", "description": "d".repeat(9000)})
        )]),
    ] {
        let refusal = refused(&inline(json!({ "tools": tools })));
        assert_eq!(refusal.slug(), "invalid_tool_config", "{tools}");
        assert_eq!(refusal.body.to_value()["error"]["type"], "api_error");
        let refusal = refused(&body(
            json!({"type": "catalog", "name": "desk", "tools": tools}),
        ));
        assert_eq!(refusal.slug(), "invalid_tool_config", "{tools}");
    }
}

#[test]
fn the_six_tools_of_the_sdk_and_names_of_mcp_tools_are_taken() {
    let mut tools: Vec<Value> = alidade_wire::names::SDK_TOOLS
        .iter()
        .map(|name| client_tool(name, json!({"type": "object"})))
        .collect();
    tools.push(client_tool(
        "mcp__Files__readFile",
        json!({"type": "object"}),
    ));
    tools.push(json!({"kind": "screen_locate"}));
    tools.push(client_tool("end_call", json!({"type": "object"})));
    let read = check(&inline(json!({ "tools": tools }))).unwrap();
    assert_eq!(read.agent.tools().len(), 9);
}

#[test]
fn options_of_a_turn_detector_that_is_not_named_are_refused() {
    for model in [
        json!({"provider": "gemini", "turn_detection": "cosmo_vad", "silence_duration_ms": 5}),
        json!({"provider": "gemini", "turn_detection": "server_vad", "cosmo_vad": {}}),
        json!({"provider": "openai", "turn_detection": "semantic_vad", "prefix_padding_ms": 5}),
        json!({"provider": "openai", "turn_detection": "server_vad", "eagerness": "low"}),
    ] {
        assert_eq!(
            refused(&inline(json!({ "model": model }))).slug(),
            "turn_detection_knob_mismatch",
            "{model}"
        );
    }
    let live = json!({"provider": "openai_live", "delegation": "client"});
    assert!(check(&inline(json!({"model": live}))).is_ok());
    assert_eq!(
        refused(&inline(
            json!({"model": live, "tools": [{"kind": "end_call"}]})
        ))
        .slug(),
        "invalid_tool_config"
    );
}

#[test]
fn the_forms_of_older_sdks_are_understood() {
    let read = check(&inline(json!({
        "model": "gemini", "model_options": {"temperature": 1},
        "audio": {"noise_cancellation": true, "ambience": {"kind": "office"}},
    })))
    .unwrap();
    let AgentBlock::Inline(agent) = read.agent else {
        panic!("not inline")
    };
    assert_eq!(
        agent.audio.unwrap().noise_cancellation,
        Some(NoiseCancellation::Denoise)
    );
    match agent.model {
        Some(Model::Options(ModelOptions::Gemini(gemini))) => {
            assert_eq!(gemini.temperature, Some(1.0))
        }
        other => panic!("{other:?}"),
    }
    let wrong = inline(json!({"model": "gemini", "model_options": {"temperature": 9}}));
    assert_eq!(refused(&wrong).slug(), "validation_error");
    let mut newer = inline(json!({}));
    newer["trace"] = json!(true);
    assert!(
        check(&newer).is_ok(),
        "unknown members at the top are ignored"
    );
}

#[test]
fn a_flood_of_faults_is_answered_in_part() {
    let members: serde_json::Map<String, Value> = (0..5000)
        .map(|index| (format!("{index}{}", "x".repeat(5000)), json!(1)))
        .collect();
    let refusal = refused(&inline(Value::Object(members)));
    assert!(refusal.body.to_value().to_string().len() < 20_000);
}
