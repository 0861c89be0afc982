import { fail } from "@reins/core";
import { type Deferred, openSafetensors, openSharded, saveSafetensors } from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import { existsSync, join, mkdir, readFile, replaceFile } from "#node";
import { optionsOf } from "./config.ts";
import type { HubConfig } from "./hub-config.ts";
import type { LanguageModel } from "./language-model.ts";
import { isLora } from "./lora.ts";
import { configFile, readConfig, readModel, writtenModel } from "./model-files.ts";
import { savePatches } from "./patch-files.ts";
import type { PictureParams } from "./patches.ts";
import { patchOptionsOf } from "./pictures.ts";
import { type SpecialTokens, saveGeneration } from "./special-tokens.ts";

/** Loads a Hugging Face folder: `config.json` and safetensors, in one file or in shards, of any float type. */
export async function loadModel(folder: string): Promise<LanguageModel> {
  return { ...(await readFolder(folder)).model, folder };
}

/** The model in a folder, and those of its tensors that `score` names: another head, which stands in the last layer's place. */
export async function readFolder(
  folder: string,
  score: readonly string[] = [],
): Promise<{ model: LanguageModel; tensors: ReadonlyMap<string, Tensor> }> {
  const path = join(folder, "config.json");
  if (!existsSync(path))
    fail(folder, "there is no config.json. Give the folder of a Hugging Face checkpoint.");
  const config = readConfig(await readFile(path, "utf8"), path);
  // Before the tensors are opened: what it says may be wrong.
  optionsOf(config, path);
  const [file, index] = [join(folder, "model.safetensors"), join(folder, "model.safetensors.index.json")];
  if (!existsSync(file) && !existsSync(index))
    fail(
      folder,
      "there is no model.safetensors and no model.safetensors.index.json. Checkpoints in other formats must be converted.",
    );
  const source = existsSync(index) ? index : file;
  const files = source === index ? await openSharded(index) : await openSafetensors(file);
  try {
    return await readModel(config, { path, source }, files, score);
  } finally {
    await files.close();
  }
}

/**
 * Writes a folder that Hugging Face's libraries read, adapters folded in. With `tokens` they also know where its texts end. What reads
 * pictures, which they do not know, lies beside it: see `loadPatches`.
 */
export async function saveModel(folder: string, whole: LanguageModel, tokens?: SpecialTokens): Promise<void> {
  const { params, model } = isLora(whole) ? whole.base : whole;
  const { config, tensors } = writtenModel(whole, tokens);
  await writeFolder(folder, config, tensors);
  if (tokens) await saveGeneration(folder, tokens);
  const how = patchOptionsOf(model);
  if (how) await savePatches(folder, how, (params as PictureParams).patches);
}

/** Writes a configuration and tensors. */
export async function writeFolder(
  folder: string,
  config: HubConfig,
  tensors: ReadonlyMap<string, Tensor | Deferred>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, "config.json");
  if (existsSync(path) && !isModel(await readFile(path, "utf8")))
    fail(path, "it is there already, and of no model. Choose another folder to write the model to.");
  await replaceFile(path, `${configFile(config)}\n`);
  await saveSafetensors(join(folder, "model.safetensors"), tensors, { format: "pt" });
}

function isModel(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as HubConfig)?.model_type === "string";
  } catch {
    return false;
  }
}
