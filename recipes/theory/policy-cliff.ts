import { defaultRng, stream } from "@reins/core/random";
import { mean, recipe, type Trial } from "@reins/recipes";
import { policyDistance, softOptimum } from "../shared/soft-optimum.ts";
import * as cliff from "./policy-cliff.parts.ts";

const [states, actions, bags] = [20, 4, 32];
/** Share of the value that may be lost for stability, and the largest change of a reward. */
const [lost, epsilon] = [0.05, 0.02];

type Map = (mdp: ReturnType<typeof cliff.tiedMdp>, randomness: number, noise: Float64Array[]) => Float64Array;

/** The map from rewards to a policy, as random as the loss of value permits. */
const arm = (name: string, policyOf: Map) => ({
  name,
  run({ seed, budget: perturbations }: Trial) {
    const [problem, random] = [defaultRng(stream(seed, "MDP")), defaultRng(stream(seed, "changes"))];
    const mdp = cliff.tiedMdp(problem, states, actions);
    const draw = () => random.fillUniform(new Float64Array(states * actions), -1, 1);
    const noise = Array.from({ length: bags }, draw);
    const loss = (randomness: number) => cliff.shareLost(mdp, policyOf(mdp, randomness, noise));
    const randomness = cliff.calibrated(loss, lost);
    const before = policyOf(mdp, randomness, noise);
    const jumps = Array.from({ length: perturbations }, () => {
      const changed = cliff.shifted(
        mdp,
        draw().map((x) => epsilon * x),
      );
      return policyDistance(before, policyOf(changed, randomness, noise), states);
    });
    const values = { jump: mean(jumps), worst: Math.max(...jumps), randomness, lost: loss(randomness) };
    return { values, early: jumps, used: perturbations };
  },
});

export default recipe({
  id: "policy-cliff",
  paper: "The Policy Cliff: A Theoretical Analysis of Reward-Policy Maps in Large Language Models",
  source: "arXiv:2507.20150, SafeAGI-01/PolicyCliff",
  about:
    "Where several actions are optimal, an arbitrarily small change of the reward changes the optimal policy abruptly. With an entropy bonus the map from rewards to policies is Lipschitz continuous. Claimed: entropy regularisation restores stability, at the cost of randomness. Here all maps lose the same share of the optimal value, so that the price is equal.",
  system: arm("entropy-regularised", (mdp, alpha) => softOptimum(mdp, { alpha, gamma: cliff.gamma })),
  baselines: [
    arm("uniform over near-optimal actions", (mdp, tolerance) => cliff.nearOptimal(mdp, tolerance)),
    arm("mixed with random actions", (mdp, share) => {
      const random = Math.min(1, share);
      return cliff.nearOptimal(mdp, 1e-9).map((p) => (1 - random) * p + random / actions);
    }),
    arm("mean over perturbed rewards", cliff.averaged),
    arm("optimal", (mdp) => cliff.nearOptimal(mdp, 1e-9)),
  ],
  metrics: {
    jump: {
      about: "distance of the policies before and after a change of the reward",
      better: "lower",
      worst: 1,
      best: 0,
    },
  },
  claims: [
    {
      metric: "jump",
      smallest: 0.01,
      because: "one action of a hundred fewer that changes would pay for another objective",
      presupposes: {
        metric: "jump",
        side: "optimal",
        least: 0.2,
        because: "without abrupt changes there is nothing to stabilise",
      },
    },
    {
      kind: "ratio",
      metric: "jump",
      contrast: ["entropy-regularised", "optimal"],
      smallest: 5,
      because:
        "four fifths of the cliff should go; the theorem's bound is above 1 here, so it promises nothing",
      paper: "Lipschitz continuous with constant 1 / (2 α (1 − γ))",
    },
  ],
  replicates: "MDP",
  minutes: 2,
  budget: { unit: "perturbations", full: 20, quick: 3 },
  deviations: [
    "Random MDPs with 20 states and two optimal actions in each, made by the inverse Bellman equation of the proof of Proposition 2.4, replace language models; the soft optimum and its bound are those of Proposition 4.5.",
    "Rewards change by up to 0.02, as if one of several reward models changed; the temperature loses 5% of the value between random actions and the optimum, and so do the parameters of the baselines.",
  ],
  finding: (f) =>
    `Entropy removes most of the cliff, but at the same price simpler maps remove more: reversed. At equal loss of value, against the best baseline entropy regularisation changes the jump by ${f.effect(0)}, and against optimal policies by ${f.effect(1)}, over ${f.count} MDPs. Optimal policies jump by ${f.mean("optimal", "jump")}, entropy-regularised ones by ${f.mean("entropy-regularised", "jump")}. What speaks for other maps: uniform choice among near-optimal actions jumps by ${f.mean("uniform over near-optimal actions", "jump")}, though it has cliffs of its own, and a mean over perturbed rewards by ${f.mean("mean over perturbed rewards", "jump")}. Random actions alone do not help (${f.mean("mixed with random actions", "jump")}).`,
});
