//! What is said in so many words and no more: greetings, "next", "clear", answers to a question.

use super::choosing::choice;
use super::fixed::{
    AGAIN, BYE, CHAT, CLEAR, DO_IT, FINE, GOING_BACK, GOING_NEXT, GOING_NEXT_LABELS, GOING_STOP,
    HELLO, HELP, NEXT, NO, NOT_THAT, PREVIOUS, STOP, THANKS, WHO, YES, YES_HERE,
};
use super::heard::Heard;
use super::intent::{Asked, Intent, Situation};

/// Understands a sentence that is one of the fixed ones.
pub(super) fn whole(heard: &Heard, from: usize, to: usize, situation: Situation) -> Option<Intent> {
    let is = |patterns: &[&str]| {
        patterns
            .iter()
            .any(|pattern| heard.whole(from, to, pattern))
    };
    let going = situation.going || situation.asked != Asked::Nothing;
    if situation.asked == Asked::IsIt {
        if is(YES) || is(YES_HERE) {
            return Some(Intent::Yes);
        }
        if is(NO) || is(NOT_THAT) {
            return Some(Intent::No);
        }
    }
    if going && let Some(choice) = choice(heard, from, to, situation.asked == Asked::Which) {
        return Some(Intent::Choose(choice));
    }
    if situation.asked == Asked::Which && is(YES_HERE) {
        return Some(Intent::Yes);
    }
    let fixed: &[(&[&str], Intent)] = &[
        (CLEAR, Intent::Clear),
        (NOT_THAT, Intent::NotThat),
        (NEXT, Intent::Next),
        (PREVIOUS, Intent::Previous),
        (AGAIN, Intent::Again),
        (YES, Intent::Yes),
        (NO, Intent::No),
        (STOP, Intent::Stop),
        (HELP, Intent::Help),
        (WHO, Intent::Who),
        (BYE, Intent::Bye),
        (HELLO, Intent::Hello),
        (THANKS, Intent::Thanks),
        (FINE, Intent::Fine),
        (CHAT, Intent::Unable(super::intent::Unable::Chat)),
        (DO_IT, Intent::Unable(super::intent::Unable::Act)),
    ];
    if going {
        if is(GOING_NEXT) {
            return Some(Intent::Next);
        }
        if is(GOING_BACK) {
            return Some(Intent::Previous);
        }
        if is(GOING_STOP) {
            return Some(Intent::Stop);
        }
    } else {
        // With nothing to go through, these are the names of controls first of all.
        for (patterns, intent) in [
            (GOING_NEXT_LABELS, Intent::Next),
            (GOING_BACK, Intent::Previous),
            (GOING_STOP, Intent::Stop),
        ] {
            if is(patterns) {
                return Some(Intent::Either(
                    heard.slice(from, to).to_owned(),
                    Box::new(intent),
                ));
            }
        }
    }
    if wipes(heard, from, to) {
        return Some(Intent::Clear);
    }
    fixed
        .iter()
        .find(|(patterns, _)| is(patterns))
        .map(|(_, intent)| intent.clone())
}

const MARKS: &str = "mark|marks|marker|markers|box|boxes|rectangle|rectangles|point|points|dot|dots|pin|pins|arrow|arrows|highlight|highlights|highlighting|annotation|annotations|drawing|drawings|marking|markings|overlay|overlays|circle|circles|numbers|outline|outlines";

/// Whether a sentence asks for marks to be wiped.
fn wipes(heard: &Heard, from: usize, to: usize) -> bool {
    ["clear|wipe|erase|remove|delete|hide|drop|dismiss|take|undo|discard off|away|up|out? all|every|both? of? the|my|these|those|your|that|this? ", "get|be rid of all? of? the|my|these|those|your|that? ", "no more ", "stop showing|drawing? the? "]
        .iter()
        .any(|head| {
            ["", " off|away|again|please|now", " from the screen|picture|image|view"]
                .iter()
                .any(|tail| heard.whole(from, to, &format!("{head}{MARKS}{tail}")))
        })
}
