import { afterEach, expect, it, vi } from "vitest";
import { compile } from "../compile/compile.ts";
import { zeros } from "../create.ts";
import { neg } from "../ops/arithmetic.ts";
import { currentBackend, setBackend } from "./choose.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  setBackend("auto");
});

it("reports the default back end, not the one that a function requested", () => {
  setBackend("reference");
  compile(neg)(zeros([2]));
  expect(currentBackend()).toMatchObject({ name: "reference", why: "set by setBackend()" });
  // Fresh weights are always sampled on the same back end, so that they are the same everywhere.
  compile(neg, { backend: "wasm" })(zeros([3]));
  expect(currentBackend().name).toBe("reference");
});

it("follows setBackend() before anything is compiled", () => {
  setBackend("wasm");
  expect(currentBackend().name).toBe("wasm");
  setBackend("reference");
  expect(currentBackend().name).toBe("reference");
});

it("refuses an invalid variable on every back end", () => {
  setBackend("wasm");
  vi.stubEnv("REINS_MATMUL", "fp8");
  expect(() => compile(neg)(zeros([5]))).toThrow('REINS_MATMUL is "fp8"; use f32 or bf16.');
});

it.each([
  ["REINS_THREADS", "0"],
  ["REINS_CACHE_SIZE", "abc"],
  ["REINS_CC_TIMEOUT", "abc"],
  ["REINS_SANITIZE", "memory"],
])("%s=%s is refused without falling back to another back end", async (name, value) => {
  vi.stubEnv("REINS_BACKEND", "auto");
  vi.stubEnv(name, value);
  vi.resetModules();
  const fresh = await import("./choose.ts");
  expect(() => fresh.currentBackend()).toThrow(`${name} is "${value}"; `);
});
