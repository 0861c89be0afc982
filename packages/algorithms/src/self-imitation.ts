import {
  type Beside,
  byPriority,
  type Columns,
  type Context,
  draw,
  episodeReturns,
  fail,
  type Given,
  improve,
  type Learned,
  type LiveColumn,
  losses,
  momentOf,
  type Round,
  replay,
  type StepColumns,
  setting,
  size,
} from "@reins/core";
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

/** Options of methods that can imitate themselves. */
export const selfImitationRows = {
  selfImitation: size(
    0,
    "Updates after each round that repeat what once went better than the critic expects (Oh et al., 2018); 0: none. More learns faster from rare successes and settles sooner (1 to 10).",
    { within: "whole" },
  ),
  imitationBatch: size(
    256,
    "Self-imitation: steps in a minibatch. More is steadier and costs more (64 to 512).",
    {
      within: "count",
    },
  ),
  imitationCapacity: size(
    50_000,
    "Self-imitation: steps remembered, whole episodes. More forgets later and takes more memory (10⁴ to 10⁵).",
    { within: "count" },
  ),
  imitationWeight: setting(
    1,
    "Self-imitation: how much the policy follows. Higher repeats sooner (0.1 to 1).",
    {
      within: "nonnegative",
    },
  ),
  imitationValueWeight: setting(
    0.01,
    "Self-imitation: weight of the critic's error, where the return was higher. Higher raises what is expected sooner (0.001 to 0.1).",
    { within: "nonnegative" },
  ),
};

/** What {@link selfImitation} is told. */
export type SelfImitationOptions = Given<typeof selfImitationRows> & {
  readonly gamma: LiveColumn;
  readonly envs: number;
};

/** What lets a method imitate itself, where it is told to. */
export const imitating = (o: SelfImitationOptions, context: Pick<Context, "seed" | "spec">) =>
  o.selfImitation === 0 ? {} : { beside: (round: Round) => selfImitation(o, round, context) };

/** How much priorities count, and how fully weights make up for them: the paper's. */
const [alpha, beta] = [0.6, 0.1];
/** Tells what is drawn here from what the rounds draw of the same key. */
const drawing = 0x73696c31;

/**
 * Self-imitation learning (Oh et al., 2018): beside the rounds, steps of past episodes are repeated whose return R was above the critic's
 * value V, by max(R - V, 0), and the critic is raised towards them. Steps with a large gap are drawn more often.
 */
function selfImitation(
  o: SelfImitationOptions,
  { parts, policy, rollout, learned, learnKey }: Round,
  { seed, spec }: Pick<Context, "seed" | "spec">,
): Beside {
  const { name } = parts;
  if (policy.memory)
    fail(
      name,
      "selfImitation learns from single steps, and this policy has a memory. Leave out one of them.",
    );
  // What a step led to is not kept: its return tells all of it.
  const steps: StepColumns = { ...rollout.columns, next: rollout.columns.observation };
  const memory = replay({
    capacity: o.imitationCapacity,
    record: episodeReturns({ gamma: () => o.gamma.for(undefined), maxSteps: spec.maxSteps }),
    choose: byPriority({ alpha, beta, seed }),
  })(steps, o.imitationBatch);
  const optimiser = parts.optimiser.init(learned.weights);
  const count = scalar(0, "i32");
  const update = compile(
    (given: Learned, columns: Columns, key: Tensor, turn: Tensor) => {
      const own = random.foldKey(key, turn);
      const { columns: batch, weight } = draw(memory, columns, o.imitationBatch, own);
      const { value, gradient, aux } = valueAndGradient((w: Tree) => {
        const scored = policy.score(w, { ...momentOf(batch), ...(policy.random ? { key: own } : {}) });
        const expected =
          scored.value ?? fail(name, "selfImitation needs a critic, and this policy has none.");
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
      const { learned: state } = improve(given, gradient, parts);
      const metrics = { "loss/imitation": value, "imitation/better": mean(aux.above) };
      return { state, metrics, errors: aux.better };
    },
    { name: `${name} self-imitation`, donate: [0] },
  ).bind({ weights: learned.weights, optimiser }, memory.columns, random.foldKey(learnKey, drawing), count);
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
        memory.learned?.(errors);
        count.data[0]++;
      }
    },
  };
}
