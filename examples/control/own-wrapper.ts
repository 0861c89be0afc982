/**
 * Wrappers: built-in ones by name, and a custom one around a vector environment.
 *
 *     npx vite-node examples/control/own-wrapper.ts [--quick]
 */

import { make, ppo, train, type VectorEnv } from "reins";
import { Wrapper } from "reins/envs";

const quick = process.argv.includes("--quick");

/** Adds a reward for staying in the middle. The reward for training changes, the reported return does not. */
class Centred extends Wrapper {
  protected override after(): void {
    const [position, reward] = [leaf(this.observation), this.reward.data];
    for (let row = 0; row < this.rows; row++) reward[row] -= 0.1 * Math.abs(position[4 * row]);
  }
}

const leaf = (observation: VectorEnv["observation"]) => (observation as { data: Float32Array }).data;

const agent = await train({
  algorithm: ppo({ envs: 16, steps: 64, learningRate: 1e-3 }),
  env: (rows) => new Centred(make("CartPole-v1", { rows })),
  wrappers: ["normaliseObservation"],
  steps: quick ? 4000 : 150_000,
  evalEpisodes: 20,
});
// Returns are those of the environment, without the rewards of wrappers.
console.log(`It balances for ${agent.return.mean.toFixed(0)} steps.`);
