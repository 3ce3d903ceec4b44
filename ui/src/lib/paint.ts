// Paints a picture into a canvas as sharp as the screen can show it.

import type { Rect, View } from "./geometry";
import { drawnRect } from "./geometry";

/** The part of the container that shows the picture, on whole pixels of the screen; `ratio` of those to one of CSS. */
export function canvasRect(view: View, ratio: number): Rect | null {
  const drawn = drawnRect(view);
  if (!drawn) return null;
  const snap = (value: number) => Math.round(value * ratio) / ratio;
  const { width, height } = view.container;
  const left = snap(Math.max(drawn.x, 0));
  const top = snap(Math.max(drawn.y, 0));
  const end = snap(Math.min(drawn.x + drawn.width, width));
  const foot = snap(Math.min(drawn.y + drawn.height, height));
  return { x: left, y: top, width: end - left, height: foot - top };
}

/** Paints the picture, mirrored where the view is. `still` pictures are worth the finest scaling. */
export function paint(canvas: HTMLCanvasElement, picture: ImageBitmap, view: View, ratio: number, still: boolean): void {
  const place = canvasRect(view, ratio);
  const drawn = drawnRect(view);
  const context = canvas.getContext("2d", { alpha: false });
  if (!place || !drawn || !context) return;
  const [width, height] = [Math.round(place.width * ratio), Math.round(place.height * ratio)];
  // Setting a size clears the canvas, even when it is the same.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.left = `${place.x}px`;
  canvas.style.top = `${place.y}px`;
  canvas.style.width = `${place.width}px`;
  canvas.style.height = `${place.height}px`;
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = still ? "high" : "medium";
  context.setTransform(view.mirrored ? -1 : 1, 0, 0, 1, view.mirrored ? width : 0, 0);
  const inContain = view.fit === "contain";
  context.drawImage(
    picture,
    inContain ? 0 : (drawn.x - place.x) * ratio,
    inContain ? 0 : (drawn.y - place.y) * ratio,
    inContain ? width : drawn.width * ratio,
    inContain ? height : drawn.height * ratio,
  );
}
