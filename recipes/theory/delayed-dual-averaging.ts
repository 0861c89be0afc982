import { defaultRng, stream } from "@reins/core/random";
import { type Arm, type Grid, recipe, type Settings, type Trial } from "@reins/recipes";
import { real } from "@reins/tensor";
import { type Delays, delays, dualAveraging, type Rate } from "./delayed-dual-averaging.parts.ts";

const problem = { dimension: 5, agents: 4, noise: 0.5, radius: 10, block: 20 };
const grid = { scale: [0.3, 1, 3, 10, 30], floor: [10, 100, 1000] } as const;
const decayed = { scale: [0.01, 0.03, 0.1, 0.3, 1], power: [0, 0.25, 0.5] } as const;
type Scaled = Settings<typeof grid>;

const arm = <G extends Grid>(name: string, rateOf: (settings: Settings<G>) => Rate, own?: G): Arm => ({
  name,
  ...(own && { grid: own }),
  run({ seed, settings, budget: rounds }: Trial<G>) {
    const rate = rateOf(settings as Settings<G>);
    const early: number[] = [];
    const regret = (what: keyof typeof delays) => {
      const delay: Delays = delays[what];
      const excess = dualAveraging({ ...problem, rounds }, rate, delay, defaultRng(stream(seed, what)));
      early.push(...excess.slice(1, 4));
      return excess.reduce((a, b) => a + b);
    };
    const each = Object.fromEntries(
      (Object.keys(delays) as (keyof typeof delays)[]).map((what) => [what, regret(what)]),
    );
    const logs = Object.values(each).map((r) => real.log(r));
    const mean = real.exp(logs.reduce((a, b) => a + b) / logs.length);
    return { values: { regret: mean, ...each }, early, used: rounds };
  },
});

const lower = (about: string) => ({ about, better: "lower", worst: 1e5, best: 0 }) as const;

export default recipe({
  id: "delayed-dual-averaging",
  paper: "Multi-Agent Online Optimization with Delays: Asynchronicity, Adaptivity, and Optimism",
  source: "arXiv:2012.11579",
  about:
    "Several agents predict in turns, and the gradient of each loss reaches each of them after an unknown delay. Each agent sums the gradients that it has received, and its learning rate falls with the norms of these gradients and with their lag: products of the norms of gradients that did not know of each other. Claimed: optimal regret without a common clock or knowledge of the delays.",
  system: arm(
    "lag-adaptive",
    ({ scale, floor }: Scaled) =>
      ({ squares, lag }) =>
        scale / Math.sqrt(floor + squares + 2 * lag),
  ),
  baselines: [
    arm(
      "adaptive without lag",
      ({ scale, floor }: Scaled) =>
        ({ squares }) =>
          scale / Math.sqrt(floor + squares),
    ),
    arm(
      "longest delay",
      ({ scale, floor }: Scaled) =>
        ({ squares, longest }) =>
          scale / Math.sqrt(floor + squares * Math.max(1, longest)),
    ),
    arm(
      "decayed",
      ({ scale, power }) =>
        ({ count }) =>
          scale * real.pow(count + 1, -power),
      decayed,
    ),
  ],
  ablations: [
    arm(
      "lag switched off",
      ({ scale, floor }: Scaled) =>
        ({ squares }) =>
          scale / Math.sqrt(floor + squares),
    ),
  ],
  metrics: {
    regret: lower("regret, geometric mean over five delay processes"),
    none: lower("regret without delays"),
    constant: lower("regret with a constant delay of 20 rounds"),
    geometric: lower("regret with geometric delays"),
    heavy: lower("regret with heavy-tailed delays"),
    bursts: lower("regret if losses arrive in bursts of 40"),
  },
  claims: [
    {
      kind: "ratio",
      metric: "regret",
      smallest: 1.1,
      because: "records of which gradient knew of which are worth a tenth of the regret",
      paper: "optimal in the sum of delays (in theory)",
    },
    {
      kind: "no-worse",
      metric: "none",
      margin: 5,
      because: "adaptation to delays should cost a twentieth at most where there are none",
    },
  ],
  grid,
  limits: { power: [0, 1], floor: [0.01, 10_000] },
  replicates: "problem",
  minutes: 1,
  budget: { unit: "rounds", full: 1000, quick: 100 },
  deviations: [
    "Of the paper only the abstract was found. Dual averaging and the lag of gradients that did not know of each other are those of delayed online learning in general (McMahan and Streeter's adaptive revision); that an agent counts the pairs that it has received is our reading of the abstract's information available for each prediction.",
    "Online regression with the absolute loss in five dimensions, with the same features for twenty rounds, so that gradients that do not know of each other add up; regret is the expected excess loss over the weights that generate the targets. Five delay processes are averaged, so that one setting must serve all.",
    "The optimistic variant is left out.",
  ],
  tried: [
    "Features of each round are independent, two seeds: regret 39 with the lag and 33 without it, because delays then cost hardly anything.",
  ],
  finding: (f) =>
    `Negligible: once its scale is tuned, a learning rate that ignores the lag of the gradients is as good, and without delays the lag costs nothing, as claimed. Against the best baseline the lag changes regret by ${f.effect(0)}, over ${f.count} problems, and against the best baseline without delays by ${f.effect(1)}. What speaks for the lag: switched off at the same settings regret is ${f.mean("lag switched off", "regret")} in place of ${f.mean("lag-adaptive", "regret")}, and where losses arrive in bursts ${f.mean("lag switched off", "bursts")} in place of ${f.mean("lag-adaptive", "bursts")}, so that it saves knowing how large the delays are. Tuned without the lag, regret is ${f.mean("adaptive without lag", "regret")}, with decayed rates ${f.mean("decayed", "regret")}, and with the longest delay ${f.mean("longest delay", "regret")}.`,
});
