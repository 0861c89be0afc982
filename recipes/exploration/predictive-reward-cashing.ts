import { defaultRng, stream } from "@reins/core/random";
import { type Arm, type Grid, mean, recipe, type Settings, type Trial } from "@reins/recipes";
import { real } from "@reins/tensor";
import * as hunts from "./predictive-reward-cashing.parts.ts";

const [size, maxSteps, looks] = [{ size: 10, sites: 8 }, 60, 20];
const { gamma } = hunts;
const grid = { learningRate: [0.01, 0.05, 0.25], epsilon: [0.03, 0.1, 0.3] } as const;
const curious = { learningRate: [0.01, 0.05, 0.25], bonus: [0.01, 0.1, 1] } as const;

/** What an arm learns from. */
interface Rewards {
  /** Cashes changes of a prediction in place of rewards. */
  readonly potential?: (hunt: hunts.TreasureHunt) => (cell: number, belief: number) => number;
  /** Whether a fifth action follows the policy of the likeliest site to its end. */
  readonly exploits: boolean;
  /** Reward of information, by nats. */
  readonly bonus?: number;
}

const cashed = (hunt: hunts.TreasureHunt) => {
  const prediction = hunts.predictions(hunt);
  return (cell: number, belief: number) => prediction(cell, belief).value;
};

const bits = (belief: number): number => (belief === 0 ? 0 : (belief & 1) + bits(belief >> 1));

const arm = <G extends Grid>(name: string, rewardsOf: (settings: Settings<G>) => Rewards, own?: G): Arm => ({
  name,
  ...(own && { grid: own }),
  run({ seed, settings, budget: episodes }: Trial<G>) {
    const random = defaultRng(stream(seed, "episodes"));
    const hunt = hunts.randomHunt(defaultRng(stream(seed, "grid")), size);
    const { potential, exploits, bonus = 0 } = rewardsOf(settings as Settings<G>);
    const [rate, epsilon] = [settings.learningRate as number, (settings.epsilon ?? 0.1) as number];
    const [prediction, worth] = [hunts.predictions(hunt), potential?.(hunt)];
    const [beliefs, actions] = [1 << size.sites, exploits ? 5 : 4];
    const q = new Float64Array(size.size * size.size * beliefs * actions);
    const greedy = (at: number) => {
      let [best, ties] = [0, 1];
      for (let a = 1; a < actions; a++) {
        if (q[at + a] > q[at + best]) [best, ties] = [a, 1];
        else if (q[at + a] === q[at + best] && random.random() * ++ties < 1) best = a;
      }
      return best;
    };
    /** Discounted return of an episode. */
    const episode = (truth: number, learns: boolean): number => {
      let [cell, belief, t] = [hunt.start, beliefs - 1, 0];
      while (t < maxSteps) {
        const at = (cell * beliefs + belief) * actions;
        const a = learns && random.chance(epsilon) ? random.integers(actions) : greedy(at);
        const path =
          a < 4
            ? [hunts.moved(hunt, cell, a)]
            : hunts.pathTo(hunt, cell, hunt.sites[prediction(cell, belief).guess]);
        let [next, seen, steps, found] = [cell, belief, 0, false];
        for (const passed of path) {
          [next, steps] = [passed, steps + 1];
          found = passed === hunt.sites[truth];
          if (found) break;
          seen = hunts.updated(hunt, seen, passed, truth);
        }
        // An action that leads nowhere takes a step.
        const discount = real.pow(gamma, Math.max(1, steps));
        t += Math.max(1, steps);
        if (learns) {
          const after = found ? 1 / gamma : (worth?.(next, seen) ?? 0);
          const nats = real.log(bits(belief) / bits(seen));
          const reward = worth
            ? discount * after - worth(cell, belief)
            : (found ? discount / gamma : 0) + bonus * nats;
          const row = (next * beliefs + seen) * actions;
          let best = Number.NEGATIVE_INFINITY;
          for (let i = 0; i < actions; i++) best = Math.max(best, q[row + i]);
          q[at + a] += rate * (reward + (found ? 0 : discount * best) - q[at + a]);
        }
        if (found) return real.pow(gamma, t - 1);
        [cell, belief] = [next, seen];
      }
      return 0;
    };
    const curve: number[] = [];
    for (let i = 0; i < episodes; i++) {
      episode(random.integers(size.sites), true);
      if ((i + 1) % Math.ceil(episodes / looks) === 0)
        curve.push(mean(hunt.sites.map((_, truth) => episode(truth, false))));
    }
    const values = {
      area: mean(curve),
      last: curve[curve.length - 1],
      optimum: hunts.optimalReturn(hunt),
      size: q.reduce((sum, x) => sum + Math.abs(x), 0),
    };
    return { values, early: [...curve, values.size], used: episodes };
  },
});

export default recipe({
  id: "predictive-reward-cashing",
  paper: "Knowledge is reward: Learning optimal exploration by predictive reward cashing",
  source: "arXiv:2109.08518",
  about:
    "An agent does not know which of several environments it is in. The cross-value is the value in one environment of acting optimally for another. The highest expected cross-value is what can be predicted from the present information, and the agent is rewarded by its changes in place of the reward, so that information pays at once. Policies for known environments are learned before. Claimed: tasks of information gathering are learned where standard learning fails.",
  system: arm("cashed reward", () => ({ potential: cashed, exploits: true })),
  baselines: [
    arm("reward", () => ({ exploits: true })),
    arm("reward without known policies", () => ({ exploits: false })),
    arm("reward and information gain", ({ bonus }) => ({ exploits: true, bonus }), curious),
  ],
  ablations: [
    arm("cashed value of the known environment", () => ({ potential: hunts.informedValue, exploits: true })),
  ],
  metrics: {
    area: {
      about: "return of the greedy policy, mean over training",
      better: "higher",
      worst: 0,
      best: "optimum",
    },
    last: { about: "return of the greedy policy at the end", better: "higher", worst: 0, best: "optimum" },
  },
  claims: [
    {
      metric: "area",
      smallest: 0.03,
      because:
        "less than half a step of discount would not pay for cross-values of all pairs of environments",
    },
    {
      metric: "last",
      contrast: ["cashed reward", "reward without known policies"],
      smallest: 0.1,
      because: "where standard learning fails, two steps of discount should be gained",
      paper: "learned without shaping where standard algorithms fail",
    },
  ],
  grid,
  limits: { learningRate: [0.01, 1], epsilon: [0.001, 1] },
  replicates: "grid",
  minutes: 1,
  budget: { unit: "episodes", full: 2000, quick: 100 },
  deviations: [
    "Of the paper only the abstract was found. That the cashed reward is the discounted change of the highest expected cross-value follows from its words, as a potential that leaves optimal policies unchanged; the paper's architecture of networks is replaced by tables.",
    "Random grids with 100 cells, eight possible sites of a treasure and a map, and exact beliefs. Policies for known sites are given, and all arms but one may follow that of the likeliest site.",
  ],
  tried: [
    "Grids of 64 cells with six sites, measured on other seeds: cashed rewards 0.611, the reward 0.605 (negligible). On eight seeds the optimum was 0.673 there, and following the likeliest site 0.640, so that there was hardly anything to gain; with 100 cells and eight sites these are 0.571 and 0.452.",
  ],
  finding: (f) =>
    `Undecided: with given policies for known sites, cashed rewards may learn slightly better than the reward itself, but standard learning does not fail here. Against the best baseline the mean return changes by ${f.effect(0)}, and against learning without known policies the return at the end by ${f.effect(1)}, over ${f.count} grids, where the optimum is ${f.mean("cashed reward", "optimum")}. What speaks against the method: none of the arms comes near the optimum, and learning without known policies ends at ${f.mean("reward without known policies", "last")}, above the ${f.mean("cashed reward", "last")} of cashed rewards. Which prediction is cashed matters: with the value of the known environment in place of the cross-value the return over training is ${f.mean("cashed value of the known environment", "area")}, with the cross-value ${f.mean("cashed reward", "area")}. The reward alone reaches ${f.mean("reward", "area")}, information gain ${f.mean("reward and information gain", "area")}, and learning without known policies ${f.mean("reward without known policies", "area")}.`,
});
