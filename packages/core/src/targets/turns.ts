import type { Tensor } from "@reins/tensor";
import type { Batch } from "../batch.ts";
import type { JudgedEpisode } from "../selection.ts";
import { episodesOf } from "./group.ts";
import { stepRewards } from "./step-rewards.ts";

/**
 * The return from each of the policy's turns on, per episode: the turn's own rewards and, with a discount per turn, those
 * of all later turns. Rewards between two turns belong to the earlier one. An episode without the column `turn` is one turn.
 */
export function turnReturns(batch: Batch, judged: readonly JudgedEpisode[], gamma = 1): Float64Array[] {
  const { starts } = episodesOf(batch, "turnReturns");
  const rewards = stepRewards(batch, judged);
  return judged.map(({ episode }, e) => {
    const turn = (episode.columns.turn as Tensor | undefined)?.data;
    let count = 1;
    for (let i = 0; turn && i < turn.length; i++) count = Math.max(count, turn[i]);
    const returns = new Float64Array(count);
    let at = 1;
    for (let s = starts[e]; s < starts[e + 1]; s++) {
      at = turn?.[s - starts[e]] || at;
      returns[at - 1] += rewards[s];
    }
    for (let k = count - 2; k >= 0; k--) returns[k] += gamma * returns[k + 1];
    return returns;
  });
}

/**
 * Turn-level advantages (Zeng et al., 2025): the return from a turn on is compared with other episodes' returns from the same turn on. `compare`
 * is called for each turn index, with these returns and the episodes that reached it; steps outside turns get 0.
 */
export function turnAdvantages(
  batch: Batch,
  judged: readonly JudgedEpisode[],
  gamma: number,
  compare: (returns: Float64Array, members: readonly number[]) => ArrayLike<number>,
): Float32Array {
  const { starts } = episodesOf(batch, "turnAdvantages");
  const returns = turnReturns(batch, judged, gamma);
  const most = returns.reduce((m, r) => Math.max(m, r.length), 0);
  const out = new Float32Array(starts[starts.length - 1]);
  for (let k = 0; k < most; k++) {
    const members = returns.flatMap((r, e) => (r.length > k ? [e] : []));
    const advantages = compare(
      Float64Array.from(members, (e) => returns[e][k]),
      members,
    );
    members.forEach((e, i) => {
      const turn = (judged[e].episode.columns.turn as Tensor | undefined)?.data;
      for (let s = starts[e]; s < starts[e + 1]; s++)
        if (!turn || turn[s - starts[e]] === k + 1) out[s] = advantages[i];
    });
  }
  return out;
}
