//! Going on from what was found: next, back, not that one, the second, clear.

use super::hands;
use super::intent::{Asked, Choice, Form, Side};
use super::marking::and_why_not;
use super::memory::Shown;
use super::mind::Mind;
use super::place::place;
use super::seen::{Candidate, Sighting, alike};
use super::words;
use crate::brain::{Desk, ToolDecl, ToolOutcome};

/// Where a candidate is now.
enum Now {
    /// There, in this sighting.
    There(Candidate, Sighting),
    /// The picture shows something else.
    Changed(Sighting),
}

impl Mind {
    /// Shows the next candidate or step.
    pub(super) async fn next(&mut self, desk: &dyn Desk) -> String {
        if self.memory.steps.is_some() {
            return self.next_step(desk).await;
        }
        let Some(shown) = self.memory.shown.clone() else {
            return words::NOTHING_NEXT.to_owned();
        };
        let index = shown.at.map_or(0, |at| at + 1);
        if index >= shown.candidates.len() {
            return words::no_more(&named(&shown));
        }
        self.show_again(shown, index, words::next, desk).await
    }

    /// Shows the candidate or step before.
    pub(super) async fn previous(&mut self, desk: &dyn Desk) -> String {
        if self.memory.steps.is_some() {
            return self.previous_step(desk).await;
        }
        let Some(shown) = self.memory.shown.clone() else {
            return words::NOTHING_BEFORE.to_owned();
        };
        match shown.at.and_then(|at| at.checked_sub(1)) {
            Some(index) => self.show_again(shown, index, words::previous, desk).await,
            None => words::NOTHING_BEFORE.to_owned(),
        }
    }

    /// The one that was shown is not meant.
    pub(super) async fn not_that(&mut self, desk: &dyn Desk) -> String {
        let Some(shown) = self.memory.shown.clone() else {
            return words::NOTHING_ASKED.to_owned();
        };
        if shown.asked == Asked::Which && shown.at.is_none() {
            return self.none_of_them();
        }
        let index = shown.at.map_or(0, |at| at + 1);
        if index < shown.candidates.len() {
            return self.show_again(shown, index, words::next, desk).await;
        }
        self.none_of_them()
    }

    /// None of the candidates is meant.
    pub(super) fn none_of_them(&mut self) -> String {
        if let Some(shown) = &mut self.memory.shown {
            shown.asked = Asked::Nothing;
        }
        words::NONE_OF_THEM.to_owned()
    }

    /// Shows the last thing once more.
    pub(super) async fn again(&mut self, desk: &dyn Desk) -> String {
        if self.memory.steps.is_some() {
            return self.this_step(desk).await;
        }
        match self.memory.last.clone() {
            Some(ask) => self.find(ask, desk).await,
            None => words::NOTHING_AGAIN.to_owned(),
        }
    }

    /// Takes the answer to "which one?".
    pub(super) async fn choose(&mut self, choice: Choice, desk: &dyn Desk) -> String {
        let Some(shown) = self.memory.shown.clone() else {
            return words::NOTHING_ASKED.to_owned();
        };
        let count = shown.candidates.len();
        let index = match choice {
            Choice::Number(number) if number == 0 || number > count => {
                // Of a single one there is nothing to choose.
                if count > 1 {
                    desk.asked_which(count);
                }
                return words::no_number(number, count);
            }
            Choice::Number(number) => Some(number - 1),
            Choice::Last => count.checked_sub(1),
            Choice::Side(side) => at_side(&shown.candidates, side),
            Choice::Largest => by_size(&shown.candidates, true),
            Choice::Smallest => by_size(&shown.candidates, false),
            Choice::None => return self.none_of_them(),
            Choice::All => return self.all_of_them(shown, desk).await,
        };
        match index {
            Some(index) => {
                self.show_again(
                    shown,
                    index,
                    |name, place, number, _| words::chosen(number, name, place),
                    desk,
                )
                .await
            }
            None => {
                desk.asked_which(count);
                words::WHICH_NUMBER.to_owned()
            }
        }
    }

    async fn all_of_them(&mut self, shown: Shown, desk: &dyn Desk) -> String {
        let mut ask = shown.ask;
        ask.many = true;
        self.find(ask, desk).await
    }

    /// Yes to what was asked.
    pub(super) fn yes(&mut self, desk: &dyn Desk) -> String {
        let Some(shown) = &mut self.memory.shown else {
            return words::NOTHING_ASKED.to_owned();
        };
        match shown.asked {
            Asked::IsIt => {
                shown.asked = Asked::Nothing;
                words::GOOD.to_owned()
            }
            Asked::Which => {
                desk.asked_which(shown.candidates.len());
                words::WHICH_NUMBER.to_owned()
            }
            Asked::Nothing => words::FINE.to_owned(),
        }
    }

    /// No to what was asked.
    pub(super) async fn no(&mut self, desk: &dyn Desk) -> String {
        match self.memory.shown.as_ref().map(|shown| shown.asked) {
            Some(Asked::IsIt) => self.not_that(desk).await,
            Some(Asked::Which) => self.none_of_them(),
            Some(Asked::Nothing) => words::FINE.to_owned(),
            None => words::NOTHING_ASKED.to_owned(),
        }
    }

    /// Shows one of the remembered candidates, where it is now: pictures move on while people think.
    async fn show_again(
        &mut self,
        mut shown: Shown,
        index: usize,
        say: impl Fn(&str, &str, usize, usize) -> String + Send,
        desk: &dyn Desk,
    ) -> String {
        let now = match self.where_now(&shown, index, desk).await {
            Ok(now) => now,
            Err(why) => return why,
        };
        match now {
            Now::Changed(sighting) => {
                if sighting.found.is_empty() {
                    self.memory.shown = None;
                    return format!(
                        "{} {}",
                        words::CHANGED,
                        words::not_there(&shown.phrase, shown.ask.form == Form::Action)
                    );
                }
                let answer = self.present(shown.ask, &shown.phrase, sighting, desk).await;
                format!("{} {answer}", words::CHANGED)
            }
            Now::There(candidate, sighting) => {
                let (phrase, manner) = (&shown.phrase, shown.ask.manner);
                let drawn = self
                    .mark_one(&candidate, phrase, manner, sighting.frame.as_ref(), desk)
                    .await;
                let name = words::name(&candidate.label, candidate.way, &shown.phrase);
                let answer = say(
                    &name,
                    words::place(place(candidate.spot)),
                    index + 1,
                    shown.candidates.len(),
                );
                shown.at = Some(index);
                shown.asked = Asked::Nothing;
                if let Some(slot) = shown.candidates.get_mut(index) {
                    *slot = candidate;
                }
                self.memory.shown = Some(shown);
                and_why_not(answer, &drawn)
            }
        }
    }

    async fn where_now(&self, shown: &Shown, index: usize, desk: &dyn Desk) -> Result<Now, String> {
        let sighting = hands::look(desk, &shown.phrase, shown.ask.manner).await?;
        let Some(wanted) = shown.candidates.get(index) else {
            return Ok(Now::Changed(sighting));
        };
        if sighting.source != shown.source {
            return Ok(Now::Changed(sighting));
        }
        let same_label = |other: &&Candidate| other.label.eq_ignore_ascii_case(&wanted.label);
        let overlapping = sighting.found.iter().filter(same_label).find(|other| {
            match (other.area, wanted.area) {
                (Some(a), Some(b)) => alike(a, b) > 0.3,
                _ => distance(other, wanted) < 0.03,
            }
        });
        // On a camera picture things move a little; they are still as many and nearest to where they were.
        let moved = || {
            let near = sighting
                .found
                .iter()
                .filter(same_label)
                .min_by(|a, b| distance(a, wanted).total_cmp(&distance(b, wanted)))?;
            let taken = shown
                .candidates
                .iter()
                .enumerate()
                .any(|(other, candidate)| {
                    other != index && distance(candidate, near) < distance(wanted, near)
                });
            (distance(near, wanted) < 0.25 && !taken).then_some(near)
        };
        let there = overlapping.or_else(moved).cloned();
        Ok(match there {
            Some(candidate) => Now::There(candidate, sighting),
            None => Now::Changed(sighting),
        })
    }

    /// Wipes the marks, where there is a tool for it; lets go of them in any case.
    pub(super) async fn clear(&mut self, desk: &dyn Desk) -> String {
        let marked = std::mem::take(&mut self.memory.marked);
        self.memory.shown = None;
        self.memory.steps = None;
        if let Some(tool) = desk
            .tools()
            .iter()
            .find(|tool| wipes(tool))
            .map(|tool| tool.name.clone())
        {
            return match desk.call(&tool, serde_json::Map::new()).await {
                ToolOutcome::Ok(_) | ToolOutcome::Deferred { .. } => words::CLEARED.to_owned(),
                ToolOutcome::Failed(why) => words::tool_failed(&why),
            };
        }
        if marked {
            words::LET_GO.to_owned()
        } else {
            words::NOTHING_MARKED.to_owned()
        }
    }
}

/// Whether a tool is one that wipes marks: told by its name, and it needs nothing to be told.
fn wipes(tool: &ToolDecl) -> bool {
    let needs = tool
        .parameters
        .get("required")
        .and_then(serde_json::Value::as_array)
        .is_some_and(|required| !required.is_empty());
    let name = tool.name.as_str();
    !tool.server
        && !needs
        && ["clear", "wipe", "erase", "remove"]
            .iter()
            .any(|verb| name.contains(verb))
        && ["mark", "annotation", "drawing", "overlay"]
            .iter()
            .any(|noun| name.contains(noun))
}

fn named(shown: &Shown) -> String {
    words::in_quotes(&shown.phrase)
}

fn distance(a: &Candidate, b: &Candidate) -> f64 {
    (a.spot.x - b.spot.x).hypot(a.spot.y - b.spot.y)
}

fn at_side(candidates: &[Candidate], side: Side) -> Option<usize> {
    let by = |key: fn(&Candidate) -> f64| {
        candidates
            .iter()
            .enumerate()
            .min_by(|(_, a), (_, b)| key(a).total_cmp(&key(b)))
            .map(|(index, _)| index)
    };
    match side {
        Side::Left => by(|candidate| candidate.spot.x),
        Side::Right => by(|candidate| -candidate.spot.x),
        Side::Top => by(|candidate| candidate.spot.y),
        Side::Bottom => by(|candidate| -candidate.spot.y),
        Side::Middle => {
            // Between the others, along the way they are spread out.
            let spread = |key: fn(&Candidate) -> f64| {
                let values = candidates.iter().map(key);
                values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
            };
            let key: fn(&Candidate) -> f64 =
                if spread(|candidate| candidate.spot.x) >= spread(|candidate| candidate.spot.y) {
                    |candidate| candidate.spot.x
                } else {
                    |candidate| candidate.spot.y
                };
            let mut order: Vec<usize> = (0..candidates.len()).collect();
            order.sort_by(|a, b| match (candidates.get(*a), candidates.get(*b)) {
                (Some(a), Some(b)) => key(a).total_cmp(&key(b)),
                _ => std::cmp::Ordering::Equal,
            });
            order.get(order.len() / 2).copied()
        }
    }
}

fn by_size(candidates: &[Candidate], largest: bool) -> Option<usize> {
    let size = |candidate: &Candidate| candidate.area.map_or(0.0, |area| area.width * area.height);
    let sized = candidates.iter().enumerate();
    let found = if largest {
        sized.max_by(|(_, a), (_, b)| size(a).total_cmp(&size(b)))
    } else {
        sized.min_by(|(_, a), (_, b)| size(a).total_cmp(&size(b)))
    };
    found.map(|(index, _)| index)
}
