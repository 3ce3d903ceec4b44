// Rules for the whole source.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const files = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(svelte|ts)$/.test(entry.name) && !entry.name.endsWith(".test.ts"))
  .map((entry) => join(entry.parentPath, entry.name));
const source = files.map((file) => [file, readFileSync(file, "utf8")] as const);

const having = (pattern: RegExp, among: RegExp) =>
  source.filter(([file, text]) => among.test(file) && pattern.test(text)).map(([file]) => file);

test("text from outside never becomes a page", () => {
  expect(having(/\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|srcdoc/, /./)).toEqual([]);
});

test("nothing a strict content policy drops stands in a page", () => {
  expect(having(/\sstyle="|<iframe|<object|<embed|\shref=["']?(https?:)?\/\//, /\.svelte$/)).toEqual([]);
});

test("only the bridge talks to Tauri, and no global object is relied on", () => {
  expect(having(/@tauri-apps/, /./)).toEqual([join("src", "lib", "tauri.ts")]);
  expect(having(/__TAURI/, /./)).toEqual([]);
});

test("the window does not know what is made up", () => {
  expect(having(/from "[^"]*\/dev\//, /src\/(main|parts|lib)\//)).toEqual([]);
});

test("what the window says stands in one file", () => {
  // Words between tags, or in the attributes people hear and see.
  const words = />[^<>{}]*[A-Za-z]{2}[^<>{}]*<\/|(?:aria-label|title|placeholder)="[A-Za-z]/;
  const spoken = source
    .filter(([file]) => file.endsWith(".svelte"))
    .filter(([, text]) => words.test(text.replace(/<(script|style)[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, "")))
    .map(([file]) => file);
  expect(spoken).toEqual([]);
});
