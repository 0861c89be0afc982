import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readGeneration } from "./special-tokens.ts";

it("refuses a generation_config.json without fields", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const read = (text: string) => {
    writeFileSync(join(folder, "generation_config.json"), text);
    return readGeneration(folder);
  };
  for (const text of ["null", "[]", "5"])
    await expect(read(text)).rejects.toThrow("instead of an object. Delete the file or restore it.");
  expect(await read('{"eos_token_id": [2, "x"], "top_k": 5}')).toEqual({ ends: [2], sampling: { topK: 5 } });
});
