//! The gate by itself (C1–C4).

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test may panic")]

use alidade_wire::Value;
use serde_json::json;

use super::*;

fn proposal(name: &str, origin: Origin, arguments: Value) -> Proposal {
    Proposal {
        session_id: "s-1".into(),
        call_id: "c-1".into(),
        definition: Arc::new(Definition {
            name: name.into(),
            description: "d".into(),
            parameters: json!({"type": "object"}),
            origin,
        }),
        agent_folder: None,
        arguments: arguments.as_object().cloned().unwrap_or_default(),
        policy_version: 0,
        asked_by_hook: None,
    }
}

fn standing(gate: &dyn Gate, proposal: &Proposal, asked: bool) -> &'static str {
    match judge(gate, proposal, asked) {
        Standing::Allowed(_) => "allowed",
        Standing::Ask(_) => "ask",
        Standing::Denied(denial) => denial.code(),
    }
}

#[test]
fn c4_without_a_rule_drawing_and_skills_are_allowed_and_the_rest_is_asked_about() {
    let no = NoApprover;
    assert_eq!(
        standing(
            &no,
            &proposal("cosmo_sdk_draw_box", Origin::Draw, json!({})),
            false
        ),
        "allowed"
    );
    assert_eq!(
        standing(
            &no,
            &proposal("cosmo_sdk_load_skill", Origin::LoadSkill, json!({})),
            false
        ),
        "allowed"
    );
    assert_eq!(
        standing(
            &no,
            &proposal("rename", Origin::Application, json!({})),
            false
        ),
        "no_approver"
    );
    let mcp = Origin::Mcp {
        server: "fs".into(),
    };
    assert_eq!(
        standing(&no, &proposal("mcp__fs__read", mcp, json!({})), false),
        "no_approver"
    );
}

#[test]
fn c4_layers_only_tighten() {
    let list = AllowList::new(["read_*"]).unwrap();
    let listed = proposal("read_file", Origin::Application, json!({}));
    assert_eq!(standing(&list, &listed, false), "allowed");
    assert_eq!(
        standing(&list, &listed, true),
        "no_approver",
        "a hook's ask is not overruled by a list"
    );
    assert_eq!(
        standing(&NoApprover, &proposal("x", Origin::Draw, json!({})), true),
        "no_approver"
    );

    struct Never;
    impl Gate for Never {
        fn rule(&self, _: &Proposal) -> Rule {
            Rule::Deny
        }
    }
    assert_eq!(
        standing(&Never, &listed, true),
        "denied_by_rule",
        "deny beats ask"
    );
    assert_eq!(
        standing(
            &list,
            &proposal("delete_file", Origin::Application, json!({})),
            false
        ),
        "no_approver"
    );
}

#[tokio::test]
async fn c1_a_gate_or_approver_that_panics_denies() {
    struct Broken;
    impl Gate for Broken {
        fn rule(&self, _: &Proposal) -> Rule {
            panic!("the rules are gone")
        }
    }
    #[async_trait]
    impl Approver for Broken {
        async fn answer(&self, _: &Proposal) -> Answer {
            panic!("the window is gone")
        }
    }
    let call = proposal("x", Origin::Draw, json!({}));
    assert_eq!(standing(&Broken, &call, false), "gate_error");
    assert_eq!(
        ask(Arc::new(Broken), &call).await.unwrap_err(),
        Denial::GateError
    );
}

#[test]
fn c3_a_verdict_fits_the_very_call_it_was_given_for_and_no_other() {
    let call = proposal(
        "rename",
        Origin::Application,
        json!({"from": "a", "to": "b"}),
    );
    let sealed = Sealed::new(7);
    assert_eq!(sealed.open(Verdict::on(&call), &call), Ok(&7));
    let same_members = proposal(
        "rename",
        Origin::Application,
        json!({"to": "b", "from": "a"}),
    );
    assert_eq!(
        sealed.open(Verdict::on(&call), &same_members),
        Ok(&7),
        "the order of members says nothing"
    );

    type Change = Box<dyn Fn(&mut Proposal)>;
    let changed: Vec<(&str, Change)> = vec![
        ("session", Box::new(|call| call.session_id = "s-2".into())),
        ("call", Box::new(|call| call.call_id = "c-2".into())),
        (
            "arguments",
            Box::new(|call| drop(call.arguments.insert("to".into(), json!("c")))),
        ),
        (
            "one more argument",
            Box::new(|call| drop(call.arguments.insert("force".into(), json!(true)))),
        ),
        ("policy", Box::new(|call| call.policy_version = 1)),
        (
            "folder",
            Box::new(|call| call.agent_folder = Some("other".into())),
        ),
        (
            "description",
            Box::new(|call| Arc::make_mut(&mut call.definition).description = "harmless".into()),
        ),
        (
            "schema",
            Box::new(|call| Arc::make_mut(&mut call.definition).parameters = json!({})),
        ),
        (
            "origin",
            Box::new(|call| Arc::make_mut(&mut call.definition).origin = Origin::Draw),
        ),
    ];
    for (what, change) in changed {
        let mut other = call.clone();
        change(&mut other);
        assert_eq!(
            sealed.open(Verdict::on(&call), &other),
            Err(Denial::GateError),
            "{what}"
        );
    }
}

#[test]
fn c3_no_two_sets_of_fields_read_the_same() {
    let joined = |a: &str, b: &str| Digest::of(&[("x", a.as_bytes()), ("y", b.as_bytes())]);
    assert_ne!(joined("ab", "c"), joined("a", "bc"));
    assert_eq!(
        canonical(&json!({"b": [1, {"d": 1, "c": 2}], "a": null})),
        r#"{"a":null,"b":[1,{"c":2,"d":1}]}"#
    );
}

#[test]
fn c1_every_denial_has_its_own_code_and_a_sentence_that_begins_with_it() {
    let all = [
        Denial::ByUser,
        Denial::ByRule,
        Denial::TimedOut,
        Denial::NotShown,
        Denial::Cancelled,
        Denial::Withdrawn,
        Denial::TooMany,
        Denial::NoApprover,
        Denial::GateError,
    ];
    let codes: std::collections::HashSet<_> = all.iter().map(|denial| denial.code()).collect();
    assert_eq!(codes.len(), all.len());
    assert!(
        all.iter()
            .all(|denial| denial.sentence().starts_with(denial.code()))
    );
}
