import type { JudgedEpisode, LossTerm } from "@reins/core";
import { ownSteps } from "@reins/core/episodes";
import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import * as t from "@reins/tensor";

/** Share of the tokens whose entropy is below the pivot. */
const pivot = 0.8;
const tiny = 1e-8;

/** Entropies from −1 (lowest) to 1 (highest), 0 at the pivot: logarithms relative to their 80% quantile, divided by the largest on each side. */
export function relativeEntropy(entropy: t.Tensor, alive: t.Tensor): t.Tensor {
  const x = t.log(t.maximum(entropy, tiny));
  const count = t.sum(t.cast(alive, "f32"));
  const place = t.floor(t.add(t.mul(t.maximum(t.sub(count, 1), 0), pivot), 0.5));
  const ascending = t.sort(t.reshape(t.where(alive, x, 1e9), [x.size]), 0);
  const middle = t.take(ascending, t.cast(t.reshape(place, [1]), "i32"));
  const h = t.where(alive, t.sub(x, t.broadcastTo(middle, x.shape)), 0);
  const [most, least] = [t.maximum(t.max(h), tiny), t.maximum(t.max(t.neg(h)), tiny)];
  return t.where(t.gt(h, 0), t.div(h, most), t.div(h, least));
}

/** Clip ranges: wider below 1 for low entropies, so that noise can be unlearnt, and wider above 1 for high ones. */
export const clipRanges = (h: t.Tensor, clip: number) => ({
  low: t.mul(t.sub(1, t.minimum(h, 0)), clip),
  high: t.mul(t.add(1, t.maximum(h, 0)), clip),
});

/**
 * Advantages times 1 + h where the signal is clear: at high entropy outside the inner half of the clip range, which raises them, and at low
 * entropy inside it, which lowers them.
 */
export function redistributed(advantage: t.Tensor, h: t.Tensor, ratio: t.Tensor, clip: number): t.Tensor {
  const { low, high } = clipRanges(h, clip);
  const isInner = t.and(t.gt(ratio, t.sub(1, t.div(low, 2))), t.lt(ratio, t.add(1, t.div(high, 2))));
  const scaled = t.mul(advantage, t.add(1, h));
  return t.where(t.gt(h, 0), t.where(isInner, advantage, scaled), t.where(isInner, scaled, advantage));
}

/** The clipped loss with both, and the dual clip of DAPO's implementation. Without `aware` all entropies count as the pivot. */
export function tokenAware(aware: boolean, clip = 0.2, dual = 10): LossTerm {
  const uniform = losses.policyGradient({ ratio: losses.unclipped });
  return {
    ...uniform,
    value(material) {
      const { scored, columns } = material;
      const entropy = t.stopGradient(scored.entropy);
      const own = relativeEntropy(entropy, columns.alive as t.Tensor);
      const h = aware ? own : t.mul(own, 0);
      const { low, high } = clipRanges(h, clip);
      const ratio: losses.Ratio = ({ ratio, advantage }) => {
        const a = redistributed(advantage, h, t.stopGradient(ratio), clip);
        const held = t.minimum(t.maximum(ratio, t.sub(1, low)), t.add(1, high));
        const loss = t.maximum(t.neg(t.mul(ratio, a)), t.neg(t.mul(held, a)));
        return t.where(t.lt(a, 0), t.minimum(loss, t.mul(a, -dual)), loss);
      };
      return losses.policyGradient({ ratio, clip }).value(material);
    },
  };
}

/** Advantages relative to the mean and the deviation over the tokens of a group; GRPO's where one would be 5 or more. */
export function tokenAverage(
  judged: readonly JudgedEpisode[],
  rewards: ArrayLike<number>,
  groups: readonly number[],
): Float32Array {
  const out = targets.groupRelative(rewards, groups);
  for (const group of new Set(groups)) {
    const own = [...groups.keys()].filter((e) => groups[e] === group);
    const sum = (of: (e: number) => number) =>
      own.reduce((total, e) => total + ownSteps(judged[e].episode) * of(e), 0);
    const count = sum(() => 1);
    const mean = sum((e) => rewards[e]) / count;
    const deviation = Math.sqrt(sum((e) => (rewards[e] - mean) ** 2) / count);
    const all = own.map((e) => (rewards[e] - mean) / (deviation + 1e-6));
    if (all.every((a) => Math.abs(a) < 5)) own.forEach((e, i) => (out[e] = all[i]));
  }
  return out;
}
