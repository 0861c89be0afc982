import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { columns } from "@reins/core/spaces";
import { leaves, type Tensor, type Tree } from "@reins/tensor";
import { expect, test } from "vitest";
import { make } from "./registry.ts";

/** Whole episodes of Gymnasium, written by `npm run bench -- gymnasium --write`: digests are of fifty steps each. */
interface Episode {
  readonly id: string;
  readonly options?: Record<string, unknown>;
  readonly seed: number;
  readonly first: number[];
  /** The initial observation of the next episode. */
  readonly next?: number[];
  /** 1 terminated, 2 truncated, 3 both. */
  readonly end: number;
  readonly steps: number;
  readonly actions: string;
  readonly digests: string[];
}

const episodes: Episode[] = JSON.parse(
  readFileSync(new URL("../fixtures/episodes.json", import.meta.url), "utf8"),
);

test.each(episodes)("every bit of Gymnasium's $id, seed $seed, $options, $steps steps", (episode) => {
  const { id, options, seed, first, next, end, steps, digests } = episode;
  const env = make(id, options);
  const action = columns(env.spec.action, 1) as Tensor;
  const bytes = new Uint8Array(Buffer.from(episode.actions, "base64"));
  const actions = action.dtype === "f32" ? new Float32Array(bytes.buffer) : bytes;
  env.reset({ seed });
  expect(numbers(env.observation)).toEqual(first);
  const found: string[] = [];
  let hash = createHash("sha256");
  for (let t = 0; t < steps; t++) {
    action.data[0] = actions[t];
    env.step(action);
    const ended = env.terminated.data[0] + 2 * env.truncated.data[0];
    for (const { data } of leaves(ended ? env.final : env.observation)) hash.update(data);
    hash.update(env.reward.data).update(Uint8Array.of(ended));
    if ((t + 1) % 50 !== 0 && t < steps - 1) continue;
    found.push(hash.digest("hex").slice(0, 16));
    hash = createHash("sha256");
    expect(found).toEqual(digests.slice(0, found.length));
    expect(ended).toBe(t === steps - 1 ? end : 0);
  }
  if (next) expect(numbers(env.observation)).toEqual(next);
});

function numbers(tree: Tree): number[] {
  return leaves(tree).flatMap((t) => [...t.data]);
}
