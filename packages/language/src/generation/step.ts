import type { GptParams, GptState } from "@reins/nn";
import { compile, expandDims, random, reshape, type Tensor, vmap } from "@reins/tensor";
import type { GeneratorOptions } from "./options.ts";
import { type RowSettings, sample } from "./sampling.ts";
import { cuts, packKept } from "./sampling-support.ts";

/** Result of one step, one number per row; `kept` is the kept set of each row, i32 [rows, words]. */
export type Sampled = {
  token: Tensor;
  logProb: Tensor;
  modelLogProb: Tensor;
  entropy: Tensor;
  kept?: Tensor;
};

/** Adds a token to each text that is not `idle`: reads the last one, samples the next. KV caches are written in place. */
export function stepOf({ model, vocabulary, sampling = {}, record }: GeneratorOptions, rows: number) {
  return compile(
    (
      p: GptParams,
      state: GptState,
      token: Tensor,
      keys: Tensor,
      idle: Tensor,
      allowed?: Tensor,
      seen?: Tensor,
      own?: RowSettings,
    ) => {
      const { output, state: next } = model.step(p, expandDims(token, 1), state, { idle });
      const logits = reshape(output, [rows, vocabulary]);
      // A row's uniform number depends only on its key and position.
      const chance = vmap((key: Tensor, position: Tensor) =>
        random.uniform(random.foldKey(key, position), []),
      )(keys, next.position);
      const { shaped, ...sampled } = sample(logits, sampling, { uniform: chance, allowed, seen, own });
      const restricted = cuts(sampling) || allowed !== undefined || own?.topP !== undefined;
      return { ...sampled, ...(record && restricted ? { kept: packKept(shaped) } : {}), state: next };
    },
    { name: "generate", donate: [1], host: true },
  );
}
