//! The conversation: the brain, and one turn after the other in the order they came.

use std::{
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use alidade_wire::{
    error::slug,
    server::{Role, ServerFrame},
};
use futures_util::FutureExt;
use tokio::sync::mpsc;

use super::{Ending, desk::SessionDesk};
use crate::brain::{Brain, BrainError, BrainMaker, JobResult};

/// Bytes of text and pictures that may wait.
const WAITING_BYTES: usize = 8 << 20;

/// Something for the conversation.
#[derive(Debug)]
pub(super) enum Item {
    /// Open the conversation with these words.
    Greet(String),
    /// The person said something.
    Turn(String),
    /// Background text.
    Note(String),
    /// A still picture, base64.
    Still(String),
    /// A background job is over.
    Job(JobResult),
    /// Say exactly this.
    Say(String),
    /// Speak because nobody does.
    Nudge(Option<String>),
    /// Say goodbye and hang up.
    Farewell(Option<String>),
}

impl Item {
    fn bytes(&self) -> usize {
        match self {
            Self::Greet(text)
            | Self::Turn(text)
            | Self::Note(text)
            | Self::Still(text)
            | Self::Say(text) => text.len(),
            Self::Nudge(text) | Self::Farewell(text) => text.as_deref().map_or(0, str::len),
            Self::Job(job) => job.says.len(),
        }
    }
}

/// What the conversation tells the session's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    /// A turn began.
    Began,
    /// It is over.
    Ended,
    /// The session is to end.
    HangUp(Ending),
}

/// The bounded queue in front of the conversation.
#[derive(Clone)]
pub(super) struct Queue {
    items: mpsc::Sender<Item>,
    bytes: Arc<AtomicUsize>,
}

impl Queue {
    pub(super) fn new(most: usize) -> (Self, Waiting) {
        let (items, waiting) = mpsc::channel(most.max(1));
        let bytes = Arc::new(AtomicUsize::new(0));
        (
            Self {
                items,
                bytes: Arc::clone(&bytes),
            },
            Waiting {
                items: waiting,
                bytes,
            },
        )
    }

    /// Puts something in; false where too much waits already.
    pub(super) fn give(&self, item: Item) -> bool {
        let bytes = item.bytes();
        if self.bytes.load(Ordering::Relaxed).saturating_add(bytes) > WAITING_BYTES {
            return false;
        }
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let given = self.items.try_send(item).is_ok();
        if !given {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
        given
    }
}

/// The other end of a [`Queue`].
pub(super) struct Waiting {
    items: mpsc::Receiver<Item>,
    bytes: Arc<AtomicUsize>,
}

impl Waiting {
    async fn next(&mut self) -> Option<Item> {
        let item = self.items.recv().await?;
        self.bytes.fetch_sub(item.bytes(), Ordering::Relaxed);
        Some(item)
    }
}

/// The brain at its desk.
pub(super) struct Talk {
    pub(super) brain: Box<dyn Brain>,
    pub(super) maker: BrainMaker,
    pub(super) desk: SessionDesk,
    pub(super) signals: mpsc::Sender<Signal>,
}

impl Talk {
    /// Takes what waits, one at a time, until it is dropped.
    pub(super) async fn run(mut self, mut waiting: Waiting) {
        while let Some(item) = waiting.next().await {
            match item {
                Item::Note(text) => {
                    let noted =
                        std::panic::catch_unwind(AssertUnwindSafe(|| self.brain.note(&text)));
                    if noted.is_err() {
                        self.replace_brain();
                    }
                }
                Item::Still(data) => {
                    if let Err(why) = self.desk.sight.show_still(data).await {
                        self.desk.error(slug::INVALID_MESSAGE, why).await;
                    }
                }
                item => self.turn(item).await,
            }
        }
    }

    async fn turn(&mut self, item: Item) {
        let _ = self.signals.send(Signal::Began).await;
        self.desk.out.send(&ServerFrame::BotLlmStarted).await;
        let is_turn = matches!(item, Item::Turn(_));
        if is_turn {
            self.desk.session.record.turn();
            self.desk.take_up_question().await;
        }
        let hangs_up = matches!(item, Item::Farewell(_));
        let answer = AssertUnwindSafe(answer(&mut *self.brain, &self.desk, item)).catch_unwind();
        match tokio::time::timeout(self.desk.limits.turn, answer).await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(BrainError::Turn(why)))) => self.desk.error("turn_failed", why).await,
            Ok(Err(_)) => {
                self.desk
                    .error(
                        slug::INTERNAL_ERROR,
                        "Something went wrong while answering; please ask again.".to_owned(),
                    )
                    .await;
                self.replace_brain();
            }
            Err(_) => {
                self.desk
                    .error(
                        "turn_timeout",
                        "The answer took too long and was given up; please ask again.".to_owned(),
                    )
                    .await
            }
        }
        let brain_hangs_up = self.desk.finish_turn().await;
        if is_turn {
            self.desk.sight.turn_over();
        }
        self.desk.out.send(&ServerFrame::BotLlmStopped).await;
        self.desk
            .out
            .send(&ServerFrame::TurnComplete {
                role: Role::Assistant,
            })
            .await;
        let _ = self.signals.send(Signal::Ended).await;
        if hangs_up {
            let _ = self.signals.send(Signal::HangUp(Ending::Silence)).await;
        } else if brain_hangs_up {
            let _ = self.signals.send(Signal::HangUp(Ending::EndCall)).await;
        }
    }

    /// After a panic nothing is known about the brain's state: a new one takes over.
    fn replace_brain(&mut self) {
        tracing::error!("the brain panicked and was replaced");
        if let Ok(brain) = (self.maker)() {
            self.brain = brain;
        }
    }
}

async fn answer(brain: &mut dyn Brain, desk: &SessionDesk, item: Item) -> Result<(), BrainError> {
    use crate::brain::Desk as _;
    match item {
        Item::Greet(words) => brain.greet(&words, desk).await,
        Item::Turn(text) => brain.turn(&text, desk).await,
        Item::Job(job) => brain.job(&job, desk).await,
        Item::Nudge(prompt) => brain.nudge(prompt.as_deref(), desk).await,
        Item::Say(words) => {
            desk.say(&words).await;
            Ok(())
        }
        Item::Farewell(words) => {
            desk.say(words.as_deref().unwrap_or("Goodbye.")).await;
            Ok(())
        }
        Item::Note(_) | Item::Still(_) => Ok(()),
    }
}
