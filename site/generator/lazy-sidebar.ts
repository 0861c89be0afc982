import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const ours = fileURLToPath(new URL("../.vitepress/theme/lazy-sidebar.ts", import.meta.url));

/** A Vite plugin that gives the theme's layout the sidebar that hydrates later. */
export const lazySidebar = (): Plugin => ({
  name: "reins-lazy-sidebar",
  enforce: "pre",
  resolveId: (source, importer) =>
    source.endsWith("/VPSidebar.vue") && /\/Layout\.vue(\?|$)/.test(importer ?? "") ? ours : undefined,
});
