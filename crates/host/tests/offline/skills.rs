//! Skills whose steps are gone through.

use alidade_host::brain::ToolOutcome;
use serde_json::{Value, json};

use super::script::{Talk, client, item};

const MENU: &str = "Be brief.\n\n## Skills\nCall cosmo_sdk_load_skill(name) for guidance.\n- print: Print a document on paper.\n- manners: Be polite when the person is upset.";

fn office() -> Talk {
    let mut talk = Talk::new()
        .tool(client("cosmo_sdk_load_skill", "Fetches a skill.", json!({"type": "object", "required": ["name"]})))
        .seeing(&[item("file menu", "File", 0.02, 0.02), item("\"print…\"", "Print…", 0.1, 0.4), item("printer list", "Printer", 0.5, 0.5)])
        .answering(|name, args| {
            (name == "cosmo_sdk_load_skill").then(|| {
                assert_eq!(args["name"], Value::from("print"));
                ToolOutcome::Ok(json!({"instructions": "Private guidance.\n\nPrinting.\n\n1. Open the **File** menu.\n2. Choose \"Print…\".\n3. Wait for the dialog.\n4. Click the glowing orb.\n"}))
            })
        });
    talk.desk.instructions = MENU.to_owned();
    talk
}

#[tokio::test]
async fn the_steps_of_a_skill_are_shown_one_by_one() {
    let mut talk = office();
    assert_eq!(
        talk.say("How do I print a document?").await,
        "Step 1 of 4: Open the File menu. That is “File”, in the top left corner. Say “next” when you are ready."
    );
    assert_eq!(
        talk.called(),
        [
            "cosmo_sdk_load_skill",
            "cosmo_detect_objects",
            "cosmo_sdk_draw_box"
        ]
    );
    assert_eq!(talk.query(), "the File menu");
    assert_eq!(
        talk.say("next").await,
        "Step 2 of 4: Choose \"Print…\". That is “Print…”, on the left."
    );
    assert_eq!(
        talk.say("done").await,
        "Step 3 of 4: Wait for the dialog. Say “next” when you are ready."
    );
    assert_eq!(
        talk.say("next").await,
        "Step 4 of 4: Click the glowing orb. I can't see it yet; say “next” when you are past it."
    );
    assert_eq!(
        talk.say("go back").await,
        "Step 3 of 4: Wait for the dialog. Say “next” when you are ready."
    );
    talk.say("next").await;
    assert_eq!(talk.say("next").await, "That was the last step.");
    assert!(talk.say("next").await.contains("nothing to move on"));
}

#[tokio::test]
async fn a_skill_is_left_by_asking_for_something_else() {
    let mut talk = office();
    talk.say("I want to print the document").await;
    talk.say("where is the printer list?").await;
    assert_eq!(talk.query(), "the printer list");
    assert!(!talk.say("next").await.contains("Step"));
    talk.say("how do I print a document").await;
    assert_eq!(talk.say("stop").await, "All right, I've stopped.");
}

#[tokio::test]
async fn where_questions_and_other_wishes_load_no_skill() {
    let mut talk = office();
    for text in [
        "where is print?",
        "the Print button",
        "read it",
        "how do I change the margins",
    ] {
        talk.say(text).await;
        assert!(
            !talk.called().contains(&"cosmo_sdk_load_skill".to_owned()),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_skill_without_steps_stays_in_the_background_and_is_fetched_once() {
    let mut talk = office().answering(|name, _| {
        (name == "cosmo_sdk_load_skill").then(|| ToolOutcome::Ok(json!({"instructions": "Guidance.\n\n1. Name the next thing.\n2. Say what it does."})))
    });
    talk.say("how do I print a document").await;
    assert_eq!(
        talk.called()[..2],
        ["cosmo_sdk_load_skill", "cosmo_detect_objects"]
    );
    talk.say("how do I print a document").await;
    assert!(!talk.called().contains(&"cosmo_sdk_load_skill".to_owned()));
}
