// Everything the window says by itself, in one place. What agents, tools and the application say comes as it is.

import type { SourceView } from "./api";
import type { Openable } from "./bridge";

const tools: Record<string, { now: string; done: string }> = {
  examine_image: { now: "Looking at the picture", done: "Looked at the picture" },
  detect_objects: { now: "Looking for it", done: "Looked for it" },
  point_at_object: { now: "Looking for the place", done: "Looked for the place" },
  draw_box: { now: "Marking it", done: "Marked it" },
  draw_point: { now: "Marking it", done: "Marked it" },
  load_skill: { now: "Reading up", done: "Read up" },
};

export const texts = {
  app: "Alidade",
  loading: "Starting…",

  // What is shared, and where it goes
  privacy: "Local – nothing leaves this computer",
  nothingShown: "Nothing is shown",
  backendStarting: "Starting the local backend…",
  backendFailed: "The local backend is not running",
  stop: "Stop",
  stopHint: "Stop showing this",
  change: "Change",
  changeHint: "Show something else",
  /** What has no name of its own. */
  kinds: { picture: "Pasted picture", folder: "Folder", video: "Video", camera: "Camera", screen: "Screen", window: "Window" },

  // Sources
  open: {
    picture: "Open a picture…",
    video: "Open a video…",
    folder: "Open a folder of pictures…",
  } satisfies Record<Openable, string>,
  live: "Camera or screen",
  cameras: "Cameras",
  lookingForCameras: "Looking for cameras…",
  wholeScreen: "The whole screen",
  monitor: (name: string, width: number, height: number) => `Monitor ${name} (${width} × ${height})`,
  lookingForScreens: "Looking for windows…",
  untitled: "Window without a title",
  noCamera: "No camera found. Connect one and open this menu again.",
  opening: (name: string) => `Opening ${name}…`,
  sourceEnded: (name: string) => `${name} has ended. The last picture stays.`,

  // Before there is anything to see
  emptyTitle: "Show Alidade something",
  emptyText: "Then ask where something is, and it is marked on the picture.",
  emptyOpen: "Open a picture",
  emptyMore: "Video or folder",
  emptyDrop: "You can also drop a file here, or paste a picture.",
  dropHere: "Drop to show it",

  // The live view
  view: "Live view",
  viewOf: (name: string) => `Live view of ${name}`,
  marks: (count: number) => (count === 1 ? "1 mark" : `${count} marks`),
  marksAre: (labels: string[]) => (labels.length ? `: ${labels.join(", ")}` : ""),
  clear: "Clear",
  clearHint: "Clear all marks",
  copy: "Copy the marked picture",
  copied: "Copied.",
  save: "Save the marked picture…",
  cover: "Fill the view",
  contain: "Show the whole picture",
  mirror: "Mirror the view",

  // Agents and the session
  agent: "Agent",
  session: {
    idle: "Ready when you ask",
    starting: "Starting…",
    ready: "In session",
    ended: "Ready when you ask",
  },
  endSession: "End the session",
  sessionEnded: "The session has ended. Your next question starts another.",

  // The conversation
  conversation: "Conversation",
  asked: "You asked",
  said: "Answer",
  silence: "Answers appear here.",
  tryThis: "Try asking",
  examples: ["What does it say?", "Where is Save?", "Describe this"],
  thinking: "Thinking…",
  newest: "Go to the newest",
  tool: (name: string, running: boolean) => {
    const known = tools[name.replace(/^cosmo_(sdk_)?/, "")];
    return (running ? known?.now : known?.done) ?? name;
  },
  outcomes: { running: "running", done: "done", failed: "failed", cut: "cut short" },
  toolName: "Tool",
  trouble: "Problem",

  // The composer
  question: "Your question",
  placeholder: "Ask a question",
  send: "Ask",
  reasons: {
    starting: "One moment, the local backend is starting.",
    failed: "Nobody can answer just now.",
    nothingShown: "Show something first, then ask about it.",
    opening: "One moment, it is being opened.",
  },
  keys: "Enter asks, Shift+Enter starts a new line",

  // Troubles of the window itself
  dismiss: "Dismiss",
  unknownTrouble: "Something went wrong. Please try again.",
  picturesFail: "The picture cannot be shown. Stop it and open it again.",
  notAPicture: "There is no picture on the clipboard. Copy one and paste again.",
  working: "Working…",
};

/** What a person calls a source. */
export function called(source: SourceView): string {
  return source.name || texts.kinds[source.kind];
}

/** A refusal as a sentence: the application refuses with one, anything else is not for people. */
export function sentence(error: unknown): string {
  if (typeof error === "string" && error.trim() !== "") return error;
  if (typeof error === "object" && error !== null && "says" in error && typeof error.says === "string") return error.says;
  return texts.unknownTrouble;
}

/** An agent's name as a person would write it: "point-and-ask" is "Point and ask". */
export function spoken(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
