import { fail } from "@reins/core";
import type { GptOptions } from "@reins/nn";
import { loadAdapters } from "../models/adapters.ts";
import { endTokens } from "../models/end-tokens.ts";
import { loadModel } from "../models/folder.ts";
import { readGeneration } from "../models/special-tokens.ts";
import { loadTokenizer } from "../tokenizers/hub.ts";
import type { EngineOptions } from "./engine-options.ts";

/** A model folder to serve. */
export interface ModelFolder {
  /** Hugging Face folder with `config.json`, safetensors and `tokenizer.json`. */
  readonly folder: string;
  /** Name for clients (default: the last part of the path). */
  readonly name?: string;
  /** Folders of PEFT adapters by name. Each is served as a model of its own, on the same weights. */
  readonly adapters?: { readonly [name: string]: string };
  /** Maximum tokens of a prompt and its reply (default: the model's context, at most 4,096). */
  readonly context?: number;
  /** Replies generated at the same time (default: up to 64, as many as 1 GiB of KV caches holds). */
  readonly rows?: number;
  /** Maximum tokens of a reply (default 1,024). */
  readonly limit?: number;
  /** Replies that may wait for a free row (default 256). */
  readonly queue?: number;
}

const defaults = { context: 4096, rows: 64, queue: 256, cacheBytes: 2 ** 30 };

/** Loads a model folder, and its adapters as models that share its weights. */
export async function engineOptions(given: ModelFolder): Promise<EngineOptions[]> {
  const { folder, adapters = {}, queue = defaults.queue, limit } = given;
  const base = await loadModel(folder);
  const tokenizer = await loadTokenizer(folder, base.options.vocabulary);
  const { sampling } = await readGeneration(folder);
  const ends = await endTokens(folder, tokenizer);
  const { name = nameOf(folder) } = given;
  const capacity = Math.min(given.context ?? defaults.context, base.options.context);
  const rows = given.rows ?? rowsFor(base.options, capacity);
  const common = { tokenizer, ends, sampling, capacity, rows, limit, queue };
  const served: EngineOptions[] = [{ ...common, start: base, model: name }];
  for (const [model, path] of Object.entries(adapters)) {
    if (served.some((s) => s.model === model))
      fail(path, `the name ${model} is taken by another model. Choose another: --adapter other=${path}.`);
    served.push({ ...common, start: await loadAdapters(path, base), model });
  }
  return served;
}

/** The name of a folder's model for clients: the last part of its path. */
export const nameOf = (folder: string): string => folder.split(/[\\/]/).filter(Boolean).pop() ?? "model";

/** Rows whose KV caches take at most a gibibyte. */
function rowsFor(
  { layers, heads, keyHeads = heads, width, headWidth = width / heads }: GptOptions,
  capacity: number,
) {
  const bytes = 2 * Float32Array.BYTES_PER_ELEMENT * layers * keyHeads * headWidth * capacity;
  return Math.max(1, Math.min(defaults.rows, Math.floor(defaults.cacheBytes / bytes)));
}
