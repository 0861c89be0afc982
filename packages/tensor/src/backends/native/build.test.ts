import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BuildError, compileLibrary } from "./build.ts";
import type { Toolchain } from "./toolchain.ts";
import { awaiting, blocking, type Work } from "./work.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reins-build-test-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A compiler that runs the script. */
function compiler(script: string): Toolchain {
  const command = join(folder, "cc");
  writeFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { command, args: [], version: "", processor: "" };
}

type Build = (toolchain: Toolchain, sources?: string[]) => Promise<string>;
const builder =
  (wait: (work: Work<void>) => void | Promise<void>): Build =>
  async (toolchain, sources = ["int x;"]) => {
    const output = join(folder, "library");
    rmSync(join(folder, "compiler"), { recursive: true, force: true });
    await wait(compileLibrary(toolchain, [], sources, output));
    return readFileSync(output, "utf8");
  };
const ways: [string, Build][] = [
  ["blocking", builder(blocking)],
  ["awaiting", builder(awaiting)],
];
const output = 'while [ "$1" != -o ]; do shift; done; out=$2';

describe.each(ways)("%s", (_, build) => {
  test("warnings are accepted, and so is a compiler that does not read its input", async () => {
    const long = " ".repeat(1 << 20);
    expect(await build(compiler(`${output}; echo a warning >&2; echo made > "$out"`), [long])).toBe("made\n");
  });

  test.each([
    ["exits 0 and writes nothing", "cat > /dev/null", /wrote no library/],
    ["is killed", "kill -KILL $$", /killed by SIGKILL/],
    ["says why", "echo out of memory >&2; exit 4", /out of memory/],
    ["says nothing", "exit 3", /status 3/],
  ])("reports a compiler that %s", async (_, script, message) => {
    await expect(build(compiler(script))).rejects.toThrow(BuildError);
    await expect(build(compiler(script))).rejects.toThrow(message);
    await expect(build(compiler(script), ["int x;", "int y;"])).rejects.toThrow(BuildError);
  });

  test("reports a compiler that is deleted during a build", async () => {
    const gone = compiler("exit 0");
    rmSync(gone.command);
    await expect(build(gone)).rejects.toThrow(/ENOENT/);
    await expect(build(gone, ["int x;", "int y;"])).rejects.toThrow(/ENOENT/);
  });

  // Several texts are compiled by a second Node process, which has to start first.
  test.each([
    ["1", ["int x;"]],
    ["2", ["int x;", "int y;"]],
  ])(
    "kills a hanging compiler with its children, and does not use it again; %s seconds",
    async (limit, sources) => {
      vi.stubEnv("REINS_CC_TIMEOUT", limit);
      const pids = join(folder, "pids");
      const hanging = compiler(`sleep 100 & echo $! >> ${pids}; echo $$ >> ${pids}; wait`);
      await expect(build(hanging, sources)).rejects.toThrow(`did not finish within ${limit} seconds`);
      // On a busy machine not all of them may have started.
      const started = existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n").map(Number) : [];
      await vi.waitFor(() => expect(started.filter(running)).toEqual([]), 30_000);
      rmSync(pids, { force: true });
      await expect(build(hanging, sources)).rejects.toThrow(/did not finish/);
      expect(existsSync(pids)).toBe(false);
    },
  );
});

/** Excludes zombies, which are dead but not yet reaped. */
function running(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
  } catch {
    return false;
  }
}
