//! Where a mark lands, how long it stays, and what it looks like on a picture.
//!
//! * [`geometry`]: from a place in a picture to a place in a view.
//! * [`marks`]: the marks of a session, their life, their cap, their wiping: the one owner.
//! * [`label`] and [`placement`]: what is written beside a mark, and where.
//! * [`paint`]: a picture with its marks painted on.
//!
//! Pure: no window, no clock, no files. Time comes in as an argument.
//!
//! ```
//! use std::time::Instant;
//! use alidade_draw::{marks::{Marks, NewMark}, paint};
//! use alidade_picture::{Area, Picture, PictureId, Size};
//!
//! let picture = Picture::from_rgb(PictureId(1), Size::new(320, 200), vec![90; 320 * 200 * 3])?;
//! let mut marks = Marks::default();
//! let now = Instant::now();
//! marks.add(NewMark::area(Area::new(0.4, 0.4, 0.2, 0.1)).label("Save"), now)?;
//! let marked = paint::paint(&picture, &marks.seen(now));
//! assert_eq!(marked.size(), picture.size());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod geometry;
pub mod label;
pub mod marks;
pub mod paint;
pub mod placement;
