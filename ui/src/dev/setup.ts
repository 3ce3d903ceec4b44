// What jsdom lacks and the window needs.

import { afterEach } from "vitest";

class NoObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

// Tests of pure code run without a page.
if (typeof document !== "undefined") {
  globalThis.ResizeObserver ??= NoObserver;
  window.matchMedia ??= () => Object.assign(new EventTarget(), { matches: false }) as unknown as MediaQueryList;
  HTMLCanvasElement.prototype.getContext = () => null;

  afterEach(() => {
    document.body.replaceChildren();
    sessionStorage.clear();
  });
}
