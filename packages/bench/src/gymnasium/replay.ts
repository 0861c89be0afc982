import { columns } from "@reins/core/spaces";
import { make } from "@reins/envs";
import { leaves, type Tensor } from "@reins/tensor";
import type { Case } from "./cases.ts";

/** An episode of Gymnasium. */
export interface Episode {
  readonly seed: number;
  readonly actions: Uint8Array | Float32Array;
  /** The first observation, one per step, and the first of the next episode if this one ended. */
  readonly observations: Float32Array | Int32Array;
  readonly rewards: Float64Array;
  /** 1 terminated, 2 truncated, 3 both. */
  readonly ends: Uint8Array;
}

/** Agreement between two replays of the same episodes. */
export interface Agreement {
  readonly seeds: number;
  readonly steps: number;
  /** Episodes that end at the same step in the same way. */
  readonly equalEnds: number;
  /** Episodes with equal bits. */
  readonly equal: number;
  /** The earliest step with a difference. */
  readonly firstDifference?: number;
  readonly largestDifference: number;
  /** Rewards that differ while observations agree. */
  readonly rewardsOnly: number;
}

/** Replays the actions of all episodes as rows of one vector environment, and compares all outputs. */
export function replay({ id, options }: Case, episodes: readonly Episode[]): Agreement {
  const env = make(id, { ...options, rows: episodes.length });
  const action = columns(env.spec.action, episodes.length) as Tensor;
  const [seen, final] = [leaves(env.observation), leaves(env.final)];
  const width = seen.reduce((sum, t) => sum + t.size, 0) / episodes.length;
  const first: (number | undefined)[] = episodes.map(() => undefined);
  const ends = episodes.map(() => false);
  let largestDifference = 0;
  let rewardsOnly = 0;
  const compare = (tensors: readonly Tensor[], row: number, index: number): number => {
    const expected = episodes[row].observations;
    let largest = 0;
    let at = index * width;
    for (const tensor of tensors) {
      const each = tensor.size / episodes.length;
      for (let i = row * each; i < (row + 1) * each; i++, at++)
        largest = Math.max(largest, difference(tensor.data[i] as number, expected[at]));
    }
    return largest;
  };
  const note = (row: number, step: number, found: number) => {
    if (found === 0) return;
    largestDifference = Math.max(largestDifference, found);
    first[row] ??= step;
  };
  env.reset({ seed: episodes.map((e) => e.seed) });
  episodes.forEach((_, row) => note(row, 0, compare(seen, row, 0)));
  const longest = Math.max(...episodes.map((e) => e.ends.length));
  for (let t = 0; t < longest; t++) {
    episodes.forEach((e, row) => {
      action.data[row] = t < e.ends.length ? e.actions[t] : 0;
    });
    env.step(action);
    episodes.forEach((e, row) => {
      if (t >= e.ends.length) return;
      const end = env.terminated.data[row] + 2 * env.truncated.data[row];
      const view = compare(end ? final : seen, row, t + 1);
      const reward = difference(env.reward.data[row], Math.fround(e.rewards[t]));
      if (reward && !view) rewardsOnly++;
      note(row, t + 1, Math.max(view, reward));
      if (end !== e.ends[t]) note(row, t + 1, Number.POSITIVE_INFINITY);
      if (t < e.ends.length - 1) return;
      ends[row] = end === e.ends[t] && env.ended.length[row] === (end ? t + 1 : 0);
      if (end && e.ends[t]) note(row, t + 1, compare(seen, row, t + 2));
    });
  }
  return {
    seeds: episodes.length,
    steps: episodes.reduce((sum, e) => sum + e.ends.length, 0),
    equalEnds: ends.filter(Boolean).length,
    equal: first.filter((f) => f === undefined).length,
    firstDifference: first.reduce(
      (a, b) => (a === undefined ? b : b === undefined ? a : Math.min(a, b)),
      undefined,
    ),
    largestDifference,
    rewardsOnly,
  };
}

/** 0 only for the same bits: 0 and -0 differ. */
function difference(a: number, b: number): number {
  return Object.is(a, b) ? 0 : Math.abs(a - b) || Number.MIN_VALUE;
}
