import { defaultRng, type Generator, stream } from "@reins/core/random";
import { type Arm, type Grid, mean, recipe, type Settings, type Trial } from "@reins/recipes";
import * as morl from "./c-morl.parts.ts";

const size = { states: 10, actions: 4, objectives: 3, discount: 0.9 };
const grid = { learningRate: [0.3, 1, 3, 10], lattice: [1, 2, 3] } as const;
const linear = { learningRate: [0.3, 1, 3, 10], lattice: [3, 5, 7] } as const;
const warm = { learningRate: [0.3, 1, 3, 10], steps: [5, 15, 40] } as const;
/** Steps of a constrained climb, its thresholds as shares of the first returns, and the strength of the barrier (the paper's 0.9 and 20). */
const [extension, threshold, barrier] = [15, 0.9, 20];

/** What a search may do: train a policy for some steps, with weights that may depend on its returns. Policies are archived. */
interface Search {
  readonly archive: morl.Found[];
  train(from: morl.Policy, steps: number, weights: (returns: Float64Array) => ArrayLike<number>): void;
  readonly start: morl.Policy;
  /** Steps left. */
  left(): number;
}

const arm = <G extends Grid>(
  name: string,
  search: (settings: Settings<G>, s: Search, random: Generator) => void,
  own?: G,
): Arm => ({
  name,
  ...(own && { grid: own }),
  run({ seed, settings, budget, quick }: Trial<G>) {
    const mdp = morl.randomVectorMdp(defaultRng(stream(seed, "MDP")), size);
    const archive: morl.Found[] = [];
    const early: number[] = [];
    let used = 0;
    search(
      settings as Settings<G>,
      {
        archive,
        start: morl.uniform(mdp),
        left: () => budget - used,
        train(from, steps, weights) {
          let policy = from;
          for (let t = 1; t <= steps && used < budget; t++, used++) {
            const values = morl.valuesOf(mdp, policy);
            const returns = morl.returnsOf(values);
            if (early.length < 20) early.push(returns[0]);
            policy = morl.climb(mdp, policy, values, weights(returns), settings.learningRate as number);
            // Every fifth policy is archived, for all arms.
            if (t % 5 === 0 || t === steps)
              archive.push({ policy, returns: morl.returnsOf(morl.valuesOf(mdp, policy)) });
          }
        },
      },
      defaultRng(stream(seed, "search")),
    );
    const optimum = (weights: number[]) => {
      let policy = morl.uniform(mdp);
      for (let i = 0; i < 60; i++) policy = morl.climb(mdp, policy, morl.valuesOf(mdp, policy), weights, 30);
      return morl.returnsOf(morl.valuesOf(mdp, policy));
    };
    const best = Float64Array.from([0, 1, 2], (k) => optimum([0, 1, 2].map((j) => Number(j === k)))[k]);
    const found = morl.front(archive).map((f) => f.returns);
    const score = (weights: number[], returns: Float64Array) =>
      returns.reduce((sum, x, k) => sum + (weights[k] * x) / best[k], 0);
    const preferences = morl.lattice(3, 12);
    const values = {
      volume: morl.hypervolume(found, best, quick ? 8 : 24),
      utility: mean(preferences.map((w) => Math.max(...found.map((r) => score(w, r))))),
      policies: found.length,
    };
    return { values, early, used };
  },
});

/** C-MORL: policies for a few preferences, then constrained climbs from those with the most room around them. */
const constrained =
  (
    fill: (objective: number, first: Float64Array, random: Generator) => (returns: Float64Array) => number[],
  ) =>
  ({ lattice }: Settings<typeof grid>, s: Search, random: Generator) => {
    const weights = morl.lattice(3, lattice);
    const steps = Math.floor(s.left() / 2 / weights.length);
    for (const w of weights) s.train(s.start, steps, () => w);
    for (;;) {
      const found = morl.front(s.archive);
      const room = morl.crowding(found);
      const order = found.map((_, i) => i).sort((a, b) => room[b] - room[a]);
      for (const i of order.slice(0, 6))
        for (let objective = 0; objective < 3; objective++) {
          if (s.left() <= 0) return;
          s.train(found[i].policy, extension, fill(objective, found[i].returns, random));
        }
    }
  };

/** Equation of the interior point: objective + Σ log(J_j − threshold) / t, whose gradient weighs the others by 1 / (t slack). */
const interior = (objective: number, first: Float64Array) => (returns: Float64Array) =>
  Array.from(returns, (x, k) =>
    k === objective ? 1 : 1 / (barrier * Math.max(1e-3, x - threshold * first[k])),
  );

const preference = (random: Generator) => {
  const shares = [0, 1, 2].map(() => random.exponential());
  const sum = shares.reduce((a, b) => a + b);
  return shares.map((x) => x / sum);
};

const share = (about: string) => ({ about, better: "higher", worst: 0, best: 1 }) as const;

export default recipe({
  id: "c-morl",
  paper: "C-MORL: Multi-Objective Reinforcement Learning through Efficient Discovery of Pareto Front",
  source: "arXiv:2410.02236, RuohLiuq/C-MORL",
  about:
    "C-MORL trains policies for a few preferences over several objectives, then fills the Pareto front: from the policies with the largest crowding distance it maximises one objective while the others stay above a share of their returns, by a log barrier (interior-point policy optimisation). Claimed: larger hypervolume and expected utility than methods that train for preferences.",
  system: arm("C-MORL", constrained(interior)),
  baselines: [
    arm(
      "preferences on a lattice",
      ({ lattice }: Settings<typeof linear>, s) => {
        const weights = morl.lattice(3, lattice);
        const steps = Math.floor(s.left() / weights.length);
        for (const w of weights) s.train(s.start, steps, () => w);
      },
      linear,
    ),
    arm(
      "random preferences, warm-started",
      ({ steps }: Settings<typeof warm>, s, random) => {
        s.train(s.start, steps, () => [1, 1, 1]);
        while (s.left() > 0) {
          const w = preference(random);
          const worth = ({ returns }: morl.Found) => returns.reduce((sum, x, k) => sum + w[k] * x, 0);
          const from = s.archive.reduce((a, b) => (worth(b) > worth(a) ? b : a));
          s.train(from.policy, steps, () => w);
        }
      },
      warm,
    ),
  ],
  ablations: [
    arm(
      "C-MORL with random preferences in place of constraints",
      constrained((_, __, random) => {
        const w = preference(random);
        return () => w;
      }),
    ),
  ],
  metrics: {
    volume: share("hypervolume, as a share of the box up to the best returns"),
    utility: {
      about: "expected utility over preferences, in units of the best returns",
      better: "higher",
      worst: 0,
      best: 1,
    },
  },
  claims: [
    {
      metric: "volume",
      smallest: 0.01,
      because: "a hundredth of the box is what one more policy adds to a front of thirty",
      paper: "up to 35% more hypervolume than the best baseline",
    },
    {
      metric: "utility",
      smallest: 0.005,
      because: "half a percent of the best returns, for a user with a random preference",
      paper: "up to 9% more expected utility",
    },
  ],
  grid,
  limits: { lattice: [1, 10], steps: [1, 200], learningRate: [0.03, 100] },
  replicates: "MDP",
  minutes: 3,
  budget: { unit: "gradient steps", full: 1000, quick: 200 },
  deviations: [
    "Random MDPs with 10 states, 4 actions and 3 objectives, with exact natural policy gradients of tables, replace PPO on MuJoCo, building control and discrete tasks with up to nine objectives; a gradient step of one policy is the unit of the budget.",
    "Half of the steps go to the first policies, the rest to constrained climbs of 15 steps, with the paper's thresholds (0.9 of the returns) and barrier (t = 20). Every fifth policy of a training is archived, for all arms.",
    "Preferences on a lattice and random preferences that start from the best archived policy stand for PG-MORL, CAPQL, Envelope and GPI-LS.",
  ],
  finding: (f) =>
    `The gain over preferences on a lattice is negligible, in hypervolume and in expected utility. Against this best baseline C-MORL changes the hypervolume by ${f.effect(0)} and the expected utility by ${f.effect(1)}, over ${f.count} MDPs. What speaks against the constraints as the reason for gains elsewhere: tuning gives C-MORL as many first preferences as it may have, and on the ten MDPs of the ablation climbs towards random preferences from the same policies are as good (${f.mean("C-MORL with random preferences in place of constraints", "volume")}). Over all MDPs random preferences without a lattice reach ${f.mean("random preferences, warm-started", "volume")}, C-MORL ${f.mean("C-MORL", "volume")}. With exact gradients every preference is learned in a few steps, which favours many preferences.`,
});
