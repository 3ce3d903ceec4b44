//! Where a person says that it is: "on the left", "the lower of the two", "the second".

use super::words::Words;

/// What was said about the place among several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// -1 left, 1 right.
    pub(crate) across: i8,
    /// -1 up, 1 down.
    pub(crate) down: i8,
    /// In the middle.
    pub(crate) middle: bool,
    /// 1 is the first in reading order, -1 the last.
    pub(crate) ordinal: Option<isize>,
    /// 1 the biggest, -1 the smallest.
    pub(crate) size: i8,
    /// It may be part of a name as well ("the left margin"): it decides only between equals.
    pub(crate) soft: bool,
}

impl Place {
    /// Whether anything was said.
    pub(crate) fn is_said(&self) -> bool {
        *self
            != Self {
                soft: self.soft,
                ..Self::default()
            }
    }

    /// Takes a word, or several joined by hyphens, where all of it is of place.
    fn take(&mut self, word: &str) -> bool {
        let mut said = *self;
        let known = word
            .split('-')
            .all(|part| part == "hand" || said.take_one(part));
        if known && said != *self {
            *self = said;
        }
        known && word != "hand"
    }

    fn take_one(&mut self, word: &str) -> bool {
        match word {
            "left" | "leftmost" | "lefthand" => self.across = -1,
            "right" | "rightmost" | "righthand" => self.across = 1,
            "top" | "upper" | "topmost" | "uppermost" | "higher" | "highest" => self.down = -1,
            "bottom" | "lower" | "bottommost" | "lowest" => self.down = 1,
            "middle" | "centre" | "center" | "central" => self.middle = true,
            "biggest" | "largest" | "bigger" | "larger" | "big" | "large" => self.size = 1,
            "smallest" | "smaller" | "small" | "little" | "tiny" => self.size = -1,
            "last" => self.ordinal = Some(-1),
            _ => return false,
        }
        true
    }
}

/// What ends a place: "the left *side*".
const ENDS: &[&str] = &[
    "side", "corner", "edge", "half", "part", "end", "hand", "row", "column",
];
/// What a place may be of, besides the thing itself.
const WHOLES: &[&str] = &[
    "picture",
    "screen",
    "image",
    "photo",
    "photograph",
    "window",
    "page",
    "display",
    "dialog",
    "view",
];

/// Takes words of place out of `words`; what is left names the thing.
pub(super) fn taken(words: &mut Vec<String>) -> Place {
    let mut place = Place::default();
    phrase_of_place(words, &mut place);
    of_several(words, &mut place);
    place
}

/// "on the top left (side) (of the picture)".
fn phrase_of_place(words: &mut Vec<String>, place: &mut Place) {
    let lower: Vec<String> = words.iter().map(|w| w.to_lowercase()).collect();
    for start in 0..lower.len() {
        if !["on", "at", "in", "near"].contains(&lower[start].as_str()) {
            continue;
        }
        let mut at = start + 1;
        while lower
            .get(at)
            .is_some_and(|w| ["the", "far", "very", "its"].contains(&w.as_str()))
        {
            at += 1;
        }
        let first = at;
        let mut said = Place::default();
        while let Some(word) = lower.get(at) {
            if !said.take(word) {
                break;
            }
            at += 1;
        }
        if at == first || said.size != 0 {
            continue;
        }
        let mut ended = at == lower.len();
        while lower.get(at).is_some_and(|w| ENDS.contains(&w.as_str())) {
            at += 1;
            ended = true;
        }
        let of_whole = lower.get(at).is_some_and(|w| w == "of" || w == "in")
            && lower[at + 1..]
                .iter()
                .find(|w| *w != "the")
                .is_some_and(|w| WHOLES.contains(&w.as_str()));
        if of_whole {
            at += lower[at..]
                .iter()
                .position(|w| WHOLES.contains(&w.as_str()))
                .map_or(0, |p| p + 1);
            ended = true;
        }
        if !ended
            && at < lower.len()
            && !["of", "is", "that", "which"].contains(&lower[at].as_str())
        {
            continue;
        }
        *place = said;
        words.drain(start..at);
        return;
    }
}

/// "the lower of the two dogs", "the second flower", "the left one".
fn of_several(words: &mut Vec<String>, place: &mut Place) {
    let lower: Vec<String> = words.iter().map(|w| w.to_lowercase()).collect();
    let Some(first) = lower.iter().position(|w| w != "the" && w != "a") else {
        return;
    };
    let mut said = Place::default();
    let mut at = first;
    while let Some(word) = lower.get(at) {
        let ordinal = Words::get().ordinals.get(word).map(|n| *n as isize);
        if !said.take(word) {
            match ordinal {
                Some(n) => said.ordinal = Some(n),
                None => break,
            }
        }
        at += 1;
    }
    if at == first || place.is_said() || at >= lower.len() {
        return;
    }
    let counted = |w: &String| {
        [
            "two", "three", "four", "five", "them", "all", "these", "those",
        ]
        .contains(&w.as_str())
    };
    if lower[at] == "one" || lower[at] == "ones" {
        *place = said;
        words.drain(first..=at);
    } else if lower[at] == "of" {
        let mut end = at + 1;
        while lower.get(end).is_some_and(|w| w == "the" || counted(w)) {
            end += 1;
        }
        *place = said;
        words.drain(first..end);
    } else {
        // "left margin": the words stay, as a part of the name.
        *place = Place { soft: true, ..said };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (Place, String) {
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let place = taken(&mut words);
        (place, words.join(" "))
    }

    #[test]
    fn places_are_heard_and_leave_the_name() {
        let (place, rest) = of("the eye on the left side of the picture");
        assert_eq!(
            (place.across, place.soft, rest.as_str()),
            (-1, false, "the eye")
        );
        let (place, rest) = of("the button at the top right");
        assert_eq!(
            (place.across, place.down, rest.as_str()),
            (1, -1, "the button")
        );
        let (place, rest) = of("the lower of the two dogs");
        assert_eq!((place.down, rest.as_str()), (1, "the dogs"));
        let (place, rest) = of("the bottom-right one");
        assert_eq!((place.across, place.down, rest.as_str()), (1, 1, "the"));
        let (place, rest) = of("the last one");
        assert_eq!((place.ordinal, rest.as_str()), (Some(-1), "the"));
    }

    #[test]
    fn a_place_inside_a_name_stays_in_it() {
        let (place, rest) = of("the left margin");
        assert!(place.soft && place.across == -1);
        assert_eq!(rest, "the left margin");
        let (place, rest) = of("align to the right");
        assert_eq!(
            (place, rest.as_str()),
            (Place::default(), "align to the right")
        );
        let (place, rest) = of("in the middle mouse speed");
        assert_eq!(
            (place, rest.as_str()),
            (Place::default(), "in the middle mouse speed")
        );
        let (place, rest) = of("the second flower");
        assert_eq!(
            (place.ordinal, place.soft, rest.as_str()),
            (Some(2), true, "the second flower")
        );
    }
}
