import {
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DamagedDataError } from "../errors.ts";
import type { ExampleSource } from "../example-source.ts";
import { lineFile } from "./line-file.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-lines-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function written(text: string | Uint8Array): string {
  const path = join(folder, `${files++}.jsonl`);
  writeFileSync(path, text);
  return path;
}

const all = <T>(source: ExampleSource<T>) => Array.from({ length: source.count }, (_, i) => source.read(i));

describe("lines of a file", () => {
  it("are read in any order, without blank ones", () => {
    const path = written("\ufeffone\r\n\n  \t\ntwo, ü and 🙂\nthree");
    const lines = lineFile(path);
    expect(all(lines)).toEqual(["one", "two, ü and 🙂", "three"]);
    expect([lines.read(2), lines.read(0), lines.read(1)]).toEqual(["three", "one", "two, ü and 🙂"]);
    expect([0, 1, 2].map((i) => lines.locate(i))).toEqual([1, 4, 5].map((n) => `${path}, line ${n}`));
    expect(lines.lineNumber(2)).toBe(5);
    lines.close?.();
    expect(() => lines.read(0)).not.toThrow(/undefined/);
  });

  it("are found across the borders of the chunks in which the file is scanned", () => {
    const texts = Array.from({ length: 40_000 }, (_, i) => `${i} ${"x".repeat((i * 7919) % 97)}`);
    texts[17] = "y".repeat(3_000_000);
    const lines = lineFile(written(`${texts.join("\n")}\n`));
    expect(lines.count).toBe(texts.length);
    expect(all(lines)).toEqual(texts);
    const odd = Array.from({ length: 500 }, (_, i) => (i * 7919) % texts.length);
    expect(odd.map((i) => lines.read(i))).toEqual(odd.map((i) => texts[i]));
    lines.close?.();
  });

  it("have a digest of the contents", () => {
    const [a, b, c] = ["x\ny\n", "x\ny\n", "x\nz\n"].map((text) => lineFile(written(text)).digest);
    expect(a).toBe(b);
    expect(a).not.toBe(c);
  });

  it("refuses lines that are too long without reading them", () => {
    // A sparse file: its second line has a gigabyte.
    const path = join(folder, "sparse.jsonl");
    const fd = openSync(path, "w");
    writeSync(fd, "first\n");
    ftruncateSync(fd, 2 ** 30);
    writeSync(fd, "\nlast\n", 2 ** 30);
    closeSync(fd);
    const lines = lineFile(path);
    expect(lines.count).toBe(3);
    expect([lines.read(0), lines.read(2)]).toEqual(["first", "last"]);
    expect(() => lines.read(1)).toThrow(
      /sparse\.jsonl, line 2: the line has 1073741819 bytes; the limit is 16777216/,
    );
    lines.close?.();
    rmSync(path);
  });

  it("notices when its lines are changed, but not when others are added", () => {
    const path = written(`${"a".repeat(9)}\n`.repeat(10));
    const lines = lineFile(path);
    const later = (text: string, mode: "a" | "w") => {
      writeFileSync(path, text, { flag: mode });
      // File systems may have coarse times.
      utimesSync(path, new Date(), new Date(Date.now() + 5000 * ++ticks));
    };
    let ticks = 0;
    expect([lines.digest.length, lines.read(7)]).toEqual([32, "a".repeat(9)]);
    later("added\n", "a");
    expect(lines.read(2)).toBe("a".repeat(9));
    later(`${"b".repeat(9)}\n`.repeat(10), "w");
    for (const index of [5, 2])
      expect(() => lines.read(index)).toThrow(`${path}: the file was changed while it was in use.`);
    later("a\n", "w");
    expect(() => lines.read(9)).toThrow(DamagedDataError);
    lines.close?.();
  });

  it("names the line that is not UTF-8, and reads the others", () => {
    const path = written(Uint8Array.from([0x61, 0x0a, 0xff, 0xfe, 0x0a, 0x62]));
    const lines = lineFile(path);
    expect(() => lines.read(1)).toThrow(`${path}, line 2: the line is not valid UTF-8`);
    expect([lines.read(0), lines.read(2)]).toEqual(["a", "b"]);
  });

  it("refuses missing, empty and other files, and indices that do not exist", () => {
    expect(() => lineFile(join(folder, "missing.jsonl"))).toThrow("the file does not exist");
    expect(() => lineFile(folder)).toThrow("it is not a regular file");
    expect(() => lineFile(written("\n \n"))).toThrow("the file is empty");
    expect(() => lineFile(written(""))).toThrow("the file is empty");
    expect(() => lineFile(written("a")).read(1)).toThrow("index 1 is out of range. Use 0 to 0.");
  });

  it("notices when a file has become shorter", () => {
    const path = written("one\ntwo\n");
    const lines = lineFile(path);
    truncateSync(path, 5);
    expect(() => lines.read(1)).toThrow(`${path}: the file was changed while it was in use. Restore it`);
  });
});
