import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { boxRect, drawnRect, pointPosition, spotAt, type Extent, type Fit, type Position, type Rect, type View } from "./geometry";

interface Vector {
  name: string;
  input: { container: Extent; frame: Extent; mode?: Fit; mirrored?: boolean; box?: Rect; point?: Position };
  expect: Partial<Rect>;
}

// The same vectors the crate that paints marks is checked with.
const vectors = JSON.parse(readFileSync("../tests/vectors/geometry.json", "utf8")) as Vector[];
const usable = vectors.filter(({ input }) => input.container && input.frame && (input.box || input.point));

test("the vectors are there", () => expect(usable.length).toBeGreaterThan(8));

test.each(usable)("places agree with the painted picture: $name", ({ input, expect: wanted }) => {
  const view: View = {
    container: input.container,
    frame: input.frame,
    fit: input.mode ?? "cover",
    mirrored: input.mirrored ?? false,
  };
  const found: Partial<Rect> = input.box ? boxRect(input.box, view) : pointPosition(input.point!, view);
  for (const [key, value] of Object.entries(wanted)) expect(found[key as keyof Rect]).toBeCloseTo(value, 9);
});

const view: View = {
  container: { width: 400, height: 400 },
  frame: { width: 200, height: 100 },
  fit: "contain",
  mirrored: false,
};

test("contain leaves room beside the picture, cover leaves none", () => {
  expect(drawnRect(view)).toEqual({ x: 0, y: 100, width: 400, height: 200 });
  expect(drawnRect({ ...view, fit: "cover" })).toEqual({ x: -200, y: 0, width: 800, height: 400 });
});

test.each(["contain", "cover"] as const)("a place of the view leads back to the place of the picture: %s", (fit) => {
  for (const mirrored of [false, true]) {
    const seen = { ...view, fit, mirrored };
    for (const spot of [{ x: 0, y: 0 }, { x: 0.3, y: 0.9 }, { x: 1, y: 1 }]) {
      const back = spotAt(pointPosition(spot, seen), seen);
      expect(back?.x).toBeCloseTo(spot.x, 12);
      expect(back?.y).toBeCloseTo(spot.y, 12);
    }
  }
});

test("a place beside the picture is outside of 0 to 1", () => {
  expect(spotAt({ x: 10, y: 50 }, view)?.y).toBeLessThan(0);
});

test("a mirrored box keeps its size and changes sides", () => {
  const box = { x: 0.1, y: 0.2, width: 0.2, height: 0.1 };
  const [plain, mirrored] = [boxRect(box, view), boxRect(box, { ...view, mirrored: true })];
  expect(mirrored.x).toBeCloseTo(400 - plain.x - plain.width, 12);
  expect(mirrored).toMatchObject({ y: plain.y, width: plain.width, height: plain.height });
});

test("sides that are no positive numbers lead nowhere", () => {
  for (const side of [0, -1, NaN, Infinity]) {
    const broken = { ...view, frame: { width: side, height: 100 } };
    expect(drawnRect(broken)).toBeNull();
    expect(spotAt({ x: 1, y: 1 }, broken)).toBeNull();
    expect(boxRect({ x: 0, y: 0, width: 1, height: 1 }, broken)).toEqual({ x: 0, y: 0, width: 0, height: 0 });
  }
});
