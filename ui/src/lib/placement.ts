// Where a label goes: beside its thing, inside the view, over nothing that is marked. The same choice as the
// painted picture makes (`crates/draw/src/placement.rs`), so that a saved picture looks like the window.

import { between, bottom, cut, grown, holds, right, shared } from "./geometry";
import type { Extent, Rect } from "./geometry";

export interface Surroundings {
  /** Where labels may be. */
  view: Rect;
  /** The marked things, with room for their outlines; the label's own may be among them. */
  marked: readonly Rect[];
  /** Labels that already have a place. */
  labels: readonly Rect[];
  /** Distance to keep from things and labels. */
  gap: number;
}

/**
 * The place for a label of `size` that belongs to `thing`: the nearest free one above, below, right or left
 * of it. Where the thing leaves no room around it the label moves into one of its corners, if that hides
 * little of it. None where it would hide more, where it is larger than the view, and for numbers that are none.
 */
export function place(size: Extent, thing: Rect, around: Surroundings): Rect | null {
  const { view, gap } = around;
  const numbers = [thing.x, thing.y, right(thing), bottom(thing), view.x, view.y, right(view), bottom(view), gap];
  const usable = numbers.every(Number.isFinite) && size.width > 0 && size.height > 0;
  if (!usable || size.width > view.width || size.height > view.height) return null;
  const visible = cut(thing, view);
  // What no place around the thing can touch need not be looked at for each of them.
  const reach = grown(visible, Math.max(size.width, size.height) + 9 * (size.height + gap));
  const others = around.marked.filter((other) => shared(other, reach) > 0 && !holds(other, visible));
  let best: Rect | null = null;
  let least = Infinity;
  for (const spot of ring(size, visible, around)) {
    if (shared(spot, visible) > 0) continue;
    // Of equals the first: what rounding makes of them must not decide.
    const price = cost(spot, others, around, least - 1e-6);
    if (price === null) continue;
    if (price <= 0) return spot;
    best = spot;
    least = price;
  }
  return best ?? inside(size, visible, around);
}

/** Places around the thing inside the view, the most wanted first; then further and further away. */
function* ring(size: Extent, thing: Rect, { view, gap }: Surroundings): Generator<Rect> {
  for (const step of [0, 1, 2, 3, 4, 6, 8]) {
    const away = gap + step * (size.height + gap);
    const above = thing.y - away - size.height;
    const below = bottom(thing) + away;
    const after = right(thing) + away;
    const before = thing.x - away - size.width;
    const start = thing.x;
    const end = right(thing) - size.width;
    const middle = thing.x + (thing.width - size.width) / 2;
    const level = thing.y + (thing.height - size.height) / 2;
    const foot = bottom(thing) - size.height;
    const spots: [number, number][] = [
      [start, above],
      [start, below],
      [end, above],
      [end, below],
      [middle, above],
      [middle, below],
      [after, level],
      [before, level],
      [after, thing.y],
      [before, thing.y],
      [after, foot],
      [before, foot],
      [after, above],
      [before, above],
      [after, below],
      [before, below],
    ];
    for (const [x, y] of spots) {
      // Sliding along the edge of the view is fine; sliding over the thing is refused by the caller.
      yield {
        x: between(x, view.x, right(view) - size.width),
        y: between(y, view.y, bottom(view) - size.height),
        ...size,
      };
    }
  }
}

/**
 * What a place covers of other things: labels weigh more, since both would be unreadable. None where it is not less
 * than `limit`, which among a thousand marks is mostly seen early.
 */
function cost(spot: Rect, others: readonly Rect[], { labels, gap }: Surroundings, limit: number): number | null {
  const near = grown(spot, gap / 2);
  let sum = 0;
  for (const label of labels) sum += 4 * shared(near, label);
  if (sum >= limit) return null;
  for (const other of others) {
    sum += shared(spot, other);
    if (sum >= limit) return null;
  }
  return sum;
}

function inside(size: Extent, thing: Rect, { view, labels, gap }: Surroundings): Rect | null {
  if (size.width * size.height > (thing.width * thing.height) / 8) return null;
  const inner = grown(thing, -gap);
  const end = right(inner) - size.width;
  const foot = bottom(inner) - size.height;
  const corners: Rect[] = [
    { x: inner.x, y: inner.y, ...size },
    { x: end, y: inner.y, ...size },
    { x: inner.x, y: foot, ...size },
    { x: end, y: foot, ...size },
  ];
  const hidden = (corner: Rect) => labels.reduce((sum, label) => sum + shared(corner, label), 0);
  let best: Rect | null = null;
  for (const corner of corners.filter((corner) => holds(view, corner))) {
    if (!best || hidden(corner) < hidden(best)) best = corner;
  }
  return best;
}
