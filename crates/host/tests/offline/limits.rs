//! What it cannot do or could not do, and that it says so.

use alidade_host::brain::ToolOutcome;
use serde_json::json;

use super::script::{Talk, item, tray};

#[tokio::test]
async fn nothing_is_claimed_that_was_not_shown() {
    let mut talk = Talk::new().seeing(&tray()).answering(|name, _| {
        name.starts_with("cosmo_sdk_draw").then(|| {
            ToolOutcome::Ok(json!({"shown": false, "reason": "the camera is off – turn it on"}))
        })
    });
    let said = talk.say("find the cup").await;
    assert_eq!(talk.marks().len(), 1, "after a refusal no more is tried");
    assert!(
        said.contains("I could not mark it: the camera is off – turn it on."),
        "{said}"
    );
    assert!(!said.contains("Here"), "{said}");

    for outcome in [
        ToolOutcome::Failed("the window is gone".to_owned()),
        ToolOutcome::Ok(json!(null)),
        ToolOutcome::Ok(json!({"shown": "yes"})),
        ToolOutcome::Deferred {
            note: String::new(),
            job_id: "j".to_owned(),
        },
    ] {
        let mut talk = Talk::new()
            .seeing(&[item("save", "Save", 0.1, 0.1)])
            .answering(move |name, _| name.starts_with("cosmo_sdk_draw").then(|| outcome.clone()));
        let said = talk.say("where is save").await;
        assert!(
            said.starts_with("“Save” is near the top left. I could not mark it"),
            "{said}"
        );
        let said = talk.say("is there a save button").await;
        assert!(said.contains("I could not mark it"), "{said}");
    }
}

#[tokio::test]
async fn without_a_picture_the_reason_is_said() {
    let mut talk = Talk::new().answering(|_, _| {
        Some(ToolOutcome::Failed(
            "I see no picture yet: share your screen or turn on the camera".to_owned(),
        ))
    });
    for text in [
        "where is save",
        "read it",
        "what do you see",
        "how many cups are there",
        "is there a cup",
        "what is the total",
        "describe this",
    ] {
        assert_eq!(
            talk.say(text).await,
            "I see no picture yet: share your screen or turn on the camera.",
            "{text}"
        );
        assert!(talk.marks().is_empty());
    }
}

#[tokio::test]
async fn with_nothing_to_draw_with_the_place_is_told_in_words() {
    let mut talk = Talk::with(&[], None)
        .seeing(&[item("send", "Send", 0.9, 0.92)])
        .reading(&[
            ("Attach", [0.7, 0.92, 0.1, 0.04]),
            ("Inbox", [0.0, 0.0, 0.1, 0.04]),
        ]);
    assert_eq!(
        talk.say("where is send").await,
        "“Send” is in the bottom right corner, to the right of “Attach”."
    );
}

#[tokio::test]
async fn wishes_to_act_are_shown_and_the_limit_is_said() {
    let mut talk = Talk::new().seeing(&[item("submit", "Submit", 0.5, 0.5)]);
    let said = talk.say("Click the Submit button").await;
    assert_eq!(
        said,
        "I can't press or type anything for you. Here it is: “Submit”, in the middle."
    );
    assert!(
        talk.say("do it for me")
            .await
            .starts_with("I can't act on your desktop")
    );
    assert!(talk.called().is_empty());
}

#[tokio::test]
async fn what_it_cannot_do_is_said_plainly_and_nothing_is_called() {
    let mut talk = Talk::new();
    for (text, wanted) in [
        (
            "What's the capital of France?",
            "I can't answer general questions offline",
        ),
        ("tell me a joke", "I'm not made for talk offline"),
        ("Wo ist der Knopf?", "I only understand English offline"),
        (
            "what colour is the sky",
            "I can't tell that from the picture",
        ),
        ("My uncle has a boat.", "I didn't understand that."),
        ("Hello!", "Hello!"),
        ("thanks", "You're welcome."),
        ("who are you?", "I'm Alidade's offline helper"),
        ("", "I didn't get that."),
        ("yes", "I haven't asked you anything."),
    ] {
        let said = talk.say(text).await;
        assert!(said.starts_with(wanted), "{text}: {said}");
        assert!(talk.called().is_empty(), "{text}");
    }
}

#[tokio::test]
async fn clear_wipes_where_it_can_and_never_claims_more() {
    let mut talk = Talk::new().seeing(&[item("save", "Save", 0.1, 0.1)]);
    assert_eq!(talk.say("clear").await, "I haven't marked anything.");
    talk.say("where is save").await;
    assert!(
        talk.say("Clear the marks")
            .await
            .starts_with("I've let go of the marks")
    );
    assert_eq!(talk.say("clear").await, "I haven't marked anything.");

    let mut talk = Talk::new()
        .tool(super::script::client(
            "clear_marks",
            "Wipes all marks.",
            json!({"type": "object"}),
        ))
        .answering(|name, _| (name == "clear_marks").then(|| ToolOutcome::Ok(json!(null))));
    assert_eq!(talk.say("clear").await, "The marks are gone.");
    assert_eq!(talk.called(), ["clear_marks"]);
}
