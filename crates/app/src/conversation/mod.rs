//! A conversation about pictures: one session that is shown a source and asked about it.

mod board;
mod turn;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use alidade_draw::marks::{MarkId, Seen, Wipe};
use alidade_media::{Source, SourceError};
use alidade_picture::{Picture, PictureId};
use alidade_sdk::{
    PictureTrack, PublishError, Session, Settings, TrackSource,
    agent::{AgentError, AllowList, Event, Events, HookError, SessionError, StartError},
    wire::{
        names::ToolDefinitionError,
        server::{Role, ServerFrame},
    },
};
use tokio::task::JoinHandle;

use crate::{Answer, Backend, BackendError, agents::AgentFolder};
pub(crate) use board::Board;
use board::{CLEAR_MARKS, clearing, drawing};
use turn::Turn;

/// Longest wait for an answer. The backend gives a turn less than that.
pub(crate) const PATIENCE: Duration = Duration::from_secs(240);

/// Longest question in bytes: pages of text, and far less than what makes a session stumble.
pub const LONGEST_QUESTION: usize = 32_000;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The agent cannot be started as its folder describes it.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A tool of the application is not as the protocol wants it.
    #[error(transparent)]
    Tool(#[from] ToolDefinitionError),
    /// A rule of the application is not as the library wants it.
    #[error(transparent)]
    Rule(#[from] HookError),
    /// The backend is not there.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The session did not start.
    #[error("the session did not start: {0}")]
    Start(#[from] StartError),
    /// The source gives no picture.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The picture could not be sent.
    #[error("the picture could not be sent: {0}")]
    Publish(#[from] PublishError),
    /// The question could not be sent.
    #[error("the question could not be sent: {0}")]
    Send(#[from] SessionError),
    /// The question is too long.
    #[error("the question is too long; shorten it to {LONGEST_QUESTION} bytes")]
    TooLong,
    /// The question was not taken, or what it is about could not be looked at.
    #[error("{0}")]
    Refused(String),
    /// The session ended before the answer.
    #[error("the backend went away before it answered ({0}); ask again")]
    Ended(String),
    /// Nothing came in time.
    #[error("no answer came within {} seconds; ask again", PATIENCE.as_secs())]
    NoAnswer,
}

/// One session with an agent, and what it is shown.
pub struct Conversation {
    session: Session,
    events: Events,
    board: Arc<Board>,
    shown: Option<Showing>,
    /// Turns of the agent's own accord that are to come before the answer to the next question.
    unasked: u32,
}

/// What is being shown.
struct Showing {
    track: PictureTrack,
    feed: JoinHandle<()>,
}

impl Drop for Showing {
    fn drop(&mut self) {
        self.feed.abort();
    }
}

impl Conversation {
    /// Starts a session of this agent; returns once the agent is ready.
    ///
    /// # Errors
    /// [`AskError`], a sentence each.
    pub async fn start(agent: &AgentFolder, backend: &Backend) -> Result<Self, AskError> {
        let board = Arc::<Board>::default();
        let mut description = agent.describe();
        for renderer in &agent.renderers {
            description = description.tool(drawing(*renderer, &board));
        }
        if !agent.renderers.is_empty() {
            description = description.tool(clearing(&board)?);
        }
        let settings = Settings {
            gate: Arc::new(AllowList::new([CLEAR_MARKS])?),
            ..Settings::default()
        };
        let session = Session::start_with(description.build()?, backend.rest()?, settings).await?;
        let events = session.events();
        Ok(Self {
            session,
            events,
            board,
            shown: None,
            unasked: u32::from(agent.greeting.is_some()),
        })
    }

    /// Shows a source from now on: what was shown before is withdrawn, with its marks. Returns once the
    /// first picture is on its way; the pictures that follow go out by themselves, the newest first.
    ///
    /// # Errors
    /// [`AskError`], a sentence each.
    pub async fn show(
        &mut self,
        source: impl Into<Arc<Source>>,
        kind: TrackSource,
    ) -> Result<(), AskError> {
        let source = source.into();
        self.withdraw().await;
        let first = source.next(None).await?;
        let track = self.session.publish_pictures(kind).await?;
        track.show(&first).await?;
        let feed = tokio::spawn(feed(source, first.id(), track.clone()));
        self.shown = Some(Showing { track, feed });
        Ok(())
    }

    /// Shows nothing from now on.
    pub async fn withdraw(&mut self) {
        if let Some(shown) = self.shown.take() {
            shown.feed.abort();
            shown.track.stop().await;
            self.board.wipe(Wipe::SourceChanged);
        }
    }

    /// Asks, and waits for the whole answer and its marks.
    ///
    /// # Errors
    /// [`AskError`], a sentence each.
    pub async fn ask(&mut self, question: &str) -> Result<Answer, AskError> {
        let asked = Instant::now();
        let last = self.send(question).await?;
        let turn = tokio::time::timeout(PATIENCE, self.turn())
            .await
            .map_err(|_| AskError::NoAnswer)??;
        let seen = self.board.marks.lock().seen(Instant::now());
        // Older marks stay on the board; only those of this answer belong to it.
        let mut marks: Vec<_> = seen
            .into_iter()
            .filter(|seen| Some(seen.mark.id) > last)
            .collect();
        marks.sort_by_key(|seen| seen.mark.id);
        let picture = self.picture_of(&marks);
        Ok(Answer {
            text: turn.said,
            ambiguous: turn.asked_which,
            not_found: turn.located && marks.is_empty(),
            marks,
            picture,
            took: asked.elapsed(),
        })
    }

    /// Sends a question; what is marked from now on belongs to its answer. Answers the newest mark of those before.
    pub(crate) async fn send(&self, question: &str) -> Result<Option<MarkId>, AskError> {
        if question.len() > LONGEST_QUESTION {
            return Err(AskError::TooLong);
        }
        let last = {
            let mut marks = self.board.marks.lock();
            marks.new_answer();
            marks.iter().map(|mark| mark.id).max()
        };
        self.session.send_text(question).await?;
        Ok(last)
    }

    /// The picture these marks belong to as it was sent, or the one that was sent last.
    pub(crate) fn picture_of(&self, marks: &[Seen]) -> Option<Picture> {
        marks
            .iter()
            .find_map(|seen| seen.mark.picture)
            .and_then(|id| self.session.picture(id))
            .or_else(|| self.shown.as_ref().and_then(|shown| shown.track.newest()))
    }

    /// The events of the session; whoever reads them must be the only one.
    pub(crate) fn events(&self) -> Events {
        self.events.clone()
    }

    pub(crate) fn board(&self) -> Arc<Board> {
        Arc::clone(&self.board)
    }

    /// Reads events up to the end of the turn that answers. A greeting, or words after a silence, are turns of
    /// their own that come before it.
    async fn turn(&mut self) -> Result<Turn, AskError> {
        let mut turn = Turn::default();
        while let Some(event) = self.events.next().await {
            match event {
                Event::Frame(ServerFrame::TurnComplete {
                    role: Role::Assistant,
                }) if self.unasked > 0 && !turn.begun => self.unasked -= 1,
                Event::Frame(frame) => {
                    if let Some(outcome) = turn.take(frame, &mut self.unasked) {
                        return outcome.map(|()| turn);
                    }
                }
                Event::SessionEnded { reason } => {
                    return Err(AskError::Ended(
                        reason
                            .or(turn.trouble)
                            .unwrap_or_else(|| "no reason given".into()),
                    ));
                }
                _ => {}
            }
        }
        Err(AskError::Ended("the session is over".into()))
    }

    /// Ends the session.
    pub async fn end(mut self) {
        self.close().await;
    }

    pub(crate) async fn close(&mut self) {
        self.withdraw().await;
        self.session.end().await;
    }
}

/// Sends the pictures that follow the first one until there are no more, or nobody wants them.
async fn feed(source: Arc<Source>, first: PictureId, track: PictureTrack) {
    let mut shown = first;
    loop {
        let picture = match source.next(Some(shown)).await {
            Ok(picture) => picture,
            // The last picture stays: the person sees it, and may ask about it.
            Err(error) => return tracing::info!(%error, "the source gives no more pictures"),
        };
        shown = picture.id();
        if let Err(error) = track.show(&picture).await {
            return tracing::info!(%error, "nobody takes pictures any more");
        }
    }
}
