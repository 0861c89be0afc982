import { ppo } from "@reins/algorithms";
import type { StepEnvironment } from "@reins/core";
import { evaluate } from "@reins/core/evaluations";
import { stream } from "@reins/core/random";
import {
  adversary,
  compose,
  type EnvWrapper,
  flattenObservation,
  frozenLakeModel,
  noise,
  source,
} from "@reins/envs";
import {
  certifiedReturn,
  learn,
  type ObservationAttack,
  observationAttacks,
  recipe,
  recordedMean,
  type Trial,
} from "@reins/recipes";
import { type Tensor, tensor } from "@reins/tensor";

/** For each cell of the lake the action into an adjacent hole; -1 if there is none. */
const intoHole = frozenLakeModel({ slippery: false }).transition.map((actions) =>
  actions.findIndex(([end]) => end.terminated && end.reward === 0),
);
const towards = ({ data, shape: [rows, places] }: Tensor): Tensor => {
  const at = (row: number) => data.subarray(row * places, (row + 1) * places).indexOf(1);
  return tensor(
    Int32Array.from({ length: rows }, (_, row) => intoHole[at(row)]),
    { dtype: "i32" },
  );
};

/** Tasks: observation noise, certified return levels (the maximum last), and episodes for the certificate and for attacks. */
const tasks = {
  cart: {
    env: source("CartPole-v0"),
    sigma: 0.2,
    levels: Array.from({ length: 10 }, (_, i) => 20 * (i + 1)),
    episodes: [1000, 100],
    aims: [{ thrifty: true }, {}],
  },
  lake: {
    env: source("FrozenLake-v1", { slippery: false }),
    sigma: 0.25,
    levels: [1],
    episodes: [10_000, 500],
    aims: [{ towards }, { towards, thrifty: true }, { thrifty: true }],
  },
};
/** The adversary's budget per episode: the norm of all perturbations, in standard deviations of the noise. */
const budgets = [1, 2, 3];
type Task = (typeof tasks)["lake" | "cart"];

const placeOf = ({ env }: Task, ...wraps: readonly EnvWrapper[]): StepEnvironment => {
  const make = (rows: number) => compose(env.make(rows), flattenObservation, ...wraps);
  return { spec: make(1).spec, make };
};
const blurred = (deviation: number): EnvWrapper[] => (deviation > 0 ? [(env) => noise(env, deviation)] : []);

/** Trains and evaluates with or without observation noise. Returns are shares of the maximum. */
function play(task: Task, training: boolean, playing: boolean, trial: Trial<typeof grid>) {
  const { settings, seed, budget, quick } = trial;
  const { sigma, levels } = task;
  const top = levels[levels.length - 1];
  const env = placeOf(task, ...blurred(training ? sigma : 0));
  const algorithm = ppo({ ...settings, hidden: [64] });
  const { run, early, used } = learn({ algorithm, env, steps: budget / 2, seed });
  const deviation = playing ? sigma : 0;
  const [many, few] = quick ? [16, 15] : task.episodes;
  const played = (episodes: number, what: string, ...wraps: EnvWrapper[]) =>
    evaluate(run, placeOf(task, ...wraps, ...blurred(deviation)), { episodes, seed: stream(seed, what) });
  const attackOf = observationAttacks(run.process.acting!, { noise: deviation });
  /** The mean return under the strongest attack, which is chosen on separate episodes. */
  const attacked = (most: number) => {
    const under = (attack: ObservationAttack, episodes: number, what: string) =>
      recordedMean(played(episodes, what, (e) => adversary(e, { budget: most, attack: attackOf(attack) }))) /
      top;
    const sizes = quick ? [1] : [1, 0.7, 0.5];
    const attacks = sizes.flatMap((size) => task.aims.map((aim) => ({ ...aim, size: size * most })));
    const tried = attacks.map((attack) => under(attack, few / 5, "search"));
    return under(attacks[tried.indexOf(Math.min(...tried))], few, "attack");
  };
  const undisturbed = played(many, "certificate");
  const certified = (most: number) =>
    playing ? certifiedReturn(undisturbed.returns, { noise: sigma, budget: most, levels }) / top : 0;
  const all = budgets.map((b) => ({ certified: certified(b * sigma), attacked: attacked(b * sigma) }));
  return { all, early: [...early, recordedMean(undisturbed)], used };
}

const arm = (name: string, training: boolean, playing: boolean) => ({
  name,
  run(trial: Trial<typeof grid>) {
    const [cart, lake] = [tasks.cart, tasks.lake].map((task) => play(task, training, playing, trial));
    const all = [...cart.all, ...lake.all];
    const mean = (of: typeof all, what: "certified" | "attacked") =>
      of.reduce((sum, x) => sum + x[what] / of.length, 0);
    const values = {
      attacked: mean(all, "attacked"),
      violation: Math.max(...all.map((x) => x.certified - x.attacked)),
      cartCertified: mean(cart.all, "certified"),
      cartAttacked: mean(cart.all, "attacked"),
      lakeCertified: mean(lake.all, "certified"),
      lakeAttacked: mean(lake.all, "attacked"),
      middleCertified: lake.all[1].certified,
      middleAttacked: lake.all[1].attacked,
    };
    return { values, early: [...cart.early, ...lake.early], used: cart.used + lake.used };
  },
});

const grid = { learningRate: [1e-3, 3e-3, 1e-2], entropyWeight: [0.01, 0.03] } as const;
const share = (about: string) => ({ about, better: "higher", worst: 0, best: 1 }) as const;

export default recipe({
  id: "policy-smoothing",
  paper: "Policy Smoothing for Provably Robust Reinforcement Learning",
  source: "arXiv:2106.11420",
  about:
    "The agent adds normal noise to each observation before its policy sees it. The returns of such episodes without an adversary certify a lower bound on the mean return under any adversary whose perturbations over an episode stay within a given norm, even an adaptive one. Claimed: useful certificates on four tasks, while policies without noise fail under attacks of that size.",
  system: arm("smoothed", true, true),
  baselines: [arm("no noise", false, false), arm("noise in training only", true, false)],
  ablations: [arm("noise in playing only", false, true)],
  metrics: {
    attacked: share("return under attack on both tasks"),
    cartCertified: share("certified return on CartPole"),
    cartAttacked: share("return under attack on CartPole"),
    lakeCertified: share("certified return on the lake"),
    lakeAttacked: share("return under attack on the lake"),
    violation: { about: "certified return minus return under attack", better: "lower", worst: 1, best: -1 },
  },
  claims: [
    {
      metric: ["cartCertified", "cartAttacked"],
      contrast: ["smoothed", "no noise"],
      smallest: 0.2,
      because: "noise costs return: only a fifth of all there is, over all budgets, is worth that",
      paper: "meaningful guarantees on CartPole, Pong, Freeway and MountainCar",
    },
    {
      metric: ["lakeCertified", "lakeAttacked"],
      contrast: ["smoothed", "no noise"],
      smallest: 0.2,
      because: "the same fifth, where one wrong step into a hole loses everything",
    },
    {
      kind: "holds",
      metric: "violation",
      tolerance: 0,
      because: "a certificate that an attack goes below is none",
      paper: "proved",
    },
    {
      kind: "no-worse",
      metric: "attacked",
      contrast: ["smoothed", "noise in training only"],
      margin: 0.05,
      because: "a twentieth is a small price for a proof to who could leave out the noise when playing",
    },
  ],
  grid,
  budget: { unit: "steps", full: 120_000, quick: 4096 },
  minutes: 5,
  deviations: [
    "A 4 × 4 FrozenLake without slipping, observed in 16 numbers, and CartPole-v0 replace Pong, Freeway and MountainCar.",
    "The adversary takes the worst of six or nine gradient attacks; on the lake it has the positions of the holes. Stronger attacks may exist.",
    "PPO instead of DQN; the probability of a return is bounded exactly (Clopper and Pearson), not by the DKW inequality.",
    "Certificates and attacks are means over budgets of one, two and three standard deviations of the noise.",
  ],
  tried: [
    "CartPole-v0 alone: policies without noise withstood attacks up to a budget of about 1, noise of 0.2 certified little beyond 0.5. It was dropped for the lake then, and is the headline now.",
    "The lake alone with a budget of two standard deviations: the certificate ahead of no noise under attack by 0.48 and 0.46.",
  ],
  finding: (f) =>
    `The headline is reversed: on CartPole the certificate is far below what policies without noise keep under attack. Certificates are never violated, and on the lake they are ahead by an uncertain amount; but noise in training alone, without any certificate, keeps ${f.mean("noise in training only", "attacked")} of the return under these attacks, where smoothed policies keep ${f.mean("smoothed", "attacked")} and those without noise ${f.mean("no noise", "attacked")}. On CartPole ${f.mean("smoothed", "cartCertified")} is certified, and no noise under attack has ${f.mean("no noise", "cartAttacked")}; on the lake ${f.mean("smoothed", "lakeCertified")} against ${f.mean("no noise", "lakeAttacked")}, and ${f.mean("smoothed", "middleCertified")} against ${f.mean("no noise", "middleAttacked")} with a budget of two standard deviations.`,
});
