import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, it } from "vitest";

interface Chunk {
  readonly type: string;
  readonly isEntry?: boolean;
  readonly fileName: string;
  readonly code?: string;
  readonly imports?: readonly string[];
}

/** The code of all files that a page loads at first. */
async function loadedBy(entry: string): Promise<string[]> {
  const id = "virtual:page";
  const result = await build({
    root: fileURLToPath(new URL("..", import.meta.url)),
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "page",
        resolveId: (x) => (x === id ? x : undefined),
        load: (x) => (x === id ? entry : undefined),
      },
    ],
    build: { write: false, rollupOptions: { input: id } },
  });
  const [{ output }] = [result].flat() as { output: Chunk[] }[];
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const loaded = new Set<string>();
  const load = (name: string) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const other of chunks.get(name)!.imports!) load(other);
  };
  load(output.find((chunk) => chunk.isEntry)!.fileName);
  return [...loaded].map((name) => chunks.get(name)!.code!);
}

/** Their compressed kilobytes. */
async function kilobytes(entry: string): Promise<number> {
  const bytes = (await loadedBy(entry)).map((code) => gzipSync(code, { level: 9 }).length);
  return bytes.reduce((a, b) => a + b, 0) / 1000;
}

it("a bundle that only acts is small", async () => {
  expect(await kilobytes('import { loadAgent } from "reins/agent"; window.load = loadAgent;')).toBeLessThan(
    43.4,
  );
});

it("only a page that imports it loads the WebGPU back end", async () => {
  const has = async (more: string) => {
    const page = `import { compile } from "reins/tensor"; ${more} window.compile = compile;`;
    return (await loadedBy(page)).some((code) => code.includes("@workgroup_size"));
  };
  expect(await has("")).toBe(false);
  expect(await has('import { enableWebGPU } from "reins/tensor/webgpu"; window.enable = enableWebGPU;')).toBe(
    true,
  );
});

it("importing one algorithm loads no others", { tags: ["slow"] }, async () => {
  const page =
    'import { ppo, train } from "reins"; window.learn = (env) => train({ algorithm: ppo(), env });';
  expect(await kilobytes(page)).toBeLessThan(186.5);
});
