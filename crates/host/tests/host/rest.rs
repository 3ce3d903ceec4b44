//! The other REST calls: what is not offered, usage, the list of sessions.

use std::time::{Duration, Instant};

use alidade_wire::rest::{UsageAnswer, VerifyAnswer, path};
use serde_json::{Value, json};

use crate::common::{PATIENCE, Place, start_body};

#[tokio::test]
async fn s8_s9_s11_what_is_not_offered_is_answered_as_the_protocol_says() {
    let place = Place::new().await;
    let key = place.host.api_key().reveal();
    let post = async |path: &str, body: Value| {
        let answer = place
            .http
            .post(place.url(path))
            .bearer_auth(key)
            .json(&body)
            .send()
            .await
            .unwrap();
        (
            answer.status().as_u16(),
            answer.json::<Value>().await.unwrap(),
        )
    };
    assert_eq!(
        post(path::WS_START, start_body(json!({}), json!({})))
            .await
            .0,
        404
    );
    assert_eq!(post(path::PREPARE_ROOM, json!({})).await.0, 404);
    assert_eq!(
        post(path::MINT, json!({ "external_user_id": "u" })).await.0,
        404
    );

    let number = json!({ "phone_number": "+14155550199" });
    let slug = |answer: &Value| answer["error"]["code"].as_str().unwrap().to_owned();
    let (status, answer) = post(&path::dial("nobody"), number.clone()).await;
    assert_eq!(
        (status, slug(&answer)),
        (404, "session_not_found".to_owned())
    );
    let started = place.start(json!({})).await;
    let (status, answer) = post(&path::dial(&started.id), number.clone()).await;
    assert_eq!(
        (status, slug(&answer)),
        (403, "phone_calls_disabled".to_owned())
    );
    let (status, answer) = post(&path::dial(&started.id), json!({ "phone_number": "12" })).await;
    assert_eq!((status, slug(&answer)), (400, "invalid_request".to_owned()));
    let mut client = started.join(&[]).await.unwrap();
    client.send(json!({ "type": "end" })).await;
    client.end().await;
    place.until_none_is_active().await;
    let (status, answer) = post(&path::dial(&started.id), number).await;
    assert_eq!(
        (status, slug(&answer)),
        (409, "session_not_live".to_owned())
    );
}

#[tokio::test]
async fn verify_and_usage_have_the_required_members() {
    let place = Place::new().await;
    let (_, answer) = place.get(path::VERIFY).await;
    let verified = VerifyAnswer::parse(answer.to_string().as_bytes()).unwrap();
    assert!(
        verified.can_start_sessions
            && verified.credential == "api_key"
            && verified.workspace.is_some()
    );
    assert_eq!(place.get(&path::usage("nobody")).await.0, 404);
    let started = place.start(json!({})).await;
    let (status, answer) = place.get(&path::usage(&started.id)).await;
    let usage = UsageAnswer::parse(answer.to_string().as_bytes()).unwrap();
    assert_eq!(
        (status, usage.status.as_str(), usage.usage_status.as_str()),
        (200, "active", "unavailable")
    );
    assert_eq!(usage.tokens, None, "nothing is invented");
}

#[tokio::test]
async fn sessions_are_listed_newest_first_and_can_be_deleted() {
    let place = Place::new().await;
    let first = place.start(json!({})).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    let second = place.start(json!({})).await;
    let (_, list) = place.get("/api/v1/external/sessions?limit=1").await;
    assert_eq!(
        (list.as_array().unwrap().len(), list[0]["id"].as_str()),
        (1, Some(second.id.as_str()))
    );
    assert_eq!(list[0]["status"], "active");
    for wrong in ["limit=0", "limit=101", "limit=x", "before_started_at=NaN"] {
        assert_eq!(
            place
                .get(&format!("/api/v1/external/sessions?{wrong}"))
                .await
                .0,
            400,
            "{wrong}"
        );
    }
    let one = format!("/api/v1/external/sessions/{}", first.id);
    let deleted = place
        .http
        .delete(place.url(&one))
        .bearer_auth(place.host.api_key().reveal())
        .send()
        .await
        .unwrap();
    assert_eq!(deleted.status(), 204);
    let until = Instant::now() + PATIENCE;
    while place.get(&one).await.0 != 404 {
        assert!(Instant::now() < until, "it is still there");
    }
}

#[tokio::test]
async fn unknown_paths_and_methods_are_refused_in_the_envelope() {
    let place = Place::new().await;
    let (status, answer) = place.get("/api/v1/external/realtime/session/start").await;
    assert_eq!(
        (status, answer["error"]["type"].as_str()),
        (405, Some("api_error"))
    );
    let (status, answer) = place.get("/api/v2/whatever").await;
    assert_eq!(
        (status, answer["error"]["code"].as_str()),
        (404, Some("not_found"))
    );
}
