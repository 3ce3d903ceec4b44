//! One list out of what two networks saw: they vouch for each other, or they doubt each other.

use super::{
    boxes::{Seen, same_place},
    classes::Class,
};

/// Which of the two said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Coco,
    OpenImages,
}

impl Source {
    fn knows(self, class: Class) -> bool {
        match self {
            Self::Coco => class.in_coco(),
            Self::OpenImages => class.in_open_images(),
        }
    }

    /// Scores of the two mean different things: what counts as "rather yes" lies at a half afterwards.
    pub(super) fn calibrated(self, score: f32) -> f32 {
        let points: &[(f32, f32)] = match self {
            Self::Coco => &[
                (0.0, 0.0),
                (0.3, 0.22),
                (0.5, 0.5),
                (0.62, 0.75),
                (1.0, 0.97),
            ],
            Self::OpenImages => &[
                (0.0, 0.0),
                (0.3, 0.12),
                (0.5, 0.45),
                (0.7, 0.75),
                (1.0, 0.95),
            ],
        };
        let score = score.clamp(0.0, 1.0);
        for pair in points.windows(2) {
            if let [(x0, y0), (x1, y1)] = pair
                && score <= *x1
            {
                return y0 + (score - x0) / (x1 - x0).max(1e-6) * (y1 - y0);
            }
        }
        0.97
    }
}

/// Weighs the two lists (calibrated scores) against each other. Surest first.
pub(super) fn fused(coco: &[Seen], open: &[Seen]) -> Vec<Seen> {
    let mut all: Vec<(Seen, bool)> = Vec::new();
    for (own, other, network) in [(coco, open, Source::OpenImages), (open, coco, Source::Coco)] {
        for one in own {
            all.push(weighed(one, other, network));
        }
    }
    all.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
    let mut kept: Vec<(Seen, bool)> = Vec::new();
    for (one, vouched) in all {
        let mut again = false;
        for (k, _) in &kept {
            // Two animals on one spot are one animal; a person on a bicycle is two things.
            let same = same_place(&k.area, &one.area, 0.5);
            let identical = k.area.overlap(&one.area) > 0.75;
            if (same && k.class.kin(one.class)) || (identical && k.score > one.score) {
                again = true;
                break;
            }
        }
        if !again {
            kept.push((one, vouched));
        }
    }
    kept.into_iter().map(|(one, _)| one).collect()
}

/// What the other network makes of it.
fn weighed(one: &Seen, other: &[Seen], network: Source) -> (Seen, bool) {
    let mut one = *one;
    let here: Vec<&Seen> = other
        .iter()
        .filter(|o| same_place(&o.area, &one.area, 0.45))
        .collect();
    let support = here
        .iter()
        .filter(|o| o.class.kin(one.class))
        .map(|o| o.score)
        .fold(0.0f32, f32::max);
    let against = here
        .iter()
        .filter(|o| !o.class.kin(one.class))
        .map(|o| o.score)
        .fold(0.0f32, f32::max);
    if support > 0.0 {
        one.score = 1.0 - (1.0 - one.score) * (1.0 - support);
        // The narrower word says more, once both mean the same thing.
        if one.class.broad() {
            one.score *= 0.95;
        }
    } else if network.knows(one.class) {
        // It could have said so, and did not; all the more where it says something else.
        one.score *= 0.85 * (1.0 - 0.7 * against);
    } else {
        one.score *= 1.0 - 0.4 * against;
    }
    (one, support > 0.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::super::classes;
    use super::*;
    use alidade_picture::Area;

    fn seen(name: &str, x: f64, score: f32) -> Seen {
        let class = (0..80)
            .filter_map(classes::of_coco)
            .chain((0..23).filter_map(classes::of_open_images))
            .find(|c| c.name() == name)
            .unwrap();
        Seen {
            class,
            area: Area::new(x, 0.2, 0.3, 0.5),
            score,
        }
    }

    #[test]
    fn agreement_makes_surer_and_leaves_one_box() {
        let out = fused(&[seen("cup", 0.1, 0.5)], &[seen("cup", 0.11, 0.5)]);
        assert_eq!(out.len(), 1);
        assert!(out[0].score > 0.7);
    }

    #[test]
    fn what_one_network_could_have_said_and_contradicts_is_doubted() {
        let out = fused(&[seen("person", 0.1, 0.6)], &[seen("cat", 0.1, 0.8)]);
        assert_eq!(out[0].class.name(), "cat");
        assert!(
            out.iter()
                .all(|s| s.class.name() != "person" || s.score < 0.3)
        );
    }

    #[test]
    fn what_only_one_network_knows_stands_on_its_own() {
        let out = fused(&[seen("motorcycle", 0.1, 0.6)], &[]);
        assert!((out[0].score - 0.6).abs() < 1e-6);
        let out = fused(&[seen("dog", 0.1, 0.6)], &[]);
        assert!(out[0].score < 0.6);
    }

    #[test]
    fn the_narrower_word_is_kept() {
        let out = fused(&[seen("truck", 0.1, 0.6)], &[seen("vehicle", 0.1, 0.6)]);
        assert_eq!((out.len(), out[0].class.name()), (1, "truck"));
    }

    #[test]
    fn calibration_keeps_the_order_and_stays_below_certainty() {
        for network in [Source::Coco, Source::OpenImages] {
            let mut last = -1.0;
            for step in 0..=100 {
                let now = network.calibrated(step as f32 / 100.0);
                assert!(now >= last && now < 1.0);
                last = now;
            }
            assert!(network.calibrated(f32::MAX) < 1.0);
        }
    }
}
