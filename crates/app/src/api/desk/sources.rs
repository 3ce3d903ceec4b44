//! What is looked at: opened, shared with the agent, watched until its end.

use std::{path::Path, sync::Arc};

use alidade_media::{ScreenChoice, Source, SourceError, SourceSpec};
use alidade_sdk::TrackSource;

use super::{
    super::{
        Show,
        view::{Change, SourceKind, SourceState, SourceView, Trouble},
    },
    Desk, Note,
};

impl Desk {
    pub(super) async fn show(&mut self, what: Show) {
        let spec = match what {
            Show::Source(spec) => spec,
            Show::Pasted(bytes) => SourceSpec::Encoded(bytes.into()),
        };
        self.stop_showing().await;
        self.original = match &spec {
            SourceSpec::Picture(path)
            | SourceSpec::Folder { path, .. }
            | SourceSpec::Video { path, .. } => Some(path.clone()),
            SourceSpec::Encoded(_) | SourceSpec::Camera(_) | SourceSpec::Screen(_) => None,
        };
        self.sources += 1;
        let number = self.sources;
        let (kind, name) = described(&spec);
        self.state.change(Change::Source {
            source: Some(SourceView {
                id: number,
                kind,
                name,
                state: SourceState::Opening,
            }),
        });
        let notes = self.notes.clone();
        tokio::spawn(async move {
            let opened = Source::opened(spec).await;
            let _ = notes.send(Note::Opened(number, opened));
        });
    }

    pub(super) async fn opened(&mut self, number: u32, opened: Result<Source, SourceError>) {
        if number != self.sources || self.state.read(|s| s.source.is_none()) {
            // Somebody wanted something else meanwhile; dropping lets go of it.
            return;
        }
        match opened {
            Ok(source) => {
                let source = Arc::new(source);
                self.state.look_at(number, Some(source.clone()));
                self.state.source_opened(number, source.name());
                self.watch(number, source);
                self.share().await;
            }
            Err(error) => {
                let trouble = Some(Trouble::new(&error));
                self.state
                    .source_state(number, SourceState::Ended { trouble });
            }
        }
    }

    /// Tells when the source gives no more pictures.
    pub(super) fn watch(&self, number: u32, source: Arc<Source>) {
        let state = Arc::downgrade(&self.state);
        tokio::spawn(async move {
            let trouble = match source.ended().await {
                SourceError::Ended | SourceError::Stopped => None,
                other => Some(Trouble::new(&other)),
            };
            if let Some(state) = state.upgrade() {
                state.source_state(number, SourceState::Ended { trouble });
            }
        });
    }

    /// Sends what is looked at to the agent, where there is one.
    pub(super) async fn share(&mut self) {
        let Some(live) = &mut self.live else {
            return;
        };
        let Some(view) = self.state.read(|s| s.source.clone()) else {
            return;
        };
        let Some(source) = self.state.source(view.id) else {
            return;
        };
        let track = match view.kind {
            SourceKind::Picture | SourceKind::Folder | SourceKind::Screen | SourceKind::Window => {
                TrackSource::ScreenShare
            }
            SourceKind::Video | SourceKind::Camera => TrackSource::Camera,
        };
        if let Err(error) = live.conversation.show(source, track).await {
            let change = live.fold.trouble(Trouble::new(&error));
            self.state.change(change);
        }
        self.marks();
    }

    pub(super) async fn stop_showing(&mut self) {
        self.state.stop_source();
        self.original = None;
        if let Some(live) = &mut self.live {
            live.conversation.withdraw().await;
        }
        if self.state.read(|s| s.source.is_some()) {
            self.state.change(Change::Source { source: None });
        }
        self.marks();
    }
}

fn described(spec: &SourceSpec) -> (SourceKind, String) {
    let last = |path: &Path| {
        path.file_name()
            .unwrap_or(path.as_os_str())
            .to_string_lossy()
            .into_owned()
    };
    match spec {
        SourceSpec::Picture(path) => (SourceKind::Picture, last(path)),
        SourceSpec::Encoded(_) => (SourceKind::Picture, String::new()),
        SourceSpec::Folder { path, .. } => (SourceKind::Folder, last(path)),
        SourceSpec::Video { path, .. } => (SourceKind::Video, last(path)),
        SourceSpec::Camera(_) => (SourceKind::Camera, String::new()),
        SourceSpec::Screen(ScreenChoice::Whole) => (SourceKind::Screen, String::new()),
        SourceSpec::Screen(ScreenChoice::Monitor(name)) => (SourceKind::Screen, name.clone()),
        SourceSpec::Screen(ScreenChoice::Window(_) | ScreenChoice::Titled(_)) => {
            (SourceKind::Window, String::new())
        }
    }
}
