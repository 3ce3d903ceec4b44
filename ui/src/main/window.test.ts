// @vitest-environment jsdom

import { flushSync, mount, tick, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Fake, nothingYet } from "../dev/fake";
import type { Entry, Snapshot, ToolOutcome } from "../lib/api";
import { texts } from "../lib/texts";
import Window from "./Window.svelte";

let fake: Fake;
let mounted: object | undefined;

const shown: Snapshot = {
  ...nothingYet(),
  source: { id: 1, kind: "picture", name: "settings.png", state: "showing" },
};

async function open(now: Snapshot): Promise<void> {
  fake = new Fake(now);
  mounted = mount(Window, { target: document.body, props: { bridge: fake } });
  await settle();
}

/** Until everything that is on its way without a timer has come. */
async function settle(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await tick();
  flushSync();
}

function emit(...changes: Parameters<Fake["emit"]>): void {
  fake.emit(...changes);
  flushSync();
}

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
const one = (selector: string) => document.querySelector<HTMLElement>(selector)!;
const text = (selector: string) => one(selector).textContent?.replace(/\s+/g, " ").trim();
const button = (name: string) => one(`button[aria-label="${name}"]`) as HTMLButtonElement;
const field = () => one("textarea") as HTMLTextAreaElement;

function write(question: string): void {
  field().value = question;
  field().dispatchEvent(new window.Event("input", { bubbles: true }));
  flushSync();
}

function press(key: string, more: KeyboardEventInit = {}, target: HTMLElement = field()): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  flushSync();
  return event;
}

beforeEach(() => vi.useFakeTimers());
afterEach(async () => {
  if (mounted) await unmount(mounted);
  mounted = undefined;
  vi.useRealTimers();
});

const said = (words: string, done = false): Entry => ({ id: "a", kind: "said", text: words, done });

test("an answer streams in with a caret until it is done", async () => {
  await open(shown);
  emit({ what: "entry", entry: said("It is") }, { what: "more", id: "a", text: " here" });
  expect(text(".said")).toBe("It is here");
  expect(one(".said").ariaBusy ?? one(".said").getAttribute("aria-busy")).toBe("true");
  expect(one(".said .caret")).not.toBeNull();
  emit({ what: "entry", entry: said("It is there.", true) });
  expect(text(".said")).toBe("It is there.");
  expect(one(".said .caret")).toBeNull();
});

test("what a model writes stays text", async () => {
  await open(shown);
  emit({ what: "entry", entry: said("<img src=x onerror=alert(1)><b>bold</b>") });
  expect(text(".said")).toBe("<img src=x onerror=alert(1)><b>bold</b>");
  expect(all(".said img, .said b")).toEqual([]);
});

test("each paragraph of an answer may run in its own direction", async () => {
  await open(shown);
  emit({ what: "entry", entry: said("أين زر الحفظ؟\n\nIt is here.", true) });
  expect(all(".said p").map((part) => part.dir)).toEqual(["auto", "auto"]);
});

test("a tool is a line with its state, what it came to and how long it took", async () => {
  await open(shown);
  const tool = (outcome: ToolOutcome, tookMs: number | null, summary: string | null): Entry => ({
    id: "t",
    kind: "tool",
    name: "cosmo_detect_objects",
    outcome,
    tookMs,
    summary,
  });
  emit({ what: "entry", entry: tool("running", null, null) });
  expect(text(".tool summary")).toBe("running: Looking for it");
  emit({ what: "entry", entry: tool("done", 1240, "one place") });
  expect(text(".tool summary")).toBe("done: Looked for it · one place 1.2 s");
  emit({ what: "entry", entry: tool("cut", 10, null) });
  expect(text(".tool summary")).toContain("cut short");
  expect(all(".tool")).toHaveLength(1);
});

test("a tool that is not known is called by its name", async () => {
  await open(shown);
  emit({
    what: "entry",
    entry: { id: "t", kind: "tool", name: "rename_files", outcome: "failed", tookMs: 5, summary: "refused" },
  });
  expect(text(".tool summary")).toBe("failed: rename_files · refused 5 ms");
});

test("Enter asks, Shift+Enter and Enter in the middle of a word do not", async () => {
  await open(shown);
  write(" Where is Save? ");
  expect(press("Enter", { shiftKey: true }).defaultPrevented).toBe(false);
  press("Enter", { isComposing: true });
  expect(fake.calls).toEqual([]);
  expect(press("Enter").defaultPrevented).toBe(true);
  expect(fake.calls).toEqual([["ask", "Where is Save?"]]);
  expect(field().value).toBe("");
});

test("nothing is asked where there is nothing to ask", async () => {
  await open(shown);
  write("  \n ");
  press("Enter");
  expect(fake.calls).toEqual([]);
});

test("a question that was refused comes back, before what was written since", async () => {
  await open(shown);
  fake.slow = 50;
  fake.refusals.set("ask", "The agent is gone. Choose another one.");
  write("Where is Save?");
  press("Enter");
  write("And Cancel?");
  await vi.advanceTimersByTimeAsync(100);
  await settle();
  expect(field().value).toBe("Where is Save?\nAnd Cancel?");
  expect(text("[role=alert]")).toBe("The agent is gone. Choose another one.");
});

test("a refusal is told once and can be dismissed", async () => {
  await open(shown);
  fake.refusals.set("stopShowing", "It is busy. Try again.");
  for (let round = 0; round < 3; round += 1) {
    one(".stop").click();
    await settle();
  }
  expect(all("[role=alert]")).toHaveLength(1);
  button(texts.dismiss).click();
  flushSync();
  expect(all("[role=alert]")).toHaveLength(0);
});

test("why nothing can be asked is said, and what is written meanwhile stays", async () => {
  await open({ ...nothingYet(), backend: { state: "starting" } });
  const reason = () => document.getElementById(field().getAttribute("aria-describedby")!)?.textContent;
  expect(reason()).toBe(texts.reasons.starting);
  write("Where is Save?");
  press("Enter");
  emit({ what: "backend", backend: { state: "local" } });
  expect(reason()).toBe(texts.reasons.nothingShown);
  emit({ what: "source", source: shown.source });
  expect(reason()).toBe("");
  expect(field().value).toBe("Where is Save?");
  expect(fake.calls).toEqual([]);
});

test("a draft outlives a reload of the page", async () => {
  await open(shown);
  write("Where is");
  await unmount(mounted!);
  await open(shown);
  expect(field().value).toBe("Where is");
});

test("a backend that is not there is a sentence that stays", async () => {
  await open(shown);
  emit({ what: "backend", backend: { state: "failed", trouble: { says: "The port is taken. Close the other program." } } });
  expect(text("[role=alert]")).toBe("The port is taken. Close the other program.");
  expect(button(texts.dismiss)).toBeNull();
});

test("what is shown and where it goes can be seen, and one click ends it", async () => {
  await open(shown);
  expect(text(".source")).toContain("settings.png");
  expect(text(".source")).toContain(texts.privacy);
  one(".stop").click();
  await settle();
  expect(fake.calls).toEqual([["stopShowing"]]);
  expect(text(".source")).toContain(texts.nothingShown);
  expect(text(".empty h2")).toBe(texts.emptyTitle);
});

test("marks are counted, and can be cleared, saved and copied while there are any", async () => {
  await open(shown);
  expect(button(texts.clearHint)).toBeNull();
  const mark = { shape: "point", x: 0, y: 0, label: null, strength: 1, newest: true } as const;
  emit({ what: "marks", marks: [{ ...mark, id: 1 }] });
  expect(text(".says")).toBe("1 mark");
  emit({ what: "marks", marks: [{ ...mark, id: 1 }, { ...mark, id: 2 }] });
  expect(text(".says")).toBe("2 marks");
  button(texts.save).click();
  button(texts.copy).click();
  await settle();
  expect(text(".says")).toBe(texts.copied);
  button(texts.clearHint).click();
  await settle();
  expect(fake.calls.map(([name]) => name)).toEqual(["saveMarked", "copyMarked", "clearMarks"]);
});

test("only a camera can be mirrored", async () => {
  await open(shown);
  expect(button(texts.mirror)).toBeNull();
  emit({ what: "source", source: { id: 2, kind: "camera", name: "Camera", state: "showing" } });
  expect(button(texts.mirror).getAttribute("aria-pressed")).toBe("false");
});

test("a menu opens, moves and closes by keyboard and gives the focus back", async () => {
  await open(shown);
  const menu = button(texts.changeHint);
  menu.focus();
  press("ArrowDown", {}, menu);
  await settle();
  expect(document.activeElement?.textContent?.trim()).toBe(texts.open.picture);
  press("End", {}, document.activeElement as HTMLElement);
  expect(document.activeElement?.textContent).toContain("notes.txt");
  press("ArrowDown", {}, document.activeElement as HTMLElement);
  press("Escape", {}, document.activeElement as HTMLElement);
  expect(one("[role=menu]")).toBeNull();
  expect(document.activeElement).toBe(menu);
  press("ArrowUp", {}, menu);
  await settle();
  (document.activeElement as HTMLElement).click();
  await settle();
  expect(fake.calls.at(-1)).toEqual(["show", { kind: "window", id: 77 }]);
});

async function offered(): Promise<HTMLElement[]> {
  button(texts.changeHint).click();
  await settle();
  return all("[role=menuitem]");
}

test.each([
  ["Integrated Camera", { kind: "camera", index: 0 }],
  [texts.wholeScreen, { kind: "screen" }],
  ["DP-2", { kind: "monitor", name: "DP-2" }],
  ["notes.txt", { kind: "window", id: 77 }],
])("%s is shown by its entry", async (words, what) => {
  await open(shown);
  fake.screen.monitors.push({ name: "DP-2", width: 1280, height: 720 });
  (await offered()).find((item) => item.textContent?.includes(words))!.click();
  await settle();
  expect(fake.calls.at(-1)).toEqual(["show", what]);
});

test("a single monitor is the whole screen, and a desktop that shows none says so", async () => {
  await open(shown);
  expect((await offered()).some((item) => item.textContent?.includes("DP-1"))).toBe(false);
  press("Escape", {}, one("[role=menu]"));
  const says = "This desktop does not show its screen.";
  fake.refusals.set("screens", says);
  const entry = (await offered()).find((item) => item.textContent?.includes(says))!;
  expect(entry.ariaDisabled ?? entry.getAttribute("aria-disabled")).toBe("true");
});

test("an agent with faults says why it cannot be chosen", async () => {
  const faulty = { name: "plant-doctor", description: "", faults: ["agent.toml, line 7: no such voice."] };
  await open({ ...shown, agents: [...shown.agents, faulty] });
  one("button[aria-haspopup=menu][aria-label^=Agent]").click();
  await settle();
  const item = all("[role=menuitemradio]")[1]!;
  expect(item.textContent).toContain("line 7");
  item.click();
  await settle();
  expect(fake.calls).toEqual([]);
});

test("what takes long is seen to be on its way after half a second", async () => {
  await open(shown);
  fake.slow = 2000;
  one(".stop").click();
  await vi.advanceTimersByTimeAsync(400);
  flushSync();
  expect(one("[role=progressbar]")).toBeNull();
  await vi.advanceTimersByTimeAsync(200);
  flushSync();
  expect(one("[role=progressbar]")).not.toBeNull();
  await vi.advanceTimersByTimeAsync(2000);
  await settle();
  expect(one("[role=progressbar]")).toBeNull();
});

test("files that are held over the window are welcomed", async () => {
  await open(nothingYet());
  fake.hold(true);
  flushSync();
  expect(text(".drop")).toBe(texts.dropHere);
  fake.hold(false);
  flushSync();
  expect(one(".drop")).toBeNull();
});

test("the conversation is a log that speaks politely", async () => {
  await open(shown);
  expect(one("[role=log]").getAttribute("aria-live")).toBe("polite");
});

test("a picture that the web view keeps to itself is asked of the clipboard, text is not", async () => {
  await open(shown);
  const paste = (text: string) => {
    const event = new window.Event("paste", { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { files: [], getData: () => text } });
    field().dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(paste("words")).toBe(false);
  await settle();
  expect(fake.calls).toEqual([]);
  expect(paste("")).toBe(true);
  await settle();
  expect(fake.calls).toEqual([["pasteClipboard"]]);
});

test("a question that is written while an answer comes stays until it can be asked", async () => {
  await open({ ...shown, thinking: true });
  write("And where is Save?");
  press("Enter");
  await settle();
  expect(fake.calls).toEqual([]);
  expect(field().value).toBe("And where is Save?");
  emit({ what: "thinking", thinking: false });
  press("Enter");
  await settle();
  expect(fake.calls).toEqual([["ask", "And where is Save?"]]);
});

test("what has no name of its own is called by its kind", async () => {
  await open({ ...shown, source: { id: 1, kind: "screen", name: "", state: "showing" } });
  expect(text("header .name")).toBe(texts.kinds.screen);
  emit({ what: "source", source: { id: 2, kind: "window", name: "notes.txt", state: "showing" } });
  expect(text("header .name")).toBe("notes.txt");
});
