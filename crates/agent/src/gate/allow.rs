//! A list of tools that may run without asking.

use alidade_wire::glob::Glob;

use super::{Gate, Proposal, Rule, default_rule};
use crate::HookError;

/// Allows the tools on a list, and what is allowed by default; asks nobody about the rest, so that it is denied.
///
/// Meant for the person's own settings, or for a program whose author is the person. A hook that wants a person
/// asked still has its way.
#[derive(Clone, Debug, Default)]
pub struct AllowList {
    patterns: Vec<Glob>,
}

impl AllowList {
    /// A list of globs over whole tool names, such as `read_*`; see `hooks.md` §3 for what a glob knows.
    ///
    /// # Errors
    /// [`HookError::MalformedMatcher`].
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a str>) -> Result<Self, HookError> {
        let parse =
            |text: &str| Glob::new(text).map_err(|_| HookError::MalformedMatcher(text.to_owned()));
        Ok(Self {
            patterns: patterns.into_iter().map(parse).collect::<Result<_, _>>()?,
        })
    }
}

impl Gate for AllowList {
    fn rule(&self, proposal: &Proposal) -> Rule {
        if self
            .patterns
            .iter()
            .any(|glob| glob.matches(&proposal.definition.name))
        {
            return Rule::Allow;
        }
        default_rule(proposal)
    }
}
