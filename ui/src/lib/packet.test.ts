import { expect, test } from "vitest";

import { PacketError, parsePacket } from "./packet";

function packet(head: number[], body: number[]): ArrayBuffer {
  const bytes = new Uint8Array(head.length * 4 + body.length);
  const view = new DataView(bytes.buffer);
  head.forEach((value, at) => view.setUint32(at * 4, value, true));
  bytes.set(body, head.length * 4);
  return bytes.buffer;
}

const jpeg = [0xff, 0xd8, 0xff, 0xe0, 1];

test("a packet is its numbers, little end first, and a picture", () => {
  const parsed = parsePacket(packet([3, 70_000, 1280, 800], jpeg));
  expect(parsed).toMatchObject({ source: 3, picture: 70_000, width: 1280, height: 800 });
  expect([...(parsed?.jpeg ?? [])]).toEqual(jpeg);
});

test("an empty packet is no picture", () => expect(parsePacket(new ArrayBuffer(0))).toBeNull());

test.each([
  ["cut short in its numbers", packet([1, 2], [])],
  ["without a picture", packet([1, 2, 3, 4], [])],
  ["with half a beginning", packet([1, 2, 3, 4], [0xff])],
  ["no wide", packet([1, 2, 0, 4], jpeg)],
  ["impossibly high", packet([1, 2, 3, 0xffff_ffff], jpeg)],
  ["with another kind of picture", packet([1, 2, 3, 4], [0x89, 0x50, 0x4e, 0x47])],
  ["that is no bytes", "text" as unknown as ArrayBuffer],
])("a packet %s is an error", (_, bytes) => expect(() => parsePacket(bytes)).toThrow(PacketError));
