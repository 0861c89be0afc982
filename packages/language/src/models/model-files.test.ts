import { random } from "@reins/tensor";
import { expect, it } from "vitest";
import { newModel } from "./language-model.ts";
import { modelFiles, modelFrom } from "./model-files.ts";

const shape = { layers: 1, width: 8, heads: 2, context: 16, vocabulary: 12, style: "llama" } as const;

it("round-trips a model through bytes", async () => {
  const model = newModel(shape, random.key(3));
  const files = modelFiles(model, { end: 1, pad: 0, limit: 6 });
  expect([...files.keys()]).toEqual(["config.json", "generation_config.json", "model.safetensors"]);
  const again = await modelFrom(files);
  expect(again.options).toMatchObject({ layers: 1, width: 8, vocabulary: 12, context: 16 });
  expect([...again.params.tokens.table.data]).toEqual([...model.params.tokens.table.data]);
  expect([...modelFiles(again, { end: 1, pad: 0, limit: 6 }).get("model.safetensors")!]).toEqual([
    ...files.get("model.safetensors")!,
  ]);
});

it("names the missing file", async () => {
  const files = modelFiles(newModel(shape, random.key(3)), { end: 1 });
  files.delete("model.safetensors");
  await expect(modelFrom(files)).rejects.toThrow("model.safetensors is missing");
  await expect(modelFrom(new Map([["config.json", new Uint8Array([123])]]))).rejects.toThrow("invalid JSON");
});
