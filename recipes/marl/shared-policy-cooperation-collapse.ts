import { groupedDqn } from "@reins/algorithms";
import type { Run, StepEnvironment } from "@reins/core";
import { vectoriseMulti } from "@reins/core/forms";
import { PolicyRunner } from "@reins/core/policies";
import { stream } from "@reins/core/random";
import * as signals from "@reins/core/signals";
import { stagHuntRing } from "@reins/envs";
import { learnArm, recipe, type Settings } from "@reins/recipes";
import type { Tensor } from "@reins/tensor";

/** Every third hunter loses much when left alone, the other two nothing; none observes its own risk. */
const game = { agents: 12, hare: 0.4, risks: [0, 0, 3] };

const rings = (seesRisk: boolean): StepEnvironment => ({
  spec: stagHuntRing({ ...game, seesRisk }).spec,
  make: (copies) => vectoriseMulti(() => stagHuntRing({ ...game, seesRisk }), copies),
});

/** Share of stag actions of the trained policies in 25 steps of 8 fresh games. */
function cooperation(run: Run, env: StepEnvironment, seed: number): number {
  const player = new PolicyRunner(run.process.acting!, env.make(8));
  player.reset(stream(seed, "evaluation"));
  let stags = 0;
  for (let step = 0; step < 25; step++, player.step())
    for (const stag of (player.act().action as Tensor).data) stags += stag;
  return stags / (25 * 8 * game.agents);
}

const arm = (name: string, groups: number, epsilon = 1, seesRisk = false) =>
  learnArm({
    name,
    env: rings(seesRisk),
    algorithm: ({ learningRate, explore }: Settings<typeof grid>) =>
      groupedDqn({ groups, learningRate, hidden: [16], epsilon: signals.linear(epsilon, 0.05, explore) }),
    measure: (run, { seed }) => ({ cooperation: cooperation(run, rings(seesRisk), seed) }),
  });

const grid = { learningRate: [3e-4, 1e-3, 3e-3], explore: [0.2, 0.4, 0.8] } as const;

/** Most runs end with all hunters after the stag or with none, so effects are far from normal. */
const two = { metric: "cooperation", interval: "bca", smallest: 0.15, because: "it is two hunters" } as const;

export default recipe({
  id: "shared-policy-cooperation-collapse",
  paper: "How Exploration Breaks Cooperation in Shared-Policy Multi-Agent Reinforcement Learning",
  source: "arXiv:2601.05509",
  about:
    "One Q-network for all agents of a social dilemma learns from the transitions of all, regardless of their role. Claimed: with exploration and partial observability such agents settle on defection even where full cooperation is stable and best for all; independent networks prevent this, and networks shared by groups of neighbours help.",
  system: arm("shared DQN", 1),
  baselines: [arm("independent", 12), arm("neighbours share", 4), arm("cautious", 1, 0.1)],
  ablations: [arm("own risk seen", 1, 1, true)],
  metrics: { cooperation: { about: "cooperation rate after training", better: "higher", worst: 0, best: 1 } },
  claims: [
    {
      ...two,
      contrast: ["shared DQN", "independent"],
      direction: "lower",
      smallest: 0.2,
      because: "a fifth of all choices is the least that one would call a collapse",
      presupposes: { metric: "cooperation", side: "independent", least: 0.7, because: "it is learnable" },
      paper: "collapse to low cooperation, which disappears when agents have networks of their own",
    },
    { ...two, contrast: ["shared DQN", "cautious"], direction: "lower", paper: "falls as exploration rises" },
    { ...two, contrast: ["neighbours share", "shared DQN"], paper: "groups consistently alleviate it" },
  ],
  grid,
  limits: { explore: [0.02, 1] },
  budget: { unit: "agent steps", full: 360_000, quick: 6_000 },
  minutes: 10,
  deviations: [
    "Twelve hunters on a ring replace a lattice in a dynamic prisoner's dilemma; the unobserved difference between agents is their risk.",
    "Full cooperation is stable for every agent, also under the remaining exploration: each prefers the stag if its neighbours hunt it 85 times in 100. Every arm is tuned for cooperation, the shared network too; the paper sweeps its settings instead.",
    "All arms learn from the same number of transitions, 32 per agent at a time; agents observe their own and their two neighbours' last actions.",
  ],
  tried: [
    "Two learning rates, two schedules and two widths, ten seeds: the shared network lower by 0.58 and 0.59, and on ten others by 0.20. A learning rate of 5e-3 for the shared network: no cooperation at all; of 1e-3 in 2 of 6 runs, with explore 0.2, in 5 of 6 with 0.5 and in 4 of 10 with 0.8.",
  ],
  finding: (f) =>
    `A shared network cooperates less than independent ones, as claimed. The collapse depends on the settings, and more exploration does not lower cooperation here: tuned for cooperation, the shared network reaches ${f.mean("shared DQN", "cooperation")} and independent ones ${f.mean("independent", "cooperation")}. With little exploration it reaches ${f.mean("cautious", "cooperation")}, in groups of neighbours ${f.mean("neighbours share", "cooperation")}; where hunters observe their own risk it reaches ${f.mean("own risk seen", "cooperation")}.`,
});
