import { defineConfig } from "vite";

// The page is files beside each other: it works at any address, and from a disk.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 1500,
  },
  worker: {
    format: "es",
    // What runs the programs of some tasks in words, in Node only: megabytes that no page would ever load.
    rollupOptions: { external: [/^quickjs-emscripten/, /^@jitl\//, /^ajv/, "highs", "sql.js", "minisearch"] },
  },
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  server: { proxy: { "/api": "http://127.0.0.1:4680" } },
});
