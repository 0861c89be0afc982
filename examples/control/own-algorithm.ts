/**
 * A custom algorithm composed of parts, and a variant of an existing one with other settings.
 *
 *     npx vite-node examples/control/own-algorithm.ts [--quick]
 */

import { define, nn, ppo, setting, size, train } from "reins";
import { onPolicy } from "reins/core/loops";
import * as losses from "reins/core/losses";
import { actorCritic } from "reins/core/policies";
import * as targets from "reins/core/targets";

const quick = process.argv.includes("--quick");

/** A policy gradient with a critic and an entropy bonus, which accepts a schedule like any other setting. */
const mine = define({
  name: "mine",
  summary: "A policy gradient with a critic as its baseline.",
  options: {
    learningRate: setting(3e-3, "Learning rate."),
    gamma: setting(0.99, "Discount."),
    bonus: setting(0.01, "Weight of the entropy bonus."),
    envs: size(16, "Number of parallel environments."),
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

/** PPO with other defaults, under its own name. */
const calm = ppo.with("calm-ppo", {
  summary: "PPO with small updates and many epochs.",
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
