//! The seam between a session and what answers in it.
//!
//! A [`Brain`] is handed one turn at a time and works at a [`Desk`]: the tools of this session, the
//! place where its words are said, and the instructions of the agent. The session owns everything
//! else: frames, ids, time limits, the order of turns. A turn is cancelled by dropping its future, so
//! a brain keeps nothing that only finishing would set right.
//!
//! What belongs here: the two traits and what passes between them. What does not: any one brain (each
//! has a module of its own below) and everything about rooms and frames.

pub mod offline;

use alidade_wire::server::Usage;
use async_trait::async_trait;
use serde_json::{Map, Value};

/// The model-facing name of the server tool kind `detect_objects`.
pub const DETECT_OBJECTS: &str = "cosmo_detect_objects";
/// The model-facing name of the server tool kind `point_at_object`.
pub const POINT_AT_OBJECT: &str = "cosmo_point_at_object";
/// The model-facing name of the server tool kind `examine_image`.
pub const EXAMINE_IMAGE: &str = "examine_image";
/// The model-facing name of the server tool kind `end_call`: the session ends when the turn is over.
pub const END_CALL: &str = "end_call";

/// A tool the brain may call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDecl {
    /// What [`Desk::call`] takes: the declared name of a client tool, or one of the model-facing names
    /// of server tools ([`DETECT_OBJECTS`], [`POINT_AT_OBJECT`], [`EXAMINE_IMAGE`]).
    pub name: String,
    /// What it is for, in words for a model. The last lines may be example phrases, `Say: …`.
    pub description: String,
    /// JSON Schema of the arguments, a top-level object.
    pub parameters: Value,
    /// True where this process runs it, false where the client does.
    pub server: bool,
}

/// What became of a tool call.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolOutcome {
    /// It ran; the result of a client tool is an object or null.
    Ok(Value),
    /// It did not, and why, in a sentence for the person.
    Failed(String),
    /// It goes on in the background; its result comes to [`Brain::job`] later.
    Deferred {
        /// What the tool said when it took the job; may be empty.
        note: String,
        /// Which job.
        job_id: String,
    },
}

/// The outcome of a job that a client tool had taken on (S31).
#[derive(Clone, Debug, PartialEq)]
pub struct JobResult {
    /// The same id as in [`ToolOutcome::Deferred`]. A new one where the connection broke before that
    /// outcome arrived: the call has failed then, and what came of it is told here.
    pub job_id: String,
    /// The tool that was called.
    pub tool_name: String,
    /// Whether it succeeded.
    pub ok: bool,
    /// What the person should hear: the summary, or the error.
    pub says: String,
    /// The full result where the client sent one.
    pub result: Option<Value>,
}

/// Why a turn could not be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrainError {
    /// This one turn failed; the next may do better. The text is a sentence for the person.
    #[error("{0}")]
    Turn(String),
}

/// What answers a person.
#[async_trait]
pub trait Brain: Send {
    /// Answers one turn of the person, saying it at the desk.
    ///
    /// # Errors
    /// [`BrainError`] where there is no answer; the session tells the person and lives on.
    async fn turn(&mut self, text: &str, desk: &dyn Desk) -> Result<(), BrainError>;

    /// Opens the conversation with the agent's greeting. Called once, and only where there is one.
    ///
    /// # Errors
    /// As [`Brain::turn`].
    async fn greet(&mut self, greeting: &str, desk: &dyn Desk) -> Result<(), BrainError> {
        desk.say(greeting).await;
        Ok(())
    }

    /// Takes in background text; never an answer to it (S26).
    fn note(&mut self, context: &str);

    /// Takes in the result of a background job and, unless it has reason not to, says it (S31).
    ///
    /// # Errors
    /// As [`Brain::turn`].
    async fn job(&mut self, job: &JobResult, desk: &dyn Desk) -> Result<(), BrainError> {
        if !job.says.is_empty() {
            desk.say(&job.says).await;
        }
        Ok(())
    }

    /// Speaks without having been asked, because the person has been silent for a while: in the words
    /// `prompt` asks for, or freely.
    ///
    /// # Errors
    /// As [`Brain::turn`].
    async fn nudge(&mut self, prompt: Option<&str>, desk: &dyn Desk) -> Result<(), BrainError> {
        let _ = prompt;
        desk.say("Are you still there?").await;
        Ok(())
    }
}

/// Where a brain works during one turn.
#[async_trait]
pub trait Desk: Send + Sync {
    /// The tools of this session, in the order they were declared. Only these may be called.
    fn tools(&self) -> &[ToolDecl];

    /// The instructions of the agent, skills' menu included; empty where it has none.
    fn instructions(&self) -> &str;

    /// Says a piece of the answer. Pieces are joined as they are: spaces belong to them.
    async fn say(&self, delta: &str);

    /// Calls a tool and waits for its outcome, at most ten seconds for a client tool (S30).
    async fn call(&self, name: &str, args: Map<String, Value>) -> ToolOutcome;

    /// Reports that this turn asks which of `choices` things was meant; the session tells the client
    /// until the next turn of the person (`cosmo.session-state`). A brain that asks nothing reports
    /// nothing.
    fn asked_which(&self, choices: usize) {
        let _ = choices;
    }

    /// Reports tokens that a model behind the brain used in this turn; the session keeps the totals
    /// (S36). A brain without a model reports nothing.
    fn used(&self, tokens: Usage) {
        let _ = tokens;
    }
}

/// How alike phrases are in meaning; the locator's word vectors behind a seam, so that a brain is
/// tested without model files. The call blocks for some milliseconds.
pub trait Likeness: Send + Sync {
    /// One number for each of `others`, the cosine of its meaning with that of `phrase`: 1 is the same.
    ///
    /// # Errors
    /// A sentence where the model is not there.
    fn likeness(&self, phrase: &str, others: &[&str]) -> Result<Vec<f32>, BrainError>;
}

/// Makes the brain of a new session; an error is a boot that failed, and ends the session (S21).
pub type BrainMaker = std::sync::Arc<dyn Fn() -> Result<Box<dyn Brain>, BrainError> + Send + Sync>;
