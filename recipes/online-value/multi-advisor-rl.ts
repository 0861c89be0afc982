import { Advice, type Bootstrap, bootstraps } from "@reins/algorithms";
import { defaultRng, type Generator } from "@reins/core";
import {
  type FruitModel,
  finiteValues,
  fruitCollectionModel,
  type Outcome,
  randomFruitLayout,
  sampleOutcome,
  startValue,
} from "@reins/envs";
import { recipe, type Trial } from "@reins/recipes";

const garden = { size: 6, fruits: 8, dangers: 6 };
/** Standard deviation of what is added to each advisor's reward while it learns. */
const noise = 0.3;
/** Steps in an episode, and how often one is random while learning. */
const [horizon, epsilon] = [60, 0.2];

const grid = { gamma: [0.3, 0.5, 0.7, 0.9] } as const;
const learningRate = 0.02;

/** One advisor for each fruit and each danger, who sees the agent's cell only and is silent when its fruit is gone. */
function advisorsOf({ layout, cell, has }: FruitModel, random: Generator) {
  const at = (thing: number, pays: number) => (_: number, next: number) =>
    (cell(next) === thing ? pays : 0) + random.normal(0, noise);
  return [
    ...layout.fruits.map((f, j) => ({ view: cell, speaks: (s: number) => has(s, j), reward: at(f, 1) })),
    ...layout.dangers.map((d) => ({ view: cell, speaks: () => true, reward: at(d, -1) })),
  ];
}

const side = (name: string, bootstrap: Bootstrap, fixed?: number) => ({
  name,
  run({ seed, settings, budget: steps, quick }: Trial<typeof grid>) {
    const random = defaultRng(seed);
    const layout = randomFruitLayout(random, quick ? { ...garden, fruits: 3 } : garden);
    const model = fruitCollectionModel(layout, { slip: 0.1 });
    const { mdp, cell } = model;
    const cells = garden.size ** 2;
    const advice = new Advice({
      advisors: advisorsOf(model, random),
      views: cells,
      actions: mdp.actions,
      bootstrap,
      gamma: fixed ?? settings.gamma,
      learningRate,
    });
    const early: number[] = [];
    for (let t = 0, state = 0, ended = true; t < steps; t++) {
      // Episodes begin anywhere, with any fruits left, so that advisors learn about all cells.
      if (ended || t % horizon === 0) state = random.integers(cells, mdp.states);
      const action = random.random() < epsilon ? random.integers(mdp.actions) : advice.act(state);
      const next = sampleOutcome(mdp, state, action, random);
      const squares = advice.learn(state, action, next.state);
      if (t % 100 === 99 && t < 500) early.push(squares);
      [state, ended] = [next.state, next.terminated];
    }
    const policy = Int32Array.from({ length: mdp.states }, (_, s) => advice.act(s));
    const expected = (counts?: (outcome: Outcome) => number) =>
      startValue(mdp, finiteValues(mdp, policy, { horizon, counts }));
    return {
      value: expected(),
      early,
      used: steps,
      also: {
        steps: expected(() => 1),
        contacts: expected((o) => (layout.dangers.includes(cell(o.state)) ? 1 : 0)),
      },
    };
  },
});

const { egocentric, agnostic, empathic } = bootstraps;

export default recipe({
  id: "multi-advisor-rl",
  paper: "Multi-Advisor Reinforcement Learning",
  about:
    "Advisors each learn action values for a part of the reward, and an aggregator acts on their sum. Egocentric advisors assume that they will decide next, and together keep the agent where they disagree; agnostic ones assume random actions, and are afraid near danger. Empathic advisors assume what the aggregator would do. Claimed: empathic planning has neither flaw.",
  baseline: side("egocentric", egocentric),
  system: side("empathic", empathic),
  ablations: [
    side("egocentric, gamma 0.9", egocentric, 0.9),
    side("empathic, gamma 0.9", empathic, 0.9),
    side("agnostic, gamma 0.9", agnostic, 0.9),
  ],
  metric: { name: "expected return of the learned policy", better: "higher", worst: -60 },
  claim: { kind: "difference", smallest: 0.5 },
  grid,
  seeds: 30,
  budget: { unit: "steps", full: 200_000, quick: 5000 },
  deviations: [
    "A garden of 6 × 6 cells with 8 fruits and 6 dangers that do not move stands for the paper's grid; each seed has its own.",
    "The discount is tuned for both sides, because egocentric advisors have fewer attractors with a small one.",
    "Advisors learn from rewards with noise of deviation 0.3, in which a small discount loses fruits far away.",
    "Empathic advisors see the agent's cell only, like the others: optimality is proved for those who see everything.",
  ],
  reason:
    "The discount decides. With 0.9 egocentric advisors stall in every garden (1.3 after all 60 steps) where empathic ones bring 6.7 and agnostic ones 5.2. With 0.5, which tuning finds, most attractors are gone and egocentric advisors bring 6.4, so that little is left to gain: 6.9 at the empathic advisors' best discount.",
});
