// What is to be seen after a change. Pure; what did not change stays the same object, so that nothing else is
// painted again.

import type { Change, Entry, Event, Snapshot } from "./api";

/** After the event, whose turn it must be: see `sync.ts`. */
export function apply(now: Snapshot, event: Event): Snapshot {
  return { ...now, ...part(now, event), revision: event.revision };
}

function part(now: Snapshot, change: Change): Partial<Snapshot> {
  switch (change.what) {
    case "backend":
      return { backend: change.backend };
    case "session":
      return { session: change.session };
    case "agents":
      return { agents: change.agents, agent: change.agent };
    case "source":
      return { source: change.source };
    case "entry":
      return { entries: put(now.entries, change.entry) };
    case "more":
      return { entries: grow(now.entries, change.id, change.text) };
    case "marks":
      return { marks: change.marks };
    case "thinking":
      return { thinking: change.thinking };
    default:
      // A newer application may tell of things this page does not know.
      return {};
  }
}

/** Found from the end: what changes is nearly always among the last. */
function at(entries: readonly Entry[], id: string): number {
  return entries.findLastIndex((entry) => entry.id === id);
}

function put(entries: Entry[], entry: Entry): Entry[] {
  const index = at(entries, entry.id);
  return index < 0 ? [...entries, entry] : entries.with(index, entry);
}

function grow(entries: Entry[], id: string, text: string): Entry[] {
  const index = at(entries, id);
  const entry = entries[index];
  if (entry?.kind !== "said") return entries;
  return entries.with(index, { ...entry, text: entry.text + text });
}
