//! Videos through the real `ffmpeg`, which also makes them.
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
};

use alidade_media::{Source, SourceError, SourceSpec};
use alidade_picture::{Picture, Size};
use common::{next, picture};

/// Runs ffmpeg to make a file.
fn ffmpeg(arguments: &[&str], to: &Path) -> bool {
    Command::new("ffmpeg")
        .args(["-hide_banner", "-loglevel", "error", "-nostdin", "-y"])
        .args(arguments)
        .arg(format!("file:{}", to.display()))
        .status()
        .expect("these tests need ffmpeg; install it")
        .success()
}

/// A video of `seconds` whose picture changes all the time.
fn moving(folder: &Path, name: &str, size: &str, seconds: &str) -> PathBuf {
    let path = folder.join(name);
    let source = format!("testsrc2=size={size}:rate=25:duration={seconds}");
    let made = ffmpeg(
        &[
            "-f", "lavfi", "-i", &source, "-c:v", "mpeg4", "-q:v", "3", "-f", "mp4",
        ],
        &path,
    );
    assert!(made);
    path
}

async fn open(path: impl Into<PathBuf>, looped: bool) -> Result<Source, SourceError> {
    let path = path.into();
    Source::opened(SourceSpec::Video { path, looped }).await
}

fn pixels(picture: &Picture) -> Vec<u8> {
    picture.rgb().into_owned()
}

#[tokio::test]
async fn a_video_plays_to_its_end_and_keeps_its_last_picture() {
    let folder = tempfile::tempdir().unwrap();
    let source = open(moving(folder.path(), "short.mp4", "64x48", "0.4"), false)
        .await
        .unwrap();
    assert_eq!(source.name(), "short.mp4");
    let mut after = None;
    let mut shown: Vec<Picture> = Vec::new();
    let end = loop {
        match next(&source, &mut after).await {
            Ok(picture) => shown.push(picture),
            Err(end) => break end,
        }
    };
    assert_eq!(end, SourceError::Ended);
    assert!(shown.len() as u64 + source.missed() >= 9, "{}", shown.len());
    let mut distinct: Vec<Vec<u8>> = shown.iter().map(pixels).collect();
    distinct.dedup();
    assert!(distinct.len() >= 3, "it moves");
    assert_eq!(
        source.next(None).await.unwrap().id(),
        shown.last().unwrap().id()
    );
    assert!(source.stop());
}

#[tokio::test]
async fn a_repeated_video_goes_on_past_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let source = open(moving(folder.path(), "loop.mp4", "64x48", "0.2"), true)
        .await
        .unwrap();
    let mut after = None;
    while after.map_or(0, |id: alidade_picture::PictureId| id.0) < 14 {
        next(&source, &mut after).await.unwrap();
    }
    assert!(source.stop());
    assert_eq!(source.next(None).await.unwrap_err(), SourceError::Stopped);
}

#[tokio::test]
async fn an_animated_picture_is_a_video_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("moving.gif");
    let source = "testsrc2=size=64x48:rate=5:duration=1,scale=63:47,setsar=1";
    assert!(ffmpeg(&["-f", "lavfi", "-i", source], &path));
    for looped in [false, true] {
        let source = open(&path, looped).await.unwrap();
        let mut after = None;
        let picture = next(&source, &mut after).await.unwrap();
        assert_eq!(picture.size(), Size::new(63, 47));
        let mut distinct = vec![pixels(&picture)];
        while distinct.len() < 4 {
            let picture = next(&source, &mut after).await.unwrap();
            if distinct.last() != Some(&pixels(&picture)) {
                distinct.push(pixels(&picture));
            }
        }
    }
}

#[tokio::test]
async fn a_video_that_was_taken_upright_stands_upright() {
    let folder = tempfile::tempdir().unwrap();
    let lying = moving(folder.path(), "lying.mp4", "64x32", "0.2");
    let turned = folder.path().join("turned.mp4");
    let from = lying.to_str().unwrap();
    // Newer versions write the turn one way, older ones the other.
    let made = ffmpeg(
        &[
            "-display_rotation",
            "90",
            "-i",
            from,
            "-c",
            "copy",
            "-f",
            "mp4",
        ],
        &turned,
    ) || ffmpeg(
        &[
            "-i",
            from,
            "-c",
            "copy",
            "-metadata:s:v:0",
            "rotate=90",
            "-f",
            "mp4",
        ],
        &turned,
    );
    assert!(made);
    let shown = open(turned, false).await.unwrap().next(None).await.unwrap();
    assert_eq!(shown.size(), Size::new(32, 64));
}

#[tokio::test]
async fn a_large_video_is_scaled_to_what_a_camera_gives_in_square_pixels() {
    let folder = tempfile::tempdir().unwrap();
    let large = moving(folder.path(), "large.mp4", "2560x1280", "0.1");
    let shown = open(large, false).await.unwrap().next(None).await.unwrap();
    assert_eq!(shown.size(), Size::new(1920, 960));
    let wide = folder.path().join("wide.mkv");
    assert!(ffmpeg(
        &[
            "-f",
            "lavfi",
            "-i",
            "testsrc2=size=64x64:rate=25:duration=0.1",
            "-vf",
            "setsar=2/1",
            "-c:v",
            "ffv1"
        ],
        &wide
    ));
    let shown = open(wide, false).await.unwrap().next(None).await.unwrap();
    assert_eq!(shown.size(), Size::new(128, 64));
}

#[tokio::test]
async fn colours_come_out_as_they_went_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("red.mkv");
    let made = ffmpeg(
        &[
            "-f",
            "lavfi",
            "-i",
            "color=c=0xc83264:size=64x64:rate=25:duration=0.2,format=gbrp",
            "-vf",
            "scale=out_color_matrix=bt709:out_range=tv,format=yuv444p",
            "-colorspace",
            "bt709",
            "-color_range",
            "tv",
            "-c:v",
            "ffv1",
        ],
        &path,
    );
    assert!(made);
    let shown = open(path, false).await.unwrap().next(None).await.unwrap();
    let middle = &pixels(&shown)[3 * (32 * 64 + 32)..][..3];
    for (got, wanted) in middle.iter().zip([200_u8, 50, 100]) {
        assert!(got.abs_diff(wanted) <= 4, "{middle:?}");
    }
}

#[tokio::test]
async fn names_are_names_and_neither_options_nor_addresses_nor_patterns() {
    let folder = tempfile::tempdir().unwrap();
    let video = moving(folder.path(), "plain.mp4", "32x32", "0.1");
    for name in [
        "-i.mp4",
        "-y",
        "http:example.mp4",
        "concat:a|b.mp4",
        "pipe:0",
        "async:cache:x.mp4",
        "frame%03d.mp4",
        "glob*.mp4",
        "a 'quoted' \"name\"\n.mp4",
        "naïve 😀.mp4",
    ] {
        let path = folder.path().join(name);
        fs::copy(&video, &path).unwrap();
        let shown = open(path, false).await.unwrap().next(None).await.unwrap();
        assert_eq!(shown.size(), Size::new(32, 32), "{name}");
    }
}

#[tokio::test]
async fn a_play_list_opens_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let video = moving(folder.path(), "secret.mp4", "32x32", "0.1");
    let video = video.display();
    for (name, text) in [
        (
            "list.mp4",
            format!("ffconcat version 1.0\nfile '{video}'\n"),
        ),
        (
            "list.m3u8",
            format!("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:{video}\n#EXT-X-ENDLIST\n"),
        ),
        (
            "session.mp4",
            "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 96\n"
                .to_owned(),
        ),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let refused = open(path, false).await.unwrap_err();
        assert!(
            matches!(refused, SourceError::Video { .. }),
            "{name}: {refused:?}"
        );
    }
}

#[tokio::test]
async fn what_is_no_video_is_refused_with_a_sentence_and_never_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let video = moving(folder.path(), "whole.mp4", "64x48", "0.4");
    let whole = fs::read(video).unwrap();
    fs::write(at("cut.mp4"), &whole[..whole.len() / 3]).unwrap();
    fs::write(at("empty.mp4"), "").unwrap();
    fs::write(at("text.mp4"), "no video ".repeat(100)).unwrap();
    let random = (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8);
    fs::write(at("random.mp4"), random.collect::<Vec<u8>>()).unwrap();
    assert!(ffmpeg(
        &[
            "-f",
            "lavfi",
            "-i",
            "sine=duration=0.2",
            "-c:a",
            "pcm_s16le"
        ],
        &at("sound.mkv")
    ));
    for name in [
        "cut.mp4",
        "empty.mp4",
        "text.mp4",
        "random.mp4",
        "sound.mkv",
    ] {
        for looped in [false, true] {
            let refused = open(at(name), looped).await.unwrap_err();
            let SourceError::Video { path, why } = &refused else {
                panic!("{name}: {refused:?}");
            };
            assert!(path.ends_with(name) && !why.is_empty(), "{refused}");
            // What is random may be anything; that it is a part of something is not known.
            let expected = match name {
                "empty.mp4" => "it is empty; copy it again",
                "random.mp4" | "text.mp4" => "not a video file",
                "cut.mp4" => "incomplete",
                _ => "no moving picture",
            };
            assert!(why.contains(expected), "{name}: {why}");
        }
    }
    let missing = open(at("missing.mp4"), false).await.unwrap_err();
    assert!(matches!(missing, SourceError::NotFound(_)), "{missing}");
    let folder_refused = open(folder.path(), false).await.unwrap_err();
    assert!(
        matches!(folder_refused, SourceError::NotAFile { .. }),
        "{folder_refused}"
    );
}

#[tokio::test]
async fn a_still_picture_is_no_video_but_one_without_an_end_is_cut_short() {
    let folder = tempfile::tempdir().unwrap();
    let still = picture(folder.path(), "still.png", (8, 8), [1; 3]);
    assert!(open(still, false).await.is_err());
    // Damage in the middle of a stream: what can be shown is shown.
    let path = folder.path().join("damaged.avi");
    let source = "testsrc2=size=64x48:rate=25:duration=0.6";
    assert!(ffmpeg(
        &["-f", "lavfi", "-i", source, "-c:v", "mjpeg"],
        &path
    ));
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(bytes.len() / 2);
    fs::write(&path, bytes).unwrap();
    let source = open(path, false).await.unwrap();
    let mut after = None;
    let end = loop {
        if let Err(end) = next(&source, &mut after).await {
            break end;
        }
    };
    assert_eq!(end, SourceError::Ended);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn no_process_is_left_behind_when_a_source_is_stopped_or_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let video = moving(folder.path(), "left-behind.mp4", "64x48", "0.5");
    let running = || {
        fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
            .filter(|line| String::from_utf8_lossy(line).contains(&*video.to_string_lossy()))
            .count()
    };
    let source = open(&video, true).await.unwrap();
    assert_eq!(running(), 1);
    assert!(source.stop());
    assert_eq!(running(), 0);
    drop(open(&video, true).await.unwrap());
    // Dropping does not wait; the process is gone as soon as the system has cleared it away.
    while running() > 0 {
        tokio::task::yield_now().await;
    }
}
