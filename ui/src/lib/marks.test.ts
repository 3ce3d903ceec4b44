import { expect, test } from "vitest";

import type { MarkView } from "./api";
import { holds, shared, type View } from "./geometry";
import { LINE, drawn, fitting, numbered } from "./marks";

const view: View = {
  container: { width: 640, height: 400 },
  frame: { width: 1280, height: 800 },
  fit: "contain",
  mirrored: false,
};
const width = (text: string) => text.length * 8;

function box(id: number, x: number, y: number, label: string | null): MarkView {
  return { id, shape: "box", x, y, width: 0.1, height: 0.05, label, strength: 1, newest: true };
}

test("an outline runs around its thing", () => {
  const [mark] = drawn([box(1, 0.5, 0.5, null)], view, width);
  expect(mark && holds(mark.outline, { x: 320, y: 200, width: 64, height: 20 })).toBe(true);
});

test("at the edge of the view an outline comes inside", () => {
  for (const [x, y] of [[0, 0], [0.95, 0.98], [-0.5, 2]] as const) {
    const [mark] = drawn([box(1, x, y, null)], view, width);
    const { x: left, y: top, width: wide, height: high } = mark!.outline;
    expect(left).toBeGreaterThanOrEqual(LINE / 2);
    expect(top).toBeGreaterThanOrEqual(LINE / 2);
    expect(left + wide).toBeLessThanOrEqual(640 - LINE / 2);
    expect(top + high).toBeLessThanOrEqual(400 - LINE / 2);
  }
});

test("a mirrored view mirrors the places of marks", () => {
  const point: MarkView = { id: 1, shape: "point", x: 0.25, y: 0.5, label: null, strength: 1, newest: true };
  const middle = (mirrored: boolean) => {
    const { outline } = drawn([point], { ...view, mirrored }, width)[0]!;
    return outline.x + outline.width / 2;
  };
  expect([middle(false), middle(true)]).toEqual([160, 480]);
});

test("labels cover neither things nor each other", () => {
  const marks = [0, 1, 2, 3].map((at) => box(at, 0.1 + at * 0.2, 0.4, `Thing ${at}`));
  const all = drawn(marks, view, width);
  const plates = all.map(({ plate }) => plate!);
  for (const plate of plates) {
    expect(plate).not.toBeNull();
    for (const { outline } of all) expect(shared(plate, outline)).toBe(0);
    for (const other of plates) if (other !== plate) expect(shared(plate, other)).toBe(0);
  }
});

test("where candidates stand too close for their names, all show their numbers alone", () => {
  const close = (label: (at: number) => string) =>
    drawn(
      [1, 2, 3, 4, 5, 6].map((at) => ({ ...box(at, 0, at * 0.055, label(at)), width: 1 })),
      view,
      width,
    ).map(({ plate }) => plate?.text);
  expect(close((at) => `${at} Thing`)).toEqual(["", "", "", "", "", ""]);
  // Names without numbers say nothing anywhere else.
  expect(close(() => "Thing").every((text) => text === "Thing")).toBe(true);
});

test("numbers of candidates are told from numbers in names", () => {
  expect(numbered(["1 Save", "2 Save as", "3"])).toEqual([
    { number: "1", text: "Save" },
    { number: "2", text: "Save as" },
    { number: "3", text: "" },
  ]);
  expect(numbered(["3 new messages"])).toEqual([{ number: null, text: "3 new messages" }]);
  expect(numbered(["22:00", "07:00", null])).toEqual([
    { number: null, text: "22:00" },
    { number: null, text: "07:00" },
    { number: null, text: "" },
  ]);
});

test("a long label ends in an ellipsis within its limit", () => {
  const short = fitting("word ".repeat(1000), 100, width);
  expect(width(short)).toBeLessThanOrEqual(100);
  expect(short.endsWith("…")).toBe(true);
  expect(fitting("Save", 100, width)).toBe("Save");
  expect(fitting("Save", 1, width)).toBe("");
});

test("a thousand marks are all outlined, and only as many labelled as can be read", () => {
  const marks = Array.from({ length: 1000 }, (_, at) => box(at, (at % 40) / 40, Math.floor(at / 40) / 25, `Thing ${at}`));
  const all = drawn(marks, view, width);
  expect(all).toHaveLength(1000);
  expect(all.filter(({ plate }) => plate).length).toBeLessThanOrEqual(40);
});

test("a view without size shows nothing", () => {
  expect(drawn([box(1, 0, 0, "x")], { ...view, container: { width: 0, height: 0 } }, width)).toEqual([]);
});
