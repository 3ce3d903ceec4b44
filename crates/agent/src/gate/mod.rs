//! The gate: the last word before a handler runs (`consent.md`).
//!
//! Hooks classify and fail open; the gate decides and fails closed. The library has no policy of its own: drawing
//! and `cosmo_sdk_load_skill` are allowed, everything else must be asked about, and without an approver asking
//! denies as `no_approver`. The application brings the person's settings as a [`Gate`].
//!
//! A handler is kept in a `Sealed`; only a [`Verdict`] opens it (C2). A verdict can be made here alone, is bound
//! to a [`Digest`] of everything that was decided on (C3), and is consumed by use.

mod allow;
mod digest;
mod proposal;
mod verdict;

use std::{panic::AssertUnwindSafe, sync::Arc};

use async_trait::async_trait;
use futures_util::FutureExt;

pub use allow::AllowList;
pub use digest::{Digest, canonical};
pub use proposal::{Definition, Origin, Proposal};
pub(crate) use verdict::Sealed;
pub use verdict::Verdict;

/// What rules alone say about a call. `Deny` > `Ask` > `Allow`; layers only tighten (C4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// It may run.
    Allow,
    /// A person must be asked.
    Ask,
    /// It may not run.
    Deny,
}

/// Why a call was not allowed (C1). Each has a code and a sentence for the model, without secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Denial {
    /// The person said no.
    ByUser,
    /// A rule of the person says no.
    ByRule,
    /// Nobody answered in time.
    TimedOut,
    /// The question could not be shown.
    NotShown,
    /// The question was closed.
    Cancelled,
    /// The call was withdrawn meanwhile.
    Withdrawn,
    /// Too many questions wait.
    TooMany,
    /// Nobody can be asked.
    NoApprover,
    /// The gate failed, or what it decided on has changed.
    GateError,
}

impl Denial {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::ByUser => "denied_by_user",
            Self::ByRule => "denied_by_rule",
            Self::TimedOut => "timed_out",
            Self::NotShown => "not_shown",
            Self::Cancelled => "cancelled",
            Self::Withdrawn => "withdrawn",
            Self::TooMany => "too_many",
            Self::NoApprover => "no_approver",
            Self::GateError => "gate_error",
        }
    }

    /// What the model reads: the code and a sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::ByUser => {
                "denied_by_user: the user said no; do not try again unless they ask for it."
            }
            Self::ByRule => "denied_by_rule: the user's settings do not allow this.",
            Self::TimedOut => "timed_out: the user did not answer in time; nothing was done.",
            Self::NotShown => {
                "not_shown: the question could not be shown to the user; nothing was done."
            }
            Self::Cancelled => "cancelled: the user closed the question; nothing was done.",
            Self::Withdrawn => {
                "withdrawn: the call was withdrawn before the user answered; nothing was done."
            }
            Self::TooMany => "too_many: too many questions wait for the user; nothing was done.",
            Self::NoApprover => {
                "no_approver: this needs the user's approval and nobody can be asked here; nothing was done."
            }
            Self::GateError => "gate_error: the approval could not be checked; nothing was done.",
        }
    }
}

/// What a person, or whoever stands for them, answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// This very call may run, once.
    Allow,
    /// It may not.
    Deny(Denial),
}

/// Asks a person. The call was answered as deferred by then, so there is time; the session's end drops the future.
#[async_trait]
pub trait Approver: Send + Sync {
    /// The person's answer to this proposal.
    async fn answer(&self, proposal: &Proposal) -> Answer;
}

/// The person's policy, brought by the application.
///
/// A gate that panics denies (C1).
pub trait Gate: Send + Sync {
    /// What rules alone say. Never waits.
    fn rule(&self, proposal: &Proposal) -> Rule {
        default_rule(proposal)
    }

    /// Who is asked where rules say [`Rule::Ask`]. Without one, asking denies as `no_approver`.
    fn approver(&self) -> Option<Arc<dyn Approver>> {
        None
    }

    /// Changes whenever rules change: a verdict given under another version is void (C3).
    fn policy_version(&self) -> u64 {
        0
    }
}

/// The rule without a rule (C4): drawing and `load_skill` may run, everything else must be asked about.
#[must_use]
pub fn default_rule(proposal: &Proposal) -> Rule {
    match proposal.definition.origin {
        Origin::Draw | Origin::LoadSkill => Rule::Allow,
        Origin::Application | Origin::Mcp { .. } => Rule::Ask,
    }
}

/// A gate with the default rule and nobody to ask.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoApprover;

impl Gate for NoApprover {}

/// Where a proposal stands after the rules.
pub(crate) enum Standing {
    /// It may run.
    Allowed(Verdict),
    /// This approver must be asked.
    Ask(Arc<dyn Approver>),
    /// It may not run.
    Denied(Denial),
}

/// Applies the rules. `asked_by_hook` tightens allow to ask.
pub(crate) fn judge(gate: &dyn Gate, proposal: &Proposal, asked_by_hook: bool) -> Standing {
    let judged = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let floor = if asked_by_hook {
            Rule::Ask
        } else {
            Rule::Allow
        };
        match gate.rule(proposal).max(floor) {
            Rule::Allow => Standing::Allowed(Verdict::on(proposal)),
            Rule::Deny => Standing::Denied(Denial::ByRule),
            Rule::Ask => gate
                .approver()
                .map_or(Standing::Denied(Denial::NoApprover), Standing::Ask),
        }
    }));
    judged.unwrap_or_else(|_| {
        tracing::error!(
            tool = proposal.definition.name,
            "the gate panicked; the call is denied"
        );
        Standing::Denied(Denial::GateError)
    })
}

/// Asks the approver; a panic denies.
pub(crate) async fn ask(
    approver: Arc<dyn Approver>,
    proposal: &Proposal,
) -> Result<Verdict, Denial> {
    let answered = AssertUnwindSafe(async { approver.answer(proposal).await })
        .catch_unwind()
        .await;
    match answered {
        Ok(Answer::Allow) => Ok(Verdict::on(proposal)),
        Ok(Answer::Deny(denial)) => Err(denial),
        Err(_) => {
            tracing::error!(
                tool = proposal.definition.name,
                "the approver panicked; the call is denied"
            );
            Err(Denial::GateError)
        }
    }
}

#[cfg(test)]
mod tests;
