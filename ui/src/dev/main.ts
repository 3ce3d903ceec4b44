// The window with a made-up application, to look at it without one: `npm run dev`, then /dev.html?scene=talk.

import { mount } from "svelte";

import settings from "../../../tests/pictures/settings.png?url";
import type { Seen } from "../lib/bridge";
import "../main/main.css";
import Window from "../main/Window.svelte";
import { Fake } from "./fake";
import { scene } from "./scenes";

const wanted = new URLSearchParams(location.search).get("scene") ?? "talk";
const fake = new Fake(scene(wanted));

const jpeg = fetch(settings)
  .then((answer) => answer.blob())
  .then(async (blob) => {
    const picture = await createImageBitmap(blob);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [picture.width, picture.height];
    canvas.getContext("2d")?.drawImage(picture, 0, 0);
    const encoded = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.95));
    const bytes = new Uint8Array((await encoded?.arrayBuffer()) ?? new ArrayBuffer(0));
    return { bytes, width: picture.width, height: picture.height };
  });

fake.picture = async (seen: Seen) => {
  const source = fake.now.source;
  const { bytes, width, height } = await jpeg;
  if (!source || source.state === "opening" || seen.after !== null) {
    await new Promise((done) => setTimeout(done, 1000));
    return new ArrayBuffer(0);
  }
  const packet = new Uint8Array(16 + bytes.length);
  const head = new DataView(packet.buffer);
  [source.id, 1, width, height].forEach((value, at) => head.setUint32(at * 4, value, true));
  packet.set(bytes, 16);
  return packet.buffer;
};

let count = 0;
fake.answer = (question) => {
  count += 1;
  const [asked, said, tool] = [`q${count}`, `a${count}`, `t${count}`];
  const running = { id: tool, kind: "tool", name: "cosmo_detect_objects", tookMs: null, summary: null } as const;
  fake.emit(
    { what: "session", session: { state: "ready" } },
    { what: "entry", entry: { id: asked, kind: "asked", text: question } },
    { what: "thinking", thinking: true },
    { what: "entry", entry: { ...running, outcome: "running" } },
  );
  const words = "Save is at the bottom right. It is marked on the picture.".split(/(?<= )/);
  setTimeout(() => {
    fake.emit(
      { what: "entry", entry: { ...running, outcome: "done", tookMs: 412, summary: "one place" } },
      {
        what: "marks",
        marks: [
          { id: count, shape: "box", x: 0.783, y: 0.84, width: 0.087, height: 0.046, label: "Save", strength: 1, newest: true },
        ],
      },
      { what: "thinking", thinking: false },
      { what: "entry", entry: { id: said, kind: "said", text: "", done: false } },
    );
    words.forEach((text, at) => setTimeout(() => fake.emit({ what: "more", id: said, text }), at * 80));
    setTimeout(() => {
      fake.emit({ what: "entry", entry: { id: said, kind: "said", text: words.join(""), done: true } });
    }, words.length * 80);
  }, 900);
};

if (wanted === "refused") fake.refusals.set("ask", "The agent is not there any more. Choose another one above.");

// For tests in a browser, which play the application's part.
Object.assign(window, { fake });

mount(Window, { target: document.body, props: { bridge: fake } });
