use alidade_wire::server::{Incoming, Reader, ServerFrame};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::vectors::{cases, same};

/// The events of a case as far as they come from frames; the fold of the transcript is the session's.
fn events(input: &Value) -> (Vec<Value>, Option<String>) {
    let mut reader = Reader::new();
    let mut ready = input["ready"].as_bool().unwrap();
    let (mut events, mut end_reason) = (Vec::new(), None);
    for frame in input["frames"].as_array().unwrap() {
        let bytes = match (&frame["json"], &frame["text"], &frame["base64"]) {
            (_, Value::String(text), _) => text.clone().into_bytes(),
            (_, _, Value::String(data)) => STANDARD.decode(data).unwrap(),
            (json, ..) => json.to_string().into_bytes(),
        };
        match reader.read(&bytes) {
            None => {}
            Some(Incoming::Unknown(unknown)) => events.push(json!({ "event": "unknown", "fields": {
                "raw_type": unknown.raw_type, "payload": unknown.payload, "raw_text": unknown.raw_text } })),
            Some(Incoming::Frame(ServerFrame::SessionEnded { reason })) => end_reason = reason,
            Some(Incoming::Frame(ServerFrame::Ready(_))) if ready => {}
            Some(Incoming::Frame(frame)) => {
                ready |= matches!(frame, ServerFrame::Ready(_));
                events.push(as_event(&frame));
                let again = ServerFrame::decode(frame.encode().as_bytes());
                assert_eq!(again, Ok(frame), "reads back what it writes");
            }
        }
    }
    (events, end_reason)
}

fn as_event(frame: &ServerFrame) -> Value {
    let Value::Object(mut fields) = serde_json::to_value(frame).unwrap() else {
        panic!("no object")
    };
    let event = fields.shift_remove("type").unwrap();
    if let Some(role) = fields.get_mut("role") {
        assert_eq!(
            role.as_str().unwrap().to_uppercase(),
            role.as_str().unwrap(),
            "S28"
        );
        *role = role.as_str().unwrap().to_lowercase().into();
    }
    json!({ "event": event, "fields": fields })
}

fn replay(file: &str) {
    for case in cases(file) {
        let (events, end_reason) = events(&case.input);
        let expected: Vec<Value> = case.expect["events"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|event| event["event"] != "transcript-updated")
            .cloned()
            .collect();
        assert_eq!(events.len(), expected.len(), "{}: {events:#?}", case.name);
        for (event, expected) in events.iter().zip(&expected) {
            assert!(
                same(event, expected),
                "{}: {event:#} is not {expected:#}",
                case.name
            );
        }
        assert_eq!(
            end_reason.as_deref(),
            case.expect["end_reason"].as_str(),
            "{}",
            case.name
        );
    }
}

#[test]
fn r60_r61_server_frames_are_read_as_recorded() {
    replay("server_frames");
}

#[test]
fn r62_chunks_are_put_together_as_recorded() {
    replay("server_envelope");
}

#[test]
fn an_explicit_null_is_absence_only_where_the_default_is_null() {
    let read = |text: &str| ServerFrame::decode(text.as_bytes());
    for wrong in [
        r#"{"type":"error","code":"c","message":"m","fatal":null}"#,
        r#"{"type":"model-text","text":"t","is_final":null}"#,
        r#"{"type":"ready","session_id":"s","rejected_tools":null}"#,
        r#"{"type":"tool-invocation","request_id":"r","tool_call_id":"c","name":"n","args":null}"#,
        r#"{"type":"tool-invocation","request_id":"r","tool_call_id":"c","name":"n","origin":null}"#,
        r#"{"type":"cosmo.session-state","warnings":null}"#,
        r#"{"type":"transcript","role":"USER","text":null,"is_final":true}"#,
        r#"{"type":"ready","session_id":"s","agent":["desk"]}"#,
        r#"{"type":"ready","session_id":"s","rejected_tools":[["a","b"]]}"#,
        r#"{"type":"user-speech-timeout","session_id":"s","silence_ms":1.5,"trigger_count":1,"max_count":2,"action":{"type":"say"}}"#,
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    assert!(read(r#"{"type":"session-ended","reason":null}"#).is_ok());
    assert!(read(r#"{"type":"reconnecting","seconds_remaining":null}"#).is_ok());
    let lenient = r#"{"type":"user-speech-timeout","session_id":"s","silence_ms":3.0,"trigger_count":1,"max_count":2,"action":{"type":"say","new":1},"new":2}"#;
    assert!(
        read(lenient).is_ok(),
        "unknown members are ignored and 3.0 is 3"
    );
}

#[test]
fn null_is_never_written() {
    for frame in [
        ServerFrame::SessionEnded { reason: None },
        ServerFrame::Reconnecting {
            seconds_remaining: None,
        },
        ServerFrame::ToolResult {
            tool_call_id: "c".into(),
            ok: true,
            summary: None,
        },
        ServerFrame::Ready(Default::default()),
    ] {
        assert!(!frame.encode().contains("null"), "{}", frame.encode());
    }
    assert_eq!(
        ServerFrame::Reconnecting {
            seconds_remaining: Some(7.0)
        }
        .encode(),
        r#"{"type":"reconnecting","seconds_remaining":7}"#
    );
}
