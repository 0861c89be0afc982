import { execFile, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BuildError } from "./build.ts";
import { cachedLibrary as cached, openLibrary as open } from "./cache.ts";
import { cacheDirectory } from "./folder.ts";
import { missing } from "./testing.ts";
import { programFlags } from "./toolchain.ts";
import { awaiting, blocking } from "./work.ts";

const source = "int reins_answer(void) { return 42; }\n";
const cachedLibrary = (...args: Parameters<typeof cached>) => blocking(cached(...args)).path;
const openLibrary = <T>(...args: Parameters<typeof open<T>>) => blocking(open(...args));
const environment = { ...process.env };
let directory: string;

describe.skipIf(missing)("cache of compiled libraries", () => {
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "reins-cache-test-"));
    process.env.REINS_CACHE = join(directory, "cache");
  });
  afterEach(() => {
    process.env = { ...environment };
    rmSync(directory, { recursive: true, force: true });
  });

  test("builds once, keeps the directory private and leaves no temporary files", () => {
    const path = cachedLibrary([source], programFlags);
    const { ino } = statSync(path);
    expect(statSync(cacheDirectory()).mode & 0o777).toBe(0o700);
    expect(cachedLibrary([source], programFlags)).toBe(path);
    expect(statSync(path).ino).toBe(ino);
    expect(readdirSync(cacheDirectory())).toHaveLength(2);
    expect(cachedLibrary([`${source}\n`], programFlags)).not.toBe(path);
    expect(cachedLibrary([source], [...programFlags, "-DX"])).not.toBe(path);
  });

  test("builds several in parallel without blocking the thread, to the same files", async () => {
    const sources = [[source, "int reins_other(void) { return 1; }"], [source], [source]];
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const libraries = await Promise.all(sources.map((texts) => awaiting(cached(texts, programFlags))));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
    expect(libraries.map((l) => l.path)).toEqual(sources.map((texts) => cachedLibrary(texts, programFlags)));
    expect(readdirSync(cacheDirectory())).toHaveLength(4);
    const broken = awaiting(cached([source, "int broken("], programFlags));
    await expect(broken).rejects.toThrow(BuildError);
    expect(readdirSync(cacheDirectory())).toHaveLength(4);
  });

  test("several texts become one library, and an error in one of them is reported", () => {
    const path = cachedLibrary([source, "int reins_other(void) { return 1; }"], programFlags);
    expect(existsSync(path)).toBe(true);
    expect(() => cachedLibrary([source, "int broken("], programFlags)).toThrow(BuildError);
    expect(readdirSync(cacheDirectory())).toHaveLength(2);
  });

  test("rebuilds a truncated, altered or missing library and survives a broken entry", () => {
    const path = cachedLibrary([source], programFlags);
    const whole = readFileSync(path);
    truncateSync(path, 100);
    expect(readFileSync(cachedLibrary([source], programFlags))).toEqual(whole);
    writeFileSync(path, Buffer.concat([whole.subarray(0, -1), Buffer.from([whole[whole.length - 1] ^ 1])]));
    expect(readFileSync(cachedLibrary([source], programFlags))).toEqual(whole);
    rmSync(path);
    expect(readFileSync(cachedLibrary([source], programFlags))).toEqual(whole);
    for (const file of readdirSync(cacheDirectory()))
      if (file.endsWith(".json")) writeFileSync(join(cacheDirectory(), file), "{");
    expect(readFileSync(cachedLibrary([source], programFlags))).toEqual(whole);
  });

  test("an entry under another name is a miss, and neither file is left", () => {
    const other = "int reins_answer(void) { return 41; }\n";
    const path = cachedLibrary([source], programFlags);
    const wrong = cachedLibrary([other], programFlags);
    const note = (of: string) => of.replace(/-[^-]*$/, ".json");
    const text = readFileSync(note(path));
    writeFileSync(note(path), readFileSync(note(wrong)));
    expect(cachedLibrary([source], programFlags)).toBe(path);
    expect(readFileSync(note(path))).toEqual(text);
    // The library renamed to match the entry.
    writeFileSync(path, readFileSync(wrong));
    expect(cachedLibrary([source], programFlags)).toBe(path);
    expect(readFileSync(path)).not.toEqual(readFileSync(wrong));
  });

  test("a library that cannot be loaded is rebuilt once, and not cached", () => {
    const paths: string[] = [];
    const once = openLibrary([source], programFlags, (path) => {
      paths.push(path);
      if (paths.length < 2) throw new Error("invalid ELF header");
      return "loaded";
    });
    expect(once).toMatchObject({ loaded: "loaded", library: { path: paths[1] } });
    expect(readdirSync(cacheDirectory())).toHaveLength(2);
    const never = () => {
      throw new Error("invalid ELF header");
    };
    expect(() => openLibrary([source], programFlags, never)).toThrow(/cannot be loaded: invalid ELF header/);
    expect(readdirSync(cacheDirectory())).toHaveLength(0);
  });

  test("a library that vanishes between lookup and loading is rebuilt", () => {
    let tries = 0;
    openLibrary([source], programFlags, (path) => {
      if (!tries++) rmSync(path);
      return readFileSync(path);
    });
    expect(tries).toBe(2);
  });

  test("uses a temporary directory if the cache is not writable, or writable by others", () => {
    writeFileSync(join(directory, "file"), "");
    process.env.REINS_CACHE = join(directory, "file", "below");
    const instead = cacheDirectory();
    expect(instead.startsWith(tmpdir())).toBe(true);
    expect(existsSync(cachedLibrary([source], programFlags))).toBe(true);
    rmSync(instead, { recursive: true, force: true });

    const open = join(directory, "open");
    mkdirSync(open);
    chmodSync(open, 0o777);
    process.env.REINS_CACHE = open;
    const other = cacheDirectory();
    expect(other).not.toBe(open);
    rmSync(other, { recursive: true, force: true });
  });

  test("a failing or missing compiler gives a BuildError with the reason", () => {
    expect(() => cachedLibrary(["int broken("], programFlags)).toThrow(BuildError);
    expect(readdirSync(cacheDirectory())).toHaveLength(0);
    process.env.CC = "/nonexistent/compiler";
    expect(() => cachedLibrary([source], programFlags)).toThrow(/No C compiler.*\/nonexistent\/compiler/);
    // It answers --version and then dies.
    const fake = join(directory, "fake-cc");
    writeFileSync(
      fake,
      '#!/bin/sh\n[ "$1" = --version ] && echo fake && exit 0\necho no space left >&2\nexit 1\n',
      { mode: 0o755 },
    );
    process.env.CC = fake;
    expect(() => cachedLibrary([source], programFlags)).toThrow(/no space left/);
  });

  test("two compilations of the same text at once", async () => {
    // Simulates a second process between lookup and rename, by a compiler that builds the same library first.
    const cc = spawnSync("sh", ["-c", 'command -v "$0"', process.env.CC ?? "cc"], {
      encoding: "utf8",
    }).stdout.trim();
    const slow = join(directory, "slow-cc");
    writeFileSync(slow, `#!/bin/sh\n[ "$1" = --version ] || sleep 0.3\nexec ${cc} "$@"\n`, { mode: 0o755 });
    const script = join(directory, "build.test.ts");
    writeFileSync(
      script,
      `
      import { expect, test } from "vitest";
      import { cachedLibrary } from ${JSON.stringify(join(import.meta.dirname, "cache.ts"))};
      import { programFlags } from ${JSON.stringify(join(import.meta.dirname, "toolchain.ts"))};
      import { blocking } from ${JSON.stringify(join(import.meta.dirname, "work.ts"))};
      test("build", () =>
        expect(blocking(cachedLibrary([${JSON.stringify(source)}], programFlags)).path).toContain("cache"));`,
    );
    const vitest = join(import.meta.dirname, "../../../../../node_modules/vitest/vitest.mjs");
    const build = () =>
      promisify(execFile)(process.execPath, [vitest, "run", "--root", directory], {
        env: { ...process.env, CC: slow },
      });
    await Promise.all([build(), build(), build()]);
    process.env.CC = slow;
    const path = cachedLibrary([source], programFlags);
    expect(readdirSync(cacheDirectory()).sort()).toHaveLength(2);
    expect(existsSync(path)).toBe(true);
  });
});
