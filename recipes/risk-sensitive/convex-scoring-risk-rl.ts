import { defaultRng, stream } from "@reins/core/random";
import { type Arm, type Grid, recipe, type Settings, type Trial } from "@reins/recipes";
import * as risk from "./convex-scoring-risk-rl.parts.ts";

/** Level of the expected shortfall, episodes between updates of v, and the share of random actions. */
const [level, period, epsilon] = [0.8, 200, 0.2];
const grid = { learningRate: [0.03, 0.1, 0.3], spread: [1, 3, 9] } as const;
const ranges = { learningRate: [0.03, 0.1, 0.3], range: [8, 16, 32] } as const;
const fixed = { learningRate: [0.03, 0.1, 0.3], share: [0.1, 0.2, 0.4] } as const;

/** Auxiliary variables among which the optimum is searched. */
const all = Array.from({ length: 41 }, (_, i) => i - 20);

/** How an arm samples v, and what it learns from. */
interface Method {
  readonly score: risk.Score;
  /** The auxiliary variable of the next episode. */
  sample(): number;
  /** Sampled losses of the greedy policy at the current v, after each period. */
  update?(losses: readonly number[]): void;
  /** The v to act with at the end. */
  final(value: (v: number) => number): number;
  readonly epsilon?: number;
}

const arm = <G extends Grid>(
  name: string,
  methodOf: (settings: Settings<G>, normal: () => number, uniform: () => number) => Method,
  own?: G,
): Arm => ({
  name,
  ...(own && { grid: own }),
  run({ seed, settings, budget }: Trial<G>) {
    const market = risk.randomMarket(defaultRng(stream(seed, "market")));
    const [random, play] = [defaultRng(stream(seed, "v")), defaultRng(stream(seed, "play"))];
    const method = methodOf(
      settings as Settings<G>,
      () => random.standardNormal(),
      () => random.random(),
    );
    const table = new Float64Array(3 * risk.states);
    const learningRate = settings.learningRate as number;
    const early: number[] = [];
    let losses: number[] = [];
    const learn = (state: number, action: number, next: number, step: number) => {
      const target =
        step + 1 === risk.horizon
          ? method.score(risk.distanceOf(next))
          : table[3 * next + risk.greedy(table, next)];
      table[3 * state + action] += learningRate * (target - table[3 * state + action]);
    };
    for (let episode = 0; episode < budget; episode++) {
      // A tenth of the episodes is greedy: its losses are those of the policy.
      const own = episode % 10 === 0;
      const share = own ? 0 : (method.epsilon ?? epsilon);
      const choose = (state: number) => (play.chance(share) ? play.integers(3) : risk.greedy(table, state));
      const loss = risk.play(market, method.sample(), choose, learn, play);
      if (own) losses.push(loss);
      if (early.length < 40) early.push(loss);
      if ((episode + 1) % period === 0) {
        method.update?.(losses);
        losses = [];
      }
    }
    const start = (v: number) => risk.stateOf(0, 2, 1, -v);
    const v = method.final((v) => v + table[3 * start(v) + risk.greedy(table, start(v))]);
    const result = risk.lossDistribution(market, table, v);
    const best = risk.plan(market, risk.shortfall(level));
    // The least v plus its planned score is the least shortfall of all policies.
    const optimum = Math.min(...all.map((v) => v + best[3 * start(v) + risk.greedy(best, start(v))]));
    const gain = -result.reduce((sum, p, i) => sum + p * (i - risk.widest), 0);
    const shortfall = risk.shortfallOf(result, level);
    return { values: { excess: shortfall - optimum, shortfall, gain, v }, early, used: budget };
  },
});

/** Alternating minimisation: v is the quantile of the policy's losses, and episodes sample it from around there. */
const alternating = ({ spread }: Settings<typeof grid>, normal: () => number): Method => {
  let v = 0;
  return {
    score: risk.shortfall(level),
    sample: () => Math.round(v + spread * normal()),
    update(losses) {
      v += 0.5 * (risk.quantile(losses, level) - v);
    },
    final: () => Math.round(v),
  };
};

export default recipe({
  id: "convex-scoring-risk-rl",
  paper: "Risk-sensitive Reinforcement Learning Based on Convex Scoring Functions",
  source: "arXiv:2505.04553",
  about:
    "Many risk measures are the least expected score of the total loss over an auxiliary variable v. With the loss so far and v in the state, the policy for a given v follows from a Bellman equation; v itself is learned by alternating minimisation: it is sampled around the minimiser for the losses of the current policy. Claimed: lower risk than risk-neutral learning and than learning without the sampling of v, in statistical arbitrage.",
  system: arm("sampled around the quantile", alternating),
  baselines: [
    arm(
      "v uniform",
      ({ range }: Settings<typeof ranges>, _, uniform) => ({
        score: risk.shortfall(level),
        sample: () => Math.round(range * (uniform() - 0.5)),
        // The v whose value the table puts lowest.
        final: (value) =>
          all
            .filter((v) => 2 * Math.abs(v) <= range)
            .reduce((best, v) => (value(v) < value(best) ? v : best)),
      }),
      ranges,
    ),
    arm(
      "risk-neutral",
      ({ share }: Settings<typeof fixed>) => ({
        score: (distance) => distance,
        sample: () => 0,
        final: () => 0,
        epsilon: share,
      }),
      fixed,
    ),
    arm(
      "v fixed at 0",
      ({ share }: Settings<typeof fixed>) => ({
        score: risk.shortfall(level),
        sample: () => 0,
        final: () => 0,
        epsilon: share,
      }),
      fixed,
    ),
  ],
  ablations: [
    arm("v learned without sampling", (settings: Settings<typeof grid>, normal) =>
      alternating({ ...settings, spread: 0 }, normal),
    ),
  ],
  metrics: {
    excess: {
      about: "expected shortfall of the loss at 0.8, above the least that is possible",
      better: "lower",
      worst: 60,
      best: 0,
    },
    gain: { about: "expected gain", better: "higher", worst: -40, best: "open" },
  },
  claims: [
    {
      metric: "excess",
      smallest: 0.2,
      because: "a tenth of a level of the spread, or a fifth of the cost of a trade",
      paper: "lower shortfall and variance than the same algorithm without the sampling (curves and tables)",
    },
    {
      metric: "excess",
      contrast: ["sampled around the quantile", "risk-neutral"],
      smallest: 0.5,
      because: "half the cost of a trade, in the worst fifth of the episodes",
      presupposes: {
        metric: "excess",
        side: "risk-neutral",
        least: 0.5,
        because: "where risk-neutral policies have no more shortfall there is no risk to avoid",
      },
    },
  ],
  grid,
  limits: { spread: [0.3, 30], range: [2, 40], share: [0, 1], learningRate: [0.003, 1] },
  replicates: "market",
  minutes: 2,
  budget: { unit: "episodes", full: 10_000, quick: 1000 },
  deviations: [
    "Random markets with a spread of five levels, three positions and six steps, and tables of costs by Q-learning, replace networks, an actor and a critic in a market with continuous prices. The exact optimum is known.",
    "Only the expected shortfall is learned; its score depends on the loss minus v alone, so that this difference stands for both in the state. The variance, entropic measures and mean-risk utilities are left out.",
    "After 200 episodes v moves half of the way to the quantile of the losses in the greedy tenth of them.",
  ],
  finding: (f) =>
    `Against the best baseline the excess shortfall changes by ${f.effect(0)}, against risk-neutral learning by ${f.effect(1)}, over ${f.count} markets.`,
});
