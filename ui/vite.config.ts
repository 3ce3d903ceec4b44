import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  publicDir: false,
  // Relative addresses work under whatever scheme the shell serves the files with.
  base: "./",
  build: {
    target: "safari17",
    // A strict content policy allows files of our own and nothing inline, data: addresses included.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // One page a window.
      input: { main: "index.html" },
    },
  },
  server: { port: 5173, strictPort: true, fs: { allow: [".", "../tests/pictures"] } },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: {
    environment: "node",
    include: ["src/**/*.test.ts"],
    setupFiles: ["src/dev/setup.ts"],
    restoreMocks: true,
  },
});
