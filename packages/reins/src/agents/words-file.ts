import { fail } from "@reins/core";
import { flattenNames, openSafetensors, writeSafetensors } from "@reins/nn";
import type { Tensor, Tree } from "@reins/tensor";
import { wordsPlace } from "./agent-file.ts";
import { checkSum, checksumOf, sumPlace } from "./checksum.ts";

/** What a file keeps of an agent that answers in words: the weights that learned. The model around them is known to its run. */
export interface WordsContent {
  readonly algorithm: string;
  /** Steps that it has learned from. */
  readonly steps: number;
  /** All weights of a model, or its adapters alone, by their paths. */
  readonly tensors: ReadonlyMap<string, Tensor>;
}

const format = 1;

/** The bytes of such a file: safetensors, as other agents are. */
export function writeWords(weights: Tree, about: Omit<WordsContent, "tensors">): Uint8Array {
  const tensors = flattenNames(weights);
  const text = JSON.stringify({ format, ...about });
  return writeSafetensors(tensors, { [wordsPlace]: text, [sumPlace]: checksumOf(text, tensors) });
}

/** What is in such a file, read tensor by tensor; undefined where it is the file of another agent. */
export async function readWords(file: string): Promise<WordsContent | undefined> {
  const opened = await openSafetensors(file);
  try {
    const text = opened.metadata[wordsPlace];
    if (text === undefined) return undefined;
    const { format: found, ...about } = JSON.parse(text) as Omit<WordsContent, "tensors"> & {
      format: number;
    };
    if (found !== format)
      fail(file, `it is of format ${found}; this version reads format ${format}. Take a newer Reins.`);
    const tensors = new Map<string, Tensor>();
    for (const name of opened.entries.keys()) tensors.set(name, await opened.tensor(name));
    checkSum(opened.metadata, text, tensors, file);
    return { ...about, tensors };
  } finally {
    await opened.close();
  }
}
