// From marks on the picture to what is painted over the view. Pure: the width of a text comes from outside.

import type { MarkView } from "./api";
import { boxRect, grown, pointPosition, shared } from "./geometry";
import type { Rect, View } from "./geometry";
import { place } from "./placement";

/** Measures in CSS pixels. */
export const LOOK = {
  /** Free room between a thing and its outline. */
  room: 1,
  /** Width of the light or brass line. */
  core: 2,
  /** Width of each of the two dark lines beside it. */
  halo: 1,
  corner: 4,
  /** Radius of a point's ring, to the middle of its line. */
  ring: 11,
  dot: 2.5,
  /** Size of a label's letters. */
  text: 13,
  /** Height of a label. */
  plate: 24,
  /** Room beside a label's text. */
  pad: 8,
  /** Distance of a label from things and other labels. */
  gap: 4,
} as const;

/** From the inner to the outer edge of an outline. */
export const LINE = LOOK.core + 2 * LOOK.halo;

/** So many marks get labels; more could not be read, and looking for their places takes long. */
const LABELLED = 40;

export interface Plate extends Rect {
  number: string | null;
  /** Width of the number's part; 0 without one. */
  numberWidth: number;
  text: string;
}

export interface Drawn {
  id: number;
  point: boolean;
  /** The middle of the outline; a point's ring as a square. */
  outline: Rect;
  plate: Plate | null;
}

/** A label as its number among several candidates and the rest. */
export interface Numbered {
  number: string | null;
  text: string;
}

/**
 * Labels of candidates begin with their number: "2 Save" or just "2". A thing that is itself called so ("3 new
 * messages") is told from them by being alone: numbers are candidates' where there are at least two, 1 among them.
 */
export function numbered(labels: readonly (string | null)[]): Numbered[] {
  const split = labels.map((label) => /^(\d{1,3})(?:[.)]?\s+(.*))?$/s.exec(label ?? ""));
  const numbers = new Set(split.flatMap((match) => (match?.[1] ? [Number(match[1])] : [])));
  const several = numbers.size > 1 && numbers.has(1);
  return labels.map((label, index) => {
    const match = split[index];
    if (!several || !match?.[1]) return { number: null, text: label ?? "" };
    return { number: match[1], text: match[2] ?? "" };
  });
}

/** The middle of the outline around a thing, inside the container where the thing reaches its edge. */
function outlined(thing: Rect, container: Rect): Rect {
  const least = 6;
  const half = LINE / 2;
  const inside = (from: number, to: number, limit: number): [number, number] => {
    const missing = Math.max(least - (to - from), 0) / 2;
    const start = Math.min(Math.max(from - missing, half), limit - half - least);
    return [start, Math.max(Math.min(to + missing, limit - half), start + least)];
  };
  const around = grown(thing, LOOK.room + half);
  const [left, end] = inside(around.x, around.x + around.width, container.width);
  const [top, foot] = inside(around.y, around.y + around.height, container.height);
  return { x: left, y: top, width: end - left, height: foot - top };
}

/** How wide a text is, in CSS pixels. */
export type Measure = (text: string) => number;

/** The text, shortened with an ellipsis where it is wider than `most`. */
export function fitting(text: string, most: number, width: Measure): string {
  if (width(text) <= most) return text;
  const letters = Array.from(text);
  let [fits, over] = [0, letters.length];
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (width(letters.slice(0, middle).join("").trimEnd() + "…") <= most) fits = middle;
    else over = middle;
  }
  return fits === 0 ? "" : letters.slice(0, fits).join("").trimEnd() + "…";
}

function plateOf({ number, text }: Numbered, view: View, width: Measure) {
  const numberWidth = number === null ? 0 : Math.max(LOOK.plate, width(number) + 2 * LOOK.pad);
  const most = view.container.width * 0.6 - numberWidth - 2 * LOOK.pad;
  const short = text && fitting(text, most, width);
  if (!short && number === null) return null;
  return {
    number,
    numberWidth,
    text: short,
    width: Math.ceil(numberWidth + (short ? width(short) + 2 * LOOK.pad : 0)),
    height: LOOK.plate,
  };
}

/** Where to paint each mark, in the order given. How strong it is and whether it is the newest changes nothing. */
export function drawn(marks: readonly MarkView[], view: View, width: Measure): Drawn[] {
  const container: Rect = { x: 0, y: 0, ...view.container };
  if (!(container.width > 0 && container.height > 0 && view.frame.width > 0 && view.frame.height > 0)) return [];
  const all = marks.map((mark): Drawn => {
    const point = mark.shape === "point";
    const thing = point ? { ...pointPosition(mark, view), width: 0, height: 0 } : boxRect(mark, view);
    const outline = point ? grown(thing, LOOK.ring) : outlined(thing, container);
    return { id: mark.id, point, outline, plate: null };
  });
  const things = all.map(({ outline }) => grown(outline, LINE / 2));
  const texts = numbered(marks.map((mark) => mark.label));
  let plates = placed(texts, things, view, width);
  const lost = (plate: Plate | null, index: number) =>
    texts[index]?.number !== null && texts[index]?.text && (!plate || !besides(plate, things[index]));
  // Where candidates stand so close that one's label would end up away from it, all show their numbers alone: what
  // they are is said in the conversation.
  if (plates.some(lost)) {
    const numbers = texts.map((text) => (text.number === null ? text : { ...text, text: "" }));
    plates = placed(numbers, things, view, width);
  }
  return all.map((one, index) => ({ ...one, plate: plates[index] ?? null }));
}

/** Whether a label is so near its thing that one sees them as belonging together. */
function besides(plate: Rect, thing: Rect | undefined): boolean {
  return thing !== undefined && shared(grown(plate, 2 * LOOK.gap), thing) > 0;
}

/** Each mark's plate where there is room for it. */
function placed(texts: readonly Numbered[], things: readonly Rect[], view: View, width: Measure): (Plate | null)[] {
  const container: Rect = { x: 0, y: 0, ...view.container };
  const around = { view: grown(container, -LOOK.halo), marked: things, labels: [] as Rect[], gap: LOOK.gap };
  const plates: (Plate | null)[] = texts.map(() => null);
  // The newest label has the first choice of a place.
  for (let index = texts.length - 1; index >= Math.max(0, texts.length - LABELLED); index -= 1) {
    const [thing, text] = [things[index], texts[index]];
    const plate = text && plateOf(text, view, width);
    const spot = thing && plate && place(plate, thing, around);
    if (!spot) continue;
    const done = { ...plate, x: Math.round(spot.x), y: Math.round(spot.y) };
    plates[index] = done;
    around.labels.push(done);
  }
  return plates;
}
