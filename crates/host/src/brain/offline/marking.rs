//! Marking what was found on its picture, one thing or several with their numbers.

use serde_json::Value;

use super::hands::{self, Drawn};
use super::intent::{Asked, Find, Manner};
use super::memory::Shown;
use super::mind::Mind;
use super::seen::{Candidate, Sighting};
use super::{naming, words};
use crate::brain::Desk;

/// A wish, the words it was looked for with, and what was seen.
pub(super) struct Showing<'a> {
    pub(super) ask: Find,
    pub(super) phrase: &'a str,
    pub(super) sighting: &'a Sighting,
}

impl Mind {
    /// Marks one candidate on the picture it was seen in, `frame`.
    pub(super) async fn mark_one(
        &mut self,
        candidate: &Candidate,
        phrase: &str,
        manner: Manner,
        frame: Option<&Value>,
        desk: &dyn Desk,
    ) -> Drawn {
        let label = mark(candidate, phrase);
        self.draw(candidate, &label, manner, frame, desk).await
    }

    /// Marks several with their numbers and remembers them. The answer is what `say` makes of them and
    /// of how many are seen; why the others are not is added.
    pub(super) async fn mark_each(
        &mut self,
        showing: Showing<'_>,
        candidates: Vec<Candidate>,
        asked: Asked,
        say: impl FnOnce(&[Candidate], usize) -> String,
        desk: &dyn Desk,
    ) -> String {
        let Showing {
            ask,
            phrase,
            sighting,
        } = showing;
        let frame = sighting.frame.as_ref();
        let mut marked = 0;
        let mut last = Drawn::Nowhere;
        for (index, candidate) in candidates.iter().enumerate() {
            let label = format!("{} {}", index + 1, mark(candidate, phrase));
            last = self
                .draw(candidate, label.trim(), ask.manner, frame, desk)
                .await;
            // After a refusal the next would be refused as well.
            if last != Drawn::Shown {
                break;
            }
            marked += 1;
        }
        let answer = and_why_not(say(&candidates, marked), &last);
        if asked == Asked::Which {
            desk.asked_which(candidates.len());
        }
        self.memory.shown = Some(Shown {
            ask,
            phrase: phrase.to_owned(),
            source: sighting.source.clone(),
            candidates,
            at: None,
            asked,
        });
        answer
    }

    async fn draw(
        &mut self,
        candidate: &Candidate,
        label: &str,
        manner: Manner,
        frame: Option<&Value>,
        desk: &dyn Desk,
    ) -> Drawn {
        let drawn = hands::draw(desk, candidate, label, manner, frame).await;
        self.memory.marked |= drawn == Drawn::Shown;
        drawn
    }
}

/// An answer, with the reason where something could not be drawn.
pub(super) fn and_why_not(answer: String, drawn: &Drawn) -> String {
    match drawn {
        Drawn::Not(reason) => format!("{answer} {}", words::not_drawn(reason.as_deref())),
        Drawn::Shown | Drawn::Nowhere => answer,
    }
}

/// The label of a mark: what stands there, else what was asked for.
fn mark(candidate: &Candidate, phrase: &str) -> String {
    if candidate.label.is_empty() {
        naming::unquoted(naming::without_article(phrase))
    } else {
        candidate.label.clone()
    }
}
