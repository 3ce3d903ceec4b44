//! Saying an answer piece by piece, as a model would.

use crate::brain::Desk;

/// Letters of a piece, about.
const PIECE: usize = 24;

/// The pieces of an answer; joined, they are the answer.
pub(super) fn pieces(answer: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, letter) in answer.char_indices() {
        if letter == ' ' && at - start >= PIECE {
            let end = at + 1;
            pieces.extend(answer.get(start..end));
            start = end;
        }
    }
    pieces.extend(answer.get(start..).filter(|rest| !rest.is_empty()));
    pieces
}

/// Says an answer.
pub(super) async fn speak(desk: &dyn Desk, answer: &str) {
    for piece in pieces(answer) {
        desk.say(piece).await;
    }
}
