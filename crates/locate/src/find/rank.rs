//! One order for what all ways found, and whether one has to ask which.

use alidade_picture::Area;

use super::{Findings, Found, judge::LEAST};
use crate::query::Place;

/// Answers this much worse than the best are not equally good.
const NEAR: f32 = 0.9;
/// Two areas that share this much are the same place.
const SAME: f64 = 0.3;

/// Best first, one answer a place; the place among several that was said decides between equals.
pub(super) fn ranked(mut found: Vec<Found>, place: &Place) -> Findings {
    found.retain(|f| f.sure >= LEAST && f.area.extent() > 0.0);
    found.sort_by(|a, b| b.sure.total_cmp(&a.sure).then(order(&a.area, &b.area)));
    let mut kept: Vec<Found> = Vec::new();
    for one in found {
        if !kept.iter().any(|k| same(&k.area, &one.area)) {
            kept.push(one);
        }
    }
    let Some(best) = kept.first().map(|f| f.sure) else {
        return Findings::default();
    };
    let equals = kept.iter().take_while(|f| f.sure >= best * NEAR).count();
    let mut ambiguous = equals > 1;
    if place.is_said() && equals > 1 {
        let first = &mut kept[..equals];
        if place.soft {
            // It may have been a part of the name: the best stays unless others are its equals.
            let tied = first.iter().take_while(|f| f.sure >= best * 0.99).count();
            chosen(&mut first[..tied], place);
        } else {
            chosen(first, place);
        }
        ambiguous = false;
    }
    Findings {
        found: kept,
        ambiguous,
    }
}

/// Reading order.
fn order(a: &Area, b: &Area) -> std::cmp::Ordering {
    let row = 0.5 * a.height.min(b.height);
    if (a.centre().y - b.centre().y).abs() > row {
        a.y.total_cmp(&b.y)
    } else {
        a.x.total_cmp(&b.x)
    }
}

fn same(a: &Area, b: &Area) -> bool {
    let shared = a.shared(b).map_or(0.0, |s| s.extent());
    shared > SAME * a.extent().min(b.extent()).max(1e-12)
}

/// Puts the one that was meant first.
fn chosen(equals: &mut [Found], place: &Place) {
    if let Some(ordinal) = place.ordinal {
        equals.sort_by(|a, b| order(&a.area, &b.area));
        let at = if ordinal < 0 {
            equals.len() as isize + ordinal
        } else {
            ordinal - 1
        };
        if let Some(at) = usize::try_from(at).ok().filter(|at| *at < equals.len()) {
            equals[..=at].rotate_right(1);
        }
        return;
    }
    let (across, down) = (f64::from(place.across), f64::from(place.down));
    let value = |area: &Area| {
        let centre = area.centre();
        let middle = if place.middle {
            -((centre.x - 0.5).abs() + (centre.y - 0.5).abs())
        } else {
            0.0
        };
        across * centre.x + down * centre.y + middle + f64::from(place.size) * area.extent()
    };
    equals.sort_by(|a, b| value(&b.area).total_cmp(&value(&a.area)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Way;

    fn at(x: f64, y: f64, sure: f32) -> Found {
        Found {
            area: Area::new(x, y, 0.1, 0.1),
            says: format!("{x} {y}"),
            way: Way::Text,
            sure,
        }
    }

    #[test]
    fn one_answer_a_place_best_first_and_unlikely_ones_not_at_all() {
        let findings = ranked(
            vec![at(0.1, 0.1, 0.7), at(0.11, 0.1, 0.9), at(0.5, 0.5, 0.2)],
            &Place::default(),
        );
        assert_eq!(findings.found.len(), 1);
        assert!((findings.found[0].sure - 0.9).abs() < 1e-6 && !findings.ambiguous);
        assert_eq!(
            ranked(vec![at(0.1, 0.1, 0.3)], &Place::default()),
            Findings::default()
        );
    }

    #[test]
    fn equals_are_ambiguous_until_a_place_decides() {
        let three = || vec![at(0.1, 0.1, 0.8), at(0.5, 0.1, 0.8), at(0.3, 0.7, 0.79)];
        assert!(ranked(three(), &Place::default()).ambiguous);
        for (place, first) in [
            (
                Place {
                    across: 1,
                    ..Place::default()
                },
                0.5,
            ),
            (
                Place {
                    down: 1,
                    ..Place::default()
                },
                0.3,
            ),
            (
                Place {
                    ordinal: Some(2),
                    ..Place::default()
                },
                0.5,
            ),
            (
                Place {
                    ordinal: Some(-1),
                    ..Place::default()
                },
                0.3,
            ),
        ] {
            let findings = ranked(three(), &place);
            assert!(
                !findings.ambiguous && findings.found[0].area.x == first,
                "{place:?}"
            );
        }
    }

    #[test]
    fn a_place_does_not_lift_what_is_less_likely() {
        let place = Place {
            down: 1,
            ..Place::default()
        };
        let findings = ranked(vec![at(0.1, 0.1, 0.95), at(0.3, 0.7, 0.6)], &place);
        assert_eq!(findings.found[0].area.y, 0.1);
    }
}
