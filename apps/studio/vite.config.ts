import { defineConfig } from "vite";

// Relative paths: the page works at any address, and from disk.
export default defineConfig({
  base: "./",
  build: {
    // The published package of the server contains the page.
    outDir: "../../packages/studio/dist/web",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 1500,
  },
  worker: {
    format: "es",
    // Megabytes of dependencies of some language tasks, which run in Node only.
    rollupOptions: { external: [/^quickjs-emscripten/, /^@jitl\//, /^ajv/, "highs", "sql.js", "minisearch"] },
  },
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  server: { proxy: { "/api": "http://127.0.0.1:4680" } },
});
