import { groupedDqn } from "@reins/algorithms";
import { Player, Run, type StepPlace, signals, stream, vectoriseMulti } from "@reins/core";
import { stagHuntRing } from "@reins/envs";
import { recipe, type Trial } from "@reins/recipes";
import type { Tensor } from "@reins/tensor";

const agents = 12;

/** Every third hunter loses much when left alone, the two beside him nothing; none of them sees which one he is. */
const game = { agents, hare: 0.4, risks: [0, 0, 3] };

const rings = (seesRisk: boolean): StepPlace => ({
  spec: stagHuntRing({ ...game, seesRisk }).spec,
  make: (copies) => vectoriseMulti(() => stagHuntRing({ ...game, seesRisk }), copies),
});

/** Share of hunters who go for the stag when the trained policies play fresh games. */
function cooperation(run: Run, env: StepPlace, seed: number): number {
  const player = new Player(run.process.acting!, env.make(8));
  player.reset(stream(seed, "evaluation"));
  let [stags, choices] = [0, 0];
  for (let step = 0; step < 25; step++) {
    const actions = (player.choose().action as Tensor).data;
    for (const stag of actions) stags += stag;
    choices += actions.length;
    player.step();
  }
  return stags / choices;
}

const side = (name: string, groups: number, { seesRisk = false, epsilon = 1 } = {}) => ({
  name,
  run({ settings: { learningRate, explore, hidden }, seed, budget }: Trial<typeof grid>) {
    const algorithm = groupedDqn({
      groups,
      learningRate,
      hidden: [hidden],
      epsilon: signals.linear(epsilon, 0.05, explore),
    });
    const env = rings(seesRisk);
    const run = new Run({ algorithm, env, steps: budget, seed });
    const early: number[] = [];
    while (!run.finished) {
      const metrics = run.round() as Record<string, number>;
      if (early.length < 3 && Number.isFinite(metrics["loss/value"])) early.push(metrics["loss/value"]);
    }
    return {
      value: cooperation(run, env, seed),
      early,
      used: run.steps,
      also: { "mean return": run.metrics["return/mean"] },
    };
  },
});

const grid = { learningRate: [1e-3, 5e-3], explore: [0.3, 0.7], hidden: [8, 32] } as const;

export default recipe({
  id: "shared-policy-cooperation-collapse",
  paper: "How Exploration Breaks Cooperation in Shared-Policy Multi-Agent Reinforcement Learning",
  about:
    "One Q-network for all agents of a social dilemma learns from what befell each of them, whatever their place. Claimed: with exploration and partial observation such agents settle on defection even where full cooperation is stable and best for all, and networks of their own keep them from it.",
  baseline: side("independent DQNs", agents),
  system: side("one shared DQN", 1),
  ablations: [
    side("shared, own risk seen", 1, { seesRisk: true }),
    side("shared by three neighbours", agents / 3),
    side("shared, little exploration", 1, { epsilon: 0.1 }),
  ],
  metric: { name: "cooperation rate after training", better: "higher", worst: 0 },
  claim: { kind: "difference", direction: "lower", smallest: 0.2 },
  grid,
  budget: { unit: "agent steps", full: 360_000, quick: 6_000 },
  deviations: [
    "Twelve hunters on a ring stand for a lattice in a dynamic dilemma; what differs between agents and is not observed is how much each risks.",
    "Full cooperation is stable for everyone, also under the exploration that remains: each prefers the stag when neighbours hunt it 85 times in 100.",
    "Both sides learn from equally many transitions: a minibatch holds 32 of each agent, for one network or for twelve.",
    "Networks have one hidden layer, and agents see what they and their two neighbours did last.",
  ],
});
