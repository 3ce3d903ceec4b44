//! Rectangles on the screen, and what is left of them under others.

/// A rectangle in pixels of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) left: i32,
    pub(super) top: i32,
    /// One past the last column.
    pub(super) right: i32,
    /// One past the last row.
    pub(super) bottom: i32,
}

impl Rect {
    pub(super) fn new(left: i32, top: i32, width: u32, height: u32) -> Self {
        let end = |from: i32, length: u32| from.saturating_add_unsigned(length);
        Self {
            left,
            top,
            right: end(left, width),
            bottom: end(top, height),
        }
    }

    pub(super) fn width(self) -> u32 {
        self.right.saturating_sub(self.left).max(0).unsigned_abs()
    }

    pub(super) fn height(self) -> u32 {
        self.bottom.saturating_sub(self.top).max(0).unsigned_abs()
    }

    /// What both have in common; none where that is nothing.
    pub(super) fn shared(self, other: Self) -> Option<Self> {
        let both = Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        (both.left < both.right && both.top < both.bottom).then_some(both)
    }

    /// What `cover` leaves of it: up to four pieces that do not overlap.
    fn without(self, cover: Self, pieces: &mut Vec<Self>) {
        let Some(hidden) = self.shared(cover) else {
            pieces.push(self);
            return;
        };
        let bands = [
            Self {
                bottom: hidden.top,
                ..self
            },
            Self {
                top: hidden.bottom,
                ..self
            },
            Self {
                right: hidden.left,
                top: hidden.top,
                bottom: hidden.bottom,
                ..self
            },
            Self {
                left: hidden.right,
                top: hidden.top,
                bottom: hidden.bottom,
                ..self
            },
        ];
        pieces.extend(
            bands
                .into_iter()
                .filter(|b| b.left < b.right && b.top < b.bottom),
        );
    }
}

/// A window on the screen, and whether it is one of this program's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) rect: Rect,
    pub(super) own: bool,
}

/// What is seen of this program's windows; `windows` from the lowest to the uppermost.
pub(super) fn seen_of_own(windows: &[Placed]) -> Vec<Rect> {
    let mut seen: Vec<Rect> = Vec::new();
    for window in windows {
        if window.own {
            seen.push(window.rect);
        } else {
            let mut left = Vec::with_capacity(seen.len());
            for rect in seen {
                rect.without(window.rect, &mut left);
            }
            seen = left;
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(own: bool, left: i32, top: i32, width: u32, height: u32) -> Placed {
        let rect = Rect::new(left, top, width, height);
        Placed { rect, own }
    }

    /// Whether each pixel of a small screen is seen as ours, worked out pixel by pixel.
    fn painted(windows: &[Placed]) -> Vec<bool> {
        let mut screen = vec![false; 20 * 20];
        for window in windows {
            for y in 0..20 {
                for x in 0..20 {
                    if Rect::new(x, y, 1, 1).shared(window.rect).is_some() {
                        screen[(y * 20 + x) as usize] = window.own;
                    }
                }
            }
        }
        screen
    }

    fn covered(rects: &[Rect]) -> Vec<bool> {
        let windows: Vec<_> = rects
            .iter()
            .map(|&rect| Placed { rect, own: true })
            .collect();
        painted(&windows)
    }

    #[test]
    fn a_window_above_ours_stays_in_the_picture() {
        let windows = [
            placed(false, 0, 0, 20, 20),
            placed(true, 2, 2, 10, 10),
            placed(false, 5, 5, 4, 4),
        ];
        assert_eq!(covered(&seen_of_own(&windows)), painted(&windows));
        assert_eq!(seen_of_own(&windows).len(), 4);
    }

    #[test]
    fn every_order_of_windows_is_masked_where_ours_are_seen() {
        // A fixed sequence of numbers that looks like chance.
        let mut number = 7_u32;
        let mut next = |below: u32| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 16) % below
        };
        for _ in 0..500 {
            let windows: Vec<_> = (0..next(7))
                .map(|_| {
                    placed(
                        next(2) == 0,
                        next(24).cast_signed() - 4,
                        next(24).cast_signed() - 4,
                        next(14),
                        next(14),
                    )
                })
                .collect();
            assert_eq!(
                covered(&seen_of_own(&windows)),
                painted(&windows),
                "{windows:?}"
            );
        }
    }
}
