//! The seam to the locator, so that sessions are tested without model files.

use std::sync::Arc;

use alidade_locate::{Cancel, Findings, LocateError, Locator, Object, Reading};
use alidade_picture::Picture;

use crate::brain::{BrainError, Likeness};

/// What looks at pictures. Every call blocks, and ends soon after `cancel` was raised.
pub trait Eyes: Send + Sync + 'static {
    /// Where is what the person named?
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    fn find(
        &self,
        picture: &Picture,
        phrase: &str,
        cancel: &Cancel,
    ) -> Result<Findings, LocateError>;

    /// Everything that can be read. Reading the same pixels again is cheap.
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    fn read(&self, picture: &Picture, cancel: &Cancel) -> Result<Reading, LocateError>;

    /// Everyday objects.
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    fn objects(&self, picture: &Picture, cancel: &Cancel) -> Result<Vec<Object>, LocateError>;

    /// How alike each of `others` is in meaning to `phrase`, as [`Likeness`].
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    fn similarity(&self, phrase: &str, others: &[&str]) -> Result<Vec<f32>, LocateError>;
}

impl Eyes for Locator {
    fn find(
        &self,
        picture: &Picture,
        phrase: &str,
        cancel: &Cancel,
    ) -> Result<Findings, LocateError> {
        self.find_until(picture, phrase, cancel)
    }

    fn read(&self, picture: &Picture, cancel: &Cancel) -> Result<Reading, LocateError> {
        self.read_until(picture, cancel)
    }

    fn objects(&self, picture: &Picture, cancel: &Cancel) -> Result<Vec<Object>, LocateError> {
        self.objects_until(picture, cancel)
    }

    fn similarity(&self, phrase: &str, others: &[&str]) -> Result<Vec<f32>, LocateError> {
        Locator::similarity(self, phrase, others)
    }
}

struct LikenessOf(Arc<dyn Eyes>);

impl Likeness for LikenessOf {
    fn likeness(&self, phrase: &str, others: &[&str]) -> Result<Vec<f32>, BrainError> {
        self.0
            .similarity(phrase, others)
            .map_err(|e| BrainError::Turn(e.to_string()))
    }
}

pub(crate) fn as_likeness(eyes: Arc<dyn Eyes>) -> Arc<dyn Likeness> {
    Arc::new(LikenessOf(eyes))
}
