//! The offline brain: answers without a network and without a model hub.
//!
//! It behaves like a model at its [`super::Desk`]: it hears a turn, calls tools, and says what came
//! of it in a sentence or two. What a person wants is told by rules (`understand`); what a tool's example
//! phrases say is matched to what was typed (`phrases`); what cannot be told by rules is compared by
//! meaning, where word vectors are there. Where a thing is, what stands in the picture and what it shows
//! is for the locators to say; this module only asks them.
//!
//! Only what the person typed starts anything. Text that was read in a picture is quoted, never heard.
//!
//! What belongs here: understanding, the dialogue, and the sentences. What does not: looking at pixels,
//! frames of the protocol, and any model that writes.

mod back;
mod beside;
mod beyond;
mod choosing;
mod coerce;
mod fixed;
mod going_on;
mod handling;
mod hands;
mod heard;
mod intent;
mod kinds;
mod language;
mod marking;
mod memory;
mod mind;
mod naming;
mod nearest;
mod openings;
mod page;
mod phrases;
mod place;
mod polite;
mod questions;
mod reading;
mod reading_words;
mod rows;
mod seen;
mod sentences;
mod several;
mod show;
mod speech;
mod started;
mod steps;
mod understand;
#[cfg(test)]
mod understanding;
mod verbs;
mod which;
mod whole;
mod wishes;
mod words;

use std::sync::Arc;

use async_trait::async_trait;

use self::memory::Memory;
use self::mind::Mind;
use super::{Brain, BrainError, Desk, Likeness};

/// Answers in the words people use, with nothing but this machine.
pub struct OfflineBrain {
    mind: Mind,
}

impl OfflineBrain {
    /// A brain for one session; without `likeness` it matches words alone.
    #[must_use]
    pub fn new(likeness: Option<Arc<dyn Likeness>>) -> Self {
        Self {
            mind: Mind {
                likeness,
                memory: Memory::default(),
            },
        }
    }
}

#[async_trait]
impl Brain for OfflineBrain {
    async fn turn(&mut self, text: &str, desk: &dyn Desk) -> Result<(), BrainError> {
        let answer = self.mind.answer(text, desk).await;
        speech::speak(desk, &answer).await;
        Ok(())
    }

    /// Background text is for a model; rules have no use for it, and it starts nothing.
    fn note(&mut self, _context: &str) {}
}
