// Moments worth looking at.

import type { Entry, MarkView, Snapshot } from "../lib/api";
import { nothingYet } from "./fake";

const picture: Snapshot["source"] = { id: 1, kind: "picture", name: "settings.png", state: "showing" };

const agents = [
  { name: "point-and-ask", description: "Finds what you ask for and marks it.", faults: [] },
  { name: "desktop-guide", description: "Walks you through a task, step by step.", faults: [] },
  {
    name: "plant-doctor",
    description: "Looks at a leaf.",
    faults: ["agent.toml, line 7: the voice “fern” is not known. Take one of alto, tenor."],
  },
];

const talk: Entry[] = [
  { id: "1", kind: "asked", text: "Which page is this?" },
  { id: "2", kind: "tool", name: "cosmo_examine_image", outcome: "done", tookMs: 38, summary: "settings.png, 1280 × 800" },
  { id: "3", kind: "said", text: "This is the Notifications page of Settings.", done: true },
  { id: "4", kind: "asked", text: "Where do I turn off sounds?" },
  { id: "5", kind: "tool", name: "cosmo_detect_objects", outcome: "done", tookMs: 121, summary: "one place" },
  { id: "6", kind: "tool", name: "cosmo_sdk_draw_box", outcome: "done", tookMs: 3, summary: null },
  { id: "7", kind: "said", text: "“Play a sound” is in the middle. Its switch is off already.", done: true },
  { id: "8", kind: "asked", text: "And how do I keep this?" },
  { id: "9", kind: "tool", name: "cosmo_detect_objects", outcome: "done", tookMs: 94, summary: "one place" },
  { id: "10", kind: "tool", name: "cosmo_sdk_draw_box", outcome: "done", tookMs: 2, summary: null },
  { id: "11", kind: "said", text: "Press Save, at the bottom right. I have marked it", done: false },
];

const box = (id: number, label: string, at: [number, number, number, number], more: Partial<MarkView> = {}) =>
  ({
    id,
    shape: "box",
    x: at[0] / 1280,
    y: at[1] / 800,
    width: at[2] / 1280,
    height: at[3] / 800,
    label,
    strength: 1,
    newest: true,
    ...more,
  }) as MarkView;

const marks = [
  box(1, "Play a sound", [1070, 287, 43, 23], { newest: false, strength: 0.75 }),
  box(2, "Save", [1002, 672, 111, 37]),
];

const sides = ["General", "Appearance", "Notifications", "Privacy", "Shortcuts", "Accounts"];
const twelve: MarkView[] = [
  ...sides.map((name, at) => box(at + 1, `${at + 1} ${name}`, [133, 122 + at * 44, 217, 36])),
  ...[220, 298, 376, 454].map((y, at) => ({
    ...box(at + 7, `${at + 7}`, [0, 0, 0, 0]),
    shape: "point" as const,
    x: 1091 / 1280,
    y: y / 800,
  })),
  box(11, "11 Cancel", [880, 672, 111, 37]),
  box(12, "12 Save", [1002, 672, 111, 37]),
];

const paragraph = "The switches on the right turn each kind of message on or off. ".repeat(12).trim();

export function scene(name: string): Snapshot {
  const shown: Snapshot = {
    ...nothingYet(),
    agents,
    source: picture,
    session: { state: "ready" },
    entries: talk,
    marks,
  };
  switch (name) {
    case "empty":
      return { ...nothingYet(), agents };
    case "first":
      return { ...nothingYet(), agents, source: picture };
    case "opening":
      return { ...nothingYet(), agents, source: { id: 1, kind: "video", name: "a walk.mp4", state: "opening" } };
    case "camera":
      return { ...shown, source: { id: 1, kind: "camera", name: "Integrated Camera", state: "showing" } };
    case "twelve":
      return {
        ...shown,
        marks: twelve,
        entries: [
          ...talk.slice(0, 3),
          { id: "20", kind: "asked", text: "Show me everything I can press" },
          { id: "21", kind: "tool", name: "cosmo_detect_objects", outcome: "done", tookMs: 143, summary: "12 places" },
          { id: "22", kind: "said", text: "There are 12. Which one do you mean?", done: true },
        ],
      };
    case "thousand":
      return {
        ...shown,
        marks: Array.from({ length: 1000 }, (_, at) =>
          box(at + 1, `Thing ${at + 1}`, [(at % 40) * 32, Math.floor(at / 40) * 32, 24, 20]),
        ),
      };
    case "error":
      return {
        ...shown,
        backend: { state: "failed", trouble: { says: "Its port is taken by another program. Close that, then start Alidade again." } },
        session: { state: "ended", trouble: { says: "The connection to the local backend was lost." } },
        source: { id: 1, kind: "camera", name: "Integrated Camera", state: "ended", trouble: { says: "The camera was unplugged. Plug it in and choose it again." } },
        entries: [
          ...talk.slice(0, 5),
          { id: "30", kind: "tool", name: "cosmo_examine_image", outcome: "failed", tookMs: 10_000, summary: "no picture came in 10 seconds" },
          { id: "31", kind: "tool", name: "send_mail", outcome: "cut", tookMs: 2140, summary: null },
          { id: "32", kind: "trouble", trouble: { says: "The picture could not be looked at, since none came. Ask again." } },
        ],
        marks: [],
      };
    case "long":
      return {
        ...shown,
        entries: Array.from({ length: 2000 }, (_, at): Entry => {
          if (at === 1999) {
            const text = Array.from({ length: 66 }, () => paragraph).join("\n\n");
            return { id: "last", kind: "said", text, done: false };
          }
          return at % 2
            ? { id: `${at}`, kind: "said", text: `Answer ${at}. It is at the top left.`, done: true }
            : { id: `${at}`, kind: "asked", text: `Question ${at}` };
        }),
      };
    case "rtl":
      return {
        ...shown,
        marks: [box(1, "حفظ التغييرات", [1002, 672, 111, 37])],
        entries: [
          { id: "1", kind: "asked", text: "أين زر الحفظ؟" },
          { id: "2", kind: "said", text: "زر Save في أسفل اليمين.\nIt is marked.", done: true },
        ],
      };
    default:
      return shown;
  }
}
