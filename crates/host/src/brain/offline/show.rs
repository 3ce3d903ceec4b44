//! Showing where something is: look, mark, say so; and asking which one where several fit.

use super::back::plural;
use super::hands::{self, Drawn};
use super::heard::Heard;
use super::intent::{Asked, But, Find, Form, Manner};
use super::marking::{Showing, and_why_not};
use super::memory::{Kind, MOST_CANDIDATES, Shown};
use super::mind::Mind;
use super::place::{beside, place};
use super::seen::{Candidate, Sighting};
use super::{kinds, naming, verbs, words};
use crate::brain::{Desk, EXAMINE_IMAGE};

/// Candidates that are numbered on the picture.
const MOST_NUMBERED: usize = 5;
/// Below this the answer is put as a question.
pub(super) const SURE: f64 = 0.65;
/// Things that are looked for one by one where they were named together.
const MOST_TOGETHER: usize = 4;

impl Mind {
    /// Shows what was asked for.
    pub(super) async fn find(&mut self, ask: Find, desk: &dyn Desk) -> String {
        let Some((ask, phrase)) = self.resolved(ask) else {
            return words::WHAT_IS_IT.to_owned();
        };
        self.memory.kind = Kind::Find;
        self.memory.subject = Some(phrase.clone());
        self.memory.last = Some(ask.clone());
        let lead = ask.but.map(but);
        match hands::look(desk, &phrase, ask.manner).await {
            Err(why) => why,
            Ok(sighting) if sighting.found.is_empty() => {
                match self.together(&ask, &phrase, desk).await {
                    Some(answer) => answer,
                    None => self.instead(&ask, &phrase, desk).await,
                }
            }
            Ok(sighting)
                if ask.many
                    && kinds::by_words(&sighting.found)
                    && kinds::alone(&phrase).is_some() =>
            {
                self.instead(&ask, &phrase, desk).await
            }
            Ok(sighting) => {
                // Of several things named together, each was asked for: there is nothing to choose.
                let together = if sighting.ambiguous && !names_one(&phrase, &sighting) {
                    self.together(&ask, &phrase, desk).await
                } else {
                    None
                };
                let answer = match together {
                    Some(answer) => answer,
                    None => self.present(ask, &phrase, sighting, desk).await,
                };
                match lead {
                    Some(lead) => format!("{lead} {answer}"),
                    None => answer,
                }
            }
        }
    }

    /// What is said, or shown, in place of what is not there.
    async fn instead(&mut self, ask: &Find, phrase: &str, desk: &dyn Desk) -> String {
        self.memory.shown = None;
        if let Some(kind) = kinds::alone(phrase) {
            return words::unseen_kind(&kind);
        }
        // "close the Search window": where the thing has no control of its own, one called by the verb.
        let heard = Heard::new(phrase);
        if ask.form == Form::Action && heard.len() > 1 && !verbs::enters(&heard, 0) {
            let verb = heard.slice(0, 1).to_owned();
            if let Ok(mut sighting) = hands::look(desk, &verb, ask.manner).await {
                sighting
                    .found
                    .retain(|found| naming::tidy(&found.label).eq_ignore_ascii_case(&verb));
                if !sighting.found.is_empty() {
                    return self.present(ask.clone(), &verb, sighting, desk).await;
                }
            }
        }
        if let Some(wish) = verbs::of_field(phrase) {
            return words::no_field(wish);
        }
        match &self.memory.reworded {
            Some(said) => words::not_there_as_said(said),
            None => words::not_there(phrase, ask.form == Form::Action),
        }
    }

    /// Shows what was asked for if it is there.
    pub(super) async fn find_if_there(&mut self, phrase: &str, desk: &dyn Desk) -> Option<String> {
        let sighting = hands::look(desk, phrase, Manner::Any).await.ok()?;
        if sighting.found.is_empty() {
            return None;
        }
        let ask = Find::new(phrase, Form::Thing);
        self.memory.kind = Kind::Find;
        self.memory.subject = Some(phrase.to_owned());
        self.memory.last = Some(ask.clone());
        Some(self.present(ask, phrase, sighting, desk).await)
    }

    /// Marks what was found and says so.
    pub(super) async fn present(
        &mut self,
        ask: Find,
        phrase: &str,
        sighting: Sighting,
        desk: &dyn Desk,
    ) -> String {
        let equals = sighting.equals();
        let many = ask.many || (sighting.ambiguous && plural(phrase));
        let kin = sighting.kin();
        if many && kin.len() > 1 {
            return self.present_all(ask, phrase, &sighting, kin, desk).await;
        }
        if sighting.ambiguous && equals.len() > 1 {
            return self
                .present_numbered(ask, phrase, &sighting, equals, desk)
                .await;
        }
        self.present_one(ask, phrase, sighting, desk).await
    }

    async fn present_one(
        &mut self,
        ask: Find,
        phrase: &str,
        sighting: Sighting,
        desk: &dyn Desk,
    ) -> String {
        let candidates: Vec<Candidate> = sighting
            .found
            .iter()
            .take(MOST_CANDIDATES)
            .cloned()
            .collect();
        let Some(best) = candidates.first().cloned() else {
            return words::not_there(phrase, ask.form == Form::Action);
        };
        let drawn = self
            .mark_one(&best, phrase, ask.manner, sighting.frame.as_ref(), desk)
            .await;
        let unsure = best.sure < SURE;
        let shown = drawn == Drawn::Shown;
        self.memory.shown = Some(Shown {
            ask,
            phrase: phrase.to_owned(),
            source: sighting.source,
            candidates,
            at: Some(0),
            asked: if unsure && shown {
                Asked::IsIt
            } else {
                Asked::Nothing
            },
        });
        self.told(&best, phrase, &drawn, desk).await
    }

    /// What is said of one place, drawn or not.
    pub(super) async fn told(
        &self,
        candidate: &Candidate,
        phrase: &str,
        drawn: &Drawn,
        desk: &dyn Desk,
    ) -> String {
        let name = words::name(&candidate.label, candidate.way, phrase);
        let place = words::place(place(candidate.spot));
        let by = words::by(candidate.way_for(phrase));
        let unsure = candidate.sure < SURE;
        let without = |beside: &str| {
            if unsure {
                words::may_lie(&name, place, beside, by)
            } else {
                words::lies(&name, place, beside, by)
            }
        };
        if let Some(kind) = kinds::beside_label(phrase, candidate)
            && !unsure
        {
            return match drawn {
                Drawn::Shown => words::label_here(kind, &name, place, by),
                _ => and_why_not(words::label_lies(kind, &name, place, by), drawn),
            };
        }
        match drawn {
            Drawn::Shown if unsure => words::perhaps(&name, place, by),
            Drawn::Shown => words::here(&name, place, by),
            Drawn::Not(_) => and_why_not(without(""), drawn),
            Drawn::Nowhere => {
                // Nothing can be drawn: a neighbour's text says more than a part of the picture.
                let mut near = String::new();
                if let Some(area) = candidate.area
                    && hands::has(desk, EXAMINE_IMAGE)
                    && let Ok(page) = hands::examine(desk, phrase).await
                    && let Some(found) = beside(area, &page.lines)
                {
                    near = words::beside(&found);
                }
                without(&near)
            }
        }
    }

    async fn present_numbered(
        &mut self,
        ask: Find,
        phrase: &str,
        sighting: &Sighting,
        equals: Vec<Candidate>,
        desk: &dyn Desk,
    ) -> String {
        let all = equals.len();
        let candidates: Vec<Candidate> = equals.into_iter().take(MOST_NUMBERED).collect();
        let showing = Showing {
            ask,
            phrase,
            sighting,
        };
        let say = |candidates: &[Candidate], marked| {
            which(phrase, candidates, all - candidates.len(), marked)
        };
        self.mark_each(showing, candidates, Asked::Which, say, desk)
            .await
    }

    async fn present_all(
        &mut self,
        ask: Find,
        phrase: &str,
        sighting: &Sighting,
        equals: Vec<Candidate>,
        desk: &dyn Desk,
    ) -> String {
        let all = equals.len();
        let candidates: Vec<Candidate> = equals.into_iter().take(MOST_CANDIDATES).collect();
        let showing = Showing {
            ask,
            phrase,
            sighting,
        };
        let say = |candidates: &[Candidate], marked| {
            let what = candidates
                .first()
                .map(|first| words::name(&first.label, first.way, phrase))
                .unwrap_or_default();
            words::all_of(all, marked, &what)
        };
        self.mark_each(showing, candidates, Asked::Nothing, say, desk)
            .await
    }

    /// Several things named together, "the pen and the cup", each looked for by itself. None where
    /// what was named does not look like several things, or none of them is there.
    async fn together(&mut self, ask: &Find, phrase: &str, desk: &dyn Desk) -> Option<String> {
        if ask.form != Form::Thing || phrase.contains(" between ") {
            return None;
        }
        let parts: Vec<String> = phrase
            .split(" and ")
            .flat_map(|part| part.split(", "))
            .map(naming::tidy)
            .filter(|part| !part.is_empty())
            .take(MOST_TOGETHER)
            .collect();
        if parts.len() < 2 {
            return None;
        }
        let mut told = Vec::new();
        let mut any = false;
        for part in &parts {
            match hands::look(desk, part, ask.manner).await {
                Err(why) => return Some(why),
                Ok(sighting) => match sighting.found.first() {
                    None => told.push(words::not_there(part, false)),
                    Some(best) => {
                        any = true;
                        let drawn = self
                            .mark_one(best, part, ask.manner, sighting.frame.as_ref(), desk)
                            .await;
                        told.push(self.told(best, part, &drawn, desk).await);
                    }
                },
            }
        }
        self.memory.shown = None;
        any.then(|| told.join(" "))
    }
}

/// Asks which of several is meant; `more` fit as well but are not numbered.
fn which(phrase: &str, candidates: &[Candidate], more: usize, marked: usize) -> String {
    let same = candidates.iter().all(|other| {
        candidates
            .first()
            .is_some_and(|first| first.label.eq_ignore_ascii_case(&other.label))
    });
    if marked > 0 && (same || candidates.len() > 3) {
        return words::which_of_same(&spoken(phrase, candidates), candidates.len(), more, true);
    }
    let listed: Vec<String> = candidates
        .iter()
        .enumerate()
        .map(|(index, candidate)| {
            let name = words::name(&candidate.label, candidate.way, phrase);
            words::listed(index + 1, &name, words::place(place(candidate.spot)))
        })
        .collect();
    words::which(&listed, more)
}

/// Whether "copy and paste" is the name of one thing: it was put in quotation marks, or something that
/// was found is called so.
fn names_one(phrase: &str, sighting: &Sighting) -> bool {
    naming::unquoted(phrase) != phrase
        || sighting.found.iter().any(|candidate| {
            let label = candidate.label.to_lowercase();
            [" and ", " & ", ", "]
                .iter()
                .any(|join| label.contains(join))
        })
}

/// What several candidates are called together.
fn spoken(phrase: &str, candidates: &[Candidate]) -> String {
    match candidates.first() {
        Some(first) if candidates.iter().all(|other| other.label == first.label) => {
            words::name(&first.label, first.way, phrase)
        }
        _ => words::in_quotes(phrase),
    }
}

/// What cannot be done about a wish.
fn but(but: But) -> &'static str {
    match but {
        But::Act => words::CANNOT_ACT_HERE,
        But::Judge => words::CANNOT_JUDGE,
        But::Explain => words::CANNOT_EXPLAIN,
    }
}
