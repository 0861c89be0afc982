import { dqn } from "@reins/algorithms";
import { ShiftingField, shiftingField } from "@reins/envs";
import * as nn from "@reins/nn";
import { learnSide, recipe, type Trial } from "@reins/recipes";
import { compile, eye } from "@reins/tensor";

/** Updates a step, and when it is asked whether the share of active units stands still: every so many steps, and how still. */
const [low, high] = [0.5, 2];
const [look, still] = [500, 0.001];

const cells = 16;
const network = { inputs: cells, hidden: [16, 16], activation: "relu" } as const;
const units = nn.hiddenUnits(network);

/** DQN in fields that change, which begins with so many updates a step. Once or each time that active units stand still it makes many. */
const side = (name: string, updates: number, adapts: "never" | "once" | "always" = "never") => {
  const learns = learnSide({
    name,
    env: shiftingField(),
    algorithm: dqn,
    options: {
      ...{ gamma: 0.95, epsilon: 0.1, double: false, targetEvery: 100 },
      ...{ trainEvery: 1, batch: 32, capacity: 500, learningStarts: 200, updates },
      network: () => nn.mlp(network),
    },
    watch: (run, { budget }) => {
      const weights = run.process.acting!.weights as { readonly body: nn.MlpParams };
      const share = compile((w: nn.MlpParams) => nn.activeShare(units(w, eye(cells))));
      let [before, next, ratio] = [Number.NaN, look, updates];
      return () => {
        const active = share(weights.body).item();
        if (run.steps >= next) {
          const settled = Math.abs(active - before) < still;
          if (adapts !== "never" && (settled || adapts === "always"))
            run.set("updates", (ratio = settled ? high : low));
          [before, next] = [active, next + look];
        }
        return { active, ratio, ...(run.steps > budget / 2 && { late: run.metrics["return/mean"] }) };
      };
    },
  });
  // Until the first look it does what few updates do: the ratio that it comes to tells them apart.
  const run = async (trial: Trial) => {
    const outcome = await learns.run(trial);
    return { ...outcome, early: [...outcome.early, outcome.values["final/ratio"]] };
  };
  return { ...learns, run };
};

const returns = { better: "higher", worst: -1, best: ShiftingField.best() } as const;
const because = "a little more than one step less on every way to the goal";

export default recipe({
  id: "adaptive-rr",
  paper: "Revisiting Plasticity in Visual Reinforcement Learning: Data, Modules and Training Stages",
  source: "arXiv:2310.07418",
  about:
    "Many updates a step (a high replay ratio) learn more from each step, but early on they cost a critic its plasticity, which does not come back. Adaptive RR begins with few, looks now and then at the share of units that are active, and makes many once that share stands still. Claimed: better than few or many updates throughout.",
  system: side("adaptive RR", low, "once"),
  baselines: [side("RR 0.5", low), side("RR 2", high)],
  ablations: [side("back and forth", low, "always")],
  metrics: {
    training: { about: "mean return over all fields", ...returns },
    late: { about: "mean return in the second half of them", ...returns },
    active: { about: "share of active units, mean over training", better: "higher", worst: 0, best: 1 },
  },
  claims: [
    {
      metric: "training",
      contrast: ["adaptive RR", "each"],
      smallest: 0.05,
      because,
      paper: "superior sample efficiency to static replay ratios",
    },
    { metric: "late", contrast: ["adaptive RR", "RR 2"], smallest: 0.05, because },
    {
      metric: "active",
      contrast: ["adaptive RR", "RR 2"],
      smallest: 0.05,
      because: "one or two units of 32",
      paper: "avoids catastrophic plasticity loss in the early stages",
    },
  ],
  grid: { learningRate: [1e-3, 2e-3] },
  budget: { unit: "steps", full: 30_000, quick: 2048 },
  minutes: 3,
  deviations: [
    "A field of 4 × 4 cells that is exchanged for another every 1250 steps, 24 in all, and DQN with two hidden layers of 16 units stand for control from pixels with DrQ and for Atari games: what is learned changes all along, where the paper's tasks stay.",
    "Active units are counted over all cells, every 500 steps; the learning rate is tuned for each replay ratio, which the paper does not do.",
  ],
  tried: [
    "0.25 and 1 updates a step with hidden layers of 32 units, 20,000 steps, 3e-3, three seeds: 0.06 and 0.65.",
    "As here, two seeds: 0.35 with RR 0.5 and 2e-3, 0.48 with RR 2 and 2e-3 (active units fall to a quarter), 0.67 with 1e-3; adaptive 0.42 with 2e-3, back and forth 0.46.",
  ],
  finding: (f) =>
    `There is no dilemma to be solved once the learning rate is tuned: with many updates throughout, ${f.mean("RR 2", "final/active")} of all units are still active in the end, with few ${f.mean("RR 0.5", "final/active")}, and in changing fields few updates learn too little, ${f.mean("RR 0.5", "training")} against ${f.mean("RR 2", "training")}. Active units stand still soon, so that adaptive RR makes ${f.mean("adaptive RR", "ratio")} updates a step in the mean and comes to ${f.mean("adaptive RR", "training")}: many updates after a slow start (${f.effect()}). Going back to few whenever the share moves brings ${f.mean("back and forth", "training")} on ten seeds.`,
});
