//! What is understood, sentence by sentence.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests may"
)]

mod table;

use proptest::prelude::*;

use super::intent::{Asked, But, Form, Intent, Manner, Situation, Target};
use super::understand::understand_all;
use table::TABLE;

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
