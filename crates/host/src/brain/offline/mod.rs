//! The offline brain: answers without a network and without a model hub.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Brain, BrainError, Desk, Likeness};

/// Answers in the words people use, with nothing but this machine.
pub struct OfflineBrain {
    _likeness: Option<Arc<dyn Likeness>>,
}

impl OfflineBrain {
    /// A brain for one session; without `likeness` it matches words alone.
    #[must_use]
    pub fn new(likeness: Option<Arc<dyn Likeness>>) -> Self {
        Self {
            _likeness: likeness,
        }
    }
}

#[async_trait]
impl Brain for OfflineBrain {
    async fn turn(&mut self, _text: &str, desk: &dyn Desk) -> Result<(), BrainError> {
        desk.say("I cannot do that yet.").await;
        Ok(())
    }

    fn note(&mut self, _context: &str) {}
}
