import { expect, test } from "vitest";

import { nothingYet } from "../dev/fake";
import type { Change, Entry } from "./api";
import { apply } from "./apply";

const said = (id: string, text: string, done = false): Entry => ({ id, kind: "said", text, done });
const start = { ...nothingYet(), entries: [said("a", "One", true), said("b", "Two")] };
const after = (change: Change) => apply(start, { revision: 1, ...change });

test("a new entry comes last, a known one is replaced in its place", () => {
  expect(after({ what: "entry", entry: said("c", "Three") }).entries.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  expect(after({ what: "entry", entry: said("a", "Uno") }).entries).toEqual([said("a", "Uno"), said("b", "Two")]);
});

test("more words go to the end of what is being said, the rest stays the same object", () => {
  const { entries } = after({ what: "more", id: "b", text: " three" });
  expect(entries[1]).toEqual(said("b", "Two three"));
  expect(entries[0]).toBe(start.entries[0]);
});

test("more words for what nobody says change nothing", () => {
  expect(after({ what: "more", id: "?", text: "!" }).entries).toBe(start.entries);
});

test("every other change replaces its part alone", () => {
  const changes: Change[] = [
    { what: "backend", backend: { state: "failed", trouble: { says: "No." } } },
    { what: "session", session: { state: "ready" } },
    { what: "agents", agents: [], agent: "other" },
    { what: "source", source: { id: 1, kind: "camera", name: "c", state: "opening" } },
    { what: "marks", marks: [{ id: 1, shape: "point", x: 0, y: 0, label: null, strength: 1, newest: true }] },
    { what: "thinking", thinking: true },
  ];
  for (const change of changes) {
    const { what, ...parts } = change;
    expect(after(change), what).toEqual({ ...start, ...parts, revision: 1 });
  }
});

test("a change of a kind that is not known counts and changes nothing", () => {
  expect(after({ what: "weather" } as unknown as Change)).toEqual({ ...start, revision: 1 });
});
