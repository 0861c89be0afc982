import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { saveGeneration } from "./models/special-tokens.ts";
import { replaceFile } from "./replace-file.ts";

/** Half of a text is written, as when a disk is full or a process is killed. */
vi.mock("node:fs/promises", async (original) => ({
  ...(await original<typeof import("node:fs/promises")>()),
  async writeFile(path: string, text: string) {
    fs.writeFileSync(path, text.slice(0, text.length / 2));
    if (text.includes("torn")) throw new Error("ENOSPC");
  },
}));

const folder = () => {
  const path = fs.mkdtempSync(join(tmpdir(), "reins-replace-"));
  onTestFinished(() => fs.rmSync(path, { recursive: true }));
  return path;
};

it("a file stays unchanged if writing fails", async () => {
  const path = folder();
  fs.writeFileSync(join(path, "a.json"), "old");
  await expect(replaceFile(join(path, "a.json"), "a torn text")).rejects.toThrow("ENOSPC");
  expect(fs.readdirSync(path)).toEqual(["a.json"]);
  expect(fs.readFileSync(join(path, "a.json"), "utf8")).toBe("old");
});

it("an invalid generation_config.json is named", async () => {
  const path = folder();
  fs.writeFileSync(join(path, "generation_config.json"), '{"max_new_');
  await expect(saveGeneration(path, { end: 1 })).rejects.toThrow(
    /generation_config\.json: invalid JSON .*Delete the file or restore it/,
  );
});
