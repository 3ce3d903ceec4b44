use alidade_wire::{
    error::{CallCode, StartCode},
    rest::{
        self, BadAnswer, DialAnswer, ErrorBody, MintedToken, PreparedRoom, Secret, StartAnswer,
        UsageAnswer, VerifyAnswer, WsStartAnswer,
    },
};
use serde_json::{Value, json};

use crate::vectors::{cases, same};

fn parse(op: &str, transport: &str, body: &[u8]) -> Result<Value, BadAnswer> {
    fn value<T: serde::Serialize>(answer: T) -> Value {
        serde_json::to_value(answer).unwrap()
    }
    match (op, transport) {
        ("start", "websocket") => WsStartAnswer::parse(body).map(value),
        ("start", _) => StartAnswer::parse(body).map(value),
        ("verify", _) => VerifyAnswer::parse(body).map(value),
        ("usage", _) => UsageAnswer::parse(body).map(value),
        ("dial", _) => DialAnswer::parse(body).map(value),
        ("mint_token", _) => MintedToken::parse(body).map(|token| minted(&token)),
        other => panic!("unknown op {other:?}"),
    }
}

fn minted(token: &MintedToken) -> Value {
    json!({"jwt": token.jwt, "token_id": token.token_id, "expires_at_unix_us": token.expires_at_unix_us})
}

#[test]
fn r13_answers_are_read_as_recorded() {
    for case in cases("rest_responses") {
        let body = case.input["body"].to_string();
        match parse(
            case.input["op"].as_str().unwrap(),
            case.input["transport"].as_str().unwrap(),
            body.as_bytes(),
        ) {
            Ok(value) => assert!(
                same(&value, &case.expect["value"]),
                "{}: {value}",
                case.name
            ),
            Err(_) => assert_eq!(case.expect["error"], "invalid_response", "{}", case.name),
        }
    }
}

#[test]
fn r14_minted_tokens_are_read_as_recorded() {
    for case in cases("minted_token") {
        let read =
            MintedToken::parse(case.input.to_string().as_bytes()).map(|token| minted(&token));
        assert!(
            same(&read.clone().unwrap_or_default(), &case.expect),
            "{}: {read:?}",
            case.name
        );
    }
    assert!(
        MintedToken::parse_endpoint(br#"{"jwt":"j","expiresAt":"2030-01-01T00:00:00Z"}"#).is_ok()
    );
    assert_eq!(rest::unix_micros("1969-12-31T23:59:59.25Z"), Some(-750_000));
    assert_eq!(rest::unix_micros("2031-02-29T00:00:00Z"), None);
}

/// What the answer of the server alone decides; no answer and redirects are the caller's.
#[test]
fn r12_failures_are_read_and_classified_as_recorded() {
    let mut seen = 0;
    for case in cases("rest_errors") {
        let (response, expect) = (&case.input["response"], &case.expect);
        let (op, transport) = (
            case.input["op"].as_str().unwrap(),
            case.input["transport"].as_str().unwrap(),
        );
        let Some(status) = response["status"].as_u64() else {
            continue;
        };
        let body = response["body"].as_str().unwrap().as_bytes();
        let own_rule = (op == "start" && transport == "websocket" && status == 404)
            || case.name == "mint_without_api_key";
        if own_rule || (300..400).contains(&status) {
            continue;
        }
        seen += 1;
        if status < 300 {
            match parse(op, transport, body) {
                Ok(_) => assert_eq!(expect["ok"], true, "{}", case.name),
                Err(_) => assert_eq!(
                    expect["code"],
                    StartCode::InvalidResponse.as_str(),
                    "{}",
                    case.name
                ),
            }
            continue;
        }
        let failure = rest::read_failure(u16::try_from(status).unwrap(), body);
        assert_eq!(expect["server_code"], failure.server_code, "{}", case.name);
        assert_eq!(expect["message"], failure.message, "{}", case.name);
        if op != "start" {
            assert_eq!(
                expect["code"],
                CallCode::RequestRejected.as_str(),
                "{}",
                case.name
            );
            continue;
        }
        let code = rest::classify_start(u16::try_from(status).unwrap(), &failure.server_code);
        assert_eq!(expect["code"], code.as_str(), "{}", case.name);
        let retry_after = response["headers"]["retry-after"]
            .as_str()
            .and_then(rest::retry_after);
        assert_eq!(
            expect["retry_after_seconds"].as_u64(),
            retry_after,
            "{}",
            case.name
        );
        let detail = failure.detail.map(|detail| {
            let mut known = detail.known;
            if !detail.extra.is_empty() {
                known.insert("extra".into(), Value::Object(detail.extra));
            }
            Value::Object(known)
        });
        let expected = (!expect["detail"].is_null()).then(|| expect["detail"].clone());
        match (&detail, &expected) {
            (Some(detail), Some(expected)) => {
                assert!(same(detail, expected), "{}: {detail}", case.name)
            }
            (None, None) => {}
            other => panic!("{}: {other:?}", case.name),
        }
    }
    assert!(seen > 70, "{seen}");
}

#[test]
fn what_a_server_writes_as_a_failure_a_client_reads() {
    let body = ErrorBody::api("concurrent_session_limit", "3 of 3 sessions are running.")
        .with("limit", 3)
        .with("active", 3);
    let failure = rest::read_failure(429, body.to_value().to_string().as_bytes());
    assert_eq!(
        (failure.server_code.as_str(), failure.message.as_str()),
        ("concurrent_session_limit", "3 of 3 sessions are running.")
    );
    assert_eq!(failure.detail.unwrap().known["limit"], 3);
    let failure = rest::read_failure(
        500,
        ErrorBody::internal("oops")
            .to_value()
            .to_string()
            .as_bytes(),
    );
    assert_eq!(failure.server_code, "internal_error");
}

#[test]
fn tokens_are_never_printed() {
    let canary = "canary-7f3a";
    let answer = StartAnswer::parse(
        json!({"livekit_url": "u", "token": canary, "room_name": "r", "session_id": "s"})
            .to_string()
            .as_bytes(),
    )
    .unwrap();
    let ws = WsStartAnswer::parse(
        json!({"session_id": "s", "ws_url": "u", "ws_subprotocol": canary})
            .to_string()
            .as_bytes(),
    );
    let room = PreparedRoom::parse(
        json!({"livekit_url": "u", "token": canary, "room_name": "r", "room_grant": canary})
            .to_string()
            .as_bytes(),
    );
    let token = MintedToken::parse(
        json!({"jwt": canary, "expires_at": "2030-01-01T00:00:00Z"})
            .to_string()
            .as_bytes(),
    );
    let printed = format!(
        "{answer:?} {ws:?} {room:?} {token:?} {} {:?}",
        Secret::new(canary),
        Secret::new(canary)
    );
    assert!(
        printed.contains("***") && !printed.contains(canary),
        "{printed}"
    );
    assert_eq!(answer.token.expose(), canary);
    let bad = MintedToken::parse(
        json!({"jwt": canary, "expires_at": canary})
            .to_string()
            .as_bytes(),
    )
    .unwrap_err();
    assert!(!format!("{bad} {bad:?}").contains(canary));
}

#[test]
fn a_session_id_stays_one_path_segment() {
    assert_eq!(
        rest::path::usage("a/../b?c"),
        "/api/v1/external/sessions/a%2F..%2Fb%3Fc/usage"
    );
}
