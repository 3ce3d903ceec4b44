"""Whole sessions by the published Python SDK against `alidade host`.

usage: sessions.py PATH-OF-ALIDADE-CLI
Every test starts a session of its own against one backend; the backend is started here, alone, and
must print where it is and end when it is told to.
"""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from cosmo_ai import RealtimeClient, SessionStartError, VerifyError, detect_objects_tool, point_at_object_tool, tool
from cosmo_ai.tools import DrawBoxRequest, DrawOutcome, DrawPointRequest, draw_box_tool, draw_point_tool
from livekit import rtc
from PIL import Image
from pydantic import BaseModel

CLI = sys.argv.pop(1)
# Seconds that a published picture is given to become sharp.
SETTLING = 4
PICTURE = Path(__file__).parent.parent / "pictures" / "settings.png"
# Where Save stands in the picture, as tests/pictures/make.py drew it: left, top, right, bottom.
SAVE = (1002 / 1280, 672 / 800, 1112 / 1280, 708 / 800)
PATIENCE = 60


class Backend:
    """`alidade host`, alone, until it is told to end."""

    def __enter__(self):
        self.process = subprocess.Popen([CLI, "host"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        said = {}
        for line in self.process.stdout:
            name, _, value = line.strip().partition("=")
            said[name] = value
            if {"COSMO_BASE_URL", "COSMO_API_KEY"} <= said.keys():
                break
        else:
            raise AssertionError(f"the backend ended: {self.process.stderr.read()}")
        self.key = said["COSMO_API_KEY"]
        os.environ.update(said)
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.rest, self.log = self.process.communicate(timeout=20)


def frame_of(path):
    picture = Image.open(path).convert("RGBA")
    return rtc.VideoFrame(picture.width, picture.height, rtc.VideoBufferType.RGBA, picture.tobytes())


@contextlib.asynccontextmanager
async def publishing(push, frame):
    """Publishes one frame again and again, as a camera does: the first ones are coarse until the way is known."""

    async def publish():
        while True:
            await push(frame)
            await asyncio.sleep(0.2)

    pushing = asyncio.create_task(publish())
    await asyncio.sleep(SETTLING)
    try:
        yield
    finally:
        pushing.cancel()


async def events_until(session, kind, seen):
    """Collects events until one of this kind, that one included."""
    async with asyncio.timeout(PATIENCE):
        async for event in session:
            seen.append(event)
            if type(event).__name__ == kind:
                return event
    raise AssertionError(f"the session ended before {kind}: {seen}")


async def answer_of(session, seen):
    """Collects events of one turn and gives back what the agent said in it."""
    while True:
        event = await events_until(session, "TurnCompleteEvent", seen)
        if str(getattr(event.role, "value", event.role)).lower() == "assistant":
            break
    said = [item.text for item in session.transcript if str(getattr(item.role, "value", item.role)).lower() == "assistant"]
    return said[-1]


class Length(BaseModel):
    text: str


class Sessions(unittest.IsolatedAsyncioTestCase):
    async def test_a_thing_is_found_in_the_published_picture_and_drawn_by_the_client(self):
        drawn = []

        def on_draw(request: DrawBoxRequest) -> DrawOutcome:
            drawn.append(request)
            return DrawOutcome(shown=True)

        seen = []
        async with RealtimeClient() as client:
            agent = client.agent(instructions="Find things.", tools=[detect_objects_tool(), draw_box_tool(on_draw)])
            async with agent.start() as session:
                ready = await events_until(session, "ReadyEvent", seen)
                self.assertEqual(ready.rejected_tools, [])
                await session.start_screen_share(width=1280, height=800)
                async with publishing(session.push_screen_share_frame, frame_of(PICTURE)):
                    await session.send_text("Where is the Save button?")
                    said = await answer_of(session, seen)
                self.assertEqual(len(drawn), 1, f"{said} {seen}")
                box = drawn[0].box
                x, y = box.x + box.width / 2, box.y + box.height / 2
                self.assertTrue(SAVE[0] <= x <= SAVE[2] and SAVE[1] <= y <= SAVE[3], f"{box} {said}")

                kinds = [type(event).__name__ for event in seen]
                for kind in ["ToolCallEvent", "ToolDispatchStartedEvent", "ToolResultEvent", "ToolInvocationEvent"]:
                    self.assertIn(kind, kinds)
                calls = {event.tool_call_id for event in seen if type(event).__name__ == "ToolCallEvent"}
                results = {event.tool_call_id for event in seen if type(event).__name__ == "ToolResultEvent"}
                self.assertEqual(calls, results, "every call has its result")

                await session.send_text("Where is the Frobnicate button?")
                said = await answer_of(session, seen)
                self.assertEqual(len(drawn), 1, f"what is not there is not drawn: {said}")

    async def test_a_spot_is_pointed_at(self):
        drawn = []

        def on_draw(request: DrawPointRequest) -> DrawOutcome:
            drawn.append(request)
            return DrawOutcome(shown=True)

        seen = []
        async with RealtimeClient() as client:
            agent = client.agent(tools=[point_at_object_tool(), draw_point_tool(on_draw)])
            async with agent.start() as session:
                await events_until(session, "ReadyEvent", seen)
                stream = await session.add_video_stream(width=1280, height=800)

                async def push(frame):
                    stream.push(frame)

                async with publishing(push, frame_of(PICTURE)):
                    await session.send_text("Point at Cancel.")
                    await answer_of(session, seen)
                self.assertEqual(len(drawn), 1, seen)
                point = drawn[0].point
                self.assertTrue(880 / 1280 <= point.x <= 990 / 1280 and 672 / 800 <= point.y <= 708 / 800, point)

    async def test_a_client_tool_is_called_by_its_example_phrase(self):
        called = []

        @tool
        async def measure_text(input: Length) -> dict:
            """Counts the letters of a text.
            Say: how long is {text}"""
            called.append(input.text)
            return {"letters": len(input.text)}

        seen = []
        async with RealtimeClient() as client:
            async with client.agent(tools=[measure_text]).start() as session:
                await events_until(session, "ReadyEvent", seen)
                await session.send_text("how long is alidade")
                await answer_of(session, seen)
                self.assertEqual(called, ["alidade"])

    async def test_without_a_picture_the_agent_says_so(self):
        seen = []
        async with RealtimeClient() as client:
            async with client.agent(tools=[detect_objects_tool()]).start() as session:
                await events_until(session, "ReadyEvent", seen)
                await session.send_text("Where is the Save button?")
                said = await answer_of(session, seen)
                self.assertRegex(said.lower(), "see|share|picture|camera|screen")

    async def test_the_session_answers_pings_and_ends_once(self):
        seen = []
        async with RealtimeClient() as client:
            session = await client.agent(greeting="Hello there.").start()
            await events_until(session, "ReadyEvent", seen)
            await session.ping()
            await events_until(session, "PongEvent", seen)
            await session.end()
            async for event in session:
                seen.append(event)
            ended = [event for event in seen if type(event).__name__ == "SessionEndedEvent"]
            self.assertEqual(len(ended), 1)

    async def test_a_wrong_key_and_a_wrong_tool_are_refused_with_their_codes(self):
        async with RealtimeClient(api_key="wrong") as client:
            with self.assertRaises(SessionStartError) as refused:
                await client.agent().start()
            self.assertEqual(str(getattr(refused.exception.code, "value", refused.exception.code)), "rejected")
            with self.assertRaises(VerifyError):
                await client.verify()

        class Anything(BaseModel):
            text: str

        @tool(name="cosmo_mine")
        async def mine(input: Anything) -> dict:
            """A name that the server keeps for itself."""
            return {}

        async with RealtimeClient() as client:
            self.assertTrue((await client.verify()).can_start_sessions)
            with self.assertRaises(SessionStartError) as refused:
                await client.agent(tools=[mine]).start()
            self.assertEqual(str(getattr(refused.exception.code, "value", refused.exception.code)), "config")
            self.assertEqual(refused.exception.server_code, "invalid_tool_config")

    async def test_twenty_sessions_one_after_another(self):
        async with RealtimeClient() as client:
            for _ in range(20):
                async with client.agent().start() as session:
                    await events_until(session, "ReadyEvent", [])


if __name__ == "__main__":
    with Backend() as backend:
        program = unittest.main(exit=False, verbosity=2)
    result = program.result
    if backend.key in backend.log:
        print("the backend's log holds its key")
        sys.exit(1)
    if backend.process.returncode != 0:
        print(f"the backend ended with {backend.process.returncode}: {backend.log}")
        sys.exit(1)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
