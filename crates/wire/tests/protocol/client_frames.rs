use alidade_wire::client::{Channel, ClientFrame};
use serde_json::Value;

use crate::vectors::{cases, exactly};

fn built(input: &Value) -> Result<ClientFrame, String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let (args, kwargs) = (&input["args"], &input["kwargs"]);
    let append = |channel| {
        ClientFrame::append(
            channel,
            text(&args[0]).unwrap(),
            text(&kwargs["delegation_id"]),
        )
        .map_err(|fault| fault.to_string())
    };
    match input["call"].as_str() {
        Some("send_text") => Ok(ClientFrame::SendText {
            content: text(&args[0]).unwrap(),
        }),
        Some("send_context") => {
            ClientFrame::context(text(&args[0]).unwrap()).map_err(|fault| fault.to_string())
        }
        Some("append_thinking") => append(Channel::Thinking),
        Some("append_commentary") => append(Channel::Commentary),
        Some("append_instructions") => append(Channel::Instructions),
        Some("set_muted") => Ok(ClientFrame::Mute {
            muted: args[0].as_bool().unwrap(),
        }),
        Some("send_activity_end") => Ok(ClientFrame::ActivityEnd),
        Some("send_image") => Ok(ClientFrame::image(
            text(&kwargs["data"]).unwrap(),
            text(&kwargs["mime_type"]),
            text(&kwargs["stream_id"]),
        )),
        Some(other) => panic!("unknown call {other}"),
        None => {
            let mut map = input["fields"].as_object().unwrap().clone();
            map.insert("type".into(), input["frame"].clone());
            ClientFrame::decode(Value::Object(map).to_string().as_bytes())
                .map_err(|fault| fault.to_string())
        }
    }
}

#[test]
fn client_frames_are_written_as_recorded_and_read_back() {
    for case in cases("client_frames") {
        match (built(&case.input), &case.expect["frames"]) {
            (Ok(frame), Value::Array(frames)) => {
                let written: Value = serde_json::from_str(&frame.encode()).unwrap();
                assert!(exactly(&written, &frames[0]), "{}: {written}", case.name);
                assert_eq!(
                    ClientFrame::decode(frame.encode().as_bytes()),
                    Ok(frame),
                    "{}",
                    case.name
                );
            }
            (Err(_), Value::Null) => {
                assert_eq!(case.expect["error"], "validation", "{}", case.name)
            }
            (built, _) => panic!("{}: {built:?}", case.name),
        }
    }
}

#[test]
fn a_server_refuses_client_frames_that_break_their_limits_and_ignores_what_it_does_not_know() {
    for bad in [
        r#"{"type":"send-context","content":""}"#,
        r#"{"type":"send-text"}"#,
        r#"{"type":"send-text","content":5}"#,
        r#"{"type":"mute","muted":"yes"}"#,
        r#"{"type":"mute","muted":null}"#,
        r#"{"type":"delegation-append","channel":"shout","content":"x"}"#,
        r#"{"type":"tool_job_result","job_id":"j","tool_name":"t","status":"done"}"#,
        r#"{"type":"tool_job_result","job_id":"j","tool_name":"t","status":"completed","result":[1]}"#,
        r#"{"type":"envelope-chunk","envelope_id":"e","seq":"0","total":1,"data":""}"#,
        r#"{"type":"ready","session_id":"s"}"#,
        r#"["ping"]"#,
        r#"{"type":"ping"}{"type":"ping"}"#,
        "",
    ] {
        assert!(ClientFrame::decode(bad.as_bytes()).is_err(), "{bad}");
    }
    let read = ClientFrame::decode(br#"{"type":"ping","id":"m-1","at":[3]}"#);
    assert_eq!(read, Ok(ClientFrame::Ping));
    let timings =
        ClientFrame::decode(br#"{"type":"connect-timings","room_ms":12.0,"server":null}"#).unwrap();
    assert_eq!(
        timings.encode(),
        r#"{"type":"connect-timings","room_ms":12}"#
    );
}
