//! The golden start bodies: each is answered exactly, and a session that starts is the one described.

use alidade_wire::server::Ready;
use serde_json::{Map, Value, json};

use crate::common::{Client, Place, said};

/// The cap of a session where none is asked for, in seconds.
const LONGEST: f64 = 14_400.0;

fn cases() -> Vec<Value> {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/vectors/session_config.json"
    );
    let cases: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    match spelled_out(cases) {
        Value::Array(cases) => cases,
        other => panic!("{other}"),
    }
}

/// Golden data with repeated texts written out.
fn spelled_out(value: Value) -> Value {
    match value {
        Value::Object(members) => match members.get("$repeat") {
            Some(repeat) => {
                let (text, count) = (repeat[0].as_str().unwrap(), repeat[1].as_u64().unwrap());
                text.repeat(count as usize).into()
            }
            None => members
                .into_iter()
                .map(|(name, member)| (name, spelled_out(member)))
                .collect::<Map<_, _>>()
                .into(),
        },
        Value::Array(items) => items.into_iter().map(spelled_out).collect(),
        other => other,
    }
}

fn with_sdk(mut body: Value) -> Value {
    body["sdk"] = json!({ "name": "test", "version": "1" });
    body
}

/// Why a well-formed body cannot run on a machine of its own: its status and slug.
fn not_here(body: &Value) -> Option<(u16, &'static str)> {
    let (agent, experimental) = (&body["agent"], &body["session"]["experimental"]);
    if agent["type"] == "catalog" {
        Some((404, "agent_not_found"))
    } else if !agent["model"].is_null() {
        Some((422, "model_unavailable"))
    } else if !experimental["resume_session_id"].is_null() {
        Some((422, "resume_unavailable"))
    } else if !experimental["avatar"].is_null() {
        Some((422, "avatar_unavailable"))
    } else {
        None
    }
}

/// The tools of a body that run here, by the names a brain knows them by, and those that do not.
fn tools(agent: &Value) -> (Vec<&str>, Vec<&str>) {
    let (mut run, mut rejected) = (Vec::new(), Vec::new());
    for tool in agent["tools"].as_array().into_iter().flatten() {
        match tool["kind"].as_str().unwrap() {
            "client" => run.push(tool["name"].as_str().unwrap()),
            "detect_objects" => run.push("cosmo_detect_objects"),
            "point_at_object" => run.push("cosmo_point_at_object"),
            kind @ ("examine_image" | "end_call") => run.push(kind),
            kind => rejected.push(kind),
        }
    }
    (run, rejected)
}

/// Compares a session with the body it was started by.
async fn is_as_described(name: &str, body: &Value, id: &str, ready: &Ready, client: &mut Client) {
    let agent = &body["agent"];
    let (run, rejected) = tools(agent);
    assert_eq!(ready.session_id, id, "{name}");
    assert_eq!(ready.agent, None, "{name}: no catalog agent");
    let told: Vec<_> = ready
        .rejected_tools
        .iter()
        .map(|tool| &*tool.name)
        .collect();
    assert_eq!(told, rejected, "{name}: S5");
    assert!(
        ready
            .rejected_tools
            .iter()
            .all(|tool| !tool.reason.is_empty()),
        "{name}"
    );
    let asked = body["session"]["max_session_seconds"].as_f64();
    assert_eq!(
        ready.max_session_seconds,
        Some(asked.unwrap_or(LONGEST)),
        "{name}: S10"
    );
    let text = |member: &str| agent[member].as_str().filter(|text| !text.is_empty());
    if let Some(greeting) = text("greeting") {
        assert_eq!(said(&client.turn().await), greeting, "{name}");
    }
    if let Some(instructions) = text("instructions") {
        assert_eq!(client.ask("instructions").await, instructions, "{name}");
    }
    if !run.is_empty() {
        assert_eq!(client.ask("tools").await, run.join(","), "{name}");
    }
}

#[tokio::test]
async fn s3_s5_s10_every_golden_body_is_answered_exactly() {
    let place = Place::new().await;
    let (mut ran, mut refused) = (0, 0);
    for case in cases() {
        let (name, body) = (&case["name"], &case["expect"]["body"]);
        if body.is_null() {
            continue;
        }
        let name = name.as_str().unwrap();
        let (status, answer) = place.post_start(&with_sdk(body.clone())).await;
        if let Some((wanted, slug)) = not_here(body) {
            refused += 1;
            assert_eq!(
                (status, answer["error"]["code"].as_str()),
                (wanted, Some(slug)),
                "{name}: {answer}"
            );
            continue;
        }
        ran += 1;
        assert_eq!(status, 200, "{name}: {answer}");
        let started = place.started(&answer);
        let mut client = started.join(&[]).await.unwrap();
        let ready = client.ready().await;
        is_as_described(name, body, &started.id, &ready, &mut client).await;
        client.send(json!({ "type": "end" })).await;
        assert_eq!(
            client.end().await.as_deref(),
            Some("client_ended"),
            "{name}"
        );
    }
    assert!(
        ran > 30 && refused > 15,
        "{ran} ran, {refused} were refused"
    );
}

/// The body a client would send that did not check what it was told.
fn unchecked(input: &Value) -> Option<Value> {
    let mut agent = input["agent"].as_object()?.clone();
    // Skills and plugins are merged by the client and have no form on the wire.
    if agent.contains_key("skills") || agent.contains_key("plugins") {
        return None;
    }
    let kind = agent.remove("kind")?;
    agent.insert("type".to_owned(), kind);
    if let Some(voice) = agent.get_mut("voice")
        && voice.is_string()
    {
        *voice = json!({ "name": voice.take() });
    }
    for hook in agent
        .get_mut("hooks")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        hook["trigger"] = "user.speech.timeout".into();
    }
    let mut session = input["session"].as_object().cloned().unwrap_or_default();
    if let Some(id) = input["run"].get("resume_session_id") {
        session.insert(
            "experimental".to_owned(),
            json!({ "resume_session_id": id }),
        );
    }
    Some(with_sdk(
        json!({ "type": "session-config", "agent": agent, "session": session }),
    ))
}

/// Whether a fault is told of this member: by the names on the way to it, without list places.
fn names(error: &Value, field: &str) -> bool {
    let way: Vec<_> = error["loc"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    format!(".{}", way.join(".")).ends_with(&format!(".{field}"))
}

#[tokio::test]
async fn s3_s4_every_golden_fault_is_refused_by_its_name_and_opens_nothing() {
    let place = Place::new().await;
    let mut seen = 0;
    for case in cases() {
        let (name, wanted) = (case["name"].as_str().unwrap(), &case["expect"]["error"]);
        let Some(body) = unchecked(&case["input"]).filter(|_| !wanted.is_null()) else {
            continue;
        };
        // Older clients wrote it so, and a server understands them.
        if name == "audio_nc_bool_is_refused" {
            continue;
        }
        seen += 1;
        let (status, answer) = place.post_start(&body).await;
        let error = &answer["error"];
        assert_eq!(status, 422, "{name}: {answer}");
        if wanted["kind"] == "ToolDefinitionError" {
            assert_eq!(error["code"], "invalid_tool_config", "{name}: {answer}");
            continue;
        }
        assert_eq!(error["type"], "validation_error", "{name}: {answer}");
        let field = match wanted["kind"].as_str().unwrap() {
            "validation" => wanted["fields"][0].as_str().unwrap(),
            "HookError" => "agent.hooks",
            "invalid_value" => "session.experimental.resume_session_id",
            other => panic!("{name}: {other}"),
        };
        let faults = error["errors"].as_array().unwrap();
        assert!(
            faults.iter().any(|fault| names(fault, field)),
            "{name}: {field} is not named: {answer}"
        );
    }
    assert!(seen > 25, "only {seen} faults were found");
    assert_eq!(place.host.active_sessions(), 0);
}
