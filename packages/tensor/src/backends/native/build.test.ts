import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BuildError, compileLibrary } from "./build.ts";
import type { Toolchain } from "./toolchain.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reins-build-test-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A compiler that does as the script says. */
function compiler(script: string): Toolchain {
  const command = join(folder, "cc");
  writeFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { command, args: [], version: "", processor: "" };
}

const build = (toolchain: Toolchain, sources = ["int x;"]) => {
  const output = join(folder, "library");
  rmSync(join(folder, "compiler"), { recursive: true, force: true });
  compileLibrary(toolchain, [], sources, output);
  return readFileSync(output, "utf8");
};
const output = 'while [ "$1" != -o ]; do shift; done; out=$2';

test("warnings are no failure, nor is a compiler that does not read its input", () => {
  const long = " ".repeat(1 << 20);
  expect(build(compiler(`${output}; echo a warning >&2; echo made > "$out"`), [long])).toBe("made\n");
});

test.each([
  ["exits 0 and writes nothing", "cat > /dev/null", /wrote no library/],
  ["is killed", "kill -KILL $$", /killed by SIGKILL/],
  ["says why", "echo out of memory >&2; exit 4", /out of memory/],
  ["says nothing", "exit 3", /status 3/],
])("a compiler that %s", (_, script, message) => {
  expect(() => build(compiler(script))).toThrow(BuildError);
  expect(() => build(compiler(script))).toThrow(message);
  expect(() => build(compiler(script), ["int x;", "int y;"])).toThrow(BuildError);
});

test("one that is deleted in the middle", () => {
  const gone = compiler("exit 0");
  rmSync(gone.command);
  expect(() => build(gone)).toThrow(/ENOENT/);
  expect(() => build(gone, ["int x;", "int y;"])).toThrow(/ENOENT/);
});

// Several texts are compiled by a second Node, which has to start first.
test.each([
  ["1", ["int x;"]],
  ["4", ["int x;", "int y;"]],
])(
  "one that hangs is killed with what it started, and not asked again; %s seconds",
  async (limit, sources) => {
    vi.stubEnv("REINS_CC_TIMEOUT", limit);
    const pids = join(folder, "pids");
    const hanging = compiler(`sleep 100 & echo $! >> ${pids}; echo $$ >> ${pids}; wait`);
    expect(() => build(hanging, sources)).toThrow(`did not finish within ${limit} seconds`);
    // On a busy machine they may not all have begun.
    const started = existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n").map(Number) : [];
    await vi.waitFor(() => expect(started.filter(running)).toEqual([]), 30_000);
    rmSync(pids, { force: true });
    expect(() => build(hanging, sources)).toThrow(/did not finish/);
    expect(existsSync(pids)).toBe(false);
  },
);

/** Not counting those that are dead and whose parent has not noticed yet. */
function running(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
  } catch {
    return false;
  }
}
