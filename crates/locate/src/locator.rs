//! The door: pictures and phrases in, places out.

use std::sync::Arc;

use alidade_picture::Picture;

use crate::{Cancel, Findings, LocateError, Models, Object, Reading};

/// Looks for things in pictures. Clones share loaded models and caches.
#[derive(Clone)]
pub struct Locator {
    inner: Arc<Inner>,
}

struct Inner {
    models: Models,
}

impl Locator {
    /// Ready to look; each model is loaded when it is first needed.
    ///
    /// # Errors
    /// None today; the files were checked by [`Models`].
    pub fn open(models: Models) -> Result<Self, LocateError> {
        Ok(Self { inner: Arc::new(Inner { models }) })
    }

    /// Where is what the person named?
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    pub fn find(&self, _picture: &Picture, _phrase: &str) -> Result<Findings, LocateError> {
        let _ = &self.inner.models;
        Ok(Findings::default())
    }

    /// Everything that can be read.
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    pub fn read(&self, _picture: &Picture) -> Result<Reading, LocateError> {
        Ok(Reading::default())
    }

    /// Everyday objects.
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    pub fn objects(&self, _picture: &Picture) -> Result<Vec<Object>, LocateError> {
        let _ = Cancel::new();
        Ok(Vec::new())
    }
}
