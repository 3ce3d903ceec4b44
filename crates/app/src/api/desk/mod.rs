//! The one task that owns everything: it takes commands in order and never waits long for any of them.

mod marked;
mod sources;

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use alidade_draw::marks::Wipe;
use alidade_media::{Source, SourceError};
use alidade_sdk::{
    agent::Event as SessionEvent,
    wire::server::{Role, ServerFrame},
};
use tokio::{sync::mpsc, task::JoinHandle};

pub(super) use marked::Marked;

use super::{
    Command, CommandError, Reply,
    fold::Fold,
    state::State,
    view::{AgentView, BackendView, Change, SessionView, Trouble},
};
use crate::{
    AgentPlaces, Backend, BackendError, Conversation, LocalOptions,
    agents::{self, AgentFolder, Faults},
    conversation::{Board, PATIENCE},
};

/// How long each picture of a folder is looked at.
pub(super) const EACH_PICTURE: Duration = Duration::from_secs(10);
/// Between two looks at fading marks and at the clock.
const TICK: Duration = Duration::from_millis(200);
/// The agent that answers where nobody chose one.
const FIRST_AGENT: &str = "point-and-ask";

/// What other tasks tell the desk.
enum Note {
    Backend(Result<Backend, BackendError>),
    Agents(Vec<(String, Result<AgentFolder, Faults>)>),
    Opened(u32, Result<Source, SourceError>),
    Session(u32, SessionEvent),
}

/// A session and what belongs to it.
struct Live {
    number: u32,
    conversation: Conversation,
    board: Arc<Board>,
    fold: Fold,
    pump: JoinHandle<()>,
}

impl Drop for Live {
    fn drop(&mut self) {
        self.pump.abort();
    }
}

/// See the module's page.
pub(super) struct Desk {
    state: Arc<State>,
    places: AgentPlaces,
    agents: Vec<(String, Result<AgentFolder, Faults>)>,
    backend: Option<Backend>,
    live: Option<Live>,
    /// Sessions and sources so far.
    sessions: u32,
    sources: u32,
    /// The file or folder that is looked at, which nothing may be written over.
    original: Option<PathBuf>,
    /// A question that waits for the backend.
    waiting: Option<(String, Reply<()>)>,
    /// When the answer that is on its way was asked for.
    asked: Option<Instant>,
    notes: mpsc::UnboundedSender<Note>,
    inbox: mpsc::UnboundedReceiver<Note>,
}

impl Desk {
    pub(super) fn new(state: Arc<State>, places: AgentPlaces) -> Self {
        let (notes, inbox) = mpsc::unbounded_channel();
        Self {
            state,
            places,
            agents: Vec::new(),
            backend: None,
            live: None,
            sessions: 0,
            sources: 0,
            original: None,
            waiting: None,
            asked: None,
            notes,
            inbox,
        }
    }

    pub(super) async fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        self.read_agents();
        let notes = self.notes.clone();
        tokio::spawn(async move {
            let backend = Backend::local(LocalOptions::default()).await;
            let _ = notes.send(Note::Backend(backend));
        });
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let closed = loop {
            let board = self.live.as_ref().map(|live| live.board.clone());
            let marked = async move {
                match board {
                    Some(board) => board.changed.notified().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                command = commands.recv() => match command {
                    None => break None,
                    Some(Command::Close(done)) => break Some(done),
                    Some(command) => self.obey(command).await,
                },
                Some(note) = self.inbox.recv() => self.note(note).await,
                () = marked => self.marks(),
                _ = tick.tick() => self.tick().await,
            }
        };
        self.end(None).await;
        self.state.stop_source();
        if let Some(backend) = self.backend.take() {
            backend.shutdown().await;
        }
        if let Some(done) = closed {
            let _ = done.send(());
        }
    }

    async fn obey(&mut self, command: Command) {
        match command {
            Command::Show(what) => self.show(what).await,
            Command::StopShowing => self.stop_showing().await,
            Command::Ask(question, reply) => self.ask(question, reply).await,
            Command::ClearMarks => {
                if let Some(live) = &self.live {
                    live.board.wipe(Wipe::Cleared);
                }
            }
            Command::ChooseAgent(name, reply) => {
                let chosen = self.choose(&name).await;
                let _ = reply.send(chosen);
            }
            Command::EndSession => self.end(None).await,
            Command::Marked(reply) => {
                let marked = self.marked().await;
                let _ = reply.send(marked);
            }
            // Ends the loop before it comes here.
            Command::Close(done) => drop(done),
        }
    }

    async fn note(&mut self, note: Note) {
        match note {
            Note::Agents(agents) => {
                self.agents = agents;
                let first = self.agents.iter().find(|(name, _)| name == FIRST_AGENT);
                let chosen = first.or(self.agents.first()).map(|(name, _)| name.clone());
                self.tell_agents(chosen.unwrap_or_default());
            }
            Note::Backend(Ok(backend)) => {
                self.backend = Some(backend);
                self.state.change(Change::Backend {
                    backend: BackendView::Local,
                });
                if let Some((question, reply)) = self.waiting.take() {
                    self.ask(question, reply).await;
                }
            }
            Note::Backend(Err(error)) => {
                let trouble = Trouble::new(&error);
                if let Some((_, reply)) = self.waiting.take() {
                    let _ = reply.send(Err(CommandError::NoBackend(trouble.says.clone())));
                }
                self.state.change(Change::Backend {
                    backend: BackendView::Failed { trouble },
                });
            }
            Note::Opened(number, opened) => self.opened(number, opened).await,
            Note::Session(number, event) => self.heard(number, &event).await,
        }
    }

    // Agents.

    fn read_agents(&self) {
        let (places, notes) = (self.places.clone(), self.notes.clone());
        tokio::task::spawn_blocking(move || {
            // Nobody is left to tell where the application is closed.
            let _ = notes.send(Note::Agents(agents::list(&places)));
        });
    }

    fn tell_agents(&self, agent: String) {
        let agents = self
            .agents
            .iter()
            .map(|(name, read)| AgentView {
                name: name.clone(),
                description: read
                    .as_ref()
                    .map_or(String::new(), |folder| folder.description.clone()),
                faults: read.as_ref().err().map_or(Vec::new(), |faults| {
                    faults.0.iter().map(ToString::to_string).collect()
                }),
            })
            .collect();
        self.state.change(Change::Agents { agents, agent });
    }

    async fn choose(&mut self, name: &str) -> Result<(), CommandError> {
        // Read anew: the person may just have mended it.
        let (places, wanted) = (self.places.clone(), name.to_owned());
        let read = tokio::task::spawn_blocking(move || agents::find(&places, &wanted))
            .await
            .map_err(|error| CommandError::Source(error.to_string()))?;
        let folder = read.map_err(CommandError::Agent)?;
        let name = folder.name.clone();
        match self.agents.iter_mut().find(|(known, _)| *known == name) {
            Some(known) => known.1 = Ok(folder),
            None => self.agents.push((name.clone(), Ok(folder))),
        }
        self.end(None).await;
        self.tell_agents(name);
        Ok(())
    }

    // Sessions.

    async fn ask(&mut self, question: String, reply: Reply<()>) {
        if self.asked.is_some() || self.waiting.is_some() {
            let _ = reply.send(Err(CommandError::Busy));
            return;
        }
        match self.state.read(|s| s.backend.clone()) {
            BackendView::Starting => {
                self.waiting = Some((question, reply));
                return;
            }
            BackendView::Failed { trouble } => {
                let _ = reply.send(Err(CommandError::NoBackend(trouble.says)));
                return;
            }
            BackendView::Local => {}
        }
        let asked = match self.session().await {
            Ok(()) => self.put(&question).await,
            Err(error) => Err(error),
        };
        let _ = reply.send(asked);
    }

    async fn put(&mut self, question: &str) -> Result<(), CommandError> {
        let Some(live) = &self.live else {
            return Err(CommandError::Closing);
        };
        live.conversation
            .send(question)
            .await
            .map_err(|error| CommandError::Failed(Trouble::new(&error).says))?;
        self.asked = Some(Instant::now());
        self.state.change(Change::Thinking { thinking: true });
        self.marks();
        Ok(())
    }

    /// Makes sure that there is a session, and that it is shown what is looked at.
    async fn session(&mut self) -> Result<(), CommandError> {
        if self.live.is_some() {
            return Ok(());
        }
        let chosen = self.state.read(|s| s.agent.clone());
        let agent = match self.agents.iter().find(|(name, _)| *name == chosen) {
            Some((_, Ok(agent))) => agent.clone(),
            Some((_, Err(faults))) => return Err(CommandError::Agent(faults.clone())),
            None => return Err(CommandError::NoAgent),
        };
        let Some(backend) = &self.backend else {
            return Err(CommandError::Closing);
        };
        self.state.change(Change::Session {
            session: SessionView::Starting,
        });
        let conversation = match Conversation::start(&agent, backend).await {
            Ok(conversation) => conversation,
            Err(error) => {
                let trouble = Trouble::new(&error);
                self.state.change(Change::Session {
                    session: SessionView::Ended {
                        trouble: Some(trouble.clone()),
                    },
                });
                return Err(CommandError::Failed(trouble.says));
            }
        };
        self.sessions += 1;
        let number = self.sessions;
        let (events, notes) = (conversation.events(), self.notes.clone());
        let pump = tokio::spawn(async move {
            while let Some(event) = events.next().await {
                if notes.send(Note::Session(number, event)).is_err() {
                    return;
                }
            }
        });
        self.live = Some(Live {
            number,
            board: conversation.board(),
            conversation,
            fold: Fold::new(number),
            pump,
        });
        self.state.change(Change::Session {
            session: SessionView::Ready,
        });
        self.share().await;
        Ok(())
    }

    async fn heard(&mut self, number: u32, event: &SessionEvent) {
        let Some(live) = self.live.as_mut().filter(|live| live.number == number) else {
            return;
        };
        for change in live.fold.take(event, Instant::now()) {
            self.state.change(change);
        }
        match event {
            SessionEvent::Frame(ServerFrame::TurnComplete {
                role: Role::Assistant,
            }) => self.answered(),
            SessionEvent::SessionEnded { reason } => {
                let trouble = reason.as_deref().map(|why| {
                    Trouble::new(format!(
                        "the session ended ({why}); ask again to start another"
                    ))
                });
                self.end(trouble).await;
            }
            _ => {}
        }
    }

    fn answered(&mut self) {
        if self.asked.take().is_some() {
            self.state.change(Change::Thinking { thinking: false });
        }
    }

    async fn end(&mut self, trouble: Option<Trouble>) {
        self.answered();
        let Some(mut live) = self.live.take() else {
            return;
        };
        let ended = SessionEvent::SessionEnded { reason: None };
        for change in live.fold.take(&ended, Instant::now()) {
            self.state.change(change);
        }
        live.pump.abort();
        live.board.wipe(Wipe::SessionEnded);
        self.marks();
        live.conversation.close().await;
        self.state.change(Change::Session {
            session: SessionView::Ended { trouble },
        });
    }

    async fn tick(&mut self) {
        if let Some(live) = &self.live {
            live.board.marks.lock().expire(Instant::now());
            self.marks();
        }
        if self.asked.is_some_and(|asked| asked.elapsed() > PATIENCE) {
            self.end(Some(Trouble::new(
                "no answer came; the session was ended, ask again to start another",
            )))
            .await;
        }
    }
}
