// The bridge to the application this page runs in.

import { Channel, invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";

import type { Event } from "./api";
import type { Bridge } from "./bridge";

export const tauri: Bridge = {
  snapshot: () => invoke("snapshot"),
  events: (hear) => {
    const channel = new Channel<Event>();
    channel.onmessage = hear;
    return invoke("events", { channel });
  },
  preview: (seen) => invoke("preview", { ...seen }),
  ask: (question) => invoke("ask", { question }),
  clearMarks: () => invoke("clear_marks"),
  chooseAgent: (name) => invoke("choose_agent", { name }),
  endSession: () => invoke("end_session"),
  stopShowing: () => invoke("stop_showing"),
  cameras: () => invoke("cameras"),
  screens: () => invoke("screens"),
  show: (what) => invoke("show", { what }),
  open: (kind) => invoke("open", { kind }),
  // As they are: a picture as text would be several times as large.
  paste: (bytes) => invoke("paste", bytes),
  pasteClipboard: () => invoke("paste_clipboard"),
  saveMarked: () => invoke("save_marked"),
  copyMarked: () => invoke("copy_marked"),
  drag: async (hear) => {
    await listen<boolean>("alidade://drag", ({ payload }) => hear(payload));
  },
};
