import { fail } from "@reins/core";
import {
  type DeferredTensor,
  gpt,
  materialise,
  safetensorsFromBytes,
  type TensorReader,
  writeSafetensors,
} from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import { optionsFromConfig } from "./config.ts";
import { configText } from "./config-text.ts";
import type { HubConfig } from "./hub-config.ts";
import type { LanguageModel } from "./language-model.ts";
import { paramsFrom, tensorsOf } from "./layout.ts";
import { isLora, plainParams } from "./lora.ts";
import { configFromOptions } from "./own-config.ts";
import { type SpecialTokens, tokenFields } from "./special-tokens.ts";

/** The files of a Hugging Face folder by name, for environments without a file system. */
export type ModelFiles = ReadonlyMap<string, Uint8Array>;

/** The files that `saveModel` writes, as bytes, without the image encoder: for downloads from a web page. */
export function modelFiles(whole: LanguageModel, tokens: SpecialTokens): Map<string, Uint8Array> {
  const { config, tensors } = writtenModel(whole, tokens);
  const limit = tokens.limit === undefined ? {} : { max_new_tokens: tokens.limit };
  const generation = JSON.stringify({ ...limit, ...tokenFields(tokens) }, null, 2);
  const text = (t: string) => new TextEncoder().encode(`${t}\n`);
  return new Map([
    ["config.json", text(configFile(config))],
    ["generation_config.json", text(generation)],
    [
      "model.safetensors",
      writeSafetensors(
        [...tensors].map(([n, t]) => [n, materialise(t)]),
        { format: "pt" },
      ),
    ],
  ]);
}

/** Loads a model from bytes: `config.json` and `model.safetensors`. */
export async function modelFrom(files: ModelFiles): Promise<LanguageModel> {
  const bytes = (name: string) =>
    files.get(name) ??
    fail(
      "modelFrom",
      `${name} is missing. Pass the files of a Hugging Face folder, as modelFiles() returns them.`,
    );
  const config = readConfig(new TextDecoder().decode(bytes("config.json")), "config.json");
  const source = "model.safetensors";
  return (
    await readModel(config, { path: "config.json", source }, safetensorsFromBytes(bytes(source), source))
  ).model;
}

/** The configuration and the tensors of a model, adapters merged. */
export function writtenModel(
  whole: LanguageModel,
  tokens?: SpecialTokens,
): { config: HubConfig; tensors: Map<string, Tensor | DeferredTensor> } {
  const { options, config } = isLora(whole) ? whole.base : whole;
  const tied = options.tied ?? options.style !== "llama";
  return {
    config: {
      ...(config ?? configFromOptions(options)),
      ...tokenFields(tokens, config),
      tie_word_embeddings: tied,
    },
    tensors: tensorsOf(plainParams(whole), options, config?.model_type),
  };
}

/** The JSON text of a configuration for f32 weights. */
export function configFile(config: HubConfig): string {
  // Older readers use the old field name.
  const old = "torch_dtype" in config ? { torch_dtype: "float32" } : {};
  return configText({ ...config, ...old, dtype: "float32" });
}

/** A configuration from its JSON text. */
export function readConfig(text: string, path: string): HubConfig {
  try {
    const config = JSON.parse(text) as HubConfig;
    if (typeof config?.model_type === "string") return config;
  } catch (error) {
    fail(path, `invalid JSON (${(error as Error).message}).`);
  }
  return fail(path, "model_type is missing.");
}

/**
 * A model from its configuration and tensors, and the tensors that `score` names: another head in place of the output
 * layer.
 */
export async function readModel(
  config: HubConfig,
  { path, source }: { readonly path: string; readonly source: string },
  files: TensorReader,
  score: readonly string[] = [],
): Promise<{ model: LanguageModel; tensors: ReadonlyMap<string, Tensor> }> {
  const options = optionsFromConfig(config, path);
  const headed = files.entries.has("lm_head.weight");
  if (!headed && !options.tied && score.length === 0)
    fail(
      source,
      'tensor "lm_head.weight" is missing, but tie_word_embeddings is false in config.json. Check that this is a causal language model.',
    );
  const shape = { ...options, tied: !headed || options.tied };
  const params = await paramsFrom(files, shape, source, { more: score, type: config.model_type });
  if (headed && shape.tied && !sameNumbers(await files.tensor("lm_head.weight"), params.tokens.table))
    fail(
      source,
      "lm_head.weight differs from the token embedding, but tie_word_embeddings is true in config.json. Set it to false if the output layer has its own weights.",
    );
  const tensors = new Map<string, Tensor>();
  for (const name of score) if (files.entries.has(name)) tensors.set(name, await files.tensor(name));
  return { model: { options: shape, model: gpt(shape), params, config }, tensors };
}

const sameNumbers = (a: Tensor, b: Tensor): boolean =>
  a.size === b.size && a.data.every((x, i) => x === b.data[i]);
