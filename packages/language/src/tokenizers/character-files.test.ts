import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { saveCharacters } from "./character-files.ts";
import { characters } from "./characters.ts";
import { loadTokenizer } from "./hub.ts";

it("characters round-trip through files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Every printable character, including the blank, and one twice.
  const alphabet = `${Array.from({ length: 95 }, (_, i) => String.fromCharCode(126 - i)).join("")}a`;
  await saveCharacters(folder, alphabet);
  const [own, loaded] = [characters(alphabet), await loadTokenizer(folder)];
  const text = ` {"a": [1, 22]}  don't   <end '${alphabet}`;
  expect(loaded.encode(text)).toEqual(own.encode(text));
  expect(loaded.decode(own.encode(text))).toBe(text);
  expect([loaded.size, loaded.end, loaded.pad]).toEqual([own.size, own.end, own.pad]);
  expect(Array.from({ length: own.size }, (_, t) => loaded.bytesOf(t))).toEqual(
    Array.from({ length: own.size }, (_, t) => own.bytesOf(t)),
  );
  await expect(saveCharacters(folder, "aé")).rejects.toThrow("is not ASCII");
});
