//! The marks of a session: one board owns them all.
//!
//! Marks belong to an *answer*. Those of the newest answer are shown in the accent at full strength,
//! older ones fainter the older they are; each fades out at the end of its life. A board holds a
//! limited number: the oldest make room. "Clear", a change of source and the end of the session wipe
//! it. Time comes in from outside.

mod board;

use std::time::{Duration, Instant};

use alidade_picture::{Area, PictureId, Spot};

use crate::label::tidy;
pub use board::Marks;

/// Which mark of a board; never used twice on one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MarkId(pub u64);

/// What is marked, normalised to the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle.
    Box(Area),
    /// A single place.
    Point(Spot),
}

impl Shape {
    /// The rectangle, or an empty one at the place.
    #[must_use]
    pub fn area(&self) -> Area {
        match self {
            Self::Box(area) => *area,
            Self::Point(spot) => Area::new(spot.x, spot.y, 0.0, 0.0),
        }
    }

    /// Whether both mean the same thing: equal but for a sliver.
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Box(a), Self::Box(b)) => a == b || a.overlap(b) > 0.9,
            (Self::Point(a), Self::Point(b)) => {
                (a.x - b.x).abs() < 0.005 && (a.y - b.y).abs() < 0.005
            }
            _ => false,
        }
    }
}

/// A mark that is to be added.
#[derive(Clone, Debug, PartialEq)]
pub struct NewMark {
    /// What is marked.
    pub shape: Shape,
    /// What is written beside it, as it came.
    pub label: Option<String>,
    /// The picture its coordinates were made for.
    pub picture: Option<PictureId>,
}

impl NewMark {
    /// A mark around a rectangle.
    #[must_use]
    pub fn area(area: Area) -> Self {
        Self::bare(Shape::Box(area))
    }

    /// A mark at a single place.
    #[must_use]
    pub fn spot(spot: Spot) -> Self {
        Self::bare(Shape::Point(spot))
    }

    fn bare(shape: Shape) -> Self {
        Self {
            shape,
            label: None,
            picture: None,
        }
    }

    /// The same with a label.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The same, bound to the picture its coordinates were made for.
    #[must_use]
    pub fn on(mut self, picture: PictureId) -> Self {
        self.picture = Some(picture);
        self
    }
}

/// A mark on a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Which mark.
    pub id: MarkId,
    /// What is marked.
    pub shape: Shape,
    /// What is written beside it: [tidy], never empty.
    pub label: Option<String>,
    /// The picture its coordinates were made for.
    pub picture: Option<PictureId>,
    /// Its number among the candidates of one answer, from 1; none where it is the only one.
    pub number: Option<u32>,
    /// When it was added.
    pub added: Instant,
    answer: u64,
}

/// A mark and how it is to be shown now.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The mark.
    pub mark: Mark,
    /// 1 for full, towards 0 as it fades.
    pub strength: f32,
    /// Whether it belongs to the newest answer and is shown in the accent.
    pub newest: bool,
}

impl Seen {
    /// A mark outside any board, at full strength in the accent: for a picture that is painted once.
    #[must_use]
    pub fn alone(mark: NewMark, number: Option<u32>, now: Instant) -> Self {
        Self {
            mark: Mark {
                id: MarkId(0),
                shape: mark.shape,
                label: mark.label.as_deref().and_then(tidy),
                picture: mark.picture,
                number,
                added: now,
                answer: 0,
            },
            strength: 1.0,
            newest: true,
        }
    }
}

/// How long marks live and how many there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Time from being added to being gone.
    pub life: Duration,
    /// The last part of the life, in which a mark fades out.
    pub fade: Duration,
    /// Most marks at once.
    pub cap: usize,
}

impl Default for Rules {
    /// One minute, fading in the last three seconds, twelve marks.
    fn default() -> Self {
        Self {
            life: Duration::from_secs(60),
            fade: Duration::from_secs(3),
            cap: 12,
        }
    }
}

/// Why a mark was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MarkError {
    /// A coordinate is not a finite number, or an extent is below zero.
    #[error("a mark needs finite coordinates and an extent that is not negative")]
    NotAPlace,
    /// No part of it lies in the picture.
    #[error("the mark lies outside the picture")]
    Outside,
}

/// Why a board is wiped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wipe {
    /// The person or the agent said "clear".
    Cleared,
    /// The camera, screen or file shown is another one: the old places mean nothing there.
    SourceChanged,
    /// The session is over.
    SessionEnded,
}

fn check(shape: &Shape) -> Result<(), MarkError> {
    let area = shape.area();
    let numbers = [area.x, area.y, area.right(), area.bottom()];
    if !numbers.iter().all(|n| n.is_finite()) || area.width < 0.0 || area.height < 0.0 {
        return Err(MarkError::NotAPlace);
    }
    // A box without extent and a point on the edge are places too.
    let inside = area.x <= 1.0 && area.y <= 1.0 && area.right() >= 0.0 && area.bottom() >= 0.0;
    if inside {
        Ok(())
    } else {
        Err(MarkError::Outside)
    }
}
