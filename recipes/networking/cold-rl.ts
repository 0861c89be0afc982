import { offlineDqn, type QParams, qNetwork } from "@reins/algorithms";
import { type Environment, Run } from "@reins/core";
import { defaultRng, stream } from "@reins/core/random";
import * as envs from "@reins/envs";
import { type Grid, recipe, type Settings, type Trial } from "@reins/recipes";
import { compile, type Tensor, zeros } from "@reins/tensor";

const [candidates, interval] = [16, 10];
/** Cache sizes in KB: the first is for training and tuning. */
const [small, medium, large] = [2000, 8000, 32_000];

/** A training log, or a held-out log with other objects. */
const day = (seed: number, held: boolean, quick: boolean) =>
  envs.webLog({ requests: quick ? 1500 : 8000, seed: stream(seed, held ? "held-out day" : "day") });

type Victim = (cache: envs.Cache) => number;

/** Hit ratio of a cache on a log. */
function hitRatio(log: envs.AccessLog, capacity: number, victim: Victim): number {
  const cache = new envs.Cache(log, { capacity, warmUp: log.object.length / 5 });
  while (cache.serve()) cache.evict(victim(cache));
  return cache.hitRatio;
}

function hitRatios(log: envs.AccessLog, victim: () => Victim) {
  const [a, b, c, unlimited] = [small, medium, large, 1e9].map((size) => hitRatio(log, size, victim()));
  return { small: a, medium: b, large: c, unlimited };
}

/** Q-values of keeping and evicting each candidate. */
const network = { inputs: 6, actions: 2, atoms: 1, hidden: [32, 32], dueling: true, noisy: false };

/** Evicts the candidate with the largest advantage of eviction over keeping. */
function greedy(weights: QParams): Victim {
  const seen = zeros([candidates, 6]);
  const { apply } = qNetwork(network);
  const values = compile((w: QParams, x: Tensor) => apply(w, x)).bind(weights, seen);
  return (cache) => {
    const oldest = [...cache.oldest(candidates)];
    for (const [i, object] of oldest.entries()) seen.data.set(envs.candidateFeatures(object), 6 * i);
    values.run();
    const q = values.result.data;
    const gains = oldest.map((_, i) => q[2 * i + 1] - q[2 * i]);
    return oldest[gains.indexOf(Math.max(...gains))].object;
  };
}

const arm = <G extends Grid>(name: string, grid: G, victim: (settings: Settings<G>) => Victim) => ({
  name,
  grid,
  run({ settings, seed, quick }: Trial) {
    const values = hitRatios(day(seed, true, quick), () => victim(settings as Settings<G>));
    return { values, early: [values.small], used: 0 };
  },
});

const rules = { rule: ["lru", "fresh", "lfu", "size", "hybrid"] } as const;
const oldest = { count: [2, 4, 8, 16, 32] };
const baselines = [
  arm("classical rule", rules, ({ rule }) => envs.evictionCandidate(rule)),
  arm("LFU among the oldest", oldest, ({ count }) => envs.evictionCandidate("lfu", count)),
  arm("aged GDSF", { power: [0, 0.25, 0.5, 0.75, 1] }, ({ power }) => envs.gdsf(power)),
];

const coldRl = {
  name: "Cold-RL",
  run({ settings, seed, budget, quick }: Trial<typeof grid>) {
    const random = defaultRng(stream(seed, "evictions"));
    // LRU with half random choices, so that the data include states that LRU alone never reaches.
    const choose = (among: readonly unknown[]) => (random.random() < 0.5 ? random.integers(among.length) : 0);
    const replay = { capacity: small, candidates, interval, gamma: settings.gamma, choose };
    const data = envs.recordEvictions(day(seed, false, quick), replay);
    const algorithm = offlineDqn({ hidden: network.hidden, learningRate: 3e-3, batch: 128, tau: 0.01 });
    const run = new Run({ algorithm, env: nowhere, steps: budget, seed, data });
    const early: number[] = [];
    while (!run.finished) early.push((run.round() as Record<string, number>)["loss/value"]);
    const victim = greedy(run.process.acting!.weights as QParams);
    const values = hitRatios(day(seed, true, quick), () => victim);
    return { values, early: early.slice(0, 3), used: run.steps };
  },
};

/** Training is offline, without an environment. */
const nowhere: Environment = { spec: envs.evictionSpec };

const grid = { gamma: [0, 0.2, 0.4, 0.6, 0.8] } as const;
const because = "two more of a hundred requests are served; less does not pay for a network in the proxy";
const share = { better: "higher", worst: 0, best: "unlimited" } as const;

export default recipe({
  id: "cold-rl",
  paper: "Cold-RL: Learning Cache Eviction with Offline Reinforcement Learning for NGINX",
  source: "arXiv:2508.12485",
  about:
    "A web cache must choose which object to evict. Cold-RL describes the K least recently used objects by six features each, and a dueling DQN decides. It is trained offline by replaying access logs, with a reward for each kept object that is requested again before it expires. Claimed: more than twice the hit ratio of the best classical policy in a small cache, somewhat more in a medium one and the same in a large one.",
  system: coldRl,
  baselines,
  metrics: {
    small: { about: "hit ratio on a held-out log, 2 MB", ...share },
    medium: { about: "hit ratio on a held-out log, 8 MB", ...share },
    large: { about: "hit ratio on a held-out log, 32 MB", ...share },
  },
  claims: [
    { metric: "small", smallest: 0.02, because, paper: "0.2102 at 25 MB (0.1436 to 0.3538)" },
    {
      metric: "small",
      contrast: ["Cold-RL", "classical rule"],
      smallest: 0.02,
      because: `${because}; against rules such as the paper's`,
      paper: "0.2102 at 25 MB (0.1436 to 0.3538)",
    },
    { metric: "medium", smallest: 0.02, because, paper: "0.1145 at 100 MB (0.7530 to 0.8675)" },
    {
      kind: "no-worse",
      metric: "large",
      margin: 0.01,
      because: "half of what counts in the others: where nearly everything fits, nothing may be lost",
      paper: "about 0 at 400 MB (0.918)",
    },
  ],
  grid,
  limits: { gamma: [0, 0.99], power: [0, 2], count: [1, 64] },
  replicates: "day",
  minutes: 4,
  budget: { unit: "transitions", full: 128_000, quick: 6400 },
  deviations: [
    "Synthetic logs of 8000 requests with steady demand, an archive, bursts and scans replace two adversarial workloads; caches have 2, 8 and 32 MB.",
    "One eviction at a time: the candidate whose eviction has the largest advantage over keeping it, instead of a bitmask from one network over all candidates.",
    "Classical policies are LRU, LRU of unexpired objects, LFU, size and a hybrid of the last two; the paper also has adaptive LRU. LFU among the least recently used objects, from which Cold-RL also chooses, and GDSF with aging are added.",
    "Discounting is by log time, in steps of ten seconds, since the log shows the next request of an object even if the replayed cache has evicted it.",
    "The sidecar is left out, and with it the deadline and the fall-back to LRU.",
  ],
  tried: [
    "A bitmask from one network over all candidates did not learn from logs of this length.",
    "With size-aware LFU in charge of the replay instead of LRU, Cold-RL had 0.193 on two seeds, where LRU served 0.202.",
    "Against the best of five policies over the whole cache: 0.026 (0.014 to 0.038) and 0.025 (0.011 to 0.039), towards, on two sets of ten seeds.",
  ],
  finding: (f) =>
    `Cold-RL beats the classical policies in a small cache, as claimed, but gains nothing over GDSF with aging. GDSF, a policy of 1998, serves ${f.mean("aged GDSF", "small")} of all requests with 2 MB, Cold-RL ${f.mean("Cold-RL", "small")}, the best classical policy ${f.mean("classical rule", "small")}, LFU among the oldest objects ${f.mean("LFU among the oldest", "small")} and an unlimited cache ${f.mean("Cold-RL", "unlimited")}. With 8 MB they serve ${f.mean("aged GDSF", "medium")} and ${f.mean("Cold-RL", "medium")}.`,
});
