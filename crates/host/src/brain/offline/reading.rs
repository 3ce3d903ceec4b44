//! Reading text out of the picture, and saying what is in it.
//!
//! What was read is quoted and nothing else; it never becomes a wish.

use super::hands;
use super::heard::Heard;
use super::intent::{Manner, Part, Read};
use super::memory::Kind;
use super::mind::Mind;
use super::naming;
use super::page::{Line, Page};
use super::place::place;
use super::rows::{
    MOST_ROW, figures_with, first, most_telling, on_side, quoted, read_line, row_texts, said,
    with_neighbours, within,
};
use super::seen::{Candidate, Sighting, Way, cut};
use super::words;
use crate::brain::Desk;

/// Lines that are compared by meaning.
const MOST_COMPARED: usize = 60;

impl Mind {
    /// Reads what was asked for.
    pub(super) async fn read(&mut self, read: &Read, desk: &dyn Desk) -> String {
        match read {
            Read::OnIt => match self
                .memory
                .shown
                .as_ref()
                .filter(|shown| shown.at.is_some())
                .map(|shown| shown.phrase.clone())
            {
                Some(phrase) => self.read_on(&phrase, desk).await,
                None => self.read_all(desk).await,
            },
            Read::On(name) => {
                let named = self
                    .phrase_of(&super::intent::Target::named(name))
                    .unwrap_or_else(|| name.clone());
                self.memory.kind = Kind::Read;
                self.memory.subject = Some(named.clone());
                self.read_on(&named, desk).await
            }
            Read::All => self.read_all(desk).await,
            Read::Line(number) => match self.examine(desk, "").await {
                Err(why) => why,
                Ok(page) => read_line(&page, *number),
            },
            Read::Title => match self.examine(desk, "").await {
                Err(why) => why,
                Ok(page) => page
                    .lines
                    .iter()
                    .min_by(|a, b| b.area.height.total_cmp(&a.area.height))
                    .map_or_else(
                        || words::NO_TEXT.to_owned(),
                        |line| words::title(&quoted(std::slice::from_ref(&line.text))),
                    ),
            },
            Read::Side(side) => match self.examine(desk, "").await {
                Err(why) => why,
                Ok(page) => {
                    said(&on_side(&page, *side)).unwrap_or_else(|| words::NO_TEXT_THERE.to_owned())
                }
            },
        }
    }

    async fn read_all(&mut self, desk: &dyn Desk) -> String {
        match self.examine(desk, "").await {
            Err(why) => why,
            Ok(page) => said(&page).unwrap_or_else(|| words::NO_TEXT.to_owned()),
        }
    }

    /// Reads what stands on a thing, and marks the thing.
    async fn read_on(&mut self, name: &str, desk: &dyn Desk) -> String {
        let page = match self.examine(desk, name).await {
            Err(why) => return why,
            Ok(page) => page,
        };
        let heard = Heard::new(naming::without_article(name));
        let surface = heard.len() == 1 && heard.is_any(0, SURFACES);
        // A letter or a sign is the picture itself: it is read, not looked for.
        let sighting = if surface {
            Sighting::default()
        } else {
            hands::look(desk, name, Manner::Any)
                .await
                .unwrap_or_default()
        };
        if let Some(found) = sighting.found.first() {
            let inside = found
                .area
                .map(|area| within(&page, area))
                .unwrap_or_default();
            let rows = row_texts(&inside);
            let told = words::name(
                if found.way == Way::Object {
                    &found.label
                } else {
                    ""
                },
                found.way,
                name,
            );
            if rows.is_empty()
                && matches!(found.way, Way::Text | Way::Meaning)
                && !found.label.is_empty()
            {
                self.mark_one(found, name, Manner::Any, sighting.frame.as_ref(), desk)
                    .await;
                return words::says(&quoted(std::slice::from_ref(&found.label)));
            }
            if !rows.is_empty() {
                self.mark_one(found, name, Manner::Any, sighting.frame.as_ref(), desk)
                    .await;
                let read = quoted(&first(&rows).0);
                // Text stands on nothing but itself.
                return if matches!(found.way, Way::Text | Way::Meaning) {
                    words::says(&read)
                } else {
                    words::thing_says(&told, &read)
                };
            }
            return words::thing_silent(&told);
        }
        let rows = row_texts(&page);
        if rows.is_empty() {
            return if surface {
                words::NO_TEXT.to_owned()
            } else {
                words::not_there(name, false)
            };
        }
        if surface {
            return said(&page).unwrap_or_else(|| words::NO_TEXT.to_owned());
        }
        words::not_there_but_reads(name, &quoted(&first(&rows).0))
    }

    /// Reads what stands with a word: a price, a total, a version.
    pub(super) async fn value(&mut self, name: &str, desk: &dyn Desk) -> String {
        self.memory.kind = Kind::Value;
        self.memory.subject = Some(name.to_owned());
        let page = match self.examine(desk, name).await {
            Err(why) => return why,
            Ok(page) => page,
        };
        if page.lines.is_empty() {
            return words::NO_TEXT.to_owned();
        }
        let Some(best) = self.line_about(name, &page).await else {
            return words::no_value(name);
        };
        let (text, area) = with_neighbours(&page, best);
        if area.width > 0.0 && area.height > 0.0 {
            let found = Candidate {
                area: Some(area),
                spot: area.centre(),
                label: cut(&text, 40),
                way: Way::Text,
                sure: 1.0,
            };
            self.mark_one(&found, name, Manner::Any, page.frame.as_ref(), desk)
                .await;
        }
        words::value(&quoted(&[cut(&text, 2 * MOST_ROW)]))
    }

    /// What begins or ends when cannot be told from figures beside a name; they are read, and no more.
    pub(super) async fn when(&mut self, name: &str, verb: &str, desk: &dyn Desk) -> String {
        let page = match self.examine(desk, name).await {
            Err(why) => return why,
            Ok(page) => page,
        };
        let asked = format!("{name} {verb}");
        let told = page
            .lines
            .iter()
            .any(|line| naming::overlap(&asked, &line.text) >= 1.0);
        if told {
            return self.value(&asked, desk).await;
        }
        self.memory.kind = Kind::Value;
        self.memory.subject = Some(name.to_owned());
        let Some(best) = self.line_about(name, &page).await else {
            return words::no_value(name);
        };
        let figures = figures_with(&page, best);
        if figures.is_empty() {
            return words::no_value(name);
        }
        words::cannot_tell_when(name, &quoted(&figures))
    }

    /// The line that is about something, by its words or by their meaning.
    async fn line_about(&self, name: &str, page: &Page) -> Option<usize> {
        let by_words = page
            .lines
            .iter()
            .enumerate()
            .map(|(index, line)| (index, naming::overlap(name, &line.text)))
            .fold(None, |best: Option<(usize, f32)>, next| match best {
                Some(best) if best.1 >= next.1 => Some(best),
                _ => Some(next),
            });
        if let Some((index, share)) = by_words
            && share >= 0.5
        {
            return Some(index);
        }
        let content = naming::content(name);
        if content.iter().all(|word| {
            [
                "price", "cost", "amount", "much", "number", "value", "reading", "figure",
            ]
            .contains(&word.as_str())
        }) {
            let money = |line: &Line| {
                line.text.contains(['€', '$', '£', '¥'])
                    && line.text.chars().any(|letter| letter.is_ascii_digit())
            };
            let digits = |line: &Line| line.text.chars().any(|letter| letter.is_ascii_digit());
            return page
                .lines
                .iter()
                .position(money)
                .or_else(|| page.lines.iter().position(digits));
        }
        let texts: Vec<String> = page
            .lines
            .iter()
            .take(MOST_COMPARED)
            .map(|line| line.text.clone())
            .collect();
        let alike = self.meanings(name, &texts).await?;
        let (index, most) = alike
            .into_iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        (most >= 0.55).then_some(index)
    }

    /// Says what is in the picture, or in a part of it.
    pub(super) async fn describe(&mut self, part: Part, desk: &dyn Desk) -> String {
        let mut page = match self.examine(desk, "").await {
            Err(why) => return why,
            Ok(page) => page,
        };
        let mut nothing = words::SEE_NOTHING;
        match part {
            Part::Whole => {}
            Part::Side(side) => {
                page = on_side(&page, side);
                nothing = words::SEE_NOTHING_THERE;
            }
            Part::This => {
                let marked = self.memory.shown.as_ref().and_then(|shown| {
                    let area = shown.candidates.get(shown.at?)?.area?;
                    Some((
                        area,
                        shown.phrase.clone(),
                        shown.candidates.get(shown.at?)?.clone(),
                    ))
                });
                if let Some((area, phrase, candidate)) = marked {
                    let inside = within(&page, area);
                    let rows = row_texts(&inside);
                    let name = words::name(&candidate.label, candidate.way, &phrase);
                    if !rows.is_empty() && candidate.way != Way::Text {
                        return words::thing_says(&name, &quoted(&first(&rows).0));
                    }
                    return words::lies(
                        &name,
                        words::place(place(candidate.spot)),
                        "",
                        words::by(candidate.way),
                    );
                }
            }
        }
        described(&page).unwrap_or_else(|| nothing.to_owned())
    }
}

/// Things whose text is the text of the picture.
const SURFACES: &[&str] = &[
    "label",
    "sign",
    "display",
    "screen",
    "poster",
    "paper",
    "note",
    "page",
    "card",
    "plate",
    "sticker",
    "tag",
    "notice",
    "board",
    "receipt",
    "ticket",
    "message",
    "dialog",
    "dialogue",
    "window",
    "error",
    "text",
    "bill",
    "letter",
    "banner",
    "picture",
    "image",
    "document",
    "writing",
    "warning",
    "menu",
    "title",
    "list",
    "packaging",
    "leaflet",
    "instructions",
    "manual",
    "popup",
    "pop-up",
    "notification",
];

fn described(page: &Page) -> Option<String> {
    let mut things: Vec<(String, usize)> = Vec::new();
    for thing in &page.things {
        let name = thing.name.to_lowercase();
        if let Some((_, count)) = things.iter_mut().find(|(known, _)| *known == name) {
            *count += 1;
        } else if things.len() < 6 {
            things.push((name, 1));
        }
    }
    let rows = page.rows().len();
    let mut told = Vec::new();
    if !things.is_empty() {
        told.push(words::see(&things));
    }
    if rows > 0 {
        let telling = most_telling(page);
        let quoted = words::quoted(&telling);
        told.push(words::and_read(
            &quoted,
            page.lines.len().saturating_sub(telling.len()),
        ));
    }
    (!told.is_empty()).then(|| told.join(" "))
}
