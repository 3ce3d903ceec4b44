//! Join tokens: what they open, and what they do not.

use std::time::Duration;

use alidade_host::Limits;
use alidade_room::client::JoinError;
use serde_json::json;

use crate::common::Place;

#[tokio::test]
async fn a_join_token_lets_one_client_in_once() {
    let place = Place::new().await;
    let started = place.start(json!({})).await;
    let validate = async |token: &str| {
        let answer = place
            .http
            .get(place.url(&format!("/rtc/v1/validate?access_token={token}")))
            .send()
            .await
            .unwrap();
        answer.status().as_u16()
    };
    assert_eq!(validate(started.token.reveal()).await, 200);
    assert_eq!(
        validate(started.token.reveal()).await,
        200,
        "asking spends nothing"
    );
    let mut inside = started.join(&[]).await.unwrap();
    inside.ready().await;
    assert_eq!(validate(started.token.reveal()).await, 403);
    let again = started
        .join(&[])
        .await
        .err()
        .expect("a token was used twice");
    assert!(!format!("{again} {again:?}").contains(started.token.reveal()));
    assert_eq!(
        inside.ask("say still here").await,
        "still here",
        "a replay disturbs nobody"
    );
    inside.room.leave().await;
    place.until_none_is_active().await;
    assert!(
        started.join(&[]).await.is_err(),
        "a token outlives its session by nothing"
    );
    assert_eq!(validate(started.token.reveal()).await, 403);
}

#[tokio::test]
async fn foreign_expired_and_bent_tokens_open_nothing() {
    let place = Place::with(Limits {
        token: Duration::from_secs(1),
        ..Limits::default()
    })
    .await;
    let other = Place::new().await;
    let started = place.start(json!({})).await;
    let foreign = other.start(json!({})).await;
    let parts: Vec<&str> = started.token.reveal().split('.').collect();
    // {"alg":"none"} and the claims of a good token.
    let unsigned = format!("eyJhbGciOiJub25lIn0.{}.", parts[1]);
    let bent = format!("{}.{}.{}", parts[0], parts[1], &parts[2][1..]);
    for token in [
        foreign.token.reveal(),
        &unsigned,
        &bent,
        "",
        "x",
        &"a".repeat(5000),
    ] {
        let answer = place
            .http
            .get(place.url(&format!("/rtc/v1?access_token={token}")))
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 401, "{token:.40}");
    }
    assert_eq!(
        place
            .http
            .get(place.url("/rtc/v1"))
            .send()
            .await
            .unwrap()
            .status(),
        401
    );
    assert_eq!(
        place
            .http
            .get(place.url("/rtc?access_token=x"))
            .send()
            .await
            .unwrap()
            .status(),
        404
    );
    tokio::time::sleep(Duration::from_millis(2100)).await;
    let answer = place
        .http
        .get(place.url("/rtc/v1/validate"))
        .bearer_auth(started.token.reveal())
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 401);
    assert!(answer.text().await.unwrap().contains("expired"));
    let refused: Result<_, JoinError> = started.join(&[]).await;
    assert!(refused.is_err());
}
