//! Background tools (R72, R73, T35–T45).

use std::{sync::Arc, time::Duration};

use crate::support::{
    carrier::{Fake, job_results as results},
    running::running,
    script::{self, Seen},
    settle,
};
use alidade_agent::{Agent, Failure, Job, Session, Tool, transport::Sender};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::{Value, json};

/// What a scripted job reaches besides its handle.
#[derive(Clone, Default)]
struct Stage {
    run: Arc<Mutex<Option<(Session, Fake)>>>,
    failed: Arc<Mutex<Vec<String>>>,
    acked: Arc<Mutex<Vec<bool>>>,
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

async fn perform(steps: &[Value], job: Job, stage: Stage) -> Result<(), Failure> {
    for step in steps {
        match step[0].as_str().unwrap() {
            "ack" => job.ack(text(&step[1]).unwrap_or_default()),
            "complete" => {
                let sent = job
                    .complete(
                        step[1]["result"].as_object().cloned(),
                        text(&step[1]["summary"]),
                    )
                    .await;
                if sent.is_err() {
                    stage.failed.lock().push("complete".to_owned());
                }
            }
            "fail" => {
                if job.fail(text(&step[1]).unwrap()).await.is_err() {
                    stage.failed.lock().push("fail".to_owned());
                }
            }
            "throw" | "raise" => return Err(Failure::new(text(&step[1]).unwrap())),
            "wait" | "yield" => settle().await,
            "read_acked" => stage.acked.lock().push(job.acked()),
            // A task of the session's own is stopped with it: the end is begun elsewhere, and this one goes on.
            "session_closes" => {
                let (session, _) = stage.run.lock().clone().unwrap();
                session.close().await;
            }
            "publish_fails" => {
                let (_, carrier) = stage.run.lock().clone().unwrap();
                carrier.fail_next_sends(u32::try_from(step[1].as_u64().unwrap()).unwrap());
            }
            other => panic!("no step is called {other}"),
        }
    }
    Ok(())
}

fn scripted(name: &str, parameters: Value, steps: &Value, stage: &Stage) -> Tool {
    let (steps, stage) = (steps.as_array().unwrap().clone(), stage.clone());
    Tool::background(name, "d", parameters, move |_, job| {
        let (steps, stage) = (steps.clone(), stage.clone());
        async move { perform(&steps, job, stage).await }
    })
    .unwrap()
}

fn typed() -> Value {
    json!({"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]})
}

#[tokio::test(start_paused = true)]
async fn t35_to_t44_jobs_run_as_the_golden_data_says() {
    for (name, input, expect) in crate::support::cases("tool_jobs.json") {
        let (stage, seen) = (Stage::default(), Arc::new(Seen::default()));
        let tool_name = input["tool"].as_str().unwrap();
        let parameters = if input["typed"] == true {
            typed()
        } else {
            json!({"type": "object"})
        };
        let mut builder =
            Agent::inline().tool(scripted(tool_name, parameters, &input["steps"], &stage));
        for (index, hook) in input["hooks"].as_array().unwrap().iter().enumerate() {
            builder = builder.hook(script::hook(index, hook, None, &seen));
        }
        let run = running(builder.build().unwrap()).await;
        *stage.run.lock() = Some((run.session.clone(), run.carrier.clone()));
        let reply = run
            .carrier
            .calls(tool_name, input["payload"].as_str().unwrap())
            .await
            .unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let reply: Value = serde_json::from_str(&reply).unwrap();
        assert_eq!(reply["ok"], expect["ok"], "{name}: {reply}");
        assert_eq!(
            reply["deferred"] == true,
            expect["deferred"] == true,
            "{name}: {reply}"
        );
        assert_eq!(
            reply["job_id"].is_string(),
            expect["has_job_id"] == true,
            "{name}"
        );
        for key in ["result", "error"] {
            if let Some(wanted) = expect.get(key) {
                crate::support::same(&name, wanted, &reply[key]);
            }
        }
        crate::support::same(&name, &expect["published"], &results(&run.carrier).into());
        let post: Vec<Value> = seen
            .post
            .lock()
            .iter()
            .map(|saw| json!({"arguments": saw["arguments"], "outcome": saw["outcome"]}))
            .collect();
        crate::support::same(&name, &expect["post_outcomes"], &post.into());
        crate::support::same(
            &name,
            &expect["calls_that_failed"],
            &json!(*stage.failed.lock()),
        );
        if let Some(reads) = expect.get("acked_reads") {
            assert_eq!(json!(*stage.acked.lock()), *reads, "{name}");
        }
        stage.run.lock().take();
    }
}

#[tokio::test(start_paused = true)]
async fn r72_and_r73_job_frames_are_those_of_the_golden_data() {
    for (name, input, expect) in crate::support::cases("background_jobs.json") {
        let stage = Stage::default();
        let mut steps = input["steps"].clone();
        if input["session_open"] == false {
            steps
                .as_array_mut()
                .unwrap()
                .insert(1, json!(["session_closes"]));
        }
        let agent = Agent::inline()
            .tool(scripted(
                "export",
                json!({"type": "object"}),
                &steps,
                &stage,
            ))
            .build();
        let run = running(agent.unwrap()).await;
        *stage.run.lock() = Some((run.session.clone(), run.carrier.clone()));
        let caller = if input["caller_is_agent"] == true {
            Sender::Agent
        } else {
            Sender::Other
        };
        let answer = run
            .carrier
            .call_of(caller, "export", input["payload"].as_str().unwrap())
            .await
            .await
            .unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        match answer {
            Ok(reply) => crate::support::same(
                &name,
                &expect["reply"],
                &serde_json::from_str(&reply).unwrap(),
            ),
            Err(error) => {
                crate::support::same(
                    &name,
                    &expect["rpc_error"],
                    &json!({"code": error.code, "message": error.message}),
                );
            }
        }
        if let Some(frames) = expect.get("frames") {
            crate::support::same(&name, frames, &results(&run.carrier).into());
        }
        stage.run.lock().take();
    }
}

#[tokio::test(start_paused = true)]
async fn t39_the_first_of_two_outcomes_at_once_wins() {
    let tool = Tool::background(
        "race",
        "d",
        json!({"type": "object"}),
        |_, job| async move {
            let (one, two) = tokio::join!(job.complete(None, Some("one".into())), job.fail("two"));
            one?;
            two?;
            Ok(())
        },
    )
    .unwrap();
    let run = running(Agent::inline().tool(tool).build().unwrap()).await;
    run.carrier.calls("race", "{}").await.unwrap();
    settle().await;
    let sent = results(&run.carrier);
    assert_eq!((sent.len(), &sent[0]["summary"]), (1, &json!("one")));
}

#[tokio::test(start_paused = true)]
async fn t36_a_background_handler_that_panics_is_answered_and_after_its_ack_reported() {
    let tool = Tool::background(
        "fragile",
        "d",
        json!({"type": "object"}),
        |arguments, job| async move {
            if arguments.contains_key("ack") {
                job.ack("begun");
                settle().await;
            }
            panic!("canary");
        },
    )
    .unwrap();
    let run = running(Agent::inline().tool(tool).build().unwrap()).await;
    let reply = run.carrier.calls("fragile", "{}").await.unwrap();
    assert!(
        reply.starts_with(r#"{"ok":false"#) && !reply.contains("canary"),
        "{reply}"
    );
    run.carrier
        .calls("fragile", r#"{"ack":true}"#)
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let sent = results(&run.carrier);
    assert_eq!((sent.len(), &sent[0]["status"]), (1, &json!("failed")));
    assert!(!sent[0].to_string().contains("canary"));
}

#[tokio::test(start_paused = true)]
async fn t41_the_session_s_end_stops_handlers_and_answers_what_waits() {
    struct Dropped(Arc<Mutex<bool>>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            *self.0.lock() = true;
        }
    }
    let dropped = Arc::new(Mutex::new(false));
    let held = Arc::clone(&dropped);
    let tool = Tool::background("endless", "d", json!({"type": "object"}), move |_, _job| {
        let guard = Dropped(Arc::clone(&held));
        async move {
            let _guard = guard;
            std::future::pending::<()>().await;
            Ok(())
        }
    })
    .unwrap();
    let run = running(Agent::inline().tool(tool).build().unwrap()).await;
    let waiting = run.carrier.call_of(Sender::Agent, "endless", "{}").await;
    settle().await;
    run.session.end().await;
    let reply = waiting.await.unwrap().unwrap();
    assert!(reply.starts_with(r#"{"ok":false"#), "{reply}");
    settle().await;
    assert!(*dropped.lock());
}

#[tokio::test(start_paused = true)]
async fn t41_after_the_session_s_end_a_job_sends_nothing_and_fails_nothing() {
    let kept: Arc<Mutex<Option<Job>>> = Arc::default();
    let keep = Arc::clone(&kept);
    let tool = Tool::background(
        "handed_on",
        "d",
        json!({"type": "object"}),
        move |_, job| {
            job.ack("begun");
            *keep.lock() = Some(job);
            std::future::pending()
        },
    )
    .unwrap();
    let seen = Arc::new(Seen::default());
    let post = script::hook(0, &json!({"seam": "PostToolUse"}), None, &seen);
    let run = running(Agent::inline().tool(tool).hook(post).build().unwrap()).await;
    run.carrier.calls("handed_on", "{}").await.unwrap();
    run.session.end().await;
    let job = kept.lock().take().unwrap();
    assert_eq!(job.complete(None, Some("late".into())).await, Ok(()));
    assert_eq!(job.fail("later").await, Ok(()));
    assert!(results(&run.carrier).is_empty() && seen.post.lock().is_empty());
}

#[tokio::test(start_paused = true)]
async fn t45_a_job_s_result_waits_until_its_deferred_reply_is_written() {
    use alidade_agent::transport::{Call, Inbound, ReplySlot, RpcFailure};
    /// A carrier that is slow to write replies.
    struct Slow(Arc<Mutex<Vec<&'static str>>>, Fake);
    #[async_trait]
    impl ReplySlot for Slow {
        async fn reply(self: Box<Self>, _: Result<String, RpcFailure>) {
            tokio::time::sleep(Duration::from_secs(1)).await;
            assert!(results(&self.1).is_empty(), "the result overtook the reply");
            self.0.lock().push("reply");
        }
    }
    let tool = Tool::background(
        "hasty",
        "d",
        json!({"type": "object"}),
        |_, job| async move {
            job.ack("begun");
            job.complete(None, Some("done".into())).await?;
            Ok(())
        },
    )
    .unwrap();
    let run = running(Agent::inline().tool(tool).build().unwrap()).await;
    let written = Arc::new(Mutex::new(Vec::new()));
    let call = Call {
        caller: Sender::Agent,
        method: "hasty".into(),
        payload: String::new(),
        slot: Box::new(Slow(Arc::clone(&written), run.carrier.clone())),
        withdrawn: tokio_util::sync::CancellationToken::new(),
    };
    run.carrier.comes(Inbound::Call(call)).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!((written.lock().len(), results(&run.carrier).len()), (1, 1));
}
