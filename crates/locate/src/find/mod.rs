//! All ways of looking, and one ranked answer.
//!
//! Text comes first: what was said is compared with what stands there, by its words and by its meaning.
//! Then what has a name for an object detector, then what was named by its colour or shape. Each way says
//! how likely its candidates are; place and order ("the lower one") choose among them; what is not likely
//! enough is not pointed at.

mod content;
mod fields;
mod judge;
mod lexical;
mod looks;
mod parts;
mod rank;
mod texts;
mod things;

use std::cell::OnceCell;

use alidade_picture::{Area, Picture};

use crate::{
    Cancel, LocateError, Reading,
    controls::{self, Control},
    meaning::Meaning,
    objects::Detectors,
    query::Query,
    shape::{self, Thing},
    view::is_drawn,
};

/// How something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// Its words stand there.
    Text,
    /// Words that mean the same stand there.
    Meaning,
    /// An object detector knows it.
    Object,
    /// By its colour.
    Colour,
    /// By its shape.
    Shape,
    /// A control without text of its own.
    Control,
}

/// One place that answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Where, normalised to the picture.
    pub area: Area,
    /// What stands there, or what it is: "Save As…", "dog".
    pub says: String,
    /// How it was found.
    pub way: Way,
    /// 0 to 1: about the share of such answers that are right.
    pub sure: f32,
}

/// The answer to "where is it?".
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Best first. Empty: it is not there.
    pub found: Vec<Found>,
    /// Several different places are equally good; ask which.
    pub ambiguous: bool,
}

/// Places in one answer.
const MOST: usize = 12;

/// A network that is loaded when it is first asked for.
pub(crate) type Loaded<'a, T> = &'a dyn Fn() -> Result<&'a T, LocateError>;

/// One question about one picture.
pub(crate) struct Search<'a> {
    /// RGB, of bounded size.
    pub(crate) picture: &'a Picture,
    pub(crate) reading: &'a Reading,
    pub(crate) query: Query,
    pub(crate) meaning: Loaded<'a, Meaning>,
    pub(crate) detectors: Loaded<'a, Detectors>,
    pub(crate) cancel: &'a Cancel,
    pub(crate) controls: OnceCell<Vec<Control>>,
    /// For each line the thing that it names.
    pub(crate) named: OnceCell<Vec<Option<Thing>>>,
}

impl<'a> Search<'a> {
    /// Looks in every way that may help, best answer first.
    pub(crate) fn answer(&self) -> Result<Findings, LocateError> {
        let query = &self.query;
        let mut found = Vec::new();
        if query.said.is_empty() && query.exact.is_none() {
            return Ok(Findings::default());
        }
        let by_looks = query.colour.is_some() || query.shape.is_some();
        let strong = query.terms.iter().any(|t| t.weight >= 0.5);
        if strong || !by_looks {
            found = self.texts()?;
        }
        self.cancel.check()?;
        let certain = found.iter().any(|f| f.sure >= 0.9);
        if !certain {
            found.extend(self.things()?);
        }
        if by_looks && !found.iter().any(|f| f.sure >= 0.7) {
            self.cancel.check()?;
            found.extend(self.looks()?);
        }
        let mut findings = rank::ranked(found, &query.place);
        findings.found.truncate(MOST);
        Ok(findings)
    }

    /// For each line the thing on a device that it names, found once; nothing on a screen.
    fn named_things(&self) -> &[Option<Thing>] {
        self.named.get_or_init(|| {
            if is_drawn(self.picture) {
                return Vec::new();
            }
            let texts: Vec<Area> = self.reading.lines.iter().map(|l| l.area).collect();
            shape::things_near(self.picture, &texts)
        })
    }

    /// Boxes in the picture, found once.
    fn boxes(&self) -> &[Control] {
        self.controls.get_or_init(|| {
            let texts: Vec<Area> = self.reading.lines.iter().map(|l| l.area).collect();
            controls::boxes(self.picture, &texts)
        })
    }
}
