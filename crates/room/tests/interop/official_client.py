"""The official LiveKit client against `cargo run -p alidade-room --example serve`.

usage: official_client.py URL [--simulcast]
"""

import asyncio
import base64
import json
import statistics
import sys
import time

from livekit import rtc


def token():
    """A token of the right form; the example does not look at it."""

    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    claims = {"iss": "key", "sub": "user:1", "exp": int(time.time()) + 600, "video": {"roomJoin": True, "room": "example"}}
    return f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{part(claims)}.{part('none')}"


async def main(url, simulcast):
    times = []
    for _ in range(10):
        room = rtc.Room()
        start = time.perf_counter()
        await room.connect(url, token())
        times.append(time.perf_counter() - start)
        await room.disconnect()
    print(f"connect p50 {statistics.median(times) * 1000:.0f} ms max {max(times) * 1000:.0f} ms")

    room = rtc.Room()
    heard = asyncio.Queue()
    changed = asyncio.Event()
    gone = asyncio.Event()
    room.on("data_received", lambda packet: heard.put_nowait(packet))
    room.on("participant_attributes_changed", lambda *_: changed.set())
    room.on("disconnected", lambda reason: (print("disconnected", reason), gone.set()))
    await room.connect(url, token())

    @room.local_participant.register_rpc_method("echo")
    async def echo(data):
        return data.payload

    agent = room.remote_participants["agent:1"]
    assert agent.kind == rtc.ParticipantKind.PARTICIPANT_KIND_AGENT, agent.kind
    hello = await asyncio.wait_for(heard.get(), 10)
    assert hello.data == b"hello" and hello.participant.identity == "agent:1"
    for _ in range(100):
        if agent.attributes.get("state") == "ready":
            break
        await asyncio.sleep(0.05)
    assert agent.attributes["state"] == "ready", agent.attributes
    print("attributes and first packet arrived")

    async def next_packet():
        """The next packet that is no greeting meant for one of the earlier stays."""
        while True:
            packet = await asyncio.wait_for(heard.get(), 30)
            if packet.data != b"hello":
                return packet

    for size in (10, 15_000, 60_000):
        await room.local_participant.publish_data(b"x" * size)
        back = await next_packet()
        assert len(back.data) == size
    print("packets go both ways")

    await room.local_participant.publish_data("call me")
    assert (await next_packet()).data == b"called"
    doubled = await room.local_participant.perform_rpc(
        destination_identity="agent:1", method="double", payload="ab"
    )
    assert doubled == "abab"
    try:
        await room.local_participant.perform_rpc(
            destination_identity="agent:1", method="nothing", payload=""
        )
        raise AssertionError("an unknown method was answered")
    except rtc.RpcError as error:
        assert error.code == 1400, error
    print("calls go both ways")

    writer = await room.local_participant.stream_bytes(
        "screen_capture", topic="screen_capture", destination_identities=["agent:1"]
    )
    await writer.write(b"y" * 100_000)
    await writer.aclose()
    await room.local_participant.set_attributes({"mood": "good"})

    for round in range(3):
        width, height = (1280, 720) if round else (1920, 1080)
        source = rtc.VideoSource(width, height, is_screencast=round == 0)
        track = rtc.LocalVideoTrack.create_video_track("screen", source)
        options = rtc.TrackPublishOptions(
            source=rtc.TrackSource.SOURCE_SCREENSHARE if round == 0 else rtc.TrackSource.SOURCE_CAMERA,
            simulcast=simulcast,
            video_codec=rtc.VideoCodec.VP8,
            video_encoding=rtc.VideoEncoding(max_bitrate=3_000_000, max_framerate=15),
        )
        publication = await room.local_participant.publish_track(track, options)
        for number in range(60):
            shade = bytes([(number * 4) % 256, 40 * round, 99, 255])
            picture = bytearray(shade * (width * height))
            picture[: width * 400] = bytes([255 - shade[0], 200, 10, 255]) * (width * 100)
            source.capture_frame(rtc.VideoFrame(width, height, rtc.VideoBufferType.RGBA, picture))
            await asyncio.sleep(0.066)
        track.mute()
        await asyncio.sleep(0.2)
        await room.local_participant.unpublish_track(publication.sid)
        print("published and unpublished", round)

    microphone = rtc.AudioSource(48_000, 1)
    track = rtc.LocalAudioTrack.create_audio_track("mic", microphone)
    await room.local_participant.publish_track(
        track, rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE)
    )
    for _ in range(50):
        await microphone.capture_frame(rtc.AudioFrame.create(48_000, 1, 480))
    print("sound published")

    await room.local_participant.publish_data("close")
    await asyncio.wait_for(gone.wait(), 10)
    print("all fine")


asyncio.run(main(sys.argv[1], "--simulcast" in sys.argv))
