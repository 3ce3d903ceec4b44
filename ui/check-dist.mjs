// The built window keeps to its content policy and carries nothing that was made up for tests. Run by the build.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const files = readdirSync("dist", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

const rules = [
  ["the made-up application", /alidade-made-up-application|class Fake\b|Integrated Camera/],
  ["a style attribute, which the content policy drops", /<[a-z][^<>]*\sstyle=/i],
  ["an inline handler", /<[a-z][^<>]*\son[a-z]+=["']/i],
  ["code made from text", /\beval\(|new Function\(/],
  // Names of the drawing format and sentences of Svelte's own errors are no addresses that are fetched.
  ["a remote address", /\b(?:https?|wss?):\/\/(?!www\.w3\.org\/|svelte\.dev\/e\/)/],
  ["a data address", /url\(["']?data:/],
];
const inline = ["a script or style inside the page", /<style|<script(?![^>]*\ssrc=)/i];

let faults = 0;
for (const file of files.filter((file) => /\.(html|js|css)$/.test(file))) {
  const text = readFileSync(file, "utf8");
  for (const [what, pattern] of file.endsWith(".html") ? [...rules, inline] : rules) {
    const found = pattern.exec(text);
    if (!found) continue;
    faults += 1;
    console.error(`${file} has ${what}: …${text.slice(Math.max(found.index - 40, 0), found.index + 80)}…`);
  }
}
if (!files.some((file) => file.endsWith("index.html"))) {
  faults += 1;
  console.error("dist has no index.html");
}
process.exit(faults === 0 ? 0 : 1);
