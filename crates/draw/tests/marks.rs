//! The life of marks on a board.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::time::{Duration, Instant};

use alidade_draw::marks::{MarkError, Marks, NewMark, Rules, Seen, Shape, Wipe};
use alidade_picture::{Area, PictureId, Spot};

const SECOND: Duration = Duration::from_secs(1);

fn rules() -> Rules {
    Rules {
        life: 10 * SECOND,
        fade: 2 * SECOND,
        cap: 3,
    }
}

/// A box of its own for every number.
fn numbered(n: u32) -> NewMark {
    NewMark::area(Area::new(0.1 * f64::from(n), 0.1, 0.05, 0.05)).label(format!("mark {n}"))
}

fn labels(seen: &[Seen]) -> Vec<&str> {
    seen.iter()
        .filter_map(|s| s.mark.label.as_deref())
        .collect()
}

#[test]
fn a_mark_is_shown_until_its_life_is_over_and_fades_at_the_end() {
    let start = Instant::now();
    let mut marks = Marks::new(rules());
    marks.add(numbered(1), start).unwrap();
    let strength = |seconds: f64| {
        let seen = marks.seen(start + Duration::from_secs_f64(seconds));
        seen.first().map_or(0.0, |s| s.strength)
    };
    assert_eq!(strength(0.0), 1.0);
    assert_eq!(strength(7.9), 1.0);
    assert!((strength(9.0) - 0.5).abs() < 1e-6);
    assert_eq!(strength(10.0), 0.0);
    assert_eq!(strength(1e6), 0.0);
    assert_eq!(marks.next_change(start), Some(start + 8 * SECOND));
    assert_eq!(
        marks.next_change(start + 9 * SECOND),
        Some(start + 9 * SECOND)
    );
    assert_eq!(marks.expire(start + 9 * SECOND), 0);
    assert_eq!(marks.expire(start + 10 * SECOND), 1);
    assert!(marks.is_empty());
    assert_eq!(marks.next_change(start), None);
}

#[test]
fn the_newest_answer_has_the_accent_and_older_ones_grow_faint() {
    let start = Instant::now();
    let mut marks = Marks::new(rules());
    for n in 0..3 {
        marks.new_answer();
        marks.add(numbered(n), start).unwrap();
    }
    let seen = marks.seen(start);
    assert_eq!(labels(&seen), ["mark 0", "mark 1", "mark 2"]);
    assert_eq!(
        seen.iter().map(|s| s.newest).collect::<Vec<_>>(),
        [false, false, true]
    );
    assert!(seen[0].strength < seen[1].strength && seen[1].strength < seen[2].strength);
    assert!(seen[0].strength >= 0.3);
}

#[test]
fn a_question_without_a_mark_yet_leaves_the_accent_where_it_is() {
    let start = Instant::now();
    let mut marks = Marks::new(rules());
    marks.add(numbered(1), start).unwrap();
    marks.new_answer();
    assert!(marks.seen(start)[0].newest);
}

#[test]
fn the_oldest_make_room_and_are_counted() {
    let start = Instant::now();
    let mut marks = Marks::new(rules());
    for n in 0..5 {
        marks.add(numbered(n), start).unwrap();
    }
    assert_eq!(labels(&marks.seen(start)), ["mark 2", "mark 3", "mark 4"]);
    assert_eq!((marks.len(), marks.pushed_out()), (3, 2));
}

#[test]
fn the_same_thing_marked_twice_in_one_answer_is_marked_once() {
    let now = Instant::now();
    let mut marks = Marks::new(rules());
    marks.add(numbered(1), now).unwrap();
    marks.add(numbered(1).label("better words"), now).unwrap();
    assert_eq!(labels(&marks.seen(now)), ["better words"]);
    marks.new_answer();
    marks.add(numbered(1), now).unwrap();
    assert_eq!(marks.len(), 2);
}

#[test]
fn several_candidates_are_numbered_from_one_and_a_single_one_is_not() {
    let now = Instant::now();
    let mut marks = Marks::new(Rules { cap: 9, ..rules() });
    let numbers = |marks: &Marks| marks.iter().map(|m| m.number).collect::<Vec<_>>();
    marks.add_candidates(vec![numbered(1)], now).unwrap();
    assert_eq!(numbers(&marks), [None]);
    marks.new_answer();
    let ids = marks
        .add_candidates((1..4).map(numbered).collect(), now)
        .unwrap();
    assert_eq!(numbers(&marks), [None, Some(1), Some(2), Some(3)]);
    assert_eq!(marks.get(ids[1]).unwrap().label.as_deref(), Some("mark 2"));
    marks
        .add_candidates(vec![numbered(4), numbered(5)], now)
        .unwrap();
    assert_eq!(numbers(&marks), [None, Some(1), Some(2)]);
}

#[test]
fn more_candidates_than_there_is_room_for_keep_the_first_numbers() {
    let now = Instant::now();
    let mut marks = Marks::new(rules());
    marks
        .add_candidates((0..8).map(numbered).collect(), now)
        .unwrap();
    let numbers: Vec<_> = marks.iter().map(|m| m.number).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(3)]);
}

#[test]
fn every_wipe_leaves_nothing_and_ids_are_never_used_again() {
    let now = Instant::now();
    let mut marks = Marks::new(rules());
    let mut last = None;
    for why in [Wipe::Cleared, Wipe::SourceChanged, Wipe::SessionEnded] {
        let id = marks.add(numbered(1), now).unwrap();
        assert!(last < Some(id));
        last = Some(id);
        assert_eq!(marks.wipe(why), 1);
        assert!(marks.is_empty() && marks.seen(now).is_empty() && !marks.remove(id));
    }
    assert_eq!(marks.wipe(Wipe::Cleared), 0);
}

#[test]
fn what_is_no_place_in_the_picture_is_refused_and_changes_nothing() {
    let now = Instant::now();
    let mut marks = Marks::new(rules());
    marks.add(numbered(1), now).unwrap();
    let revision = marks.revision();
    let area = |x, y, w, h| NewMark::area(Area::new(x, y, w, h));
    for bad in [
        area(f64::NAN, 0.0, 0.1, 0.1),
        area(0.0, 0.0, f64::INFINITY, 0.1),
        area(0.5, 0.5, -0.1, 0.1),
        area(f64::MAX, 0.0, f64::MAX, 0.1),
        NewMark::spot(Spot {
            x: 0.1,
            y: f64::NAN,
        }),
    ] {
        assert_eq!(marks.add(bad, now).unwrap_err(), MarkError::NotAPlace);
    }
    for outside in [
        area(1.1, 0.0, 0.1, 0.1),
        area(-0.5, 0.0, 0.4, 0.1),
        NewMark::spot(Spot { x: 0.5, y: 1.5 }),
    ] {
        assert_eq!(
            marks.add(outside.clone(), now).unwrap_err(),
            MarkError::Outside
        );
        assert!(
            marks
                .add_candidates(vec![numbered(2), outside], now)
                .is_err()
        );
    }
    assert_eq!((marks.len(), marks.revision()), (1, revision));
    for edge in [
        area(1.0, 1.0, 0.0, 0.0),
        area(0.9, 0.2, 0.5, 0.4),
        NewMark::spot(Spot { x: 0.0, y: 1.0 }),
    ] {
        marks.add(edge, now).unwrap();
    }
}

#[test]
fn a_mark_keeps_its_picture_and_a_tidy_label() {
    let now = Instant::now();
    let mut marks = Marks::new(rules());
    let id = marks
        .add(
            numbered(1).label(" Save\n as\u{202e} ").on(PictureId(90)),
            now,
        )
        .unwrap();
    let mark = marks.get(id).unwrap();
    assert_eq!(mark.picture, Some(PictureId(90)));
    assert_eq!(mark.label.as_deref(), Some("Save as"));
    let id = marks.add(numbered(2).label("\u{200b}"), now).unwrap();
    assert_eq!(marks.get(id).unwrap().label, None);
}

#[test]
fn a_mark_follows_its_thing_and_keeps_everything_else() {
    let now = Instant::now();
    let mut marks = Marks::new(rules());
    let id = marks.add(numbered(1), now).unwrap();
    let there = Shape::Box(Area::new(0.5, 0.5, 0.1, 0.1));
    assert!(marks.follow(id, there));
    assert!(!marks.follow(id, Shape::Point(Spot { x: 2.0, y: 0.0 })));
    assert_eq!(marks.get(id).unwrap().shape, there);
    assert_eq!(marks.get(id).unwrap().label.as_deref(), Some("mark 1"));
    marks.remove(id);
    assert!(!marks.follow(id, there));
}

#[test]
fn a_clock_that_runs_back_does_no_harm() {
    let start = Instant::now() + 100 * SECOND;
    let mut marks = Marks::new(rules());
    marks.add(numbered(1), start).unwrap();
    assert_eq!(marks.seen(start - 50 * SECOND)[0].strength, 1.0);
    assert_eq!(marks.expire(start - 50 * SECOND), 0);
}
