// Keeps what is seen in step with the application: hears changes first, then asks for everything, and asks
// again when a change is missing. So nothing is lost or shown twice, whatever comes first.

import type { Event, Snapshot } from "./api";
import { apply } from "./apply";

/** What it needs of the bridge. */
export interface Told {
  snapshot(): Promise<Snapshot>;
  events(hear: (event: Event) => void): Promise<void>;
}

/** Milliseconds until everything is asked for again after a failure. */
const AGAIN = 1000;

export class Sync {
  #now: Snapshot | null = null;
  /** Changes that cannot be shown yet. */
  #early: Event[] = [];
  #asking = false;
  #over = false;

  constructor(
    readonly told: Told,
    /** Is called with everything there is to see, at once and after every change. */
    readonly show: (now: Snapshot) => void,
    /** Is called with a sentence when asking failed; it is tried again. */
    readonly fail: (sentence: unknown) => void,
  ) {}

  async start(): Promise<void> {
    try {
      await this.told.events((event) => this.#hear(event));
    } catch (error) {
      this.fail(error);
    }
    await this.#ask();
  }

  stop(): void {
    this.#over = true;
  }

  #hear(event: Event): void {
    if (this.#over) return;
    this.#early.push(event);
    if (this.#asking || !this.#now) return;
    if (!this.#catchUp()) void this.#ask();
  }

  /** Applies what is next; false where something is missing before what came. */
  #catchUp(): boolean {
    let now = this.#now;
    if (!now) return false;
    const early = this.#early.sort((one, other) => one.revision - other.revision);
    this.#early = [];
    for (const [index, event] of early.entries()) {
      if (event.revision <= now.revision) continue;
      if (event.revision > now.revision + 1) {
        this.#early = early.slice(index);
        break;
      }
      now = apply(now, event);
    }
    if (now !== this.#now) {
      this.#now = now;
      this.show(now);
    }
    return this.#early.length === 0;
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      for (let tries = 0; !this.#over; tries += 1) {
        // A snapshot that is still behind what came is not asked for in a tight loop.
        if (tries > 0) await pause(Math.min(20 * 2 ** tries, AGAIN));
        if (await this.#fetch()) break;
      }
    } finally {
      this.#asking = false;
    }
  }

  async #fetch(): Promise<boolean> {
    try {
      const fresh = await this.told.snapshot();
      if (this.#over) return true;
      this.#now = fresh;
      this.show(fresh);
      return this.#catchUp();
    } catch (error) {
      this.fail(error);
      await pause(AGAIN);
      return false;
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
