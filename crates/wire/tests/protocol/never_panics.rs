//! Whatever arrives, a decoder answers; it never panics. The corpus holds inputs that once mattered.

use alidade_wire::{
    base_url, chunk,
    client::{self, ClientFrame},
    draw_args,
    glob::Glob,
    job::{self, Outcome},
    limits, phone, reply,
    rest::{
        self, DialAnswer, MintedToken, PreparedRoom, StartAnswer, UsageAnswer, VerifyAnswer,
        WsStartAnswer,
    },
    schema::Schema,
    server::{self, ServerFrame},
    start::{self, StartBody},
    text,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn everything(bytes: &[u8]) {
    let _ = ClientFrame::decode(bytes).map(|frame| frame.encode());
    let _ = ServerFrame::decode(bytes).map(|frame| frame.encode());
    let mut reader = server::Reader::new();
    let mut own = client::Reader::new();
    for _ in 0..2 {
        let _ = reader.read(bytes);
        let _ = own.read(bytes);
    }
    let _ = StartAnswer::parse(bytes);
    let _ = WsStartAnswer::parse(bytes);
    let _ = PreparedRoom::parse(bytes);
    let _ = VerifyAnswer::parse(bytes);
    let _ = UsageAnswer::parse(bytes);
    let _ = DialAnswer::parse(bytes);
    let _ = MintedToken::parse_endpoint(bytes);
    let _ = rest::read_failure(422, bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let _ = reply::parse(text);
    let _ = rest::unix_micros(text);
    let _ = rest::retry_after(text);
    let _ = base_url::resolve(Some(text));
    let _ = base_url::origin(text);
    let _ = phone::normalise(text);
    let _ = Glob::new(text).map(|glob| glob.matches(text));
    let _ = text::is_clean(text, true);
    assert!(reply::failure(text).len() <= limits::REPLY_BYTES);
    assert!(reply::deferred(text, "j").len() <= limits::REPLY_BYTES);
    let _ = chunk::split(text);
    if let Ok(args) = reply::arguments(text) {
        document(&Value::Object(args));
    }
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        document(&value);
    }
}

fn document(value: &Value) {
    let _ = start::check(value);
    let _ = StartBody::from_own(value);
    assert!(reply::success(value).len() <= limits::REPLY_BYTES);
    let empty = Map::new();
    let map = value.as_object().unwrap_or(&empty);
    let _ = draw_args::decode_box(map);
    let _ = draw_args::decode_point(map);
    let outcome = Outcome::Completed {
        result: Some(map.clone()),
        summary: Some(value.to_string()),
    };
    assert!(job::result_frame("j", "t", &outcome).encode().len() <= limits::JOB_FRAME_BYTES);
    if let Ok(schema) = Schema::build(value.clone())
        && let Err(fault) = schema.validate("t", map)
    {
        assert!(!fault.issues.is_empty());
    }
}

#[test]
fn the_corpus_is_survived() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        everything(&std::fs::read(entry.unwrap().path()).unwrap());
        seen += 1;
    }
    assert!(seen >= 15, "{seen}");
}

#[test]
fn deep_and_wide_documents_are_survived() {
    for text in [
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        format!("{}{}", "[".repeat(127), "]".repeat(127)),
    ] {
        everything(text.as_bytes());
    }
    let mut deep = json!({"type": "string"});
    for _ in 0..120 {
        deep = json!({"type": "object", "properties": {"a": deep}, "anyOf": [{"items": {}}]});
    }
    document(&deep);
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Names of the protocol, so that documents get past the first check.
fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "type",
        "kind",
        "client",
        "name",
        "description",
        "parameters",
        "agent",
        "inline",
        "catalog",
        "session",
        "sdk",
        "version",
        "session-config",
        "tools",
        "hooks",
        "action",
        "say",
        "model",
        "provider",
        "gemini",
        "voice",
        "audio",
        "ready",
        "session_id",
        "transcript",
        "role",
        "USER",
        "text",
        "is_final",
        "object",
        "properties",
        "items",
        "anyOf",
        "enum",
        "$ref",
        "#/$defs/name",
        "$defs",
        "allOf",
        "default",
        "required",
        "string",
        "integer",
        "minimum",
        "envelope-chunk",
        "server-envelope-chunk",
        "envelope_id",
        "seq",
        "total",
        "data",
        "error",
        "code",
        "message",
        "detail",
        "loc",
        "msg",
        "ok",
        "result",
        "deferred",
        "job_id",
        "box",
        "point",
        "x",
        "y",
        "width",
        "height",
        "label",
    ])
    .prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        everything(&bytes);
    }

    #[test]
    fn any_text_is_survived(text in "\\PC{0,200}") {
        everything(text.as_bytes());
    }

    #[test]
    fn any_document_is_survived(value in any_json()) {
        everything(value.to_string().as_bytes());
    }

    #[test]
    fn t26_no_string_is_cut_further_than_needed(text in "[aé€😀\"\n]{0,400}", times in 1usize..200) {
        let whole = json!({ "t": text.repeat(times), "n": 1 });
        let written = reply::success(&whole);
        prop_assert!(written.len() <= limits::REPLY_BYTES);
        let unshortened = json!({"ok": true, "result": whole, "error": null}).to_string();
        if unshortened.len() <= limits::REPLY_BYTES {
            prop_assert_eq!(written, unshortened);
        } else {
            // One scalar more would not have fitted: a scalar takes at most six bytes.
            prop_assert!(written.len() > limits::REPLY_BYTES - 8);
        }
    }

    #[test]
    fn r63_what_is_cut_can_be_put_together(text in "[aé😀]{0,300}", times in 1usize..200) {
        let frame = ClientFrame::SendText { content: text.repeat(times) };
        let mut reader = client::Reader::new();
        let packets = chunk::split(&frame.encode());
        let read: Vec<_> = packets.iter().filter_map(|packet| reader.read(packet.as_bytes()).unwrap()).collect();
        prop_assert_eq!(read, vec![frame]);
    }
}
