import { expect, test } from "vitest";

import { grown, holds, shared, type Rect } from "./geometry";
import { place } from "./placement";

const view: Rect = { x: 0, y: 0, width: 400, height: 300 };
const size = { width: 60, height: 20 };
const around = { view, marked: [] as Rect[], labels: [] as Rect[], gap: 4 };

/** The same numbers each time. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state / 2147483648;
  }
}

test("a label stands above its thing where nothing is in the way", () => {
  const thing = { x: 100, y: 100, width: 80, height: 30 };
  expect(place(size, thing, around)).toEqual({ x: 100, y: 76, ...size });
});

test("at the top edge it goes below, at the right edge it slides in", () => {
  const top = place(size, { x: 100, y: 2, width: 80, height: 30 }, around);
  expect(top?.y).toBeGreaterThanOrEqual(32);
  const right = place(size, { x: 380, y: 100, width: 18, height: 30 }, around);
  expect(right && right.x + right.width).toBeLessThanOrEqual(400);
});

test("a label is inside the view and never on its thing while there is room beside it", () => {
  const random = numbers(7);
  for (let round = 0; round < 500; round += 1) {
    const [x, y, w, h] = [random.next().value, random.next().value, random.next().value, random.next().value];
    const thing = { x: x * 400, y: y * 300, width: w * 120, height: h * 120 };
    const label = place(size, thing, { ...around, marked: [thing] });
    expect(label).not.toBeNull();
    expect(holds(grown(view, 1e-9), label!)).toBe(true);
    expect(shared(label!, thing)).toBe(0);
  }
});

test("rows of things get labels that cover no thing and no label", () => {
  const things = [0, 1, 2, 3].map((at) => ({ x: 20 + at * 90, y: 100, width: 80, height: 24 }));
  const labels: Rect[] = [];
  for (const thing of things) {
    const label = place(size, thing, { ...around, marked: things, labels });
    expect(label).not.toBeNull();
    for (const other of [...things, ...labels]) expect(shared(label!, other)).toBe(0);
    labels.push(label!);
  }
});

test("a thing that fills the view takes its label into a corner", () => {
  expect(place(size, view, around)).toEqual({ x: 4, y: 4, ...size });
});

test("no label where it would hide the thing, is larger than the view, or a number is none", () => {
  const tight = { x: 0, y: 0, width: 64, height: 24 };
  expect(place(size, tight, { ...around, view: tight })).toBeNull();
  expect(place({ width: 401, height: 20 }, view, around)).toBeNull();
  expect(place(size, { x: NaN, y: 0, width: 1, height: 1 }, around)).toBeNull();
  expect(place({ width: 0, height: 20 }, view, around)).toBeNull();
});
