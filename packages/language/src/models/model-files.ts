import { fail } from "@reins/core";
import { type Deferred, gpt, heldSafetensors, madeOf, type TensorFiles, writeSafetensors } from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import { optionsOf } from "./config.ts";
import { configText } from "./config-text.ts";
import type { HubConfig } from "./hub-config.ts";
import type { LanguageModel } from "./language-model.ts";
import { paramsFrom, tensorsOf } from "./layout.ts";
import { isLora, plainParams } from "./lora.ts";
import { configOf } from "./own-config.ts";
import { type SpecialTokens, tokenFields } from "./special-tokens.ts";

/** The files of a Hugging Face folder by their names, for where there are no folders. */
export type ModelFiles = ReadonlyMap<string, Uint8Array>;

/** What `saveModel` writes of a model without pictures, as bytes: a page can give them to a person, and Node reads their folder. */
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
        [...tensors].map(([n, t]) => [n, madeOf(t)]),
        { format: "pt" },
      ),
    ],
  ]);
}

/** What `loadModel` reads, from bytes: `config.json` and `model.safetensors`. */
export async function modelFrom(files: ModelFiles): Promise<LanguageModel> {
  const bytes = (name: string) =>
    files.get(name) ??
    fail("modelFrom", `there is no ${name}. Give the files of a Hugging Face folder, as modelFiles() does.`);
  const config = readConfig(new TextDecoder().decode(bytes("config.json")), "config.json");
  const source = "model.safetensors";
  return (await readModel(config, { path: "config.json", source }, heldSafetensors(bytes(source), source)))
    .model;
}

/** The configuration and the tensors of a model, adapters folded in. */
export function writtenModel(
  whole: LanguageModel,
  tokens?: SpecialTokens,
): { config: HubConfig; tensors: Map<string, Tensor | Deferred> } {
  const { options, config } = isLora(whole) ? whole.base : whole;
  const tied = options.tied ?? options.style !== "llama";
  return {
    config: { ...(config ?? configOf(options)), ...tokenFields(tokens, config), tie_word_embeddings: tied },
    tensors: tensorsOf(plainParams(whole), options, config?.model_type),
  };
}

/** The text of a configuration of a model whose numbers are written as f32. */
export function configFile(config: HubConfig): string {
  // Older readers know the type by its old name.
  const old = "torch_dtype" in config ? { torch_dtype: "float32" } : {};
  return configText({ ...config, ...old, dtype: "float32" });
}

/** A configuration from its text. */
export function readConfig(text: string, path: string): HubConfig {
  try {
    const config = JSON.parse(text) as HubConfig;
    if (typeof config?.model_type === "string") return config;
  } catch (error) {
    fail(path, `it is not JSON (${(error as Error).message}).`);
  }
  return fail(path, "it has no model_type.");
}

/** The model of a configuration and tensors, and those of its tensors that `score` names: another head, in the last layer's place. */
export async function readModel(
  config: HubConfig,
  { path, source }: { readonly path: string; readonly source: string },
  files: TensorFiles,
  score: readonly string[] = [],
): Promise<{ model: LanguageModel; tensors: ReadonlyMap<string, Tensor> }> {
  const options = optionsOf(config, path);
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
}

const sameNumbers = (a: Tensor, b: Tensor): boolean =>
  a.size === b.size && a.data.every((x, i) => x === b.data[i]);
