// A made-up application for tests and for the page for development. Never part of the window: the build looks
// for this name in what it wrote and fails: alidade-made-up-application.

import type { CameraOffer, Change, Event, ScreenOffers, Snapshot, Wanted } from "../lib/api";
import { apply } from "../lib/apply";
import type { Bridge, Openable, Seen } from "../lib/bridge";

export function nothingYet(): Snapshot {
  return {
    revision: 0,
    backend: { state: "local" },
    session: { state: "idle" },
    agents: [{ name: "point-and-ask", description: "Finds what you ask for and marks it.", faults: [] }],
    agent: "point-and-ask",
    source: null,
    entries: [],
    marks: [],
    thinking: false,
  };
}

type Call = [name: string, ...with_: unknown[]];

export class Fake implements Bridge {
  /** Every call but those that only look. */
  readonly calls: Call[] = [];
  /** What calls are refused with, by name. */
  readonly refusals = new Map<string, string>();
  /** Milliseconds a call takes. */
  slow = 0;
  found: CameraOffer[] = [{ index: 0, name: "Integrated Camera" }];
  screen: ScreenOffers = {
    monitors: [{ name: "DP-1", width: 1920, height: 1080 }],
    windows: [{ id: 77, title: "notes.txt – Editor", program: "Editor" }],
  };
  /** What is shown, as a packet; without one there are no pictures. */
  picture: ((seen: Seen) => Promise<ArrayBuffer>) | null = null;
  /** What a question leads to. */
  answer: ((question: string) => void) | null = null;
  #hear: ((event: Event) => void) | null = null;
  #drag: ((over: boolean) => void) | null = null;

  constructor(public now: Snapshot = nothingYet()) {}

  emit(...changes: Change[]): void {
    for (const change of changes) {
      const event: Event = { revision: this.now.revision + 1, ...change };
      this.now = apply(this.now, event);
      this.#hear?.(event);
    }
  }

  hold(over: boolean): void {
    this.#drag?.(over);
  }

  async #call(...call: Call): Promise<void> {
    this.calls.push(call);
    if (this.slow) await pause(this.slow);
    const refusal = this.refusals.get(call[0]);
    if (refusal !== undefined) throw refusal;
  }

  async snapshot(): Promise<Snapshot> {
    return this.now;
  }
  async events(hear: (event: Event) => void): Promise<void> {
    this.#hear = hear;
  }
  async preview(seen: Seen): Promise<ArrayBuffer> {
    if (this.picture) return this.picture(seen);
    await pause(1000);
    return new ArrayBuffer(0);
  }
  async ask(question: string): Promise<void> {
    await this.#call("ask", question);
    this.answer?.(question);
  }
  async clearMarks(): Promise<void> {
    await this.#call("clearMarks");
    this.emit({ what: "marks", marks: [] });
  }
  async chooseAgent(name: string): Promise<void> {
    await this.#call("chooseAgent", name);
    this.emit({ what: "agents", agents: this.now.agents, agent: name });
  }
  async endSession(): Promise<void> {
    await this.#call("endSession");
    this.emit({ what: "session", session: { state: "ended", trouble: null } });
  }
  async stopShowing(): Promise<void> {
    await this.#call("stopShowing");
    this.emit({ what: "source", source: null }, { what: "marks", marks: [] });
  }
  async cameras(): Promise<CameraOffer[]> {
    await this.#call("cameras");
    return this.found;
  }
  async screens(): Promise<ScreenOffers> {
    await this.#call("screens");
    return this.screen;
  }
  show(what: Wanted): Promise<void> {
    return this.#call("show", what);
  }
  open(kind: Openable): Promise<void> {
    return this.#call("open", kind);
  }
  paste(bytes: Uint8Array): Promise<void> {
    return this.#call("paste", bytes);
  }
  pasteClipboard(): Promise<void> {
    return this.#call("pasteClipboard");
  }
  saveMarked(): Promise<void> {
    return this.#call("saveMarked");
  }
  copyMarked(): Promise<void> {
    return this.#call("copyMarked");
  }
  async drag(hear: (over: boolean) => void): Promise<void> {
    this.#drag = hear;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
