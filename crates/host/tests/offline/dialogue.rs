//! Finding and marking, one thing or several, and keeping to the subject.

use alidade_host::brain::ToolOutcome;
use serde_json::json;

use super::script::{Item, Talk, item, tray};

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
async fn several_names_in_one_wish_leave_nothing_to_choose() {
    let mut talk = Talk::new().seeing(&[
        item("pen", "pen", 0.05, 0.05),
        item("ruler", "ruler", 0.9, 0.9),
    ]);
    assert_eq!(
        talk.say("find the pen and the ruler").await,
        "Here it is: “pen”, in the top left corner. Here it is: “ruler”, in the bottom right corner."
    );
    assert_eq!(talk.labels(), ["pen", "ruler"], "nothing is numbered");
    let named = |x| item("copy and paste", "Copy and Paste", x, 0.5);
    let mut talk = Talk::new().seeing(&[named(0.1), named(0.8)]);
    let said = talk.say("where is copy and paste?").await;
    assert!(said.ends_with("Which one do you mean?"), "{said}");
    assert_eq!(talk.labels(), ["1 Copy and Paste", "2 Copy and Paste"]);
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
async fn a_goodbye_ends_the_session_where_the_agent_may() {
    let mut talk = Talk::new();
    assert_eq!(talk.say("bye").await, "Goodbye.");
    assert!(talk.called().is_empty());
    let mut talk = Talk::new().tool(super::script::declared("end_call", true));
    assert_eq!(talk.say("Bye!").await, "Goodbye.");
    assert_eq!(talk.called(), ["end_call"]);
}
