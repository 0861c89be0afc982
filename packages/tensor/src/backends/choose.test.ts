import { afterEach, expect, it, vi } from "vitest";
import { compile } from "../compile/compile.ts";
import { zeros } from "../create.ts";
import { neg } from "../ops/arithmetic.ts";
import { backendInUse, setBackend } from "./choose.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  setBackend("auto");
});

it("the back end in use is that of functions that ask for none", () => {
  setBackend("reference");
  compile(neg)(zeros([2]));
  expect(backendInUse()).toMatchObject({ name: "reference", why: "as set by setBackend()" });
  // As fresh weights are drawn: always on the same back end, so that they are the same everywhere.
  compile(neg, { backend: "wasm" })(zeros([3]));
  expect(backendInUse().name).toBe("reference");
});

it("follows what is set, before anything is compiled", () => {
  setBackend("wasm");
  expect(backendInUse().name).toBe("wasm");
  setBackend("reference");
  expect(backendInUse().name).toBe("reference");
});

it("names a variable that says what it may not, whichever back end would do", () => {
  setBackend("wasm");
  vi.stubEnv("REINS_MATMUL", "fp8");
  expect(() => compile(neg)(zeros([5]))).toThrow('REINS_MATMUL is "fp8"; it may be f32 or bf16.');
});

it.each([
  ["REINS_THREADS", "0"],
  ["REINS_CACHE_SIZE", "abc"],
  ["REINS_CC_TIMEOUT", "abc"],
  ["REINS_SANITIZE", "memory"],
])("%s=%s is refused, and no other back end is taken instead", async (name, value) => {
  vi.stubEnv("REINS_BACKEND", "auto");
  vi.stubEnv(name, value);
  vi.resetModules();
  const fresh = await import("./choose.ts");
  expect(() => fresh.backendInUse()).toThrow(`${name} is "${value}"; `);
});
