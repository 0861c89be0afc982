import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { chromium, done, visit } from "../../reins/dist/testing-browser.js";
import type { Found } from "./page/section.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** The page imports builds, as every page does. */
const page = at("../dist/page/main.js");
const missing = !chromium ? "Chromium was not found" : existsSync(page) ? "" : "the page is not built";
if (missing) console.warn(`WebGPU tests are skipped: ${missing}.`);

/** Programs of each section in one page load. */
const some = {
  somePrimitives: 60,
  torch: 40,
  sizes: 10,
  kernels: 10,
  graphs: 10,
  programs: 10,
  training: 3,
  regions: 15,
  faults: 10,
};
const all = { primitives: 1000, torch: 1000, graphs: 400, programs: 400, training: 4, regions: 100 };

/** The script of a page that runs these sections. */
async function scriptFor(counts: { readonly [section: string]: number }): Promise<string> {
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
  return outputFiles[0].text;
}

async function visited(counts: { readonly [section: string]: number }): Promise<string> {
  const files: { readonly [path: string]: { type: string; text: string } } = {
    "/": { type: "text/html", text: '<!doctype html><script type="module" src="/page.js"></script>' },
    "/page.js": { type: "text/javascript", text: await scriptFor(counts) },
    "/operations.json": {
      type: "application/json",
      text: readFileSync(at("../../../fixtures/torch/operations.json"), "utf8"),
    },
  };
  return visit((path) => files[path], { gpu: "emulated", milliseconds: 1_500_000 });
}

const lots = [
  { what: "a sample of", counts: some, tags: [] },
  { what: "all", counts: all, tags: ["slow"] },
];

describe.skipIf(missing)("WebGPU in Chromium, on an adapter that the CPU emulates", () => {
  for (const { what, counts, tags } of lots)
    it(`${what} programs agree with WebAssembly`, { tags, timeout: 1_600_000 }, async ({ skip }) => {
      const said = await visited(counts);
      skip(said === "no adapter", "Chromium has no emulated adapter");
      if (!said.startsWith("{")) throw new Error(said);
      const found = JSON.parse(said) as { [section: string]: Found };
      expect(Object.fromEntries(Object.entries(found).map(([name, { wrong }]) => [name, wrong]))).toEqual(
        Object.fromEntries(Object.keys(counts).map((name) => [name, []])),
      );
      for (const { programs } of Object.values(found)) expect(programs).toBeGreaterThan(2);
    });
});
