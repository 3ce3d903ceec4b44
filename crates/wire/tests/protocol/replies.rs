use alidade_wire::{
    job::{self, Outcome},
    limits,
    reply::{self, Reply},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::vectors::{cases, exactly};

#[test]
fn t24_to_t33_replies_equal_the_recorded_bytes() {
    for case in cases("tool_reply") {
        let (input, expect) = (&case.input, &case.expect);
        let text = |key: &str| input[key].as_str().unwrap();
        let written = match input["op"].as_str().unwrap() {
            "success" => reply::success(&input["result"]),
            "error" => reply::failure(
                input["error"]
                    .as_str()
                    .or(input["message"].as_str())
                    .unwrap(),
            ),
            "ack_note" => reply::deferred(text("note"), "JOB"),
            "deferred" => reply::deferred_fit(text("note"), text("job_id")),
            "shrink" => {
                let most = input["max_scalars"].as_u64().unwrap() as usize;
                assert_eq!(
                    reply::shrink(&input["value"], most),
                    expect["value"],
                    "{}",
                    case.name
                );
                continue;
            }
            other => panic!("unknown op {other}"),
        };
        let read: Value = serde_json::from_str(&written).unwrap();
        if case.name == "error/empty" {
            // What stands for an empty message is the caller's business: there is no type name here.
            assert_eq!(written, r#"{"ok":false,"result":null,"error":""}"#);
            continue;
        }
        assert!(
            exactly(&read, &expect["reply"]),
            "{}: {}",
            case.name,
            &written[..written.len().min(300)]
        );
        assert!(written.len() <= limits::REPLY_BYTES, "{}", case.name);
        if let Some(bytes) = expect["bytes"].as_u64() {
            assert_eq!(written.len() as u64, bytes, "{}", case.name);
        }
        if let Some(digest) = expect["sha256"].as_str() {
            let own: String = Sha256::digest(written.as_bytes())
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            assert_eq!(own, digest, "{}", case.name);
        }
    }
}

#[test]
fn r68_r70_plain_calls_answer_as_recorded() {
    for case in cases("client_tool_rpc")
        .into_iter()
        .filter(|case| case.expect["reply"].is_string())
    {
        let behavior = &case.input["behavior"];
        let written = match reply::arguments(case.input["payload"].as_str().unwrap()) {
            Err(fault) => reply::failure(fault),
            Ok(args) => match (&behavior["return"], behavior["raise"].as_str()) {
                (Value::Null, Some(message)) => reply::failure(message),
                (Value::Null, None) => reply::success(&json!({ "args": args })),
                (result, _) => reply::success(result),
            },
        };
        assert_eq!(case.expect["reply"], written, "{}", case.name);
    }
}

#[test]
fn t23_a_result_that_is_no_object_is_a_failure() {
    for result in [json!([1]), json!("x"), json!(5), json!(true)] {
        assert!(
            matches!(
                reply::parse(&reply::success(&result)),
                Ok(Reply::Failure(_))
            ),
            "{result}"
        );
    }
    assert_eq!(
        reply::success(&Value::Null),
        r#"{"ok":true,"result":null,"error":null}"#
    );
}

#[test]
fn s31_a_server_reads_what_clients_write() {
    let object = json!({"a": 1});
    assert_eq!(
        reply::parse(&reply::success(&object)),
        Ok(Reply::Success(object.as_object().cloned()))
    );
    assert_eq!(
        reply::parse(&reply::success(&Value::Null)),
        Ok(Reply::Success(None))
    );
    assert_eq!(
        reply::parse(&reply::failure("no")),
        Ok(Reply::Failure("no".into()))
    );
    let deferred = |note: &str| {
        Ok(Reply::Deferred {
            note: note.into(),
            job_id: "j".into(),
        })
    };
    assert_eq!(
        reply::parse(&reply::deferred("soon", "j")),
        deferred("soon")
    );
    assert_eq!(reply::parse(&reply::deferred("", "j")), deferred(""));
    for bad in [
        "",
        "[]",
        "{}",
        r#"{"ok":1}"#,
        r#"{"ok":false}"#,
        r#"{"ok":true,"result":[]}"#,
        r#"{"ok":true,"deferred":true}"#,
    ] {
        assert!(reply::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn t32_a_mark_of_the_callers_own_is_overwritten_where_it_stands() {
    let result = json!({"cosmo_sdk_truncated": "mine", "t": "a".repeat(20_000)});
    let read: Value = serde_json::from_str(&reply::success(&result)).unwrap();
    let keys: Vec<_> = read["result"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["cosmo_sdk_truncated", "t"]);
    assert_eq!(
        read["result"]["cosmo_sdk_truncated"]["original_bytes"],
        result.to_string().len()
    );
}

/// The frames that the capping cases publish, for the one terminal step they script.
#[test]
fn r73_job_frames_are_capped_as_recorded() {
    let mut seen = 0;
    for case in cases("tool_jobs")
        .into_iter()
        .filter(|case| case.name.starts_with("cap/"))
    {
        let step = case.input["steps"].as_array().unwrap().last().unwrap();
        let outcome = match step[0].as_str().unwrap() {
            "complete" => Outcome::Completed {
                result: step[1]["result"].as_object().cloned(),
                summary: step[1]["summary"].as_str().map(str::to_owned),
            },
            _ => Outcome::Failed(step[1].as_str().unwrap().to_owned()),
        };
        let tool = case.input["tool"].as_str().unwrap();
        let written = job::result_frame("JOB", tool, &outcome).encode();
        let mut frame: Value = serde_json::from_str(&written).unwrap();
        if let Some(bytes) = frame.pointer_mut("/result/_original_bytes") {
            assert!(bytes.is_u64());
            *bytes = "ANY_NUMBER".into();
        }
        assert!(
            exactly(&frame, &case.expect["published"][0]),
            "{}: {}",
            case.name,
            &written[..written.len().min(300)]
        );
        assert!(
            written.len() <= limits::JOB_FRAME_BYTES - limits::JOB_FRAME_ID_BYTES,
            "{}",
            case.name
        );
        seen += 1;
    }
    assert!(seen >= 8);
}

#[test]
fn a_job_result_is_measured_with_spaces_and_ascii_escapes() {
    // {"t": "…"} with n two-byte letters takes 9 + 6n bytes.
    let frame = |letters: usize| {
        let result = json!({ "t": "é".repeat(letters) }).as_object().cloned();
        job::result_frame(
            "j",
            "t",
            &Outcome::Completed {
                result,
                summary: None,
            },
        )
        .encode()
    };
    assert!(frame(1363).contains("é"));
    assert!(
        frame(1364).ends_with(r#""result":{"_truncated":true,"_original_bytes":8193}}"#),
        "{}",
        frame(1364)
    );
}
