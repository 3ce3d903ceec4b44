//! Is it there, and how many are there.

use super::back::head;
use super::hands;
use super::heard::Heard;
use super::intent::{Asked, Find, Form, Manner, Target};
use super::marking::{Showing, and_why_not};
use super::memory::{Kind, MOST_CANDIDATES, Shown};
use super::mind::Mind;
use super::place::place;
use super::seen::Candidate;
use super::show::SURE;
use super::{kinds, naming, words};
use crate::brain::Desk;

impl Mind {
    /// Says whether something is there, and marks it.
    pub(super) async fn exists(&mut self, target: &Target, desk: &dyn Desk) -> String {
        let Some(phrase) = self.phrase_of(target) else {
            return words::WHAT_IS_IT.to_owned();
        };
        let ask = Find::new(&phrase, Form::Thing);
        self.memory.kind = Kind::Exists;
        self.memory.subject = Some(phrase.clone());
        self.memory.last = Some(ask.clone());
        let sighting = match hands::look(desk, &phrase, Manner::Any).await {
            Ok(sighting) => sighting,
            Err(why) => return why,
        };
        let Some(best) = sighting.found.first().cloned() else {
            self.memory.shown = None;
            return match kinds::alone(&phrase) {
                Some(kind) => words::unseen_kind(&kind),
                None => words::no_such(&phrase),
            };
        };
        let equals = sighting.equals();
        if sighting.ambiguous && equals.len() > 1 {
            let candidates = equals.into_iter().take(MOST_CANDIDATES).collect();
            let showing = Showing {
                ask,
                phrase: &phrase,
                sighting: &sighting,
            };
            let say = |candidates: &[Candidate], _| words::yes_several(candidates.len());
            return self
                .mark_each(showing, candidates, Asked::Nothing, say, desk)
                .await;
        }
        let drawn = self
            .mark_one(&best, &phrase, Manner::Any, sighting.frame.as_ref(), desk)
            .await;
        let name = words::name(&best.label, best.way, &phrase);
        let at = words::place(place(best.spot));
        let answer = if best.sure < SURE {
            words::yes_perhaps(&name, at, words::by(best.way_for(&phrase)))
        } else {
            words::yes(&name, at, words::by(best.way_for(&phrase)))
        };
        self.memory.shown = Some(Shown {
            ask,
            phrase,
            source: sighting.source,
            candidates: sighting.found.into_iter().take(MOST_CANDIDATES).collect(),
            at: Some(0),
            asked: Asked::Nothing,
        });
        and_why_not(answer, &drawn)
    }

    /// Says how many there are, and marks them.
    pub(super) async fn count(&mut self, target: &Target, desk: &dyn Desk) -> String {
        let Some(phrase) = self.phrase_of(target) else {
            return words::WHAT_IS_IT.to_owned();
        };
        let heard = Heard::new(&phrase);
        if heard.whole(0, heard.len(), "lines|rows of? text?") {
            return match self.examine(desk, &phrase).await {
                Ok(page) => words::count_lines(page.rows().len()),
                Err(why) => why,
            };
        }
        let ask = Find::new(&phrase, Form::Thing);
        self.memory.kind = Kind::Count;
        self.memory.subject = Some(phrase.clone());
        self.memory.last = Some(ask.clone());
        let mut sighting = match hands::look(desk, &phrase, Manner::Any).await {
            Ok(sighting) => sighting,
            Err(why) => return why,
        };
        let single = head_singular(&phrase);
        if sighting.found.is_empty() && single != phrase {
            sighting = match hands::look(desk, &single, Manner::Any).await {
                Ok(sighting) => sighting,
                Err(why) => return why,
            };
        }
        if let Some(kind) = kinds::alone(&phrase)
            && kinds::by_words(&sighting.found)
        {
            self.memory.shown = None;
            return words::unseen_kind(&kind);
        }
        let kin = sighting.kin();
        if kin.is_empty() {
            self.memory.shown = None;
            return words::not_there(&phrase, false);
        }
        let all = kin.len();
        let candidates = kin.into_iter().take(MOST_CANDIDATES).collect();
        let showing = Showing {
            ask,
            phrase: &phrase,
            sighting: &sighting,
        };
        let say = |_: &[Candidate], marked| words::count(all, marked);
        self.mark_each(showing, candidates, Asked::Nothing, say, desk)
            .await
    }
}

/// A phrase with its noun in the singular.
fn head_singular(phrase: &str) -> String {
    let noun = head(phrase);
    let one = naming::singular(&noun.to_lowercase());
    if one == noun.to_lowercase() {
        phrase.to_owned()
    } else {
        phrase.replacen(&noun, &one, 1)
    }
}
