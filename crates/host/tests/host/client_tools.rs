//! Tools of the client: calls, their one outcome, background jobs.

use std::time::Duration;

use alidade_host::Limits;
use alidade_room::{ParticipantKind, RpcError};
use alidade_wire::{
    reply,
    server::{Origin, ServerFrame},
};
use serde_json::{Value, json};

use crate::common::{Place, client_tool, said};

fn lookup() -> Value {
    json!({ "tools": [client_tool("lookup")] })
}

#[tokio::test]
async fn s29_s30_a_client_tool_is_called_by_name_with_an_object_and_four_frames_share_an_id() {
    let place = Place::new().await;
    let mut client = place.session(lookup(), &["lookup"]).await;
    client
        .send_text(r#"call lookup {"city":"Łódź","n":[1,null]}"#)
        .await;
    let call = client.call().await;
    assert_eq!(
        (call.method.as_str(), call.payload.as_str()),
        ("lookup", r#"{"city":"Łódź","n":[1,null]}"#)
    );
    assert!(
        call.caller
            .as_ref()
            .is_some_and(|caller| caller.kind == ParticipantKind::Agent)
    );
    call.reply(Ok(reply::success(&json!({ "temp": 21.5 }))));
    let frames = client.turn().await;
    assert_eq!(said(&frames), r#"ok {"temp":21.5}"#);
    let steps: Vec<(&str, &str, &str)> = frames
        .iter()
        .filter_map(|frame| match frame {
            ServerFrame::ToolCall { tool_call_id, name } => {
                Some(("call", name.as_str(), tool_call_id.as_str()))
            }
            ServerFrame::ToolDispatchStarted { tool_call_id, name } => {
                Some(("dispatch", name, tool_call_id))
            }
            ServerFrame::ToolInvocation(call) => {
                assert_eq!((call.origin, call.executable), (Origin::Realtime, true));
                assert_eq!(call.args["city"], "Łódź");
                Some(("invocation", &call.name, &call.tool_call_id))
            }
            ServerFrame::ToolResult {
                tool_call_id,
                ok: true,
                ..
            } => Some(("result", "lookup", tool_call_id)),
            _ => None,
        })
        .collect();
    let kinds: Vec<_> = steps.iter().map(|(kind, name, _)| (*kind, *name)).collect();
    assert_eq!(
        kinds,
        [
            ("call", "lookup"),
            ("invocation", "lookup"),
            ("dispatch", "lookup"),
            ("result", "lookup")
        ]
    );
    assert!(
        steps
            .iter()
            .all(|(_, _, id)| *id == steps[0].2 && !id.is_empty())
    );
}

#[tokio::test]
async fn every_kind_of_answer_becomes_one_outcome_and_the_session_goes_on() {
    let place = Place::new().await;
    let mut client = place.session(lookup(), &["lookup"]).await;
    let answers: [(Result<String, RpcError>, &str); 6] = [
        (Ok(reply::success(&Value::Null)), "ok null"),
        (Ok(reply::failure("No such city.")), "failed No such city."),
        (Ok("garbage".to_owned()), "failed the client answered"),
        (
            Ok(r#"{"ok":true,"result":5}"#.to_owned()),
            "failed the client answered",
        ),
        (
            Err(RpcError::application("It fell over.")),
            "failed The app could not run lookup: It fell over.",
        ),
        (
            Ok(reply::deferred("Working on it.", "job-7")),
            "deferred Working on it. job-7",
        ),
    ];
    for (answer, expected) in answers {
        client.send_text("call lookup").await;
        client.call().await.reply(answer);
        let said = said(&client.turn().await);
        assert!(said.starts_with(expected), "{said} is not {expected}");
    }
    client.send_text("call lookup").await;
    drop(client.call().await);
    assert!(said(&client.turn().await).starts_with("failed The app could not run lookup"));
    assert_eq!(
        client.ask("call unheard_of").await,
        "failed There is no tool named unheard_of in this session."
    );
    let long = format!(r#"call lookup {{"text":"{}"}}"#, "x".repeat(16_000));
    assert!(client.ask(&long).await.contains("too long"));
}

#[tokio::test]
async fn a_method_the_client_does_not_have_is_a_failure() {
    let place = Place::new().await;
    let mut client = place.session(lookup(), &[]).await;
    assert_eq!(
        client.ask("call lookup").await,
        "failed The app offers no tool named lookup."
    );
}

#[tokio::test]
async fn s30_a_tool_that_does_not_answer_is_given_up_and_its_late_reply_disturbs_nothing() {
    let place = Place::with(Limits {
        client_tool: Duration::from_secs(3),
        ..Limits::default()
    })
    .await;
    let mut client = place.session(lookup(), &["lookup"]).await;
    client.send_text("call lookup").await;
    let late = client.call().await;
    let frames = client.turn().await;
    assert_eq!(
        said(&frames),
        "failed lookup did not answer within 3 seconds, so I stopped waiting for it."
    );
    assert!(
        frames
            .iter()
            .any(|frame| matches!(frame, ServerFrame::ToolResult { ok: false, .. }))
    );
    late.reply(Ok(reply::success(&json!({ "late": true }))));
    client.send_text("call lookup").await;
    client
        .call()
        .await
        .reply(Ok(reply::success(&json!({ "late": false }))));
    assert_eq!(said(&client.turn().await), r#"ok {"late":false}"#);
}

#[tokio::test]
async fn s31_the_result_of_a_job_is_said_later_once_and_unknown_jobs_are_not() {
    let place = Place::new().await;
    let mut client = place.session(lookup(), &["lookup"]).await;
    client.send_text("call lookup").await;
    client.call().await.reply(Ok(reply::deferred("", "job-1")));
    assert_eq!(said(&client.turn().await), "deferred  job-1");
    let result = |id: &str| json!({ "type": "tool_job_result", "job_id": id, "tool_name": "lookup", "status": "completed", "summary": "It rains." });
    client.send(result("job-0")).await;
    client.send(result("job-1")).await;
    client.send(result("job-1")).await;
    assert_eq!(
        said(&client.turn().await),
        "job job-1 lookup true It rains."
    );
    assert_eq!(
        client.ask("say next").await,
        "next",
        "neither the unknown nor the second one was said"
    );
}

#[tokio::test]
async fn t45_a_result_right_behind_its_deferred_reply_is_not_lost() {
    let place = Place::new().await;
    let mut client = place.session(lookup(), &["lookup"]).await;
    for n in 0..20 {
        client.send_text("call lookup").await;
        let id = format!("quick-{n}");
        client.call().await.reply(Ok(reply::deferred("", &id)));
        client.send(json!({ "type": "tool_job_result", "job_id": id, "tool_name": "lookup", "status": "failed", "error": "No." })).await;
        assert_eq!(said(&client.turn().await), format!("deferred  {id}"));
        assert_eq!(
            said(&client.turn().await),
            format!("job {id} lookup false No.")
        );
    }
}

#[tokio::test]
async fn a_client_that_is_gone_fails_its_call_at_once() {
    let place = Place::new().await;
    let mut client = place.session(lookup(), &["lookup"]).await;
    client.send_text("call lookup").await;
    let _call = client.call().await;
    client.room.leave().await;
    place.until_none_is_active().await;
}
