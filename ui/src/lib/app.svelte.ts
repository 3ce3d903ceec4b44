// What the window knows: everything there is to see, what went wrong, and whether something takes long.

import type { Snapshot } from "./api";
import type { Bridge } from "./bridge";
import { Sync } from "./sync";
import { sentence, texts } from "./texts";

export interface Notice {
  id: number;
  says: string;
}

/** More than this is no news but a wall. */
const NOTICES = 3;

export class App {
  /** None until the application has answered for the first time. */
  view = $state.raw<Snapshot | null>(null);
  notices = $state.raw<readonly Notice[]>([]);
  /** How many calls are on their way that a person waits for. */
  waiting = $state(0);
  #count = 0;
  readonly #sync: Sync;

  constructor(readonly bridge: Bridge) {
    this.#sync = new Sync(
      bridge,
      (view) => (this.view = view),
      (error) => this.notice(sentence(error)),
    );
  }

  start(): Promise<void> {
    return this.#sync.start();
  }

  stop(): void {
    this.#sync.stop();
  }

  /** Tells the person once, however often it happens. */
  notice(says: string): void {
    const others = this.notices.filter((notice) => notice.says !== says);
    this.#count += 1;
    this.notices = [...others, { id: this.#count, says }].slice(-NOTICES);
  }

  dismiss(id: number): void {
    this.notices = this.notices.filter((notice) => notice.id !== id);
  }

  /** Makes a call; true where it went well, a notice where it was refused. */
  async run(call: Promise<unknown>, { quiet = false } = {}): Promise<boolean> {
    if (!quiet) this.waiting += 1;
    try {
      await call;
      return true;
    } catch (error) {
      this.notice(sentence(error));
      return false;
    } finally {
      if (!quiet) this.waiting -= 1;
    }
  }

  /** Why no question can be asked just now; none where one can. */
  get reason(): string | null {
    const view = this.view;
    const reasons = texts.reasons;
    if (!view || view.backend.state === "starting") return reasons.starting;
    if (view.backend.state === "failed") return reasons.failed;
    if (!view.source) return reasons.nothingShown;
    if (view.source.state === "opening") return reasons.opening;
    return null;
  }
}
