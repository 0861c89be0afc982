import { type Learner, when } from "@reins/core";
import type { TransitionColumns } from "@reins/core/replay";
import type { LiveValue } from "@reins/core/settings";
import * as nn from "@reins/nn";
import {
  add,
  argmin,
  eq,
  maximum,
  mul,
  random,
  stack,
  sub,
  type Tensor,
  type Tree,
  treeMap,
  where,
  zeros,
} from "@reins/tensor";
import type { ReplayState } from "./replay-learner.ts";

/** Settings of {@link prunedEnsemble}. */
export interface DistillationOptions {
  /** Networks trained in parallel. */
  readonly members: number;
  /** Updates between updates of the shared target network. */
  readonly every: LiveValue;
  /**
   * Maximum fraction of the remaining weights pruned at a time. Higher becomes sparse sooner, in coarser steps
   * (0.01 to 0.2).
   */
  readonly stride: number;
}

/** Learners with a shared target network, and the sum of each one's losses since its last update. */
export type DistillationState = { members: ReplayState[]; losses: Tensor };

/**
 * Several networks of different sparsity that learn from one target network. At each target update the network
 * with the smallest loss becomes the target; the first of the networks continues as a copy of it, and the others
 * are copies with further weights pruned, so that sparsity adapts to the task. Vincent et al., "Eau De Q-Network"
 * (2025). The learner must not move its target (`tau: 0`) and must keep zeros (`nn.sparse`).
 */
export function prunedEnsemble(
  learner: Learner<ReplayState, TransitionColumns>,
  { members: count, every, stride }: DistillationOptions,
): Learner<DistillationState, TransitionColumns> {
  /** The next generation of networks: the best one, unchanged and pruned. */
  const succeed = ({ members, losses }: DistillationState, key: Tensor): DistillationState => {
    const best = argmin(losses);
    const chosen = members.reduce((kept, member, i) =>
      treeMap((a, b) => where(eq(best, i), b, a), kept, member),
    );
    const { weights } = chosen.online;
    const left = sub(1, nn.sparsity(weights));
    const shares = random.uniform(key, [count], 0, stride);
    const pruned = (i: number): Tree => {
      if (i === 0) return weights;
      const more = shares.slice([[i, i + 1]]).reshape([]);
      return nn.prune(weights, sub(1, mul(left, sub(1, more))));
    };
    const member = (i: number): ReplayState => ({
      ...chosen,
      online: { ...chosen.online, weights: pruned(i) },
      target: weights,
    });
    return { members: members.map((_, i) => member(i)), losses: zeros([count]) };
  };
  return {
    reads: learner.reads,
    init(key) {
      const copy = () => treeMap((t) => t.add(0), learner.init(key));
      return { members: Array.from({ length: count }, copy), losses: zeros([count]) };
    },
    acting: ({ members }) => learner.acting(members[0]),
    update(state, batch, context) {
      const learned = state.members.map((member) => learner.update(member, batch, context));
      const losses = add(state.losses, stack(learned.map(({ metrics }) => metrics["loss/value"])));
      const period = maximum(every.tensor.round().cast("i32"), 1);
      const members = learned.map((l) => l.state);
      const due = members[0].count.mod(period).eq(0);
      const next = when(due, (s) => succeed(s, random.foldKey(context.key, count)), { members, losses });
      return { ...learned[0], state: next };
    },
  };
}
