//! What is understood, sentence by sentence.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests may"
)]

use proptest::prelude::*;

use super::intent::{Asked, But, Form, Intent, Manner, Situation, Target};
use super::understand::understand_all;

fn understand(text: &str, situation: Situation) -> Intent {
    understand_all(text, situation).remove(0)
}

/// An intent in a line that is easily read and written.
fn told(intent: &Intent) -> String {
    let of = |target: &Target| match target {
        Target::Named(name) => name.clone(),
        Target::It => "<it>".to_owned(),
    };
    match intent {
        Intent::Find(find) => {
            let verb = match find.form {
                Form::Thing => "find",
                Form::Action => "do",
            };
            let manner = match find.manner {
                Manner::Any => "",
                Manner::Box => "+box",
                Manner::Point => "+point",
            };
            let many = if find.many { "+all" } else { "" };
            let but = match find.but {
                None => "",
                Some(But::Act) => "+act",
                Some(But::Judge) => "+judge",
                Some(But::Explain) => "+explain",
            };
            format!("{verb}{manner}{many}{but}: {}", of(&find.target))
        }
        Intent::Exists(target) => format!("exists: {}", of(target)),
        Intent::Count(target) => format!("count: {}", of(target)),
        Intent::Value(name) => format!("value: {name}"),
        Intent::Another(name) => format!("another: {name}"),
        Intent::Follow(name) => format!("follow: {name}"),
        Intent::Either(name, intent) => format!("either: {name} / {}", told(intent)),
        other => format!("{other:?}"),
    }
}

const TABLE: &[(&str, &str)] = &[
    // Where is.
    ("Where is the Save button?", "find: the Save button"),
    ("where's the bin", "find: the bin"),
    ("wheres the brush tool", "find: the brush tool"),
    ("WHERE IS THE EXIT", "find: THE EXIT"),
    ("whre is the spam folder?", "find: the spam folder"),
    ("were is the volume slider", "find: the volume slider"),
    ("Where are the layers?", "find: the layers"),
    ("where is \"Save for Web…\"?", "find: \"Save for Web…\""),
    ("Where's my cursor, please?", "find: my cursor"),
    (
        "Could you please tell me where the ruler is?",
        "find: the ruler",
    ),
    (
        "can you tell me where the history panel is located",
        "find: the history panel",
    ),
    ("do you know where the fuse box is", "find: the fuse box"),
    ("Any idea where the SIM tray is?", "find: the SIM tray"),
    (
        "I don't know where the drain plug is.",
        "find: the drain plug",
    ),
    (
        "I'd like to know where the mute switch is",
        "find: the mute switch",
    ),
    (
        "Hi! Where is the shutter button? Thanks.",
        "find: the shutter button",
    ),
    ("hello, where is the timeline", "find: the timeline"),
    ("The stapler, where is it?", "find: The stapler"),
    (
        "where can I find the spell checker?",
        "find: the spell checker",
    ),
    (
        "Where do I see the battery level?",
        "find: the battery level",
    ),
    (
        "Where do I look for the serial number",
        "find: the serial number",
    ),
    ("where exactly is the reset hole", "find: the reset hole"),
    ("Where on the screen is the clock?", "find: the clock"),
    ("where is it", "find: <it>"),
    ("in which menu is Word Count?", "find: Word Count"),
    (
        "I'm trying to write a letter. Where do I change the font?",
        "do: change the font",
    ),
    // Where do I, how do I, I want to.
    (
        "Where do I turn off notifications?",
        "do: turn off notifications",
    ),
    (
        "where can i change the wallpaper",
        "do: change the wallpaper",
    ),
    ("where do i click to add a slide?", "do: add a slide"),
    (
        "Where do I go to update my address",
        "do: update my address",
    ),
    ("How do I undo?", "do: undo"),
    ("how do i make the text bigger", "do: make the text bigger"),
    ("How can I export this as PDF?", "do: export this as PDF"),
    ("how to rotate the photo", "do: rotate the photo"),
    ("How do I get to the settings?", "find: the settings"),
    ("How do I open the View menu?", "find: the View menu"),
    ("How would one mute a track?", "do: mute a track"),
    ("how am i supposed to log out", "do: log out"),
    (
        "Is there a way to split the window?",
        "do: split the window",
    ),
    ("Can I undo this?", "do: undo this"),
    ("I want to print.", "do: print"),
    ("i wanna insert a table", "do: insert a table"),
    ("I'd like to hide the sidebar", "do: hide the sidebar"),
    ("I need to attach a file", "do: attach a file"),
    ("I have to restart the router", "do: restart the router"),
    (
        "I want to know how to add a bookmark.",
        "do: add a bookmark",
    ),
    ("Help me crop this photo", "do: crop this photo"),
    ("help me find the semicolon", "find: the semicolon"),
    ("What do I press to go back?", "do: go back"),
    (
        "tell me how to change the language",
        "do: change the language",
    ),
    ("show me how to add a contact", "do: add a contact"),
    ("let me record a macro", "do: record a macro"),
    // Bare imperatives.
    (
        "Arrange the windows side by side.",
        "do: Arrange the windows side by side",
    ),
    ("Save a copy as PDF.", "do: Save a copy as PDF"),
    (
        "Start a ten minute countdown.",
        "do: Start a ten minute countdown",
    ),
    ("Make it louder", "do: Make it louder"),
    ("shrink the picture", "do: shrink the picture"),
    ("Undo", "do: Undo"),
    ("zoom in", "do: zoom in"),
    ("Hide this toolbar.", "do: Hide this toolbar"),
    ("please turn the sound off", "do: turn the sound off"),
    ("Could you sort these by name?", "do: sort these by name"),
    ("Open the Window menu.", "find: the Window menu"),
    ("go to the Colours tab", "find: the Colours tab"),
    (
        "Switch to the Advanced tab please",
        "find: the Advanced tab",
    ),
    ("Find next", "do: Find next"),
    ("find and replace", "do: find and replace"),
    ("Mark all as read", "do: Mark all as read"),
    ("Show the ruler.", "do: Show the ruler"),
    ("show hidden folders", "do: show hidden folders"),
    ("show the Export button", "find: the Export button"),
    ("Search for duplicates", "do: Search for duplicates"),
    ("Count down from ten", "do: Count down from ten"),
    // Names alone.
    ("the Save button", "find: the Save button"),
    ("Save button", "find: Save button"),
    ("spell check", "find: spell check"),
    ("red mug", "find: red mug"),
    ("Preferences", "find: Preferences"),
    ("2", "find: 2"),
    ("C++", "find: C++"),
    (
        "the small grey knob below the display",
        "find: the small grey knob below the display",
    ),
    // Show, find, point, mark.
    ("Show me the trash", "find: the trash"),
    ("shwo me the pen tool", "find: the pen tool"),
    ("find the scissors", "find: the scissors"),
    ("fnid the keys", "find: the keys"),
    ("Find me a chair", "find: a chair"),
    ("locate the printer", "find: the printer"),
    ("Can you find the tape?", "find: the tape"),
    ("I can't find the send button", "find: the send button"),
    ("i cannot see the taskbar", "find: the taskbar"),
    ("I'm looking for my glasses", "find: my glasses"),
    ("I lost my cat", "find: my cat"),
    ("looking for the crop tool", "find: the crop tool"),
    ("take me to the downloads", "find: the downloads"),
    ("Point at the kettle", "find+point: the kettle"),
    ("point to the top screw please", "find+point: the top screw"),
    ("point out the leak", "find+point: the leak"),
    (
        "would you mind pointing at the hinge",
        "find+point: the hinge",
    ),
    ("put a dot on the nose", "find+point: the nose"),
    ("draw an arrow to the lock", "find+point: the lock"),
    ("put a box around the dog", "find+box: the dog"),
    ("Draw a rectangle around the table", "find+box: the table"),
    ("box the title", "find+box: the title"),
    ("highlight the search field", "find: the search field"),
    ("higlight the search field", "find: the search field"),
    ("circle the biggest plate", "find: the biggest plate"),
    ("Mark the ignition coil", "find: the ignition coil"),
    ("mark it", "find: <it>"),
    ("point at it", "find+point: <it>"),
    ("Mark all the windows", "find+all: windows"),
    ("highlight every spoon", "find+all: spoon"),
    ("show me all of the bottles", "find+all: bottles"),
    ("show me both dogs", "find+all: dogs"),
    ("Highlight", "do: Highlight"),
    // Which.
    (
        "Which key locks the keypad?",
        "find: key that locks the keypad",
    ),
    (
        "Which button starts the pump?",
        "find: button that starts the pump",
    ),
    ("which of these is the fuse?", "find: the fuse"),
    (
        "Which one is the headphone jack?",
        "find: the headphone jack",
    ),
    (
        "which of the two cats is the bigger?",
        "find: the bigger of the two cats",
    ),
    ("Which of the cups is empty?", "find: the empty of the cups"),
    ("which cable is blue", "find: blue cable"),
    ("Which button is for printing?", "find: button for printing"),
    ("Which button do I press to stop?", "find: button to stop"),
    (
        "What button should I push to reset it?",
        "find: button to reset it",
    ),
    ("which light is on?", "find: light that is on"),
    ("which one?", "find: <it>"),
    ("Which menu is Help", "find: Help menu"),
    // Acting.
    ("Click the OK button", "find+act: the OK button"),
    ("click on Cancel", "find+act: Cancel"),
    ("Please press Submit for me", "find+act: Submit"),
    ("double click the folder", "find+act: the folder"),
    ("type hello into the search box", "find+act: the search box"),
    ("type hello", "Unable(Act)"),
    ("drag the photo to the album", "find+act: the photo"),
    ("do it for me", "Unable(Act)"),
    ("What does the gear icon do?", "find+explain: the gear icon"),
    // Is there.
    (
        "Is there a fire extinguisher?",
        "exists: a fire extinguisher",
    ),
    ("are there any chairs here", "exists: chairs"),
    ("Do you see a bicycle?", "exists: a bicycle"),
    ("can you see the moon", "exists: the moon"),
    ("Is the Print button there?", "exists: the Print button"),
    ("is a dog in the picture?", "exists: a dog"),
    ("Is the lamp on?", "find+judge: the lamp"),
    ("is the box ticked", "find+judge: the box"),
    ("Is this the power switch?", "find: the power switch"),
    ("can you see anything", "Describe(Whole)"),
    // Counting.
    ("How many windows are there?", "count: windows"),
    ("how many people do you see", "count: people"),
    ("Count the bottles.", "count: bottles"),
    ("how many minutes are left?", "value: minutes"),
    // Reading.
    ("Read it", "Read(OnIt)"),
    ("read this", "Read(All)"),
    ("read everything", "Read(All)"),
    ("Read the page to me", "Read(All)"),
    ("What does it say?", "Read(OnIt)"),
    ("what's written there?", "Read(OnIt)"),
    ("what is written on the jar", "Read(On(\"the jar\"))"),
    ("What does the label say?", "Read(On(\"the label\"))"),
    ("What does it say on the door?", "Read(On(\"the door\"))"),
    ("read me the second line", "Read(Line(2))"),
    ("read line 3", "Read(Line(3))"),
    ("What does the last line say?", "Read(Line(-1))"),
    ("what is the title?", "Read(Title)"),
    ("read the text on the left", "Read(Side(Left))"),
    ("read out the sign", "Read(On(\"the sign\"))"),
    (
        "can you read the number plate",
        "Read(On(\"the number plate\"))",
    ),
    ("How much is the lemonade?", "value: the lemonade"),
    ("how much does the cake cost", "value: the cake"),
    ("What is the total?", "value: the total"),
    ("what's the price of the tea", "value: the tea"),
    (
        "What time does the museum open?",
        "value: time the museum open",
    ),
    ("what version is this", "value: version"),
    ("Read more", "find: Read more"),
    // Describing.
    ("Describe the picture", "Describe(Whole)"),
    ("discribe it", "Describe(Whole)"),
    ("What do you see?", "Describe(Whole)"),
    ("what's on the screen", "Describe(Whole)"),
    ("What is this?", "Describe(This)"),
    ("whats that thing on the left", "Describe(Side(Left))"),
    ("what can you see on the right", "Describe(Side(Right))"),
    ("what am I looking at?", "Describe(This)"),
    ("describe the vase", "find+explain: the vase"),
    // Marks and going on.
    ("clear", "Clear"),
    ("Clear the marks.", "Clear"),
    ("clera everything", "Clear"),
    ("remove all the boxes please", "Clear"),
    ("get rid of the arrows", "Clear"),
    ("wipe the screen", "Clear"),
    ("Clear the history", "do: Clear the history"),
    ("next one", "Next"),
    ("show me the other one", "Next"),
    ("another one", "Next"),
    ("not that one", "NotThat"),
    ("no, the other one", "NotThat"),
    ("that's not it", "NotThat"),
    ("the previous one", "Previous"),
    ("show me again", "Again"),
    ("another cup", "another: cup"),
    ("next", "either: next / Next"),
    ("Back", "either: Back / Previous"),
    ("cancel", "either: cancel / Stop"),
    ("next page", "find: next page"),
    // Following up.
    ("and the Cancel button?", "follow: the Cancel button"),
    ("what about undo?", "follow: undo"),
    ("How about the blue one", "follow: the blue one"),
    ("and where is redo?", "find: redo"),
    ("then save it", "do: save it"),
    // As people really write.
    ("could u point me to the drain pls", "find+point: the drain"),
    (
        "Which of these wires goes into the socket?",
        "find: wire that goes into the socket",
    ),
    (
        "which of the four dials controls the heat?",
        "find: dial that controls the heat",
    ),
    (
        "what key do i hit for a new slide",
        "find: key for a new slide",
    ),
    ("Which one of these is the newest?", "find: the newest"),
    ("how do u unmute this", "do: unmute this"),
    (
        "how can I get rid of the banner",
        "do: get rid of the banner",
    ),
    (
        "In the options, where do I turn off hints?",
        "do: turn off hints",
    ),
    (
        "Excuse me, where's the ticket machine?",
        "find: the ticket machine",
    ),
    ("ok now show me the hatch", "find: the hatch"),
    ("no, I meant the left valve", "find: the left valve"),
    ("not the green one", "NotThat"),
    ("how much does it cost?", "value: price"),
    ("when does it expire?", "value: expire"),
    ("what time is it on the oven", "Read(On(\"the oven\"))"),
    ("Is there someone in the picture?", "exists: a person"),
    ("does it say anything about nuts?", "exists: nuts"),
    ("don't ask me again", "find: don't ask me again"),
    ("what?", "Again"),
    ("where is 'Insert as'?", "find: \"Insert as\""),
    // Talk.
    ("Hello!", "Hello"),
    ("good morning", "Hello"),
    ("thanks a lot", "Thanks"),
    ("thank you very much!", "Thanks"),
    ("ok", "Fine"),
    ("what can you do?", "Help"),
    ("help", "Help"),
    ("who are you", "Who"),
    ("stop", "Stop"),
    ("never mind", "Stop"),
    ("bye", "Bye"),
    ("How are you?", "Unable(Chat)"),
    ("tell me a joke", "Unable(Chat)"),
    ("What's the capital of France?", "Unable(Know)"),
    ("who invented the telephone", "Unable(Know)"),
    ("Why is the sky blue?", "Unable(Know)"),
    ("what is 12 + 30", "Unable(Know)"),
    ("calculate 5*3", "Unable(Know)"),
    ("translate good night into Polish", "Unable(Know)"),
    ("what colour is the car", "Unable(Tell)"),
    ("is it broken?", "Unable(Tell)"),
    ("Wo ist der Knopf?", "Unable(Language)"),
    ("My neighbour has a new car.", "Unable(Understand)"),
    ("", "Nothing"),
    ("???", "Nothing"),
];

#[test]
fn what_people_say_is_understood() {
    assert!(TABLE.len() >= 150, "{}", TABLE.len());
    let wrong: Vec<String> = TABLE
        .iter()
        .filter_map(|(text, wanted)| {
            let got = told(&understand(text, Situation::default()));
            (got != *wanted).then(|| format!("{text:?}\n   wanted {wanted}\n   got    {got}"))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn two_wishes_in_one_turn_are_both_heard() {
    for (text, wanted) in [
        (
            "find the mug and read the note",
            vec!["find: the mug", "Read(On(\"the note\"))"],
        ),
        (
            "Find the saw. Then find the drill.",
            vec!["find: the saw", "find: the drill"],
        ),
        ("Hi. Where is the ladder? Thanks.", vec!["find: the ladder"]),
        ("find and replace", vec!["do: find and replace"]),
        (
            "find the \"read and mark\" box",
            vec!["find: the \"read and mark\" box"],
        ),
        (
            "show me the pears and count them",
            vec!["find: the pears", "count: <it>"],
        ),
    ] {
        let got: Vec<String> = understand_all(text, Situation::default())
            .iter()
            .map(told)
            .collect();
        assert_eq!(got, wanted, "{text}");
    }
    let many = "Where is the door? ".repeat(3)
        + &(0..9)
            .map(|n| format!("Where is lamp {n}? "))
            .collect::<String>();
    assert_eq!(understand_all(&many, Situation::default()).len(), 3);
}

#[test]
fn answers_to_a_numbered_question_are_understood() {
    let situation = Situation {
        asked: Asked::Which,
        going: true,
    };
    for (text, wanted) in [
        ("2", "Choose(Number(2))"),
        ("#3", "Choose(Number(3))"),
        ("two", "Choose(Number(2))"),
        ("one", "Choose(Number(1))"),
        ("number 2", "Choose(Number(2))"),
        ("Number two, please.", "Choose(Number(2))"),
        ("the second", "Choose(Number(2))"),
        ("the second one", "Choose(Number(2))"),
        ("I mean the 3rd one", "Choose(Number(3))"),
        ("the first", "Choose(Number(1))"),
        ("the last one", "Choose(Last)"),
        ("the left one", "Choose(Side(Left))"),
        ("left", "Choose(Side(Left))"),
        ("the one on the right", "Choose(Side(Right))"),
        ("the top one", "Choose(Side(Top))"),
        ("the lower one", "Choose(Side(Bottom))"),
        ("the bigger one", "Choose(Largest)"),
        ("the smallest", "Choose(Smallest)"),
        ("all of them", "Choose(All)"),
        ("both", "Choose(All)"),
        ("none of them", "Choose(None)"),
        ("yes", "Yes"),
        ("no", "No"),
        ("the red one", "find: the red one"),
        ("where is the exit", "find: the exit"),
        ("next", "Next"),
        ("never mind", "Stop"),
    ] {
        assert_eq!(told(&understand(text, situation)), wanted, "{text}");
    }
}

#[test]
fn yes_and_no_answer_whether_it_is_this() {
    let situation = Situation {
        asked: Asked::IsIt,
        going: true,
    };
    for text in ["yes", "Yep!", "that's it", "correct", "right", "ok"] {
        assert_eq!(understand(text, situation), Intent::Yes, "{text}");
    }
    for text in ["no", "nope", "not that one", "that's wrong"] {
        assert_eq!(understand(text, situation), Intent::No, "{text}");
    }
}

#[test]
fn with_candidates_at_hand_a_bare_number_is_still_a_name() {
    let situation = Situation {
        asked: Asked::Nothing,
        going: true,
    };
    assert_eq!(told(&understand("7", situation)), "find: 7");
    assert_eq!(
        told(&understand("the second one", situation)),
        "Choose(Number(2))"
    );
    assert_eq!(told(&understand("next", situation)), "Next");
    assert_eq!(told(&understand("done", situation)), "Next");
    assert_eq!(told(&understand("go back", situation)), "Previous");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_understood_somehow(text in "\\PC{0,120}") {
        let _ = understand(&text, Situation { asked: Asked::Which, going: true });
        let _ = understand(&text, Situation::default());
    }

    #[test]
    fn any_words_in_any_order_are_understood_somehow(
        words in prop::collection::vec(prop::sample::select(vec![
            "where", "is", "the", "\"", "read", "it", "which", "one", "of", "and", "?", "to", "me", "show",
            "what", "does", "say", "not", "next", "a", "two", "line", "in", "“Save”", "…", "point", "at", "é", "'",
        ]), 0..14)
    ) {
        let text = words.join(" ");
        let _ = understand(&text, Situation { asked: Asked::IsIt, going: true });
        let _ = understand(&text, Situation::default());
    }
}
