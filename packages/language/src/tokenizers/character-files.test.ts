import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { characterFiles, saveCharacters } from "./character-files.ts";
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
});

it.each([
  ["line breaks, as between the turns of a conversation", "user: What is\n a\tcat?\x00"],
  ["characters of several bytes", "Grüße, 猫 and 🐈\nat 5 €?"],
  ["the names of blanks", "a \u2581 b \u0120é"],
  ["no blank", "né\n"],
])("files round-trip %s", async (_, text) => {
  const folder = mkdtempSync(join(tmpdir(), "reins-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await saveCharacters(folder, text);
  const [own, loaded] = [characters(text), await loadTokenizer(folder)];
  expect(loaded.encode(text)).toEqual(own.encode(text));
  expect(loaded.decode(own.encode(text))).toBe(text);
  const tokens = Array.from({ length: own.size }, (_, token) => token);
  expect(tokens.map(loaded.bytesOf)).toEqual(tokens.map(own.bytesOf));
  expect(tokens.slice(2).map(loaded.textOf)).toEqual(tokens.slice(2).map(own.textOf));
  expect(() => loaded.encode("~")).toThrow("no tokens for");
});

it("refuses half a character", () =>
  expect(() => characterFiles("a\ud83d")).toThrow("is half of a character"));
