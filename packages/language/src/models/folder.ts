import { fail } from "@reins/core";
import {
  type DeferredTensor,
  openSafetensors,
  openSharded,
  saveSafetensors,
  type TensorReader,
} from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import { existsSync, join, mkdir, readFile, readFileSync, replaceFile } from "#node";
import { optionsFromConfig } from "./config.ts";
import type { HubConfig } from "./hub-config.ts";
import { patchOptionsOf } from "./images.ts";
import type { LanguageModel } from "./language-model.ts";
import { isLora } from "./lora.ts";
import { configFile, readConfig, readModel, writtenModel } from "./model-files.ts";
import { savePatches } from "./patch-files.ts";
import type { ImageParams } from "./patches.ts";
import { type SpecialTokens, saveGeneration } from "./special-tokens.ts";

/** Loads a Hugging Face folder: `config.json` and safetensors, in one file or in shards, of any float type. */
export async function loadModel(folder: string): Promise<LanguageModel> {
  return { ...(await readFolder(folder)).model, folder };
}

/** The maximum tokens of a text of a folder's model, without loading its weights. */
export async function modelContext(folder: string): Promise<number> {
  const path = join(folder, "config.json");
  if (!existsSync(path))
    fail(folder, "config.json is missing. Pass the folder of a Hugging Face checkpoint.");
  return optionsFromConfig(readConfig(await readFile(path, "utf8"), path), path).context;
}

/** The model in a folder, and the tensors that `score` names: another head in place of the output layer. */
export async function readFolder(
  folder: string,
  score: readonly string[] = [],
): Promise<{ model: LanguageModel; tensors: ReadonlyMap<string, Tensor> }> {
  const path = join(folder, "config.json");
  if (!existsSync(path))
    fail(
      folder,
      `config.json is missing. Pass the folder of a Hugging Face checkpoint${existsSync(folder) ? "." : "; models are not downloaded: hf download <model> --local-dir ./model."}`,
    );
  const config = readConfig(await readFile(path, "utf8"), path);
  // Validate the configuration before opening the tensors.
  optionsFromConfig(config, path);
  const { files, source } = await openWeights(folder);
  try {
    return await readModel(config, { path, source }, files, score);
  } finally {
    await files.close();
  }
}

/** Opens the weights of a folder: those in one file if there is one, which may have been written beside shards, as in transformers. */
export async function openWeights(
  folder: string,
): Promise<{ readonly files: TensorReader; readonly source: string }> {
  const [file, index] = [join(folder, "model.safetensors"), join(folder, "model.safetensors.index.json")];
  if (existsSync(file)) return { files: await openSafetensors(file), source: file };
  if (existsSync(index)) return { files: await openSharded(index), source: index };
  return fail(
    folder,
    "model.safetensors and model.safetensors.index.json are missing. Convert checkpoints of other formats to safetensors.",
  );
}

/**
 * Writes a folder that the Hugging Face libraries can load, adapters merged. With `tokens` they also know the end
 * token. The image encoder, which they do not support, is stored in separate files: see `loadPatches`.
 */
export async function saveModel(folder: string, whole: LanguageModel, tokens?: SpecialTokens): Promise<void> {
  const { params, model } = isLora(whole) ? whole.base : whole;
  const { config, tensors } = writtenModel(whole, tokens);
  await writeFolder(folder, config, tensors);
  if (tokens) await saveGeneration(folder, tokens);
  const how = patchOptionsOf(model);
  if (how) await savePatches(folder, how, (params as ImageParams).patches);
}

/** Writes the configuration and tensors of a model to a folder. */
export async function writeFolder(
  folder: string,
  config: HubConfig,
  tensors: ReadonlyMap<string, Tensor | DeferredTensor>,
): Promise<void> {
  checkModelFolder(folder);
  await mkdir(folder, { recursive: true });
  await replaceFile(join(folder, "config.json"), `${configFile(config)}\n`);
  await saveSafetensors(join(folder, "model.safetensors"), tensors, { format: "pt" });
}

/** Refuses a folder to which no model can be written: one with the configuration of something else or with adapters, or a file. */
export function checkModelFolder(folder: string): void {
  if (existsSync(folder) && !existsSync(`${folder}/.`)) fail(folder, "this is a file. Choose a folder.");
  const path = join(folder, "config.json");
  if (existsSync(path) && !isModel(readFileSync(path, "utf8")))
    fail(path, "the file exists and does not belong to a model. Choose another folder.");
  if (existsSync(join(folder, "adapter_config.json")))
    fail(
      folder,
      "it has adapters (adapter_config.json), which the transformers library would add to the model. Choose another folder.",
    );
}

/** Refuses a folder to which no adapters can be written: that of a model, to which the transformers library would add them. */
export function checkAdapterFolder(folder: string): void {
  const path = join(folder, "config.json");
  if (existsSync(path) && isModel(readFileSync(path, "utf8")))
    fail(
      folder,
      "it has a model (config.json), to which the transformers library would add the adapters. Choose another folder.",
    );
}

function isModel(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as HubConfig)?.model_type === "string";
  } catch {
    return false;
  }
}
