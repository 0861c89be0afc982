import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { chromium, done, visit } from "../../reins/dist/testing-browser.js";
import type { Found } from "./page/section.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The page imports builds, as every page does. */
const page = at("../dist/page/main.js");
const missing = !chromium ? "Chromium was not found" : existsSync(page) ? "" : "the page is not built";
if (missing) console.warn(`WebGPU tests are skipped: ${missing}.`);

/** Programs of each section in one page load. */
const counts = {
  primitives: 1000,
  torch: 1000,
  graphs: 40,
  programs: 40,
  training: 3,
  regions: 60,
  faults: 10,
};

describe.skipIf(missing)("WebGPU in Chromium, on an adapter that the CPU emulates", () => {
  let found: { readonly [section: string]: Found } | string;
  beforeAll(async () => {
    const query = new URLSearchParams(Object.entries(counts).map(([k, n]) => [k, `${n}`]));
    const { outputFiles } = await build({
      stdin: {
        contents: `import { runSections } from ${JSON.stringify(page)}; ${done} done(runSections("${query}"));`,
        resolveDir: at("."),
      },
      bundle: true,
      format: "esm",
      platform: "browser",
      external: ["node:*"],
      target: "es2022",
      logLevel: "error",
      write: false,
    });
    const files: { readonly [path: string]: { type: string; text: string } } = {
      "/": { type: "text/html", text: '<!doctype html><script type="module" src="/page.js"></script>' },
      "/page.js": { type: "text/javascript", text: outputFiles[0].text },
      "/operations.json": {
        type: "application/json",
        text: readFileSync(at("../../../fixtures/torch/operations.json"), "utf8"),
      },
    };
    const said = await visit((path) => files[path], { gpu: "emulated", milliseconds: 600_000 });
    found = said.startsWith("{") ? (JSON.parse(said) as { [section: string]: Found }) : said;
  }, 620_000);

  it.for(Object.keys(counts))("%s agree with WebAssembly", (name, { skip }) => {
    skip(found === "no adapter", "Chromium has no emulated adapter");
    if (typeof found === "string") throw new Error(found);
    expect(found[name].wrong).toEqual([]);
    expect(found[name].programs).toBeGreaterThan(2);
  });
});
