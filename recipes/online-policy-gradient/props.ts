import { ppo } from "@reins/algorithms";
import type { Columns, Policy } from "@reins/core";
import { type GridColumns, learnFrom, onPolicyWindow } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { evaluatePolicy, startValue, tabularEnv, twoGoalsModel, valueIteration } from "@reins/envs";
import { sgd } from "@reins/nn";
import { learnArm, recipe } from "@reins/recipes";
import { compile, exp, full, real, type Tensor, type Tree, tensor } from "@reins/tensor";

const mdp = twoGoalsModel();
const env = { spec: tabularEnv(mdp).spec, make: (rows: number) => tabularEnv(mdp, { rows }) };
const gamma = 0.99;
/** Rollouts of 4 steps: the behaviour policy is updated before each, the target policy after 16, which are a batch. */
const [envs, steps, every] = [2, 2, 16];
/** The behaviour policy's update: clip, weight of the divergence (the paper's λ), maximum divergence and learning rate. */
const sampling = { clip: 0.5, hold: 0.3, maxKl: 0.1, learningRate: 3, epochs: 16 };

/** The PROPS update (Algorithm 2): lowers the probability of the buffer's actions, so that under-sampled ones become more likely. */
const undersampled =
  (policy: Policy) =>
  (weights: Tree, kept: Columns, key: Tensor): Tree => {
    const optimiser = sgd();
    const loss = losses.sum(
      losses.policyGradient({ ratio: losses.clipped(sampling.clip) }),
      losses.weighted(sampling.hold, losses.klFromBehaviour()),
    );
    const learning = { ...sampling, loss, optimiser, minibatches: 1, normalise: "none" as const };
    const advantage = full((kept.logProb as Tensor).shape, -1);
    const learned = { weights, optimiser: optimiser.init(weights) };
    return learnFrom(learning, { policy, learned, columns: { ...kept, advantage }, key }).state.weights;
  };

/** All actions in all states. */
const pairs = Array.from({ length: mdp.states * mdp.actions }, (_, i) => i);
const states = tensor(Int32Array.from(pairs, (i) => Math.floor(i / mdp.actions)));
const actions = tensor(Int32Array.from(pairs, (i) => i % mdp.actions));

/** Sampling error: the divergence of the buffer's action frequencies from the target policy, exact in a table. */
function divergence({ observation, action, alive }: GridColumns, probability: Float64Array): number {
  const counts = new Float64Array(pairs.length);
  const visits = new Float64Array(mdp.states);
  (observation as Tensor).data.forEach((s, i) => {
    counts[s * mdp.actions + (action as Tensor).data[i]] += alive!.data[i];
    visits[s] += alive!.data[i];
  });
  const total = visits.reduce((a, b) => a + b);
  return pairs.reduce((sum, i) => {
    const seen = counts[i] / visits[Math.floor(i / mdp.actions)];
    return counts[i] ? sum + (counts[i] / total) * real.log(seen / probability[i]) : sum;
  }, 0);
}

const arm = (name: string, batches: number, adaptive = false) =>
  learnArm({
    name,
    env,
    options: { gamma, envs, steps, hidden: [], minibatches: 4 },
    algorithm: ppo.with(name.toLowerCase(), {
      begin: (parts, context) => {
        const behaviour = adaptive ? { behaviour: undersampled(parts.policy as Policy) } : {};
        return onPolicyWindow({ ...parts, every, window: every * batches, ...behaviour }, context);
      },
    }),
    watch({ process }) {
      const { policy, weights } = process.acting!;
      const likelihoods = compile((w: Tree) =>
        exp((policy as Policy).score(w, { view: { observation: states }, action: actions }).logProb),
      );
      const probabilities = () => Float64Array.from(likelihoods(weights).data);
      let before = probabilities();
      return () => {
        const error = divergence(process.inspect!().columns as GridColumns, before);
        before = probabilities();
        const value = startValue(mdp, evaluatePolicy(mdp, before, { gamma }));
        return { value, error, worse: value < 0.7 ? 1 : 0 };
      };
    },
  });

const grid = { learningRate: [0.01, 0.03, 0.1], epochs: [8, 16] } as const;

export default recipe({
  id: "props",
  paper: "On-Policy Policy Gradient Reinforcement Learning Without On-Policy Sampling",
  source: "arXiv:2311.08290",
  about:
    "On-policy methods need data that match the policy's distribution, and a finite sample of its own actions does not. PROPS acts with a behaviour policy that a clipped PPO-like step moves away from the actions in the buffer, so that under-sampled actions become more likely; the target policy then learns from the whole buffer of recent batches as if it were on-policy. Claimed: less sampling error throughout training, and therefore more return for the same steps.",
  system: arm("PROPS", 4, true),
  baselines: [arm("PPO", 1), arm("PPO-Buffer", 4)],
  metrics: {
    value: {
      about: "value of the target policy, mean over training",
      better: "higher",
      worst: -1,
      best: startValue(mdp, valueIteration(mdp, { gamma }).values),
    },
    error: { about: "sampling error, mean over training", better: "lower", worst: 10, best: 0 },
  },
  claims: [
    {
      metric: "value",
      contrast: ["PROPS", "each"],
      smallest: 0.05,
      because:
        "a tenth of what lies between the two goals: one policy in ten that ends at the better one instead",
      interval: "bca",
      paper: "increases the data efficiency of on-policy policy gradients",
    },
    {
      metric: "error",
      kind: "ratio",
      contrast: ["PROPS", "PPO-Buffer"],
      smallest: 1.25,
      because: "with the same buffer: a quarter less is about what a buffer longer by a batch would give",
      paper: "decreases sampling error throughout training",
    },
  ],
  grid,
  budget: { unit: "steps", full: 2048, quick: 256 },
  minutes: 6,
  deviations: [
    "A 5 × 5 grid world with two goals and a softmax table replace MuJoCo and networks: the goal on which a policy settles depends on its first batches.",
    "The behaviour policy takes plain gradient steps, not Adam's, whose steps do not shrink where nothing is under-sampled; its settings were chosen by hand.",
    "Its divergence from the target policy is estimated on the buffer's actions.",
  ],
  tried: [
    "One grid for all arms with the buffer's length in it and two learning rates: PROPS behind PPO by 0.036 and 0.010, twice undecided.",
  ],
  finding: (f) =>
    `Untestable: PPO with the same buffer leaves too little to gain. The value depends mostly on the goal on which a policy settles, which less sampling error need not change: the share of runs that end at the worse goal is ${f.mean("PROPS", "final/worse")} with PROPS, ${f.mean("PPO-Buffer", "final/worse")} with PPO-Buffer and ${f.mean("PPO", "final/worse")} with PPO. With the same buffer the sampling error is ${f.mean("PROPS", "error")} against ${f.mean("PPO-Buffer", "error")} (${f.effect(1)}); the values are ${f.mean("PROPS", "value")}, ${f.mean("PPO-Buffer", "value")} and ${f.mean("PPO", "value")}.`,
});
