import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Seen } from "./bridge";
import { watch, type Eye } from "./preview";

function packet(source: number, picture: number): ArrayBuffer {
  const bytes = new Uint8Array(20);
  const view = new DataView(bytes.buffer);
  [source, picture, 640, 480].forEach((value, at) => view.setUint32(at * 4, value, true));
  bytes.set([0xff, 0xd8, 0, 0], 16);
  return bytes.buffer;
}

const asked: Seen[] = [];
let waiting: ((bytes: ArrayBuffer) => void)[] = [];
let closed = 0;
let shown: number[] = [];
let failures: unknown[] = [];
let keeps = true;
let decodes = true;
let seen: Promise<void> = Promise.resolve();
let stop: () => void;

const eye: Eye = {
  fetch: (last) => {
    asked.push(last);
    return new Promise((done) => waiting.push(done));
  },
  decode: async () => {
    if (!decodes) throw new Error("damaged");
    return { close: () => (closed += 1) } as unknown as ImageBitmap;
  },
  show: ({ picture }) => {
    shown.push(picture);
    return keeps;
  },
  fail: (sentence) => failures.push(sentence),
  visible: () => seen,
};

const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);
async function answer(bytes: ArrayBuffer) {
  waiting.shift()?.(bytes);
  await settle();
}

beforeEach(async () => {
  vi.useFakeTimers();
  asked.length = 0;
  [waiting, shown, failures, closed, keeps, decodes] = [[], [], [], 0, true, true];
  seen = Promise.resolve();
  stop = watch(eye);
  await settle();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test("the next picture is asked for when the last is shown, and names it", async () => {
  expect(asked).toEqual([{ source: null, after: null }]);
  await answer(packet(2, 7));
  expect(shown).toEqual([7]);
  expect(asked[1]).toEqual({ source: 2, after: 7 });
  expect(waiting).toHaveLength(1);
});

test("empty answers that come at once do not make a tight loop", async () => {
  await answer(new ArrayBuffer(0));
  expect(asked).toHaveLength(1);
  await settle(100);
  expect(asked).toHaveLength(2);
});

test("a picture that is not kept is released", async () => {
  keeps = false;
  await answer(packet(1, 1));
  expect(closed).toBe(1);
});

test("one damaged picture is passed over, several are told once", async () => {
  decodes = false;
  for (let picture = 1; picture <= 6; picture += 1) {
    await answer(packet(1, picture));
    expect(failures).toHaveLength(picture < 3 ? 0 : 1);
    await settle(500);
  }
  expect(asked.at(-1)).toEqual({ source: 1, after: 6 });
});

test("nothing is asked for while the window cannot be seen", async () => {
  let show: () => void = () => undefined;
  seen = new Promise((done) => (show = done));
  await answer(packet(1, 1));
  await settle(5000);
  expect(asked).toHaveLength(1);
  show();
  await settle();
  expect(asked).toHaveLength(2);
});

test("after the end nothing is shown or asked for", async () => {
  stop();
  await answer(packet(1, 1));
  await settle(5000);
  expect(shown).toEqual([]);
  expect(asked).toHaveLength(1);
});
