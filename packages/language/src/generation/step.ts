import type { GptParams, GptState } from "@reins/nn";
import { compile, expandDims, random, reshape, type Tensor, vmap } from "@reins/tensor";
import { packKept } from "./kept-tokens.ts";
import type { GeneratorOptions } from "./options.ts";
import { sample } from "./sampling.ts";

/** What one step gives, one number a row; `kept` says which tokens could have been drawn. */
export type Drawn = { token: Tensor; logProb: Tensor; modelLogProb: Tensor; entropy: Tensor; kept?: Tensor };

/** Adds a token to each of so many texts: reads the last one, draws the next. Caches are written in place. */
export function stepOf({ model, vocabulary, sampling = {}, record }: GeneratorOptions, rows: number) {
  return compile(
    (p: GptParams, state: GptState, token: Tensor, keys: Tensor, allowed?: Tensor, seen?: Tensor) => {
      const { output, state: next } = model.step(p, expandDims(token, 1), state);
      const logits = reshape(output, [rows, vocabulary]);
      // A row's chance depends on its key and position alone.
      const chance = vmap((key: Tensor, position: Tensor) =>
        random.uniform(random.foldKey(key, position), []),
      )(keys, next.position);
      const { shaped, ...drawn } = sample(logits, sampling, { chance, allowed, seen });
      return { ...drawn, ...(record ? { kept: packKept(shaped) } : {}), state: next };
    },
    { name: "generate", donate: [1] },
  );
}
