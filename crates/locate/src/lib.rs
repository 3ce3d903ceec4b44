//! Finds things in a picture: text, objects, colours and shapes.
//!
//! A person names something – "the Save button", "the red knob", "the lower of the two dogs" – and the
//! answer is a list of places, best first, each with the way it was found and how sure that is. Nothing
//! is guessed: an empty list means that it is not there.
//!
//! Every call blocks and may take seconds; call it from a thread that may block. All areas are
//! normalised to the picture (0 to 1, origin at the top left).
//!
//! ```no_run
//! use alidade_locate::{Locator, Models};
//! use alidade_picture::{DecodeLimits, PictureId, decode_file};
//!
//! let locator = Locator::open(Models::find()?)?;
//! let picture = decode_file("shot.png".as_ref(), PictureId(1), DecodeLimits::default())?;
//! for found in locator.find(&picture, "the Save button")?.found {
//!     println!("{} at {:?}, {:?}, {:.0} % sure", found.says, found.area, found.way, found.sure * 100.0);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What belongs here: the model files, reading, meaning, objects, colours, shapes, controls without
//! text, and ranking. What does not: capturing, marks, the accessibility tree.

mod cancel;
mod colour;
mod controls;
mod error;
mod find;
mod locator;
mod meaning;
mod models;
mod objects;
mod query;
mod shape;
mod text;
mod view;

pub use cancel::Cancel;
pub use error::LocateError;
pub use find::{Findings, Found, Way};
pub use locator::Locator;
pub use models::{ModelFile, Models};
pub use objects::Object;
pub use text::{Line, Reading, Word};
