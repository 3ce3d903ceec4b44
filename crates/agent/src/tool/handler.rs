//! Handlers as the dispatcher holds them.

use std::{future::Future, sync::Arc};

use alidade_wire::{Map, Value};
use futures_util::{FutureExt, future::BoxFuture};

use super::ToolResult;
use crate::{Failure, job::Job};

/// The arguments of a call: validated, defaults filled in.
pub type Arguments = Map<String, Value>;

pub(crate) type Plain = Arc<dyn Fn(Arguments) -> BoxFuture<'static, ToolResult> + Send + Sync>;
pub(crate) type Background =
    Arc<dyn Fn(Arguments, Job) -> BoxFuture<'static, Result<(), Failure>> + Send + Sync>;

pub(crate) fn plain<F, Fut>(run: F) -> Plain
where
    F: Fn(Arguments) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ToolResult> + Send + 'static,
{
    Arc::new(move |arguments| run(arguments).boxed())
}

pub(crate) fn background<F, Fut>(run: F) -> Background
where
    F: Fn(Arguments, Job) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<(), Failure>> + Send + 'static,
{
    Arc::new(move |arguments, job| run(arguments, job).boxed())
}
