//! The board that owns the marks. No shape, label or rule is defined here: see the parent module.

use std::{collections::VecDeque, time::Instant};

use super::{Mark, MarkError, MarkId, NewMark, Rules, Seen, Shape, Wipe, check};
use crate::label::tidy;

/// The board. See the module's page.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    rules: Rules,
    marks: VecDeque<Mark>,
    next: u64,
    answer: u64,
    revision: u64,
    pushed_out: u64,
}

impl Marks {
    /// An empty board under these rules.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            ..Self::default()
        }
    }

    /// The next marks belong to a new answer: what is there now becomes old.
    pub fn new_answer(&mut self) {
        self.answer += 1;
        self.revision += 1;
    }

    /// Adds one mark to the newest answer. One that means the same as a mark of this answer takes its
    /// place.
    ///
    /// # Errors
    /// [`MarkError`] where it is no place in the picture; the board stays as it was.
    pub fn add(&mut self, mark: NewMark, now: Instant) -> Result<MarkId, MarkError> {
        check(&mark.shape)?;
        Ok(self.put(mark, None, now))
    }

    /// Adds the candidates of one question, numbered from 1 in this order where there are several.
    /// They replace the other marks of the newest answer.
    ///
    /// # Errors
    /// [`MarkError`] where one is no place in the picture; the board stays as it was.
    pub fn add_candidates(
        &mut self,
        candidates: Vec<NewMark>,
        now: Instant,
    ) -> Result<Vec<MarkId>, MarkError> {
        for candidate in &candidates {
            check(&candidate.shape)?;
        }
        let several = candidates.len() > 1;
        let answer = self.answer;
        self.marks.retain(|mark| mark.answer != answer);
        self.revision += 1;
        let numbered = (1..).zip(candidates).take(self.rules.cap);
        Ok(numbered
            .map(|(number, mark)| self.put(mark, several.then_some(number), now))
            .collect())
    }

    fn put(&mut self, new: NewMark, number: Option<u32>, now: Instant) -> MarkId {
        let answer = self.answer;
        if number.is_none() {
            self.marks
                .retain(|mark| mark.answer != answer || !mark.shape.same(&new.shape));
        }
        self.next += 1;
        let id = MarkId(self.next);
        self.marks.push_back(Mark {
            id,
            shape: new.shape,
            label: new.label.as_deref().and_then(tidy),
            picture: new.picture,
            number,
            added: now,
            answer,
        });
        while self.marks.len() > self.rules.cap {
            self.marks.pop_front();
            self.pushed_out += 1;
        }
        self.revision += 1;
        id
    }

    /// Takes one mark away; false where it is gone already.
    pub fn remove(&mut self, id: MarkId) -> bool {
        let before = self.marks.len();
        self.marks.retain(|mark| mark.id != id);
        let removed = self.marks.len() < before;
        self.revision += u64::from(removed);
        removed
    }

    /// Moves a mark that follows its thing; false where it is gone or the place is none.
    pub fn follow(&mut self, id: MarkId, shape: Shape) -> bool {
        if check(&shape).is_err() {
            return false;
        }
        let Some(mark) = self.marks.iter_mut().find(|mark| mark.id == id) else {
            return false;
        };
        mark.shape = shape;
        self.revision += 1;
        true
    }

    /// Takes all marks away and answers how many there were, whatever the reason.
    pub fn wipe(&mut self, why: Wipe) -> usize {
        let wiped = self.marks.len();
        self.marks.clear();
        self.revision += 1;
        match why {
            // Nothing of the next session or source may look like an answer to an old question.
            Wipe::SourceChanged | Wipe::SessionEnded => self.answer += 1,
            Wipe::Cleared => {}
        }
        wiped
    }

    /// Drops the marks whose life is over and answers how many.
    pub fn expire(&mut self, now: Instant) -> usize {
        let before = self.marks.len();
        let life = self.rules.life;
        self.marks
            .retain(|mark| now.saturating_duration_since(mark.added) < life);
        let gone = before - self.marks.len();
        self.revision += u64::from(gone > 0);
        gone
    }

    /// What is to be shown now, the oldest first, so that the newest is painted on top.
    #[must_use]
    pub fn seen(&self, now: Instant) -> Vec<Seen> {
        self.marks
            .iter()
            .filter_map(|mark| {
                let strength = self.strength(mark, now);
                (strength > 0.0).then(|| Seen {
                    mark: mark.clone(),
                    strength,
                    newest: mark.answer == self.last_answer(),
                })
            })
            .collect()
    }

    /// The newest answer that left a mark: a question whose answer has none yet keeps the last accent.
    fn last_answer(&self) -> u64 {
        self.marks.back().map_or(self.answer, |mark| mark.answer)
    }

    fn strength(&self, mark: &Mark, now: Instant) -> f32 {
        let age = now.saturating_duration_since(mark.added);
        let left = self.rules.life.saturating_sub(age);
        let end = if self.rules.fade.is_zero() || left >= self.rules.fade {
            f32::from(u8::from(!left.is_zero()))
        } else {
            left.as_secs_f32() / self.rules.fade.as_secs_f32()
        };
        let answers = i32::try_from(self.last_answer() - mark.answer).unwrap_or(i32::MAX);
        end * 0.7_f32.powi(answers).max(0.3)
    }

    /// When what is shown changes by itself: now while something fades, else when the next mark begins
    /// to; `None` where nothing is shown.
    #[must_use]
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        let oldest = self.marks.iter().map(|mark| mark.added).min()?;
        let begins = oldest + self.rules.life.saturating_sub(self.rules.fade);
        Some(begins.max(now))
    }

    /// All marks, the oldest first, also those that have faded but were not expired yet.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Mark> {
        self.marks.iter()
    }

    /// One mark.
    #[must_use]
    pub fn get(&self, id: MarkId) -> Option<&Mark> {
        self.marks.iter().find(|mark| mark.id == id)
    }

    /// How many marks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Grows with every change, except for fading.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Marks that had to go because there were too many.
    #[must_use]
    pub fn pushed_out(&self) -> u64 {
        self.pushed_out
    }
}
