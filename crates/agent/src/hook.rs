//! Hooks: callbacks at four places of a session's life, and rules the server runs (`hooks.md`).

use std::{future::Future, panic::AssertUnwindSafe, sync::Arc, time::Instant};

use alidade_wire::{Map, Value, glob::Glob, start::ServerHook};
use futures_util::{FutureExt, future::BoxFuture};

use crate::Failure;

/// Why a hook was refused (closed codes).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HookError {
    /// A `[` in the matcher never closes (H3).
    #[error("malformed_matcher: the set in the matcher {0:?} is never closed; add a ]")]
    MalformedMatcher(String),
    /// A server hook on a catalog agent (H28).
    #[error(
        "server_hook_not_allowed: a catalog agent takes no server hooks; remove them or describe the agent inline"
    )]
    ServerHookNotAllowed,
}

impl HookError {
    /// The closed code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::MalformedMatcher(_) => "malformed_matcher",
            Self::ServerHookNotAllowed => "server_hook_not_allowed",
        }
    }
}

/// What a PreToolUse hook may say about a call. `Deny` > `Ask` > `Allow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// No objection. Not final: a later hook may still object, and the gate decides after all of them.
    Allow,
    /// A person must be asked; stays through later hooks.
    Ask,
    /// Refused; later hooks do not run (H5).
    Deny,
}

/// A call a PreToolUse hook looks at. A copy: changing it changes nothing (H31).
#[derive(Clone, Debug)]
pub struct ToolUse {
    /// The tool.
    pub tool_name: String,
    /// The arguments as earlier hooks left them, not validated yet.
    pub arguments: Map<String, Value>,
    /// The session.
    pub session_id: String,
}

/// What a PreToolUse hook answers; the default says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreToolUse {
    /// Its opinion, if it has one.
    pub permission: Option<Permission>,
    /// Why, where it denies or asks.
    pub reason: Option<String>,
    /// Replaces the arguments as a whole (H8).
    pub updated_arguments: Option<Map<String, Value>>,
}

impl PreToolUse {
    /// No opinion.
    #[must_use]
    pub fn pass() -> Self {
        Self::default()
    }

    /// Refuses the call with a reason the model reads.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self {
            permission: Some(Permission::Deny),
            reason: Some(reason.into()),
            ..Self::default()
        }
    }

    /// Wants a person to be asked.
    #[must_use]
    pub fn ask() -> Self {
        Self {
            permission: Some(Permission::Ask),
            ..Self::default()
        }
    }

    /// Replaces the arguments.
    #[must_use]
    pub fn rewrite(arguments: Map<String, Value>) -> Self {
        Self {
            updated_arguments: Some(arguments),
            ..Self::default()
        }
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The handler's whole result, unshortened; `None` if it returned nothing.
    Ok(Option<Value>),
    /// The message of the failure.
    Error(String),
    /// The reason of a hook, or of the gate.
    Denied(String),
}

/// A finished call a PostToolUse hook looks at.
#[derive(Clone, Debug)]
pub struct ToolUsed {
    /// The tool.
    pub tool_name: String,
    /// The arguments as hooks left them, not validated.
    pub arguments: Map<String, Value>,
    /// How it ended.
    pub outcome: Outcome,
    /// The session.
    pub session_id: String,
}

/// The end a SessionEnd hook looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOver {
    /// Why.
    pub reason: crate::EndReason,
    /// Further words.
    pub detail: Option<String>,
    /// The session; `None` if there never was one.
    pub session_id: Option<String>,
}

type Call<In, Out> = Arc<dyn Fn(In) -> BoxFuture<'static, Result<Out, Failure>> + Send + Sync>;

/// One entry of an agent's hook list. A hook that fails or panics counts as having said nothing (H11).
#[derive(Clone)]
pub struct Hook(pub(crate) Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    Server(ServerHook),
    SessionStart(Call<(), Option<String>>),
    PreToolUse(Option<Glob>, Call<ToolUse, PreToolUse>),
    PostToolUse(Option<Glob>, Call<ToolUsed, ()>),
    SessionEnd(Call<SessionOver, ()>),
}

fn call<In, Out, F, Fut>(run: F) -> Call<In, Out>
where
    F: Fn(In) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Out, Failure>> + Send + 'static,
{
    Arc::new(move |given| run(given).boxed())
}

fn matcher(pattern: Option<&str>) -> Result<Option<Glob>, HookError> {
    pattern
        .map(|text| Glob::new(text).map_err(|_| HookError::MalformedMatcher(text.to_owned())))
        .transpose()
}

impl Hook {
    /// Runs before the start request; what it returns is appended to inline instructions (H18).
    pub fn session_start<F, Fut>(run: F) -> Self
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<String>, Failure>> + Send + 'static,
    {
        Self(Kind::SessionStart(call(move |()| run())))
    }

    /// Runs before validation and handler of every tool whose whole name the glob matches; `None` matches all.
    ///
    /// # Errors
    /// [`HookError::MalformedMatcher`].
    pub fn pre_tool_use<F, Fut>(pattern: Option<&str>, run: F) -> Result<Self, HookError>
    where
        F: Fn(ToolUse) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<PreToolUse, Failure>> + Send + 'static,
    {
        Ok(Self(Kind::PreToolUse(matcher(pattern)?, call(run))))
    }

    /// Runs when the outcome is known and before the reply leaves (H14).
    ///
    /// # Errors
    /// [`HookError::MalformedMatcher`].
    pub fn post_tool_use<F, Fut>(pattern: Option<&str>, run: F) -> Result<Self, HookError>
    where
        F: Fn(ToolUsed) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), Failure>> + Send + 'static,
    {
        Ok(Self(Kind::PostToolUse(matcher(pattern)?, call(run))))
    }

    /// Runs once when the session is over (H22).
    pub fn session_end<F, Fut>(run: F) -> Self
    where
        F: Fn(SessionOver) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), Failure>> + Send + 'static,
    {
        Self(Kind::SessionEnd(call(run)))
    }

    /// A rule the server runs; the only kind that goes on the wire (H25).
    #[must_use]
    pub fn server(hook: ServerHook) -> Self {
        Self(Kind::Server(hook))
    }
}

impl From<ServerHook> for Hook {
    fn from(hook: ServerHook) -> Self {
        Self::server(hook)
    }
}

impl std::fmt::Debug for Hook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match &self.0 {
            Kind::Server(_) => "Hook::server",
            Kind::SessionStart(_) => "Hook::session_start",
            Kind::PreToolUse(..) => "Hook::pre_tool_use",
            Kind::PostToolUse(..) => "Hook::post_tool_use",
            Kind::SessionEnd(_) => "Hook::session_end",
        })
    }
}

/// What the PreToolUse fold came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Folded {
    /// The reason, where a hook denied.
    pub denied: Option<String>,
    /// The reason of the first hook that wanted a person asked, empty where it gave none.
    pub ask: Option<String>,
    /// The arguments after all rewrites.
    pub arguments: Map<String, Value>,
}

/// The hooks of one agent, folded in list order, one at a time (H1).
#[derive(Clone, Debug, Default)]
pub struct Hooks {
    list: Arc<[Hook]>,
}

impl Hooks {
    /// The list as given.
    #[must_use]
    pub fn new(list: Vec<Hook>) -> Self {
        Self { list: list.into() }
    }

    /// The rules for the server, in order (H25).
    #[must_use]
    pub fn server_hooks(&self) -> Vec<ServerHook> {
        let server = |hook: &Hook| {
            if let Kind::Server(rule) = &hook.0 {
                Some(rule.clone())
            } else {
                None
            }
        };
        self.list.iter().filter_map(server).collect()
    }

    /// All SessionStart hooks; the non-empty texts in order.
    pub async fn session_start(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for hook in self.list.iter() {
            if let Kind::SessionStart(run) = &hook.0
                && let Some(Some(text)) = guarded("SessionStart", run, ()).await
                && !text.is_empty()
            {
                texts.push(text);
            }
        }
        texts
    }

    /// The PreToolUse fold (`hooks.md` §4).
    pub async fn pre_tool_use(
        &self,
        tool: &str,
        session_id: &str,
        arguments: Map<String, Value>,
    ) -> Folded {
        let mut folded = Folded {
            denied: None,
            ask: None,
            arguments,
        };
        for hook in self.list.iter() {
            let Kind::PreToolUse(pattern, run) = &hook.0 else {
                continue;
            };
            if pattern.as_ref().is_some_and(|glob| !glob.matches(tool)) {
                continue;
            }
            let given = ToolUse {
                tool_name: tool.to_owned(),
                arguments: folded.arguments.clone(),
                session_id: session_id.to_owned(),
            };
            let Some(said) = guarded("PreToolUse", run, given).await else {
                continue;
            };
            match said.permission {
                Some(Permission::Deny) => {
                    // Its own rewrite is ignored (H10); an absent or empty reason has a stand-in (H6).
                    let reason = said.reason.filter(|reason| !reason.is_empty());
                    folded.denied = Some(reason.unwrap_or_else(|| "denied by hook".to_owned()));
                    return folded;
                }
                Some(Permission::Ask) if folded.ask.is_none() => {
                    folded.ask = Some(said.reason.unwrap_or_default())
                }
                _ => {}
            }
            if let Some(arguments) = said.updated_arguments {
                folded.arguments = arguments;
            }
        }
        folded
    }

    /// All PostToolUse hooks that match.
    pub async fn post_tool_use(&self, used: ToolUsed) {
        for hook in self.list.iter() {
            if let Kind::PostToolUse(pattern, run) = &hook.0
                && pattern
                    .as_ref()
                    .is_none_or(|glob| glob.matches(&used.tool_name))
            {
                guarded("PostToolUse", run, used.clone()).await;
            }
        }
    }

    /// All SessionEnd hooks.
    pub async fn session_end(&self, over: SessionOver) {
        for hook in self.list.iter() {
            if let Kind::SessionEnd(run) = &hook.0 {
                guarded("SessionEnd", run, over.clone()).await;
            }
        }
    }
}

/// Runs one hook; what fails or panics said nothing. Never cut off (H24), only noted when slow.
async fn guarded<In, Out>(seam: &'static str, run: &Call<In, Out>, given: In) -> Option<Out> {
    let began = Instant::now();
    // The call itself may panic, too, before it gives a future.
    let said = AssertUnwindSafe(async { run(given).await })
        .catch_unwind()
        .await;
    let took = began.elapsed();
    if took.as_millis() > 200 {
        tracing::warn!(
            seam,
            ms = took.as_millis() as u64,
            "a hook is slow; it holds up the session"
        );
    }
    match said {
        Ok(Ok(out)) => Some(out),
        Ok(Err(failure)) => {
            tracing::warn!(
                seam,
                failure = failure.message(),
                "a hook failed and is skipped"
            );
            None
        }
        Err(_) => {
            tracing::error!(seam, "a hook panicked and is skipped");
            None
        }
    }
}
