import { fail } from "@reins/core";
import { flattenNames, openSafetensors, writeSafetensors } from "@reins/nn";
import type { Tensor, Tree } from "@reins/tensor";
import { languageKey } from "./agent-file.ts";
import { checkSum, checksumOf, sumPlace } from "./checksum.ts";

/** Content of a file of trained language model weights. The model itself is found through its run. */
export interface LanguageContent {
  readonly algorithm: string;
  /** Training steps. */
  readonly steps: number;
  /** All weights of a model, or only its adapters, by path. */
  readonly tensors: ReadonlyMap<string, Tensor>;
}

const format = 1;

/** Encodes trained weights as safetensors, like other agents. */
export function writeLanguageWeights(weights: Tree, about: Omit<LanguageContent, "tensors">): Uint8Array {
  const tensors = flattenNames(weights);
  const text = JSON.stringify({ format, ...about });
  return writeSafetensors(tensors, { [languageKey]: text, [sumPlace]: checksumOf(text, tensors) });
}

/** Reads trained weights, tensor by tensor; undefined if the file holds another agent. */
export async function readLanguageWeights(file: string): Promise<LanguageContent | undefined> {
  const opened = await openSafetensors(file);
  try {
    const text = opened.metadata[languageKey];
    if (text === undefined) return undefined;
    const { format: found, ...about } = JSON.parse(text) as Omit<LanguageContent, "tensors"> & {
      format: number;
    };
    if (found !== format)
      fail(file, `weights of format ${found}; this version reads format ${format}. Install a newer Reins.`);
    const tensors = new Map<string, Tensor>();
    for (const name of opened.entries.keys()) tensors.set(name, await opened.tensor(name));
    checkSum(opened.metadata, text, tensors, file);
    return { ...about, tensors };
  } finally {
    await opened.close();
  }
}
