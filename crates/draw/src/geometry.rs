//! From a place in a picture to a place in a view that shows the picture cropped, letterboxed or
//! mirrored (statements G1 to G11).
//!
//! Two functions do the arithmetic, in whatever unit the view is measured in. They know no window and
//! draw nothing. Nothing is clamped: a place outside the picture, or one that is cropped away, lands
//! outside the view (G10).

use alidade_picture::{Area, Size, Spot};
use serde::{Deserialize, Serialize};

/// Width and height, in any unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Extent {
    /// To the right.
    pub width: f64,
    /// Downward.
    pub height: f64,
}

impl Extent {
    /// Width and height.
    #[must_use]
    pub const fn new(width: f64, height: f64) -> Self {
        Self { width, height }
    }
}

impl From<Size> for Extent {
    fn from(size: Size) -> Self {
        Self::new(f64::from(size.width), f64::from(size.height))
    }
}

/// How the picture fills the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Scaled until the view is full; what sticks out is cropped equally on both sides.
    #[default]
    Cover,
    /// Scaled until all of the picture is visible, with equal bars.
    Contain,
}

/// A view that shows a picture. [`View::new`] covers and does not mirror (G2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Size of the view, in the caller's unit.
    pub container: Extent,
    /// Size of the picture; only the ratio of its sides matters (G8).
    pub frame: Extent,
    /// How the picture fills the view.
    #[serde(default)]
    pub mode: Mode,
    /// Whether the view is mirrored left to right. The picture that was sent never is.
    #[serde(default)]
    pub mirrored: bool,
}

/// A rectangle in a view, in the view's unit, origin at its top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Extent to the right.
    pub width: f64,
    /// Extent downward.
    pub height: f64,
}

/// A single place in a view, in the view's unit, origin at its top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

impl View {
    /// A view that covers its container and is not mirrored (G2).
    #[must_use]
    pub fn new(container: impl Into<Extent>, frame: impl Into<Extent>) -> Self {
        Self {
            container: container.into(),
            frame: frame.into(),
            mode: Mode::Cover,
            mirrored: false,
        }
    }

    /// The same view in another mode.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// The same view, mirrored or not.
    #[must_use]
    pub fn mirrored(mut self, mirrored: bool) -> Self {
        self.mirrored = mirrored;
        self
    }

    /// Where the whole picture is drawn before mirroring; `None` where a side is not a positive
    /// number (G3).
    fn drawn(&self) -> Option<Rect> {
        let (container, frame) = (self.container, self.frame);
        let sides = [container.width, container.height, frame.width, frame.height];
        if !sides.iter().all(|side| side.is_finite() && *side > 0.0) {
            return None;
        }
        let (across, down) = (
            container.width / frame.width,
            container.height / frame.height,
        );
        let scale = match self.mode {
            Mode::Cover => across.max(down),
            Mode::Contain => across.min(down),
        };
        let (width, height) = (frame.width * scale, frame.height * scale);
        Some(Rect {
            x: (container.width - width) / 2.0,
            y: (container.height - height) / 2.0,
            width,
            height,
        })
    }
}

/// Where a box of the picture lies in the view (G1); all zeros where a side of the view or the picture
/// is not a positive number (G3).
#[must_use]
pub fn box_rect(area: Area, view: &View) -> Rect {
    let Some(drawn) = view.drawn() else {
        return Rect::default();
    };
    let width = area.width * drawn.width;
    let x = drawn.x + area.x * drawn.width;
    Rect {
        x: if view.mirrored {
            view.container.width - (x + width)
        } else {
            x
        },
        y: drawn.y + area.y * drawn.height,
        width,
        height: area.height * drawn.height,
    }
}

/// Where a point of the picture lies in the view (G1); zero where a side of the view or the picture is
/// not a positive number (G3).
#[must_use]
pub fn point_position(spot: Spot, view: &View) -> Position {
    let corner = box_rect(Area::new(spot.x, spot.y, 0.0, 0.0), view);
    Position {
        x: corner.x,
        y: corner.y,
    }
}

/// Which place of the picture lies under a place of the view: what was clicked on. `None` where a side
/// is not a positive number; outside 0 to 1 where the click fell beside the picture.
#[must_use]
pub fn spot_at(position: Position, view: &View) -> Option<Spot> {
    let drawn = view.drawn()?;
    let x = if view.mirrored {
        view.container.width - position.x
    } else {
        position.x
    };
    Some(Spot {
        x: (x - drawn.x) / drawn.width,
        y: (position.y - drawn.y) / drawn.height,
    })
}

impl Rect {
    /// A rectangle by its left top corner and extent.
    #[must_use]
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    /// Right edge.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Bottom edge.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// Larger by `margin` on every side.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self::new(
            self.x - margin,
            self.y - margin,
            (self.width + 2.0 * margin).max(0.0),
            (self.height + 2.0 * margin).max(0.0),
        )
    }

    /// Area of what both share; 0 where they only touch.
    #[must_use]
    pub fn shared(&self, other: &Self) -> f64 {
        let width = self.right().min(other.right()) - self.x.max(other.x);
        let height = self.bottom().min(other.bottom()) - self.y.max(other.y);
        width.max(0.0) * height.max(0.0)
    }

    /// Whether `other` lies wholly inside.
    #[must_use]
    pub fn holds(&self, other: &Self) -> bool {
        other.x >= self.x
            && other.y >= self.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }
}
