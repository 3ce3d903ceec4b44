// Brings the newest picture to the eye: one request at a time, the next when the last is painted, none while
// nobody can see the window. So a slow page skips pictures instead of falling behind.

import type { Seen } from "./bridge";
import type { Packet } from "./packet";
import { PacketError, parsePacket } from "./packet";

/** Where pictures come from and go to. */
export interface Eye {
  fetch(seen: Seen): Promise<ArrayBuffer>;
  /** Decodes a picture; what comes out is closed when the next one is shown. */
  decode(packet: Packet): Promise<ImageBitmap>;
  /** Shows a picture and answers whether it keeps it; one that is not kept is released. */
  show(packet: Packet, picture: ImageBitmap): boolean;
  /** Is called with a sentence once pictures fail repeatedly, and not again before one succeeded. */
  fail(sentence: unknown): void;
  /** Is over when the window can be seen. */
  visible(): Promise<void>;
}

/** Milliseconds between empty answers, should they come without waiting; and after a failure. */
const SHORTEST = 100;
const AFTER_FAILURE = 500;
/** One damaged picture is no news, since the next one follows. */
const FAILURES = 3;

/** Pictures from now until the returned function is called. */
export function watch(eye: Eye): () => void {
  let over = false;
  let seen: Seen = { source: null, after: null };
  let failures = 0;

  const step = async (): Promise<void> => {
    await eye.visible();
    if (over) return;
    const asked = performance.now();
    const packet = parsePacket(await eye.fetch(seen));
    if (over) return;
    if (!packet) {
      await pause(SHORTEST - (performance.now() - asked));
      return;
    }
    // A damaged picture is asked for once: whatever it was, the next is another one.
    seen = { source: packet.source, after: packet.picture };
    const picture = await eye.decode(packet).catch(() => {
      throw new PacketError("a picture could not be decoded");
    });
    if (over || !eye.show(packet, picture)) picture.close();
    failures = 0;
  };

  const run = async (): Promise<void> => {
    while (!over) {
      try {
        await step();
      } catch (error) {
        failures += 1;
        if (failures === FAILURES && !over) eye.fail(error);
        await pause(AFTER_FAILURE);
      }
    }
  };
  void run();
  return () => {
    over = true;
  };
}

function pause(milliseconds: number): Promise<void> {
  return milliseconds > 0 ? new Promise((done) => setTimeout(done, milliseconds)) : Promise.resolve();
}
