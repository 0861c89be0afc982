import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

const missing = (() => {
  try {
    execFileSync("g++", ["--version"], { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
})();

const program = `
  import { provideBackend } from "../../tensor/src/backends/choose.ts";
  import { cudaCompiler } from "../../tensor/src/backends/cuda/cuda.ts";
  import { emulatedGpu, emulatedImages } from "../../tensor/src/backends/cuda/testing/emulator.ts";
  import { weightsAfter } from "./loop.ts";
  provideBackend({ name: "cuda", threads: 1, compiler: cudaCompiler(emulatedGpu(), emulatedImages) });
  const sizes = { hidden: [8, 8], envs: 96, steps: 32, epochs: 1, minibatches: 2 };
  console.log(JSON.stringify(["cuda", "wasm"].map((backend) => weightsAfter(backend, 2, sizes))));
`;

it.skipIf(missing)("PPO with minibatches of several chunks has the weights of WebAssembly", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-loop-"));
  try {
    const path = join(folder, "loop.mjs");
    // All files must share one copy of the compiler, whose back ends the emulated GPU joins.
    await build({
      stdin: { contents: program, resolveDir: fileURLToPath(new URL(".", import.meta.url)), loader: "ts" },
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["source"],
      external: ["koffi", "planck", "chess.js", "@mujoco/*"],
      plugins: [
        {
          name: "sources",
          setup: ({ onResolve }) =>
            onResolve({ filter: /^\..*\/dist\/.*\.js$/ }, ({ path, resolveDir }) => ({
              path: join(resolveDir, path).replace("/dist/", "/src/").replace(/\.js$/, ".ts"),
            })),
        },
      ],
      banner: {
        js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
      },
      outfile: path,
    });
    const koffi = fileURLToPath(new URL("../../../node_modules", import.meta.url));
    const said = execFileSync(process.execPath, [path], {
      env: { ...process.env, NODE_PATH: koffi, REINS_RELAXED_SIMD: "1", REINS_QUIET: "1" },
      encoding: "utf8",
    });
    const [cuda, wasm] = JSON.parse(said.trim().split("\n").at(-1) ?? "") as string[];
    expect(cuda).toBe(wasm);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
