import { defaultRng, type Generator, stream } from "@reins/core/random";
import { type Grid, recipe, type Settings, type Trial, tableArm } from "@reins/recipes";
import { real } from "@reins/tensor";
import * as parts from "./reset-free-no-regret.parts.ts";

/** Size of the grids, steps of an episode, and reward that a reset costs. */
const [size, horizon, price] = [{ size: 5, pits: 4, slip: 0.2 }, 10, 10];
const grid = { bonus: [0.001, 0.003, 0.01, 0.03, 0.1], step: [1, 10, 100] } as const;
const fixed = { bonus: [0.001, 0.003, 0.01, 0.03, 0.1], penalty: [2, 8, 30] } as const;
const random = { penalty: [2, 8, 30], epsilon: [0.01, 0.03, 0.1, 0.3, 1] } as const;

/** How an arm plans an episode, and what it learns from the planned resets. */
interface Method {
  readonly bonus: number;
  choose(): parts.Choose;
  /** Penalty of a planned reset. */
  penalty?(): number;
  planned?(cost: number): void;
  readonly epsilon?: (episode: number) => number;
}

/** The action with the highest reward after a penalty for resets. */
const penalised =
  (penalty: number): parts.Choose =>
  ({ reward, cost }, at) => {
    let best = 0;
    for (let a = 1; a < 5; a++)
      if (reward[at + a] - penalty * cost[at + a] > reward[at + best] - penalty * cost[at + best]) best = a;
    return best;
  };

const arm = <G extends Grid>(name: string, methodOf: (settings: Settings<G>) => Method, own?: G) =>
  tableArm({
    name,
    ...(own && { grid: own }),
    begin({ seed, settings, budget }: Trial<G>, random: Generator) {
      const world = parts.pitGrid(defaultRng(stream(seed, "grid")), size);
      const best = parts.safeOptimum(world, horizon);
      const method = methodOf(settings as Settings<G>);
      const model = new parts.Model(world);
      let [s, lost, resets, late, planned, randomised] = [world.start, 0, 0, 0, 0, 0];
      return {
        step(episode) {
          const { policy, reward, cost } = model.plan(horizon, method.bonus, method.choose());
          planned += (reward[s] - (method.penalty?.() ?? 0) * cost[s]) / budget;
          method.planned?.(cost[s]);
          const epsilon = method.epsilon?.(episode) ?? 0;
          randomised += epsilon;
          lost += best[s];
          for (const actions of policy) {
            const a = epsilon > 0 && random.chance(epsilon) ? random.integers(5) : actions[s];
            const outcomes = world.next(s, a);
            const [next] = random.choice(
              outcomes,
              outcomes.map(([, p]) => p),
            );
            model.learn(s, a, next);
            lost -= world.reward(a, next);
            s = next;
            if (world.pit[s]) break;
          }
          if (world.pit[s]) {
            resets++;
            if (2 * episode >= budget) late++;
            s = world.start;
          }
          return lost + price * resets;
        },
        values: () => ({ loss: lost + price * resets, lost, resets, late, planned, randomised }),
      };
    },
  });

export default recipe({
  id: "reset-free-no-regret",
  paper: "Provable Reset-free Reinforcement Learning by No-Regret Reduction",
  source: "arXiv:2301.02389",
  about:
    "An episode starts where the last one ended, unless the agent needs a reset. Reset-free learning is a game of two players: the policy maximises optimistic reward minus λ times resets, and λ rises with the expected number of resets of each episode. Claimed: both the reward lost and the number of resets grow slower than the number of episodes.",
  system: arm("primal-dual", ({ bonus, step }: Settings<typeof grid>) => {
    let multiplier = 0;
    return {
      bonus,
      choose: () => penalised(multiplier),
      penalty: () => multiplier,
      planned(cost) {
        multiplier = Math.min(100, multiplier + step * cost);
      },
    };
  }),
  baselines: [
    arm(
      "fixed penalty",
      ({ bonus, penalty }) => ({ bonus, choose: () => penalised(penalty), penalty: () => penalty }),
      fixed,
    ),
    arm(
      "fixed penalty, ε-greedy",
      ({ penalty, epsilon }) => ({
        bonus: 0,
        choose: () => penalised(penalty),
        penalty: () => penalty,
        epsilon: (t) => Math.min(1, epsilon * real.pow(t + 1, -1)),
      }),
      random,
    ),
  ],
  ablations: [
    arm("no penalty", ({ bonus }: Settings<typeof grid>) => ({ bonus, choose: () => penalised(0) })),
  ],
  metrics: {
    loss: {
      about: "reward lost against the best policy without resets, plus 10 for each reset",
      better: "lower",
      worst: 1e5,
      best: 0,
    },
    resets: { about: "resets", better: "lower", worst: 1e4, best: 0 },
    late: { about: "resets in the second half of the episodes", better: "lower", worst: 1e4, best: 0 },
  },
  claims: [
    {
      metric: "loss",
      smallest: 20,
      because: "two resets fewer pay for a multiplier that changes while it learns",
      paper: "sublinear regret and resets (in theory)",
      presupposes: {
        metric: "resets",
        side: "no penalty",
        least: 10,
        because: "where the best policies need no reset there is nothing to constrain",
      },
    },
    {
      kind: "at-most",
      metric: "late",
      value: 1,
      because: "resets that grow sublinearly should have stopped after half of the episodes, up to one",
    },
  ],
  grid,
  limits: { bonus: [0.0001, 10], penalty: [0.1, 30], step: [0.01, 100], epsilon: [0, 100] },
  replicates: "grid",
  minutes: 1,
  budget: { unit: "episodes", full: 200, quick: 20 },
  deviations: [
    "Tables are linear MDPs with one feature for each state and action: grids of 25 states with four pits, slips and a safe action without reward, so that a policy without resets exists from every state.",
    "Of the paper only the abstract was found, which names the game of policy and multiplier and optimism for linear MDPs; least-squares value iteration with bonuses and projected gradient steps on the multiplier are the standard form of its two players. The policy is greedy, and rewards of states are known.",
    "A reset costs as much as the highest reward of an episode, in the metric on which all arms are tuned; the paper bounds regret and resets separately.",
  ],
  tried: [
    "Penalties of 3 to 90 for the baselines, which was refused after tuning because from 30 on they act alike; then penalties of at most 8, measured on other seeds: primal-dual 335, fixed penalty with random actions 348, with the penalty at its limit.",
  ],
  finding: (f) =>
    `Negligible: a multiplier that is learned in a game avoids resets as well as a fixed high penalty, not better, and a few resets remain in the second half of the episodes. Against the best baseline the loss changes by ${f.effect(0)}, and the second half has ${f.effect(1)} resets, over ${f.count} grids. The multiplier works: without a penalty there are ${f.mean("no penalty", "late")} resets in the second half. The loss is ${f.mean("primal-dual", "loss")} with ${f.mean("primal-dual", "resets")} resets, ${f.mean("fixed penalty", "loss")} with ${f.mean("fixed penalty", "resets")} for a fixed penalty, ${f.mean("fixed penalty, ε-greedy", "loss")} with ${f.mean("fixed penalty, ε-greedy", "resets")} for random actions in place of bonuses, and ${f.mean("no penalty", "loss")} with ${f.mean("no penalty", "resets")} without a penalty. What speaks for the method: it needs no guess of the penalty, but tuning drives its step to the largest allowed, so that it acts like a high penalty soon.`,
});
