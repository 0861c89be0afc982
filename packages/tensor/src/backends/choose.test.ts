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
