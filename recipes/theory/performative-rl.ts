import { defaultRng, stream } from "@reins/core/random";
import { evaluatePolicy, policyIteration, type TabularMdp } from "@reins/envs";
import { type Arm, type Grid, mean, recipe, type Settings, type Trial } from "@reins/recipes";
import { real } from "@reins/tensor";
import { policyDistance, softOptimum } from "../shared/soft-optimum.ts";
import { gamma, induced, randomWorld, regularised, respond } from "./performative-rl.parts.ts";

/** Sizes of a world, and the inverse temperature of the follower. */
const [size, beta] = [{ states: 10, actions: 4, responses: 4 }, 10];
const grid = { lambda: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30] } as const;
const damped = { step: [0.1, 0.3, 1], power: [0, 0.5, 1] } as const;
const entropy = { alpha: [0.01, 0.03, 0.1], step: [0.1, 0.3, 1] } as const;

/** The next policy, for the MDP that the last one induced. */
type Retrain = (mdp: TabularMdp, last: Float64Array, round: number) => Float64Array;

const optimum = (mdp: TabularMdp): Float64Array => {
  const { policy } = policyIteration(mdp, { gamma });
  return Float64Array.from({ length: size.states * size.actions }, (_, i) =>
    Number(policy[Math.floor(i / size.actions)] === i % size.actions),
  );
};

const towards = (last: Float64Array, best: Float64Array, step: number) =>
  last.map((p, i) => p + Math.min(1, step) * (best[i] - p));

const arm = <G extends Grid>(name: string, retrainOf: (settings: Settings<G>) => Retrain, own?: G): Arm => ({
  name,
  ...(own && { grid: own }),
  run({ seed, settings, budget: rounds }: Trial<G>) {
    const world = randomWorld(defaultRng(stream(seed, "world")), size);
    const retrain = retrainOf(settings as Settings<G>);
    let policy = new Float64Array(size.states * size.actions).fill(1 / size.actions);
    let mdp = induced(world, respond(world, policy, beta));
    const [values, changes]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const next = retrain(mdp, policy, round);
      changes.push(policyDistance(policy, next, size.states));
      policy = Float64Array.from(next);
      // The environment reacts before the policy is evaluated.
      mdp = induced(world, respond(world, policy, beta));
      values.push((1 - gamma) * mean([...evaluatePolicy(mdp, policy, { gamma })]));
    }
    const half = rounds >> 1;
    const [late, moved] = [values.slice(half), changes.slice(half)];
    const result = { lowest: Math.min(...late), value: mean(late), change: mean(moved) };
    return { values: result, early: values.slice(0, 10), used: rounds };
  },
});

export default recipe({
  id: "performative-rl",
  paper: "Performative Reinforcement Learning",
  source: "arXiv:2207.00046, gradanovic/icml2023-performative-rl-paper-code",
  about:
    "The environment depends on the deployed policy, here because a second agent responds to it. Repeated retraining optimises the environment that the last policy induced. A squared penalty on occupancies makes the optimum a smooth function of that environment. Claimed: with a penalty that is strong enough, retraining converges to a policy that is optimal in the environment that it induces.",
  system: arm(
    "regularised retraining",
    ({ lambda }: Settings<typeof grid>) =>
      (mdp) =>
        regularised(mdp, lambda).policy,
  ),
  baselines: [
    arm(
      "damped retraining",
      ({ step, power }) =>
        (mdp, last, t) =>
          towards(last, optimum(mdp), step * real.pow(t + 1, -power)),
      damped,
    ),
    arm(
      "entropy-regularised retraining",
      ({ alpha, step }) =>
        (mdp, last) =>
          towards(last, softOptimum(mdp, { alpha, gamma }), step),
      entropy,
    ),
  ],
  ablations: [arm("retraining without regularisation", () => (mdp) => optimum(mdp))],
  metrics: {
    lowest: {
      about: "lowest value of a policy in the second half of the rounds",
      better: "higher",
      worst: 0,
      best: 1,
    },
    value: { about: "mean value of the policies in the second half", better: "higher", worst: 0, best: 1 },
    change: {
      about: "distance of one policy to the next in the second half",
      better: "lower",
      worst: 1,
      best: 0,
    },
  },
  claims: [
    {
      metric: "lowest",
      smallest: 0.02,
      because: "a fiftieth of the greatest reward pays for a penalty that must be set",
    },
    {
      kind: "at-most",
      metric: "change",
      value: 0.01,
      because: "convergence, up to one action of a hundred in a round",
      paper: "converges if λ is large enough (in theory)",
    },
  ],
  grid,
  limits: { lambda: [0.001, 100], power: [0, 1], step: [0.01, 1], alpha: [0.001, 1] },
  replicates: "world",
  minutes: 2,
  budget: { unit: "rounds", full: 40, quick: 5 },
  deviations: [
    "Random worlds with 10 states and two agents of 4 actions replace the authors' grid world; as there, the follower plays the softmax of its optimal action values.",
    "The environment is known exactly in every round; the variants with gradient steps and with samples are left out. The quadratic programme is solved by Newton's method on its dual.",
    "Value is evaluated after the follower has responded, without the penalty.",
  ],
  finding: (f) =>
    `Reversed: the penalty that has the best values does not make retraining converge, and those that do cost more value than steps or an entropy bonus. Against the best baseline regularised retraining changes the lowest value by ${f.effect(0)}, and its policies still change by ${f.effect(1)} in a round, over ${f.count} worlds. Without regularisation the lowest value is ${f.mean("retraining without regularisation", "lowest")} and policies change by ${f.mean("retraining without regularisation", "change")}; with it they are ${f.mean("regularised retraining", "lowest")} and ${f.mean("regularised retraining", "change")}. What speaks for simpler remedies: steps towards the new optimum have a lowest value of ${f.mean("damped retraining", "lowest")} at a change of ${f.mean("damped retraining", "change")}, and an entropy bonus with steps ${f.mean("entropy-regularised retraining", "lowest")} at ${f.mean("entropy-regularised retraining", "change")}.`,
});
