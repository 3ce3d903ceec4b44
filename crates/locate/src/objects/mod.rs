//! Things in a photograph: the object detectors.
//!
//! Two networks look, and vouch for each other: one knows the eighty classes of COCO, the other
//! twenty-three of Open Images. What neither of them has a word for cannot be found this way: ask
//! [`knows`] first. Nothing found for a word that is known means "not there"; for a word that is not known
//! it means nothing.

mod boxes;
mod classes;
mod fusion;
mod nanodet;
mod node_names;
mod ssd;

use alidade_picture::{Area, Picture};

use crate::{
    Cancel, LocateError, Models,
    models::{ModelFile, Network},
};
use boxes::{Seen, Window, distinct};
use fusion::Source;

/// Something a detector knows by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// English name in lower case, singular, as in "potted plant".
    pub name: String,
    /// Where it is, normalised to the picture.
    pub area: Area,
    /// 0 to 1; from a half on it is rather there than not.
    pub sure: f32,
}

/// Calibrated scores below this say nothing.
const LEAST: f32 = 0.25;
/// Raw scores below this are not even looked at.
const LEAST_RAW: f32 = 0.2;
/// Objects in one answer.
const MOST: usize = 100;

/// The detectors, loaded once and kept.
pub(crate) struct Detectors {
    coco: Network,
    open_images: Network,
}

impl Detectors {
    /// Reads the model files. Slow (tens of milliseconds), called once on first use.
    pub(crate) fn load(models: &Models) -> Result<Self, LocateError> {
        Ok(Self {
            coco: network(models, ModelFile::ObjectsCoco)?,
            open_images: network(models, ModelFile::ObjectsOpenImages)?,
        })
    }

    /// What both detectors see, duplicates merged, surest first. `picture` holds RGB bytes. About a tenth
    /// of a second.
    ///
    /// The picture is looked at as a whole. Looking at parts of it as well was tried: it found nothing more in
    /// photographs of about a megapixel, took six times as long, and saw fruit in petals and telephones in
    /// push buttons.
    pub(crate) fn detect(
        &self,
        picture: &Picture,
        cancel: &Cancel,
    ) -> Result<Vec<Object>, LocateError> {
        cancel.check()?;
        let shaped = Window::shaped(picture);
        let coco = nanodet::look(&self.coco, picture, &shaped, LEAST_RAW)?;
        let coco = calibrated(coco, Source::Coco);
        cancel.check()?;
        let open = ssd::look(&self.open_images, picture, &Window::STRETCHED, LEAST_RAW)?;
        let open = calibrated(open, Source::OpenImages);
        let fused = fusion::fused(&distinct(coco, 0.5), &distinct(open, 0.5));
        let objects = fused.into_iter().filter(|s| s.score >= LEAST);
        Ok(objects
            .take(MOST)
            .map(|s| Object {
                name: s.class.name().to_owned(),
                area: s.area,
                sure: s.score,
            })
            .collect())
    }
}

fn network(models: &Models, file: ModelFile) -> Result<Network, LocateError> {
    let mut bytes = models.read(file)?;
    node_names::mark(&mut bytes);
    Network::load(bytes).map_err(|why| LocateError::ModelMismatch {
        path: models.dir().join(file.path()),
        why,
    })
}

fn calibrated(mut seen: Vec<Seen>, source: Source) -> Vec<Seen> {
    for one in &mut seen {
        one.score = source.calibrated(one.score);
    }
    seen
}

/// Every name a detector can say; what is asked and not among them cannot be found this way.
#[cfg(test)]
pub(crate) fn names() -> &'static [&'static str] {
    use std::sync::OnceLock;
    static ALL: OnceLock<Vec<&'static str>> = OnceLock::new();
    ALL.get_or_init(classes::names)
}

/// The names ([`Object::name`]) that a word of everyday language stands for: another word for the same
/// ("ship": boat), a plural, a family ("animal": bird, cat, dog …). `None`: no detector can recognise
/// such things, so not seeing one means nothing.
pub(crate) fn knows(word: &str) -> Option<Vec<&'static str>> {
    Some(classes::meant(word)).filter(|names| !names.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use alidade_picture::{PictureId, Size};

    fn detectors() -> Detectors {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
        Detectors::load(&Models::at(dir).unwrap()).unwrap()
    }

    #[test]
    fn pictures_of_every_shape_are_survived_and_empty_ones_hold_nothing() {
        let detectors = detectors();
        for (width, height) in [(1, 1), (1, 4000), (3000, 2), (640, 480)] {
            for level in [0, 255] {
                let pixels = vec![level; width as usize * height as usize * 3];
                let size = Size::new(width, height);
                let picture = Picture::from_rgb(PictureId(1), size, pixels).unwrap();
                let seen = detectors.detect(&picture, &Cancel::new()).unwrap();
                assert!(
                    seen.iter().all(|o| o.sure < 0.5),
                    "{width}×{height}: {seen:?}"
                );
            }
        }
    }

    #[test]
    fn a_cancelled_look_ends() {
        let cancel = Cancel::new();
        cancel.cancel();
        let picture = Picture::from_rgb(PictureId(1), Size::new(8, 8), vec![0; 192]).unwrap();
        let ended = detectors().detect(&picture, &cancel);
        assert_eq!(ended, Err(LocateError::Cancelled));
    }

    #[test]
    fn what_can_be_said_is_known_and_nothing_else() {
        assert_eq!(knows("ships").unwrap(), ["boat"]);
        assert!(knows("knob").is_none());
        for name in names() {
            assert!(knows(name).unwrap().contains(name), "{name}");
        }
    }
}
