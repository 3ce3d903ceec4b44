//! What stands beside something that was named: "what is below Total?", "the button left of Save".
//!
//! The neighbour is taken from what can be read, and from things that are known by their look; it is
//! told as what stands there, never as the kind of thing that was asked for.

use alidade_picture::Area;

use super::heard::Heard;
use super::intent::{Intent, Manner, Target};
use super::marking::and_why_not;
use super::mind::Mind;
use super::page::{Line, Page};
use super::seen::{Candidate, Way, alike, cut};
use super::{hands, naming, words};
use crate::brain::Desk;

/// Words that may name the kind of thing: "what is the small button left of …".
const MOST_KIND: usize = 4;
/// How much of the lower of two boxes has to be level with, or above, the other.
const SHARED: f64 = 0.3;

/// On which side of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Toward {
    /// To its left.
    Left,
    /// To its right.
    Right,
    /// Above it.
    Above,
    /// Below it.
    Below,
    /// Wherever it is nearest.
    Next,
}

/// How such a question begins.
const OPENINGS: &[&str] = &[
    "what is|are|stands|comes|sits|lies|appears",
    "what does|do it|this|that? say|show",
    "what is written|printed|shown|displayed",
    "what text|word|words|label|control|is|stands|comes?",
    "read me|out? what? is|stands?",
    "read me|out? the text|line|word|words|label",
    "tell me what is|stands|it says?",
];

/// The words for a side, up to what was named.
const SIDES: &[(&str, Toward)] = &[
    ("to|on|at? the? left hand? side? of", Toward::Left),
    ("to|on|at? the? right hand? side? of", Toward::Right),
    ("directly|just|right|immediately? above", Toward::Above),
    (
        "directly|just|right|immediately? below|under|underneath|beneath",
        Toward::Below,
    ),
    ("directly|just|right|immediately? next to", Toward::Next),
    ("directly|just|right|immediately? beside", Toward::Next),
];

/// Words of which one has to stand there letter by letter: a slip makes another word of each.
const EXACTLY: &[&str] = &[
    "left",
    "right",
    "above",
    "below",
    "under",
    "underneath",
    "beneath",
    "next",
    "beside",
];

/// Names of the picture as a whole, which has nothing beside it.
const WHOLE: &[&str] = &[
    "screen", "picture", "image", "page", "window", "photo", "view", "display", "frame", "camera",
];

/// How one asks to be shown it.
const POINTED: &[&str] = &[
    "where is",
    "show|find me?",
    "point me? at|to",
    "mark|highlight|circle",
];

/// Kinds that are read: what stands beside something as one of these is the text there.
const READ: &[&str] = &["button", "link", "tab", "text", "word", "label"];

/// Understands a question for what stands beside something.
pub(super) fn asked(heard: &Heard) -> Option<Intent> {
    of_what(heard).or_else(|| shown(heard))
}

/// "Show me the button next to Cancel": not Cancel, though only that is named.
fn shown(heard: &Heard) -> Option<Intent> {
    let from = POINTED
        .iter()
        .filter_map(|pattern| heard.opens(0, pattern))
        .max()
        .unwrap_or(0);
    if !heard.is_any(from, &["the", "a"]) || !heard.is_any(from + 1, READ) {
        return None;
    }
    let (end, toward) = side(heard, from + 2)?;
    named_beside(heard, end, toward)
}

/// "What is left of Cancel?"
fn of_what(heard: &Heard) -> Option<Intent> {
    let all = heard.len();
    let from = OPENINGS
        .iter()
        .filter_map(|pattern| heard.opens(0, pattern))
        .max()?;
    for at in from..all.min(from + MOST_KIND + 1) {
        if at > from && !heard.is_any(from, &["the", "a", "an", "that", "this"]) {
            return None;
        }
        if let Some((end, toward)) = side(heard, at) {
            return named_beside(heard, end, toward);
        }
    }
    None
}

/// The side that is spoken of at a place, and where the words for it end.
fn side(heard: &Heard, at: usize) -> Option<(usize, Toward)> {
    SIDES
        .iter()
        .filter_map(|(pattern, toward)| Some((heard.opens(at, pattern)?, *toward)))
        .max_by_key(|(end, _)| *end)
        .filter(|(end, _)| (at..*end).any(|word| heard.is_any(word, EXACTLY)))
}

fn named_beside(heard: &Heard, from: usize, toward: Toward) -> Option<Intent> {
    let named = naming::tidy(&naming::clause(heard.slice(from, heard.len())));
    let whole = naming::without_article(&named).to_lowercase();
    let any = named.is_empty() || WHOLE.contains(&whole.as_str());
    (!any).then(|| Intent::Beside(toward, Target::named(&named)))
}

/// What was named, among the lines of a page.
enum Anchor {
    At(Area),
    Several,
    Nowhere,
}

impl Mind {
    /// Says and marks what stands beside something.
    pub(super) async fn beside(
        &mut self,
        toward: Toward,
        target: &Target,
        desk: &dyn Desk,
    ) -> String {
        let Some(name) = self.phrase_of(target) else {
            return words::WHAT_IS_IT.to_owned();
        };
        self.memory.subject = Some(name.clone());
        let page = match self.examine(desk, &name).await {
            Err(why) => return why,
            Ok(page) => page,
        };
        let anchor = match anchor(&page, &name) {
            Anchor::At(area) => area,
            Anchor::Several => return words::several_places(&name),
            Anchor::Nowhere => {
                let seen = match hands::look(desk, &name, Manner::Any).await {
                    Err(why) => return why,
                    Ok(seen) => seen,
                };
                match seen.found.first().and_then(|found| found.area) {
                    Some(_) if seen.ambiguous => return words::several_places(&name),
                    Some(area) => area,
                    None => return words::not_there(&name, false),
                }
            }
        };
        let Some(found) = neighbour(&page, anchor, toward) else {
            return words::nothing_beside(toward, &name);
        };
        let told = words::stands_beside(toward, &name, &found.label, found.way);
        let drawn = self
            .mark_one(&found, "", Manner::Any, page.frame.as_ref(), desk)
            .await;
        and_why_not(told, &drawn)
    }
}

/// A text without what only surrounds it, for comparing whole labels.
fn bare(text: &str) -> String {
    naming::tidy(text).to_lowercase()
}

/// Where the named text stands: a line that is the name, else the shortest that holds all of it.
fn anchor(page: &Page, name: &str) -> Anchor {
    let name = naming::unquoted(naming::without_article(name));
    let mut names = vec![bare(&name)];
    if let Some((head, last)) = name.rsplit_once(' ')
        && naming::CONTROLS.contains(&last.to_lowercase().as_str())
    {
        names.push(bare(head));
    }
    let placed = || page.lines.iter().filter(|line| line.area.height > 0.0);
    for name in &names {
        let mut exact = placed().filter(|line| bare(&line.text) == *name);
        match (exact.next(), exact.next()) {
            (Some(line), None) => return Anchor::At(line.area),
            (Some(_), Some(_)) => return Anchor::Several,
            (None, _) => {}
        }
    }
    let wanted = names.last().map_or("", String::as_str);
    placed()
        .filter(|line| naming::overlap(wanted, &line.text) >= 1.0)
        .min_by_key(|line| line.text.chars().count())
        .map_or(Anchor::Nowhere, |line| Anchor::At(line.area))
}

/// The nearest text or thing on a side of a box.
fn neighbour(page: &Page, anchor: Area, toward: Toward) -> Option<Candidate> {
    let texts = page
        .lines
        .iter()
        .filter(|line| line.area.height > 0.0)
        .map(|Line { text, area }| (text, *area, Way::Text));
    let things = page
        .things
        .iter()
        .filter_map(|thing| Some((&thing.name, thing.area?, Way::Object)));
    texts
        .chain(things)
        .filter(|(_, area, _)| alike(*area, anchor) <= 0.0)
        .filter_map(|(label, area, way)| Some((gap(anchor, area, toward)?, label, area, way)))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, label, area, way)| Candidate {
            area: Some(area),
            spot: area.centre(),
            label: cut(label, 80),
            way,
            sure: 1.0,
        })
}

/// How far a box is from another on one side of it; none where it is not on that side.
fn gap(anchor: Area, other: Area, toward: Toward) -> Option<f64> {
    let shared = |from: f64, to: f64, least: f64| to - from > SHARED * least;
    let level = shared(
        anchor.y.max(other.y),
        anchor.bottom().min(other.bottom()),
        anchor.height.min(other.height),
    );
    let upright = shared(
        anchor.x.max(other.x),
        anchor.right().min(other.right()),
        anchor.width.min(other.width),
    );
    let (fits, gap) = match toward {
        Toward::Left => (level, anchor.x - other.right()),
        Toward::Right => (level, other.x - anchor.right()),
        Toward::Above => (upright, anchor.y - other.bottom()),
        Toward::Below => (upright, other.y - anchor.bottom()),
        Toward::Next => {
            return [Toward::Left, Toward::Right, Toward::Above, Toward::Below]
                .into_iter()
                .filter_map(|toward| gap(anchor, other, toward))
                .min_by(f64::total_cmp);
        }
    };
    // Boxes of neighbouring lines may overlap by a little.
    let slack = 0.25 * anchor.height.min(other.height);
    (fits && gap > -slack).then_some(gap)
}
