//! The door: pictures and phrases in, places out.

use std::{
    cell::OnceCell,
    sync::{Arc, OnceLock},
};

use alidade_picture::Picture;
use parking_lot::Mutex;

use crate::{
    Cancel, Findings, LocateError, Models, Object, Reading, find::Search, meaning::Meaning,
    objects::Detectors, query::Query, text::Reader, view::bounded,
};

/// Looks for things in pictures. Clones share loaded models and caches.
#[derive(Clone)]
pub struct Locator {
    inner: Arc<Inner>,
}

struct Inner {
    models: Models,
    reader: Reader,
    meaning: OnceLock<Meaning>,
    detectors: OnceLock<Detectors>,
    loading: Mutex<()>,
}

impl Locator {
    /// Ready to look; each model is loaded when it is first needed.
    ///
    /// # Errors
    /// None today; the files were checked by [`Models`].
    pub fn open(models: Models) -> Result<Self, LocateError> {
        Ok(Self {
            inner: Arc::new(Inner {
                models,
                reader: Reader::default(),
                meaning: OnceLock::new(),
                detectors: OnceLock::new(),
                loading: Mutex::new(()),
            }),
        })
    }

    /// Where is what the person named? "the Save button", "sort by size", "the lower of the two dogs"; a
    /// whole question around it is understood too.
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    pub fn find(&self, picture: &Picture, phrase: &str) -> Result<Findings, LocateError> {
        self.find_until(picture, phrase, &Cancel::new())
    }

    /// [`Locator::find`], unless it is cancelled half-way.
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    pub fn find_until(
        &self,
        picture: &Picture,
        phrase: &str,
        cancel: &Cancel,
    ) -> Result<Findings, LocateError> {
        let picture = bounded(picture)?;
        let reading = self
            .inner
            .reader
            .read(&self.inner.models, &picture, cancel)?;
        self.find_in(&picture, &reading, phrase, cancel)
    }

    /// [`Locator::find`] in a picture that was read before, for example by [`Locator::read`].
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    pub fn find_in(
        &self,
        picture: &Picture,
        reading: &Reading,
        phrase: &str,
        cancel: &Cancel,
    ) -> Result<Findings, LocateError> {
        let picture = bounded(picture)?;
        let findings = self.search(&picture, reading, phrase, cancel)?;
        if !findings.found.is_empty() || !phrase.contains(',') {
            return Ok(findings);
        }
        // "where do I plug in the cable, the WAN port": it was named twice, the second time by its name.
        for part in phrase.rsplit(',').filter(|p| !p.trim().is_empty()).take(4) {
            let findings = self.search(&picture, reading, part, cancel)?;
            if !findings.found.is_empty() {
                return Ok(findings);
            }
        }
        Ok(findings)
    }

    fn search(
        &self,
        picture: &Picture,
        reading: &Reading,
        phrase: &str,
        cancel: &Cancel,
    ) -> Result<Findings, LocateError> {
        let search = Search {
            picture,
            reading,
            query: Query::of(phrase),
            meaning: &|| self.meaning(),
            detectors: &|| self.detectors(),
            cancel,
            controls: OnceCell::new(),
            named: OnceCell::new(),
        };
        search.answer()
    }

    /// How alike in meaning a phrase is to others: cosines, -1 to 1, in their order.
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    pub fn similarity(&self, phrase: &str, others: &[&str]) -> Result<Vec<f32>, LocateError> {
        self.meaning()?.similarity(phrase, others)
    }

    /// Everything that can be read.
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    pub fn read(&self, picture: &Picture) -> Result<Reading, LocateError> {
        self.read_until(picture, &Cancel::new())
    }

    /// [`Locator::read`], unless it is cancelled half-way.
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    pub fn read_until(&self, picture: &Picture, cancel: &Cancel) -> Result<Reading, LocateError> {
        self.inner
            .reader
            .read(&self.inner.models, &bounded(picture)?, cancel)
    }

    /// Everyday objects, as in a photograph.
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    pub fn objects(&self, picture: &Picture) -> Result<Vec<Object>, LocateError> {
        self.objects_until(picture, &Cancel::new())
    }

    /// [`Locator::objects`], unless it is cancelled half-way.
    ///
    /// # Errors
    /// [`LocateError`], a sentence each.
    pub fn objects_until(
        &self,
        picture: &Picture,
        cancel: &Cancel,
    ) -> Result<Vec<Object>, LocateError> {
        cancel.check()?;
        self.detectors()?.detect(&bounded(picture)?, cancel)
    }

    fn meaning(&self) -> Result<&Meaning, LocateError> {
        let _one = self.inner.loading.lock();
        if self.inner.meaning.get().is_none() {
            let _ = self.inner.meaning.set(Meaning::load(&self.inner.models)?);
        }
        let there = self.inner.meaning.get();
        there.ok_or_else(|| LocateError::inference("the sentence network is not there"))
    }

    fn detectors(&self) -> Result<&Detectors, LocateError> {
        let _one = self.inner.loading.lock();
        if self.inner.detectors.get().is_none() {
            let _ = self
                .inner
                .detectors
                .set(Detectors::load(&self.inner.models)?);
        }
        let there = self.inner.detectors.get();
        there.ok_or_else(|| LocateError::inference("the detectors are not there"))
    }
}
