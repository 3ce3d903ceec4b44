//! Finding, asking which, going on.

use std::sync::atomic::Ordering;

use alidade_host::brain::ToolOutcome;
use serde_json::json;

use super::script::{Item, Talk, item};

fn tray() -> Vec<Item> {
    vec![
        Item {
            area: [0.05, 0.4, 0.1, 0.1],
            way: "object",
            ..item("cup", "cup", 0.0, 0.0)
        },
        Item {
            area: [0.45, 0.4, 0.2, 0.2],
            way: "object",
            ..item("cup", "cup", 0.0, 0.0)
        },
        Item {
            area: [0.85, 0.4, 0.1, 0.1],
            way: "object",
            ..item("cup", "cup", 0.0, 0.0)
        },
    ]
}

#[tokio::test]
async fn what_is_there_is_marked_on_the_picture_it_was_found_in() {
    let mut talk = Talk::new().seeing(&[item("save", "Save As…", 0.05, 0.05)]);
    let said = talk.say("Where is Save?").await;
    assert_eq!(
        talk.called(),
        ["cosmo_detect_objects", "cosmo_sdk_draw_box"]
    );
    assert_eq!(talk.query(), "Save");
    let (_, args) = &talk.marks()[0];
    assert_eq!(
        args["box"],
        json!({"x": 0.05, "y": 0.05, "width": 0.08, "height": 0.04})
    );
    assert_eq!(args["frame"], json!(9000));
    assert_eq!(args["label"], json!("Save As…"));
    assert_eq!(said, "Here it is: “Save As…”, in the top left corner.");
}

#[tokio::test]
async fn what_is_not_there_is_said_to_be_not_there_and_nothing_is_drawn() {
    let mut talk = Talk::new().seeing(&[item("save", "Save", 0.1, 0.1)]);
    assert_eq!(
        talk.say("where's the Print button?").await,
        "I can't find a Print button here."
    );
    assert!(talk.marks().is_empty());
    assert_eq!(
        talk.say("Fold the page in half.").await,
        "I can't find “Fold the page in half” here."
    );
    assert_eq!(
        talk.say("Export all of it.").await,
        "I can't find anything for “Export all of it” here."
    );
    assert_eq!(
        talk.say("is there a unicorn").await,
        "No, I can't find a unicorn here."
    );
    assert!(talk.marks().is_empty());
}

#[tokio::test]
async fn streamed_pieces_join_to_the_answer() {
    let mut talk = Talk::new();
    let said = talk.say("what can you do?").await;
    let pieces = talk.desk.said.lock().clone();
    assert!(pieces.len() > 3);
    assert_eq!(pieces.concat(), said);
    assert!(pieces.iter().all(|piece| piece.len() < 80));
}

#[tokio::test]
async fn several_that_fit_are_numbered_and_asked_about() {
    let mut talk = Talk::new().seeing(&tray());
    let said = talk.say("where is the cup").await;
    assert_eq!(talk.labels(), ["1 cup", "2 cup", "3 cup"]);
    assert_eq!(
        said,
        "I see three that fit the cup and numbered them. Which one do you mean?"
    );
    let said = talk.say("the second").await;
    assert_eq!(said, "Number 2: the cup, in the middle.");
    assert_eq!(talk.marks()[0].1["box"]["x"], json!(0.45));
}

#[tokio::test]
async fn different_labels_are_listed() {
    let mut talk = Talk::new().seeing(&[
        item("open", "Open", 0.1, 0.05),
        item("open", "Open Recent", 0.1, 0.9),
    ]);
    let said = talk.say("open").await;
    assert_eq!(
        said,
        "Two places fit: 1 “Open” near the top left; 2 “Open Recent” near the bottom left. Which one do you mean?"
    );
    let said = talk.say("Open Recent").await;
    assert_eq!(said, "Number 2: “Open Recent”, near the bottom left.");
}

#[tokio::test]
async fn a_question_of_which_is_answered_in_many_ways() {
    for (answer, x) in [
        ("2", 0.45),
        ("number three", 0.85),
        ("the first one please", 0.05),
        ("the left one", 0.05),
        ("right", 0.85),
        ("the middle one", 0.45),
        ("the biggest", 0.45),
        ("I mean the last one", 0.85),
    ] {
        let mut talk = Talk::new().seeing(&tray());
        talk.say("find the cup").await;
        talk.say(answer).await;
        let marks = talk.marks();
        assert_eq!(marks.len(), 1, "{answer}");
        assert_eq!(marks[0].1["box"]["x"], json!(x), "{answer}");
    }
}

#[tokio::test]
async fn other_answers_to_which() {
    let mut talk = Talk::new().seeing(&tray());
    talk.say("find the cup").await;
    assert_eq!(talk.say("yes").await, "Which one? Say its number.");
    assert_eq!(
        talk.say("number 7").await,
        "There is no number 7; I have 3. Which one do you mean?"
    );
    assert_eq!(
        talk.say("all of them").await,
        "I have marked all three of them."
    );
    assert_eq!(talk.marks().len(), 3);
    talk.say("find the cup").await;
    assert!(
        talk.say("none of them")
            .await
            .starts_with("Then I don't see it.")
    );
    talk.say("find the cup").await;
    // A narrower name is looked for anew.
    talk.say("the red one").await;
    assert_eq!(talk.query(), "the red cup");
}

#[tokio::test]
async fn only_the_best_few_are_numbered() {
    let cups: Vec<Item> = (0..9)
        .map(|n| item("cup", "cup", 0.1 * f64::from(n), 0.5))
        .collect();
    let mut talk = Talk::new().seeing(&cups);
    let said = talk.say("where is the cup?").await;
    assert_eq!(talk.marks().len(), 5);
    assert!(said.contains("nine"), "{said}");
}

#[tokio::test]
async fn next_goes_on_and_back_goes_back() {
    let mut talk = Talk::new().seeing(&[
        item("save", "Save", 0.1, 0.1),
        Item {
            sure: 0.8,
            ..item("save", "Save As", 0.1, 0.5)
        },
        Item {
            sure: 0.7,
            ..item("save", "Save All", 0.1, 0.9)
        },
    ]);
    assert!(talk.say("save").await.contains("“Save”"));
    assert_eq!(
        talk.say("next").await,
        "The next one, 2 of 3: “Save As”, on the left."
    );
    assert_eq!(
        talk.say("not that one").await,
        "The next one, 3 of 3: “Save All”, near the bottom left."
    );
    assert_eq!(
        talk.say("another one").await,
        "I know of no other place for “save”."
    );
    assert_eq!(
        talk.say("go back").await,
        "Back to 2 of 3: “Save As”, on the left."
    );
    assert_eq!(talk.marks().len(), 1);
}

#[tokio::test]
async fn next_without_anything_before_is_a_name_or_nothing_to_go_on_to() {
    let mut talk = Talk::new().seeing(&[item("next", "Next >", 0.9, 0.9)]);
    assert!(talk.say("Next").await.contains("“Next >”"));
    let mut talk = Talk::new();
    assert!(
        talk.say("next")
            .await
            .starts_with("There is nothing to move on to yet.")
    );
    assert!(talk.marks().is_empty());
}

#[tokio::test]
async fn candidates_are_looked_for_again_before_they_are_marked() {
    let mut talk = Talk::new().seeing(&tray());
    talk.say("find the cup").await;
    talk.desk.frame.store(9500, Ordering::Relaxed);
    talk.desk.items.lock()[1].area[0] = 0.47;
    talk.say("2").await;
    assert_eq!(talk.marks()[0].1["box"]["x"], json!(0.47));
    assert_eq!(talk.marks()[0].1["frame"], json!(9500));
}

#[tokio::test]
async fn after_a_change_of_source_it_is_asked_again() {
    let mut talk = Talk::new().seeing(&tray());
    talk.say("find the cup").await;
    *talk.desk.source.lock() = "camera";
    let said = talk.say("2").await;
    assert!(
        said.starts_with("The picture has changed since I numbered them. I see three"),
        "{said}"
    );
    talk.desk.items.lock().clear();
    let said = talk.say("2").await;
    assert_eq!(
        said,
        "The picture has changed since I numbered them. I can't find the cup here."
    );
    assert!(talk.marks().is_empty());
}

#[tokio::test]
async fn a_place_that_is_not_sure_is_put_as_a_question() {
    let mut talk = Talk::new().seeing(&[
        Item {
            way: "meaning",
            sure: 0.4,
            ..item("log in", "Sign in", 0.8, 0.1)
        },
        Item {
            way: "meaning",
            sure: 0.3,
            ..item("log in", "Sign up", 0.5, 0.5)
        },
    ]);
    let said = talk.say("where do I log in?").await;
    assert_eq!(
        said,
        "I'm not certain: it may be “Sign in”, near the top right – the closest in meaning. Is that it?"
    );
    assert!(talk.say("no").await.contains("“Sign up”"));
    talk.say("where do I log in?").await;
    assert_eq!(talk.say("yes").await, "Good.");
    assert_eq!(talk.say("yes").await, "All right.");
}

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
async fn the_mark_is_the_one_that_was_asked_for_where_there_is_a_choice() {
    let cup = [Item {
        way: "object",
        ..item("cup", "cup", 0.4, 0.4)
    }];
    for (renderers, text, wanted) in [
        (
            &["cosmo_sdk_draw_box", "cosmo_sdk_draw_point"][..],
            "point at the cup",
            "cosmo_sdk_draw_point",
        ),
        (
            &["cosmo_sdk_draw_box", "cosmo_sdk_draw_point"],
            "where is the cup",
            "cosmo_sdk_draw_box",
        ),
        (
            &["cosmo_sdk_draw_box"],
            "point at the cup",
            "cosmo_sdk_draw_box",
        ),
        (
            &["cosmo_sdk_draw_point"],
            "put a box around the cup",
            "cosmo_sdk_draw_point",
        ),
        (
            &["cosmo_sdk_draw_point"],
            "where is the cup",
            "cosmo_sdk_draw_point",
        ),
    ] {
        let mut talk = Talk::with(renderers, None).seeing(&cup);
        talk.say(text).await;
        let marks = talk.marks();
        assert_eq!(marks.len(), 1, "{text}");
        assert_eq!(marks[0].0, wanted, "{text}");
        if wanted == "cosmo_sdk_draw_point" {
            assert_eq!(marks[0].1["point"], json!({"x": 0.44, "y": 0.42}), "{text}");
        }
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
async fn pronouns_and_follow_ups_keep_to_the_subject() {
    let mut talk = Talk::new().seeing(&[
        item("undo", "Undo", 0.1, 0.1),
        item("redo", "Redo", 0.3, 0.1),
    ]);
    assert_eq!(
        talk.say("where is it").await,
        "I'm not sure what you mean by that. Name the thing, for example “the Save button”."
    );
    talk.say("where is the Undo button?").await;
    talk.say("point at it").await;
    assert_eq!(talk.query(), "the Undo button");
    assert_eq!(talk.marks()[0].0, "cosmo_sdk_draw_point");
    talk.say("what about redo?").await;
    assert_eq!(talk.query(), "redo");
    talk.say("and the Undo button?").await;
    assert_eq!(talk.query(), "the Undo button");
    talk.say("show me again").await;
    assert_eq!(talk.query(), "the Undo button");
    talk.say("is there a redo button?").await;
    assert!(talk.say("and undo?").await.starts_with("Yes: "));
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
async fn several_names_in_one_wish_are_found_one_by_one() {
    let mut talk = Talk::new().seeing(&[item("undo", "Undo", 0.1, 0.1)]);
    let said = talk.say("where are cut, paste and undo?").await;
    // The whole phrase is looked for first: it may be a label.
    assert_eq!(talk.query(), "cut, paste and undo");
    assert!(said.contains("“Undo”"), "{said}");
    let mut talk = Talk::new()
        .seeing(&[item("the pen", "pen", 0.1, 0.1)])
        .answering(|name, args| {
            (name == "cosmo_detect_objects" && args["query"].as_str().unwrap().contains(" and "))
                .then(|| ToolOutcome::Ok(json!({"found": []})))
        });
    let said = talk.say("find the pen and the ruler").await;
    assert_eq!(
        said,
        "Here it is: “pen”, near the top left. I can't find the ruler here."
    );
}

#[tokio::test]
async fn all_and_how_many_mark_every_one() {
    let mut talk = Talk::new().seeing(&tray());
    assert_eq!(
        talk.say("how many cups are there?").await,
        "I count three, marked on the picture."
    );
    assert_eq!(talk.marks().len(), 3);
    assert_eq!(
        talk.say("mark all the cups").await,
        "I have marked all three of them."
    );
    assert_eq!(
        talk.say("where are the cups").await,
        "I have marked all three of them."
    );
    assert_eq!(
        talk.say("how many spoons?").await,
        "I can't find “spoons” here."
    );
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

#[tokio::test]
async fn a_goodbye_ends_the_session_where_the_agent_may() {
    let mut talk = Talk::new();
    assert_eq!(talk.say("bye").await, "Goodbye.");
    assert!(talk.called().is_empty());
    let mut talk = Talk::new().tool(super::script::declared("end_call", true));
    assert_eq!(talk.say("Bye!").await, "Goodbye.");
    assert_eq!(talk.called(), ["end_call"]);
}
