import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { compilerVersion } from "./version.ts";

let folder: string;
const notes = () => readdirSync(join(folder, "cache")).filter((f) => f.endsWith(".cc.json"));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reins-version-test-"));
  vi.stubEnv("REINS_CACHE", join(folder, "cache"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform !== "linux")("a compiler's version text", () => {
  test("is cached for a compiler binary, until the file changes", () => {
    // Another program of this machine that answers --version, under a compiler's name.
    const path = join(folder, "gcc-99");
    copyFileSync("/bin/ls", path);
    const version = compilerVersion(path, []);
    expect(version).toContain("ls");
    expect(notes()).toHaveLength(1);
    // Answered from the cache.
    const { atime, mtime } = statSync(path);
    const [note] = notes().map((file) => join(folder, "cache", file));
    writeFileSync(note, readFileSync(note, "utf8").replace(JSON.stringify(version), '"kept"'));
    expect(compilerVersion(path, [])).toBe("kept");
    utimesSync(path, atime, new Date(mtime.getTime() + 5000));
    expect(compilerVersion(path, [])).toBe(version);
    expect(notes()).toHaveLength(2);
    writeFileSync(note, "{");
    expect(compilerVersion(path, [])).toBe(version);
  });

  test("is not cached for a script, or for a compiler with arguments", () => {
    const script = join(folder, "gcc");
    for (const answer of ["one", "two"]) {
      writeFileSync(script, `#!/bin/sh\necho ${answer}\n`, { mode: 0o755 });
      expect(compilerVersion(script, [])).toBe(`${answer}\n`);
      expect(compilerVersion(script, ["-m64"])).toBe(`${answer}\n`);
    }
    expect(readdirSync(folder)).toEqual(["gcc"]);
  });
});
