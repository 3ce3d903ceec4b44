//! Which start bodies are refused, and how.

use alidade_wire::rest::path;
use serde_json::{Value, json};

use crate::common::{Place, client_tool, start_body};

#[tokio::test]
async fn every_malformed_start_is_refused_with_its_status_and_slug_and_opens_nothing() {
    let place = Place::new().await;
    let tool = |name: &str, parameters: Value| json!({ "tools": [{ "kind": "client", "name": name, "description": "Does it.", "parameters": parameters }] });
    let object = || json!({ "type": "object" });
    let rows = [
        (
            start_body(json!({ "unheard_of": 1 }), json!({})),
            422,
            "validation_error",
        ),
        (
            start_body(json!({ "voice": { "pitch": 1 } }), json!({})),
            422,
            "validation_error",
        ),
        (
            start_body(
                json!({ "tools": [{ "kind": "detect_objects", "more": 1 }] }),
                json!({}),
            ),
            422,
            "validation_error",
        ),
        (
            start_body(json!({ "instructions": 5 }), json!({})),
            422,
            "validation_error",
        ),
        (
            start_body(json!({ "greeting": "g".repeat(4001) }), json!({})),
            422,
            "validation_error",
        ),
        (
            start_body(json!({}), json!({ "max_session_seconds": 59 })),
            422,
            "validation_error",
        ),
        (
            start_body(json!({ "type": "other" }), json!({})),
            422,
            "validation_error",
        ),
        (json!({ "type": "session-config" }), 422, "validation_error"),
        (json!([]), 422, "validation_error"),
        (
            start_body(
                json!({ "tools": [{ "kind": "server", "name": "x" }] }),
                json!({}),
            ),
            422,
            "invalid_tool_config",
        ),
        (
            start_body(
                json!({ "tools": [{ "kind": "catalog", "name": "x" }] }),
                json!({}),
            ),
            422,
            "invalid_tool_config",
        ),
        (
            start_body(tool("cosmo_mine", object()), json!({})),
            422,
            "invalid_tool_config",
        ),
        (
            start_body(tool("mine", json!({ "type": "array" })), json!({})),
            422,
            "invalid_tool_config",
        ),
        (
            start_body(
                json!({ "tools": [client_tool("twice"), client_tool("twice")] }),
                json!({}),
            ),
            422,
            "invalid_tool_config",
        ),
        (
            start_body(json!({ "model": "gpt-unknown" }), json!({})),
            422,
            "model_unavailable",
        ),
        (
            start_body(json!({ "model": { "provider": "gemini" } }), json!({})),
            422,
            "model_unavailable",
        ),
        (
            start_body(json!({ "type": "catalog", "name": "desk" }), json!({})),
            404,
            "agent_not_found",
        ),
        (
            start_body(
                json!({}),
                json!({ "experimental": { "resume_session_id": "2b0c6a8e-0d56-4a0f-9f0a-3f6f2a7d1c11" } }),
            ),
            422,
            "resume_unavailable",
        ),
        (
            start_body(
                json!({}),
                json!({ "experimental": { "avatar": { "provider": "tavus", "face_id": "f" } } }),
            ),
            422,
            "avatar_unavailable",
        ),
    ];
    for (body, status, slug) in rows {
        let (got, answer) = place.post_start(&body).await;
        let error = &answer["error"];
        let code = error["code"].as_str().or(error["type"].as_str());
        assert_eq!((got, code), (status, Some(slug)), "{body} {answer}");
        assert!(
            error["message"].is_string(),
            "S2: the message is text: {answer}"
        );
    }
    for garbage in ["", "{", "nonsense", "{}{}", "\u{0}"] {
        let answer = place
            .http
            .post(place.url(path::START))
            .bearer_auth(place.host.api_key().reveal())
            .body(garbage)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 400, "{garbage:?}");
        assert_eq!(
            answer.json::<Value>().await.unwrap()["error"]["type"],
            "validation_error"
        );
    }
    assert_eq!(place.host.active_sessions(), 0);
}
