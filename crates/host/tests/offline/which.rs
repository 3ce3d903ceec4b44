//! Where several fit: numbering, asking which, answering, going on to the next.

use std::sync::atomic::Ordering;

use serde_json::json;

use super::script::{Item, Talk, item, tray};

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
        item("open", "Open File", 0.1, 0.05),
        item("open", "Open Recent", 0.1, 0.9),
    ]);
    let said = talk.say("open").await;
    assert_eq!(
        said,
        "Two places fit: 1 “Open File” near the top left; 2 “Open Recent” near the bottom left. Which one do you mean?"
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
async fn asking_which_of_several_is_reported_and_nothing_else_is() {
    let mut talk = Talk::new().seeing(&tray());
    for (text, choices) in [
        ("where is the cup", 3),
        ("yes", 3),
        ("number 7", 3),
        ("2", 0),
        ("mark all the cups", 0),
        ("where are the cups", 0),
        ("how many cups are there?", 0),
        ("is there a cup", 0),
        ("where is the fork", 0),
    ] {
        talk.say(text).await;
        assert_eq!(talk.desk.asked.load(Ordering::Relaxed), choices, "{text}");
    }
    let mut talk = Talk::new().seeing(&[
        item("pen", "pen", 0.05, 0.05),
        item("ruler", "ruler", 0.9, 0.9),
    ]);
    talk.say("find the pen and the ruler").await;
    assert_eq!(talk.desk.asked.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn of_a_single_thing_it_is_not_asked_which() {
    let mut talk = Talk::new().seeing(&[item("save", "Save", 0.1, 0.1)]);
    talk.say("where is save").await;
    assert_eq!(
        talk.say("the second one").await,
        "There is no number 2; I have only one."
    );
    assert_eq!(talk.desk.asked.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_label_that_is_the_name_itself_wins_over_labels_that_hold_it() {
    let world = [
        item("swap", "Swap with:", 0.1, 0.05),
        item("swap", "Swap", 0.1, 0.9),
    ];
    for text in [
        "where is Swap?",
        "where is the Swap button?",
        "find \"Swap\"",
    ] {
        let mut talk = Talk::new().seeing(&world);
        assert_eq!(
            talk.say(text).await,
            "Here it is: “Swap”, near the bottom left.",
            "{text}"
        );
        assert_eq!(talk.labels(), ["Swap"], "{text}");
        assert_eq!(talk.desk.asked.load(Ordering::Relaxed), 0, "{text}");
    }
    // Two that are called so are still two.
    let mut talk = Talk::new().seeing(&[
        item("swap", "Swap", 0.1, 0.05),
        item("swap", "Swap", 0.1, 0.9),
        item("swap", "Swap with:", 0.5, 0.9),
    ]);
    talk.say("where is Swap?").await;
    assert_eq!(talk.desk.asked.load(Ordering::Relaxed), 3);
}
