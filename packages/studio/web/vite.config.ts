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
  worker: { format: "es" },
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  server: { proxy: { "/api": "http://127.0.0.1:4680" } },
});
