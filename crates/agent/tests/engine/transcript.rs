//! Transcripts and hand-offs fold as the golden data says (R65, R66).

use alidade_agent::Transcript;
use alidade_wire::server::Role;
use serde_json::{Value, json};

fn role(text: &Value) -> Role {
    if text == "user" {
        Role::User
    } else {
        Role::Assistant
    }
}

fn apply(fold: &mut Transcript, op: &Value) -> bool {
    match op[0].as_str().unwrap() {
        "delta" => fold.delta(
            role(&op[1]),
            op[2].as_str().unwrap(),
            op[3].as_bool().unwrap(),
        ),
        "typed" => fold.typed(op[1].as_str().unwrap()),
        "turn_complete" => fold.turn_complete(role(&op[1])),
        "close_open" => fold.close_open(),
        other => panic!("no operation is called {other}"),
    }
}

/// The items with their ids renamed in order of first appearance.
fn items(fold: &Transcript, known: &mut Vec<String>) -> Value {
    let named = |id: &String, known: &mut Vec<String>| {
        let at = known
            .iter()
            .position(|known| known == id)
            .unwrap_or_else(|| {
                known.push(id.clone());
                known.len() - 1
            });
        format!("item-{}", at + 1)
    };
    fold.items()
        .iter()
        .map(|item| {
            json!({"id": named(&item.id, known), "role": item.role.as_str(), "text": item.text, "is_final": item.is_final})
        })
        .collect()
}

#[test]
fn r65_transcripts_fold_as_the_golden_data_says() {
    for (name, input, expect) in crate::support::cases("transcript_fold.json") {
        let mut fold = Transcript::default();
        let mut known = Vec::new();
        let steps: Vec<Value> = input["ops"]
            .as_array()
            .unwrap()
            .iter()
            .map(|op| {
                let changed = apply(&mut fold, op);
                json!({"changed": changed, "items": items(&fold, &mut known)})
            })
            .collect();
        crate::support::same(&name, &expect["steps"], &steps.into());
    }
}

#[test]
fn r66_hand_off_texts_resolve_as_the_golden_data_says() {
    for (name, input, expect) in crate::support::cases("delegation_text.json") {
        let mut fold = Transcript::default();
        let mut said = Vec::new();
        for op in input["ops"].as_array().unwrap() {
            if op[0] == "delegation" {
                said.push(fold.hand_off(op[1].as_str().unwrap(), op[2].as_str().unwrap()));
            } else {
                apply(&mut fold, op);
            }
        }
        crate::support::same(&name, &expect["transcripts"], &json!(said));
    }
}

#[test]
fn r65_an_id_never_recurs_after_its_item_was_taken_back() {
    let mut fold = Transcript::default();
    fold.delta(Role::User, "um", false);
    let first = fold.items()[0].id.clone();
    fold.delta(Role::User, "", true);
    assert!(fold.items().is_empty());
    fold.delta(Role::User, "well", true);
    assert_ne!(fold.items()[0].id, first);
}
