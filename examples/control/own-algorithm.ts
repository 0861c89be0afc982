/**
 * An algorithm of your own by naming its parts, and a variant of one that is there by naming what is replaced.
 *
 *     npx vite-node examples/control/own-algorithm.ts [--quick]
 */

import { define, nn, ppo, setting, size, train } from "reins";
import { actorCritic, losses, onPolicy, targets } from "reins/core";

const quick = process.argv.includes("--quick");

/** The policy gradient with a critic, and a bonus for entropy that can be a schedule like any other setting. */
const mine = define({
  name: "mine",
  summary: "A policy gradient with a critic as its baseline.",
  options: {
    learningRate: setting(3e-3, "Size of a step."),
    gamma: setting(0.99, "Discount."),
    bonus: setting(0.01, "Reward for staying random."),
    envs: size(16, "Environments played at once."),
  },
  start: (o, context) =>
    onPolicy(
      {
        name: "mine",
        policy: actorCritic(context.spec, { hidden: [64] }),
        target: targets.gae({ gamma: o.gamma, lambda: 0.95 }),
        loss: losses.sum(
          losses.policyGradient(),
          losses.valueError(),
          losses.minus(o.bonus, losses.entropy()),
        ),
        optimiser: nn.adam(),
        learningRate: o.learningRate,
        clipNorm: 0.5,
        envs: o.envs,
        steps: 32,
        epochs: 1,
        minibatches: 1,
        normalise: "batch",
      },
      context,
    ),
});

/** PPO with other usual values, under a name of its own. */
const calm = ppo.with("calm-ppo", {
  summary: "PPO that moves little and looks at every batch often.",
  options: { clip: 0.1, epochs: 10, entropyWeight: 0 },
});

for (const algorithm of [mine(), calm()]) {
  const agent = await train({
    algorithm,
    env: "CartPole-v1",
    steps: quick ? 4000 : 100_000,
    evalEpisodes: 20,
  });
  console.log(`${agent.algorithm} balances for ${agent.return.mean.toFixed(0)} steps.`);
}
