//! One API of commands and events, for every face that stays open: the window, and tests without one.
//!
//! [`App`] is a handle that many may hold. Behind it one task owns the backend, the session, the source and the
//! marks; commands reach it in order, and every change it makes is told as an [`Event`]. A face that opens late,
//! or missed something, takes a [`Snapshot`] and goes on from its revision.

mod desk;
mod fold;
mod offers;
mod preview;
mod state;
#[cfg(test)]
mod typescript;
pub mod view;

use std::{path::PathBuf, sync::Arc, time::Duration};

use alidade_media::{CameraChoice, ScreenChoice, SourceSpec};
use alidade_picture::Picture;
use image::{
    ExtendedColorType, ImageEncoder as _,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use tokio::sync::{broadcast, mpsc, oneshot};

pub use offers::{cameras, screens};
pub use preview::Preview;
use state::State;
use view::Trouble;
pub use view::{Event, Snapshot, SourceKind, Wanted};

use crate::{AgentPlaces, LONGEST_QUESTION, agents};

/// Events that wait for a slow face; one that falls behind further is told so and takes a new snapshot.
const EVENTS_WAITING: usize = 1_024;
/// Commands that wait; more than anyone can click.
const COMMANDS_WAITING: usize = 64;
/// How long a face waits for a picture before it asks again.
const PREVIEW_PATIENCE: Duration = Duration::from_secs(1);

/// Why a command was not taken.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// Nothing was asked.
    #[error("Write a question first.")]
    NothingAsked,
    /// The question is too long.
    #[error("The question is longer than {LONGEST_QUESTION} bytes. Shorten it.")]
    TooLong,
    /// There is no agent to answer.
    #[error("No agent was found. Put one into the agents folder, or install the program again.")]
    NoAgent,
    /// The session could not be started, or the question not be sent.
    #[error("{0}")]
    Failed(String),
    /// An answer is on its way.
    #[error("Wait for the answer first, or end the session.")]
    Busy,
    /// There is no backend.
    #[error("The local backend is not there: {0}")]
    NoBackend(String),
    /// There is no such agent, or its folder is faulty.
    #[error("{0}")]
    Agent(agents::Faults),
    /// What was pasted or dropped is no picture that can be shown.
    #[error("{0}")]
    Source(String),
    /// The marked picture could not be written.
    #[error("{0}")]
    Write(String),
    /// There is no picture to save.
    #[error("There is no picture yet. Open one first.")]
    NoPicture,
    /// The application is on its way out.
    #[error("The application is closing.")]
    Closing,
}

/// What is to be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Show {
    /// Something there is a source for, with the name a person gives it.
    Source(SourceSpec),
    /// An encoded picture, as it is pasted.
    Pasted(Vec<u8>),
}

impl Show {
    /// A file or folder by its look: a folder is played, a video is a video, everything else is tried as a picture.
    #[must_use]
    pub fn path(path: PathBuf) -> Self {
        const VIDEOS: [&str; 8] = ["mp4", "mkv", "webm", "mov", "avi", "m4v", "ogv", "gif"];
        let ending = path
            .extension()
            .map(|e| e.to_string_lossy().to_ascii_lowercase());
        Self::Source(if path.is_dir() {
            SourceSpec::Folder {
                path,
                every: desk::EACH_PICTURE,
            }
        } else if ending.is_some_and(|e| VIDEOS.contains(&e.as_str())) {
            SourceSpec::Video { path, looped: true }
        } else {
            SourceSpec::Picture(path)
        })
    }

    /// Pixels as they lie on a clipboard: rows without padding, red, green, blue and opacity, a byte each. It takes
    /// a moment.
    ///
    /// # Errors
    /// [`CommandError::Source`] where the bytes are not those of such a picture.
    pub fn pixels(width: usize, height: usize, rgba: &[u8]) -> Result<Self, CommandError> {
        let refused = |why: &dyn std::fmt::Display| CommandError::Source(Trouble::new(why).says);
        let side = |pixels: usize| u32::try_from(pixels).map_err(|why| refused(&why));
        let (width, height) = (side(width)?, side(height)?);
        let pixels = u64::from(width) * u64::from(height);
        let length = pixels.saturating_mul(4);
        if length != rgba.len() as u64 || length == 0 {
            return Err(refused(
                &"what was pasted is no whole picture; copy it again",
            ));
        }
        let mut encoded = Vec::new();
        PngEncoder::new_with_quality(&mut encoded, CompressionType::Fast, FilterType::Up)
            .write_image(rgba, width, height, ExtendedColorType::Rgba8)
            .map_err(|why| refused(&why))?;
        Ok(Self::Pasted(encoded))
    }

    /// A camera by its number.
    #[must_use]
    pub fn camera(index: u32) -> Self {
        Wanted::Camera { index }.into()
    }
}

impl From<Wanted> for Show {
    fn from(wanted: Wanted) -> Self {
        Self::Source(match wanted {
            Wanted::Camera { index } => SourceSpec::Camera(CameraChoice::Index(index)),
            Wanted::Screen => SourceSpec::Screen(ScreenChoice::Whole),
            Wanted::Monitor { name } => SourceSpec::Screen(ScreenChoice::Monitor(name)),
            Wanted::Window { id } => SourceSpec::Screen(ScreenChoice::Window(id)),
        })
    }
}

type Reply<T> = oneshot::Sender<Result<T, CommandError>>;

/// What faces ask for.
enum Command {
    Show(Show),
    StopShowing,
    Ask(String, Reply<()>),
    ClearMarks,
    ChooseAgent(String, Reply<()>),
    EndSession,
    Marked(Reply<desk::Marked>),
    Close(oneshot::Sender<()>),
}

/// The application. Clones are handles of the same one; it ends with [`App::close`], or with the last handle.
#[derive(Clone)]
pub struct App {
    commands: mpsc::Sender<Command>,
    state: Arc<State>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").finish_non_exhaustive()
    }
}

impl App {
    /// Starts the application: it is there at once, the backend follows and says so as an event. To be called
    /// inside a tokio runtime.
    #[must_use]
    pub fn open(places: AgentPlaces) -> Self {
        let (commands, reader) = mpsc::channel(COMMANDS_WAITING);
        let (events, _) = broadcast::channel(EVENTS_WAITING);
        let state = Arc::new(State::new(events));
        tokio::spawn(desk::Desk::new(state.clone(), places).run(reader));
        Self { commands, state }
    }

    /// Everything there is to see now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.state.snapshot()
    }

    /// What changes from now on.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.state.events()
    }

    /// The newest picture of what is looked at, unless it was `seen`, as source and picture; waits a second for one.
    pub async fn preview(&self, seen: Option<(u32, u32)>) -> Option<Preview> {
        tokio::time::timeout(PREVIEW_PATIENCE, self.newest(seen))
            .await
            .ok()?
    }

    async fn newest(&self, seen: Option<(u32, u32)>) -> Option<Preview> {
        loop {
            let (looked_at, changed) = self.state.looked_at();
            let Some((number, source)) = looked_at else {
                changed.await;
                continue;
            };
            let after = seen.filter(|seen| seen.0 == number).map(|seen| seen.1);
            tokio::select! {
                newest = preview::newest(&source, number, after) => return newest,
                // What was waited for may never come: something else is looked at.
                () = changed => {}
            }
        }
    }

    /// Looks at something else from now on. What comes of it is told by events.
    ///
    /// # Errors
    /// [`CommandError::Closing`].
    pub async fn show(&self, what: Show) -> Result<(), CommandError> {
        self.send(Command::Show(what)).await
    }

    /// Looks at nothing from now on; nothing is sent any more.
    ///
    /// # Errors
    /// [`CommandError::Closing`].
    pub async fn stop_showing(&self) -> Result<(), CommandError> {
        // At once, even while something else is being done.
        self.state.stop_source();
        self.send(Command::StopShowing).await
    }

    /// Asks. Returns once the question is on its way; the answer comes by events.
    ///
    /// # Errors
    /// [`CommandError`], a sentence each.
    pub async fn ask(&self, question: &str) -> Result<(), CommandError> {
        let question = question.trim();
        if question.is_empty() {
            return Err(CommandError::NothingAsked);
        }
        if question.len() > LONGEST_QUESTION {
            return Err(CommandError::TooLong);
        }
        self.call(|reply| Command::Ask(question.to_owned(), reply))
            .await
    }

    /// Takes all marks away.
    ///
    /// # Errors
    /// [`CommandError::Closing`].
    pub async fn clear_marks(&self) -> Result<(), CommandError> {
        self.send(Command::ClearMarks).await
    }

    /// Chooses who answers from now on; a session with another one ends.
    ///
    /// # Errors
    /// [`CommandError::Agent`] where there is no such agent or its folder is faulty.
    pub async fn choose_agent(&self, name: &str) -> Result<(), CommandError> {
        self.call(|reply| Command::ChooseAgent(name.to_owned(), reply))
            .await
    }

    /// Ends the session. The source stays; nothing of it is sent any more.
    ///
    /// # Errors
    /// [`CommandError::Closing`].
    pub async fn end_session(&self) -> Result<(), CommandError> {
        self.send(Command::EndSession).await
    }

    /// Writes the picture with its marks, as a PNG or JPEG by the file's ending.
    ///
    /// # Errors
    /// [`CommandError::NoPicture`] or [`CommandError::Write`].
    pub async fn save_marked(&self, file: PathBuf) -> Result<(), CommandError> {
        let marked = self.call(Command::Marked).await?;
        tokio::task::spawn_blocking(move || marked.write(&file))
            .await
            .map_err(|error| CommandError::Write(error.to_string()))?
    }

    /// The picture with its marks painted on it.
    ///
    /// # Errors
    /// [`CommandError::NoPicture`].
    pub async fn marked(&self) -> Result<Picture, CommandError> {
        let marked = self.call(Command::Marked).await?;
        tokio::task::spawn_blocking(move || marked.painted())
            .await
            .map_err(|error| CommandError::Write(error.to_string()))
    }

    /// Ends the session, lets go of the source and stops the backend, in bounded time.
    pub async fn close(&self) {
        let (done, told) = oneshot::channel();
        if self.commands.send(Command::Close(done)).await.is_ok() {
            // Where nobody answers it is closed already.
            let _ = told.await;
        }
    }

    async fn send(&self, command: Command) -> Result<(), CommandError> {
        self.commands
            .send(command)
            .await
            .map_err(|_| CommandError::Closing)
    }

    async fn call<T>(&self, command: impl FnOnce(Reply<T>) -> Command) -> Result<T, CommandError> {
        let (reply, told) = oneshot::channel();
        self.send(command(reply)).await?;
        told.await.unwrap_or(Err(CommandError::Closing))
    }
}
