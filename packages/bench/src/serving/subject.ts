import { readFileSync } from "node:fs";
import { hubTokenizer, newModel } from "@reins/language";
import { random } from "@reins/tensor";

/** Tokens of a prompt and of a reply, and replies at a time. */
export const workload = { prompt: 64, reply: 64, clients: 64 } as const;

/** The models of the benchmark: 11 million parameters, and one whose requests are almost only server. */
export const sizes = {
  medium: { layers: 6, width: 384, heads: 6 },
  tiny: { layers: 1, width: 32, heads: 2 },
} as const;

/** The name of a model. */
export type SizeName = keyof typeof sizes;

const file = new URL("../../../../fixtures/hf/tokenizer.json", import.meta.url);

/** A model with random weights and a byte-level tokenizer. Replies have no end token, so that all have the requested length. */
export function served(name: SizeName) {
  const tokenizer = { ...hubTokenizer(JSON.parse(readFileSync(file, "utf8")) as object), end: -1 };
  const context = workload.prompt + workload.reply;
  const shape = { ...sizes[name], context, vocabulary: tokenizer.size, style: "llama" } as const;
  return { start: newModel(shape, random.key(0)), tokenizer };
}

/** A prompt of random tokens, different for each index. */
export function promptTokens(index: number, vocabulary: number, length: number = workload.prompt): number[] {
  let state = (index + 1) * 2654435761;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 16 + ((state >>> 8) % (vocabulary - 16));
  });
}
