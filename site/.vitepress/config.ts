import { resolve } from "node:path";
import { defineConfig } from "vitepress";
import { attributeDelimiters } from "../generator/api-pages.ts";
import { writeContent } from "../generator/content.ts";
import { lazySidebar } from "../generator/lazy-sidebar.ts";
import { Links } from "../generator/links.ts";
import { searchText, useRepositoryMarkdown } from "../generator/markdown.ts";
import { contentFolder, slugOf } from "../generator/repository.ts";
import { sidebarOf } from "../generator/sidebar.ts";
import { regenerate } from "../generator/watch.ts";

const content = writeContent();
const links = new Links(content);
/** In search results, the glossary comes first, and guides before diagnoses and the API reference. */
const guidesFirst = (address: string) =>
  /\/glossary/.test(address)
    ? 2.5
    : /\/diagnostics\//.test(address)
      ? 0.4
      : /\/api\//.test(address)
        ? 0.2
        : 1;
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 14C4 14 4 3 8 3s4 6 6 6" fill="none" stroke="#4a63d0" stroke-width="2.5"/></svg>`;

export default defineConfig({
  title: "Reins",
  description: "Reinforcement learning for TypeScript",
  base: process.env.REINS_SITE_BASE ?? "/",
  lang: "en",
  head: [
    ["link", { rel: "icon", type: "image/svg+xml", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }],
  ],
  srcDir: contentFolder,
  outDir: resolve(contentFolder, "../dist"),
  cacheDir: resolve(contentFolder, "../.cache"),
  cleanUrls: false,
  // The default makes the browser compute every style twice at the start, to hide transitions of a theme change.
  appearance: { disableTransition: false },
  lastUpdated: false,
  router: { prefetchLinks: false },
  // Repository links are checked by Links; copies of sources are written after the pages.
  ignoreDeadLinks: [/^\/source\//],
  markdown: {
    anchor: { slugify: slugOf },
    attrs: attributeDelimiters,
    // The default light theme has too little contrast on the background of code blocks.
    theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
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
    search: {
      provider: "local",
      options: { _render: searchText, miniSearch: { searchOptions: { boostDocument: guidesFirst } } },
    },
  },
  buildEnd: ({ outDir }) => links.copySources(outDir),
  vite: {
    plugins: [regenerate(), lazySidebar()],
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
