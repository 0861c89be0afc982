import { createHash } from "node:crypto";
import type { Case } from "./cases.ts";
import type { Episode } from "./replay.ts";

const steps = 50;

/** An episode in the fixture format of `@reins/envs`: actions, and digests of the observations of every fifty steps. */
export function digested({ id, options }: Case, { seed, actions, observations, rewards, ends }: Episode) {
  const total = ends.length;
  const over = ends[total - 1] !== 0;
  const width = observations.length / (total + (over ? 2 : 1));
  const view = (t: number) => observations.slice(t * width, (t + 1) * width);
  const digests: string[] = [];
  for (let from = 0; from < total; from += steps) {
    const hash = createHash("sha256");
    for (let t = from; t < Math.min(from + steps, total); t++)
      hash
        .update(view(t + 1))
        .update(Float32Array.of(rewards[t]))
        .update(Uint8Array.of(ends[t]));
    digests.push(hash.digest("hex").slice(0, 16));
  }
  return {
    id,
    options,
    seed,
    first: [...view(0)],
    next: over ? [...view(total + 1)] : undefined,
    end: ends[total - 1],
    steps: total,
    actions: Buffer.from(actions.buffer, actions.byteOffset, actions.byteLength).toString("base64"),
    digests,
  };
}
