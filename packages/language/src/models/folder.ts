import { fail } from "@reins/core";
import { type Deferred, gpt, openSafetensors, openSharded, saveSafetensors } from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import { existsSync, join, mkdir, readFile, replaceFile } from "#node";
import { optionsOf } from "./config.ts";
import { configText } from "./config-text.ts";
import type { HubConfig } from "./hub-config.ts";
import type { LanguageModel } from "./language-model.ts";
import { paramsFrom, tensorsOf } from "./layout.ts";
import { isLora, plainParams } from "./lora.ts";
import { configOf } from "./own-config.ts";
import { savePatches } from "./patch-files.ts";
import type { PictureParams } from "./patches.ts";
import { patchOptionsOf } from "./pictures.ts";
import { type SpecialTokens, saveGeneration, tokenFields } from "./special-tokens.ts";

/** Loads a Hugging Face folder: `config.json` and safetensors, in one file or in shards, of any float type. */
export async function loadModel(folder: string): Promise<LanguageModel> {
  return (await readFolder(folder)).model;
}

/** The model in a folder, and those of its tensors that `score` names: another head, which stands in the last layer's place. */
export async function readFolder(
  folder: string,
  score: readonly string[] = [],
): Promise<{ model: LanguageModel; tensors: ReadonlyMap<string, Tensor> }> {
  const path = join(folder, "config.json");
  if (!existsSync(path))
    fail(folder, "there is no config.json. Give the folder of a Hugging Face checkpoint.");
  const config = parse(await readFile(path, "utf8"), path);
  const options = optionsOf(config, path);
  const [file, index] = [join(folder, "model.safetensors"), join(folder, "model.safetensors.index.json")];
  if (!existsSync(file) && !existsSync(index))
    fail(
      folder,
      "there is no model.safetensors and no model.safetensors.index.json. Checkpoints in other formats must be converted.",
    );
  const source = existsSync(index) ? index : file;
  const files = source === index ? await openSharded(index) : await openSafetensors(file);
  try {
    const headed = files.entries.has("lm_head.weight");
    if (!headed && !options.tied && score.length === 0)
      fail(
        source,
        'it has no tensor "lm_head.weight", and by config.json (tie_word_embeddings) the last layer is not the table of tokens. Is it a model that writes?',
      );
    const shape = { ...options, tied: !headed || options.tied };
    const params = await paramsFrom(files, shape, source, { more: score, type: config.model_type });
    if (headed && shape.tied && !sameNumbers(await files.tensor("lm_head.weight"), params.tokens.table))
      fail(
        source,
        "lm_head.weight differs from the table of tokens, and by config.json (tie_word_embeddings) they are one. Set tie_word_embeddings to false if the last layer is its own.",
      );
    const tensors = new Map<string, Tensor>();
    for (const name of score) if (files.entries.has(name)) tensors.set(name, await files.tensor(name));
    return { model: { options: shape, model: gpt(shape), params, config }, tensors };
  } finally {
    await files.close();
  }
}

/**
 * Writes a folder that Hugging Face's libraries read, adapters folded in. With `tokens` they also know where its texts end. What reads
 * pictures, which they do not know, lies beside it: see `loadPatches`.
 */
export async function saveModel(folder: string, whole: LanguageModel, tokens?: SpecialTokens): Promise<void> {
  const { options, params, config, model } = isLora(whole) ? whole.base : whole;
  const tied = options.tied ?? options.style !== "llama";
  await writeFolder(
    folder,
    { ...(config ?? configOf(options)), ...tokenFields(tokens, config), tie_word_embeddings: tied },
    tensorsOf(plainParams(whole), options, config?.model_type),
  );
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
  // Older readers know the type by its old name.
  const old = "torch_dtype" in config ? { torch_dtype: "float32" } : {};
  const text = configText({ ...config, ...old, dtype: "float32" });
  await replaceFile(path, `${text}\n`);
  await saveSafetensors(join(folder, "model.safetensors"), tensors, { format: "pt" });
}

const sameNumbers = (a: Tensor, b: Tensor): boolean =>
  a.size === b.size && a.data.every((x, i) => x === b.data[i]);

function isModel(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as HubConfig)?.model_type === "string";
  } catch {
    return false;
  }
}

function parse(text: string, path: string): HubConfig {
  try {
    const config = JSON.parse(text) as HubConfig;
    if (typeof config?.model_type === "string") return config;
  } catch (error) {
    fail(path, `it is not JSON (${(error as Error).message}).`);
  }
  return fail(path, "it has no model_type.");
}
