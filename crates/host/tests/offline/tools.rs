//! Tools that are started by their example phrases.

use std::sync::Arc;

use alidade_host::brain::ToolOutcome;
use serde_json::{Value, json};

use super::script::{Pairs, Talk, client, item};

fn keeper() -> Talk {
    Talk::new()
        .tool(client(
            "rename_file",
            "Renames a file in the folder.\n\nSay: rename {from} to {to}\nSay: give {from} the name {to}",
            json!({"type": "object", "properties": {"from": {"type": "string"}, "to": {"type": "string", "description": "The new name."}}, "required": ["from", "to"]}),
        ))
        .tool(client(
            "start_timer",
            "Starts a timer.\nSay: set a timer for {minutes}\nSay: set a timer for {minutes} called {name}",
            json!({"type": "object", "properties": {"minutes": {"type": "integer", "minimum": 1, "maximum": 90}, "name": {"type": "string"}}, "required": ["minutes"]}),
        ))
        .tool(client("empty_bin", "Empties the bin.\nSay: empty the bin", json!({"type": "object", "properties": {}})))
        .answering(|name, args| match name {
            "rename_file" => Some(ToolOutcome::Ok(json!({"message": format!("Renamed {} to {}", args["from"].as_str().unwrap(), args["to"].as_str().unwrap())}))),
            "start_timer" => Some(ToolOutcome::Deferred { note: String::new(), job_id: "1".to_owned() }),
            "empty_bin" => Some(ToolOutcome::Failed("the bin is locked".to_owned())),
            _ => None,
        })
}

fn args(talk: &Talk) -> Value {
    let calls = talk.desk.calls.lock();
    assert_eq!(calls.len(), 1, "{calls:?}");
    Value::Object(calls[0].1.clone())
}

#[tokio::test]
async fn a_phrase_fills_its_parameters() {
    let mut talk = keeper();
    assert_eq!(
        talk.say("Please rename \"Old Notes.txt\" to New notes.txt, thanks")
            .await,
        "Renamed Old Notes.txt to New notes.txt."
    );
    assert_eq!(
        args(&talk),
        json!({"from": "Old Notes.txt", "to": "New notes.txt"})
    );
    talk.say("Could you give a.md the name b.md?").await;
    assert_eq!(args(&talk), json!({"from": "a.md", "to": "b.md"}));
    assert_eq!(
        talk.say("Set a timer for twenty-five minutes.").await,
        "I've started it and will tell you when it is done."
    );
    assert_eq!(args(&talk), json!({"minutes": 25}));
    talk.say("set timer for 5 called Tea").await;
    assert_eq!(args(&talk), json!({"minutes": 5, "name": "Tea"}));
    assert_eq!(
        talk.say("empty my bin please").await,
        "That did not work: the bin is locked."
    );
}

#[tokio::test]
async fn a_missing_parameter_is_asked_for() {
    let mut talk = keeper();
    assert_eq!(
        talk.say("rename notes.md").await,
        "What should “to” be (The new name)?"
    );
    assert!(talk.called().is_empty());
    assert_eq!(talk.say("ideas.md").await, "Renamed notes.md to ideas.md.");
    assert_eq!(args(&talk), json!({"from": "notes.md", "to": "ideas.md"}));
    assert_eq!(talk.say("rename").await, "What should “from” be?");
    assert_eq!(talk.say("a").await, "What should “to” be (The new name)?");
    assert_eq!(talk.say("never mind").await, "All right, I've stopped.");
    assert!(talk.called().is_empty());
}

#[tokio::test]
async fn a_value_of_the_wrong_kind_is_asked_for_again_but_not_for_ever() {
    let mut talk = keeper();
    assert_eq!(
        talk.say("set a timer for ages").await,
        "“minutes” has to be a whole number. What should it be?"
    );
    assert_eq!(
        talk.say("500").await,
        "“minutes” has to be at most 90. What should it be?"
    );
    talk.say("loads").await;
    talk.say("10").await;
    assert!(!talk.called().contains(&"start_timer".to_owned()));
}

#[tokio::test]
async fn another_wish_drops_the_question() {
    let mut talk = keeper().seeing(&[item("save", "Save", 0.1, 0.1)]);
    talk.say("rename notes.md").await;
    assert!(
        talk.say("Where is the Save button?")
            .await
            .contains("“Save”")
    );
    talk.say("ideas.md").await;
    assert!(!talk.called().contains(&"rename_file".to_owned()));
}

#[tokio::test]
async fn a_phrase_that_means_the_same_starts_a_tool_without_blanks_only() {
    let likeness = Pairs(&[
        ("take out the trash", "empty the bin"),
        ("call the file something else", "rename {from} to {to}"),
    ]);
    let mut talk = keeper();
    talk.brain = alidade_host::brain::offline::OfflineBrain::new(Some(Arc::new(likeness)));
    talk.say("take out the trash").await;
    assert_eq!(talk.called(), ["empty_bin"]);
    talk.say("call the file something else").await;
    assert!(!talk.called().contains(&"rename_file".to_owned()));
}

#[tokio::test]
async fn questions_of_its_own_are_not_taken_by_half_a_phrase() {
    let mut talk = Talk::new()
        .tool(client("find_in", "Searches.\nSay: find {what} in {folder}", json!({"type": "object", "required": ["what", "folder"], "properties": {"what": {"type": "string"}, "folder": {"type": "string"}}})))
        .seeing(&[item("cup", "cup", 0.5, 0.5)])
        .answering(|name, _| (name == "find_in").then(|| ToolOutcome::Ok(json!({}))));
    talk.say("find the cup").await;
    assert_eq!(talk.called()[0], "cosmo_detect_objects");
    assert_eq!(talk.say("find the bill in Letters").await, "Done.");
}

#[tokio::test]
async fn server_tools_and_tools_of_the_protocol_have_no_phrases() {
    let mut talk = Talk::new();
    talk.desk
        .tools
        .iter_mut()
        .for_each(|tool| tool.description = "Looks.\nSay: abracadabra".to_owned());
    talk.say("abracadabra").await;
    assert_eq!(talk.called(), ["cosmo_detect_objects"]);
    assert_eq!(talk.query(), "abracadabra");
}

#[tokio::test]
async fn help_tells_what_the_tools_understand() {
    let said = keeper().say("what can you do?").await;
    assert!(
        said.ends_with(
            "You can also say “rename from to to”, “set a timer for minutes” and “empty the bin”."
        ),
        "{said}"
    );
}

#[tokio::test]
async fn what_rules_make_nothing_of_is_taken_for_the_nearest_example() {
    let mut talk = Talk::new().reading(&[("Ripe plums", [0.1, 0.1, 0.5, 0.1])]);
    let text = "My eyes are tired, somebody should speak those letters";
    assert!(talk.say(text).await.starts_with("I didn't understand"));
    let likeness = Pairs(&[(
        "My eyes are tired, somebody should speak those letters",
        "read the text to me",
    )]);
    talk.brain = alidade_host::brain::offline::OfflineBrain::new(Some(Arc::new(likeness)));
    assert_eq!(talk.say(text).await, "It says “Ripe plums”.");
}
