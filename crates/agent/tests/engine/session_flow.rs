//! Whole sessions over a fake carrier: states, frames, events and ends as the golden data says (R33–R48, R67).

use std::{sync::Arc, time::Duration};

use crate::support::{
    carrier::{Fake, OneAnswer, data},
    settle,
};
use alidade_agent::{
    Agent, Event, Events, Session, SessionError, SessionState, Settings, StartCode, StartError,
    Tool, VoiceClaim,
    transport::{CloseKind, Inbound, Lane},
};
use alidade_wire::start::ServerTool;
use parking_lot::Mutex;
use serde_json::{Value, json};

fn agent(described: &Value) -> Agent {
    let mut builder = Agent::inline();
    for tool in described["tools"].as_array().into_iter().flatten() {
        let kind = tool["kind"].as_str().unwrap();
        let text = |key: &str| tool[key].as_str().unwrap();
        builder = match ServerTool::from_kind(kind) {
            Some(kind) => builder.tool(kind),
            None if tool["background"] == true && text("name").len() > 2 => builder.tool(
                Tool::background(
                    text("name"),
                    text("description"),
                    tool["parameters"].clone(),
                    |_, _| async { Ok(()) },
                )
                .unwrap(),
            ),
            None => builder.tool(
                Tool::declared(
                    text("name"),
                    text("description"),
                    tool["parameters"].clone(),
                    |_| async { Ok(Value::Null) },
                )
                .unwrap(),
            ),
        };
    }
    builder.build().unwrap()
}

/// What an activity entry brings in.
fn inbound(entry: &Value) -> Option<Inbound> {
    Some(match entry[0].as_str().unwrap() {
        "frame" => data(&entry[1]),
        "transport_closed" => Inbound::Closed {
            kind: if entry[1] == "server_ended" {
                CloseKind::ServerEnded
            } else {
                CloseKind::TransportError
            },
            detail: entry[2].as_str().map(str::to_owned),
        },
        "transport_reconnecting" => Inbound::Reconnecting,
        "transport_reconnected" => Inbound::Reconnected,
        _ => return None,
    })
}

fn result(outcome: Result<(), SessionError>) -> Value {
    outcome.map_or_else(|error| json!({"error": error.code()}), |()| "ok".into())
}

/// One entry of `after`.
async fn act(
    entry: &Value,
    session: &Session,
    carrier: &Fake,
    voice: &mut Option<VoiceClaim>,
) -> Value {
    if let Some(inbound) = inbound(entry) {
        carrier.comes(inbound).await;
        return "ok".into();
    }
    match entry[0].as_str().unwrap() {
        "send_text" => result(session.send_text(entry[1].as_str().unwrap()).await),
        "set_muted" => result(session.set_muted(entry[1] == true).await),
        "ping" => result(session.ping().await),
        "end" => {
            session.end().await;
            "ok".into()
        }
        "publish_audio" => match session.claim_voice() {
            Ok(claim) => {
                claim.published().await;
                *voice = Some(claim);
                "ok".into()
            }
            Err(error) => result(Err(error)),
        },
        "stop_audio" => {
            if let Some(claim) = voice.take() {
                claim.stop().await;
            }
            "ok".into()
        }
        "fail_sends" => {
            carrier.fail_sends(entry[1] == true);
            "ok".into()
        }
        "wait_grace" => {
            tokio::time::sleep(Duration::from_secs(6)).await;
            "ok".into()
        }
        other => panic!("no activity is called {other}"),
    }
}

fn state(state: &SessionState) -> Value {
    match state {
        SessionState::Idle => json!(["idle", null, null]),
        SessionState::Connecting => json!(["connecting", null, null]),
        SessionState::Connected => json!(["connected", null, null]),
        SessionState::Reconnecting => json!(["reconnecting", null, null]),
        SessionState::Disconnected { reason, detail } => {
            json!(["disconnected", reason.as_str(), detail])
        }
    }
}

fn event(event: &Event) -> Value {
    match event {
        Event::Frame(frame) => {
            let mut fields: Value = serde_json::from_str(&frame.encode()).unwrap();
            let kind = fields
                .as_object_mut()
                .unwrap()
                .shift_remove("type")
                .unwrap();
            if let Some(role) = fields["role"].as_str().map(str::to_lowercase) {
                fields["role"] = role.into();
            }
            fields
                .as_object_mut()
                .unwrap()
                .retain(|_, value| !value.is_null());
            json!({"event": kind, "fields": fields})
        }
        Event::TranscriptUpdated { items } => {
            json!({"event": "transcript-updated", "fields": {"items": listed(items)}})
        }
        Event::SessionEnded { reason } => {
            json!({"event": "session-ended", "fields": {"reason": reason}})
        }
        other => panic!("{other:?}"),
    }
}

fn listed(items: &alidade_agent::Items) -> Value {
    let item = |item: &Arc<alidade_agent::TranscriptItem>| json!({"id": item.id, "role": item.role.as_str(), "text": item.text, "is_final": item.is_final});
    items.iter().map(item).collect()
}

async fn drained(events: &Events) -> Vec<Value> {
    let mut read = Vec::new();
    loop {
        match tokio::time::timeout(Duration::from_millis(1), events.next()).await {
            Ok(Some(next)) => read.push(event(&next)),
            Ok(None) => {
                read.push(json!({"event": "<end-of-stream>", "fields": {}}));
                return read;
            }
            Err(_) => return read,
        }
    }
}

/// Members that are null equal absent ones.
fn lean(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(lean).collect(),
        Value::Object(map) => Value::Object(
            map.iter()
                .filter(|(_, v)| !v.is_null())
                .map(|(k, v)| (k.clone(), lean(v)))
                .collect(),
        ),
        other => other.clone(),
    }
}

fn start_result(outcome: Option<Result<(), StartError>>, expect: &Value) -> Value {
    match outcome {
        None => json!({"cancelled": true}),
        Some(Ok(())) => json!({"ok": true}),
        Some(Err(error)) => {
            let mut said = json!({
                "class": "SessionStartError", "code": error.code.as_str(), "server_code": error.server_code,
            });
            // The text is compared only where the case has it.
            if expect["error"].get("message").is_some() {
                said["message"] = error.message.into();
            }
            json!({"error": said})
        }
    }
}

async fn replay(name: &str, input: &Value, expect: &Value) {
    let lane = if input["transport"] == "websocket" {
        Lane::Websocket
    } else {
        Lane::Room
    };
    let carrier = Fake::new(lane);
    let default = vec![json!(["frame", {"type": "ready", "session_id": "s-1"}])];
    for entry in input["during_connect"].as_array().unwrap_or(&default) {
        match inbound(entry) {
            Some(inbound) => carrier.during_join(inbound),
            None => carrier.fail_join(entry[1].as_str().unwrap()),
        }
    }
    let network = match input["start_status"].as_u64() {
        Some(status) => OneAnswer::new(u16::try_from(status).unwrap(), &input["start_error"]),
        None => OneAnswer::new(200, &crate::support::start_answer(&input["start_response"])),
    };
    let states = Arc::new(Mutex::new(Vec::new()));
    let saw = Arc::clone(&states);
    let mut settings = Settings {
        observer: Some(Arc::new(move |now| saw.lock().push(state(now)))),
        ..Settings::default()
    };
    if let Some(seconds) = input["ready_timeout"].as_f64() {
        settings.timing.ready = Duration::from_secs_f64(seconds);
    }
    let (session, start) = Session::new(
        agent(&input["agent"]),
        network.backend(),
        Arc::new(carrier.clone()),
        settings,
    );
    let events = session.events();
    let starting = tokio::spawn(start.run());
    settle().await;
    let mut cancelled = false;
    for entry in input["before_ready"].as_array().into_iter().flatten() {
        match inbound(entry) {
            Some(inbound) => carrier.comes(inbound).await,
            None => {
                starting.abort();
                cancelled = true;
            }
        }
        settle().await;
    }
    let outcome = starting.await.ok();
    assert_eq!(outcome.is_none(), cancelled, "{name}");
    settle().await;
    crate::support::same(
        name,
        &lean(&expect["start"]),
        &lean(&start_result(outcome, &expect["start"])),
    );
    let mut after = Vec::new();
    let mut voice = None;
    for entry in input["after"].as_array().into_iter().flatten() {
        after.push(act(entry, &session, &carrier, &mut voice).await);
        settle().await;
    }
    if let Some(wanted) = expect.get("after") {
        crate::support::same(name, wanted, &after.into());
    }
    crate::support::same(name, &expect["states"], &json!(*states.lock()));
    crate::support::same(name, &expect["sent"], &carrier.sent().into());
    crate::support::same(
        name,
        &lean(&expect["events"]),
        &drained(&events).await.into(),
    );
    crate::support::same(name, &expect["transcript"], &listed(&session.transcript()));
    if let Some(methods) = expect.get("registered_methods") {
        crate::support::same(name, methods, &json!(carrier.methods()));
    }
}

#[tokio::test(start_paused = true)]
async fn r33_to_r48_sessions_run_as_the_golden_data_says() {
    for (name, input, expect) in crate::support::cases("session_flow.json") {
        replay(&name, &input, &expect).await;
    }
}

#[tokio::test(start_paused = true)]
async fn r24_and_r31_a_locator_nobody_captures_for_is_refused_before_any_request() {
    for (lane, server_code) in [
        (Lane::Room, None),
        (Lane::Websocket, Some("screen_locate_unsupported")),
    ] {
        let network = OneAnswer::new(200, &json!({}));
        let agent = agent(&json!({"tools": [{"kind": "screen_locate"}]}));
        let (_session, start) = Session::new(
            agent,
            network.backend(),
            Arc::new(Fake::new(lane)),
            Settings::default(),
        );
        let error: StartError = start.run().await.unwrap_err();
        assert_eq!(error.code, StartCode::Config, "{lane:?}");
        assert_eq!(error.server_code.as_deref(), server_code, "{lane:?}");
        assert!(network.asked.lock().is_empty(), "{lane:?}");
    }
}
