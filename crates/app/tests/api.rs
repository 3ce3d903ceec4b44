//! The application as a face sees it: commands go in, events come out, snapshots agree with them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::{path::PathBuf, time::Duration};

use alidade_app::{
    AgentPlaces,
    api::{
        App, CommandError, Event, Show, Snapshot,
        view::{BackendView, Change, EntryView, SessionView, ShapeView, SourceState, ToolOutcome},
    },
};
use tokio::sync::broadcast;

const LONG: Duration = Duration::from_secs(120);

fn file(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../tests/pictures", name]
        .iter()
        .collect()
}

fn agents() -> AgentPlaces {
    AgentPlaces(vec![
        [env!("CARGO_MANIFEST_DIR"), "../../agents"]
            .iter()
            .collect(),
    ])
}

/// A face: reads events and keeps what it saw.
struct Face {
    app: App,
    events: broadcast::Receiver<Event>,
    revision: u32,
}

impl Face {
    fn open() -> Self {
        let app = App::open(agents());
        let events = app.events();
        let revision = app.snapshot().revision;
        Self {
            app,
            events,
            revision,
        }
    }

    /// Waits until the application looks like this.
    async fn until(&mut self, what: &str, like: impl Fn(&Snapshot) -> bool) -> Snapshot {
        let waiting = async {
            loop {
                let snapshot = self.app.snapshot();
                if like(&snapshot) {
                    return snapshot;
                }
                let event = self.events.recv().await.unwrap();
                assert!(
                    event.revision <= self.revision || event.revision == self.revision + 1,
                    "no event is left out"
                );
                self.revision = self.revision.max(event.revision);
            }
        };
        tokio::time::timeout(LONG, waiting)
            .await
            .unwrap_or_else(|_| panic!("never: {what}"))
    }

    async fn show(&mut self, name: &str) {
        self.app.show(Show::path(file(name))).await.unwrap();
        self.until("the picture", |s| {
            s.source
                .as_ref()
                .is_some_and(|source| source.name == name && source.state == SourceState::Showing)
        })
        .await;
    }

    async fn ask(&mut self, question: &str) -> Snapshot {
        self.until("agents", |s| !s.agents.is_empty()).await;
        self.app.ask(question).await.unwrap();
        self.until("an answer", |s| !s.thinking).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_about_a_picture_ends_as_words_a_tool_and_a_mark() {
    let mut face = Face::open();
    face.show("settings.png").await;
    let seen = face.ask("Where is the Cancel button?").await;
    assert_eq!(seen.backend, BackendView::Local);
    assert_eq!(seen.session, SessionView::Ready);
    assert_eq!(seen.marks.len(), 1, "{seen:?}");
    assert!(matches!(seen.marks[0].shape, ShapeView::Box { .. }));
    assert!(seen.marks[0].newest);
    let kinds: Vec<&EntryView> = seen.entries.iter().map(|e| &e.what).collect();
    assert!(
        kinds.iter().any(
            |e| matches!(e, EntryView::Asked { text } if text == "Where is the Cancel button?")
        )
    );
    assert!(kinds.iter().any(|e| matches!(
        e,
        EntryView::Tool {
            outcome: ToolOutcome::Done,
            took_ms: Some(_),
            ..
        }
    )));
    assert!(
        kinds
            .iter()
            .any(|e| matches!(e, EntryView::Said { done: true, text } if text.contains("Cancel"))),
        "{kinds:?}"
    );

    // The marked picture can be kept.
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("marked.png");
    face.app.save_marked(out.clone()).await.unwrap();
    assert_ne!(
        std::fs::read(&out).unwrap(),
        std::fs::read(file("settings.png")).unwrap()
    );
    let refused = face.app.save_marked(folder.path().join("marked.txt")).await;
    assert!(matches!(refused, Err(CommandError::Write(_))));

    // Another source takes the marks away; the next question is about it.
    face.show("labels.png").await;
    let seen = face.until("no marks", |s| s.marks.is_empty()).await;
    assert_eq!(seen.session, SessionView::Ready);
    face.app.close().await;
    assert!(matches!(
        face.app.ask("Where?").await,
        Err(CommandError::Closing)
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn events_make_of_an_old_snapshot_the_new_one() {
    let mut face = Face::open();
    let mut rest = face.app.events();
    let before = face.app.snapshot();
    // Read as they come: an answer may make more of them than wait for a slow reader.
    let (keep, mut kept) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok(event) = rest.recv().await {
            if keep.send(event).is_err() {
                return;
            }
        }
    });
    face.show("settings.png").await;
    face.ask("Where is Save?").await;
    let after = face.app.snapshot();
    let mut entries = before.entries.clone();
    let mut marks = before.marks.clone();
    let mut revision = before.revision;
    while revision < after.revision {
        let event = kept.recv().await.unwrap();
        if event.revision <= revision {
            continue;
        }
        assert_eq!(event.revision, revision + 1);
        revision = event.revision;
        match event.change {
            Change::Entry { entry } => match entries.iter_mut().find(|e| e.id == entry.id) {
                Some(old) => *old = entry,
                None => entries.push(entry),
            },
            Change::More { id, text: more } => {
                let said = entries.iter_mut().find(|e| e.id == id).unwrap();
                let EntryView::Said { text, .. } = &mut said.what else {
                    panic!("more of {said:?}");
                };
                text.push_str(&more);
            }
            Change::Marks { marks: now } => marks = now,
            _ => {}
        }
    }
    assert_eq!(entries, after.entries);
    assert_eq!(marks, after.marks);
    face.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_face_pulls_the_newest_picture_and_only_newer_ones() {
    let mut face = Face::open();
    assert!(face.app.preview(None).await.is_none());
    let waiting = tokio::spawn({
        let app = face.app.clone();
        async move {
            loop {
                if let Some(preview) = app.preview(None).await {
                    return preview;
                }
            }
        }
    });
    face.show("settings.png").await;
    let source = face.app.snapshot().source.unwrap().id;
    let first = face.app.preview(None).await.unwrap();
    assert_eq!(first.source, source);
    assert_eq!(waiting.await.unwrap().jpeg, first.jpeg);
    assert_eq!(&first.jpeg[..2], [0xff, 0xd8]);
    let packet = first.packet();
    assert_eq!(packet[..4], source.to_le_bytes());
    assert_eq!(packet[8..12], first.size.width.to_le_bytes());
    assert!(
        face.app
            .preview(Some((source, first.picture)))
            .await
            .is_none(),
        "a still picture has no newer one"
    );
    face.show("labels.png").await;
    let second = face.app.preview(Some((source, first.picture))).await;
    assert!(second.is_some_and(|p| p.source > source), "another source");
    face.app.stop_showing().await.unwrap();
    face.until("no source", |s| s.source.is_none()).await;
    assert!(face.app.preview(None).await.is_none());
    face.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_shown_or_asked_is_a_sentence() {
    let mut face = Face::open();
    let failed = |s: &Snapshot| match s.source.as_ref().map(|source| &source.state) {
        Some(SourceState::Ended { trouble }) => trouble.clone(),
        _ => None,
    };
    face.app
        .show(Show::path("/nowhere/shot.png".into()))
        .await
        .unwrap();
    let seen = face.until("a trouble", |s| failed(s).is_some()).await;
    assert!(failed(&seen).unwrap().says.contains("shot.png"));
    face.app
        .show(Show::Pasted(b"no picture".to_vec()))
        .await
        .unwrap();
    face.until("a pasted trouble", |s| {
        failed(s).is_some_and(|trouble| trouble.says.contains("asted"))
    })
    .await;
    assert!(matches!(
        face.app.ask("  ").await,
        Err(CommandError::NothingAsked)
    ));
    assert!(matches!(
        face.app.ask(&"x".repeat(40_000)).await,
        Err(CommandError::TooLong)
    ));
    let saved = face.app.save_marked("/tmp/never.png".into()).await;
    assert!(matches!(saved, Err(CommandError::NoPicture)), "{saved:?}");
    let chosen = face.app.choose_agent("nobody").await;
    assert!(matches!(chosen, Err(CommandError::Agent(_))));
    face.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pixels_of_a_clipboard_are_shown_and_broken_ones_are_a_sentence() {
    let mut face = Face::open();
    let mut rgba = vec![0; 40 * 20 * 4];
    rgba.chunks_exact_mut(4)
        .for_each(|pixel| pixel.copy_from_slice(&[10, 200, 30, 255]));
    face.app
        .show(Show::pixels(40, 20, &rgba).unwrap())
        .await
        .unwrap();
    face.until("the picture", |s| {
        let source = s.source.as_ref();
        source.is_some_and(|source| source.state == SourceState::Showing)
    })
    .await;
    let picture = face.app.marked().await.unwrap();
    assert_eq!((picture.size().width, picture.size().height), (40, 20));
    assert_eq!(picture.rgb()[..3], [10, 200, 30]);
    for (width, height) in [(40, 21), (0, 0), (usize::MAX, 2), (1 << 31, 1 << 31)] {
        let refused = Show::pixels(width, height, &rgba).unwrap_err();
        assert!(matches!(refused, CommandError::Source(_)), "{refused}");
    }
    face.app.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_looked_at_is_never_written_over() {
    let mut face = Face::open();
    let folder = tempfile::tempdir().unwrap();
    let original = folder.path().join("shot.png");
    std::fs::copy(file("settings.png"), &original).unwrap();
    let bytes = std::fs::read(&original).unwrap();
    face.app.show(Show::path(original.clone())).await.unwrap();
    face.until("the picture", |s| {
        let source = s.source.as_ref();
        source.is_some_and(|source| source.state == SourceState::Showing)
    })
    .await;
    let refused = face.app.save_marked(original.clone()).await.unwrap_err();
    assert!(
        matches!(&refused, CommandError::Write(why) if why.contains("shot.png")),
        "{refused}"
    );
    assert_eq!(std::fs::read(&original).unwrap(), bytes);
    face.app
        .save_marked(folder.path().join("other.png"))
        .await
        .unwrap();
    face.app.close().await;
}
