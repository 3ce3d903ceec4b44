//! Giving up half-way.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crate::LocateError;

/// Says to a running search that nobody waits for its answer any more. Clones share one flag.
///
/// It is looked at between the lines of a text and between the steps of a search, so that a cancelled
/// call ends within tens of milliseconds, at the latest after the text detector's one pass.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that nobody has raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag; it stays up.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is up.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// [`LocateError::Cancelled`] once the flag is up.
    pub(crate) fn check(&self) -> Result<(), LocateError> {
        if self.is_cancelled() {
            Err(LocateError::Cancelled)
        } else {
            Ok(())
        }
    }
}
