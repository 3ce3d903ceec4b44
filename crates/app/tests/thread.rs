//! The whole thread in one process: a picture, a room, the backend, its brain, a mark.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

use std::{path::PathBuf, time::Duration};

use alidade_app::{
    Answer, AskError, Backend, Conversation, LocalOptions, Source, SourceSpec, TrackSource,
    agents::{AgentFolder, Places, find},
};
use alidade_draw::marks::Shape;
use alidade_picture::{Area, Spot};

/// Where things stand in the picture, as tests/pictures/make.py drew them, in pixels.
const SAVE: [f64; 4] = [1002.0, 672.0, 110.0, 36.0];
const CANCEL: [f64; 4] = [880.0, 672.0, 110.0, 36.0];

fn agent() -> AgentFolder {
    find(&Places::default(), "point-and-ask").unwrap()
}

fn settings() -> PathBuf {
    concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/pictures/settings.png"
    )
    .into()
}

async fn shown(backend: &Backend) -> Conversation {
    let mut conversation = Conversation::start(&agent(), backend).await.unwrap();
    let source = Source::opened(SourceSpec::Picture(settings()))
        .await
        .unwrap();
    conversation
        .show(source, TrackSource::ScreenShare)
        .await
        .unwrap();
    conversation
}

fn marks_one(answer: &Answer, [x, y, width, height]: [f64; 4]) {
    assert_eq!(answer.marks.len(), 1, "{answer:?}");
    let area = Area::new(x / 1280.0, y / 800.0, width / 1280.0, height / 800.0);
    let at: Spot = match answer.marks[0].mark.shape {
        Shape::Box(found) => found.centre(),
        Shape::Point(spot) => spot,
    };
    assert!(
        area.contains(at),
        "{at:?} is not in {area:?}: {}",
        answer.text
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_ends_as_a_mark_bound_to_the_picture_it_was_asked_about() {
    let backend = Backend::local(LocalOptions::default()).await.unwrap();
    let mut conversation = shown(&backend).await;
    let answer = conversation.ask("Where is the Save button?").await.unwrap();
    marks_one(&answer, SAVE);
    assert!(!answer.not_found && !answer.ambiguous);
    let bound = answer.marks[0]
        .mark
        .picture
        .expect("the backend says which picture it meant");
    assert_eq!(answer.picture.as_ref().expect("it is kept").id(), bound);

    let answer = conversation.ask("and the Cancel button?").await.unwrap();
    marks_one(&answer, CANCEL);

    let answer = conversation
        .ask("Where is the Frobnicate button?")
        .await
        .unwrap();
    assert!(answer.not_found && answer.marks.is_empty(), "{answer:?}");
    assert!(!answer.text.is_empty());
    conversation.end().await;
    backend.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_source_is_asked_about_the_new_one() {
    let place = tempfile::tempdir().unwrap();
    let blank = place.path().join("blank.png");
    image::RgbImage::from_pixel(640, 400, image::Rgb([240; 3]))
        .save(&blank)
        .unwrap();
    let backend = Backend::local(LocalOptions::default()).await.unwrap();
    let mut conversation = shown(&backend).await;
    marks_one(&conversation.ask("Where is Save?").await.unwrap(), SAVE);
    let source = Source::opened(SourceSpec::Picture(blank)).await.unwrap();
    conversation
        .show(source, TrackSource::ScreenShare)
        .await
        .unwrap();
    let answer = conversation.ask("Where is Save?").await.unwrap();
    assert!(answer.not_found && answer.marks.is_empty(), "{answer:?}");
    let source = Source::opened(SourceSpec::Picture(settings()))
        .await
        .unwrap();
    conversation
        .show(source, TrackSource::ScreenShare)
        .await
        .unwrap();
    marks_one(&conversation.ask("Where is Save?").await.unwrap(), SAVE);
    conversation.end().await;
    backend.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backend_that_goes_away_in_the_middle_is_an_error_and_no_wait() {
    let backend = Backend::local(LocalOptions::default()).await.unwrap();
    let mut conversation = shown(&backend).await;
    let asking = conversation.ask("Where is the Save button?");
    // The question is polled first, so it is on its way when the backend goes.
    let going = backend.shutdown();
    let (answer, ()) = tokio::time::timeout(Duration::from_secs(60), async {
        tokio::join!(asking, going)
    })
    .await
    .expect("nobody waits for a backend that is gone");
    match answer {
        Err(AskError::Ended(_) | AskError::Send(_)) => {}
        other => panic!("{other:?}"),
    }
    let error = conversation.ask("Where is Save?").await.unwrap_err();
    assert!(
        matches!(error, AskError::Send(_) | AskError::Ended(_)),
        "{error:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_questions_in_a_row_get_five_hundred_answers() {
    let backend = Backend::local(LocalOptions::default()).await.unwrap();
    let mut conversation = shown(&backend).await;
    let questions = [
        "Where is Save?",
        "what can you do",
        "next",
        "clear",
        "Point at Cancel.",
        "",
    ];
    for number in 0..500 {
        let question = questions[number % questions.len()];
        let answer = conversation
            .ask(question)
            .await
            .unwrap_or_else(|e| panic!("{number} {question:?}: {e}"));
        assert!(
            !answer.text.is_empty(),
            "{number} {question:?} got no words"
        );
    }
    conversation.end().await;
    backend.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_agent_says_of_its_own_accord_is_no_answer() {
    let backend = Backend::local(LocalOptions::default()).await.unwrap();
    let mut greeter = agent();
    greeter.greeting = Some("Show me the bench.".into());
    let mut conversation = Conversation::start(&greeter, &backend).await.unwrap();
    conversation
        .show(
            Source::opened(SourceSpec::Picture(settings()))
                .await
                .unwrap(),
            TrackSource::ScreenShare,
        )
        .await
        .unwrap();
    let answer = conversation
        .ask("Where is the Cancel button?")
        .await
        .unwrap();
    assert_eq!(answer.marks.len(), 1, "{answer:?}");
    assert!(!answer.text.contains("bench"), "{answer:?}");
    let refused = conversation.ask(&"where is y".repeat(4_000)).await;
    assert!(matches!(refused, Err(AskError::TooLong)), "{refused:?}");
    conversation.end().await;
    backend.shutdown().await;
}
