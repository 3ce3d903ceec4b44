//! Places in a picture, normalised to it: 0 to 1, origin at the top left.

/// A rectangle in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Extent to the right.
    pub width: f64,
    /// Extent downward.
    pub height: f64,
}

/// A single place in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

impl Area {
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

    /// The middle.
    #[must_use]
    pub fn centre(&self) -> Spot {
        Spot {
            x: self.x + self.width / 2.0,
            y: self.y + self.height / 2.0,
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

    /// Width times height.
    #[must_use]
    pub fn extent(&self) -> f64 {
        self.width.max(0.0) * self.height.max(0.0)
    }

    /// Whether the spot lies inside or on the edge.
    #[must_use]
    pub fn contains(&self, spot: Spot) -> bool {
        spot.x >= self.x && spot.x <= self.right() && spot.y >= self.y && spot.y <= self.bottom()
    }

    /// What two rectangles share, if they overlap.
    #[must_use]
    pub fn shared(&self, other: &Self) -> Option<Self> {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let (right, bottom) = (
            self.right().min(other.right()),
            self.bottom().min(other.bottom()),
        );
        (right > x && bottom > y).then(|| Self::new(x, y, right - x, bottom - y))
    }

    /// Intersection over union, 0 to 1.
    #[must_use]
    pub fn overlap(&self, other: &Self) -> f64 {
        let shared = self.shared(other).map_or(0.0, |a| a.extent());
        let union = self.extent() + other.extent() - shared;
        if union > 0.0 { shared / union } else { 0.0 }
    }

    /// The smallest rectangle around both.
    #[must_use]
    pub fn around(&self, other: &Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Self::new(
            x,
            y,
            self.right().max(other.right()) - x,
            self.bottom().max(other.bottom()) - y,
        )
    }

    /// Cut to the picture; nothing is left of a rectangle wholly outside.
    #[must_use]
    pub fn inside_picture(&self) -> Option<Self> {
        self.shared(&Self::new(0.0, 0.0, 1.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    #[test]
    fn overlap_is_intersection_over_union() {
        let a = Area::new(0.0, 0.0, 0.5, 0.5);
        assert!((a.overlap(&a) - 1.0).abs() < 1e-12);
        assert!((a.overlap(&Area::new(0.25, 0.0, 0.5, 0.5)) - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(a.overlap(&Area::new(0.6, 0.6, 0.1, 0.1)), 0.0);
        assert_eq!(Area::default().overlap(&Area::default()), 0.0);
    }

    #[test]
    fn what_lies_outside_is_cut_away() {
        let cut = Area::new(-0.5, 0.5, 1.0, 1.0).inside_picture().unwrap();
        assert_eq!(cut, Area::new(0.0, 0.5, 0.5, 0.5));
        assert!(Area::new(1.5, 0.0, 1.0, 1.0).inside_picture().is_none());
    }
}
