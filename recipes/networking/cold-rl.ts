import { offlineDqn, type QParams, qNetwork } from "@reins/algorithms";
import { defaultRng, type Place, Run, stream } from "@reins/core";
import * as envs from "@reins/envs";
import { type Grid, recipe, type Settings, type Trial } from "@reins/recipes";
import { compile, type Tensor, zeros } from "@reins/tensor";

const [candidates, interval] = [16, 10];
/** KB: the size that policies are trained and tuned at, and two larger ones. */
const [small, medium, large] = [2000, 8000, 32_000];

/** A recorded log, and one with other objects that nobody learns from. */
const day = (seed: number, held: boolean, quick: boolean) =>
  envs.webLog({ requests: quick ? 1500 : 8000, seed: stream(seed, held ? "held-out day" : "day") });

type Victim = (cache: envs.Cache) => number;

/** Share of a log's requests that a cache serves. */
function hitRatio(log: envs.AccessLog, capacity: number, victim: Victim): number {
  const cache = new envs.Cache(log, { capacity, warmUp: log.object.length / 5 });
  while (cache.serve()) cache.evict(victim(cache));
  return cache.hitRatio;
}

function hitRatios(log: envs.AccessLog, victim: () => Victim) {
  const [a, b, c, unlimited] = [small, medium, large, 1e9].map((size) => hitRatio(log, size, victim()));
  return { small: a, medium: b, large: c, unlimited };
}

/** Values of keeping and of throwing out each of the candidates. */
const network = { inputs: 6, actions: 2, atoms: 1, hidden: [32, 32], dueling: true, noisy: false };

/** Throws out the candidate for which that beats keeping by most. */
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

const side = <G extends Grid>(name: string, grid: G, victim: (settings: Settings<G>) => Victim) => ({
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
  side("classical rule", rules, ({ rule }) => envs.leastOf(rule)),
  side("LFU among the oldest", oldest, ({ count }) => envs.leastOf("lfu", count)),
  side("aged GDSF", { power: [0, 0.25, 0.5, 0.75, 1] }, ({ power }) => envs.gdsf(power)),
];

const coldRl = {
  name: "Cold-RL",
  run({ settings, seed, budget, quick }: Trial<typeof grid>) {
    const random = defaultRng(stream(seed, "evictions"));
    // LRU is in charge, with as many random choices: states that it would never meet are seen too.
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

/** Offline, nothing is ever played. */
const nowhere: Place = { spec: envs.evictionSpec };

const grid = { gamma: [0, 0.2, 0.4, 0.6, 0.8] } as const;
const because = "two more of a hundred requests are served; less does not pay for a network in the proxy";
const share = { better: "higher", worst: 0, best: "unlimited" } as const;

export default recipe({
  id: "cold-rl",
  paper: "Cold-RL: Learning Cache Eviction with Offline Reinforcement Learning for NGINX",
  source: "arXiv:2508.12485",
  about:
    "A web cache must choose what to throw out. Cold-RL describes the K least recently used objects by six numbers each and lets a dueling DQN decide, trained offline by replaying access logs, with a point for each object that was kept and asked for again before it expired. Claimed: more than twice the hit ratio of the best classical rule in a small cache, somewhat more in a medium one and as much in a large one.",
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
    "Synthetic logs of 8000 requests with steady demand, an archive, bursts and scans stand for two adversarial workloads; caches are of 2, 8 and 32 MB.",
    "One victim at a time: the candidate for which throwing out beats keeping by most, in place of a bitmask from one network over all candidates.",
    "Classical rules are LRU, LRU of what has not expired, LFU, size and a hybrid of the last two; the paper has adaptive LRU, too. LFU among the least recently used, which Cold-RL chooses from too, and GDSF with aging are added.",
    "Discounting is by log time, in steps of ten seconds, since the log tells when an object is wanted again even where the replayed cache lost it.",
    "There is no sidecar, so neither a deadline nor a fall-back to LRU.",
  ],
  tried: [
    "A bitmask from one network over all candidates did not learn from logs of this length.",
    "With LFU for its size in charge of the replay instead of LRU, Cold-RL had 0.193 on two seeds, where LRU served 0.202.",
    "Against the best of five rules in the whole cache: 0.026 (0.014 to 0.038) and 0.025 (0.011 to 0.039), towards, on two sets of ten seeds.",
  ],
  finding: (f) =>
    `Aged GDSF, a rule of 1998, serves ${f.mean("aged GDSF", "small")} of all requests in 2 MB, Cold-RL ${f.mean("Cold-RL", "small")}, the best of the classical rules ${f.mean("classical rule", "small")}, LFU among the oldest ${f.mean("LFU among the oldest", "small")} and a cache without limits ${f.mean("Cold-RL", "unlimited")}. In 8 MB it is ${f.mean("aged GDSF", "medium")} and ${f.mean("Cold-RL", "medium")}.`,
});
