// Everything the page asks of the application, in one place. The window has one made of Tauri's calls
// (`tauri.ts`); tests and the page for development have a made-up one (`dev/fake.ts`).
//
// Every call may be refused with a sentence for the person.

import type { CameraOffer, Event, ScreenOffers, Snapshot, Wanted } from "./api";

/** Which picture was seen last; none before the first. */
export interface Seen {
  source: number | null;
  after: number | null;
}

export type Openable = "picture" | "video" | "folder";

export interface Bridge {
  snapshot(): Promise<Snapshot>;
  /** Hears every change from now on. */
  events(hear: (event: Event) => void): Promise<void>;
  /** The newest picture that is not the one seen, as a packet (`packet.ts`); empty where none came in a second. */
  preview(seen: Seen): Promise<ArrayBuffer>;
  ask(question: string): Promise<void>;
  clearMarks(): Promise<void>;
  chooseAgent(name: string): Promise<void>;
  endSession(): Promise<void>;
  stopShowing(): Promise<void>;
  cameras(): Promise<CameraOffer[]>;
  screens(): Promise<ScreenOffers>;
  show(what: Wanted): Promise<void>;
  /** Opens the system's dialog; over when that is closed. */
  open(kind: Openable): Promise<void>;
  /** Shows a picture from the clipboard: the bytes of a picture file. */
  paste(bytes: Uint8Array): Promise<void>;
  /** Shows the picture on the clipboard, which not every web view hands to its page. */
  pasteClipboard(): Promise<void>;
  saveMarked(): Promise<void>;
  copyMarked(): Promise<void>;
  /** Hears whether files are held over the window; dropping them is the application's affair. */
  drag(hear: (over: boolean) => void): Promise<void>;
}
