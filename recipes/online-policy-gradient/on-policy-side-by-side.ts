import { ppo, quantileInformedPpo } from "@reins/algorithms";
import type { Setting, StepEnvironment } from "@reins/core";
import { defaultRng, stream } from "@reins/core/random";
import * as signals from "@reins/core/signals";
import {
  type CoverageEnvOptions,
  coverageEnv,
  plannedCoverage,
  randomField,
  stochasticReward,
} from "@reins/envs";
import { learn, recipe, type Trial } from "@reins/recipes";

/** ADEPT: upper confidence bounds over numbers of epochs, as in its own recipe. */
const arms = { choices: [8, 4, 2, 1], hold: 1, window: 40, exploration: 1 };
const passes = signals.bandit({ of: "return/mean", ...arms });
/** PG-Rainbow: a critic with quantiles as inputs, as in its own recipe. */
const informed = ppo.with("pg-rainbow", { parts: (_, o, c) => quantileInformedPpo(o, c, { hidden: [32] }) });
/** SubPO: the return of an action is the sum of later gains, without bootstrapping. */
const gains = { pays: "gains", lambda: 1 } as const;

type How = { algorithm?: typeof ppo; epochs?: Setting; pays?: CoverageEnvOptions["pays"]; lambda?: number };

/** Each run trains twice in the seed's field: with certain rewards, and with a fourfold reward one time in four. */
const arm = (name: string, { algorithm = ppo, pays = "end", ...how }: How = {}) => ({
  name,
  run({ settings, seed, budget }: Trial<typeof grid>) {
    const field = randomField(defaultRng(stream(seed, "field")), { size: 10 });
    const place = coverageEnv({ field, horizon: 20, pays, slip: 0.1 });
    const luck = { ...place, make: (rows: number) => stochasticReward(place.make(rows), { chance: 0.25 }) };
    const options = { envs: 24, steps: 20, hidden: [32], gamma: 1, ...settings, ...how };
    const train = (env: StepEnvironment) =>
      learn({ algorithm: algorithm(options), env, steps: budget / 2, seed });
    const [{ early, ...one }, two] = [train(place), train(luck)];
    const [certain, lucky] = [one.values.training, two.values.training];
    const last = (one.values.last + two.values.last) / 2;
    const values = { both: (certain + lucky) / 2, certain, lucky, last, planned: plannedCoverage(field, 20) };
    return { values, early, used: one.used + two.used };
  },
});

const grid = { learningRate: [4e-3, 8e-3, 1.6e-2] } as const;
const share = { better: "higher", worst: 0, best: "planned" } as const;
const because =
  "the best cell of one of its four rich places is worth more than three hundredths of the field";
const over = (name: string, metric = "both") =>
  ({ metric, contrast: [name, "PPO"], smallest: 0.03, because }) as const;

export default recipe({
  id: "on-policy-side-by-side",
  paper: "Three changes to PPO on the same tasks: reward, epochs per batch, critic (our own comparison)",
  source: "arXiv:2307.13372, arXiv:2501.12620, arXiv:2407.13146",
  about:
    "Three published methods each change one part of PPO: SubPO the reward of a step, which is its marginal gain; ADEPT the number of epochs per batch, chosen by a bandit; PG-Rainbow the critic, which gets quantiles of returns as inputs. Each was measured in its own environment. Here all have the same coverage tasks, with certain rewards and with a lottery. Claimed, as in each paper: each covers more than PPO.",
  system: arm("SubPO", gains),
  baselines: [arm("PPO"), arm("ADEPT", { epochs: passes }), arm("PG-Rainbow", { algorithm: informed })],
  ablations: [arm("all three", { ...gains, epochs: passes, algorithm: informed })],
  metrics: {
    both: { about: "share covered over training, mean of both tasks", ...share },
    certain: { about: "share covered over training, certain rewards", ...share },
    lucky: { about: "share covered over training, lottery rewards", ...share },
    last: { about: "share covered in the last 100 episodes, mean of both tasks", ...share },
  },
  claims: [
    {
      kind: "joint",
      because: "each paper claims it for its own method",
      of: [over("SubPO"), over("ADEPT"), over("PG-Rainbow")],
    },
    over("SubPO"),
    over("ADEPT"),
    over("PG-Rainbow"),
    over("PG-Rainbow", "lucky"),
  ],
  grid,
  replicates: "field",
  budget: { unit: "steps", full: 30_720, quick: 1920 },
  minutes: 1,
  deviations: [
    "Random 10 × 10 fields and layers of 32 units replace Atari games, Procgen, MiniGrid, car racing and MuJoCo. They are SubPO's own task: no other has submodular returns.",
    "All arms but SubPO are rewarded for the whole walk at its end, which is the same objective. SubPO is PPO with the gain of each step as reward and λ = 1; its paper has plain policy gradients.",
    "The reward of ADEPT's bandit is the mean return, without the lottery.",
  ],
  tried: [
    "20,480 steps of each task in batches of 640, two seeds, one learning rate: SubPO 0.583, PPO 0.530, ADEPT 0.507, PG-Rainbow 0.535 of 0.864; three seeds, other learning rates: SubPO 0.601 and 0.603, PPO 0.518 and 0.535 of 0.888.",
  ],
  finding: (f) =>
    `SubPO covers more than PPO; the effects of ADEPT and PG-Rainbow are negligible, so the joint claim fails. The fields are SubPO's own task, only SubPO gets the gain of each step, and ADEPT's bandit has only 32 batches to choose for. SubPO covers ${f.mean("SubPO", "both")}, PPO ${f.mean("PPO", "both")} (${f.effect(1)}), ADEPT ${f.mean("ADEPT", "both")} (${f.effect(2)}) and PG-Rainbow ${f.mean("PG-Rainbow", "both")} (${f.effect(3)}; with the lottery ${f.effect(4)}), where a plan covers ${f.mean("PPO", "planned")}. With certain rewards SubPO covers ${f.mean("SubPO", "certain")} and PPO ${f.mean("PPO", "certain")}, with the lottery ${f.mean("SubPO", "lucky")} and ${f.mean("PPO", "lucky")}. All three changes together cover ${f.mean("all three", "both")}, on a few fields.`,
});
