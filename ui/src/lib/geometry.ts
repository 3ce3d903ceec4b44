// Where a place of the picture lies in a view, and back. The same rules as the crate that paints marks
// (`crates/draw`), checked against the same vectors.
//
// Places of the picture are shares, 0 to 1, x to the right and y downwards, never mirrored. Places of the
// view are CSS pixels from its upper left corner.

export interface Extent {
  width: number;
  height: number;
}

export interface Position {
  x: number;
  y: number;
}

export interface Rect extends Extent, Position {}

/** How the picture fills the view: all of it to be seen, or no room left beside it. */
export type Fit = "contain" | "cover";

export interface View {
  container: Extent;
  /** Size of the picture; only the ratio of its sides matters. */
  frame: Extent;
  fit: Fit;
  /** Left and right changed over. What is sent never is. */
  mirrored: boolean;
}

const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 };

/** Where the whole picture is drawn; none where a side is not a positive number. Mirroring changes nothing. */
export function drawnRect({ container, frame, fit }: View): Rect | null {
  const sides = [container.width, container.height, frame.width, frame.height];
  if (!sides.every((side) => Number.isFinite(side) && side > 0)) return null;
  const across = container.width / frame.width;
  const down = container.height / frame.height;
  const scale = fit === "cover" ? Math.max(across, down) : Math.min(across, down);
  const width = frame.width * scale;
  const height = frame.height * scale;
  return { x: (container.width - width) / 2, y: (container.height - height) / 2, width, height };
}

/** Where a box of the picture lies in the view; all zeros where a side is not a positive number. */
export function boxRect(area: Rect, view: View): Rect {
  const drawn = drawnRect(view);
  if (!drawn) return NOWHERE;
  const width = area.width * drawn.width;
  const x = drawn.x + area.x * drawn.width;
  return {
    x: view.mirrored ? view.container.width - (x + width) : x,
    y: drawn.y + area.y * drawn.height,
    width,
    height: area.height * drawn.height,
  };
}

/** Where a point of the picture lies in the view. */
export function pointPosition(spot: Position, view: View): Position {
  const { x, y } = boxRect({ ...spot, width: 0, height: 0 }, view);
  return { x, y };
}

/** Which place of the picture lies under a place of the view; outside 0 to 1 beside the picture. */
export function spotAt(position: Position, view: View): Position | null {
  const drawn = drawnRect(view);
  if (!drawn) return null;
  const x = view.mirrored ? view.container.width - position.x : position.x;
  return { x: (x - drawn.x) / drawn.width, y: (position.y - drawn.y) / drawn.height };
}

export function right(rect: Rect): number {
  return rect.x + rect.width;
}

export function bottom(rect: Rect): number {
  return rect.y + rect.height;
}

/** Larger by `margin` on every side. */
export function grown(rect: Rect, margin: number): Rect {
  return {
    x: rect.x - margin,
    y: rect.y - margin,
    width: Math.max(rect.width + 2 * margin, 0),
    height: Math.max(rect.height + 2 * margin, 0),
  };
}

/** The area two rectangles have in common. */
export function shared(one: Rect, other: Rect): number {
  const width = Math.min(right(one), right(other)) - Math.max(one.x, other.x);
  // Most pairs are told apart here: this is what placing labels among many marks spends its time on.
  if (!(width > 0)) return 0;
  const height = Math.min(bottom(one), bottom(other)) - Math.max(one.y, other.y);
  return height > 0 ? width * height : 0;
}

/** Whether `inner` lies wholly inside `outer`. */
export function holds(outer: Rect, inner: Rect): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    right(inner) <= right(outer) &&
    bottom(inner) <= bottom(outer)
  );
}

/** The part of `rect` inside `limits`, pushed to the nearest edge where there is none. */
export function cut(rect: Rect, limits: Rect): Rect {
  const x = between(rect.x, limits.x, right(limits));
  const y = between(rect.y, limits.y, bottom(limits));
  return {
    x,
    y,
    width: between(right(rect), x, right(limits)) - x,
    height: between(bottom(rect), y, bottom(limits)) - y,
  };
}

export function between(value: number, least: number, most: number): number {
  return Math.max(Math.min(value, most), least);
}
