//! Where a label goes: beside its thing, inside the view, over nothing that is marked.
//!
//! A pure function, so that the painted picture and the window agree.

use crate::geometry::{Extent, Rect};

/// What a label must keep clear of, all in the view's unit.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Where labels may be: the view, or the part of it the picture fills.
    pub view: Rect,
    /// The marked things, with room for their outlines; the label's own may be among them.
    pub marked: &'a [Rect],
    /// Labels that already have a place.
    pub labels: &'a [Rect],
    /// Distance to keep from things and labels.
    pub gap: f64,
}

/// The place for a label of `size` that belongs to `thing`.
///
/// It never covers `thing` while there is room beside it. It keeps clear of other marked things and
/// labels where it can, the nearest free place first: above, below, right, left. Where the thing leaves
/// no room around it, the label moves into a corner of it, if that hides little of it; `None` where it
/// would hide more, where the label is larger than the view, and for numbers that are none.
#[must_use]
pub fn place(size: Extent, thing: &Rect, around: &Surroundings<'_>) -> Option<Rect> {
    let view = around.view;
    let numbers = [
        size.width,
        size.height,
        thing.x,
        thing.y,
        thing.right(),
        thing.bottom(),
        view.x,
        view.y,
        view.right(),
        view.bottom(),
        around.gap,
    ];
    let usable = numbers.iter().all(|n| n.is_finite()) && size.width > 0.0 && size.height > 0.0;
    if !usable {
        return None;
    }
    if size.width > view.width || size.height > view.height {
        return None;
    }
    let visible = cut(thing, &view)?;
    let beside = ring(size, &visible, around)
        .into_iter()
        .filter(|place| place.shared(&visible) <= 0.0)
        .map(|place| (place, cost(&place, &visible, around)));
    let mut best: Option<(Rect, f64)> = None;
    for (place, cost) in beside {
        if cost <= 0.0 {
            return Some(place);
        }
        // Of equals the first: what rounding makes of them must not decide.
        if best.is_none_or(|(_, least)| cost < least - 1e-6) {
            best = Some((place, cost));
        }
    }
    if let Some((place, _)) = best {
        return Some(place);
    }
    inside(size, &visible, around)
}

/// The thing as far as it can be seen, pushed to the nearest edge where it cannot.
fn cut(thing: &Rect, view: &Rect) -> Option<Rect> {
    if !(view.width > 0.0 && view.height > 0.0) {
        return None;
    }
    let x = between(thing.x, view.x, view.right());
    let y = between(thing.y, view.y, view.bottom());
    let right = between(thing.right(), x, view.right());
    let bottom = between(thing.bottom(), y, view.bottom());
    Some(Rect::new(x, y, right - x, bottom - y))
}

/// Like `clamp`, which would panic where rounding has put the limits the wrong way round.
fn between(value: f64, least: f64, most: f64) -> f64 {
    value.min(most).max(least)
}

/// Places around the thing inside the view, the most wanted first; then further and further away.
fn ring(size: Extent, thing: &Rect, around: &Surroundings<'_>) -> Vec<Rect> {
    let view = around.view;
    let mut places = Vec::new();
    let steps = [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0];
    for step in steps {
        let away = around.gap + step * (size.height + around.gap);
        let above = thing.y - away - size.height;
        let below = thing.bottom() + away;
        let aside = around.gap + step * (size.height + around.gap);
        let right = thing.right() + aside;
        let left = thing.x - aside - size.width;
        let start = thing.x;
        let end = thing.right() - size.width;
        let middle = thing.x + (thing.width - size.width) / 2.0;
        let level = thing.y + (thing.height - size.height) / 2.0;
        let foot = thing.bottom() - size.height;
        let spots = [
            (start, above),
            (start, below),
            (end, above),
            (end, below),
            (middle, above),
            (middle, below),
            (right, level),
            (left, level),
            (right, thing.y),
            (left, thing.y),
            (right, foot),
            (left, foot),
            (right, above),
            (left, above),
            (right, below),
            (left, below),
        ];
        for (x, y) in spots {
            // Sliding along the edge of the view is fine; sliding over the thing is filtered later.
            let place = Rect::new(
                between(x, view.x, view.right() - size.width),
                between(y, view.y, view.bottom() - size.height),
                size.width,
                size.height,
            );
            places.push(place);
        }
    }
    places
}

/// What a place covers of other things: labels weigh more than things, since both would be unreadable.
/// What lies around the thing cannot be avoided.
fn cost(place: &Rect, thing: &Rect, around: &Surroundings<'_>) -> f64 {
    let near = place.grown(around.gap / 2.0);
    let others = around.marked.iter().filter(|other| !other.holds(thing));
    let things: f64 = others.map(|other| place.shared(other)).sum();
    let labels: f64 = around.labels.iter().map(|l| near.shared(l)).sum();
    things + 4.0 * labels
}

fn inside(size: Extent, thing: &Rect, around: &Surroundings<'_>) -> Option<Rect> {
    if size.width * size.height > thing.width * thing.height / 8.0 {
        return None;
    }
    let inner = thing.grown(-around.gap);
    let corners = [
        (inner.x, inner.y),
        (inner.right() - size.width, inner.y),
        (inner.x, inner.bottom() - size.height),
        (inner.right() - size.width, inner.bottom() - size.height),
    ];
    corners
        .into_iter()
        .map(|(x, y)| Rect::new(x, y, size.width, size.height))
        .filter(|place| around.view.holds(place))
        .min_by(|a, b| hidden(a, around).total_cmp(&hidden(b, around)))
}

fn hidden(place: &Rect, around: &Surroundings<'_>) -> f64 {
    around.labels.iter().map(|l| place.shared(l)).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use proptest::prelude::*;

    const VIEW: Rect = Rect::new(0.0, 0.0, 400.0, 300.0);
    const SIZE: Extent = Extent::new(60.0, 16.0);

    fn around<'a>(marked: &'a [Rect], labels: &'a [Rect]) -> Surroundings<'a> {
        Surroundings {
            view: VIEW,
            marked,
            labels,
            gap: 4.0,
        }
    }

    #[test]
    fn a_label_stands_above_its_thing_where_nothing_is_in_the_way() {
        let thing = Rect::new(100.0, 100.0, 80.0, 30.0);
        let place = place(SIZE, &thing, &around(&[thing], &[])).unwrap();
        assert_eq!(place, Rect::new(100.0, 80.0, 60.0, 16.0));
    }

    #[test]
    fn at_the_top_edge_it_goes_below_and_at_the_right_edge_it_slides_in() {
        let thing = Rect::new(380.0, 0.0, 20.0, 10.0);
        let place = place(SIZE, &thing, &around(&[thing], &[])).unwrap();
        assert_eq!(place, Rect::new(340.0, 14.0, 60.0, 16.0));
    }

    #[test]
    fn a_thing_that_fills_the_view_takes_its_label_into_a_corner() {
        let place = place(SIZE, &VIEW, &around(&[VIEW], &[])).unwrap();
        assert_eq!(place, Rect::new(4.0, 4.0, 60.0, 16.0));
    }

    #[test]
    fn a_thing_within_a_marked_thing_keeps_its_label_close() {
        let thing = Rect::new(100.0, 100.0, 80.0, 30.0);
        let place = place(SIZE, &thing, &around(&[VIEW, thing], &[])).unwrap();
        assert_eq!(place, Rect::new(100.0, 80.0, 60.0, 16.0));
    }

    #[test]
    fn no_label_where_it_would_hide_the_thing_or_is_larger_than_the_view() {
        let small = Surroundings {
            view: Rect::new(0.0, 0.0, 70.0, 20.0),
            ..around(&[], &[])
        };
        assert_eq!(place(SIZE, &Rect::new(0.0, 0.0, 70.0, 20.0), &small), None);
        assert_eq!(
            place(Extent::new(500.0, 10.0), &VIEW, &around(&[], &[])),
            None
        );
        let nan = Rect::new(f64::NAN, 0.0, 1.0, 1.0);
        assert_eq!(place(SIZE, &nan, &around(&[], &[])), None);
    }

    #[test]
    fn rows_of_buttons_get_labels_that_cover_no_button_and_no_label() {
        let things: Vec<Rect> = (0..4)
            .map(|n| Rect::new(20.0 + 45.0 * f64::from(n), 120.0, 40.0, 24.0))
            .collect();
        let mut labels: Vec<Rect> = Vec::new();
        for thing in &things {
            labels.push(place(SIZE, thing, &around(&things, &labels)).unwrap());
        }
        for (n, label) in labels.iter().enumerate() {
            assert!(things.iter().all(|t| t.shared(label) == 0.0), "{labels:?}");
            assert!(
                labels[..n].iter().all(|l| l.shared(label) == 0.0),
                "{labels:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_label_is_in_the_view_and_beside_a_thing_that_leaves_room(
            x in -50.0f64..450.0, y in -50.0f64..350.0, w in 0.0f64..200.0, h in 0.0f64..200.0,
            others in proptest::collection::vec((0.0f64..380.0, 0.0f64..280.0), 0..6),
        ) {
            let thing = Rect::new(x, y, w, h);
            let marked: Vec<Rect> =
                others.iter().map(|(x, y)| Rect::new(*x, *y, 20.0, 20.0)).collect();
            let label = place(SIZE, &thing, &around(&marked, &marked));
            prop_assert!(label.is_some());
            if let Some(label) = label {
                prop_assert!(VIEW.grown(1e-9).holds(&label));
                prop_assert!(label.shared(&thing) <= 0.0);
            }
        }

        #[test]
        fn any_numbers_are_answered(n in proptest::collection::vec(any::<f64>(), 12)) {
            let view = Rect::new(n[6], n[7], n[8], n[9]);
            let thing = Rect::new(n[2], n[3], n[4], n[5]);
            let around = Surroundings { view, marked: &[thing], labels: &[], gap: n[10] };
            let _ = place(Extent::new(n[0], n[1]), &thing, &around);
        }
    }
}
