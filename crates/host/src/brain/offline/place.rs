//! Where something is, in words.

use alidade_picture::{Area, Spot};

use super::page::Line;
use super::seen::alike;

/// A ninth of the picture, or a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The very corner.
    Corner(Across, Down),
    /// A part: left, middle or right, and top, middle or bottom.
    Part(Across, Down),
}

/// Left, middle, right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Across {
    /// Left.
    Left,
    /// Neither.
    Middle,
    /// Right.
    Right,
}

/// Top, middle, bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Down {
    /// Top.
    Top,
    /// Neither.
    Middle,
    /// Bottom.
    Bottom,
}

/// Where in the picture a spot is.
pub(super) fn place(spot: Spot) -> Place {
    let across = if spot.x < 1.0 / 3.0 {
        Across::Left
    } else if spot.x > 2.0 / 3.0 {
        Across::Right
    } else {
        Across::Middle
    };
    let down = if spot.y < 1.0 / 3.0 {
        Down::Top
    } else if spot.y > 2.0 / 3.0 {
        Down::Bottom
    } else {
        Down::Middle
    };
    let near = |value: f64| !(0.12..=0.88).contains(&value);
    if near(spot.x) && near(spot.y) {
        Place::Corner(across, down)
    } else {
        Place::Part(across, down)
    }
}

/// How a neighbour helps to find a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// It is to the right of this text.
    RightOf(String),
    /// It is to the left of this text.
    LeftOf(String),
    /// It is below this text.
    Below(String),
    /// It is above this text.
    Above(String),
}

/// The nearest text beside a rectangle, else below or above it.
pub(super) fn beside(area: Area, lines: &[Line]) -> Option<Beside> {
    let mut best: Option<(f64, Beside)> = None;
    for line in lines {
        let other = line.area;
        if other.height <= 0.0 || alike(area, other) > 0.0 || line.text.chars().count() > 40 {
            continue;
        }
        let level = area.bottom().min(other.bottom()) > area.y.max(other.y);
        let upright = area.right().min(other.right()) > area.x.max(other.x);
        let (gap, found) = if level && other.right() <= area.x {
            (area.x - other.right(), Beside::RightOf(line.text.clone()))
        } else if level && other.x >= area.right() {
            (other.x - area.right(), Beside::LeftOf(line.text.clone()))
        } else if upright && other.bottom() <= area.y {
            (
                2.0 * (area.y - other.bottom()),
                Beside::Below(line.text.clone()),
            )
        } else if upright && other.y >= area.bottom() {
            (
                2.0 * (other.y - area.bottom()),
                Beside::Above(line.text.clone()),
            )
        } else {
            continue;
        };
        if gap < 0.3 && best.as_ref().is_none_or(|(least, _)| gap < *least) {
            best = Some((gap, found));
        }
    }
    best.map(|(_, found)| found)
}
