import { resolve } from "node:path";
import { defineConfig } from "vitepress";
import { attributeDelimiters } from "../generator/api-pages.ts";
import { writeContent } from "../generator/content.ts";
import { Links } from "../generator/links.ts";
import { useRepositoryMarkdown } from "../generator/markdown.ts";
import { contentFolder, slugOf } from "../generator/repository.ts";
import { sidebarOf } from "../generator/sidebar.ts";
import { regenerate } from "../generator/watch.ts";

const content = writeContent();
const links = new Links(content);

export default defineConfig({
  title: "Reins",
  description: "Reinforcement learning for TypeScript",
  base: process.env.REINS_SITE_BASE ?? "/",
  lang: "en",
  srcDir: contentFolder,
  outDir: resolve(contentFolder, "../dist"),
  cacheDir: resolve(contentFolder, "../.cache"),
  cleanUrls: false,
  lastUpdated: false,
  // Repository links are checked by Links; copies of sources are written after the pages.
  ignoreDeadLinks: [/^\/source\//],
  markdown: {
    anchor: { slugify: slugOf },
    attrs: attributeDelimiters,
    config: (md) => useRepositoryMarkdown(md, links),
  },
  themeConfig: {
    nav: [
      { text: "Guide", link: "/tutorial" },
      { text: "Algorithms", link: "/algorithms/" },
      { text: "Playground", link: "/playground" },
      { text: "Recipe book", link: "/recipe-book/" },
      { text: "API", link: "/api/" },
    ],
    sidebar: sidebarOf(content),
    outline: [2, 3],
    search: { provider: "local" },
  },
  buildEnd: ({ outDir }) => links.copySources(outDir),
  vite: {
    plugins: [regenerate()],
    build: { target: "es2022", chunkSizeWarningLimit: 3000 },
    worker: {
      format: "es",
      // Packages that only some language tasks need, in Node.
      rollupOptions: {
        external: [/^quickjs-emscripten/, /^@jitl\//, /^ajv/, "highs", "sql.js", "minisearch"],
      },
    },
  },
});
