import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import * as language from "@reins/language";
import { build } from "esbuild";
import { expect, it, vi } from "vitest";
import * as reins from "./index.ts";
import { chromium, done, visit } from "./testing-browser.ts";

/** Trains by imitation, then by reinforcement, and answers a question. */
const inWords = `
  setBackend("wasm");
  const tokenizer = characters(arithmetic.alphabet);
  const shape = { layers: 1, width: 16, heads: 2, context: 32, vocabulary: tokenizer.size, style: "llama" };
  const stage = textStage({ task: arithmetic, level: 1, start: newModel(shape, random.key(1)), tokenizer });
  const spec = { id: "arithmetic", observation: text(9), action: text(9) };
  const algorithm = phases("both", [
    { algorithm: sft({ batch: 16 }), steps: 200 },
    { algorithm: grpo({ groups: 2, groupSize: 4, epochs: 1 }), steps: 50 },
  ]);
  const agent = await train({ algorithm, env: { spec, stage }, steps: 250, evalEpisodes: 4 });
  return agent.act("1+2=") + " " + agent.run.metrics["policy/entropy"] + " " + Object.keys(textTasks).length;
`;

/** Names that the program imports from each package. */
type Imports = { readonly [from: string]: readonly string[] };
const forWords: Imports = {
  reins: "grpo, phases, random, setBackend, sft, text, train".split(", "),
  "@reins/language": "arithmetic, characters, textTasks, newModel, textStage".split(", "),
};
const packages: { readonly [from: string]: { readonly [name: string]: unknown } } = {
  reins,
  "@reins/language": language,
};

// Agents are trained in pages.test.ts.
it.skipIf(!chromium)("trains a language model in a browser with the numbers of Node", async () => {
  const [body, imports] = [inWords, forWords];
  // Browsers fuse multiplications and additions; Node 20 does so with a flag.
  vi.stubEnv("REINS_RELAXED_SIMD", "1");
  const given = Object.entries(imports).flatMap(([from, names]) => names.map((name) => [from, name]));
  const Program = Object.getPrototypeOf(async () => {}).constructor as new (
    ...args: string[]
  ) => (...values: unknown[]) => Promise<string>;
  const expected = await new Program(...given.map(([, name]) => name), body)(
    ...given.map(([from, name]) => packages[from][name]),
  );
  const lines = Object.entries(imports).map(
    ([from, names]) => `import { ${names.join(", ")} } from "${from}";`,
  );
  const files = await bundle(`${lines.join("\n")}
    const run = async () => { ${body} };
    ${done}
    done(run());`);
  for (const code of files.values()) expect(code).not.toMatch(/\bfrom\s*["']node:/);
  try {
    const said = await visit((path) => {
      const text = files.get(path.slice(1));
      if (path === "/") return { type: "text/html", text: page };
      return text === undefined ? undefined : { type: "text/javascript", text };
    });
    expect(said).toBe(expected);
  } finally {
    vi.unstubAllEnvs();
  }
});

const page = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>';

/** The page's scripts by name, `page.js` first, bundled for browsers from the packages' builds. `pages.test.ts` bundles with Vite. */
async function bundle(entry: string): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    outdir: "/",
    entryNames: "page",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    // Imported only in Node.
    external: ["node:*"],
    target: "es2022",
    logLevel: "error",
    write: false,
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}
