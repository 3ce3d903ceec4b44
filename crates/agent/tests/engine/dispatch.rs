//! One call of a client tool, from payload to reply (`tools.md` §5, R68–R71, T13–T24, H9–H17).

use std::sync::Arc;

use crate::support::{
    running::running,
    script::{self, Seen},
};
use alidade_agent::{
    Agent, Failure, Hook, Outcome, PreToolUse, Tool, tool::draw, transport::Sender,
};
use parking_lot::Mutex;
use serde_json::{Value, json};

/// A handler that does what a script says.
fn scripted(name: &str, parameters: &Value, script: &Value, seen: &Arc<Seen>) -> Tool {
    let (script, seen) = (script.clone(), Arc::clone(seen));
    Tool::declared(name, "d", parameters.clone(), move |arguments| {
        seen.handler.lock().push(Value::Object(arguments.clone()));
        let result = if let Some(words) = script.get("raises").or_else(|| script.get("raise")) {
            Err(Failure::new(words.as_str().unwrap()))
        } else if let Some(key) = script
            .get("echo")
            .map(|echo| echo.as_str().unwrap_or("echo"))
        {
            Ok(json!({key: arguments}))
        } else {
            Ok(script
                .get("returns")
                .or_else(|| script.get("return"))
                .cloned()
                .unwrap_or(Value::Null))
        };
        async move { result }
    })
    .unwrap()
}

fn agent(tool: Tool, hooks: &Value, seen: &Arc<Seen>) -> Agent {
    let mut builder = Agent::inline().tool(tool);
    for (index, hook) in hooks.as_array().into_iter().flatten().enumerate() {
        builder = builder.hook(script::hook(index, hook, None, seen));
    }
    builder.build().unwrap()
}

fn sender(input: &Value) -> Sender {
    if input["caller_is_agent"] == true {
        Sender::Agent
    } else {
        Sender::Other
    }
}

#[tokio::test]
async fn r68_replies_are_the_bytes_of_the_golden_data() {
    for (name, input, expect) in crate::support::cases("client_tool_rpc.json") {
        let seen = Arc::new(Seen::default());
        let mut behavior = input["behavior"].clone();
        if behavior["echo"] == true {
            behavior["echo"] = "args".into();
        }
        let tool = scripted("get_weather", &json!({"type": "object"}), &behavior, &seen);
        let run = running(agent(tool, &Value::Null, &seen)).await;
        let payload = input["payload"].as_str().unwrap();
        let answer = run
            .carrier
            .call_of(sender(&input), "get_weather", payload)
            .await
            .await
            .unwrap();
        let got = match answer {
            Ok(reply) => json!({"reply": reply}),
            Err(error) => json!({"rpc_error": {"code": error.code, "message": error.message}}),
        };
        assert_eq!(got, expect, "{name}");
    }
}

#[tokio::test]
async fn t13_to_t24_calls_run_as_the_golden_data_says() {
    for (name, input, expect) in crate::support::cases("tool_dispatch.json") {
        let seen = Arc::new(Seen::default());
        let tool = scripted(
            input["tool"].as_str().unwrap(),
            &input["parameters"],
            &input["handler"],
            &seen,
        );
        let run = running(agent(tool, &input["hooks"], &seen)).await;
        let payload = input["payload"].as_str().unwrap();
        let answer = run
            .carrier
            .call_of(sender(&input), input["tool"].as_str().unwrap(), payload)
            .await
            .await
            .unwrap();
        match answer {
            Ok(reply) => {
                let reply: Value = serde_json::from_str(&reply).unwrap();
                assert_eq!(reply["ok"], expect["ok"], "{name}: {reply}");
                for key in ["result", "error"] {
                    if let Some(wanted) = expect.get(key) {
                        crate::support::same(&name, wanted, &reply[key]);
                    }
                }
            }
            Err(error) => assert_eq!(json!(error.code), expect["rpc_error_code"], "{name}"),
        }
        crate::support::same(
            &name,
            &expect["handler_calls"],
            &json!(*seen.handler.lock()),
        );
        if let Some(pre) = expect.get("pre_calls") {
            let saw: Vec<Value> = seen
                .pre
                .lock()
                .iter()
                .map(|saw| json!({"hook": saw["hook"], "arguments": saw["arguments"]}))
                .collect();
            crate::support::same(&name, pre, &saw.into());
        }
        if let Some(post) = expect.get("post_calls") {
            crate::support::same(&name, post, &json!(*seen.post.lock()));
        }
    }
}

#[tokio::test]
async fn t47_to_t49_draw_calls_decode_as_the_golden_data_says() {
    for (name, input, expect) in crate::support::cases("draw.json") {
        let requests = Arc::new(Mutex::new(Value::Null));
        let outcome = input["outcome"].clone();
        let shown = move || match (&outcome["raises"], outcome["shown"] == true) {
            (Value::String(words), _) => Err(Failure::new(words.as_str())),
            (_, true) => Ok(draw::Shown::yes()),
            _ => Ok(outcome["reason"]
                .as_str()
                .map_or_else(draw::Shown::not, draw::Shown::no)),
        };
        let (saw, again) = (Arc::clone(&requests), shown.clone());
        let boxes = draw::draw_box(move |request| {
            let area = request.area;
            *saw.lock() = json!({
                "box": {"x": area.x, "y": area.y, "width": area.width, "height": area.height}, "label": request.label,
            });
            std::future::ready(shown())
        });
        let saw = Arc::clone(&requests);
        let points = draw::draw_point(move |request| {
            *saw.lock() = json!({"point": {"x": request.spot.x, "y": request.spot.y}, "label": request.label});
            std::future::ready(again())
        });
        let run = running(Agent::inline().tool(boxes).tool(points).build().unwrap()).await;
        let reply = run
            .carrier
            .calls(input["tool"].as_str().unwrap(), &input["args"].to_string())
            .await
            .unwrap();
        let reply: Value = serde_json::from_str(&reply).unwrap();
        assert_eq!(reply["ok"], expect["ok"], "{name}: {reply}");
        crate::support::same(&name, &expect["request"], &requests.lock());
        for key in ["result", "error"] {
            if let Some(wanted) = expect.get(key) {
                crate::support::same(&name, wanted, &reply[key]);
            }
        }
    }
}

#[tokio::test]
async fn the_picture_a_mark_belongs_to_reaches_the_handler_and_other_kinds_of_frame_do_not() {
    let frames = Arc::new(Mutex::new(Vec::new()));
    let saw = Arc::clone(&frames);
    let tool = draw::draw_point(move |request| {
        saw.lock().push(request.frame.map(|id| id.0));
        async { Ok(draw::Shown::yes()) }
    });
    let run = running(Agent::inline().tool(tool).build().unwrap()).await;
    for frame in [
        json!(4_294_967_295_u64),
        json!("12"),
        json!(1.5),
        json!(-3),
        Value::Null,
    ] {
        let payload = json!({"point": {"x": 0.5, "y": 0.5}, "frame": frame}).to_string();
        let reply = run
            .carrier
            .calls("cosmo_sdk_draw_point", &payload)
            .await
            .unwrap();
        assert_eq!(reply, r#"{"ok":true,"result":{"shown":true},"error":null}"#);
    }
    assert_eq!(
        *frames.lock(),
        [Some(4_294_967_295), None, None, None, None]
    );
}

#[tokio::test]
async fn every_call_gets_one_reply_also_when_the_handler_panics() {
    let seen = Arc::new(Seen::default());
    /// Breaks down before there is a future, or within it.
    fn broken(early: bool) -> impl Future<Output = alidade_agent::ToolResult> {
        assert!(!early, "canary-secret");
        async { panic!("canary-secret") }
    }
    let tool = Tool::plain("break_down", "d", json!({"type": "object"}), |arguments| {
        broken(arguments.contains_key("early"))
    })
    .unwrap();
    let run = running(agent(tool, &json!([{"seam": "PostToolUse"}]), &seen)).await;
    let early = run
        .carrier
        .calls("break_down", r#"{"early":1}"#)
        .await
        .unwrap();
    let reply = run.carrier.calls("break_down", "{}").await.unwrap();
    assert_eq!(early, reply);
    assert!(
        reply.starts_with(r#"{"ok":false,"result":null,"error":""#) && !reply.contains("canary"),
        "{reply}"
    );
    assert_eq!(seen.post.lock()[0]["outcome"]["kind"], "error");
    assert!(
        run.carrier.calls("break_down", "{}").await.is_ok(),
        "the session goes on"
    );
}

#[tokio::test]
async fn t23_a_returned_list_is_a_fault_of_the_handler() {
    for returned in [json!([1]), json!("text"), json!(5), json!(true)] {
        let seen = Arc::new(Seen::default());
        let tool = scripted(
            "wrong",
            &json!({"type": "object"}),
            &json!({"returns": returned}),
            &seen,
        );
        let run = running(agent(tool, &Value::Null, &seen)).await;
        let reply: Value =
            serde_json::from_str(&run.carrier.calls("wrong", "{}").await.unwrap()).unwrap();
        assert_eq!(reply["ok"], false, "{returned}");
    }
}

#[tokio::test]
async fn calls_of_one_tool_do_not_wait_for_each_other() {
    let gate = Arc::new(tokio::sync::Notify::new());
    let held = Arc::clone(&gate);
    let tool = Tool::plain(
        "slow_one",
        "d",
        json!({"type": "object"}),
        move |arguments| {
            let held = Arc::clone(&held);
            async move {
                if arguments.contains_key("wait") {
                    held.notified().await;
                }
                Ok(Value::Null)
            }
        },
    )
    .unwrap();
    let run = running(Agent::inline().tool(tool).build().unwrap()).await;
    let slow = run
        .carrier
        .call_of(Sender::Agent, "slow_one", r#"{"wait":true}"#)
        .await;
    run.carrier.calls("slow_one", "{}").await.unwrap();
    gate.notify_one();
    assert_eq!(
        slow.await.unwrap().unwrap(),
        r#"{"ok":true,"result":null,"error":null}"#
    );
}

#[tokio::test]
async fn a_method_nobody_declared_is_refused_at_the_level_of_the_call() {
    let run = running(Agent::inline().build().unwrap()).await;
    assert_eq!(
        run.carrier
            .calls("no_such_tool", "{}")
            .await
            .unwrap_err()
            .code,
        1400
    );
}

#[tokio::test]
async fn h14_post_tool_use_is_over_before_the_reply_leaves() {
    let over = Arc::new(Mutex::new(false));
    let done = Arc::clone(&over);
    let post = Hook::post_tool_use(None, move |used| {
        let done = Arc::clone(&done);
        async move {
            assert_eq!(used.outcome, Outcome::Ok(None));
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            *done.lock() = true;
            Ok(())
        }
    });
    let tool = Tool::plain("do_it", "d", json!({"type": "object"}), |_| async {
        Ok(Value::Null)
    })
    .unwrap();
    let run = running(
        Agent::inline()
            .tool(tool)
            .hook(post.unwrap())
            .build()
            .unwrap(),
    )
    .await;
    run.carrier.calls("do_it", "{}").await.unwrap();
    assert!(*over.lock());
}

#[tokio::test]
async fn k20_and_h30_built_in_tools_go_through_hooks() {
    let deny = Hook::pre_tool_use(Some("cosmo_sdk_*"), |_| async {
        Ok(PreToolUse::deny("not now"))
    })
    .unwrap();
    let tool = draw::draw_point(|_| async { Ok(draw::Shown::yes()) });
    let skill = alidade_agent::Skill::new("a", "b", "c");
    let run = running(
        Agent::inline()
            .tool(tool)
            .skill(skill)
            .hook(deny)
            .build()
            .unwrap(),
    )
    .await;
    for (method, payload) in [
        ("cosmo_sdk_draw_point", r#"{"point":{"x":0,"y":0}}"#),
        ("cosmo_sdk_load_skill", r#"{"name":"a"}"#),
    ] {
        let reply = run.carrier.calls(method, payload).await.unwrap();
        assert_eq!(reply, r#"{"ok":false,"result":null,"error":"not now"}"#);
    }
}
