import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { examplesFrom } from "./file.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-examples-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("streams the examples of a file and names the lines that are malformed", () => {
  const path = join(folder, "mixed.jsonl");
  const nested = `{"text":${"[".repeat(2000)}${"]".repeat(2000)}}`;
  writeFileSync(path, `{"text":"a"}\n\n{"text":\n${nested}\n{"prompt":"b","completion":"c","split":"dev"}\n`);
  const source = examplesFrom(path);
  expect(source.count).toBe(4);
  expect(source.read(0)).toEqual({ kind: "document", text: "a" });
  expect(source.read(3)).toEqual({ kind: "completion", prompt: "b", completion: "c", split: "test" });
  expect(() => source.read(1)).toThrow(`${path}, line 3: invalid JSON`);
  expect(() => source.read(2)).toThrow(`${path}, line 4: the line is nested more than 1000 levels deep`);
  source.close?.();
});
