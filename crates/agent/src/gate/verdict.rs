//! Permission to run one call, and the seal only it opens.

use super::{Denial, Digest, Proposal};

/// Permission to run one call. It can be made by the gate alone, cannot be copied, and is consumed by use (C2, C3).
#[derive(Debug)]
#[must_use = "a verdict that is not used allows nothing"]
pub struct Verdict {
    digest: Digest,
}

impl Verdict {
    /// The one place where verdicts come from; private to the gate.
    pub(super) fn on(proposal: &Proposal) -> Self {
        Self {
            digest: proposal.digest(),
        }
    }
}

/// Something that must not be reached without a verdict.
pub(crate) struct Sealed<T>(T);

impl<T> Sealed<T> {
    pub(crate) const fn new(inner: T) -> Self {
        Self(inner)
    }

    /// Opens the seal for the call as it stands now; a verdict on anything else denies (C3).
    pub(crate) fn open(&self, verdict: Verdict, now: &Proposal) -> Result<&T, Denial> {
        if verdict.digest == now.digest() {
            Ok(&self.0)
        } else {
            tracing::error!(
                tool = now.definition.name,
                "a verdict does not fit the call; the call is denied"
            );
            Err(Denial::GateError)
        }
    }
}
