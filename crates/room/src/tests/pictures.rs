//! Tracks and pictures.

use bytes::Bytes;
use tokio::sync::mpsc;

use super::{Guest, House, LONG};
use crate::client::PublishError;
use crate::limits::MAX_TRACKS;
use crate::{
    AgentEvent, EncodedPicture, TrackInfo, TrackKind, TrackSource, VideoOptions, VideoTrack,
};

/// Data that passes for a VP8 picture: only its first bytes are looked at on the way.
pub(super) fn data(bytes: usize, key: bool, fill: u8) -> Bytes {
    let mut data = vec![fill; bytes.max(10)];
    if key {
        data[..10].copy_from_slice(&[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x07, 0x38, 0x04]);
    } else {
        data[0] = 0x11;
    }
    data.into()
}

pub(super) async fn publish(guest: &Guest, name: &str) -> VideoTrack {
    guest
        .room
        .publish_video(VideoOptions {
            name: name.into(),
            source: TrackSource::ScreenShare,
            width: 1_920,
            height: 1_080,
        })
        .await
        .expect("a track")
}

pub(super) async fn media(house: &mut House) -> (TrackInfo, mpsc::Receiver<EncodedPicture>) {
    house
        .until(|event| match event {
            AgentEvent::TrackMedia { track, pictures } => Some((track, pictures)),
            _ => None,
        })
        .await
}

pub(super) async fn picture(pictures: &mut mpsc::Receiver<EncodedPicture>) -> EncodedPicture {
    tokio::time::timeout(LONG, pictures.recv())
        .await
        .expect("a picture")
        .expect("the track lives")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_track_is_announced_and_its_pictures_arrive_with_their_names() {
    let mut house = House::open().await;
    let guest = Guest::join(&house).await;
    let track = publish(&guest, "screen").await;
    let published = house
        .until(|event| match event {
            AgentEvent::TrackPublished(info) => Some(info),
            _ => None,
        })
        .await;
    assert_eq!(published.sid, track.sid());
    assert_eq!(published.name, "screen");
    assert_eq!(
        (published.kind, published.source),
        (TrackKind::Video, TrackSource::ScreenShare)
    );
    assert_eq!((published.width, published.height), (1_920, 1_080));
    let client = house.agent.client().unwrap();
    assert_eq!(client.tracks, std::slice::from_ref(&published));

    let key = data(40_000, true, 1);
    track
        .write(EncodedPicture::new(key.clone(), 4_000_000_000, true))
        .unwrap();
    track.flush().await.unwrap();
    let (info, mut pictures) = media(&mut house).await;
    assert_eq!(info, published);
    let first = picture(&mut pictures).await;
    assert_eq!((first.rtp_time, first.key), (4_000_000_000, true));
    assert!(first.data == key);
    let delta = data(500, false, 2);
    track
        .write(EncodedPicture::new(delta.clone(), 4_000_003_000, false))
        .unwrap();
    let second = picture(&mut pictures).await;
    assert_eq!((second.rtp_time, second.key), (4_000_003_000, false));
    assert!(second.data == delta);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_still_of_a_megabyte_and_more_arrives_whole() {
    let mut house = House::open().await;
    let guest = Guest::join(&house).await;
    let track = publish(&guest, "screen").await;
    let mut reader = None;
    for (number, bytes) in [1_000_000, 1_500_000, 300_000, 3_000_000]
        .into_iter()
        .enumerate()
    {
        let still = data(bytes, true, number as u8);
        let time = number as u32 * 90_000;
        track
            .write(EncodedPicture::new(still.clone(), time, true))
            .unwrap();
        let mut pictures = match reader.take() {
            Some(pictures) => pictures,
            None => media(&mut house).await.1,
        };
        let arrived = picture(&mut pictures).await;
        assert_eq!(arrived.rtp_time, time);
        assert!(arrived.data == still);
        reader = Some(pictures);
    }
    assert_eq!(track.dropped(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_picture_can_be_asked_for() {
    let mut house = House::open().await;
    let guest = Guest::join(&house).await;
    let track = publish(&guest, "screen").await;
    let mut wanted = track.key_frame_wanted();
    track
        .write(EncodedPicture::new(data(5_000, true, 1), 0, true))
        .unwrap();
    let (info, mut pictures) = media(&mut house).await;
    picture(&mut pictures).await;
    wanted.mark_unchanged();
    house.agent.request_key_frame("TR_unknown");
    house.agent.request_key_frame(&info.sid);
    tokio::time::timeout(LONG, wanted.changed())
        .await
        .expect("a request")
        .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_track_ends_and_another_one_follows() {
    let mut house = House::open().await;
    let guest = Guest::join(&house).await;
    let mut sids = Vec::new();
    for round in 0..6u32 {
        let track = publish(&guest, "screen").await;
        track
            .write(EncodedPicture::new(
                data(20_000, true, round as u8),
                round,
                true,
            ))
            .unwrap();
        let (info, mut pictures) = media(&mut house).await;
        assert_eq!(info.sid, track.sid());
        assert_eq!(picture(&mut pictures).await.rtp_time, round);
        // The same section every time.
        assert_eq!(house.agent.sections(), ["1"]);
        if round == 5 {
            let mut wanted = track.key_frame_wanted();
            house.agent.request_key_frame(&info.sid);
            tokio::time::timeout(LONG, wanted.changed())
                .await
                .expect("a request")
                .unwrap();
        }
        track.unpublish().await;
        track.unpublish().await;
        assert!(track.is_ended());
        assert!(
            track
                .write(EncodedPicture::new(data(10, true, 0), 0, true))
                .is_err()
        );
        let ended = house
            .until(|event| match event {
                AgentEvent::TrackEnded { sid } => Some(sid),
                _ => None,
            })
            .await;
        assert_eq!(ended, track.sid());
        assert!(
            tokio::time::timeout(LONG, pictures.recv())
                .await
                .expect("an end")
                .is_none()
        );
        sids.push(ended);
    }
    sids.dedup();
    assert_eq!(sids.len(), 6);
    assert!(house.agent.client().unwrap().tracks.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tracks_do_not_mix() {
    let mut house = House::open().await;
    let guest = Guest::join(&house).await;
    let (one, two) = tokio::join!(publish(&guest, "screen"), publish(&guest, "camera"));
    one.write(EncodedPicture::new(data(9_000, true, 1), 1, true))
        .unwrap();
    two.write(EncodedPicture::new(data(9_000, true, 2), 2, true))
        .unwrap();
    for _ in 0..2 {
        let (info, mut pictures) = media(&mut house).await;
        let expected = if info.sid == one.sid() { 1 } else { 2 };
        assert_eq!(picture(&mut pictures).await.rtp_time, expected);
        assert_eq!(info.name, if expected == 1 { "screen" } else { "camera" });
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn there_is_a_largest_number_of_tracks() {
    let house = House::open().await;
    let guest = Guest::join(&house).await;
    let mut tracks = Vec::new();
    for number in 0..MAX_TRACKS {
        tracks.push(publish(&guest, &number.to_string()).await);
    }
    let options = VideoOptions {
        name: "more".into(),
        source: TrackSource::Camera,
        width: 1,
        height: 1,
    };
    let refused = guest.room.publish_video(options.clone()).await;
    assert!(
        matches!(refused, Err(PublishError::Refused(_))),
        "{refused:?}"
    );
    tracks.remove(0).unpublish().await;
    guest
        .room
        .publish_video(options)
        .await
        .expect("room for one");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_who_sleeps_gets_the_newest_picture_and_stops_nobody() {
    let mut house = House::open().await;
    let mut guest = Guest::join(&house).await;
    guest.echo();
    let track = publish(&guest, "screen").await;
    for number in 0..60 {
        track
            .write(EncodedPicture::new(data(30_000, true, 1), number, true))
            .unwrap();
        track.flush().await.unwrap();
    }
    let (_, mut pictures) = media(&mut house).await;
    assert_eq!(
        house.agent.call("echo", "a".into(), LONG).await,
        Ok("a".into())
    );
    let mut times = Vec::new();
    while times.last() != Some(&59) {
        times.push(picture(&mut pictures).await.rtp_time);
    }
    assert!(times.is_sorted());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quick_changes_of_the_source_come_out_right() {
    let mut house = House::open().await;
    let guest = Guest::join(&house).await;
    let mut track = publish(&guest, "0").await;
    for round in 1..20u32 {
        // Without waiting for one another.
        let (next, ()) = tokio::join!(publish(&guest, "screen"), track.unpublish());
        track = next;
        track
            .write(EncodedPicture::new(data(30_000, true, 1), round, true))
            .unwrap();
    }
    let sid = track.sid().to_owned();
    let mut pictures = house
        .until(|event| match event {
            AgentEvent::TrackMedia { track, pictures } if track.sid == sid => Some(pictures),
            _ => None,
        })
        .await;
    assert_eq!(picture(&mut pictures).await.rtp_time, 19);
    assert!(house.agent.sections().len() == 1);
}
