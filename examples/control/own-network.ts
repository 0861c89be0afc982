/**
 * A custom network for DQN and PPO.
 *
 *     npx vite-node examples/control/own-network.ts [--quick]
 */

import { dqn, nn, ppo, train } from "reins";

const quick = process.argv.includes("--quick");

/** Two layers with a norm in between. The number of output features is inferred. */
const network = ({ inputs }: { inputs: number }) =>
  nn.sequential(
    nn.linear({ inputs, outputs: 64 }),
    nn.layerNorm(64),
    "relu",
    nn.linear({ inputs: 64, outputs: 32 }),
    "relu",
  );

for (const [algorithm, steps] of [
  [ppo({ network, learningRate: 1e-3 }), 100_000],
  [dqn({ network, learningRate: 1e-3, learningStarts: 500 }), 40_000],
] as const) {
  const agent = await train({ algorithm, env: "CartPole-v1", steps: quick ? 2000 : steps, evalEpisodes: 20 });
  console.log(`${algorithm.name} balances for ${agent.return.mean.toFixed(0)} steps.`);
}
