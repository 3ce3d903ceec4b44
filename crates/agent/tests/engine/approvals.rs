//! Calls that wait for a person (C1–C5).

use std::{sync::Arc, time::Duration};

use crate::support::{
    carrier::job_results as results,
    running::running_with,
    script::{self, Seen},
    settle,
};
use alidade_agent::{
    Agent, Gate, Session, Tool,
    gate::{Answer, Approver, Denial, Proposal},
    transport::Sender,
};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::{Value, json};

/// An approver that answers what a test says, when it says so.
struct Person {
    answer: Mutex<Option<tokio::sync::oneshot::Receiver<Answer>>>,
    asked: Mutex<Vec<Proposal>>,
}

#[async_trait]
impl Approver for Person {
    async fn answer(&self, proposal: &Proposal) -> Answer {
        self.asked.lock().push(proposal.clone());
        let answer = self.answer.lock().take();
        match answer {
            Some(answer) => answer.await.unwrap_or(Answer::Deny(Denial::Cancelled)),
            None => Answer::Deny(Denial::TooMany),
        }
    }
}

struct Asks(Arc<Person>);

impl Gate for Asks {
    fn approver(&self) -> Option<Arc<dyn Approver>> {
        Some(Arc::clone(&self.0) as Arc<dyn Approver>)
    }
}

struct Approval {
    run: crate::support::running::Running,
    person: Arc<Person>,
    says: tokio::sync::oneshot::Sender<Answer>,
    ran: Arc<Mutex<Vec<Value>>>,
    seen: Arc<Seen>,
}

async fn approval() -> Approval {
    let (says, answer) = tokio::sync::oneshot::channel();
    let person = Arc::new(Person {
        answer: Mutex::new(Some(answer)),
        asked: Mutex::default(),
    });
    let ran = Arc::new(Mutex::new(Vec::new()));
    let runs = Arc::clone(&ran);
    let parameters = json!({"type": "object", "properties": {
        "from": {"type": "string"}, "to": {"type": "string", "default": "b"}}, "required": ["from"]});
    let tool = Tool::plain("rename", "d", parameters, move |arguments| {
        runs.lock().push(Value::Object(arguments));
        async { Ok(json!({"renamed": 1})) }
    })
    .unwrap();
    let seen = Arc::new(Seen::default());
    let hook = script::hook(0, &json!({"seam": "PostToolUse"}), None, &seen);
    let agent = Agent::inline().tool(tool).hook(hook).build().unwrap();
    let run = running_with(agent, Arc::new(Asks(Arc::clone(&person)))).await;
    Approval {
        run,
        person,
        says,
        ran,
        seen,
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_must_be_asked_about_is_deferred_at_once_and_runs_after_a_yes() {
    let case = approval().await;
    let reply = case
        .run
        .carrier
        .calls("rename", r#"{"from":"a","planted":1}"#)
        .await
        .unwrap();
    let reply: Value = serde_json::from_str(&reply).unwrap();
    assert_eq!(reply["deferred"], true);
    assert_eq!(reply["result"]["note"], "waiting for the user's approval");
    settle().await;
    let shown = Value::Object(case.person.asked.lock()[0].arguments.clone());
    assert_eq!(
        shown["to"], "b",
        "the person sees the arguments as the handler will"
    );
    assert!(case.ran.lock().is_empty() && results(&case.run.carrier).is_empty());
    case.says.send(Answer::Allow).unwrap();
    settle().await;
    assert_eq!(*case.ran.lock(), [shown]);
    let sent = results(&case.run.carrier);
    assert_eq!(sent[0]["job_id"], reply["job_id"]);
    assert_eq!(sent[0]["status"], "completed");
    assert_eq!(sent[0]["result"], json!({"renamed": 1}));
    assert_eq!(sent[0]["summary"], r#"{"renamed":1}"#);
    assert_eq!(case.seen.post.lock().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn c1_a_no_reaches_model_and_hooks_as_denied_and_nothing_runs() {
    let case = approval().await;
    case.run
        .carrier
        .calls("rename", r#"{"from":"a"}"#)
        .await
        .unwrap();
    case.says.send(Answer::Deny(Denial::ByUser)).unwrap();
    settle().await;
    assert!(case.ran.lock().is_empty());
    let sent = results(&case.run.carrier);
    assert_eq!(sent[0]["status"], "failed");
    assert!(
        sent[0]["error"]
            .as_str()
            .unwrap()
            .starts_with("denied_by_user")
    );
    assert_eq!(case.seen.post.lock()[0]["outcome"]["kind"], "denied");
}

#[tokio::test(start_paused = true)]
async fn c3_a_verdict_is_void_once_the_session_is_over() {
    let case = approval().await;
    case.run
        .carrier
        .calls("rename", r#"{"from":"a"}"#)
        .await
        .unwrap();
    settle().await;
    case.run.session.end().await;
    // The question was closed with the session; a late yes reaches nobody.
    assert!(case.says.send(Answer::Allow).is_err());
    settle().await;
    assert!(case.ran.lock().is_empty() && results(&case.run.carrier).is_empty());
    assert!(case.seen.post.lock().is_empty());
}

#[tokio::test(start_paused = true)]
async fn c3_a_policy_that_changed_after_the_decision_denies() {
    /// Rules that change whenever they are looked at.
    struct Restless(std::sync::atomic::AtomicU64);
    impl Gate for Restless {
        fn rule(&self, _: &Proposal) -> alidade_agent::gate::Rule {
            alidade_agent::gate::Rule::Allow
        }
        fn policy_version(&self) -> u64 {
            self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst)
        }
    }
    let ran = Arc::new(Mutex::new(false));
    let runs = Arc::clone(&ran);
    let tool = Tool::plain("rename", "d", json!({"type": "object"}), move |_| {
        *runs.lock() = true;
        async { Ok(Value::Null) }
    });
    let agent = Agent::inline().tool(tool.unwrap()).build().unwrap();
    let run = running_with(agent, Arc::new(Restless(0.into()))).await;
    let reply = run.carrier.calls("rename", "{}").await.unwrap();
    assert!(reply.contains("gate_error"), "{reply}");
    assert!(!*ran.lock());
}

#[tokio::test(start_paused = true)]
async fn c4_without_an_approver_a_tool_of_the_application_does_not_run() {
    let ran = Arc::new(Mutex::new(false));
    let runs = Arc::clone(&ran);
    let tool = Tool::plain("rename", "d", json!({"type": "object"}), move |_| {
        *runs.lock() = true;
        async { Ok(Value::Null) }
    });
    let agent = Agent::inline().tool(tool.unwrap()).build().unwrap();
    let run = running_with(agent, Arc::new(alidade_agent::gate::NoApprover)).await;
    let reply = run.carrier.calls("rename", "{}").await.unwrap();
    assert!(
        reply.starts_with(r#"{"ok":false"#) && reply.contains("no_approver"),
        "{reply}"
    );
    assert!(!*ran.lock());
}

#[tokio::test(start_paused = true)]
async fn on_the_websocket_a_question_is_answered_within_eight_seconds_or_denied() {
    use crate::support::carrier::{Fake, OneAnswer, data};
    use alidade_agent::{Settings, transport::Lane};
    for (answered, wanted) in [
        (true, r#"{"ok":true,"result":null,"error":null}"#),
        (false, "timed_out"),
    ] {
        let (says, answer) = tokio::sync::oneshot::channel();
        let person = Arc::new(Person {
            answer: Mutex::new(Some(answer)),
            asked: Mutex::default(),
        });
        let carrier = Fake::new(Lane::Websocket);
        carrier.during_join(data(&crate::support::running::ready()));
        let network = OneAnswer::new(
            200,
            &json!({"session_id": "s", "ws_url": "wss://x", "ws_subprotocol": "p"}),
        );
        let tool = Tool::plain("rename", "d", json!({"type": "object"}), |_| async {
            Ok(Value::Null)
        })
        .unwrap();
        let settings = Settings {
            gate: Arc::new(Asks(person)),
            ..Settings::default()
        };
        let agent = Agent::inline().tool(tool).build().unwrap();
        let (_session, start) = Session::new(
            agent,
            network.backend(),
            Arc::new(carrier.clone()),
            settings,
        );
        start.run().await.unwrap();
        let waiting = carrier.call_of(Sender::Agent, "rename", "{}").await;
        settle().await;
        let kept = if answered {
            says.send(Answer::Allow).unwrap();
            None
        } else {
            Some(says)
        };
        let reply = tokio::time::timeout(Duration::from_secs(9), waiting)
            .await
            .unwrap()
            .unwrap()
            .unwrap();
        assert!(reply.contains(wanted), "{reply}");
        drop(kept);
    }
}
