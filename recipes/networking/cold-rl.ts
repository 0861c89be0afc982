import { offlineDqn, type QParams, qNetwork } from "@reins/algorithms";
import { defaultRng, type Place, Run, stream } from "@reins/core";
import {
  type AccessLog,
  Cache,
  candidateFeatures,
  evictionRules,
  evictionSpec,
  leastOf,
  recordEvictions,
  webLog,
} from "@reins/envs";
import { recipe, type Trial } from "@reins/recipes";
import { compile, type Tensor, zeros } from "@reins/tensor";

const [candidates, interval] = [16, 10];
/** KB: the size that policies are trained and compared at, and two larger ones. */
const [small, ...larger] = [2000, 8000, 32_000];

/** A recorded log, and one with other objects that nobody learns from. */
const day = (seed: number, held: boolean, quick: boolean) =>
  webLog({ requests: quick ? 1500 : 8000, seed: stream(seed, held ? "held-out day" : "day") });

/** Share of a held-out log's requests that a cache serves. */
function hitRatio(log: AccessLog, capacity: number, victim: (cache: Cache) => number): number {
  const cache = new Cache(log, { capacity, warmUp: log.object.length / 5 });
  while (cache.serve()) cache.evict(victim(cache));
  return cache.hitRatio;
}

/** Values of keeping and of throwing out each of the candidates. */
const network = { inputs: 6, actions: 2, atoms: 1, hidden: [32, 32], dueling: true, noisy: false };

/** Throws out the candidate for which that beats keeping by most. */
function greedy(weights: QParams): (cache: Cache) => number {
  const seen = zeros([candidates, 6]);
  const { apply } = qNetwork(network);
  const values = compile((w: QParams, x: Tensor) => apply(w, x)).bind(weights, seen);
  return (cache) => {
    const oldest = [...cache.oldest(candidates)];
    for (const [i, object] of oldest.entries()) seen.data.set(candidateFeatures(object), 6 * i);
    values.run();
    const q = values.result.data;
    const gains = oldest.map((_, i) => q[2 * i + 1] - q[2 * i]);
    return oldest[gains.indexOf(Math.max(...gains))].object;
  };
}

const outcome = (log: AccessLog, victim: (cache: Cache) => number) => ({
  value: hitRatio(log, small, victim),
  also: Object.fromEntries(larger.map((c) => [`hit ratio, ${c / 1000} MB`, hitRatio(log, c, victim)])),
});

const classical = {
  name: "best classical rule",
  run({ settings: { rule }, seed, quick }: Trial<typeof grid>) {
    const measured = outcome(day(seed, true, quick), (cache) => leastOf(cache, rule));
    return { ...measured, early: [measured.value], used: 0 };
  },
};

const coldRl = (name: string, gamma: number) => ({
  name,
  run({ settings: { rule }, seed, budget, quick }: Trial<typeof grid>) {
    const random = defaultRng(stream(seed, "evictions"));
    const worth = evictionRules[rule];
    // The rule that is in charge, with as many random choices: states that it would never meet are seen too.
    const choose: Parameters<typeof recordEvictions>[1]["choose"] = (among) => {
      const kept = among.map(worth);
      return random.random() < 0.5 ? random.integers(among.length) : kept.indexOf(Math.min(...kept));
    };
    const log = day(seed, false, quick);
    const data = recordEvictions(log, { capacity: small, candidates, interval, gamma, choose });
    const algorithm = offlineDqn({ hidden: network.hidden, learningRate: 3e-3, batch: 128, tau: 0.01 });
    const run = new Run({ algorithm, env: nowhere, steps: budget, seed, data });
    const early: number[] = [];
    while (!run.finished) early.push((run.round() as Record<string, number>)["loss/value"]);
    const measured = outcome(day(seed, true, quick), greedy(run.process.acting!.weights as QParams));
    return { ...measured, early: early.slice(0, 3), used: run.steps };
  },
});

/** Offline, nothing is ever played. */
const nowhere: Place = { spec: evictionSpec };

const grid = { rule: ["lru", "fresh", "lfu", "size", "hybrid"] } as const;

export default recipe({
  id: "cold-rl",
  paper: "Cold-RL: Learning Cache Eviction with Offline Reinforcement Learning for NGINX",
  about:
    "A web cache must choose what to throw out. Cold-RL describes the K least recently used objects by six numbers each and lets a dueling DQN decide, trained offline by replaying access logs, with a point for each object that was kept and asked for again before it expired. Claimed: more than twice the hit ratio of the best classical rule in a small cache, somewhat more in a medium one and as much in a large one.",
  baseline: classical,
  system: coldRl("Cold-RL", 0.8),
  ablations: [coldRl("Cold-RL, ten seconds ahead only", 0)],
  metric: { name: "hit ratio on a held-out log, 2 MB", better: "higher", worst: 0 },
  claim: { kind: "difference", smallest: 0.02 },
  grid,
  budget: { unit: "transitions", full: 128_000, quick: 6400 },
  deviations: [
    "Synthetic logs of 8000 requests with steady demand, an archive, bursts and scans stand for two adversarial workloads; caches are of 2, 8 and 32 MB.",
    "One victim at a time: the candidate for which throwing out beats keeping by most, in place of a bitmask from one network over all candidates, which did not learn from logs of this length.",
    "The rule that is tuned is the classical rule itself, and for Cold-RL the one in charge while logs are replayed.",
    "Discounting is by log time, 0.8 in ten seconds, since the log tells when an object is wanted again even where the replayed cache lost it.",
    "There is no sidecar, so neither a deadline nor a fall-back to LRU.",
  ],
});
