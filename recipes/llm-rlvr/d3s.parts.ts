import type { JudgedEpisode, Selection } from "@reins/core";
import { groupEpisodes, ownSteps } from "@reins/core/episodes";
import type { EpisodicParts } from "@reins/core/loops";
import { defaultRng, stream } from "@reins/core/random";
import * as targets from "@reins/core/targets";
import * as t from "@reins/tensor";
import { sums } from "../testbeds/sums.ts";

/** Positions of the `size` values with the largest variance: some of the smallest and some of the largest. */
export function mostVaried(values: readonly number[], size: number): number[] {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
  const subset = (low: number) => [...order.slice(0, low), ...order.slice(order.length - size + low)];
  const spread = (subset: readonly number[]) => {
    const mean = subset.reduce((sum, i) => sum + values[i], 0) / size;
    return subset.reduce((sum, i) => sum + (values[i] - mean) ** 2, 0);
  };
  let [best, most] = [subset(0), spread(subset(0))];
  for (let low = 1; low <= size; low++) {
    const own = subset(low);
    if (spread(own) > most) [best, most] = [own, spread(own)];
  }
  return best.sort((a, b) => a - b);
}

/**
 * Advantages of the tokens with the largest keys, a share of all; the other tokens get 0. The mean loss over all tokens is then that
 * over the kept ones.
 */
export function keepTokens(key: t.Tensor, alive: t.Tensor, share: t.Tensor, advantage: t.Tensor): t.Tensor {
  const flat = t.reshape(t.where(alive, key, -1), [key.size]);
  const count = t.sum(t.cast(alive, "f32"));
  const place = t.maximum(t.sub(t.ceil(t.mul(share, count)), 1), 0);
  const least = t.take(t.sort(flat, 0, true), t.cast(t.reshape(place, [1]), "i32"));
  const kept = t.and(alive, t.ge(key, t.broadcastTo(least, key.shape)));
  const weight = t.div(count, t.maximum(t.sum(t.cast(kept, "f32")), 1));
  return t.where(kept, t.mul(advantage, weight), 0);
}

/** Shares of the samples and of the tokens that are trained on, at this share of the budget. */
export const shares = (progress: number) => {
  const at = (first: number, last: number) => first + (last - first) * Math.min(1, progress);
  return { samples: at(0.5, 1), tokens: at(0.2, 1) };
};

/** Samples whose advantages vary most, and their tokens with the largest |A| H; or as many samples and tokens at random. */
export const downSampled =
  (informed: boolean) =>
  (seed: number): Partial<EpisodicParts> => {
    const random = defaultRng(stream(seed, "down-sampling"));
    let [tokens, share] = [0, 1];
    const selection: Selection = {
      select(judged: readonly JudgedEpisode[]) {
        const now = shares(tokens / sums.budget.full);
        tokens += judged.reduce((sum, j) => sum + ownSteps(j.episode), 0);
        share = now.tokens;
        const all = groupEpisodes(judged).flatMap((group) => {
          const rewards = group.map((j) => j.reward);
          const advantages = targets.groupRelative(
            rewards,
            rewards.map(() => 0),
          );
          return group.map((j, i) => ({ ...j, reward: advantages[i] }));
        });
        const size = Math.ceil(now.samples * all.length);
        if (!informed) return [...random.permutation(all.length)].slice(0, size).map((i) => all[i]);
        return mostVaried(
          all.map((j) => j.reward),
          size,
        ).map((i) => all[i]);
      },
    };
    return {
      selection,
      target(batch, rewards) {
        const advantage = targets.spread(rewards, batch);
        return { advantage, share: advantage.map(() => share), draw: advantage.map(() => random.random()) };
      },
      look(scored, columns) {
        const [alive, advantage] = [columns.alive as t.Tensor, columns.advantage as t.Tensor];
        const key = informed ? t.mul(t.abs(advantage), scored.entropy) : (columns.draw as t.Tensor);
        const share = t.max(columns.share as t.Tensor);
        return { advantage: keepTokens(key, alive, share, advantage) };
      },
    };
  };
