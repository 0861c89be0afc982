import { execFileSync } from "node:child_process";
import { expect, it, vi } from "vitest";
import { provideBackend } from "../../tensor/dist/backends/choose.js";
import { cudaCompiler } from "../../tensor/dist/backends/cuda/cuda.js";
import { emulatedGpu, emulatedImages } from "../../tensor/dist/backends/cuda/testing/emulator.js";
import { weightsAfter } from "./loop.ts";

const missing = (() => {
  try {
    execFileSync("g++", ["--version"], { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
})();

it.skipIf(missing)("PPO with minibatches of several chunks has the weights of WebAssembly", () => {
  vi.stubEnv("REINS_RELAXED_SIMD", "1");
  provideBackend({ name: "cuda", threads: 1, compiler: cudaCompiler(emulatedGpu(), emulatedImages) });
  const sizes = { hidden: [8, 8], envs: 96, steps: 32, epochs: 1, minibatches: 2 };
  expect(weightsAfter("cuda", 2, sizes)).toBe(weightsAfter("wasm", 2, sizes));
});
