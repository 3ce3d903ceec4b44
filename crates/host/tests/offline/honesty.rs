//! Nothing is said as certain that is not known; what was said is quoted as it was said.

use alidade_host::brain::ToolOutcome;
use serde_json::json;

use super::script::{Item, Talk, item};

/// A form: names on the left, what belongs to them beside, two buttons below.
const FORM: &[(&str, [f64; 4])] = &[
    ("Alarm", [0.1, 0.1, 0.2, 0.04]),
    ("06:30", [0.5, 0.1, 0.1, 0.04]),
    ("08:15", [0.7, 0.1, 0.1, 0.04]),
    ("Ring twice", [0.1, 0.2, 0.2, 0.04]),
    ("Melody", [0.1, 0.3, 0.2, 0.04]),
    ("Discard", [0.6, 0.9, 0.1, 0.04]),
    ("Apply", [0.8, 0.9, 0.1, 0.04]),
];

#[tokio::test]
async fn what_stands_beside_a_name_is_its_neighbour_on_that_side() {
    for (text, wanted) in [
        (
            "What's the button left of Apply?",
            "To the left of “Apply” I read “Discard”.",
        ),
        (
            "what is to the right of the Discard button",
            "To the right of the Discard button I read “Apply”.",
        ),
        (
            "show me the button next to Discard",
            "Next to “Discard” I read “Apply”.",
        ),
        ("What is below Alarm?", "Below “Alarm” I read “Ring twice”."),
        (
            "What is directly above Melody?",
            "Above “Melody” I read “Ring twice”.",
        ),
        (
            "What does it say under Ring twice?",
            "Below “Ring twice” I read “Melody”.",
        ),
        (
            "what is next to Alarm",
            "Next to “Alarm” I read “Ring twice”.",
        ),
        (
            "what is left of Alarm?",
            "I can't read anything to the left of “Alarm”.",
        ),
        ("what is below Horn?", "I can't find “Horn” here."),
    ] {
        let mut talk = Talk::new().reading(FORM);
        assert_eq!(talk.say(text).await, wanted, "{text}");
        let marked = usize::from(wanted.contains("I read"));
        assert_eq!(talk.marks().len(), marked, "{text}");
    }
    let mut talk = Talk::new().reading(&[
        ("Copy", [0.1, 0.1, 0.1, 0.04]),
        ("Copy", [0.1, 0.5, 0.1, 0.04]),
        ("Cut", [0.1, 0.2, 0.1, 0.04]),
    ]);
    let said = talk.say("what is below Copy?").await;
    assert!(
        said.starts_with("I see “Copy” in more than one place."),
        "{said}"
    );
}

#[tokio::test]
async fn what_begins_or_ends_when_is_not_told_from_figures_that_do_not_say() {
    let mut talk = Talk::new().reading(FORM);
    for text in ["When does the alarm end?", "what time does the alarm start"] {
        assert_eq!(
            talk.say(text).await,
            "I can't tell what begins or ends when; with “the alarm” I read “06:30” and “08:15”.",
            "{text}"
        );
    }
    let mut talk = Talk::new().reading(&[("Sale ends 5 May", [0.1, 0.1, 0.2, 0.04])]);
    assert_eq!(
        talk.say("when does the sale end?").await,
        "It says “Sale ends 5 May”."
    );
}

#[tokio::test]
async fn kinds_that_are_not_recognised_are_neither_counted_nor_denied() {
    let mut talk = Talk::new().seeing(&[
        item("item", "Item details", 0.1, 0.1),
        item("file", "File name", 0.1, 0.5),
    ]);
    for (text, kind) in [
        ("How many items are in the folder?", "items"),
        ("how many files are there", "files"),
        ("How many checkboxes are there?", "checkboxes"),
        ("Find all the switches", "switches"),
        ("mark all items", "items"),
        ("Where is the slider?", "sliders"),
        ("show me the sidebar", "sidebars"),
        ("is there a text field", "text fields"),
    ] {
        let said = talk.say(text).await;
        assert_eq!(
            said,
            format!(
                "I can't recognise {kind} by themselves; ask for the words on or beside the one you mean."
            ),
            "{text}"
        );
        assert!(talk.marks().is_empty(), "{text}");
    }
    // What a detector knows is counted.
    let mut talk = Talk::new().seeing(&[Item {
        way: "control",
        ..item("button", "", 0.1, 0.1)
    }]);
    assert_eq!(
        talk.say("how many buttons are there").await,
        "I count one, marked on the picture."
    );
}

#[tokio::test]
async fn the_label_of_a_switch_is_told_apart_from_the_switch() {
    let mut talk = Talk::new().seeing(&[item("ring twice", "Ring twice", 0.1, 0.5)]);
    for text in [
        "Where is the switch for Ring twice?",
        "where is the Ring twice switch",
    ] {
        assert_eq!(
            talk.say(text).await,
            "Its label is here: “Ring twice”, on the left. I can't make out the switch itself.",
            "{text}"
        );
    }
    assert!(
        talk.say("where is Ring twice")
            .await
            .starts_with("Here it is")
    );
    let mut talk = Talk::new().seeing(&[Item {
        way: "control",
        ..item("ring twice", "Ring twice", 0.1, 0.5)
    }]);
    let said = talk.say("Where is the switch for Ring twice?").await;
    assert!(said.starts_with("Here it is"), "{said}");
}

#[tokio::test]
async fn what_is_looked_for_in_other_words_is_quoted_as_it_was_said() {
    let mut talk = Talk::new();
    for text in [
        "Which switches are on?",
        "which button closes this?",
        "Which lamps are lit?",
    ] {
        let said = talk.say(text).await;
        assert!(said.contains(&format!("“{text}”")), "{text}: {said}");
    }
    for text in ["What is selected on the left?", "Which folder am I in?"] {
        let said = talk.say(text).await;
        assert!(
            said.starts_with("I can't tell that from the picture"),
            "{text}: {said}"
        );
    }
    let said = talk.say("do what it says").await;
    assert!(said.starts_with("I can't act on your desktop"), "{said}");
    talk.say("which button closes the door?").await;
    let said = talk.say("the second one").await;
    assert!(said.starts_with("I'm not sure what you mean"), "{said}");
}

#[tokio::test]
async fn a_window_that_cannot_be_found_is_closed_with_what_is_called_close() {
    let mut talk = Talk::new()
        .seeing(&[item("close", "Close", 0.9, 0.02)])
        .answering(|name, args| {
            let query = args.get("query").and_then(|query| query.as_str())?;
            (name == "cosmo_detect_objects" && query.contains("window"))
                .then(|| ToolOutcome::Ok(json!({"found": []})))
        });
    assert_eq!(
        talk.say("How do I close the Spelling window?").await,
        "Here it is: “Close”, in the top right corner."
    );
    let mut talk = Talk::new()
        .seeing(&[item("close", "Close all tabs", 0.9, 0.1)])
        .answering(|name, args| {
            let query = args.get("query").and_then(|query| query.as_str())?;
            (name == "cosmo_detect_objects" && query.contains("window"))
                .then(|| ToolOutcome::Ok(json!({"found": []})))
        });
    let said = talk.say("How do I close the Spelling window?").await;
    assert!(said.starts_with("I can't find anything for"), "{said}");
}

#[tokio::test]
async fn a_control_called_like_what_is_done_in_a_field_is_no_field() {
    let mut talk = Talk::new()
        .seeing(&[item("type", "Type", 0.8, 0.1)])
        .answering(|name, args| {
            let query = args.get("query").and_then(|query| query.as_str())?;
            (name == "cosmo_detect_objects" && query.contains("password"))
                .then(|| ToolOutcome::Ok(json!({"found": []})))
        });
    let said = talk.say("Where do I type the password?").await;
    assert!(said.starts_with("I can't find"), "{said}");
}

#[tokio::test]
async fn who_asks_where_to_enter_something_is_told_of_a_field() {
    for (text, wanted) in [
        (
            "Where can I search?",
            "I can't find a field for “search” here.",
        ),
        (
            "could you tell me where to type my name please",
            "I can't find a field for “type my name” here.",
        ),
        (
            "How do I search?",
            "I can't find anything for “search” here.",
        ),
    ] {
        let mut talk = Talk::new().answering(|name, _| {
            (name == "cosmo_detect_objects").then(|| ToolOutcome::Ok(json!({"found": []})))
        });
        assert_eq!(talk.say(text).await, wanted, "{text}");
    }
}

#[tokio::test]
async fn text_too_small_to_be_read_is_said_to_be_so() {
    let page = |height: u32| {
        Talk::new().answering(move |name, _| {
            (name == "examine_image").then(|| {
                ToolOutcome::Ok(json!({
                    "size": {"width": 2 * height, "height": height},
                    "lines": [{"text": "Total 9", "box": {"x": 0.1, "y": 0.1, "width": 0.3, "height": 0.04}}],
                }))
            })
        })
    };
    for text in [
        "what does it say?",
        "what is the total?",
        "what do you see?",
    ] {
        let said = page(200).say(text).await;
        assert!(said.contains("“Total 9”"), "{text}: {said}");
        assert!(said.contains("too small to read well"), "{text}: {said}");
        let said = page(800).say(text).await;
        assert!(!said.contains("too small"), "{text}: {said}");
    }
}

#[tokio::test]
async fn the_screen_itself_is_no_laptop_on_it() {
    let seen = |area: f64| {
        Talk::new().answering(move |name, _| {
            (name == "examine_image").then(|| {
                let lines: Vec<_> = FORM
                    .iter()
                    .map(|(text, [x, y, width, height])| {
                        json!({"text": text, "box": {"x": x, "y": y, "width": width, "height": height}})
                    })
                    .collect();
                ToolOutcome::Ok(json!({
                    "lines": lines,
                    "objects": [{"name": "laptop", "sure": 0.9, "box": {"x": 0.0, "y": 0.0, "width": area, "height": area}}],
                }))
            })
        })
    };
    let said = seen(0.98).say("What is on the screen?").await;
    assert!(!said.contains("laptop"), "{said}");
    let said = seen(0.3).say("What is on the screen?").await;
    assert!(said.contains("a laptop"), "{said}");
}

#[tokio::test]
async fn a_letter_is_read_without_being_looked_for() {
    let mut talk = Talk::new().reading(FORM);
    let said = talk.say("What does the letter say?").await;
    assert!(said.starts_with("It says “Alarm"), "{said}");
    assert_eq!(talk.called(), ["examine_image"]);
}

#[tokio::test]
async fn a_line_may_break_between_any_two_words() {
    for text in [
        "where is\nApply?",
        "where\nis Apply?",
        "where is the\nApply\nbutton?",
        "where is\r\nApply?",
    ] {
        let mut talk = Talk::new().seeing(&[item("apply", "Apply", 0.8, 0.9)]);
        let said = talk.say(text).await;
        assert_eq!(
            said, "Here it is: “Apply”, near the bottom right.",
            "{text:?}"
        );
    }
    let mut talk = Talk::new().seeing(&[
        item("apply", "Apply", 0.8, 0.9),
        item("discard", "Discard", 0.1, 0.9),
    ]);
    talk.say("find Apply\nfind Discard").await;
    assert_eq!(talk.labels(), ["Apply", "Discard"]);
}

#[tokio::test]
async fn text_that_was_named_is_not_said_to_stand_on_itself() {
    let mut talk = Talk::new()
        .seeing(&[Item {
            area: [0.8, 0.9, 0.1, 0.04],
            ..item("apply", "Apply", 0.0, 0.0)
        }])
        .reading(FORM);
    assert_eq!(talk.say("read the Apply").await, "It says “Apply”.");
}

#[tokio::test]
async fn marks_of_writing_direction_do_not_reach_the_answer() {
    let mut talk = Talk::new();
    let said = talk.say("where is \u{202e}evaS\u{202c}?").await;
    assert_eq!(said, "I can't find “evaS” here.");
}

#[tokio::test]
async fn a_question_longer_than_is_listened_to_is_not_answered_in_part() {
    let mut talk = Talk::new().seeing(&[item("save", "Save", 0.1, 0.1)]);
    let long = format!("where is save? {}", "and so on ".repeat(3_000));
    assert_eq!(
        talk.say(&long).await,
        "That is longer than I can take in. Ask me in a sentence or two."
    );
    assert!(talk.called().is_empty());
}

#[tokio::test]
async fn another_word_for_what_was_asked_is_said_to_be_one() {
    let mut talk = Talk::new().seeing(&[item("back", "previous", 0.4, 0.5)]);
    assert_eq!(
        talk.say("Where is the back button?").await,
        "Here it is: “previous”, in the middle – the closest in meaning."
    );
    let mut talk = Talk::new().seeing(&[item("log in", "Login…", 0.4, 0.5)]);
    assert_eq!(
        talk.say("Where is log in?").await,
        "Here it is: “Login…”, in the middle."
    );
}
