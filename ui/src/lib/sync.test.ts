import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { nothingYet } from "../dev/fake";
import type { Event, Snapshot } from "./api";
import { Sync } from "./sync";

/** An application whose answers are given by the test. */
class Scripted {
  hear: (event: Event) => void = () => undefined;
  order: string[] = [];
  answers: ((answer: Snapshot | Error) => void)[] = [];

  async events(hear: (event: Event) => void) {
    this.order.push("events");
    this.hear = hear;
  }

  snapshot() {
    this.order.push("snapshot");
    return new Promise<Snapshot>((resolve, reject) =>
      this.answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer))),
    );
  }
}

const at = (revision: number, agent = "a"): Snapshot => ({ ...nothingYet(), revision, agent });
const agent = (revision: number, name: string): Event => ({ revision, what: "agents", agents: [], agent: name });

let told: Scripted;
let shown: Snapshot[];
let failed: unknown[];

beforeEach(async () => {
  vi.useFakeTimers();
  [told, shown, failed] = [new Scripted(), [], []];
  const sync = new Sync(told, (now) => shown.push(now), (error) => failed.push(error));
  void sync.start();
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => vi.useRealTimers());

const last = () => shown.at(-1);
const settle = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

test("changes are heard before everything is asked for", () => expect(told.order).toEqual(["events", "snapshot"]));

test("what came before the snapshot and is in it is not applied twice, what is newer is applied", async () => {
  const more = (revision: number, text: string): Event => ({ revision, what: "more", id: "x", text });
  told.hear(more(4, "One"));
  told.hear(more(5, " two"));
  told.hear(more(6, " three"));
  told.answers[0]?.({ ...at(5), entries: [{ id: "x", kind: "said", text: "One two", done: false }] });
  await settle();
  expect(last()).toMatchObject({ revision: 6, entries: [{ text: "One two three" }] });
});

test("changes are applied in order", async () => {
  told.answers[0]?.(at(1));
  await settle();
  told.hear(agent(2, "b"));
  told.hear(agent(3, "c"));
  expect(shown.map(({ agent }) => agent)).toEqual(["a", "b", "c"]);
});

test("on a gap everything is asked for again, and what came meanwhile is kept", async () => {
  told.answers[0]?.(at(1));
  await settle();
  told.hear(agent(3, "c"));
  expect(last()?.revision).toBe(1);
  told.hear(agent(4, "d"));
  expect(told.answers).toHaveLength(2);
  told.answers[1]?.(at(3, "c"));
  await settle();
  expect(last()).toMatchObject({ revision: 4, agent: "d" });
});

test("a snapshot that is still behind is asked for again, not in a tight loop", async () => {
  told.hear(agent(9, "late"));
  told.answers[0]?.(at(1));
  await settle();
  expect(told.answers).toHaveLength(1);
  await settle(100);
  told.answers[1]?.(at(8));
  await settle();
  expect(last()).toMatchObject({ revision: 9, agent: "late" });
});

test("a refused snapshot is told and asked for again", async () => {
  told.answers[0]?.(new Error("no"));
  await settle();
  expect(failed).toHaveLength(1);
  await settle(2000);
  told.answers[1]?.(at(1));
  await settle();
  expect(last()?.revision).toBe(1);
});
