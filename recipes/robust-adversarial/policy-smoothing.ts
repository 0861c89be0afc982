import { ppo } from "@reins/algorithms";
import {
  certifiedReturn,
  evaluate,
  type ObservationAttack,
  observationAttacks,
  type Run,
  type StepPlace,
  stream,
} from "@reins/core";
import {
  adversary,
  compose,
  flattenObservation,
  frozenLakeModel,
  noise,
  source,
  type Wrap,
} from "@reins/envs";
import { learn, recipe, type Trial } from "@reins/recipes";
import { type Tensor, tensor } from "@reins/tensor";

/** Deviation of the noise on each observed number, and the length of all that an adversary may add in an episode. */
const sigma = 0.25;
const budget = 0.5;
/** Episodes for the certificate, to find the worst attack, and to measure it; and how many attacks are tried. */
const full = { certificate: 10_000, search: 100, attack: 1000, attacks: 9 };
const few = { certificate: 16, search: 16, attack: 16, attacks: 1 };

const lake = (...wraps: readonly Wrap[]): StepPlace => {
  const make = (rows: number) =>
    compose(source("FrozenLake-v1", { slippery: false }).make(rows), flattenObservation, ...wraps);
  return { spec: make(1).spec, make };
};
const blurred = (deviation: number): Wrap[] => (deviation > 0 ? [(env) => noise(env, deviation)] : []);

/** For each place the way into a hole next to it; -1 where there is none. */
const intoHole = frozenLakeModel({ slippery: false }).transition.map((actions) =>
  actions.findIndex(([end]) => end.terminated && end.reward === 0),
);
const towards = (observation: Tensor): Tensor => {
  const [rows, places] = observation.shape;
  const placeOf = (row: number) => observation.data.subarray(row * places, (row + 1) * places).indexOf(1);
  return tensor(
    Int32Array.from({ length: rows }, (_, row) => intoHole[placeOf(row)]),
    { dtype: "i32" },
  );
};

/** What an adversary chooses from: all at once or bit by bit, into holes or just away, saving or not. */
const attacks = [1, 0.7, 0.5].flatMap((share): ObservationAttack[] => [
  { size: share * budget, towards },
  { size: share * budget, towards, thrifty: true },
  { size: share * budget, thrifty: true },
]);

/** The mean return under the attack that hurts this policy most, which is found on episodes of their own. */
function attacked(run: Run, deviation: number, seed: number, count: typeof full): number {
  const attackOf = observationAttacks(run.process.acting!, { noise: deviation });
  const under = (attack: ObservationAttack, episodes: number, seed: number) => {
    const tamper: Wrap = (env) => adversary(env, { budget, attack: attackOf(attack) });
    return evaluate(run, lake(tamper, ...blurred(deviation)), { episodes, seed }).mean;
  };
  const tried = attacks
    .slice(0, count.attacks)
    .map((attack) => under(attack, count.search, stream(seed, "search")));
  return under(attacks[tried.indexOf(Math.min(...tried))], count.attack, stream(seed, "attack"));
}

/** Trains with noise of one deviation on what is observed, and plays with noise of another. */
const side = (name: string, training: number, playing: number) => ({
  name,
  run({ settings, seed, budget: steps, quick }: Trial<typeof grid>) {
    const { run, early, used } = learn({
      algorithm: ppo({ ...settings, hidden: [64] }),
      env: lake(...blurred(training)),
      steps,
      seed,
    });
    const count = quick ? few : full;
    const { returns, mean } = evaluate(run, lake(...blurred(playing)), {
      episodes: count.certificate,
      seed: stream(seed, "certificate"),
    });
    const bound = playing > 0 ? certifiedReturn(returns, { noise: playing, budget, levels: [1] }) : 0;
    const value = attacked(run, playing, seed, count);
    return { value, bound, early, used, also: { unattacked: mean, certified: bound } };
  },
});

const grid = { learningRate: [1e-3, 3e-3], entropyWeight: [0.01, 0.03] } as const;

export default recipe({
  id: "policy-smoothing",
  paper: "Policy Smoothing for Provably Robust Reinforcement Learning",
  about:
    "The agent adds normal noise to each observation before its policy sees it. The returns of such episodes without an adversary certify a mean return that no adversary can push it below who adds no more than a given length to all observations of an episode, even one that adapts to what it sees. Claimed: useful certificates on four tasks, while policies without noise fail under attacks of that size.",
  baseline: side("no noise", 0, 0),
  system: side("smoothed", sigma, sigma),
  ablations: [side("noise in training only", sigma, 0), side("noise in playing only", 0, sigma)],
  metric: { name: "mean return under attack", better: "higher", worst: 0 },
  claim: { kind: "certificate", smallest: 0.2 },
  grid,
  budget: { unit: "steps", full: 60_000, quick: 2048 },
  deviations: [
    "A 4 × 4 FrozenLake that does not slip, observed in 16 numbers, stands for CartPole, Pong, Freeway and MountainCar.",
    "On CartPole-v0 one wrong step is forgiven: policies without noise withstood our attacks up to a budget of about 1, while noise of 0.2, the most they could learn with, certified little beyond 0.5.",
    "PPO instead of DQN; the probability of success is bounded exactly (Clopper and Pearson) instead of by the DKW inequality.",
    "The adversary knows the lake: it takes the worst of nine gradient attacks, most of which lead into holes.",
  ],
});
