import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { cachedLibrary as cached, sha256 } from "./cache.ts";
import { cacheDirectory } from "./folder.ts";
import { readNote, writeNote } from "./notes.ts";
import { missing } from "./testing.ts";
import { programFlags } from "./toolchain.ts";
import { blocking } from "./work.ts";

const source = (answer: number) => [`int reins_answer(void) { return ${answer}; }\n`];
const cachedLibrary = (...args: Parameters<typeof cached>) => blocking(cached(...args));
let folder: string;

/** Stores a plan and the library of `answer`; returns the path of the plan's file. */
function keep(key: string, text: string, answer: number): string {
  const before = new Set(plans());
  writeNote({ key, text }, cachedLibrary(source(answer), programFlags), source(answer), programFlags);
  return join(cacheDirectory(), plans().find((p) => !before.has(p))!);
}
const plans = () => readdirSync(cacheDirectory()).filter((f) => f.endsWith(".plan.json"));
const read = (key: string) => readNote(key, programFlags)?.text;

describe.skipIf(missing)("plans in the cache", () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "reins-notes-test-"));
    vi.stubEnv("REINS_CACHE", join(folder, "cache"));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a plan is found again with its library", () => {
    keep("f", '{"threads":1}', 1);
    expect(readNote("f", programFlags)).toEqual({
      text: '{"threads":1}',
      path: cachedLibrary(source(1), programFlags).path,
    });
    expect(read("g")).toBeUndefined();
  });

  test("a flipped bit or a truncation anywhere is a miss, and the file is removed", () => {
    const path = keep("f", '{"threads":1,"buffers":[64,128]}', 1);
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      for (const damaged of [whole.subarray(0, at), Buffer.from(whole)]) {
        if (damaged.length === whole.length) damaged[at] ^= 1 << (at % 8);
        writeFileSync(path, damaged);
        expect(read("f")).toBeUndefined();
        expect(existsSync(path)).toBe(false);
      }
    }
    writeFileSync(path, whole);
    expect(read("f")).toBeDefined();
  });

  test("swapped plans are misses", () => {
    const [f, g] = [keep("f", "1", 1), keep("g", "2", 2)];
    renameSync(f, `${f}.x`);
    renameSync(g, f);
    renameSync(`${f}.x`, g);
    expect([read("f"), read("g")]).toEqual([undefined, undefined]);
  });

  test("a plan with another library of the same key is a miss", () => {
    const path = keep("f", "1", 1);
    const library = cachedLibrary(source(1), programFlags);
    const other = cachedLibrary(source(2), programFlags);
    // Intact, and with the name of a library of that key: only the plan shows that it is another one.
    const note = library.path.replace(/-[^-]*$/, ".json");
    const file = `${note.slice(folder.length + "/cache/".length, -".json".length)}-${other.sha256.slice(0, 16)}.so`;
    copyFileSync(other.path, join(cacheDirectory(), file));
    const bytes = readFileSync(other.path).length;
    writeFileSync(note, JSON.stringify({ file, bytes, sha256: sha256(readFileSync(other.path)) }));
    expect(cachedLibrary(source(1), programFlags).sha256).toBe(other.sha256);
    expect(read("f")).toBeUndefined();
    expect(existsSync(path)).toBe(false);
  });

  test("a folder with the name of a plan, an entry or a library is a miss and is replaced", () => {
    const { path: library } = cachedLibrary(source(1), programFlags);
    for (const path of [keep("f", "1", 1), library.replace(/-[^-]*$/, ".json"), library]) {
      rmSync(path);
      mkdirSync(join(path, "inside"), { recursive: true });
      expect(read("f")).toBeUndefined();
      keep("f", "1", 1);
      expect(read("f")).toBe("1");
    }
  });

  test("a plan without its library is a miss", () => {
    keep("f", "1", 1);
    rmSync(cachedLibrary(source(1), programFlags).path);
    expect(read("f")).toBeUndefined();
  });
});
