import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leaves, random } from "@reins/tensor";
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

it("loads weights that were saved over a sharded model", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const of = (seed: number) =>
    newModel({ layers: 1, width: 8, heads: 2, context: 16, vocabulary: 11 }, random.key(seed));
  await saveModel(folder, of(1));
  const [file, shard] = ["model.safetensors", "model-00001-of-00001.safetensors"];
  const header = readFileSync(join(folder, file));
  const length = Number(header.readBigUInt64LE(0));
  const { __metadata__: _, ...entries } = JSON.parse(header.toString("utf8", 8, 8 + length));
  renameSync(join(folder, file), join(folder, shard));
  const weight_map = Object.fromEntries(Object.keys(entries).map((name) => [name, shard]));
  writeFileSync(join(folder, `${file}.index.json`), JSON.stringify({ weight_map }));
  const table = async () => [...leaves((await loadModel(folder)).params)[0].data];
  const before = await table();
  expect(before).toEqual([...leaves(of(1).params)[0].data]);
  await saveModel(folder, of(2));
  expect(await table()).toEqual([...leaves(of(2).params)[0].data]);
});
