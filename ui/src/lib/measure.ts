// How wide a text is on this screen, in CSS pixels.

const context = (() => {
  let made: CanvasRenderingContext2D | null | undefined;
  return () => (made === undefined ? (made = document.createElement("canvas").getContext("2d")) : made);
})();

/** Remembers what was measured: the same few labels are placed again with every change of size. */
export function measure(font: string): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size > 2000) known.clear();
    const canvas = context();
    if (canvas) canvas.font = font;
    // Without a canvas a guess keeps the label readable.
    const width = canvas ? canvas.measureText(text).width : text.length * 8;
    known.set(text, width);
    return width;
  };
}
