import {
  type AlgorithmContext,
  type Columns,
  fail,
  type ResolvedOptions,
  type TrainState,
} from "@reins/core";
import { recordedStep } from "@reins/core/episodes";
import { type Auxiliary, optimiserStep, type Round } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { draw, episodeReturns, prioritisedSampler, replay, type StepColumns } from "@reins/core/replay";
import type { LiveColumn } from "@reins/core/settings";
import {
  add,
  cast,
  compile,
  div,
  gt,
  maximum,
  mean,
  mul,
  neg,
  random,
  scalar,
  stopGradient,
  sub,
  type Tensor,
  type Tree,
  valueAndGradient,
} from "@reins/tensor";
import type { selfImitationRows } from "./options/self-imitation.ts";

/** Settings of {@link selfImitation}. */
export type SelfImitationOptions = ResolvedOptions<typeof selfImitationRows> & {
  readonly gamma: LiveColumn;
  readonly envs: number;
};

/** Adds self-imitation to a method if its options enable it. */
export const imitating = (o: SelfImitationOptions, context: Pick<AlgorithmContext, "seed" | "spec">) =>
  o.selfImitation === 0 ? {} : { beside: (round: Round) => selfImitation(o, round, context) };

/** Exponents of priorities and importance weights, as in the paper. */
const [alpha, beta] = [0.6, 0.1];

/**
 * Self-imitation learning (Oh et al., 2018): alongside the rounds, the policy imitates past steps whose return R
 * exceeded the critic's value V, weighted by max(R - V, 0), and the critic moves towards R. Steps with a large gap
 * are sampled more often.
 */
function selfImitation(
  o: SelfImitationOptions,
  { parts, policy, rollout, learned, learnKey }: Round,
  { seed, spec }: Pick<AlgorithmContext, "seed" | "spec">,
): Auxiliary {
  const { name } = parts;
  if (policy.memory)
    fail(
      name,
      "selfImitation learns from single steps, and this policy has a memory. Leave out one of them.",
    );
  // The next state is not stored: the return is sufficient.
  const steps: StepColumns = { ...rollout.columns, next: rollout.columns.observation };
  const memory = replay({
    capacity: o.imitationCapacity,
    record: episodeReturns({ gamma: () => o.gamma.for(undefined), maxSteps: spec.maxSteps }),
    choose: prioritisedSampler({ alpha, beta, seed }),
  })(steps, o.imitationBatch);
  const optimiser = parts.optimiser.init(learned.weights);
  const count = scalar(0, "i32");
  const update = compile(
    (given: TrainState, columns: Columns, key: Tensor, turn: Tensor) => {
      const own = random.foldKey(key, turn);
      const { columns: batch, weight } = draw(memory, columns, o.imitationBatch, own);
      const { value, gradient, aux } = valueAndGradient((w: Tree) => {
        const scored = policy.score(w, { ...recordedStep(batch), ...(policy.random ? { key: own } : {}) });
        const expected =
          scored.value ??
          fail(name, "selfImitation needs a critic, and this policy has none. Leave out selfImitation.");
        const gap = maximum(sub(batch.return as Tensor, expected), 0);
        const unit = scored.extra?.valueUnit;
        const better = stopGradient(unit ? div(gap, unit) : gap);
        const above = cast(gt(better, 0), "f32");
        const repeated = mul(neg(mul(scored.logProb, better)), o.imitationWeight.tensor);
        const raised = mul(
          mul(losses.valueLoss(scored, batch.return as Tensor), above),
          o.imitationValueWeight.tensor,
        );
        const loss = add(repeated, raised);
        return [mean(weight ? mul(loss, weight) : loss), { better, above }] as const;
      })(given.weights);
      const { learned: state } = optimiserStep(given, gradient, parts);
      const metrics = { "loss/imitation": value, "imitation/better": mean(aux.above) };
      return { state, metrics, errors: aux.better };
    },
    { name: `${name} self-imitation`, donate: [0], host: true },
  ).bind({ weights: learned.weights, optimiser }, memory.columns, random.foldKey(learnKey, "sil1"), count);
  const { metrics, errors } = update.result;
  return {
    metrics,
    parts: { imitation: { memory, optimiser, count, metrics } },
    learn() {
      memory.add({
        columns: steps,
        index: { kind: "grid", time: parts.steps, rows: o.envs },
      });
      if (memory.size.data[0] === 0) return;
      for (let i = 0; i < o.selfImitation; i++) {
        memory.prepare?.();
        update.run();
        memory.updatePriorities?.(errors);
        count.data[0]++;
      }
    },
  };
}
