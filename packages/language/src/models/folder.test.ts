import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random } from "@reins/tensor";
import { expect, it, onTestFinished } from "vitest";
import { loadModel, saveModel } from "./folder.ts";
import { newModel } from "./language-model.ts";

it("follows no symbolic links that stand where files are drafted", async () => {
  const root = mkdtempSync(join(tmpdir(), "reins-folder-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [secret, folder] = [join(root, "secret"), join(root, "model")];
  writeFileSync(secret, "keep");
  mkdirSync(folder);
  const names = ["config.json", "generation_config.json", "model.safetensors"];
  for (const name of names) symlinkSync(secret, join(folder, `${name}.${process.pid}.part`));
  const model = newModel({ layers: 1, width: 8, heads: 2, context: 16, vocabulary: 11 }, random.key(4));
  await saveModel(folder, model, { end: 1 });
  expect(readFileSync(secret, "utf8")).toBe("keep");
  expect(readdirSync(folder).sort()).toEqual(names);
  expect((await loadModel(folder)).options.vocabulary).toBe(11);
});
