//! How likely a label is what was meant, from its words and from its meaning.

use super::lexical::{Label, Overlap};
use crate::query::Query;

/// Below this nothing is pointed at: a wrong place is worse than none.
pub(crate) const LEAST: f32 = 0.5;

/// 0 to 1: the chance that this label is what was meant. `cosine` is missing where it was not asked for.
pub(crate) fn worth(query: &Query, label: &Label, overlap: &Overlap, cosine: Option<f32>) -> f32 {
    if overlap.number_missing {
        return 0.0;
    }
    if overlap.same {
        return 0.99;
    }
    if query.exact.is_some() {
        // Letter by letter, perhaps inside a longer line.
        let literal = overlap.literal > 0.99;
        return if literal {
            0.6 + 0.38 * overlap.label
        } else {
            0.0
        };
    }
    let _ = label;
    let words = overlap.said * (0.55 + 0.45 * overlap.label);
    let meaning = cosine.map_or(0.0, |c| (c - 0.35).max(0.0) / 0.65);
    (words.max(0.7 * words + 0.5 * meaning)).clamp(0.0, 0.98)
}
