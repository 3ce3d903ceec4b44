//! How questions and wishes begin, in the words people use.
//!
//! Only beginnings stand here; what each means for the rest of the sentence is in `understand`.

mod ask;
mod point;
mod rest;
mod seek;

use super::heard::Heard;

/// What a beginning announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// A thing follows: "where is …", "point me to …".
    Thing,
    /// A clause follows: "show me where … is".
    Clause,
    /// Something to be done follows: "how do I …".
    Action,
    /// A thing follows that is not to be found without help: "I can't find …".
    Lost,
    /// To be marked with a point.
    PointAt,
    /// To be marked with a box.
    BoxAround,
    /// To be marked.
    Mark,
    /// "which …"
    Which,
    /// The tool does not act: "click …".
    Act,
    /// "type … into …"
    Type,
    /// "drag … to …"
    Drag,
    /// "is there …"
    Exists,
    /// "is the … on?", "are these …"
    Judge,
    /// "how many …"
    Count,
    /// "how much is …", "what is the …"
    Value,
    /// "when does … end"
    When,
    /// "read …"
    Read,
    /// "what does … say"
    Says,
    /// "what is written on …"
    Written,
    /// "describe …", "what is on …"
    Describe,
    /// "what is this …"
    What,
    /// "what does … do", told by its end.
    Does,
    /// "another …"
    Another,
    /// "what about …", "and …"
    Follow,
    /// Knowledge of the world.
    Know,
    /// Talk for its own sake.
    Chat,
    /// A property that cannot be told.
    Tell,
    /// A plain statement.
    Statement,
}

/// Beginnings; the longest that fits is taken, the earlier of two that are equally long. What stands
/// after `>` must follow but belongs to the rest.
fn openings() -> impl Iterator<Item = &'static (&'static str, Opening)> {
    [
        seek::OPENINGS,
        point::OPENINGS,
        ask::OPENINGS,
        rest::OPENINGS,
    ]
    .into_iter()
    .flatten()
}

/// The longest beginning that stands at a place.
pub(super) fn opening(heard: &Heard, at: usize) -> Option<(Opening, usize)> {
    let mut best: Option<(Opening, usize, usize)> = None;
    for (pattern, opening) in openings() {
        let Some(end) = heard.opens(at, pattern) else {
            continue;
        };
        // Words looked ahead at make a beginning more telling without belonging to it.
        let told = end + usize::from(pattern.contains(" > "));
        if best.is_none_or(|(_, _, most)| told > most) {
            best = Some((*opening, end, told));
        }
    }
    best.map(|(opening, end, _)| (opening, end))
}
