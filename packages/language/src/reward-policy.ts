import { fail, type ScoringPolicy } from "@reins/core";
import {
  and,
  cast,
  concat,
  eq,
  expandDims,
  ge,
  iota,
  max,
  ne,
  pad,
  permute,
  slice,
  Tensor,
  tensor,
  transpose,
  treeMap,
  where,
  zeros,
} from "@reins/tensor";
import { freshHead, type RewardModel, type RewardParams } from "./models/reward-model.ts";

/** Options of {@link rewardPolicy}. */
export interface RewardPolicyOptions {
  /** Whether heads start from random weights of the run's seed instead of those of the model. */
  readonly fresh?: boolean;
}

/**
 * A reward model as the scoring half of a policy: columns [time, rows] are whole texts. It has no likelihood. `extra.reward`
 * ([time, rows, heads]) has the reward after each action, a token, and `extra.final` ([time, rows]) is 1 at the token
 * whose reward is that of the text.
 */
export function rewardPolicy(
  reward: RewardModel,
  { fresh = false }: RewardPolicyOptions = {},
): ScoringPolicy<RewardParams> {
  const { base, params, heads, padding } = reward;
  const { model, options } = base;
  // A table of positions ends with the context, and padding may be longer.
  const longest = options.style === "llama" ? Number.POSITIVE_INFINITY : options.context;
  return {
    likelihood: "bound",
    memory: true,
    ...(model.random ? { random: true } : {}),
    init(key) {
      const own = treeMap(copy, params) as RewardParams;
      return fresh ? { ...own, head: { weight: freshHead(base, key, heads) } } : own;
    },
    score(weights, { view, action, alive, key }) {
      const seen = view.observation;
      if (!(seen instanceof Tensor))
        return fail("rewardPolicy", "the episodes have images, which reward models do not read.");
      const [time, rows] = seen.shape;
      const length = Math.min(time + 1, longest);
      // The first token is observed, and each action is the token after it.
      const tokens = slice(concat([slice(seen, [[0, 1]]), action as Tensor], 0), [[0, length]]);
      const own = slice(reward.rewards(weights, transpose(tokens, 0, 1), { key }), [null, [1, length]]);
      const after = permute(own, [1, 0, 2]);
      const missing = time - after.shape[0];
      const at = iota([time, rows]);
      const texts = alive ?? ge(at, 0);
      const counted = padding === undefined ? texts : and(texts, ne(action as Tensor, padding));
      const last = max(where(counted, at, -1), 0);
      return {
        logProb: zeros([time, rows]),
        entropy: zeros([time, rows]),
        extra: {
          reward:
            missing > 0
              ? pad(after, [
                  [0, missing],
                  [0, 0],
                  [0, 0],
                ])
              : after,
          final: cast(eq(at, expandDims(last, 0)), "f32"),
        },
      };
    },
  };
}

const copy = (t: Tensor) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype });
