//! Picture files and folders of them, good and bad.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failed test may panic"
)]

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use alidade_media::{Source, SourceError, SourceSpec, Wanted};
use alidade_picture::{PictureId, Size};
use common::{next, picture};

const HOUR: Duration = Duration::from_secs(3600);

async fn open_picture(path: impl Into<PathBuf>) -> Result<Source, SourceError> {
    Source::opened(SourceSpec::Picture(path.into())).await
}

async fn open_folder(path: &Path, every: Duration) -> Result<Source, SourceError> {
    let path = path.to_owned();
    Source::opened(SourceSpec::Folder { path, every }).await
}

#[tokio::test]
async fn a_picture_is_shown_once_and_then_waited_for_until_the_source_stops() {
    let folder = tempfile::tempdir().unwrap();
    let path = picture(folder.path(), "shot.png", (30, 20), [1, 2, 3]);
    let source = open_picture(path).await.unwrap();
    assert_eq!(source.name(), "shot.png");
    let shown = source.next(None).await.unwrap();
    assert_eq!(
        (shown.id(), shown.size()),
        (PictureId(1), Size::new(30, 20))
    );
    assert_eq!(&shown.rgb()[..3], [1, 2, 3]);
    assert_eq!(source.next(None).await.unwrap().id(), shown.id());
    let waiting = source.next(Some(shown.id()));
    tokio::pin!(waiting);
    tokio::select! {
        biased;
        early = &mut waiting => panic!("nothing new can come: {early:?}"),
        () = tokio::task::yield_now() => {}
    }
    let over = source.ended();
    tokio::pin!(over);
    tokio::select! {
        biased;
        early = &mut over => panic!("it is not over: {early}"),
        () = tokio::task::yield_now() => {}
    }
    assert!(source.stop());
    assert_eq!(waiting.await.unwrap_err(), SourceError::Stopped);
    assert_eq!(over.await, SourceError::Stopped);
}

#[tokio::test]
async fn the_bytes_of_a_picture_are_shown_and_other_bytes_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = picture(folder.path(), "shot.png", (30, 20), [1, 2, 3]);
    let bytes = std::fs::read(path).unwrap();
    let pasted = Source::opened(SourceSpec::Encoded(bytes[..].into())).await;
    assert_eq!(
        pasted.unwrap().next(None).await.unwrap().size(),
        Size::new(30, 20)
    );
    for wrong in [&bytes[..40], b"no picture", b""] {
        let refused = Source::opened(SourceSpec::Encoded(wrong.into())).await;
        assert!(
            matches!(refused, Err(SourceError::Picture { .. })),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn a_picture_larger_than_anything_that_is_shown_is_scaled_and_keeps_its_source_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = picture(folder.path(), "wide.png", (9000, 3000), [9, 9, 9]);
    let shown = open_picture(path).await.unwrap().next(None).await.unwrap();
    assert!(shown.size().pixels() <= 16_000_000, "{}", shown.size());
    assert!(shown.size().width.abs_diff(3 * shown.size().height) <= 3);
    assert_eq!(shown.region().size, Size::new(9000, 3000));
}

#[tokio::test]
async fn everything_that_is_no_picture_is_refused_at_once_with_its_own_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let whole = fs::read(picture(folder.path(), "whole.png", (40, 40), [7, 8, 9])).unwrap();
    fs::write(at("cut.png"), &whole[..whole.len() / 2]).unwrap();
    fs::write(at("empty.png"), "").unwrap();
    fs::write(at("text.png"), "this is no picture at all").unwrap();
    fs::write(at("video.mp4"), b"\0\0\0\x18ftypmp42\0\0\0\0").unwrap();
    // The header of a PNG picture without columns; its checksum is right.
    fs::write(
        at("zero.png"),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\x08\x02\0\0\0\xb4\xe9\xeb\x45",
    )
    .unwrap();
    // A bitmap of nothing.
    let mut bitmap = b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    bitmap.extend([0; 36]);
    fs::write(at("zero.bmp"), bitmap).unwrap();
    // A PNG picture that claims to be four million pixels wide.
    fs::write(
        at("huge.png"),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\x40\0\0\0\x40\0\0\x08\x02\0\0\0\xad\x17\x9e\x58",
    )
    .unwrap();
    fs::create_dir(at("folder.png")).unwrap();

    for name in [
        "cut.png",
        "empty.png",
        "text.png",
        "video.mp4",
        "zero.png",
        "zero.bmp",
        "huge.png",
    ] {
        let refused = open_picture(at(name)).await.unwrap_err();
        assert!(
            matches!(refused, SourceError::Picture { .. }),
            "{name}: {refused:?}"
        );
        assert!(refused.to_string().contains(name), "{refused}");
    }
    let folder_refused = open_picture(at("folder.png")).await.unwrap_err();
    assert!(
        matches!(folder_refused, SourceError::NotAFile { .. }),
        "{folder_refused}"
    );
    let missing = open_picture(at("missing.png")).await.unwrap_err();
    assert!(matches!(missing, SourceError::NotFound(_)), "{missing}");
    let beneath = open_picture(at("text.png").join("x.png"))
        .await
        .unwrap_err();
    assert!(matches!(beneath, SourceError::NotFound(_)), "{beneath}");
}

#[cfg(unix)]
#[tokio::test]
async fn pipes_and_devices_are_refused_and_never_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.png");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for path in [
        pipe.as_path(),
        Path::new("/dev/null"),
        Path::new("/dev/zero"),
    ] {
        let video = SourceSpec::Video {
            path: path.into(),
            looped: true,
        };
        for (spec, wanted, sentence) in [
            (
                SourceSpec::Picture(path.into()),
                Wanted::Picture,
                "give a picture file",
            ),
            (video, Wanted::Video, "give a video file"),
        ] {
            let refused = Source::opened(spec).await.unwrap_err();
            let named = SourceError::NotAFile {
                path: path.display().to_string(),
                wanted,
            };
            assert_eq!(refused, named);
            assert!(refused.to_string().ends_with(sentence), "{refused}");
        }
        let refused = open_folder(path, HOUR).await.unwrap_err();
        assert!(matches!(refused, SourceError::NotAFolder(_)), "{refused:?}");
    }
}

#[tokio::test]
async fn an_empty_name_is_asked_for_and_not_looked_for() {
    let path = PathBuf::new();
    for spec in [
        SourceSpec::Picture(path.clone()),
        SourceSpec::Folder {
            path: path.clone(),
            every: HOUR,
        },
        SourceSpec::Video {
            path,
            looped: false,
        },
    ] {
        let refused = Source::opened(spec).await.unwrap_err();
        assert_eq!(refused, SourceError::Unnamed);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn what_may_not_be_read_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = picture(folder.path(), "secret.png", (4, 4), [0; 3]);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o0)).unwrap();
    let opened = open_picture(&path).await;
    // The system's administrator may read everything.
    if fs::read(&path).is_ok() {
        assert!(opened.is_ok());
    } else {
        let refused = opened.unwrap_err();
        assert!(refused.to_string().contains("permissions"), "{refused}");
    }
}

#[tokio::test]
async fn the_pictures_of_a_folder_come_in_natural_order_and_begin_again() {
    let folder = tempfile::tempdir().unwrap();
    for (name, level) in [("10.png", 10), ("9.png", 9), ("b.PNG", 20), ("1.png", 1)] {
        picture(folder.path(), name, (4, 4), [level; 3]);
    }
    fs::write(folder.path().join("notes.txt"), "not a picture").unwrap();
    picture(folder.path(), ".hidden.png", (4, 4), [99; 3]);
    fs::create_dir(folder.path().join("more.png")).unwrap();
    let source = open_folder(folder.path(), HOUR).await.unwrap();
    let mut after = None;
    let mut levels = Vec::new();
    for _ in 0..6 {
        levels.push(next(&source, &mut after).await.unwrap().rgb()[0]);
        source.skip();
    }
    assert_eq!(levels, [1, 9, 10, 20, 1, 9]);
}

#[tokio::test]
async fn the_pictures_of_a_folder_go_on_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    for level in 1..4 {
        picture(folder.path(), &format!("{level}.png"), (4, 4), [level; 3]);
    }
    let source = open_folder(folder.path(), Duration::ZERO).await.unwrap();
    let mut after = None;
    let mut last = 0;
    for _ in 0..5 {
        let level = next(&source, &mut after).await.unwrap().rgb()[0];
        assert_ne!(level, last);
        last = level;
    }
    assert!(source.stop());
}

#[tokio::test]
async fn a_picture_of_a_folder_that_cannot_be_read_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    picture(folder.path(), "2.png", (4, 4), [2; 3]);
    picture(folder.path(), "4.png", (4, 4), [4; 3]);
    for broken in ["1.png", "3.jpg", "5.gif"] {
        fs::write(folder.path().join(broken), "broken").unwrap();
    }
    let source = open_folder(folder.path(), HOUR).await.unwrap();
    let mut after = None;
    for expected in [2, 4, 2] {
        assert_eq!(next(&source, &mut after).await.unwrap().rgb()[0], expected);
        source.skip();
    }
}

#[tokio::test]
async fn a_folder_whose_pictures_vanish_ends_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = picture(folder.path(), "1.png", (4, 4), [1; 3]);
    let source = open_folder(folder.path(), HOUR).await.unwrap();
    let mut after = None;
    next(&source, &mut after).await.unwrap();
    fs::remove_file(path).unwrap();
    source.skip();
    let end = next(&source, &mut after).await.unwrap_err();
    assert!(matches!(end, SourceError::NotFound(_)), "{end}");
}

#[tokio::test]
async fn folders_without_a_picture_have_their_own_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |path: PathBuf| async move { open_folder(&path, HOUR).await.unwrap_err() };
    let empty = refused(folder.path().into()).await;
    assert!(matches!(empty, SourceError::NoPictures(_)), "{empty}");
    let missing = refused(folder.path().join("missing")).await;
    assert!(matches!(missing, SourceError::NotFound(_)), "{missing}");
    fs::write(folder.path().join("broken.png"), "broken").unwrap();
    let broken = refused(folder.path().into()).await;
    assert!(broken.to_string().contains("broken.png"), "{broken}");
    let file = refused(folder.path().join("broken.png")).await;
    assert!(matches!(file, SourceError::NotAFolder(_)), "{file}");
}

#[test]
fn without_a_camera_the_sentence_says_what_else_there_is() {
    use alidade_media::{CameraChoice, cameras};
    // On a machine with a camera there is nothing to see here but that nothing breaks.
    if cameras().is_ok_and(|all| all.is_empty()) {
        let refused = Source::open(SourceSpec::Camera(CameraChoice::First)).unwrap_err();
        assert_eq!(refused, SourceError::NoCamera);
        assert!(refused.to_string().contains("give a picture"), "{refused}");
    }
}
