//! Rectangles in pixels of the raster.

/// Left, top, right, bottom; the latter two lie outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f32,
    pub(super) top: f32,
    pub(super) right: f32,
    pub(super) bottom: f32,
}

impl Rect {
    pub(super) const fn new(left: f32, top: f32, right: f32, bottom: f32) -> Self {
        Self {
            left,
            top,
            right,
            bottom,
        }
    }

    pub(super) fn width(&self) -> f32 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f32 {
        self.bottom - self.top
    }

    pub(super) fn extent(&self) -> f32 {
        self.width().max(0.0) * self.height().max(0.0)
    }

    pub(super) fn middle(&self) -> (f32, f32) {
        (
            (self.left + self.right) / 2.0,
            (self.top + self.bottom) / 2.0,
        )
    }

    pub(super) fn holds(&self, (x, y): (f32, f32)) -> bool {
        x >= self.left && x < self.right && y >= self.top && y < self.bottom
    }

    /// Pixels that both have.
    pub(super) fn shared(&self, other: &Self) -> f32 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        width.max(0.0) * height.max(0.0)
    }

    /// Whether `other` lies inside, give or take `slack` pixels.
    pub(super) fn around(&self, other: &Self, slack: f32) -> bool {
        other.left >= self.left - slack
            && other.top >= self.top - slack
            && other.right <= self.right + slack
            && other.bottom <= self.bottom + slack
    }

    /// The smallest rectangle that holds both.
    pub(super) fn with(&self, other: &Self) -> Self {
        Self::new(
            self.left.min(other.left),
            self.top.min(other.top),
            self.right.max(other.right),
            self.bottom.max(other.bottom),
        )
    }

    /// Rows that both have, as a share of the lower one's.
    pub(super) fn level_with(&self, other: &Self) -> f32 {
        let shared = self.bottom.min(other.bottom) - self.top.max(other.top);
        shared.max(0.0) / self.height().min(other.height()).max(1.0)
    }
}
