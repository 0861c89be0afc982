import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { missing } from "./native/testing.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-fallback-test-"));
const broken = join(folder, "broken");
const cc = join(folder, "cc");
const real = spawnSync("sh", ["-c", 'command -v "$0"', process.env.CC ?? "cc"], { encoding: "utf8" });

// Runs the script in the file `broken` if there is one, otherwise this machine's compiler.
writeFileSync(
  cc,
  `#!/bin/sh\nif [ "$1" != --version ] && [ -e ${broken} ]; then . ${broken}; fi\nexec ${real.stdout.trim()} "$@"\n`,
  { mode: 0o755 },
);
const breakCompiler = (script: string) => writeFileSync(broken, `${script}\n`);
const garbage = 'while [ "$1" != -o ]; do shift; done; echo garbage > "$2"; exit 0';

/** A fresh copy of the modules, as in a new process. `said` collects standard error. */
async function freshTensor() {
  vi.resetModules();
  const said: string[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void said.push(line));
  const t = await import("../index.ts");
  return { ...t, said };
}

describe.skipIf(missing)("a compiler that stops working", () => {
  beforeEach(() => {
    vi.stubEnv("CC", cc);
    vi.stubEnv("REINS_CACHE", join(folder, "cache"));
    rmSync(broken, { force: true });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ["fails", "echo internal error >&2; exit 1", "internal error"],
    ["writes garbage", garbage, "cannot be loaded"],
    ["hangs", "exec sleep 100", "did not finish"],
  ])("%s on the first program: all programs run on wasm, with one warning", async (_, script, reason) => {
    const { compile, add, tensor, currentBackend, said } = await freshTensor();
    expect(currentBackend().name).toBe("native");
    vi.stubEnv("REINS_CC_TIMEOUT", reason === "did not finish" ? "0.5" : "");
    breakCompiler(script);
    const f = compile((x: ReturnType<typeof tensor>) => add(x, 3));
    expect(f(tensor([1, 2])).toArray()).toEqual([4, 5]);
    expect(f(tensor([1])).toArray()).toEqual([4]);
    expect(currentBackend()).toMatchObject({ name: "wasm", why: expect.stringContaining(reason) });
    expect(said).toEqual([expect.stringContaining(reason)]);
    expect(readdirSync(join(folder, "cache")).filter((f) => f.startsWith("building."))).toEqual([]);
  });

  it("fails on the first programs, compiled with ready(): all run on wasm", async () => {
    const { compile, add, tensor, currentBackend, said } = await freshTensor();
    expect(currentBackend().name).toBe("native");
    breakCompiler("echo internal error >&2; exit 1");
    const several = [3, 4].map((n) => compile((x: ReturnType<typeof tensor>) => add(x, n + 0.25)));
    await Promise.all(several.map((f) => f.ready(tensor([1, 2]))));
    expect(several.map((f) => f(tensor([1, 2])).toArray())).toEqual([
      [4.25, 5.25],
      [5.25, 6.25],
    ]);
    expect(currentBackend()).toMatchObject({ name: "wasm", why: expect.stringContaining("internal error") });
    expect(said).toEqual([expect.stringContaining("internal error")]);
  });

  it("fails on a later program: only that one runs on wasm", async () => {
    const { compile, add, mul, tensor, currentBackend, said } = await freshTensor();
    const f = compile((x: ReturnType<typeof tensor>) => add(x, 1));
    expect(f(tensor([1, 2])).toArray()).toEqual([2, 3]);
    breakCompiler("echo out of space >&2; exit 1");
    const g = compile((x: ReturnType<typeof tensor>) => mul(x, 7));
    const [a, b] = [f.bind(tensor([1, 2])), g.bind(tensor([1, 2]))];
    for (const bound of [a, b]) bound.run();
    expect([a.result.toArray(), b.result.toArray()]).toEqual([
      [2, 3],
      [7, 14],
    ]);
    expect(said).toEqual([expect.stringMatching(/one function runs on wasm.*out of space/)]);
    expect(currentBackend().name).toBe("native");
    expect(currentBackend().why).toContain("1 of its functions on wasm");
    expect([f, g].map((h) => / on (\w+):/.exec(h.explain(tensor([1, 2])))?.[1])).toEqual(["native", "wasm"]);
  });

  it("an explicit request for native throws instead of falling back", async () => {
    const { compile, sub, tensor } = await freshTensor();
    breakCompiler("echo out of space >&2; exit 1");
    const f = compile((x: ReturnType<typeof tensor>) => sub(x, 9), { backend: "native" });
    expect(() => f(tensor([1]))).toThrow(/out of space/);
    await expect(f.ready(tensor([1]))).rejects.toThrow(/out of space/);
  });

  it("a damaged plan or library in the cache is rebuilt", async () => {
    const cache = join(folder, "cache");
    const run = async () => {
      const { compile, div, tensor, currentBackend, said } = await freshTensor();
      expect(currentBackend().name).toBe("native");
      const before = new Set(readdirSync(cache));
      const f = compile((x: ReturnType<typeof tensor>) => div(x, 4));
      expect(f(tensor([8, 2])).toArray()).toEqual([2, 0.5]);
      expect(said).toEqual([]);
      return readdirSync(cache).filter((file) => !before.has(file));
    };
    const files = await run();
    expect(files).toHaveLength(3);
    // Arguments and results swapped: a valid plan, but of another function.
    const swap = (text: string) =>
      text.replace("inputs", "?").replace("outputs", "inputs").replace("?", "outputs");
    for (const file of files) {
      const path = join(cache, file);
      const content = readFileSync(path, "latin1");
      // In a new file: this process has already loaded the old one.
      rmSync(path);
      writeFileSync(path, file.endsWith("plan.json") ? swap(content) : content.slice(0, -1), "latin1");
      expect(readFileSync(path, "latin1")).not.toBe(content);
      await run();
    }
  });
});
