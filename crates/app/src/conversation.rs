//! A conversation about pictures: one session that is shown a source and asked about it.

use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

use alidade_picture::{Picture, PictureId};
use alidade_sdk::{
    PictureTrack, PublishError, Session,
    agent::{
        AgentError, Event, Events, SessionError, StartError, Tool,
        tool::draw::{Shown, draw_box, draw_point},
    },
    wire::server::{Role, ServerFrame},
};
use parking_lot::Mutex;

use crate::{
    Answer, Backend, BackendError, Place,
    agents::{AgentFolder, Renderer},
    sources::Showing,
};

/// Longest wait for an answer. The backend gives a turn less than that.
const PATIENCE: Duration = Duration::from_secs(240);

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The agent cannot be started as its folder describes it.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The backend is not there.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The session did not start.
    #[error("the session did not start: {0}")]
    Start(#[from] StartError),
    /// The picture could not be sent.
    #[error("the picture could not be sent: {0}")]
    Publish(#[from] PublishError),
    /// The question could not be sent.
    #[error("the question could not be sent: {0}")]
    Send(#[from] SessionError),
    /// The session ended before the answer.
    #[error("the backend went away before it answered ({0}); ask again")]
    Ended(String),
    /// Nothing came in time.
    #[error("no answer came within {} seconds; ask again", PATIENCE.as_secs())]
    NoAnswer,
}

/// A mark as the agent asked for it.
struct Drawn {
    place: Place,
    label: Option<String>,
    picture: Option<PictureId>,
}

/// One session with an agent, and what it is shown.
pub struct Conversation {
    session: Session,
    events: Events,
    drawn: Arc<Mutex<Vec<Drawn>>>,
    track: Option<PictureTrack>,
}

impl Conversation {
    /// Starts a session of this agent; returns once the agent is ready.
    ///
    /// # Errors
    /// [`AskError`], a sentence each.
    pub async fn start(agent: &AgentFolder, backend: &Backend) -> Result<Self, AskError> {
        let drawn = Arc::new(Mutex::new(Vec::new()));
        let mut description = agent.describe();
        for renderer in &agent.renderers {
            description = description.tool(drawing(*renderer, &drawn));
        }
        let session = Session::start(description.build()?, backend.rest()?).await?;
        let events = session.events();
        Ok(Self { session, events, drawn, track: None })
    }

    /// Shows a picture from now on, as a source of its own: what was shown before is withdrawn, with
    /// its marks. Returns once the picture is on its way.
    ///
    /// # Errors
    /// [`AskError`], a sentence each.
    pub async fn show(&mut self, picture: &Picture, showing: Showing) -> Result<(), AskError> {
        if let Some(track) = self.track.take() {
            track.stop().await;
        }
        self.drawn.lock().clear();
        let track = self.session.publish_pictures(showing.into()).await?;
        track.show(picture).await?;
        self.track = Some(track);
        Ok(())
    }

    /// Shows the next picture of the same source.
    ///
    /// # Errors
    /// [`AskError`], a sentence each; without a source this does nothing.
    pub async fn show_next(&mut self, picture: &Picture) -> Result<(), AskError> {
        if let Some(track) = &self.track {
            track.show(picture).await?;
        }
        Ok(())
    }

    /// Asks, and waits for the whole answer and its marks.
    ///
    /// # Errors
    /// [`AskError`], a sentence each.
    pub async fn ask(&mut self, question: &str) -> Result<Answer, AskError> {
        let asked = Instant::now();
        self.drawn.lock().clear();
        self.session.send_text(question).await?;
        let turn = tokio::time::timeout(PATIENCE, self.turn()).await.map_err(|_| AskError::NoAnswer)??;
        let drawn = std::mem::take(&mut *self.drawn.lock());
        let picture = drawn.iter().find_map(|d| d.picture).and_then(|id| self.session.picture(id));
        let places: Vec<_> = drawn.into_iter().map(|d| (d.place, d.label)).collect();
        Ok(Answer {
            text: turn.said,
            ambiguous: turn.located && places.len() > 1,
            not_found: turn.located && places.is_empty(),
            places,
            picture: picture.or_else(|| self.track.as_ref().and_then(PictureTrack::newest)),
            took: asked.elapsed(),
        })
    }

    /// Reads events up to the end of the agent's turn.
    async fn turn(&mut self) -> Result<Turn, AskError> {
        let mut turn = Turn::default();
        let mut locating = HashSet::new();
        let mut trouble = None;
        while let Some(event) = self.events.next().await {
            match event {
                Event::Frame(ServerFrame::Transcript { role: Role::Assistant, text, is_final: true }) => {
                    turn.say(&text);
                }
                Event::Frame(ServerFrame::ToolCall { tool_call_id, name }) if is_locator(&name) => {
                    locating.insert(tool_call_id);
                }
                Event::Frame(ServerFrame::ToolResult { tool_call_id, ok: true, .. }) => {
                    turn.located |= locating.contains(&tool_call_id);
                }
                Event::Frame(ServerFrame::Error { message, .. }) => trouble = Some(message),
                Event::Frame(ServerFrame::TurnComplete { role: Role::Assistant }) => {
                    return match trouble {
                        Some(why) if turn.said.is_empty() => Err(AskError::Ended(why)),
                        _ => Ok(turn),
                    };
                }
                Event::SessionEnded { reason } => {
                    return Err(AskError::Ended(reason.or(trouble).unwrap_or_else(|| "no reason given".into())));
                }
                _ => {}
            }
        }
        Err(AskError::Ended("the session is over".into()))
    }

    /// Ends the session.
    pub async fn end(self) {
        self.session.end().await;
    }
}

/// What one turn of the agent came to.
#[derive(Default)]
struct Turn {
    said: String,
    /// A locator looked and answered; whether it found anything is seen from what was drawn.
    located: bool,
}

impl Turn {
    fn say(&mut self, text: &str) {
        let text = text.trim();
        if !self.said.is_empty() && !text.is_empty() {
            self.said.push(' ');
        }
        self.said.push_str(text);
    }
}

fn is_locator(tool: &str) -> bool {
    matches!(tool, "cosmo_detect_objects" | "cosmo_point_at_object")
}

/// The tool that takes marks from the agent and keeps them for the answer.
fn drawing(renderer: Renderer, drawn: &Arc<Mutex<Vec<Drawn>>>) -> Tool {
    let drawn = Arc::clone(drawn);
    match renderer {
        Renderer::DrawBox => draw_box(move |request| {
            let mark = Drawn { place: Place::Box(request.area), label: request.label, picture: request.frame };
            drawn.lock().push(mark);
            async { Ok(Shown::yes()) }
        }),
        Renderer::DrawPoint => draw_point(move |request| {
            let mark = Drawn { place: Place::Point(request.spot), label: request.label, picture: request.frame };
            drawn.lock().push(mark);
            async { Ok(Shown::yes()) }
        }),
    }
}
